/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON, one value after the other. */
#include "json.h"

#include "quantities.h"

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
      lc_text_append_json (json->text, key);
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
    lc_text_append_json (json->text, value);
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
