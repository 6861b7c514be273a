/* SPDX-License-Identifier: Apache-2.0 */
/* Text of several lines: broken where the language allows it. */
#include "paragraph.h"

#include <pango/pango.h>
#include <string.h>

static double
paragraph_measure (LcCanvas *canvas, const LcTextStyle *style, const char *text)
{
  double width, height;

  lc_canvas_measure (canvas, style, text, &width, &height);
  return width;
}

/* Finds where the next line begins: after as much as fits, but at least one word. */
static const char *
paragraph_find_end (LcCanvas *canvas, const LcTextStyle *style, const char *text, const PangoLogAttr *breaks,
                    double width)
{
  const char *end = NULL, *at = text;
  guint i = 0;

  do
    {
      g_autofree char *line = NULL;

      at = g_utf8_next_char (at);
      i++;
      if (*at != '\0' && !breaks[i].is_line_break)
        continue;
      line = g_strstrip (g_strndup (text, (gsize)(at - text)));
      if (end != NULL && paragraph_measure (canvas, style, line) > width)
        return end;
      end = at;
    }
  while (*at != '\0');
  return end;
}

GPtrArray *
lc_paragraph_break (LcCanvas *canvas, const LcTextStyle *style, const char *text, double width, guint most)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  glong n = g_utf8_strlen (valid, -1), before = 0;
  g_autofree PangoLogAttr *breaks = g_new0 (PangoLogAttr, n + 1);
  const char *at = valid;

  pango_get_log_attrs (valid, (int)strlen (valid), -1, pango_language_get_default (), breaks, (int)n + 1);
  while (*at != '\0')
    {
      const char *end =
          lines->len + 1 < most ? paragraph_find_end (canvas, style, at, breaks + before, width) : at + strlen (at);

      before += g_utf8_pointer_to_offset (at, end);
      g_ptr_array_add (lines, g_strstrip (g_strndup (at, (gsize)(end - at))));
      at = end;
    }
  return lines;
}

double
lc_paragraph_get_line (LcCanvas *canvas, const LcTextStyle *style)
{
  double width, height;

  lc_canvas_measure (canvas, style, "Ág", &width, &height);
  return height;
}

double
lc_paragraph_paint (const GPtrArray *lines, LcCanvas *canvas, const LcTextStyle *style, LcPlace place, double width)
{
  double line = lc_paragraph_get_line (canvas, style);
  LcTextStyle cut = *style;

  cut.room = width;
  for (guint i = 0; i < lines->len; i++)
    lc_canvas_text (canvas, &cut, (LcPlace){place.x, place.y + i * line}, lines->pdata[i]);
  return lines->len * line;
}
