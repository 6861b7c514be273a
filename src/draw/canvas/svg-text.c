/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, texts, colours and paths in SVG: as few bytes as possible, and the same bytes everywhere. */
#include "draw/canvas/svg-text.h"

#include <math.h>

#include "trace/quantities.h"

/* Viewers do not count well beyond this. */
#define LARGEST 1e7

gint64
lc_svg_round (double number)
{
  return isnan (number) ? 0 : llround (CLAMP (number, -LARGEST, LARGEST) * 100);
}

void
lc_svg_add_hundredths (GString *svg, gint64 hundredths)
{
  gint64 size = ABS (hundredths), whole = size / 100, part = size % 100;

  if (hundredths < 0)
    g_string_append_c (svg, '-');
  if (whole != 0 || part == 0)
    g_string_append_printf (svg, "%" G_GINT64_FORMAT, whole);
  if (part % 10 != 0)
    g_string_append_printf (svg, ".%02d", (int)part);
  else if (part != 0)
    g_string_append_printf (svg, ".%d", (int)part / 10);
}

void
lc_svg_add_number (GString *svg, double number)
{
  lc_svg_add_hundredths (svg, lc_svg_round (number));
}

void
lc_svg_add_attribute (GString *svg, const char *name, double number)
{
  g_string_append_printf (svg, " %s=\"", name);
  lc_svg_add_number (svg, number);
  g_string_append_c (svg, '"');
}

void
lc_svg_add_text (GString *svg, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (c == '<')
        g_string_append (svg, "&lt;");
      else if (c == '>')
        g_string_append (svg, "&gt;");
      else if (c == '&')
        g_string_append (svg, "&amp;");
      else if (c == '"')
        g_string_append (svg, "&quot;");
      else if (c == '\n' || c == '\t')
        g_string_append_c (svg, (char)c);
      else
        lc_text_append_visible (svg, c);
    }
}

static guint
byte_of (double component)
{
  return (guint)(CLAMP (component, 0, 1) * 255 + 0.5);
}

void
lc_svg_add_color (GString *svg, const char *name, LcColor color)
{
  guint red = byte_of (color.red), green = byte_of (color.green), blue = byte_of (color.blue);

  if (red % 17 == 0 && green % 17 == 0 && blue % 17 == 0)
    g_string_append_printf (svg, " %s=\"#%x%x%x\"", name, red / 17, green / 17, blue / 17);
  else
    g_string_append_printf (svg, " %s=\"#%02x%02x%02x\"", name, red, green, blue);
  if (color.alpha < 1)
    {
      g_string_append_printf (svg, " %s-opacity=\"", name);
      lc_svg_add_number (svg, color.alpha);
      g_string_append_c (svg, '"');
    }
}

void
lc_svg_path_init (LcSvgPath *path)
{
  *path = (LcSvgPath){g_string_new (NULL), 0, 0};
}

void
lc_svg_path_clear (LcSvgPath *path)
{
  g_string_free (path->data, TRUE);
}

/* A space is needed before a number only if neither a minus nor a command precedes it. */
static void
add_length (LcSvgPath *path, gint64 length)
{
  if (length >= 0 && path->data->len > 0 && !g_ascii_isalpha (path->data->str[path->data->len - 1]))
    g_string_append_c (path->data, ' ');
  lc_svg_add_hundredths (path->data, length);
}

static void
move_to (LcSvgPath *path, gint64 x, gint64 y)
{
  gboolean first = path->data->len == 0;

  g_string_append_c (path->data, first ? 'M' : 'm');
  add_length (path, first ? x : x - path->x);
  add_length (path, first ? y : y - path->y);
  path->x = x;
  path->y = y;
}

static void
line_to (LcSvgPath *path, gint64 x, gint64 y)
{
  if (y == path->y)
    {
      g_string_append_c (path->data, 'h');
      add_length (path, x - path->x);
    }
  else if (x == path->x)
    {
      g_string_append_c (path->data, 'v');
      add_length (path, y - path->y);
    }
  else
    {
      g_string_append_c (path->data, 'l');
      add_length (path, x - path->x);
      add_length (path, y - path->y);
    }
  path->x = x;
  path->y = y;
}

void
lc_svg_path_move_to (LcSvgPath *path, double x, double y)
{
  move_to (path, lc_svg_round (x), lc_svg_round (y));
}

void
lc_svg_path_line_to (LcSvgPath *path, double x, double y)
{
  line_to (path, lc_svg_round (x), lc_svg_round (y));
}

void
lc_svg_path_rectangle (LcSvgPath *path, double x0, double y0, double x1, double y1)
{
  gint64 left = lc_svg_round (x0), top = lc_svg_round (y0), right = lc_svg_round (x1), bottom = lc_svg_round (y1);

  move_to (path, left, top);
  line_to (path, right, top);
  line_to (path, right, bottom);
  line_to (path, left, bottom);
  g_string_append_c (path->data, 'z');
  path->y = top;
}

void
lc_svg_path_polygon (LcSvgPath *path, double x, double y, const LcPlace *places, gsize n_places)
{
  gint64 start_x = lc_svg_round (x + places[0].x), start_y = lc_svg_round (y + places[0].y);

  move_to (path, start_x, start_y);
  for (gsize i = 1; i < n_places; i++)
    lc_svg_path_line_to (path, x + places[i].x, y + places[i].y);
  g_string_append_c (path->data, 'z');
  path->x = start_x;
  path->y = start_y;
}

/* A circle is written as two half arcs. */
void
lc_svg_path_circle (LcSvgPath *path, double x, double y, double across)
{
  gint64 width = lc_svg_round (across);

  move_to (path, lc_svg_round (x) - width / 2, lc_svg_round (y));
  for (int sign = 1; sign >= -1; sign -= 2)
    {
      g_string_append_c (path->data, 'a');
      add_length (path, width / 2);
      add_length (path, width / 2);
      g_string_append (path->data, " 0 0 1");
      add_length (path, sign * (width / 2 * 2));
      add_length (path, 0);
    }
  g_string_append_c (path->data, 'z');
}
