/* SPDX-License-Identifier: Apache-2.0 */
/* The list of processes: its order, its groups, and what of it is shown. */

#include "app/processes/process-model.h"
#include "../analysis/case.h"

static const struct
{
  const char *name;
  guint64 begin;
} processes[] = {{"worker-10", 30}, {"worker-2", 10}, {"main", 0}, {"worker-1", 20}};

static void
write_process (const char *folder, guint number)
{
  g_autofree char *name = g_strdup_printf ("%u.events", number), *path = g_build_filename (folder, name, NULL);
  g_autofree char *text =
      g_strdup_printf ("%%lightcone-events 1\n%%process %s\n%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " tag value=1\n",
                       processes[number].name, processes[number].begin, processes[number].begin + 5);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* The four processes, freshly merged. */
static LcOpened *
open_history (void)
{
  g_autofree char *folder = g_dir_make_tmp ("processes-XXXXXX.trace", NULL);
  g_autoptr (GError) error = NULL;
  LcMergeOptions options = {0};
  LcHistory *history;

  for (guint i = 0; i < G_N_ELEMENTS (processes); i++)
    write_process (folder, i);
  history = lc_merge_open (folder, &options, &error);
  g_assert_no_error (error);
  return lc_opened_new (history, folder, FALSE);
}

static LcProcessModel *
make_model (LcOpened *opened)
{
  LcProcessModel *model = lc_process_model_new ();

  case_remove_folder (opened->directory); /* the history is open */
  lc_process_model_set_history (model, opened->history);
  return model;
}

/* What is listed: "[group]", "name", "-name" if it is hidden. */
static char *
list (LcProcessModel *model)
{
  GString *string = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (model)); i++)
    {
      g_autoptr (LcProcessItem) item = g_list_model_get_item (G_LIST_MODEL (model), i);
      gboolean heading = lc_process_item_is_heading (item);

      g_string_append_printf (string, "%s%s%s%s%s", i > 0 ? " " : "", item->n_shown == 0 ? "-" : "", heading ? "[" : "",
                              item->name, heading ? "]" : "");
    }
  return g_string_free (string, FALSE);
}

/* What the diagram shows: rows of numbers, separated by blanks. */
static char *
show (LcProcessModel *model, LcOpened *opened)
{
  g_autoptr (LcShown) shown = lc_shown_new (opened);
  GString *string = g_string_new (NULL);

  lc_process_model_fill (model, shown);
  for (guint32 row = 0; row < lc_shown_get_n_rows (shown); row++)
    {
      guint32 n;
      const guint32 *of_row = lc_shown_get_row (shown, row, &n);

      for (guint32 i = 0; i < n; i++)
        g_string_append_printf (string, "%s%u", i > 0 ? "+" : row > 0 ? " " : "", of_row[i]);
    }
  return g_string_free (string, FALSE);
}

#define assert_listed(model, expected) \
  G_STMT_START \
  { \
    g_autofree char *listed_now = list (model); \
    g_assert_cmpstr (listed_now, ==, expected); \
  } \
  G_STMT_END

#define assert_shown(model, opened, expected) \
  G_STMT_START \
  { \
    g_autofree char *shown_now = show (model, opened); \
    g_assert_cmpstr (shown_now, ==, expected); \
  } \
  G_STMT_END

static GPtrArray *
get_item (LcProcessModel *model, guint place)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (items, g_list_model_get_item (G_LIST_MODEL (model), place));
  return items;
}

static void
test_sort (void)
{
  g_autoptr (LcOpened) opened = open_history ();
  g_autoptr (LcProcessModel) model = make_model (opened);
  LcWaitingStatistics waits[] = {{.process = 0, .span = 10, .waiting = 1},
                                 {.process = 1, .span = 10, .waiting = 9},
                                 {.process = 2, .span = 100, .waiting = 50},
                                 {.process = 3, .span = 0, .waiting = 0}};
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof *waits);

  assert_listed (model, "worker-10 worker-2 main worker-1");
  lc_process_model_sort (model, LC_PROCESS_SORT_NAME, FALSE);
  assert_listed (model, "main worker-1 worker-2 worker-10");
  assert_shown (model, opened, "2 3 1 0");
  lc_process_model_sort (model, LC_PROCESS_SORT_NAME, TRUE);
  assert_listed (model, "worker-10 worker-2 worker-1 main");
  lc_process_model_sort (model, LC_PROCESS_SORT_BEGIN, FALSE);
  assert_listed (model, "main worker-2 worker-1 worker-10");
  lc_process_model_sort (model, LC_PROCESS_SORT_WAITING, TRUE);
  g_array_append_vals (waiting, waits, G_N_ELEMENTS (waits));
  lc_process_model_set_waiting (model, waiting);
  assert_listed (model, "worker-2 main worker-10 worker-1");
}

static void
test_groups (void)
{
  g_autoptr (LcOpened) opened = open_history ();
  g_autoptr (LcProcessModel) model = make_model (opened);
  g_autoptr (GPtrArray) heading = NULL;
  g_autoptr (LcShown) shown = lc_shown_new (opened);

  lc_process_model_sort (model, LC_PROCESS_SORT_NAME, FALSE);
  lc_process_model_group (model, LC_PROCESS_GROUPING_PREFIX);
  assert_listed (model, "[worker (3)] worker-1 worker-2 worker-10 [main] main");
  assert_shown (model, opened, "3 1 0 2");
  heading = get_item (model, 0);
  lc_process_model_set_collapsed (model, g_ptr_array_index (heading, 0), TRUE);
  assert_listed (model, "[worker (3)] [main] main");
  assert_shown (model, opened, "3+1+0 2");
  lc_process_model_set_text (model, "-1"); /* what is looked for is found within groups that are collapsed */
  assert_listed (model, "[worker (3)] worker-1 worker-10");
  lc_process_model_set_text (model, "");
  g_assert_true (lc_process_model_move (model, heading, 1));
  assert_shown (model, opened, "2 3+1+0");
  g_assert_false (lc_process_model_move (model, heading, 1));
  lc_process_model_set_ticked (model, heading, FALSE);
  assert_shown (model, opened, "2");
  lc_process_model_follow (model, shown); /* a step back: all, in their own order, each in its row */
  g_assert_false (((LcProcessItem *)g_ptr_array_index (heading, 0))->collapsed);
  g_assert_cmpuint (lc_process_model_get_n_shown (model), ==, 4);
}

static void
test_ticks (void)
{
  g_autoptr (LcOpened) opened = open_history ();
  g_autoptr (LcProcessModel) model = make_model (opened);
  g_autoptr (GPtrArray) second = get_item (model, 1), third = get_item (model, 2);

  lc_process_model_set_ticked (model, second, FALSE);
  assert_listed (model, "worker-10 -worker-2 main worker-1");
  assert_shown (model, opened, "0 2 3");
  lc_process_model_solo (model, third);
  assert_shown (model, opened, "2");
  lc_process_model_solo (model, third);
  assert_shown (model, opened, "0 2 3");
  lc_process_model_invert (model);
  assert_shown (model, opened, "1");
  lc_process_model_tick_all (model, FALSE);
  assert_shown (model, opened, "");
  lc_process_model_set_text (model, "WORKER-1");
  assert_listed (model, "-worker-10 -worker-1");
  g_assert_true (lc_process_model_tick_found (model));
  assert_shown (model, opened, "0 3");
  lc_process_model_set_text (model, "nobody");
  g_assert_false (lc_process_model_tick_found (model));
  assert_shown (model, opened, "0 3");
}

static void
test_places (void)
{
  g_autoptr (LcOpened) opened = open_history ();
  g_autoptr (LcProcessModel) model = make_model (opened);
  g_autoptr (GPtrArray) first = get_item (model, 0), last = get_item (model, 3);
  g_autoptr (LcShown) shown = lc_shown_new (opened);

  g_assert_true (lc_process_model_move (model, first, 1));
  assert_shown (model, opened, "1 0 2 3");
  g_assert_false (lc_process_model_move (model, last, 1));
  lc_process_model_move_to (model, last, g_ptr_array_index (first, 0), FALSE);
  assert_shown (model, opened, "1 3 0 2");
  g_assert_cmpint (lc_process_model_get_sort (model), ==, LC_PROCESS_SORT_OWN);

  /* What others put in another order is followed; what is hidden stays behind what it was behind. */
  lc_process_model_set_ticked (model, last, FALSE);
  lc_shown_set_processes (shown, (const guint32[]){2, 0, 1}, 3);
  lc_process_model_follow (model, shown);
  assert_listed (model, "main worker-10 worker-2 -worker-1");
  assert_shown (model, opened, "2 0 1");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/process-model/sort", test_sort);
  g_test_add_func ("/app/process-model/groups", test_groups);
  g_test_add_func ("/app/process-model/ticks", test_ticks);
  g_test_add_func ("/app/process-model/places", test_places);
  return g_test_run ();
}
