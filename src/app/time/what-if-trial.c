/* SPDX-License-Identifier: Apache-2.0 */
/* Finds in the background how long a run would take: the newest question is answered, older ones are dropped. */
#include "app/time/what-if-trial.h"

#include "app/job.h"

#define SHORT (G_TIME_SPAN_SECOND / 4) /* a search that takes no longer is not given up for the next */

typedef struct
{
  LcOpened *opened;
  LcExperiment *experiment; /* NULL: not opened yet */
  LcWhatIfSubject *subject;
  double factor;
} Question;

struct _LcWhatIfTrial
{
  LcOpened *opened;
  gpointer owner;
  LcWhatIfAnswered answered;
  LcWhatIfTick tick;
  LcJob *job;
  LcExperiment *experiment;
  Question *next; /* asked while another search was running; or NULL */
  gint64 begun;
};

/* The first search opens the experiment. */
typedef struct
{
  LcExperiment *experiment;
  LcWhatIfAnswer *answer;
} Found;

static void
what_if_trial_free_question (gpointer data)
{
  Question *question = data;

  if (question == NULL)
    return;
  lc_opened_unref (question->opened);
  g_clear_pointer (&question->experiment, lc_experiment_unref);
  lc_what_if_subject_free (question->subject);
  g_free (question);
}

void
lc_what_if_answer_free (gpointer data)
{
  LcWhatIfAnswer *answer = data;

  if (answer == NULL)
    return;
  lc_approximation_free (answer->approximation);
  lc_scale_clear (&answer->scale);
  g_free (answer);
}

static void
what_if_trial_free_found (gpointer data)
{
  Found *found = data;

  lc_experiment_unref (found->experiment);
  lc_what_if_answer_free (found->answer);
  g_free (found);
}

/* --- In a thread ---------------------------------------------------------------------------------------------------
 */

static gboolean
what_if_trial_report (const LcMergeProgress *progress, gpointer data)
{
  g_atomic_int_set ((LcJobPermille *)data, (gint)(progress->fraction * 1000));
  return TRUE;
}

static gboolean
what_if_trial_find_scale (const Question *question, LcExperiment *experiment, LcScale *scale, GError **error)
{
  const LcWhatIfSubject *subject = question->subject;

  *scale = (LcScale){.kind = subject->kind, .id = subject->id};
  if (subject->place != NULL && !lc_experiment_parse (experiment, subject->place, scale, error))
    return FALSE;
  if (subject->name[0] != '\0')
    {
      g_free (scale->name);
      scale->name = g_strdup (subject->name);
    }
  scale->factor = question->factor;
  return TRUE;
}

static gpointer
what_if_trial_work (gpointer data, LcJobPermille *permille, GCancellable *cancellable, GError **error)
{
  const Question *question = data;
  const LcApproximateOptions options = {.model = LC_MODEL_AUTO,
                                        .keep_measurement = TRUE,
                                        .report = what_if_trial_report,
                                        .data = permille,
                                        .cancellable = cancellable};
  g_autoptr (LcExperiment) experiment = question->experiment != NULL
                                            ? lc_experiment_ref (question->experiment)
                                            : lc_experiment_new (question->opened->directory, &options, error);
  LcWhatIfAnswer *answer;
  Found *found;

  if (experiment == NULL)
    return NULL;
  answer = g_new0 (LcWhatIfAnswer, 1);
  if (what_if_trial_find_scale (question, experiment, &answer->scale, error))
    answer->approximation =
        lc_experiment_try (experiment, &answer->scale, 1, what_if_trial_report, permille, cancellable, error);
  if (answer->approximation == NULL)
    {
      lc_what_if_answer_free (answer);
      return NULL;
    }
  found = g_new (Found, 1);
  *found = (Found){g_steal_pointer (&experiment), answer};
  return found;
}

/* --- Questions and answers ------------------------------------------------------------------------------------------
 */

static void
what_if_trial_start (LcWhatIfTrial *trial, Question *question)
{
  if (trial->experiment != NULL)
    question->experiment = lc_experiment_ref (trial->experiment);
  trial->begun = g_get_monotonic_time ();
  lc_job_start (trial->job, what_if_trial_work, question, what_if_trial_free_question);
}

static void
what_if_trial_on_done (gpointer owner, gpointer result, const GError *error)
{
  LcWhatIfTrial *trial = owner;
  Found *found = result;
  LcWhatIfAnswer *answer = NULL;

  if (found != NULL)
    {
      if (trial->experiment == NULL)
        trial->experiment = lc_experiment_ref (found->experiment);
      answer = g_steal_pointer (&found->answer);
      what_if_trial_free_found (found);
    }
  if (trial->next != NULL)
    what_if_trial_start (trial, g_steal_pointer (&trial->next));
  if (answer != NULL || !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    trial->answered (trial->owner, answer, error);
}

static void
what_if_trial_on_tick (gpointer owner, double fraction)
{
  LcWhatIfTrial *trial = owner;

  if (trial->next != NULL && trial->experiment != NULL && g_get_monotonic_time () - trial->begun > SHORT)
    what_if_trial_start (trial, g_steal_pointer (&trial->next));
  trial->tick (trial->owner, fraction);
}

void
lc_what_if_trial_ask (LcWhatIfTrial *trial, const LcWhatIfSubject *subject, double factor)
{
  Question *question = g_new0 (Question, 1);

  *question = (Question){.opened = lc_opened_ref (trial->opened), .factor = factor};
  question->subject = lc_what_if_subject_new (subject->kind, subject->id, subject->name, subject->place);
  g_clear_pointer (&trial->next, what_if_trial_free_question);
  if (lc_job_is_running (trial->job))
    trial->next = question;
  else
    what_if_trial_start (trial, question);
}

void
lc_what_if_trial_stop (LcWhatIfTrial *trial)
{
  g_clear_pointer (&trial->next, what_if_trial_free_question);
  lc_job_stop (trial->job);
}

gboolean
lc_what_if_trial_is_busy (const LcWhatIfTrial *trial)
{
  return lc_job_is_running (trial->job);
}

LcWhatIfTrial *
lc_what_if_trial_new (LcOpened *opened, gpointer owner, LcWhatIfAnswered answered, LcWhatIfTick tick)
{
  LcWhatIfTrial *trial = g_new0 (LcWhatIfTrial, 1);

  trial->opened = lc_opened_ref (opened);
  trial->owner = owner;
  trial->answered = answered;
  trial->tick = tick;
  trial->job = lc_job_new (trial, what_if_trial_on_done, what_if_trial_on_tick, what_if_trial_free_found);
  return trial;
}

void
lc_what_if_trial_free (LcWhatIfTrial *trial)
{
  if (trial == NULL)
    return;
  lc_what_if_trial_stop (trial);
  lc_job_free (trial->job);
  g_clear_pointer (&trial->experiment, lc_experiment_unref);
  lc_opened_unref (trial->opened);
  g_free (trial);
}
