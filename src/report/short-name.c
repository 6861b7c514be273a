/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions that are short enough for a table. */
#include "report/short-name.h"

#include <string.h>

enum
{
  LONGEST = 60,         /* characters */
  KEPT_AT_END = 29,     /* of those, where the middle is left out */
  MOST_WORK = 16 << 10, /* bytes of a name of which arguments are looked for */
};

#define LEFT_OUT "…"
#define STRING "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> "

static gboolean
short_name_is_long (const GString *name)
{
  return g_utf8_strlen (name->str, (gssize)name->len) > LONGEST;
}

/* Demanglers differ in the blank between two brackets. */
static void
short_name_replace_strings (GString *name)
{
  g_autofree char *narrow = g_strndup (STRING, strlen (STRING) - 1);
  g_autofree char *other = g_strconcat (narrow, ">", NULL);

  g_string_replace (name, STRING ">", "std::string", 0);
  g_string_replace (name, other, "std::string", 0);
}

/* Whether what is before a bracket makes it a part of an operator's name: operator<, operator<<, operator->. */
static gboolean
short_name_is_operator (const char *name, const char *bracket)
{
  const char *begin = bracket;

  while (begin > name && strchr ("<>-=", begin[-1]) != NULL)
    begin--;
  return begin - name >= 8 && strncmp (begin - 8, "operator", 8) == 0;
}

/* Replaces the arguments of the template that is in most others, the first of them. FALSE: there is none. */
static gboolean
short_name_collapse (GString *name)
{
  g_autoptr (GArray) begins = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize first = 0, length = 0;
  guint deepest = 0;

  for (gsize i = 0; i < name->len; i++)
    {
      if (strchr ("<>", name->str[i]) == NULL || short_name_is_operator (name->str, name->str + i) ||
          (i > 0 && name->str[i] == '>' && name->str[i - 1] == '-'))
        continue;
      if (g_str_has_prefix (name->str + i, "<" LEFT_OUT ">"))
        i += strlen (LEFT_OUT) + 1;
      else if (name->str[i] == '<')
        g_array_append_val (begins, i);
      else if (begins->len > 0)
        {
          if (begins->len > deepest)
            {
              deepest = begins->len;
              first = g_array_index (begins, gsize, begins->len - 1) + 1;
              length = i - first;
            }
          g_array_set_size (begins, begins->len - 1);
        }
    }
  if (deepest == 0)
    return FALSE;
  g_string_erase (name, (gssize)first, (gssize)length);
  g_string_insert (name, (gssize)first, LEFT_OUT);
  return TRUE;
}

static void
short_name_cut (GString *name)
{
  const char *from = g_utf8_offset_to_pointer (name->str, LONGEST - KEPT_AT_END - 1);
  const char *to = g_utf8_offset_to_pointer (name->str + name->len, -KEPT_AT_END);
  gssize at = from - name->str;

  g_string_erase (name, at, to - from);
  g_string_insert (name, at, LEFT_OUT);
}

char *
lc_short_name (const char *function)
{
  g_autofree char *valid = g_utf8_make_valid (function, -1);
  g_autoptr (GString) name = g_string_new (valid);

  short_name_replace_strings (name);
  while (name->len <= MOST_WORK && short_name_is_long (name) && short_name_collapse (name))
    ;
  if (short_name_is_long (name))
    short_name_cut (name);
  return g_string_free (g_steal_pointer (&name), FALSE);
}
