/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the events of a run the times of another run that has done the same. */
#include "lightcone/laid-times.h"

#include "lightcone/merge.h"
#include "lightcone/sweep.h"
#include "lightcone/timeline.h"

/* The event that a process is in, or was in last. */
typedef struct
{
  guint64 begin, end, waited, woken;
} LaidEvent;

typedef struct
{
  LcSweepVisitor visitor;
  const LcLaidTimesOptions *options;
  LcHistory *history;
  LcTrace *trace;
  LcRules *rules;
  LcTimelineWriter *writer;
  LcHistoryWalk *walk; /* of the old history */
  LaidEvent *events;   /* by process */
  guint64 n_missing;
  GError *error; /* the old history could not be read */
} LayingTimes;

static void
laid_times_clear (LayingTimes *laying)
{
  g_clear_pointer (&laying->writer, lc_timeline_writer_free);
  g_clear_pointer (&laying->walk, lc_history_walk_free);
  g_clear_pointer (&laying->rules, lc_rules_free);
  g_clear_pointer (&laying->trace, lc_trace_free);
  g_clear_pointer (&laying->history, lc_history_free);
  g_clear_error (&laying->error);
  g_free (laying->events);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LayingTimes, laid_times_clear)

/* FALSE: it is not there, or another operation. */
static gboolean
laid_times_look_up (LayingTimes *laying, const LcSweepStep *step, LcHistoryEvent *old)
{
  guint32 process;
  guint64 ordinal;
  g_autoptr (GError) error = NULL;

  if (laying->error != NULL ||
      !laying->options->find (step->process, step->ordinal, &process, &ordinal, laying->options->data))
    return FALSE;
  if (lc_history_walk_get (laying->walk, process, ordinal, old, NULL, &error))
    return old->operation == step->event->operation;
  if (!g_error_matches (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN))
    laying->error = g_steal_pointer (&error);
  return FALSE;
}

static void
laid_times_begin (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  LayingTimes *laying = (LayingTimes *)visitor;
  LaidEvent *event = &laying->events[step->process];
  LcHistoryEvent old;

  if (laid_times_look_up (laying, step, &old) && old.begin >= event->end)
    *event = (LaidEvent){old.begin, old.end, old.waited, old.woken};
  else
    {
      *event = (LaidEvent){.begin = event->end, .end = event->end};
      laying->n_missing++;
    }
  *step->carried = event->begin;
}

static void
laid_times_end (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  LayingTimes *laying = (LayingTimes *)visitor;
  const LaidEvent *event = &laying->events[step->process];
  const LcTimelineEvent written = {.begin = event->begin,
                                   .end = event->end,
                                   .waited = event->waited,
                                   .woken = event->woken,
                                   .gained = (gint64)event->waited - (gint64)step->waited,
                                   .is_unpreempted = TRUE}; /* what the trace says of that is of the new run */

  *step->carried = event->end;
  lc_timeline_writer_add (laying->writer, step, &written);
}

static gboolean
laid_times_go_on (guint64 events, gpointer data)
{
  const LayingTimes *laying = data;

  (void)events;
  return laying->error == NULL && lc_timeline_writer_can_write (laying->writer) &&
         !g_cancellable_is_cancelled (laying->options->cancellable);
}

static gboolean
laid_times_open (LayingTimes *laying, const char *directory, LcHistory *old, GError **error)
{
  const LcLaidTimesOptions *options = laying->options;
  const LcMergeOptions merge = {.cancellable = options->cancellable};
  const LcTimelineDescription description = {.name = options->name, .model = LC_LAID_TIMES_MODEL, .parameters = "{}"};

  laying->history = lc_merge_open (directory, &merge, error);
  if (laying->history == NULL)
    return FALSE;
  laying->rules = lc_merge_load_rules (directory, NULL, error);
  laying->trace = laying->rules != NULL ? lc_trace_open (directory, error) : NULL;
  if (laying->trace == NULL || !lc_history_name_trace (laying->history, laying->trace, error))
    return FALSE;
  laying->walk = lc_history_walk_new (old, LC_TIMELINE_MEASURED, LC_WALK_ARCS, options->cancellable, error);
  if (laying->walk == NULL)
    return FALSE;
  laying->events = g_new0 (LaidEvent, MAX (lc_trace_get_n_processes (laying->trace), 1));
  laying->writer =
      lc_timeline_writer_new (lc_history_get_path (laying->history), laying->trace, laying->rules, &description, error);
  return laying->writer != NULL;
}

gboolean
lc_lay_times (const char *directory, LcHistory *old, const LcLaidTimesOptions *options, guint64 *n_missing,
              GError **error)
{
  g_auto (LayingTimes) laying = {.visitor = {laid_times_begin, laid_times_end}, .options = options};
  LcSweepVisitor *const visitors[] = {&laying.visitor, NULL};
  LcSweepResult swept;
  guint32 number;
  gboolean good;

  g_return_val_if_fail (directory != NULL && old != NULL && options != NULL && options->find != NULL, FALSE);
  if (!laid_times_open (&laying, directory, old, error))
    return FALSE;
  good = lc_sweep_run (laying.trace, laying.rules, visitors, laid_times_go_on, &laying, &swept,
                       laying.error == NULL ? error : NULL);
  lc_sweep_result_clear (&swept);
  if (good && laying.error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&laying.error));
      return FALSE;
    }
  *n_missing = laying.n_missing;
  return good && lc_timeline_writer_commit (laying.writer, &number, error);
}
