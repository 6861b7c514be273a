/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of how a history is looked at comes back as it was, also for a history that was made again. */
#include <glib/gstdio.h>

#include "../analysis/case.h"
#include "app/session/state.h"
#include "lightcone/merge.h"

static const char *const rounds[] = {"a", "0 10 lock m 1 at=put@pipe.cpp:7\n100 110 unlock m 1\n900 1000 tag value=3\n",
                                     "b", "0 10 tag value=1\n300 310 lock m 2\n990 1000 unlock m 2\n",
                                     "c", "0 10 tag value=1\n20 30 tag value=2\n",
                                     NULL};

static LcSession *
open_session (Case **trial)
{
  LcSession *session = lc_session_new ();
  g_autoptr (LcOpened) opened = NULL;

  *trial = case_new (rounds, NULL);
  opened = lc_opened_new (g_steal_pointer (&(*trial)->history), (*trial)->directory, FALSE);
  lc_session_open (session, opened);
  return session;
}

/* Everything otherwise than when a trace is opened for the first time. */
static void
choose (LcSession *session)
{
  static const guint32 processes[] = {2, 0}, objects[] = {0}, regions[] = {0};
  static const gint64 tags[] = {-5, G_MAXINT64};
  LcHistory *history = lc_session_get_history (session);
  guint32 n_operations = lc_history_get_n_operations (history);
  g_autofree gboolean *operations = g_new (gboolean, n_operations);
  LcShown *shown = lc_shown_copy (lc_session_get_shown (session));
  const LcBookmark bookmark = {.event = {1, 2}, .span = {300.25, 400, 0, 2}, .note = (char *)"Why; so\nlate?"};

  for (guint32 i = 0; i < n_operations; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      operations[i] = operation == NULL || g_strcmp0 (operation->name, "unlock") != 0;
    }
  shown->orientation = LC_ORIENTATION_RIGHT;
  shown->selection.filters.least_wait = 17;
  shown->selection.hide_arcs = TRUE;
  shown->selection.hidden = 1u << LC_DIAGRAM_WAITING | 1u << LC_DIAGRAM_MOVED;
  lc_shown_set_colored (shown, TRUE);
  shown->selection.highlight.kind = LC_HIGHLIGHT_PAST;
  shown->selection.highlight.process = 1;
  shown->selection.highlight.ordinal = 1;
  lc_shown_set_processes (shown, processes, G_N_ELEMENTS (processes));
  lc_shown_set_operations (shown, operations);
  lc_shown_set_objects (shown, objects, G_N_ELEMENTS (objects));
  lc_shown_set_inside (shown, regions, G_N_ELEMENTS (regions), tags, G_N_ELEMENTS (tags));
  lc_shown_set_called (shown, "put");
  lc_session_show (session, shown);
  lc_session_set_span (session, &(LcSpan){100.5, 300, 0, 1}, FALSE);
  lc_session_select (session, 0, 1, FALSE);
  lc_session_add_bookmark (session, &bookmark);
  lc_session_set_breakpoint (session, 1, 2, TRUE);
  lc_session_set_breakpoint (session, 0, 1, TRUE);
  lc_session_set_breakpoint (session, 1, 2, TRUE);
  lc_session_add_expression (session, "a; b\\n[1]");
}

static char *
dup_text (LcSession *session)
{
  g_autoptr (GKeyFile) state = lc_state_take (session);

  return g_key_file_to_data (state, NULL, NULL);
}

static void
check (LcSession *session)
{
  const LcShown *shown = lc_session_get_shown (session);
  const LcBookmark *bookmark = g_ptr_array_index (lc_session_get_bookmarks (session), 0);
  LcEventName selection;
  LcSpan span;
  const guint32 *regions;
  const gint64 *tags;
  guint32 n;

  g_assert_cmpuint (shown->selection.n_processes, ==, 2);
  g_assert_cmpuint (shown->selection.processes[0], ==, 2);
  g_assert_cmpuint (shown->selection.processes[1], ==, 0);
  g_assert_cmpint (shown->orientation, ==, LC_ORIENTATION_RIGHT);
  g_assert_cmpuint (shown->selection.filters.least_wait, ==, 17);
  g_assert_true (shown->selection.hide_arcs);
  g_assert_cmphex (shown->selection.hidden, ==, 1u << LC_DIAGRAM_WAITING | 1u << LC_DIAGRAM_MOVED);
  g_assert_nonnull (shown->selection.coloring);
  g_assert_false (shown->selection.hide_holding);
  g_assert_cmpint (shown->selection.highlight.kind, ==, LC_HIGHLIGHT_PAST);
  g_assert_cmpuint (shown->selection.highlight.process, ==, 1);
  g_assert_cmpuint (shown->selection.highlight.ordinal, ==, 1);
  g_assert_cmpuint (shown->selection.filters.n_objects, ==, 1);
  g_assert_nonnull (shown->selection.filters.inside);
  regions = lc_inside_get_regions (shown->selection.filters.inside, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (regions[0], ==, 0);
  tags = lc_inside_get_tags (shown->selection.filters.inside, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (tags[0], ==, -5);
  g_assert_cmpint (tags[1], ==, G_MAXINT64);
  g_assert_nonnull (shown->selection.filters.called);
  g_assert_cmpstr (lc_called_get_place (shown->selection.filters.called), ==, "put");
  lc_session_get_span (session, &span);
  g_assert_cmpfloat (span.from, ==, 100.5);
  g_assert_cmpfloat (span.to, ==, 300);
  lc_session_get_selection (session, &selection);
  g_assert_cmpuint (selection.process, ==, 0);
  g_assert_cmpuint (selection.ordinal, ==, 1);
  g_assert_cmpstr (bookmark->note, ==, "Why; so\nlate?");
  g_assert_cmpuint (bookmark->event.process, ==, 1);
  g_assert_cmpfloat (bookmark->span.from, ==, 300.25);
  g_assert_cmpuint (lc_session_get_breakpoints (session)->len, ==, 2);
  g_assert_true (lc_session_has_breakpoint (session, 1, 2));
  g_assert_true (lc_session_has_breakpoint (session, 0, 1));
  g_assert_false (lc_session_has_breakpoint (session, 0, 2));
  g_assert_cmpuint (lc_session_get_expressions (session)->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (lc_session_get_expressions (session), 0), ==, "a; b\\n[1]");
}

/* What the version before the table of options kept of all this. */
static const char earlier[] = "[trace]\n"
                              "version=1\n"
                              "[shown]\n"
                              "time=physical\n"
                              "orientation=right\n"
                              "timeline=measured\n"
                              "hide-holding=false\n"
                              "hide-arcs=true\n"
                              "hidden=waiting,moved\n"
                              "colored=true\n"
                              "highlight=2\n"
                              "highlight-process=b\n"
                              "highlight-ordinal=1\n"
                              "processes=c;a;\n"
                              "without-operations=unlock;\n"
                              "objects=mutex m;\n"
                              "object-numbers=0;\n"
                              "inside-regions=mutex m;\n"
                              "inside-tags=-5;9223372036854775807;\n"
                              "called-in=put\n"
                              "least-wait=17\n"
                              "[view]\n"
                              "from=100.5\n"
                              "to=300\n"
                              "first-row=0\n"
                              "last-row=1\n"
                              "process=a\n"
                              "ordinal=1\n"
                              "[bookmark 1]\n"
                              "note=Why; so\\nlate?\n"
                              "time=physical\n"
                              "from=300.25\n"
                              "to=400\n"
                              "first-row=0\n"
                              "last-row=2\n"
                              "process=b\n"
                              "ordinal=2\n"
                              "[breakpoint 1]\n"
                              "process=b\n"
                              "ordinal=2\n"
                              "[breakpoint 2]\n"
                              "process=a\n"
                              "ordinal=1\n"
                              "[debug]\n"
                              "expressions=a\\;\\sb\\\\n[1];\n";

static void
assert_has_entries (GKeyFile *state, GKeyFile *entries)
{
  g_auto (GStrv) groups = g_key_file_get_groups (entries, NULL);

  for (gsize i = 0; groups[i] != NULL; i++)
    {
      g_auto (GStrv) keys = g_key_file_get_keys (entries, groups[i], NULL, NULL);

      for (gsize k = 0; keys[k] != NULL; k++)
        {
          g_autofree char *value = g_key_file_get_value (state, groups[i], keys[k], NULL);
          g_autofree char *wanted = g_key_file_get_value (entries, groups[i], keys[k], NULL);

          g_assert_cmpstr (value, ==, wanted);
        }
    }
}

/* What earlier versions kept is read, and is kept in the same way. */
static void
test_earlier (void)
{
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSession) session = open_session (&trial);
  g_autoptr (GKeyFile) kept = g_key_file_new (), now = NULL;

  g_assert_true (g_key_file_load_from_data (kept, earlier, (gsize)-1, G_KEY_FILE_NONE, NULL));
  lc_state_give (session, kept);
  check (session);
  now = lc_state_take (session);
  assert_has_entries (now, kept);
  assert_has_entries (kept, now);
}

static void
test_file (void)
{
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSession) session = open_session (&trial);
  g_autoptr (LcOpened) opened = lc_opened_ref (lc_session_get_opened (session));
  g_autofree char *first = dup_text (session), *chosen = NULL, *again = NULL, *new = NULL;
  g_autoptr (GKeyFile) state = NULL;
  g_autoptr (GError) error = NULL;

  choose (session);
  check (session);
  chosen = dup_text (session);
  g_assert_cmpstr (chosen, !=, first);
  g_assert_true (lc_state_save (session, &error));
  g_assert_no_error (error);

  lc_session_open (session, NULL);
  lc_session_open (session, opened);
  new = dup_text (session);
  g_assert_cmpstr (new, ==, first);
  state = lc_state_load (session, &error);
  g_assert_no_error (error);
  g_assert_nonnull (state);
  lc_state_give (session, state);
  check (session);
  again = dup_text (session);
  g_assert_cmpstr (again, ==, chosen);
}

/* The same trace in a history that was made again. */
static void
test_carried_over (void)
{
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSession) session = open_session (&trial);
  g_autoptr (LcOpened) opened = NULL;
  LcHistory *history = lc_merge_open (trial->directory, &(LcMergeOptions){.again = TRUE}, NULL);

  g_assert_nonnull (history);
  choose (session);
  opened = lc_opened_new (history, trial->directory, FALSE);
  lc_session_open (session, opened);
  check (session);
  g_assert_false (lc_session_step_back (session));
}

static void
test_what_cannot_be_used (void)
{
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSession) session = open_session (&trial);
  g_autofree char *path = lc_state_dup_path (trial->directory), *text = NULL, *before = dup_text (session);
  g_autofree char *after = NULL;
  g_autoptr (GKeyFile) odd = g_key_file_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (lc_state_load (session, &error));
  g_assert_no_error (error);
  g_assert_true (lc_state_save (session, NULL));

  /* Another recording at the same place. */
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_key_file_load_from_data (odd, text, (gsize)-1, G_KEY_FILE_NONE, NULL));
  g_key_file_set_string (odd, "trace", "identity", "another");
  g_assert_true (g_key_file_save_to_file (odd, path, NULL));
  g_assert_null (lc_state_load (session, &error));
  g_assert_no_error (error);

  g_assert_true (g_file_set_contents (path, "\377 nonsense", -1, NULL));
  g_assert_null (lc_state_load (session, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, path));

  /* Numbers and names that fit nothing change nothing. */
  g_key_file_set_string (odd, "shown", "processes", "nobody;");
  g_key_file_set_string (odd, "shown", "row-ends", "7;3;");
  g_key_file_set_string (odd, "shown", "time", "never");
  g_key_file_set_string (odd, "shown", "timeline", "nothing");
  g_key_file_set_string (odd, "shown", "highlight", "-5");
  g_key_file_set_string (odd, "shown", "objects", "mutex nothing;");
  g_key_file_set_string (odd, "view", "process", "nobody");
  lc_state_give (session, odd);
  after = dup_text (session);
  g_assert_cmpstr (after, ==, before);

  g_assert_true (lc_state_forget (trial->directory, NULL));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (lc_state_forget (trial->directory, NULL));
}

int
main (int argc, char **argv)
{
  static const char *const kinds[] = {"XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"};
  g_autofree char *folder = g_dir_make_tmp ("lightcone-state-XXXXXX", NULL);
  int status;

  /* Nothing of the user's. */
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_setenv (kinds[i], folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/state/file", test_file);
  g_test_add_func ("/state/earlier", test_earlier);
  g_test_add_func ("/state/carried-over", test_carried_over);
  g_test_add_func ("/state/what-cannot-be-used", test_what_cannot_be_used);
  status = g_test_run ();
  case_remove_folder (folder);
  return status;
}
