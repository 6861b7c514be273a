/* SPDX-License-Identifier: Apache-2.0 */
/* Reads JSON that Lightcone itself has written. */
#include "json-value.h"

#include <string.h>

enum
{
  DEEPEST = 32,
};

static LcJsonValue *parse_value (const char **at, guint depth);

void
lc_json_value_free (LcJsonValue *value)
{
  g_clear_pointer (&value->members, g_ptr_array_unref);
  g_free (value->key);
  g_free (value->string);
  g_free (value);
}

static void
json_value_skip (const char **at)
{
  *at += strspn (*at, " \t\r\n");
}

static gboolean
json_value_take (const char **at, char wanted)
{
  json_value_skip (at);
  if (**at != wanted)
    return FALSE;
  (*at)++;
  return TRUE;
}

/* Reads "u" and four hexadecimal digits. */
static gboolean
parse_unit (const char **at, guint32 *unit)
{
  *unit = 0;
  if (**at != 'u')
    return FALSE;
  for (guint i = 1; i <= 4; i++)
    {
      if (!g_ascii_isxdigit ((*at)[i]))
        return FALSE;
      *unit = *unit * 16 + (guint32)g_ascii_xdigit_value ((*at)[i]);
    }
  *at += 5;
  return TRUE;
}

/* A character beyond U+FFFF is two units; an invalid one becomes a question mark. */
static gboolean
parse_escape (const char **at, GString *text)
{
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  const char *letter = **at != '\0' ? strchr (letters, **at) : NULL;
  guint32 character, second;

  if (letter != NULL)
    {
      g_string_append_c (text, meanings[letter - letters]);
      (*at)++;
      return TRUE;
    }
  if (!parse_unit (at, &character))
    return FALSE;
  if (character >> 10 == 0xd800 >> 10 && (*at)[0] == '\\')
    {
      const char *next = *at + 1;

      if (parse_unit (&next, &second) && second >> 10 == 0xdc00 >> 10)
        {
          character = 0x10000 + ((character & 0x3ff) << 10 | (second & 0x3ff));
          *at = next;
        }
    }
  g_string_append_unichar (text, character != 0 && g_unichar_validate (character) ? character : '?');
  return TRUE;
}

static char *
parse_string (const char **at)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (!json_value_take (at, '"'))
    return NULL;
  while (**at != '"')
    {
      if (**at == '\0')
        return NULL;
      if (**at == '\\')
        {
          (*at)++;
          if (!parse_escape (at, text))
            return NULL;
        }
      else
        g_string_append_c (text, *(*at)++);
    }
  (*at)++;
  return g_utf8_make_valid (text->str, -1);
}

static gboolean
parse_members (LcJsonValue *value, const char **at, guint depth)
{
  char end = value->type == LC_JSON_OBJECT ? '}' : ']';

  value->members = g_ptr_array_new_with_free_func ((GDestroyNotify)lc_json_value_free);
  if (json_value_take (at, end))
    return TRUE;
  do
    {
      g_autofree char *key = value->type == LC_JSON_OBJECT ? parse_string (at) : NULL;
      LcJsonValue *member;

      if (value->type == LC_JSON_OBJECT && (key == NULL || !json_value_take (at, ':')))
        return FALSE;
      member = parse_value (at, depth + 1);
      if (member == NULL)
        return FALSE;
      member->key = g_steal_pointer (&key);
      g_ptr_array_add (value->members, member);
    }
  while (json_value_take (at, ','));
  return json_value_take (at, end);
}

static gboolean
parse_word (LcJsonValue *value, const char **at)
{
  static const char *const words[] = {"null", "false", "true"};
  gsize length = strspn (*at, "+-0123456789.eE");

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (*at, words[i]))
      {
        value->type = (LcJsonType)i;
        *at += strlen (words[i]);
        return TRUE;
      }
  value->type = LC_JSON_NUMBER;
  value->string = g_strndup (*at, length);
  *at += length;
  return length > 0;
}

static LcJsonValue *
parse_value (const char **at, guint depth)
{
  g_autoptr (LcJsonValue) value = g_new0 (LcJsonValue, 1);
  gboolean good;

  json_value_skip (at);
  if (depth > DEEPEST)
    return NULL;
  if (**at == '"')
    {
      value->type = LC_JSON_STRING;
      value->string = parse_string (at);
      good = value->string != NULL;
    }
  else if (**at == '{' || **at == '[')
    {
      value->type = *(*at)++ == '{' ? LC_JSON_OBJECT : LC_JSON_ARRAY;
      good = parse_members (value, at, depth);
    }
  else
    good = parse_word (value, at);
  return good ? g_steal_pointer (&value) : NULL;
}

LcJsonValue *
lc_json_value_parse (const char *text, gsize *offset)
{
  const char *at = text;
  g_autoptr (LcJsonValue) value = parse_value (&at, 0);

  json_value_skip (&at);
  *offset = (gsize)(at - text);
  return value != NULL && *at == '\0' ? g_steal_pointer (&value) : NULL;
}

gboolean
lc_json_value_begins (const char *text, const char *key)
{
  const char *at = text;
  g_autofree char *first = NULL;

  if (!json_value_take (&at, '{'))
    return FALSE;
  json_value_skip (&at);
  if (*at == '"')
    first = parse_string (&at);
  return first != NULL && g_str_equal (first, key) && json_value_take (&at, ':');
}

const LcJsonValue *
lc_json_value_get (const LcJsonValue *object, const char *key, LcJsonType type)
{
  for (guint i = 0; object->type == LC_JSON_OBJECT && i < object->members->len; i++)
    {
      const LcJsonValue *member = g_ptr_array_index (object->members, i);

      if (strcmp (member->key, key) == 0)
        return member->type == type ? member : NULL;
    }
  return NULL;
}

gint64
lc_json_value_get_integer (const LcJsonValue *object, const char *key)
{
  const LcJsonValue *value = lc_json_value_get (object, key, LC_JSON_NUMBER);

  return value != NULL ? g_ascii_strtoll (value->string, NULL, 10) : 0;
}

const char *
lc_json_value_get_string (const LcJsonValue *object, const char *key)
{
  const LcJsonValue *value = lc_json_value_get (object, key, LC_JSON_STRING);

  return value != NULL ? value->string : "";
}
