/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the value of `at` of a text trace. */
#include "text-place.h"

#include <string.h>

/* Replaces %XX in place; FALSE: there are no two digits, or the byte is 0. The text becomes UTF-8 whatever it was. */
static gboolean
text_place_decode (const char *text, gsize length, char **result)
{
  g_autoptr (GString) out = g_string_sized_new (length);

  for (gsize i = 0; i < length; i++)
    {
      int high, low;

      if (text[i] != '%')
        {
          g_string_append_c (out, text[i]);
          continue;
        }
      high = i + 2 < length ? g_ascii_xdigit_value (text[i + 1]) : -1;
      low = high >= 0 ? g_ascii_xdigit_value (text[i + 2]) : -1;
      if (low < 0 || high * 16 + low == 0)
        return FALSE;
      g_string_append_c (out, (char)(high * 16 + low));
      i += 2;
    }
  *result = g_utf8_make_valid (out->str, (gssize)out->len);
  return TRUE;
}

/* Reads FILE:LINE. */
static gboolean
text_place_read_line (const char *text, gsize length, char **file, guint32 *line)
{
  const char *colon = memrchr (text, ':', length);
  g_autofree char *digits = NULL;
  guint64 number;

  if (colon == NULL || colon == text)
    return FALSE;
  digits = g_strndup (colon + 1, (gsize)(text + length - colon - 1));
  if (!g_ascii_string_to_unsigned (digits, 10, 1, G_MAXUINT32 - 1, &number, NULL))
    return FALSE;
  *line = (guint32)number;
  return text_place_decode (text, (gsize)(colon - text), file);
}

/* Reads FUNCTION[@FILE:LINE]. The function may be empty if there is a file. */
static gboolean
text_place_read_frame (const char *frame, char **function, char **file, guint32 *line)
{
  const char *at = strchr (frame, '@');
  const gsize length = at != NULL ? (gsize)(at - frame) : strlen (frame);

  if (length == 0 && at == NULL)
    return FALSE;
  if (length > 0 && !text_place_decode (frame, length, function))
    return FALSE;
  return at == NULL || (strchr (at + 1, '@') == NULL && text_place_read_line (at + 1, strlen (at + 1), file, line));
}

static gboolean
text_place_read_site (const char *frame, LcSites *sites, guint32 *number)
{
  g_autofree char *function = NULL, *file = NULL;
  LcTraceSite site = {.module = LC_TRACE_NONE};

  if (!text_place_read_frame (frame, &function, &file, &site.line))
    return FALSE;
  site.function = function;
  site.file = file;
  if (sites != NULL)
    *number = lc_sites_add_site (sites, &site);
  return TRUE;
}

guint32
lc_text_place_read (const char *value, LcSites *sites)
{
  g_auto (GStrv) frames = g_strsplit (value, ";", -1);
  const guint n = g_strv_length (frames);
  LcTraceStack stack = {.kind = n == 1 ? LC_SITE_CALL : LC_SITE_ROOT, .parent = LC_TRACE_NONE};
  guint32 result = LC_TRACE_NONE;

  for (guint i = 0; i < n; i++)
    if (!text_place_read_site (frames[i], NULL, NULL))
      return LC_TRACE_NONE;
  for (guint i = n; i > 0; i--)
    {
      text_place_read_site (frames[i - 1], sites, &stack.site);
      result = lc_sites_add_stack (sites, &stack);
      stack.parent = result;
      stack.kind = LC_SITE_INNER;
    }
  return result;
}
