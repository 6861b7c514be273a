/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON, one value after the other. */
#include "json.h"

#include "output.h"
#include "trace/quantities.h"

static void
new_line (LcJson *json)
{
  g_string_append_printf (json->text, "\n%*s", (int)(2 * json->depth), "");
}

/* Writes the comma, the line break and the key before a value. */
static void
begin_value (LcJson *json, const char *key)
{
  char last = json->text->len > 0 ? json->text->str[json->text->len - 1] : '\0';

  if (last != '\0' && last != '{' && last != '[')
    g_string_append_c (json->text, ',');
  if (last != '\0')
    new_line (json);
  if (key != NULL)
    {
      lc_text_append_json (json->text, key);
      g_string_append (json->text, ": ");
    }
}

static void
json_begin (LcJson *json, const char *key, char bracket)
{
  begin_value (json, key);
  g_string_append_c (json->text, bracket);
  json->depth++;
}

static void
json_end (LcJson *json, char open, char close)
{
  json->depth--;
  if (json->text->str[json->text->len - 1] != open)
    new_line (json);
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
  begin_value (json, key);
  if (value != NULL)
    lc_text_append_json (json->text, value);
  else
    g_string_append (json->text, "null");
}

void
lc_json_add_count (LcJson *json, const char *key, guint64 value)
{
  begin_value (json, key);
  g_string_append_printf (json->text, "%" G_GUINT64_FORMAT, value);
}

void
lc_json_add_integer (LcJson *json, const char *key, gint64 value)
{
  begin_value (json, key);
  g_string_append_printf (json->text, "%" G_GINT64_FORMAT, value);
}

void
lc_json_add_boolean (LcJson *json, const char *key, gboolean value)
{
  begin_value (json, key);
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
  begin_value (json, key);
  g_string_append (json->text, number);
}

/* The last character is kept, since the separator before the next value depends on it. */
void
lc_json_print (LcJson *json)
{
  gsize length = json->text->len;

  if (length < 2)
    return;
  lc_output_write (json->text->str, (gssize)length - 1);
  g_string_erase (json->text, 0, (gssize)length - 1);
}

char *
lc_json_finish (LcJson *json)
{
  g_string_append_c (json->text, '\n');
  return g_string_free (json->text, FALSE);
}
