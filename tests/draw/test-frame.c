/* SPDX-License-Identifier: Apache-2.0 */
/* The frame: there is room for the plot in any picture, no text lies over another one, and the axes are right. */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "draw/canvas/frame.h"
#include "../history/random-trials.h"

enum
{
  NAMES = 3000,
  TRIALS = 400,
};

static const char *names[NAMES];

static const char *const texts[] = {
    "x",
    "running",
    "a text that is rather long, and goes on, and on, so that it may have to be broken, or cut, or both of that",
    "שלום עולם",
    "名前のとても長い日本語の文章は空白がないので、どこで改行するかを知っている必要があります。",
    "<b> & \"c\"",
};

static void
make_names (void)
{
  for (guint i = 0; i < NAMES; i++)
    names[i] = g_strdup_printf ("%s %u", texts[i % G_N_ELEMENTS (texts)], i);
}

/* --- Where texts are, as the SVG has it ----------------------------------------------------------------------------
 */

typedef struct
{
  char *text;
  LcRectangle box; /* around what is seen of it */
} Text;

static void
clear_text (gpointer data)
{
  g_free (((Text *)data)->text);
}

typedef struct
{
  GArray *texts;
  LcCanvas *ruler; /* to measure them with */
  Text at;         /* the one that is read */
  GHashTable *attributes;
} Reader;

static double
get_number (const Reader *reader, const char *name, double otherwise)
{
  const char *value = g_hash_table_lookup (reader->attributes, name);

  return value != NULL ? g_ascii_strtod (value, NULL) : otherwise;
}

static LcRectangle
turn (LcRectangle box, const char *transform)
{
  static const char *const upwards = "rotate(-90 ";
  char *end;
  double x, y;

  g_assert_true (g_str_has_prefix (transform, upwards));
  x = g_ascii_strtod (transform + strlen (upwards), &end);
  y = g_ascii_strtod (end, NULL);
  return (LcRectangle){x + box.y - y, y - (box.x + box.width - x), box.height, box.width};
}

static LcRectangle
get_box (const Reader *reader, const char *text)
{
  double size = get_number (reader, "font-size", 11), x = get_number (reader, "x", 0), y = get_number (reader, "y", 0);
  gboolean backwards = g_hash_table_contains (reader->attributes, "direction");
  const char *anchor = g_hash_table_lookup (reader->attributes, "text-anchor");
  const char *transform = g_hash_table_lookup (reader->attributes, "transform");
  const LcTextStyle style = {.font = size == 15 ? LC_FONT_TITLE : size == 11 ? LC_FONT_NORMAL : LC_FONT_SMALL};
  LcRectangle box = {x, y - 0.74 * size, 0, 0.94 * size};
  double height;

  lc_canvas_measure (reader->ruler, &style, text, &box.width, &height);
  if (g_strcmp0 (anchor, "middle") == 0)
    box.x -= box.width / 2;
  else if ((g_strcmp0 (anchor, "end") == 0) != backwards)
    box.x -= box.width;
  return transform != NULL ? turn (box, transform) : box;
}

static void
start_element (GMarkupParseContext *context, const char *name, const char **keys, const char **values, gpointer data,
               GError **error)
{
  Reader *reader = data;

  g_hash_table_remove_all (reader->attributes);
  for (gsize i = 0; keys[i] != NULL; i++)
    g_hash_table_insert (reader->attributes, g_strdup (keys[i]), g_strdup (values[i]));
}

static void
add_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  Reader *reader = data;
  Text found = {.text = g_strndup (text, length)};

  if (strcmp (g_markup_parse_context_get_element (context), "text") != 0)
    {
      g_free (found.text);
      return;
    }
  found.box = get_box (reader, found.text);
  g_array_append_val (reader->texts, found);
}

/* Text in a new array. */
static GArray *
read_texts (const char *svg, gsize length)
{
  static const GMarkupParser parser = {.start_element = start_element, .text = add_text};
  g_autoptr (GHashTable) attributes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (LcCanvas) ruler = lc_canvas_new_svg (1, 1, LC_THEME_LIGHT, NULL, NULL);
  Reader reader = {.texts = g_array_new (FALSE, FALSE, sizeof (Text)), .ruler = ruler, .attributes = attributes};
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &reader, NULL);
  GError *error = NULL;

  g_array_set_clear_func (reader.texts, clear_text);
  g_markup_parse_context_parse (context, svg, (gssize)length, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  return reader.texts;
}

static GArray *
paint (LcFrame *frame, double width, double height, LcRectangle *area)
{
  g_autoptr (LcCanvas) canvas = lc_canvas_new_svg (width, height, LC_THEME_LIGHT, NULL, NULL);
  LcRectangle measured = lc_frame_measure (frame, canvas, (LcRectangle){0, 0, width, height});
  g_autofree char *svg = NULL;
  gsize length;

  *area = lc_frame_paint (frame, canvas, (LcRectangle){0, 0, width, height});
  g_assert_cmpmem (area, sizeof *area, &measured, sizeof measured);
  svg = lc_canvas_finish_svg (canvas, &length);
  return read_texts (svg, length);
}

static gboolean
touch (LcRectangle a, LcRectangle b)
{
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/* That no text is over another one, over the plot, or outside of the picture. */
static void
check_texts (const GArray *found, LcRectangle area, double width, double height)
{
  for (guint i = 0; i < found->len; i++)
    {
      const Text *text = &g_array_index (found, Text, i);

      if (text->box.x < -1 || text->box.y < -1 || text->box.x + text->box.width > width + 1 ||
          text->box.y + text->box.height > height + 1)
        g_error ("“%s” is outside of the picture of %g x %g", text->text, width, height);
      if (touch (text->box, area))
        g_error ("“%s” is over the plot in a picture of %g x %g", text->text, width, height);
      for (guint k = 0; k < i; k++)
        if (touch (text->box, g_array_index (found, Text, k).box))
          g_error ("“%s” and “%s” are over each other in a picture of %g x %g", g_array_index (found, Text, k).text,
                   text->text, width, height);
    }
}

static gboolean
has_text (const GArray *found, const char *text)
{
  for (guint i = 0; i < found->len; i++)
    if (strcmp (g_array_index (found, Text, i).text, text) == 0)
      return TRUE;
  return FALSE;
}

/* --- Frames --------------------------------------------------------------------------------------------------------
 */

static const char *
any_text (GRand *random)
{
  return texts[g_rand_int_range (random, 0, G_N_ELEMENTS (texts))];
}

static void
any_scale (GRand *random, LcAxisScale *scale)
{
  *scale = (LcAxisScale){.title = g_rand_boolean (random) ? any_text (random) : NULL,
                         .kind = (LcAxisScaleKind)g_rand_int_range (random, LC_SCALE_NONE, LC_SCALE_NAMES + 1),
                         .grid = g_rand_boolean (random)};
  scale->to = scale->kind == LC_SCALE_NAMES ? g_rand_int_range (random, 0, 2) == 0 ? g_rand_int_range (random, 0, 12)
                                                                                   : g_rand_int_range (random, 0, NAMES)
                                            : pow (10, g_rand_double_range (random, -2, 14));
  scale->names = scale->kind == LC_SCALE_NAMES ? names : NULL;
  if (scale->kind != LC_SCALE_NAMES && g_rand_boolean (random))
    scale->from = scale->to * g_rand_double (random) * 2;
  if (g_rand_boolean (random))
    {
      double from = scale->from;

      scale->from = scale->to;
      scale->to = from;
    }
}

static void
add_legend (GRand *random, LcFrame *frame)
{
  LcFill fill = lc_canvas_color_fill ((LcColor){0.5, 0.5, 0.5, 1});
  guint n = (guint)g_rand_int_range (random, 0, 20);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf ("%s %u", any_text (random), i);

      switch (g_rand_int_range (random, 0, 4))
        {
        case 0:
          lc_frame_add_fill (frame, text, fill);
          break;
        case 1:
          lc_frame_add_line (frame, text, (LcStroke){fill.color, 1, FALSE});
          break;
        case 2:
          lc_frame_add_marker (frame, text, LC_MARKER_DIAMOND, fill);
          break;
        default:
          lc_frame_add_ramp (frame, text, "0 s", "12.5 s");
          break;
        }
    }
}

static LcFrame *
any_frame (GRand *random)
{
  LcFrame *frame = lc_frame_new (any_text (random), any_text (random));
  guint n_notes = (guint)g_rand_int_range (random, 0, 5);
  LcAxisScale scale;

  any_scale (random, &scale);
  lc_frame_set_x (frame, &scale);
  any_scale (random, &scale);
  lc_frame_set_y (frame, &scale);
  add_legend (random, frame);
  for (guint i = 0; i < n_notes; i++)
    lc_frame_add_note (frame, any_text (random));
  if (g_rand_boolean (random))
    lc_frame_set_margins (frame, g_rand_double_range (random, 0, 30), g_rand_double_range (random, 0, 20));
  return frame;
}

static void
test_any_frame (void)
{
  GRand *random = g_rand_new_with_seed (7);

  for (guint i = 0; i < random_trials (TRIALS); i++)
    {
      g_autoptr (LcFrame) frame = any_frame (random);
      double width = g_rand_int_range (random, 160, i % 2 == 0 ? 500 : 3000);
      double height = g_rand_int_range (random, 120, i % 3 == 0 ? 400 : 2000);
      LcRectangle area;
      g_autoptr (GArray) found = paint (frame, width, height, &area);

      g_assert_cmpfloat (area.width, >=, 0.2 * width);
      g_assert_cmpfloat (area.height, >=, MIN (0.1 * height, 20));
      check_texts (found, area, width, height);
    }
  g_rand_free (random);
}

static void
test_values_are_where_the_ticks_are (void)
{
  g_autoptr (LcFrame) frame = lc_frame_new ("title", "shown");
  const LcAxisScale x = {.title = "Time", .kind = LC_SCALE_TIME, .from = 1e6, .to = 5e6, .origin = 1000000};
  const LcAxisScale y = {.title = "Running", .kind = LC_SCALE_COUNT, .from = 4, .to = 0};
  LcRectangle area;
  g_autoptr (GArray) found = NULL;

  lc_frame_set_x (frame, &x);
  lc_frame_set_y (frame, &y);
  found = paint (frame, 800, 600, &area);
  g_assert_cmpfloat_with_epsilon (lc_frame_get_x (frame, 1e6), area.x, 1e-9);
  g_assert_cmpfloat_with_epsilon (lc_frame_get_x (frame, 5e6), area.x + area.width, 1e-9);
  g_assert_cmpfloat_with_epsilon (lc_frame_get_y (frame, 0), area.y, 1e-9);
  g_assert_cmpfloat_with_epsilon (lc_frame_get_y (frame, 4), area.y + area.height, 1e-9);
  g_assert_true (has_text (found, "Time (ms)"));
  g_assert_true (has_text (found, "Running"));
  for (guint i = 0; i < found->len; i++)
    {
      const Text *text = &g_array_index (found, Text, i);
      double middle = text->box.x + text->box.width / 2;

      /* What is written as 2 is 2 ms after the origin. */
      if (strcmp (text->text, "2.0") == 0)
        g_assert_cmpfloat_with_epsilon (middle, lc_frame_get_x (frame, 3e6), 0.1);
    }
  g_assert_true (has_text (found, "2.0") && has_text (found, "0") && has_text (found, "4.0"));
}

static void
test_names_are_beside_what_they_name (void)
{
  static const char *const few[] = {"first", "second", "third"};
  g_autoptr (LcFrame) frame = lc_frame_new ("title", "shown");
  const LcAxisScale y = {.kind = LC_SCALE_NAMES, .from = 3, .to = 0, .names = few};
  LcRectangle area;
  g_autoptr (GArray) found = NULL;

  lc_frame_set_y (frame, &y);
  found = paint (frame, 800, 600, &area);
  for (guint i = 0; i < found->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (few); k++)
      if (strcmp (g_array_index (found, Text, i).text, few[k]) == 0)
        {
          LcRectangle box = g_array_index (found, Text, i).box;

          g_assert_cmpfloat_with_epsilon (box.y + box.height / 2, lc_frame_get_y (frame, k + 0.5), 2);
          g_assert_cmpfloat (box.x + box.width, <, area.x);
        }
  g_assert_true (has_text (found, "first") && has_text (found, "second") && has_text (found, "third"));
}

/* Names that are numbers are as far apart, as round and as level as those of a scale. */
static void
test_numbers_are_round (void)
{
  g_autofree const char **numbers = g_new0 (const char *, 401);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (LcFrame) frame = lc_frame_new ("title", "shown");
  const LcAxisScale x = {.kind = LC_SCALE_NAMES, .to = 400, .names = numbers};
  LcRectangle area;
  g_autoptr (GArray) found = NULL;
  guint n = 0;

  for (guint i = 0; i < 400; i++)
    {
      g_ptr_array_add (kept, i == 0 ? g_strdup ("before") : g_strdup_printf ("%u", i));
      numbers[i] = kept->pdata[i];
    }
  lc_frame_set_x (frame, &x);
  found = paint (frame, 1000, 600, &area);
  for (guint i = 0; i < found->len; i++)
    {
      const Text *text = &g_array_index (found, Text, i);
      guint64 number = g_ascii_strtoull (text->text, NULL, 10);

      if (number == 0)
        continue;
      n++;
      g_assert_cmpuint (number % 50, ==, 0);
      g_assert_cmpfloat (text->box.width, >, text->box.height);
      g_assert_cmpfloat_with_epsilon (text->box.x + text->box.width / 2, lc_frame_get_x (frame, (double)number + 0.5),
                                      0.1);
    }
  g_assert_cmpuint (n, ==, 7);
}

static void
test_the_same_is_in_the_legend_once (void)
{
  g_autoptr (LcFrame) frame = lc_frame_new ("title", "shown");
  LcFill fill = lc_canvas_color_fill ((LcColor){0, 0, 0, 1});
  LcRectangle area;
  g_autoptr (GArray) found = NULL;
  guint n = 0;

  lc_frame_add_fill (frame, "waiting", fill);
  lc_frame_add_fill (frame, "waiting", fill);
  lc_frame_add_fill (frame, "running", fill);
  found = paint (frame, 800, 600, &area);
  for (guint i = 0; i < found->len; i++)
    n += strcmp (g_array_index (found, Text, i).text, "waiting") == 0;
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (has_text (found, "running"));
}

static void
test_what_has_no_room_in_the_legend_is_counted (void)
{
  g_autoptr (LcFrame) frame = lc_frame_new ("title", "shown");
  LcFill fill = lc_canvas_color_fill ((LcColor){0, 0, 0, 1});
  LcRectangle area;
  g_autoptr (GArray) found = NULL;
  guint shown = 0;

  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *text = g_strdup_printf ("item %u", i);

      lc_frame_add_fill (frame, text, fill);
    }
  found = paint (frame, 400, 300, &area);
  for (guint i = 0; i < found->len; i++)
    shown += g_str_has_prefix (g_array_index (found, Text, i).text, "item ");
  g_assert_cmpuint (shown, >, 4);
  g_assert_cmpuint (shown, <, 100);

  g_autofree char *rest = g_strdup_printf ("and %u more", 100 - shown);

  g_assert_true (has_text (found, rest));
}

/* In frames of any legend, notes and names, time is where it has to be, and the place of a time does not depend on what
 * part of the diagram's span the plot has. */
static void
test_time_is_where_it_has_to_be (void)
{
  const LcTimePlace place = {.begin = 68, .end = 768, .from = 1e6 + 0.25, .to = 5e6 + 0.25};
  GRand *random = g_rand_new_with_seed (11);

  for (guint i = 0; i < random_trials (TRIALS); i++)
    {
      g_autoptr (LcFrame) frame = any_frame (random);
      guint64 from = 1000001 + (i % 2) * 500000, to = 5000000;
      double height = g_rand_int_range (random, 120, 600);
      LcRectangle area;
      g_autoptr (GArray) found = NULL;

      lc_frame_set_margins (frame, 0, 0);
      lc_frame_set_time (frame, from, to);
      lc_frame_place_time (frame, &place);
      found = paint (frame, 780, height, &area);
      for (double time = 2e6; time < 5e6; time += 1e6)
        g_assert_cmpfloat_with_epsilon (lc_frame_get_x (frame, time), 68 + (time - place.from) * 700 / 4e6, 1e-6);
      g_assert_cmpfloat_with_epsilon (area.x + area.width, 768, 0.01);
      g_assert_cmpfloat (area.height, >=, 1);
      check_texts (found, area, 780, height);
    }
  g_rand_free (random);
}

/* Time that goes down is where it has to be as well, whatever there is above and below it. */
static void
test_time_goes_down (void)
{
  const LcTimePlace place = {.begin = 44, .end = 544, .from = 1e6 + 0.25, .to = 5e6 + 0.25};
  GRand *random = g_rand_new_with_seed (12);

  for (guint i = 0; i < random_trials (TRIALS); i++)
    {
      g_autoptr (LcFrame) frame = any_frame (random);
      double width = g_rand_int_range (random, 160, 600), height = g_rand_int_range (random, 610, 900);
      guint64 begin, end;
      LcAxisScale y;
      LcRectangle area;
      g_autoptr (GArray) found = NULL;

      any_scale (random, &y);
      lc_frame_set_margins (frame, 0, 0);
      lc_frame_turn (frame);
      g_assert_false (lc_frame_is_turned (frame));
      lc_frame_set_time (frame, 1000001, 5000000);
      g_assert_true (lc_frame_is_turned (frame));
      lc_frame_set_y (frame, &y);
      lc_frame_place_time (frame, &place);
      found = paint (frame, width, height, &area);
      for (double time = 2e6; time < 5e6; time += 1e6)
        g_assert_cmpfloat_with_epsilon (lc_frame_get_y (frame, time), 44 + (time - place.from) * 500 / 4e6, 1e-6);
      g_assert_cmpfloat_with_epsilon (area.y + area.height, 544, 0.01);
      g_assert_cmpfloat (area.width, >=, 1);
      g_assert_true (lc_frame_get_time (frame, &begin, &end) && begin == 1000001 && end == 5000000);
      check_texts (found, area, width, height);
    }
  g_rand_free (random);
}

static void
test_only_time_is_placed (void)
{
  const LcTimePlace place = {.begin = 300, .end = 500, .from = 0, .to = 100};
  const LcTimePlace beyond = {.begin = 300, .end = 900, .from = 0, .to = 100};
  g_autoptr (LcFrame) frame = lc_frame_new ("title", "shown");
  const LcAxisScale x = {.title = "Processes", .kind = LC_SCALE_COUNT, .to = 100};
  LcRectangle area;

  lc_frame_set_x (frame, &x);
  lc_frame_place_time (frame, &place);
  g_array_unref (paint (frame, 800, 600, &area));
  g_assert_cmpfloat (area.width, >, 600);
  lc_frame_set_time (frame, 0, 100);
  lc_frame_place_time (frame, &beyond);
  g_array_unref (paint (frame, 800, 600, &area));
  g_assert_cmpfloat (area.x, <, 100);
  g_assert_cmpfloat (area.x + area.width, <=, 800);
}

static gboolean
is_among (const GArray *found, const char *text)
{
  for (guint i = 0; i < found->len; i++)
    if (g_str_equal (g_array_index (found, Text, i).text, text))
      return TRUE;
  return FALSE;
}

/* An upright axis tells more than where it begins, however low the picture: 2 is a step too many for the usual space.
 */
static void
test_low_axes_have_two_ticks (void)
{
  for (double height = 100; height < 140; height += 2)
    {
      g_autoptr (LcFrame) frame = lc_frame_new ("", "");
      const LcAxisScale y = {.title = "Running", .kind = LC_SCALE_COUNT, .to = 4.1};
      g_autoptr (GArray) found = NULL;
      LcRectangle area;

      lc_frame_set_time (frame, 0, 1000);
      lc_frame_set_y (frame, &y);
      found = paint (frame, 600, height, &area);
      check_texts (found, area, 600, height);
      g_assert_true (area.height < 40 || (is_among (found, "0") && is_among (found, "4")));
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  make_names ();
  g_test_add_func ("/frame/any-frame", test_any_frame);
  g_test_add_func ("/frame/values-are-where-the-ticks-are", test_values_are_where_the_ticks_are);
  g_test_add_func ("/frame/names-are-beside-what-they-name", test_names_are_beside_what_they_name);
  g_test_add_func ("/frame/numbers-are-round", test_numbers_are_round);
  g_test_add_func ("/frame/the-same-is-in-the-legend-once", test_the_same_is_in_the_legend_once);
  g_test_add_func ("/frame/what-has-no-room-in-the-legend-is-counted", test_what_has_no_room_in_the_legend_is_counted);
  g_test_add_func ("/frame/time-is-where-it-has-to-be", test_time_is_where_it_has_to_be);
  g_test_add_func ("/frame/time-goes-down", test_time_goes_down);
  g_test_add_func ("/frame/only-time-is-placed", test_only_time_is_placed);
  g_test_add_func ("/frame/low-axes-have-two-ticks", test_low_axes_have_two_ticks);
  return g_test_run ();
}
