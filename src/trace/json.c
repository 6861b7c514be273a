/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON, one value after the other. */
#include "json.h"

#include "quantities.h"

static void
json_append_escape (GString *to, gunichar character)
{
  if (character >= 0x10000)
    g_string_append_printf (to, "\\u%04x\\u%04x", 0xd800 + ((character - 0x10000) >> 10), 0xdc00 + (character & 0x3ff));
  else
    g_string_append_printf (to, "\\u%04x", character);
}

/* Bytes that are not UTF-8 are replaced. Characters that cannot be seen are escaped, as in lc_format_text, so that
 * nothing is lost. */
static void
json_append_text (GString *to, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (to, '"');
  for (const char *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar character = g_utf8_get_char (at);

      if (character == '"' || character == '\\')
        g_string_append_printf (to, "\\%c", (char)character);
      else if (lc_text_is_visible (character))
        g_string_append_unichar (to, character);
      else
        json_append_escape (to, character);
    }
  g_string_append_c (to, '"');
}

static void
json_new_line (LcJson *json)
{
  if (!json->is_compact)
    g_string_append_printf (json->text, "\n%*s", (int)(2 * json->depth), "");
}

/* Writes the comma, the line break and the key before a value. */
static void
json_begin_value (LcJson *json, const char *key)
{
  char last = json->text->len > 0 ? json->text->str[json->text->len - 1] : '\0';

  if (last != '\0' && last != '{' && last != '[')
    g_string_append_c (json->text, ',');
  if (last != '\0')
    json_new_line (json);
  if (key != NULL)
    {
      json_append_text (json->text, key);
      g_string_append (json->text, json->is_compact ? ":" : ": ");
    }
}

static void
json_begin (LcJson *json, const char *key, char bracket)
{
  json_begin_value (json, key);
  g_string_append_c (json->text, bracket);
  json->depth++;
}

static void
json_end (LcJson *json, char open, char close)
{
  json->depth--;
  if (json->text->str[json->text->len - 1] != open)
    json_new_line (json);
  g_string_append_c (json->text, close);
}

void
lc_json_begin_object (LcJson *json, const char *key)
{
  json_begin (json, key, '{');
}

void
lc_json_end_object (LcJson *json)
{
  json_end (json, '{', '}');
}

void
lc_json_begin_array (LcJson *json, const char *key)
{
  json_begin (json, key, '[');
}

void
lc_json_end_array (LcJson *json)
{
  json_end (json, '[', ']');
}

void
lc_json_add_string (LcJson *json, const char *key, const char *value)
{
  json_begin_value (json, key);
  if (value != NULL)
    json_append_text (json->text, value);
  else
    g_string_append (json->text, "null");
}

void
lc_json_add_count (LcJson *json, const char *key, guint64 value)
{
  json_begin_value (json, key);
  g_string_append_printf (json->text, "%" G_GUINT64_FORMAT, value);
}

void
lc_json_add_integer (LcJson *json, const char *key, gint64 value)
{
  json_begin_value (json, key);
  g_string_append_printf (json->text, "%" G_GINT64_FORMAT, value);
}

void
lc_json_add_boolean (LcJson *json, const char *key, gboolean value)
{
  json_begin_value (json, key);
  g_string_append (json->text, value ? "true" : "false");
}

void
lc_json_add_null (LcJson *json, const char *key)
{
  lc_json_add_string (json, key, NULL);
}

void
lc_json_add_number (LcJson *json, const char *key, const char *number)
{
  json_begin_value (json, key);
  g_string_append (json->text, number);
}

void
lc_json_add_real (LcJson *json, const char *key, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  lc_json_add_number (json, key, g_ascii_formatd (buffer, sizeof buffer, "%.15g", value));
}

/* The last character is kept, since the separator before the next value depends on it. */
char *
lc_json_take (LcJson *json)
{
  const gsize length = json->text->len;
  char *taken = length >= 2 ? g_strndup (json->text->str, length - 1) : NULL;

  if (taken != NULL)
    g_string_erase (json->text, 0, (gssize)length - 1);
  return taken;
}

char *
lc_json_finish (LcJson *json)
{
  if (!json->is_compact)
    g_string_append_c (json->text, '\n');
  return g_string_free (json->text, FALSE);
}
