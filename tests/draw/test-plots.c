/* SPDX-License-Identifier: Apache-2.0 */
/* What plots show agrees with the statistics; and there is something to see, or a reason why not, of any history. */
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../analysis/case.h"
#include "draw/views/contours.h"
#include "draw/picture-private.h"
#include "lightcone/profile.h"
#include "lightcone/slack.h"
#include "lightcone/statistics.h"
#include "trace/quantities.h"

/* --- Pictures ---------------------------------------------------------------------------------------------------- */

/* A painted one, pixel by pixel. */
typedef struct
{
  LcPicture *picture;
  cairo_surface_t *surface;
} Painted;

static Painted
paint (LcHistory *history, LcPictureOptions *options)
{
  g_autoptr (GError) error = NULL;
  Painted painted;
  cairo_t *cairo;
  LcCanvas *canvas;

  painted.picture = lc_picture_new (history, options, NULL, &error);
  g_assert_no_error (error);
  painted.surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int)options->width, (int)options->height);
  cairo = cairo_create (painted.surface);
  canvas = lc_canvas_new_cairo (cairo, options->theme);
  lc_picture_paint (painted.picture, canvas);
  lc_canvas_free (canvas);
  cairo_destroy (cairo);
  cairo_surface_flush (painted.surface);
  return painted;
}

static Painted
paint_view (LcHistory *history, const char *view, const char *measure)
{
  LcPictureOptions options;

  lc_picture_options_init (&options);
  options.view = view;
  options.measure = measure;
  return paint (history, &options);
}

static void
painted_clear (Painted *painted)
{
  lc_picture_free (painted->picture);
  cairo_surface_destroy (painted->surface);
}

static guint32
get_pixel (const Painted *painted, double x, double y)
{
  const guchar *row = cairo_image_surface_get_data (painted->surface) +
                      (gsize)y * (gsize)cairo_image_surface_get_stride (painted->surface);

  return ((const guint32 *)(const void *)row)[(gsize)x] & 0xffffff;
}

static guint32
pack (LcColor color)
{
  return (guint32)lround (color.red * 255) << 16 | (guint32)lround (color.green * 255) << 8 |
         (guint32)lround (color.blue * 255);
}

static guint32
get_panel (void)
{
  return pack (lc_palette_get_color (LC_THEME_LIGHT, LC_INK_PANEL));
}

static LcPlace
place_of (const Painted *painted, double x, double y)
{
  return (LcPlace){lc_frame_get_x (painted->picture->frame, x), lc_frame_get_y (painted->picture->frame, y)};
}

static char *
text_at (const Painted *painted, double x, double y)
{
  return lc_picture_dup_text_at (painted->picture, place_of (painted, x, y), 0);
}

/* Three rounds of an elimination: who has the pivot comes late to the barrier, and the others wait for it. */
static const char *const rounds[] = {
    "a", "0 10 tag value=1\n100 110 barrier rounds 0\n150 310 barrier rounds 1\n350 360 tag value=3\n",
    "b", "0 10 tag value=1\n40 110 barrier rounds 0\n300 310 barrier rounds 1\n350 360 tag value=3\n",
    "c", "20 30 tag value=1\n60 110 barrier rounds 0\n200 310 barrier rounds 1\n320 330 tag value=3\n",
    NULL};

/* --- Parallelism ------------------------------------------------------------------------------------------------- */

/* 0: a b; 20: a b c; 40: a c; 60: a, while b and c wait and are then woken; 110: all; 150: b c; 200: b; 310: all;
 * 330: a b; 360 */
static const LcParallelismInterval degrees[] = {{0, 20, 0, 2, 2},    {20, 40, 0, 3, 3},   {40, 60, 0, 2, 2},
                                                {60, 110, 0, 1, 1},  {110, 150, 0, 3, 3}, {150, 200, 0, 2, 2},
                                                {200, 310, 0, 1, 1}, {310, 330, 0, 3, 3}, {330, 360, 0, 2, 2}};

static void
test_parallelism (void)
{
  g_autoptr (Case) trial = case_new (rounds, NULL);
  Painted painted = paint_view (trial->history, "parallelism", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (degrees); i++)
    {
      double middle = (double)(degrees[i].begin + degrees[i].end) / 2 + 3; /* beside the lines of a grid */
      g_autofree char *text = text_at (&painted, middle, 1);
      g_autofree char *expected = g_strdup_printf (
          degrees[i].lowest == 1 ? "%u process runs from %" G_GUINT64_FORMAT " ns to %" G_GUINT64_FORMAT " ns"
                                 : "%u processes run from %" G_GUINT64_FORMAT " ns to %" G_GUINT64_FORMAT " ns",
          degrees[i].lowest, degrees[i].begin, degrees[i].end);

      g_assert_cmpstr (text, ==, expected);
      for (guint k = 0; k < 3; k++)
        {
          LcPlace place = place_of (&painted, middle, k + 0.6);

          g_assert_true ((get_pixel (&painted, place.x, place.y) != get_panel ()) == (k < degrees[i].lowest));
        }
    }
  painted_clear (&painted);
}

static void
test_histogram (void)
{
  static const double shares[] = {0, 160.0 / 360, 120.0 / 360, 80.0 / 360};
  g_autoptr (Case) trial = case_new (rounds, NULL);
  Painted painted = paint_view (trial->history, "parallelism-histogram", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      LcPlace below = place_of (&painted, i + 0.3, shares[i]), above = below;
      g_autofree char *text = text_at (&painted, i + 0.2, 0.1);
      g_autofree char *share = g_strdup_printf ("(%.1f %%)", 100 * shares[i]);

      g_assert_nonnull (strstr (text, share));
      g_assert_true (shares[i] == 0 || get_pixel (&painted, below.x, below.y + 3) != get_panel ());
      g_assert_cmphex (get_pixel (&painted, above.x, above.y - 3), ==, get_panel ());
    }
  painted_clear (&painted);
}

static void
test_average (void)
{
  static const double averages[] = {170.0 / 90, 200.0 / 90, 110.0 / 90, 160.0 / 90};
  g_autoptr (Case) trial = case_new (rounds, NULL);
  LcPictureOptions options;
  Painted painted;

  lc_picture_options_init (&options);
  options.view = "parallelism-average";
  options.intervals = 4;
  painted = paint (trial->history, &options);
  for (guint i = 0; i < G_N_ELEMENTS (averages); i++)
    {
      LcPlace place = place_of (&painted, 90.0 * i + 47, averages[i]);
      g_autofree char *text = text_at (&painted, 90.0 * i + 47, 1);
      g_autofree char *average = g_strdup_printf ("\n%.2f processes on average", averages[i]);

      g_assert_nonnull (strstr (text, average));
      g_assert_true (get_pixel (&painted, place.x, place.y + 4) != get_panel ());
      g_assert_cmphex (get_pixel (&painted, place.x, place.y - 6), ==, get_panel ());
    }
  painted_clear (&painted);
}

/* --- Who waits -----------------------------------------------------------------------------------------------------
 */

static void
test_waiting_history (void)
{
  static const struct
  {
    double time;
    guint process;
    const char *part;
  } points[] = {{200, 0, "Waits for 150 ns\nFrom 150 ns to 300 ns\nFor rounds"},
                {70, 1, "Waits for 60 ns"},
                {80, 2, "Waits for 40 ns"},
                {250, 2, "Waits for 100 ns"}};
  g_autoptr (Case) trial = case_new (rounds, NULL);
  Painted painted = paint_view (trial->history, "waiting-history", NULL);
  g_autofree char *runs = text_at (&painted, 120, 1.5);
  double y = place_of (&painted, 120, 1.5 - 0.1).y;

  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    {
      g_autofree char *text = text_at (&painted, points[i].time, points[i].process + 0.5);
      LcPlace place = place_of (&painted, points[i].time, points[i].process + 0.48);

      g_assert_nonnull (strstr (text, points[i].part));
      g_assert_true (get_pixel (&painted, place.x, place.y) != get_panel ());
    }
  g_assert_cmpstr (runs, ==, "b");
  g_assert_cmphex (get_pixel (&painted, place_of (&painted, 120, 0).x, y), ==, get_panel ());
  painted_clear (&painted);
}

/* --- Slack ---------------------------------------------------------------------------------------------------------
 */

/* What leads to an event, and the event itself, have its slack. */
static void
test_slack (void)
{
  g_autoptr (Case) trial = case_new (rounds, NULL);
  g_autoptr (LcSlackPass) pass = lc_slack_pass_new (trial->history, LC_TIMELINE_MEASURED, NULL, NULL);
  const guint32 critical = pack (lc_palette_get_color (LC_THEME_LIGHT, LC_INK_CRITICAL));
  Painted painted = paint_view (trial->history, "slack", NULL);
  const LcEventSlack *found;
  guint n_events = 0, n_critical = 0;

  while (lc_slack_pass_next (pass, &found, NULL) && found != NULL)
    {
      const LcHistoryEvent *event = &found->event;
      g_autofree char *slack = lc_format_duration (found->slack), *expected = NULL, *text = NULL;
      LcHistoryEvent before;
      guint64 end;
      LcPlace place;

      g_assert_true (event->ordinal > 0 ? lc_history_get_event (trial->history, LC_TIMELINE_MEASURED, event->process,
                                                                event->ordinal - 1, &before, NULL)
                                        : lc_history_get_process_span (trial->history, LC_TIMELINE_MEASURED,
                                                                       event->process, &before.end, &end, NULL));
      text = text_at (&painted, (double)(before.end + event->end) / 2, event->process + 0.5);
      expected = found->slack == 0
                     ? g_strdup_printf ("\nNo slack: event %" G_GUINT64_FORMAT ", or what", event->ordinal)
                     : g_strdup_printf ("\nSlack: %s, of event %" G_GUINT64_FORMAT " and", slack, event->ordinal);
      g_assert_nonnull (strstr (text, expected));
      place = place_of (&painted, (double)(before.end + event->end) / 2 + 3, event->process + 0.3);
      g_assert_true ((get_pixel (&painted, place.x, place.y) == critical) == (found->slack == 0));
      n_events++;
      n_critical += found->slack == 0;
    }
  g_assert_cmpuint (n_events, ==, 12);
  g_assert_cmpuint (n_critical, >, 0);
  g_assert_cmpuint (n_critical, <, n_events);
  painted_clear (&painted);
}

/* --- Grids ---------------------------------------------------------------------------------------------------------
 */

static void
check_matrix (LcHistory *history)
{
  g_autoptr (GArray) cells = lc_statistics_matrix (history, LC_TIMELINE_MEASURED, 0, 0, NULL, NULL);
  guint32 n = lc_history_get_n_processes (history);
  g_autofree guint64 *arcs = g_new0 (guint64, (gsize)n * n);
  Painted painted;

  if (cells->len == 0)
    return;
  for (guint i = 0; i < cells->len; i++)
    {
      const LcMatrixCell *cell = &g_array_index (cells, LcMatrixCell, i);

      arcs[cell->from_process * n + cell->to_process] = cell->arcs;
    }
  painted = paint_view (history, "matrix", NULL);
  for (guint i = 0; i < n * n; i++)
    {
      g_autofree char *text = text_at (&painted, i % n + 0.5, i / n + 0.5);
      g_autofree char *expected = g_strdup_printf ("\nArcs: %" G_GUINT64_FORMAT "\n", arcs[i]);
      LcPlace place = place_of (&painted, i % n + 0.9, i / n + 0.9);

      g_assert_nonnull (strstr (text, expected));
      g_assert_true ((get_pixel (&painted, place.x, place.y) != get_panel ()) == (arcs[i] > 0));
    }
  painted_clear (&painted);
}

/* Each use is where its object's row is, and rows are sorted by their sums. */
static void
check_objects (LcHistory *history)
{
  g_autoptr (GArray) uses = lc_statistics_object_uses (history, LC_TIMELINE_MEASURED, 0, 0, NULL, NULL);
  guint32 n = lc_history_get_n_processes (history);
  guint64 events = 0, found = 0, last = G_MAXUINT64;
  Painted painted;

  for (guint i = 0; i < uses->len; i++)
    events += g_array_index (uses, LcObjectUse, i).events;
  if (events == 0)
    return;
  painted = paint_view (history, "objects", NULL);
  for (guint row = 0; last > 0; row++)
    {
      guint64 sum = 0;

      for (guint column = 0; column < n; column++)
        {
          g_autofree char *text = text_at (&painted, column + 0.5, row + 0.5);
          const char *amount = text != NULL ? strstr (text, "\nEvents: ") : NULL;

          sum += amount != NULL ? g_ascii_strtoull (amount + strlen ("\nEvents: "), NULL, 10) : 0;
        }
      g_assert_cmpuint (sum, <=, last);
      last = sum;
      found += sum;
    }
  g_assert_cmpuint (found, ==, events);
  painted_clear (&painted);
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= 30; seed++)
    {
      g_autoptr (RandomHistory) random = random_history_new (seed, 1 + seed % 7, 100 + 10 * seed);
      g_autoptr (Case) trial = case_new_random (random, 0, seed);

      check_matrix (trial->history);
      check_objects (trial->history);
    }
}

static void
test_measures (void)
{
  static const char *const files[] = {"a", "0 5 tag\n100 120 send h 1 bytes=3000\n", "b", "0 150 recv h 1 bytes=3000\n",
                                      NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (GError) error = NULL;
  LcPictureOptions options;
  Painted painted = paint_view (trial->history, "matrix", "waited");
  g_autofree char *text = text_at (&painted, 1.5, 0.5);

  g_assert_cmpstr (text, ==,
                   "From a to b\nArcs: 1\nMessages: 1\nBytes: 2.93 KiB\nWaited by the second for the first: 100 ns");
  painted_clear (&painted);
  lc_picture_options_init (&options);
  options.view = "matrix";
  options.measure = "love";
  g_assert_null (lc_picture_new (trial->history, &options, NULL, &error));
  g_assert_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_OPTION);
  g_assert_nonnull (strstr (error->message, "arcs, messages, bytes, waited"));
  g_clear_error (&error);
  options.view = "objects";
  options.measure = "held";
  g_assert_null (lc_picture_new (trial->history, &options, NULL, &error));
  g_assert_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY);
}

/* --- Processors ----------------------------------------------------------------------------------------------------
 */

static void
test_processors (void)
{
  static const char *const files[] = {"a", "0 10 tag cpu=2\n40 50 tag cpu=2\n60 70 tag cpu=0\n100 110 tag cpu=2\n", "b",
                                      "20 200 tag cpu=0\n", NULL};
  static const struct
  {
    double time;
    guint process;
    const char *cpu;
  } points[] = {{30, 0, "CPU 2, from 0 ns to 60 ns"},
                {80, 0, "CPU 0, from 60 ns"},
                {105, 0, "CPU 2, from 100 ns"},
                {100, 1, "CPU 0, from 20 ns to 200 ns"}};
  g_autoptr (Case) trial = case_new (files, NULL);
  Painted painted = paint_view (trial->history, "processors", NULL);
  Painted by_cpu = paint_view (trial->history, "processors", "cpus");
  g_autofree char *told = lc_picture_dup_description (painted.picture);
  g_autofree char *first = text_at (&by_cpu, 80, 0.5), *second = text_at (&by_cpu, 80, 1.5);

  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    {
      g_autofree char *text = text_at (&painted, points[i].time, points[i].process + 0.5);

      g_assert_nonnull (strstr (text, points[i].cpu));
    }
  g_assert_nonnull (strstr (told, "2 processes were on 2 CPUs, and moved from one to another 2 times."));
  /* Both are on CPU 0 then, beside each other. */
  g_assert_true (g_str_has_prefix (first, "b\n") && g_str_has_prefix (second, "a\n"));
  painted_clear (&painted);
  painted_clear (&by_cpu);
}

/* A process that waits is on no processor, and another one has it meanwhile: in the same lane. */
static void
test_processors_are_left (void)
{
  static const char *const files[] = {"a", "0 200 tag cpu=0\n200 700 await A 1 cpu=0\n900 900 tag cpu=0\n", "b",
                                      "200 200 tag cpu=0\n690 690 advance A 1 cpu=0\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  Painted painted = paint_view (trial->history, "processors", NULL);
  Painted by_cpu = paint_view (trial->history, "processors", "cpus");
  g_autofree char *before = text_at (&painted, 100, 0.5), *waiting = text_at (&painted, 400, 0.5);
  g_autofree char *after = text_at (&painted, 800, 0.5), *first = text_at (&by_cpu, 100, 0.5);
  g_autofree char *second = text_at (&by_cpu, 400, 0.5), *third = text_at (&by_cpu, 800, 0.5);

  g_assert_nonnull (strstr (before, "CPU 0, from 0 ns to 200 ns\nRunning: 200 ns, 100 %"));
  g_assert_null (waiting);
  g_assert_nonnull (strstr (after, "to 900 ns"));
  g_assert_true (g_str_has_prefix (first, "a\n") && g_str_has_prefix (second, "b\n"));
  g_assert_true (g_str_has_prefix (third, "a\n"));
  painted_clear (&painted);
  painted_clear (&by_cpu);
}

/* --- Contours ------------------------------------------------------------------------------------------------------
 */

static LcSnapshot *
make_matrix (guint64 rows, guint64 columns)
{
  LcSnapshot *matrix = g_new0 (LcSnapshot, 1);

  matrix->name = g_strdup ("m");
  matrix->rows = rows;
  matrix->columns = columns;
  matrix->values = g_new0 (double, rows *columns);
  return matrix;
}

static LcBands
find_bands (const LcSnapshot *matrix, guint n)
{
  LcBands bands;

  lc_bands_init (&bands);
  lc_bands_add (&bands, matrix);
  lc_bands_divide (&bands, n);
  return bands;
}

/* What rises evenly has bands of the same width, whatever the resolution. */
static void
test_even_contours (void)
{
  g_autoptr (LcSnapshot) matrix = make_matrix (3, 101);
  LcBands bands;

  for (guint i = 0; i < 3 * 101; i++)
    matrix->values[i] = i % 101;
  bands = find_bands (matrix, 4);
  for (guint columns = 20; columns < 700; columns += 97)
    {
      g_autofree guint8 *sampled = lc_bands_sample (&bands, matrix, columns, 5);

      for (guint i = 0; i < 5 * columns; i++)
        {
          double place = (i % columns + 0.5) * 101 / columns - 0.5;

          if (fabs (place / 25 - round (place / 25)) > 0.2) /* not where averages may be either */
            g_assert_cmpuint (sampled[i], ==, MIN ((guint)MAX (place / 25, 0), 3));
        }
    }
}

static void
test_strange_contours (void)
{
  g_autoptr (LcSnapshot) matrix = make_matrix (2, 2), same = make_matrix (1, 3), none = make_matrix (1, 1);
  LcBands bands, one, nothing;
  g_autofree guint8 *sampled = NULL;

  matrix->values[0] = NAN;
  matrix->values[1] = INFINITY;
  matrix->values[2] = -1.7e308;
  matrix->values[3] = 1.7e308;
  bands = find_bands (matrix, 8);
  g_assert_cmpuint (bands.n_strange, ==, 2);
  sampled = lc_bands_sample (&bands, matrix, 2, 2);
  g_assert_true (sampled[0] == LC_BAND_NONE && sampled[1] == LC_BAND_NONE && sampled[2] == 0 && sampled[3] == 7);
  one = find_bands (same, 8);
  g_assert_cmpuint (one.n_bands, ==, 1);
  g_assert_cmpuint (lc_bands_find (&one, 0), ==, 0);
  none->values[0] = NAN;
  nothing = find_bands (none, 8);
  g_assert_cmpuint (nothing.n_bands, ==, 0);
  g_assert_cmpuint (lc_bands_find (&nothing, NAN), ==, LC_BAND_NONE);
}

static LcBands
share_out (const LcSnapshot *first, const LcSnapshot *second)
{
  const LcSnapshot *const matrices[] = {first, second};
  LcBands bands;

  lc_bands_init (&bands);
  lc_bands_add (&bands, first);
  lc_bands_add (&bands, second);
  lc_bands_share_out (&bands, matrices, 2, 8);
  return bands;
}

/* What two matrices have in common has one band, and small values are told apart though others are large. */
static void
test_shared_contours (void)
{
  g_autoptr (LcSnapshot) small = make_matrix (10, 10), large = make_matrix (10, 10), none = make_matrix (2, 2);
  LcBands bands;
  guint counts[8] = {0};

  for (guint i = 0; i < 100; i++)
    {
      small->values[i] = i < 50 ? 0 : 2;
      large->values[i] = 2 + 4 * i;
    }
  bands = share_out (small, large);
  g_assert_false (bands.is_even);
  g_assert_cmpuint (bands.n_bands, ==, 8);
  g_assert_cmpuint (lc_bands_find (&bands, 0), ==, 0);
  g_assert_cmpuint (lc_bands_find (&bands, 2), ==, 1);
  g_assert_cmpuint (lc_bands_find (&bands, 398), ==, 7);
  for (guint i = 1; i < 400; i++)
    g_assert_cmpuint (lc_bands_find (&bands, i), >=, lc_bands_find (&bands, i - 1));
  bands = share_out (large, large);
  for (guint i = 0; i < 100; i++)
    counts[lc_bands_find (&bands, large->values[i])]++;
  for (guint i = 0; i < 8; i++)
    g_assert_true (counts[i] == 12 || counts[i] == 13);
  for (guint i = 0; i < 4; i++)
    none->values[i] = NAN;
  bands = share_out (none, none);
  g_assert_cmpuint (bands.n_bands, ==, 0);
  none->values[3] = 7;
  bands = share_out (none, none);
  g_assert_cmpuint (bands.n_bands, ==, 1);
  g_assert_cmpuint (lc_bands_find (&bands, 7), ==, 0);
  g_assert_cmpuint (lc_bands_find (&bands, NAN), ==, LC_BAND_NONE);
}

static void
write_snapshot (const char *directory, guint number, const char *name, guint n)
{
  const struct lc_snapshot_header header = {
      .magic = "LCMATRIX", .version = LC_SNAPSHOT_VERSION, .name_length = 8, .rows = n, .columns = n};
  g_autofree char *folder = g_build_filename (directory, "snapshots", NULL);
  g_autofree char *file = g_strdup_printf ("%u", number), *path = g_build_filename (folder, file, NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_assert_cmpuint (strlen (name), ==, 8);
  g_byte_array_append (bytes, (const guint8 *)&header, sizeof header);
  g_byte_array_append (bytes, (const guint8 *)name, 8);
  for (guint i = 0; i < n * n; i++)
    {
      double value = (double)number * 1000 + i;

      g_byte_array_append (bytes, (const guint8 *)&value, sizeof value);
    }
  g_mkdir (folder, 0777);
  g_assert_true (g_file_set_contents (path, (const char *)bytes->data, bytes->len, NULL));
}

static void
test_snapshots (void)
{
  static const char *const files[] = {"a", "0 5 snapshot first 0\n100 120 snapshot last 4\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  LcPictureOptions options;
  g_autoptr (GError) error = NULL;
  g_autofree char *told = NULL;
  Painted painted;

  lc_picture_options_init (&options);
  options.view = "snapshots";
  options.directory = trial->directory;
  g_assert_null (lc_picture_new (trial->history, &options, NULL, &error));
  g_assert_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY);
  g_assert_nonnull (strstr (error->message, "lc_snapshot"));
  for (guint i = 0; i < 5; i++)
    write_snapshot (trial->directory, i, i < 4 ? "liminate" : "the end!", 4 + i);
  painted = paint (trial->history, &options);
  told = lc_picture_dup_description (painted.picture);
  g_assert_nonnull (strstr (told, "liminate: 4 × 4 values from 0 to 15; liminate: 6 × 6 values from 2000 to 2035; the "
                                  "end!: 8 × 8 values from 4000 to 4063."));
  painted_clear (&painted);
  options.measure = "3,the end!";
  painted = paint (trial->history, &options);
  g_assert_cmpuint (get_pixel (&painted, 10, 10), !=, 0);
  painted_clear (&painted);
  options.measure = "neither";
  g_clear_error (&error);
  g_assert_null (lc_picture_new (trial->history, &options, NULL, &error));
  g_assert_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_OPTION);
}

/* --- Any history, any size ------------------------------------------------------------------------------------------
 */

static const char *const views[] = {"parallelism",
                                    "parallelism-histogram",
                                    "parallelism-average",
                                    "messages",
                                    "waiting-history",
                                    "matrix",
                                    "objects",
                                    "processors",
                                    "slack",
                                    "snapshots"};

static void
try_svg (LcPicture *picture, const LcPictureOptions *options)
{
  LcCanvas *canvas = lc_canvas_new_svg (options->width, options->height, options->theme, "t", NULL);
  g_autofree char *text = NULL;
  gsize length;

  lc_picture_paint (picture, canvas);
  text = lc_canvas_finish_svg (canvas, &length);
  g_assert_cmpuint (length, >, 100);
  g_assert_null (strstr (text, "nan"));
  g_assert_null (strstr (text, "inf "));
  lc_canvas_free (canvas);
}

static void
try_picture (LcHistory *history, LcPictureOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcPicture) picture = lc_picture_new (history, options, NULL, &error);
  g_autofree char *told = NULL;

  if (picture == NULL)
    {
      g_assert_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY);
      g_assert_cmpuint (strlen (error->message), >, 20);
      return;
    }
  told = lc_picture_dup_description (picture);
  g_assert_true (g_utf8_validate (told, -1, NULL));
  try_svg (picture, options);
  for (double y = -5; y < options->height; y += options->height / 23)
    for (double x = -5; x < options->width; x += options->width / 29)
      {
        g_autofree char *text = lc_picture_dup_text_at (picture, (LcPlace){x, y}, 3);

        g_assert_true (text == NULL || g_utf8_validate (text, -1, NULL));
        g_assert_true (text == NULL || strstr (text, "nan") == NULL);
      }
}

static void
try_all (LcHistory *history)
{
  static const double sizes[][2] = {{1200, 800}, {300, 200}, {40, 30}};
  LcPictureOptions options;

  lc_picture_options_init (&options);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      {
        options.view = views[i];
        options.width = sizes[k][0];
        options.height = sizes[k][1];
        options.theme = (LcTheme)(i % LC_THEMES);
        try_picture (history, &options);
      }
}

static void
test_degenerate (void)
{
  static const char *const nothing[] = {"a", "", NULL};
  static const char *const point[] = {"a", "5 5 tag\n", NULL};
  static const char *const points[] = {"a", "5 5 lock m 1\n", "b", "5 5 lock m 2\n", "c", "", NULL};
  static const char *const one[] = {"a", "5 9 lock m 1 cpu=0\n9 9 unlock m 1\n", NULL};
  static const char *const huge[] = {"a", "0 9000000000000000000 lock m 1 cpu=65534\n", "b",
                                     "8999999999999999999 9000000000000000001 lock m 2 cpu=3\n", NULL};
  const char *const *const all[] = {nothing, point, points, one, huge, rounds};

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autoptr (Case) trial = case_new (all[i], NULL);

      try_all (trial->history);
    }
}

static void
test_names (void)
{
  g_autofree char *many = g_strnfill (200, 'x');
  g_autofree char *text =
      g_strdup_printf ("%%process %s\n0 9 lock %s 1 cpu=1\n10 20 unlock %s 1 cpu=2\n", many, many, many);
  const char *const files[] = {"a", text,
                               "b", "%process תהליך\n5 30 lock 互斥锁 1\n",
                               "c", "%process プロセス\n5 30 lock قفل 1\n40 50 lock 互斥锁 2\n",
                               NULL};
  g_autoptr (Case) trial = case_new (files, NULL);

  try_all (trial->history);
}

static void
test_many (void)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (Case) trial = NULL;

  for (guint i = 0; i < 2000; i++)
    {
      g_ptr_array_add (files, g_strdup_printf ("%u", i));
      g_ptr_array_add (files, g_strdup_printf ("%u %u lock m %u cpu=%u\n%u %u unlock m %u cpu=%u\n", i, 3 * i + 5,
                                               i + 1, i % 100, 3 * i + 6, 3 * i + 7, i + 1, i % 90));
    }
  g_ptr_array_add (files, NULL);
  trial = case_new ((const char *const *)files->pdata, NULL);
  try_all (trial->history);
}

/* --- Profiles ------------------------------------------------------------------------------------------------------
 */

/* Ranks from 0 on that take 1, 2, 3 ... ms, half of it waiting. */
static char *
write_profile (const char *path, guint n)
{
  g_autoptr (LcProfile) profile = lc_profile_new ("ranks", 1 << LC_PROFILE_UNCOMPENSATED);
  g_autofree char *json = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("rank %u", i);
      LcProfileProcess *process = lc_profile_add_process (profile, name);

      process->rank = i;
      process->total[LC_PROFILE_UNCOMPENSATED] = (i + 1) * G_GINT64_CONSTANT (1000000);
      lc_profile_process_add (process, "MPI_Recv", "mpi")->waiting[LC_PROFILE_UNCOMPENSATED] =
          (i + 1) * G_GINT64_CONSTANT (500000);
    }
  json = lc_profile_dup_json (profile);
  g_assert_true (g_file_set_contents (path, json, -1, NULL));
  return g_strdup (path);
}

/* Where bars are averages, what they are averages of is told, and no single one of them. */
static void
test_profile (void)
{
  static const struct
  {
    guint n;
    double at;
    const char *expected;
  } trials[] = {
      {2, 1.5, "rank 1\nMeasured: 2.00 ms, waiting 1.00 ms"},
      {3000, 1500, NULL},
  };
  g_autofree char *folder = g_dir_make_tmp ("lightcone-plots-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "t.profile", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (trials); i++)
    {
      g_autofree char *written = write_profile (path, trials[i].n), *text = NULL;
      LcPictureOptions options;
      Painted painted;
      double average, least, most;
      guint n;

      lc_picture_options_init (&options);
      options.view = "profile";
      options.directory = written;
      painted = paint (NULL, &options);
      text = lc_picture_dup_text_at (painted.picture, place_of (&painted, 1000, trials[i].at), 0);
      if (trials[i].expected != NULL)
        g_assert_cmpstr (text, ==, trials[i].expected);
      else
        {
          guint first, last;

          g_assert_cmpint (sscanf (text, "rank %u – rank %u\nThe average of %u", &first, &last, &n), ==, 3);
          g_assert_cmpuint (last - first + 1, ==, n);
          g_assert_cmpuint (n, >, 1);
          g_assert_true (first <= 1500 && last >= 1500);
          g_assert_cmpint (sscanf (strstr (text, "Measured"), "Measured: %lf s, waiting %*s %*s %lf s – %lf s",
                                   &average, &least, &most),
                           ==, 3);
          g_assert_cmpfloat_with_epsilon (average, (first + last + 2) / 2e3, 0.006);
          g_assert_cmpfloat_with_epsilon (least, (first + 1) / 1e3, 0.006);
          g_assert_cmpfloat_with_epsilon (most, (last + 1) / 1e3, 0.006);
        }
      painted_clear (&painted);
    }
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plots/parallelism", test_parallelism);
  g_test_add_func ("/plots/histogram", test_histogram);
  g_test_add_func ("/plots/average", test_average);
  g_test_add_func ("/plots/waiting-history", test_waiting_history);
  g_test_add_func ("/plots/slack", test_slack);
  g_test_add_func ("/plots/random", test_random);
  g_test_add_func ("/plots/measures", test_measures);
  g_test_add_func ("/plots/processors", test_processors);
  g_test_add_func ("/plots/processors-are-left", test_processors_are_left);
  g_test_add_func ("/plots/even-contours", test_even_contours);
  g_test_add_func ("/plots/strange-contours", test_strange_contours);
  g_test_add_func ("/plots/shared-contours", test_shared_contours);
  g_test_add_func ("/plots/snapshots", test_snapshots);
  g_test_add_func ("/plots/degenerate", test_degenerate);
  g_test_add_func ("/plots/names", test_names);
  g_test_add_func ("/plots/many", test_many);
  g_test_add_func ("/plots/profile", test_profile);
  return g_test_run ();
}
