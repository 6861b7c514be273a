/* SPDX-License-Identifier: Apache-2.0 */
/* A format that only this test knows: what a new reader has to bring so that all the rest works with it. */
#include <glib/gstdio.h>
#include <string.h>

#include "lightcone/merge.h"
#include "maker.h"
#include "reader.h"

/* A process's file NAME.locks has lines "BEGIN END ACQUISITION lock|unlock", all of one mutex. */
#define SUFFIX ".locks"
#define LARGEST (1 << 20)

/* --- The reader -------------------------------------------------------------------------------------------------- */

static GPtrArray *
locks_list (const LcFolder *folder)
{
  g_autoptr (GPtrArray) all = lc_folder_list (folder, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; all != NULL && i < all->len; i++)
    if (g_str_has_suffix (all->pdata[i], SUFFIX))
      g_ptr_array_add (names, g_strdup (all->pdata[i]));
  g_ptr_array_sort (names, lc_files_compare_names);
  return names;
}

static gboolean
locks_probe (LcFolder *folder)
{
  g_autoptr (GPtrArray) names = locks_list (folder);

  return names->len > 0;
}

static void
locks_parse_line (const char *line, GArray *events)
{
  LcTraceEvent event = {.object = 0,
                        .peer = LC_TRACE_NONE,
                        .stack = LC_TRACE_NONE,
                        .cpu = LC_CPU_UNKNOWN,
                        .operation = strstr (line, "unlock") != NULL ? LC_UNLOCK : LC_LOCK,
                        .flags = LC_TRACE_EVENT_SEQUENCE};

  if (sscanf (line, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT, &event.begin, &event.end,
              &event.sequence) == 3)
    g_array_append_val (events, event);
}

static gboolean
locks_open_file (LcTrace *trace, const char *name, guint32 number, GError **error)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (LcTraceEvent));
  LcTraceProcess process = {.file = lc_trace_keep_string (trace, name, -1),
                            .given_name = lc_trace_keep_string (trace, name, (gssize)(strlen (name) - strlen (SUFFIX))),
                            .number = number,
                            .instance = LC_TRACE_NONE,
                            .parent = LC_TRACE_NONE,
                            .rank = LC_TRACE_NONE,
                            .start = LC_TRACE_NONE,
                            .state = LC_STATE_ENDED,
                            .pending = {.operation = LC_TRACE_NONE, .object = LC_TRACE_NONE, .stack = LC_TRACE_NONE},
                            .account = LC_TRACE_NO_ACCOUNT};
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  gsize length;

  if (!lc_folder_read (trace->folder, name, LARGEST, &text, &length, error))
    return FALSE;
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    locks_parse_line (*line, events);
  if (events->len > 0)
    {
      process.begin = g_array_index (events, LcTraceEvent, 0).begin;
      process.end = g_array_index (events, LcTraceEvent, events->len - 1).end;
    }
  process.bytes = length;
  g_array_append_val (trace->processes, process);
  g_ptr_array_add (trace->data, g_steal_pointer (&events));
  return TRUE;
}

static gboolean
locks_open (LcTrace *trace, GError **error)
{
  const LcObject mutex = {.name = "the mutex",
                          .object_class = LC_CLASS_MUTEX,
                          .instance = LC_TRACE_NONE,
                          .process = LC_TRACE_NONE,
                          .stack = LC_TRACE_NONE,
                          .module = LC_TRACE_NONE};
  g_autoptr (GPtrArray) names = locks_list (trace->folder);

  trace->data = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  lc_objects_add (trace->objects, &mutex);
  for (guint i = 0; i < names->len; i++)
    if (!locks_open_file (trace, names->pdata[i], i, error))
      return FALSE;
  lc_trace_name_processes (trace);
  return TRUE;
}

static void
locks_close (LcTrace *trace)
{
  g_clear_pointer ((GPtrArray **)&trace->data, g_ptr_array_unref);
}

static const GArray *
locks_events (const LcTrace *trace, guint32 process)
{
  return ((const GPtrArray *)trace->data)->pdata[process];
}

static guint64
locks_count_events (const LcTrace *trace, guint32 process)
{
  return locks_events (trace, process)->len;
}

static LcTraceCursor *
locks_cursor_open (LcTrace *trace, guint32 process)
{
  return lc_trace_cursor_new (trace, process, sizeof (LcTraceCursor));
}

static gboolean
locks_cursor_next (LcTraceCursor *cursor, LcTraceBatch *batch)
{
  const GArray *events = locks_events (cursor->trace, cursor->process);

  *batch = (LcTraceBatch){.events = &g_array_index (events, LcTraceEvent, cursor->ordinal),
                          .n_events = events->len - cursor->ordinal,
                          .first_ordinal = cursor->ordinal};
  cursor->ordinal = events->len;
  return batch->n_events > 0;
}

static const char *const locks_files[] = {"*" SUFFIX, NULL};

static const LcTraceReader locks_reader = {
    .name = "locks",
    .sign = "file *" SUFFIX,
    .files = locks_files,
    .probe = locks_probe,
    .open = locks_open,
    .close = locks_close,
    .count_events = locks_count_events,
    .cursor_open = locks_cursor_open,
    .cursor_next = locks_cursor_next,
    .cursor_close = lc_trace_cursor_free,
};

/* --- What comes of it -------------------------------------------------------------------------------------------- */

static char *
make_locks (void)
{
  char *directory = maker_directory ();
  g_autofree char *streams = g_build_filename (directory, "ctf", NULL);

  g_assert_cmpint (g_rmdir (streams), ==, 0);
  maker_write_text (directory, "1.locks", "10 11 1 lock\n50 50 1 unlock\n");
  maker_write_text (directory, "2.locks", "20 60 2 lock\n70 70 2 unlock\n");
  return directory;
}

static void
merge_locks (const char *directory, LcMergeResult *result)
{
  const LcMergeOptions options = {0};
  g_autoptr (GError) error = NULL;

  lc_merge (directory, &options, result, &error);
  g_assert_no_error (error);
}

/* The history knows who waited for whom, and is made again when a file of this format has changed. */
static void
test_history (void)
{
  char *directory = make_locks ();
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (GError) error = NULL;
  const LcMergeOptions options = {0};
  LcHistoryEvent event;
  LcMergeResult result;

  merge_locks (directory, &result);
  g_assert_true (result.made);
  g_assert_cmpuint (result.events, ==, 4);
  g_assert_cmpuint (result.arcs, ==, 1);
  g_assert_cmpuint (result.problems, ==, 0);
  history = lc_merge_open (directory, &options, &error);
  g_assert_no_error (error);
  lc_history_get_event (history, LC_TIMELINE_MEASURED, 1, 0, &event, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (event.waited, ==, 30);
  merge_locks (directory, &result);
  g_assert_false (result.made);
  maker_write_text (directory, "mine.txt", "what a user has noted about this trace");
  merge_locks (directory, &result);
  g_assert_false (result.made);
  maker_write_text (directory, "2.locks", "20 60 2 lock\n70 70 2 unlock\n80 81 3 lock\n");
  merge_locks (directory, &result);
  g_assert_true (result.made);
  g_assert_cmpuint (result.events, ==, 5);
  maker_remove (directory);
}

/* Its files are the trace's, and who is told what a trace is, is told of it. */
static void
test_files (void)
{
  char *directory = make_locks (), *empty = maker_directory ();
  g_auto (GStrv) files = lc_trace_list_files (directory);
  g_autofree char *all = g_strjoinv (" ", files);
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (all, ==, "1.locks 2.locks");
  g_assert_null (lc_trace_open (empty, &error));
  g_assert_nonnull (strstr (error->message, "no ctf/metadata, no file *.events, no folder host-* and no file *.locks"));
  maker_remove (directory);
  maker_remove (empty);
}

/* One host's part may be of any format. */
static void
test_part (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *streams = g_build_filename (directory, "ctf", NULL);
  g_autofree char *part = g_build_filename (directory, "host-a", NULL);
  g_auto (GStrv) files = NULL;

  g_assert_cmpint (g_rmdir (streams), ==, 0);
  g_assert_cmpint (g_mkdir (part, 0700), ==, 0);
  maker_write_text (directory, "host-a/1.locks", "10 11 1 lock\n");
  trace = lc_trace_open (directory, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (lc_trace_get_format (trace), ==, "locks");
  g_assert_false (lc_trace_is_counted (trace));
  g_assert_cmpuint (lc_trace_count_events (trace, 0), ==, 1);
  files = lc_trace_list_files (directory);
  g_assert_cmpstr (files[0], ==, "host-a/1.locks");
  g_assert_null (files[1]);
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lc_trace_add_reader (&locks_reader);
  g_test_add_func ("/format/history", test_history);
  g_test_add_func ("/format/files", test_files);
  g_test_add_func ("/format/part", test_part);
  return g_test_run ();
}
