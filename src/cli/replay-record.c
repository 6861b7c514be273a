/* SPDX-License-Identifier: Apache-2.0 */
/* Records a replay, and looks whether the new trace has the events of the old one. */
#include "replay-record.h"

#include <glib/gi18n.h>

#include "command.h"
#include "event-classes.h"
#include "lightcone/laid-times.h"
#include "open-history.h"
#include "replay-program.h"
#include "report/format.h"
#include "trace/operations.h"

/* The trace also names what is no class of events, but was recorded. */
static char *
replay_record_dup_classes (LcTrace *trace, gboolean has_tags)
{
  g_autofree char *list = g_key_file_get_string (lc_trace_get_settings (trace), "trace", "classes", NULL);
  g_auto (GStrv) recorded = g_strsplit (list != NULL ? list : "", ",", -1);
  g_autoptr (GString) classes = g_string_new (NULL);
  guint32 class;

  for (guint i = LC_CLASS_NONE + 1; i < LC_CLASSES; i++)
    if ((g_strv_contains ((const char *const *)recorded, lc_class_names[i]) || (has_tags && i == LC_CLASS_MARK)) &&
        lc_event_classes_parse (lc_class_names[i], &class, NULL))
      g_string_append_printf (classes, "%s%s", classes->len > 0 ? "," : "", lc_class_names[i]);
  return g_string_free (g_steal_pointer (&classes), FALSE);
}

char **
lc_replay_record_command (LcTrace *trace, const LcReplayRecord *record, char *const *command)
{
  g_autofree char *classes = replay_record_dup_classes (trace, record->probes != NULL);
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  char *self = g_file_read_link ("/proc/self/exe", NULL);

  g_ptr_array_add (arguments, self != NULL ? self : g_strdup ("lightcone"));
  g_ptr_array_add (arguments, g_strdup ("record"));
  g_ptr_array_add (arguments, g_strdup ("--quiet"));
  g_ptr_array_add (arguments, g_strdup ("--lossless"));
  g_ptr_array_add (arguments, g_strdup_printf ("--output=%s", record->output));
  g_ptr_array_add (arguments, g_strdup_printf ("--stacks=%s", record->stacks != NULL ? record->stacks : "all"));
  if (classes[0] != '\0')
    g_ptr_array_add (arguments, g_strdup_printf ("--events=%s", classes));
  for (char **other = record->others; other != NULL && *other != NULL; other++)
    g_ptr_array_add (arguments, g_strdup (*other));
  g_ptr_array_add (arguments, g_strdup ("--"));
  for (char *const *word = command; *word != NULL; word++)
    g_ptr_array_add (arguments, g_strdup (*word));
  g_ptr_array_add (arguments, NULL);
  return (char **)g_ptr_array_steal (arguments, NULL);
}

char **
lc_replay_record_environment (const char *library, const char *plan)
{
  char **environment = g_environ_setenv (lc_replay_dup_environment (), LC_REPLAY_ENVIRONMENT, plan, TRUE);

  return g_environ_setenv (environment, LC_REPLAY_LIBRARY_ENVIRONMENT, library, TRUE);
}

/* --- Whether it is the same ----------------------------------------------------------------------------------- */

static char *
replay_record_dup_event (LcTrace *trace, const LcReplayStop *event)
{
  g_autofree char *name = lc_format_text (lc_trace_get_process (trace, event->process)->name), *number = NULL;

  if (event->ordinal == G_MAXUINT64)
    return g_strdup_printf (_ ("nothing of %s"), name);
  number = lc_format_count (event->ordinal);
  return g_strdup_printf ("%s #%s", name, number);
}

static const char *
replay_record_reason (LcReplayMismatch mismatch)
{
  switch (mismatch)
    {
    case LC_REPLAY_MISSING:
      return _ ("an event is missing");
    case LC_REPLAY_ADDED:
      return _ ("there is an event more");
    case LC_REPLAY_OTHER_OPERATION:
      return _ ("it is another operation");
    case LC_REPLAY_OTHER_OBJECT:
      return _ ("it is another object");
    case LC_REPLAY_OTHER_TURN:
      return _ ("it comes after other events of its object");
    case LC_REPLAY_OTHER_TRIES:
      return _ ("it has another number of tests in vain");
    case LC_REPLAY_NO_RANK:
      return _ ("no process was this rank");
    case LC_REPLAY_NO_THREAD:
    case LC_REPLAY_ALIGNED:
    default:
      return _ ("nobody has made this thread");
    }
}

static void
replay_record_tell (LcTrace *trace, LcTrace *again, const LcReplayAlignment *alignment)
{
  const gboolean is_nobody = alignment->mismatch == LC_REPLAY_NO_THREAD || alignment->mismatch == LC_REPLAY_NO_RANK;
  g_autofree char *before = replay_record_dup_event (trace, &alignment->recorded);
  g_autofree char *now = is_nobody ? NULL : replay_record_dup_event (again, &alignment->again);

  lc_complain (_ ("%s: is not as the recorded one: %s"), lc_trace_get_path (again),
               replay_record_reason (alignment->mismatch));
  if (is_nobody)
    lc_complain (_ ("  recorded: %s"), before);
  else
    lc_complain (_ ("  recorded: %s; in the replay: %s"), before, now);
}

static void
replay_record_tell_good (LcTrace *again, const LcReplayRecord *record, const LcReplayAlignment *alignment)
{
  g_autofree char *n_events = lc_format_count (alignment->n_events), *n_moved = lc_format_count (alignment->n_moved);

  lc_complain (
      ngettext ("%s: has the same %s event", "%s: has the same %s events, one by one", (gulong)alignment->n_events),
      lc_trace_get_path (again), n_events);
  if (alignment->n_moved > 0 && record->probes == NULL) /* tags are events, too */
    lc_complain (ngettext ("%s of its events or processes has another number than the recorded one",
                           "%s of its events and processes have other numbers than the recorded ones",
                           (gulong)alignment->n_moved),
                 n_moved);
}

/* Opens the new trace, and names the file for its plan. NULL: the user has been told. */
static LcTrace *
replay_record_open (const LcReplayRecord *record, const char *folder, char **path)
{
  g_autoptr (GError) error = NULL;
  LcTrace *again = lc_trace_open (record->output, &error);

  if (again == NULL)
    lc_complain ("%s", error->message);
  *path = g_build_filename (folder, "plan-again", NULL);
  return again;
}

/* --- The old times -------------------------------------------------------------------------------------------- */

static gboolean
replay_record_find_old (guint32 process, guint64 ordinal, guint32 *old_process, guint64 *old_ordinal, gpointer data)
{
  const LcReplayStop again = {process, ordinal};
  LcReplayStop recorded;

  if (!lc_replay_alignment_find (data, &again, &recorded))
    return FALSE;
  *old_process = recorded.process;
  *old_ordinal = recorded.ordinal;
  return TRUE;
}

static gboolean
replay_record_lay (LcTrace *trace, const LcReplayRecord *record, LcReplayAlignment *alignment, gboolean quiet)
{
  const LcLaidTimesOptions options = {.name = "recorded", .find = replay_record_find_old, .data = alignment};
  g_autoptr (GError) error = NULL;
  g_autoptr (LcHistory) old = lc_open_history (lc_trace_get_path (trace), NULL, quiet, &error);
  g_autofree char *number = NULL;
  guint64 n_missing = 0;

  if (old == NULL || !lc_lay_times (record->output, old, &options, &n_missing, &error))
    {
      lc_complain ("%s", error->message);
      return FALSE;
    }
  if (quiet)
    return TRUE;
  number = lc_format_count (n_missing);
  lc_complain (_ ("%s: its timeline “%s” has the times of the recorded run"), record->output, options.name);
  if (n_missing > 0)
    lc_complain (ngettext ("%s of its events was not recorded then, and takes no time there",
                           "%s of its events were not recorded then, and take no time there", (gulong)n_missing),
                 number);
  return TRUE;
}

/* Tells how the new trace compares with the old one, and frees the pairs. */
static gboolean
replay_record_judge (LcTrace *trace, LcTrace *again, const LcReplayRecord *record, LcReplayAlignment *alignment,
                     gboolean quiet)
{
  gboolean good = alignment->mismatch == LC_REPLAY_ALIGNED;

  if (!good)
    replay_record_tell (trace, again, alignment);
  else if (!quiet)
    replay_record_tell_good (again, record, alignment);
  if (good && record->lays)
    good = replay_record_lay (trace, record, alignment, quiet);
  g_clear_pointer (&alignment->pairs, g_array_unref);
  return good;
}

static LcReplayAlignment
replay_record_begin_alignment (const LcReplayRecord *record)
{
  return (LcReplayAlignment){.pairs = record->lays ? g_array_new (FALSE, FALSE, sizeof (LcReplayPair)) : NULL};
}

gboolean
lc_replay_record_check (LcTrace *trace, struct lc_replay_header *plan, const LcReplayRecord *record, const char *folder,
                        gboolean quiet)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LcTrace) again = replay_record_open (record, folder, &path);
  struct lc_replay_header *made;
  LcReplayAlignment alignment;
  LcReplayPlan result;

  if (again == NULL)
    return FALSE;
  if (!lc_replay_plan_write (again, path, NULL, &result, &error))
    {
      lc_complain ("%s", error->message);
      return FALSE;
    }
  made = lc_replay_map_plan (path);
  if (made == NULL)
    return FALSE;
  alignment = replay_record_begin_alignment (record);
  lc_replay_align (plan, made, &alignment);
  return replay_record_judge (trace, again, record, &alignment, quiet);
}

gboolean
lc_replay_record_check_ranks (LcReplayMpiThreads *threads, struct lc_replay_mpi_header *plan,
                              const LcReplayRecord *record, const char *folder, gboolean quiet)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LcTrace) again = replay_record_open (record, folder, &path);
  g_autoptr (GHashTable) processes = g_hash_table_new (NULL, NULL);
  struct lc_replay_mpi_header *made = NULL;
  LcReplayAlignment alignment;
  LcReplayMpiPlan result;

  if (again == NULL)
    return FALSE;
  if (lc_replay_mpi_plan_write (again, path, &result, &error))
    made = lc_replay_mpi_plan_map (path, &error);
  if (made == NULL)
    {
      lc_complain ("%s", error->message);
      return FALSE;
    }
  alignment = replay_record_begin_alignment (record);
  alignment.is_mixed = threads->n > 0;
  alignment.processes = processes;
  if (lc_replay_mpi_threads_align (threads, again, made, folder, &alignment, &error))
    lc_replay_mpi_align (plan, made, &alignment);
  else if (alignment.mismatch == LC_REPLAY_ALIGNED)
    {
      if (error != NULL)
        lc_complain ("%s", error->message);
      g_clear_pointer (&alignment.pairs, g_array_unref);
      return FALSE;
    }
  lc_replay_alignment_shorten (&alignment);
  return replay_record_judge (threads->trace, again, record, &alignment, quiet);
}
