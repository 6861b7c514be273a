/* SPDX-License-Identifier: Apache-2.0 */
/* Every option of views is read, said, kept, told of and left out by its row in the table: a row that lacks one of
 * these fails here, and one without an example, too. */
#include "../analysis/case.h"
#include "draw/options/view-options.h"
#include "draw/picture-private.h"
#include "lightcone/approximate.h"

static const char *const trace[] = {
    "main",
    "0 0 enter solve\n10 20 lock m 1\n25 25 unlock m 1\n30 30 leave solve\n40 40 tag value=7\n50 60 lock n 1\n",
    "worker-1",
    "5 40 lock m 2 at=put@pipe.cpp:7\n45 45 unlock m 2\n60 60 tag value=7\n70 95 tag value=8\n",
    "worker-2",
    "0 10 tag value=1\n20 30 tag value=2\n",
    NULL};

/* The words for each option, and what need not be done with it. */
static const struct
{
  const char *option;
  const char *word; /* NULL: a flag */
  gboolean is_not_kept;
  gboolean is_not_told; /* the picture shows it */
  const char *view;     /* NULL: the first one that has the option */
} examples[] = {
    {"processes", "2,0"},
    {"time", "logical"},
    {"timeline", "event"},
    {"bounds", "optimistic,pessimistic"},
    {"from", "20", .is_not_kept = TRUE}, /* what is in view is kept with the rows in view */
    {"to", "90", .is_not_kept = TRUE},
    {"operations", "lock,tag"},
    {"objects", "m"},
    {"within", "solve"},
    {"tag", "7"},
    {"called-in", "put"},
    {"longer-than", "5"},
    {"slack", "1us"},
    {"collapse", "all"},
    {"no-arcs", NULL},
    {"no-holding", NULL},
    {"hide", "waiting,order-arcs"},
    {"highlight", "past:1:1"},
    {"marks", "early", .is_not_told = TRUE},
    {"colour", "site"},
    {"orientation", "right", .is_not_told = TRUE},
    {"style", "moviola", .is_not_kept = TRUE, .is_not_told = TRUE}, /* of all histories */
    {"phases", "tag"},
    {"intervals", "7", .is_not_kept = TRUE, .is_not_told = TRUE}, /* of a single plot, as those below are */
    {"measure", "bytes", .is_not_kept = TRUE, .is_not_told = TRUE, .view = "matrix"},
    {"actual", "80", .is_not_kept = TRUE},
    {"by", "waiter", .is_not_kept = TRUE, .is_not_told = TRUE},
    {"frame", "main", .is_not_kept = TRUE, .is_not_told = TRUE},
    {"layout", "grid", .is_not_kept = TRUE, .is_not_told = TRUE},
    {"size", "700x500", .is_not_kept = TRUE, .is_not_told = TRUE},
    {"theme", "dark", .is_not_kept = TRUE, .is_not_told = TRUE},
    {"title", "It's “so”", .is_not_kept = TRUE, .is_not_told = TRUE},
};

/* --- The history -------------------------------------------------------------------------------------------------- */

static gboolean
mark_two (LcMarks *marks, gpointer unused, GError **error)
{
  return lc_marks_add (marks, &(LcUserMark){.name = "early"}, error) &&
         lc_marks_add (marks, &(LcUserMark){.name = "late", .process = 1, .begin = 2, .end = 2}, error);
}

static Case *
make_history (void)
{
  static const LcModel models[] = {LC_MODEL_EVENT, LC_MODEL_OPTIMISTIC, LC_MODEL_PESSIMISTIC};
  Case *trial = case_new (trace, NULL);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      lc_approximation_free (lc_approximate (trial->directory, &(LcApproximateOptions){.model = models[i]}, &error));
      g_assert_no_error (error);
    }
  lc_marks_change (lc_history_get_path (trial->history), mark_two, NULL, &error);
  g_assert_no_error (error);
  return trial;
}

/* --- Values ------------------------------------------------------------------------------------------------------- */

static void
start (LcOptionValues *values, Case *trial, const char *view)
{
  lc_option_values_init (values, "export");
  values->history = trial->history;
  values->options.view = view;
  values->options.directory = trial->directory;
}

/* Reads words that follow each other as on a command line. */
static void
read_words (LcOptionValues *values, const char *const *words)
{
  gsize n_options;
  const LcViewOption *options = lc_view_options_get (&n_options);
  g_autofree GStrv *given = g_new0 (GStrv, n_options);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; words[i] != NULL; i++)
    for (gsize k = 0; k < n_options; k++)
      if (g_str_has_prefix (words[i], "--") && g_strcmp0 (words[i] + 2, options[k].option) == 0)
        given[k] =
            options[k].argument == NULL ? g_new0 (char *, 1) : g_strdupv ((char *[]){(char *)words[i + 1], NULL});
  lc_view_options_read (values, (char *const *const *)given, FALSE, &error);
  g_assert_no_error (error);
  lc_view_options_read (values, (char *const *const *)given, TRUE, &error);
  g_assert_no_error (error);
  for (gsize k = 0; k < n_options; k++)
    g_strfreev (given[k]);
}

static void
assert_equal (const LcOptionValues *a, const LcOptionValues *b)
{
  g_assert_cmphex (lc_view_options_compare (&a->options, &b->options, a->history), ==, 0);
}

static char **
dup_arguments (const LcOptionValues *values)
{
  gboolean unsaid = TRUE;
  g_autoptr (GError) error = NULL;
  char **words = lc_picture_dup_arguments (values->history, &values->options, &unsaid, NULL, &error);

  g_assert_no_error (error);
  g_assert_false (unsaid);
  return words;
}

static void
check_arguments (const LcOptionValues *values, Case *trial)
{
  g_auto (LcOptionValues) again;
  g_auto (GStrv) words = dup_arguments (values);

  start (&again, trial, values->options.view);
  read_words (&again, (const char *const *)words);
  assert_equal (&again, values);
}

/* The words are compared: an operation without a name is chosen or not, which nothing shows. */
static void
check_kept (const LcOptionValues *values, Case *trial)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  const LcOptionState state = {trial->history, file, "shown"};
  g_auto (LcOptionValues) again;
  g_auto (GStrv) words = dup_arguments (values), now = NULL;

  lc_view_options_save (&values->options, &state);
  start (&again, trial, values->options.view);
  lc_view_options_load (&again, &state);
  again.options.marks = values->options.marks; /* that are beside the history */
  now = dup_arguments (&again);
  g_assert_true (g_strv_equal ((const char *const *)words, (const char *const *)now));
}

static char *
dup_line (const LcOptionValues *values)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcPicture) picture = lc_picture_new (values->history, &values->options, NULL, &error);
  const LcOptionTelling telling = {.most = 1};
  g_autoptr (GPtrArray) texts = g_ptr_array_new_null_terminated (0, g_free, TRUE);

  g_assert_no_error (error);
  g_ptr_array_add (texts, g_strdup (picture->shown));
  lc_view_options_list_texts (&values->options, LC_OPTION_HIDDEN, &telling, texts);
  return g_strjoinv (" ", (char **)texts->pdata);
}

static void
check_told (const LcOptionValues *values, const LcOptionValues *usual)
{
  g_autofree char *line = dup_line (values), *without = dup_line (usual);

  g_assert_cmpstr (line, !=, without);
}

/* After a view that ignores the option, no other one has it any more. */
static void
check_left_out (const LcViewOption *option, LcOptionValues *values)
{
  g_autofree char *dashed = g_strconcat ("--", option->option, NULL);
  gsize n_views;
  const LcViewInfo *views = lc_views_get (&n_views);

  for (gsize i = 0; i < n_views; i++)
    if (!lc_view_option_is_used (option, views[i].traits) && !option->is_shared)
      {
        g_auto (GStrv) before = dup_arguments (values), after = NULL;
        LcPictureOptions options = values->options;

        lc_view_options_leave_out (&values->options, views[i].traits);
        after = dup_arguments (values);
        values->options = options;
        g_assert_true (g_strv_contains ((const char *const *)before, dashed));
        g_assert_false (g_strv_contains ((const char *const *)after, dashed));
        return;
      }
}

/* --- Rows --------------------------------------------------------------------------------------------------------- */

static const char *
find_view (const LcViewOption *option)
{
  gsize n_views;
  const LcViewInfo *views = lc_views_get (&n_views);

  for (gsize i = 0; i < n_views; i++)
    if (lc_view_option_is_used (option, views[i].traits))
      return views[i].name;
  g_error ("no view has --%s", option->option);
}

static void
check_option (const LcViewOption *option, Case *trial)
{
  g_autofree char *dashed = g_strconcat ("--", option->option, NULL);
  g_auto (LcOptionValues) usual;
  g_auto (LcOptionValues) values;
  const char *view;
  gsize i = 0;

  while (i < G_N_ELEMENTS (examples) && g_strcmp0 (examples[i].option, option->option) != 0)
    i++;
  if (i == G_N_ELEMENTS (examples))
    g_error ("--%s has no example in this test", option->option);
  view = examples[i].view != NULL ? examples[i].view : find_view (option);
  g_test_message ("--%s, view %s", option->option, view);
  start (&usual, trial, view);
  start (&values, trial, view);
  read_words (&values, (const char *const[]){dashed, examples[i].word, NULL});
  g_assert_nonnull (option->help);
  g_assert_cmphex (lc_view_options_compare (&usual.options, &values.options, trial->history), ==, 1u << option->part);
  check_arguments (&values, trial);
  if (!examples[i].is_not_kept)
    check_kept (&values, trial);
  if (!examples[i].is_not_told)
    check_told (&values, &usual);
  check_left_out (option, &values);
}

static void
test_rows (void)
{
  g_autoptr (Case) trial = make_history ();
  gsize n_options;
  const LcViewOption *options = lc_view_options_get (&n_options);

  for (gsize i = 0; i < n_options; i++)
    check_option (&options[i], trial);
  g_assert_cmpuint (n_options, ==, G_N_ELEMENTS (examples));
}

/* All together: what is kept of one is not taken for what is kept of another. */
static void
test_together (void)
{
  static const char *const words[] = {
      "--processes", "2,0",       "--time",    "phase",         "--phases", "tag",           "--operations",
      "lock,tag",    "--objects", "m",         "--longer-than", "5",        "--slack",       "1us",
      "--collapse",  "all",       "--no-arcs", "--no-holding",  "--hide",   "waiting",       "--highlight",
      "past:1:1",    "--marks",   "late",      "--colour",      "site",     "--orientation", "right",
      NULL};
  g_autoptr (Case) trial = make_history ();
  g_auto (LcOptionValues) values;

  start (&values, trial, "space-time");
  read_words (&values, words);
  check_arguments (&values, trial);
  check_kept (&values, trial);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view-options/rows", test_rows);
  g_test_add_func ("/view-options/together", test_together);
  return g_test_run ();
}
