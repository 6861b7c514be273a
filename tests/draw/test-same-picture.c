/* SPDX-License-Identifier: Apache-2.0 */
/* The command that lc_picture_dup_arguments tells makes the same bytes; and from places on plots back to processes. */
#include <locale.h>

#include "../analysis/case.h"
#include "lightcone/picture.h"

/* Two that wait for each other's barrier; names that a list of words cannot hold as they are. */
static const char *const two[] = {"a",
                                  "0 10 tag value=1\n100 310 barrier end 0\n320 330 lock m 0\n340 350 unlock m 0\n"
                                  "400 450 tag value=2\n500 600 barrier end 1\n",
                                  "b",
                                  "0 10 tag value=1\n300 310 barrier end 0\n315 360 lock m 1\n370 380 unlock m 1\n"
                                  "400 450 tag value=2\n590 600 barrier end 1\n",
                                  NULL};

/* The same, on processors. */
static const char *const placed[] = {
    "a",
    "0 10 tag value=1 cpu=0\n100 310 barrier end 0 cpu=0\n320 330 lock m 0 cpu=1\n"
    "340 350 unlock m 0 cpu=1\n400 450 tag value=2 cpu=1\n500 600 barrier end 1 cpu=1\n",
    "b",
    "0 10 tag value=1 cpu=1\n300 310 barrier end 0 cpu=1\n315 360 lock m 1 cpu=0\n"
    "370 380 unlock m 1 cpu=0\n400 450 tag value=2 cpu=0\n590 600 barrier end 1 cpu=0\n",
    NULL};

/* --- Commands ---------------------------------------------------------------------------------------------------- */

static GBytes *
run_command (const char *directory, char **arguments, const char *kind, const char *scale)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_auto (GStrv) command = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) program = NULL;
  GBytes *output = NULL;

  g_strv_builder_add_many (words, g_getenv ("LIGHTCONE"), "export", directory, "-o", "-", "--format", kind, NULL);
  g_strv_builder_addv (words, (const char **)arguments);
  if (scale != NULL)
    g_strv_builder_add_many (words, "--scale", scale, NULL);
  command = g_strv_builder_end (words);
  program = g_subprocess_newv ((const char *const *)command, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate (program, NULL, NULL, &output, NULL, &error));
  g_assert_true (g_subprocess_get_successful (program));
  return output;
}

static void
assert_same (Case *trial, const LcPictureOptions *options)
{
  static const char *const kinds[] = {"png", "svg", "pdf"};
  g_autoptr (GError) error = NULL;
  gboolean unsaid = TRUE;
  g_auto (GStrv) arguments = lc_picture_dup_arguments (trial->history, options, &unsaid, NULL, &error);

  g_assert_no_error (error);
  g_assert_false (unsaid);
  for (LcFileKind kind = LC_FILE_PNG; kind <= LC_FILE_PDF; kind++)
    {
      g_autoptr (LcPicture) picture = lc_picture_new (trial->history, options, NULL, &error);
      double scale = kind == LC_FILE_PNG ? 1.5 : 1;
      g_autoptr (GBytes) ours = NULL;
      g_autoptr (GBytes) theirs = NULL;

      g_assert_no_error (error);
      ours = lc_picture_encode (picture, kind, scale, &error);
      g_assert_no_error (error);
      theirs = run_command (trial->directory, arguments, kinds[kind], kind == LC_FILE_PNG ? "1.5" : NULL);
      g_assert_cmpmem (g_bytes_get_data (ours, NULL), g_bytes_get_size (ours), g_bytes_get_data (theirs, NULL),
                       g_bytes_get_size (theirs));
    }
}

static void
test_views (void)
{
  g_autoptr (Case) trial = case_new (two, NULL);
  static const char *const views[] = {"space-time",          "parallelism", "parallelism-histogram",
                                      "parallelism-average", "waiting",     "matrix",
                                      "waiting-history",     "objects",     "phases",
                                      "communication",       "phase-map",   "slack"};

  for (gsize i = 0; i < G_N_ELEMENTS (views); i++)
    {
      const guint32 processes[] = {1, 0}, timelines[] = {LC_TIMELINE_MEASURED};
      LcPictureOptions options;

      lc_picture_options_init (&options);
      options.view = views[i];
      options.directory = trial->directory;
      options.timelines = timelines;
      options.n_timelines = 1;
      options.selection.processes = processes;
      options.selection.n_processes = 2;
      options.from = 100;
      options.to = 400;
      options.orientation = LC_ORIENTATION_RIGHT;
      options.selection.highlight.kind = LC_HIGHLIGHT_CRITICAL_PATH;
      options.theme = LC_THEME_PRINT;
      options.title = "It's “so”, $HOME";
      options.width = 700;
      options.height = 500;
      assert_same (trial, &options);
      options.orientation = LC_ORIENTATION_DOWN;
      assert_same (trial, &options);
    }
}

static void
test_axes (void)
{
  g_autoptr (Case) trial = case_new (two, NULL);
  const guint32 objects[] = {1};
  LcPictureOptions options;

  lc_picture_options_init (&options);
  options.selection.time = LC_SCENE_LOGICAL;
  options.from = 2;
  options.to = 5;
  options.theme = LC_THEME_DARK;
  assert_same (trial, &options);
  options.selection.highlight = (LcHighlight){.kind = LC_HIGHLIGHT_PAST, .process = 1, .ordinal = 2};
  assert_same (trial, &options);
  options.selection.highlight.kind = LC_HIGHLIGHT_NONE;
  options.style = LC_DIAGRAM_BOXES;
  options.selection.filters.objects = objects;
  options.selection.filters.n_objects = 1;
  options.title = "";
  assert_same (trial, &options);
  options.selection.filters.objects = NULL;
  options.selection.time = LC_SCENE_PHASE;
  options.phases = "tag";
  options.from = options.to = 0;
  assert_same (trial, &options);
}

static void
test_rows_and_filters (void)
{
  g_autoptr (Case) trial = case_new (two, NULL);
  const guint32 processes[] = {0, 1}, row_ends[] = {2};
  LcPictureOptions options;
  g_auto (GStrv) arguments = NULL;
  gboolean unsaid = FALSE;

  lc_picture_options_init (&options);
  options.selection.hide_arcs = options.selection.hide_holding = TRUE;
  options.selection.filters.least_wait = 20;
  assert_same (trial, &options);
  options.selection.processes = processes;
  options.selection.n_processes = 2;
  options.selection.row_ends = row_ends;
  options.selection.n_row_ends = 1;
  assert_same (trial, &options);
  options.selection.row_names = (const char *const[]){"both of them"};
  arguments = lc_picture_dup_arguments (trial->history, &options, &unsaid, NULL, NULL);
  g_assert_nonnull (arguments);
  g_assert_true (unsaid);
}

static void
test_phases (void)
{
  g_autoptr (Case) trial = case_new (two, NULL);
  g_autoptr (LcPhases) phases = lc_phases_find (trial->history, LC_TIMELINE_MEASURED, "tag", NULL, NULL);
  LcPictureOptions options;
  g_auto (GStrv) arguments = NULL;
  gboolean unsaid = FALSE;

  lc_picture_options_init (&options);
  options.selection.time = LC_SCENE_PHASE;
  options.phases = "tag";
  options.from = lc_phases_get (phases, 2)->position;
  options.to = lc_phases_get_n_positions (phases);
  assert_same (trial, &options);
  options.from++; /* within a phase */
  arguments = lc_picture_dup_arguments (trial->history, &options, &unsaid, NULL, NULL);
  g_assert_nonnull (arguments);
  g_assert_true (unsaid);
}

static void
test_unsaid (void)
{
  g_autoptr (Case) trial = case_new (two, NULL);
  LcPictureOptions options;
  g_auto (GStrv) arguments = NULL;
  gboolean unsaid = FALSE;

  lc_picture_options_init (&options);
  options.selection.filters.objects = (const guint32[]){0};
  arguments = lc_picture_dup_arguments (trial->history, &options, &unsaid, NULL, NULL);
  g_assert_nonnull (arguments);
  g_assert_true (unsaid); /* no object at all cannot be said */
}

/* --- Places ------------------------------------------------------------------------------------------------------ */

static LcPicture *
paint_turned (Case *trial, const char *view, const char *measure, LcOrientation orientation)
{
  LcPictureOptions options;
  g_autoptr (GError) error = NULL;
  LcPicture *picture;
  g_autoptr (GBytes) bytes = NULL;

  lc_picture_options_init (&options);
  options.view = view;
  options.measure = measure;
  options.orientation = orientation;
  picture = lc_picture_new (trial->history, &options, NULL, &error);
  g_assert_no_error (error);
  bytes = lc_picture_encode (picture, LC_FILE_SVG, 1, &error);
  g_assert_no_error (error);
  return picture;
}

static LcPicture *
paint (Case *trial, const char *view)
{
  return paint_turned (trial, view, NULL, LC_ORIENTATION_USUAL);
}

/* A place of the plot, by shares of its area. */
static gboolean
find (const LcPicture *picture, double across, double down, LcPictureSpot *spot)
{
  LcRectangle area;

  lc_picture_get_area (picture, &area);
  return lc_picture_find_at (picture, (LcPlace){area.x + across * area.width, area.y + down * area.height}, spot);
}

static void
test_rows (void)
{
  g_autoptr (Case) trial = case_new (two, NULL);
  static const char *const views[] = {"waiting", "communication", "waiting-history"};
  LcPictureSpot spot;

  for (gsize i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autoptr (LcPicture) picture = paint (trial, views[i]);

      g_assert_true (find (picture, 0.5, 0.25, &spot));
      g_assert_cmpuint (spot.process, ==, 0);
      g_assert_true (find (picture, 0.5, 0.75, &spot));
      g_assert_cmpuint (spot.process, ==, 1);
      g_assert_false (find (picture, 0.5, 1.2, &spot));
      g_assert_false (find (picture, 1.2, 0.5, &spot));
    }
}

/* a waits for 200 ns at the first barrier, its second event; b for 45 ns for the lock, its third one. */
static void
test_longest (void)
{
  g_autoptr (Case) trial = case_new (two, NULL);
  g_autoptr (LcPicture) bars = paint (trial, "waiting"), history = paint (trial, "waiting-history");
  LcPictureSpot spot;

  g_assert_true (find (bars, 0.1, 0.25, &spot));
  g_assert_cmpuint (spot.ordinal, ==, 1);
  g_assert_true (find (bars, 0.1, 0.75, &spot));
  g_assert_cmpuint (spot.ordinal, ==, 2);
  g_assert_true (find (history, 200 / 600.0, 0.25, &spot));
  g_assert_cmpuint (spot.ordinal, ==, 1);
  g_assert_true (find (history, 60 / 600.0, 0.25, &spot));
  g_assert_cmpuint (spot.ordinal, ==, LC_PICTURE_NO_EVENT);
  g_assert_true (spot.has_time);
  g_assert_cmpfloat_with_epsilon ((double)spot.time, 60, 2);
}

static void
test_time (void)
{
  g_autoptr (Case) trial = case_new (two, NULL);
  g_autoptr (LcPicture) curve = paint (trial, "parallelism"), bars = paint (trial, "waiting");
  LcPictureSpot spot;
  guint64 from, to;

  g_assert_true (lc_picture_get_time (curve, &from, &to));
  g_assert_cmpuint (from, ==, 0);
  g_assert_cmpuint (to, ==, 600);
  g_assert_true (find (curve, 0.5, 0.5, &spot));
  g_assert_cmpuint (spot.process, ==, LC_TRACE_NONE);
  g_assert_cmpfloat_with_epsilon ((double)spot.time, 300, 2);
  g_assert_false (lc_picture_get_time (bars, &from, &to)); /* its axis is how long, not when */
}

static char *
dup_text (LcPicture *picture, double across, double down)
{
  LcRectangle area;

  lc_picture_get_area (picture, &area);
  return lc_picture_dup_text_at (picture, (LcPlace){area.x + across * area.width, area.y + down * area.height}, 0);
}

/* Where time goes down, the same is to be found with time and value exchanged. */
static void
test_turned (void)
{
  static const struct
  {
    const char *view, *measure;
    gboolean from_below; /* values grow from the bottom to the top, where time goes to the right */
  } views[] = {{"parallelism", NULL, TRUE}, {"parallelism-average", NULL, TRUE}, {"waiting-history", NULL, FALSE},
               {"slack", NULL, FALSE},      {"processors", "processes", FALSE},  {"processors", "cpus", FALSE}};
  g_autoptr (Case) trial = case_new (placed, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autoptr (LcPicture) level = paint_turned (trial, views[i].view, views[i].measure, LC_ORIENTATION_RIGHT);
      g_autoptr (LcPicture) turned = paint_turned (trial, views[i].view, views[i].measure, LC_ORIENTATION_DOWN);
      guint n_texts = 0;

      g_assert_false (lc_picture_is_turned (level));
      g_assert_true (lc_picture_is_turned (turned));
      for (double time = 0.0371; time < 1; time += 0.1)
        for (double value = 0.11; value < 1; value += 0.2)
          {
            double down = views[i].from_below ? 1 - value : value;
            g_autofree char *text = dup_text (level, time, down), *same = dup_text (turned, value, time);
            LcPictureSpot spot = {.ordinal = 0}, other = {.ordinal = 0};

            g_assert_true (find (level, time, down, &spot) && find (turned, value, time, &other));
            g_assert_cmpstr (text, ==, same);
            g_assert_cmpuint (spot.process, ==, other.process);
            g_assert_cmpuint (spot.ordinal, ==, other.ordinal);
            g_assert_cmpfloat_with_epsilon ((double)spot.time, (double)other.time, 1);
            n_texts += text != NULL;
          }
      g_assert_cmpuint (n_texts, >, 5);
      g_assert_false (find (turned, 1.2, 0.5, &(LcPictureSpot){.ordinal = 0}));
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, ""); /* as all programs do: numbers are written in it */
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/same-picture/views", test_views);
  g_test_add_func ("/same-picture/axes", test_axes);
  g_test_add_func ("/same-picture/rows-and-filters", test_rows_and_filters);
  g_test_add_func ("/same-picture/phases", test_phases);
  g_test_add_func ("/same-picture/unsaid", test_unsaid);
  g_test_add_func ("/place/rows", test_rows);
  g_test_add_func ("/place/longest-waits", test_longest);
  g_test_add_func ("/place/time", test_time);
  g_test_add_func ("/place/turned", test_turned);
  return g_test_run ();
}
