/* SPDX-License-Identifier: Apache-2.0 */
/* The parser of search queries: words, and terms such as object:m2, seq:17, wait>1ms. */
#include "app/search/search-query.h"
#include "trace/quantities.h"

#include <glib/gi18n.h>
#include <string.h>

typedef enum
{
  VALUE_NAME,
  VALUE_NUMBER,
  VALUE_BOTH,
  VALUE_DURATION,
  VALUE_SIZE,
} Value;

typedef struct
{
  const char *name;
  const char *also; /* synonym of the key, or NULL */
  LcSearchKind kind;
  Value value;
  const char *example;
  const char *meaning; /* to be translated */
} Key;

static const Key keys[] = {
    {"operation", NULL, LC_SEARCH_OPERATION, VALUE_NAME, "operation:lock", N_ ("what was done")},
    {"object", NULL, LC_SEARCH_OBJECT, VALUE_NAME, "object:m2", N_ ("which object")},
    {"class", NULL, LC_SEARCH_CLASS, VALUE_NAME, "class:mutex", N_ ("objects of a class")},
    {"process", "thread", LC_SEARCH_PROCESS, VALUE_NAME, "process:worker-3", N_ ("by whom")},
    {"from", NULL, LC_SEARCH_FROM, VALUE_NAME, "from:3", N_ ("messages from a rank")},
    {"to", NULL, LC_SEARCH_TO, VALUE_NAME, "to:3", N_ ("messages to a rank")},
    {"sequence", "#", LC_SEARCH_SEQUENCE, VALUE_NUMBER, "seq:17", N_ ("sequence number, also 10..20")},
    {"tag", "value", LC_SEARCH_TAG, VALUE_BOTH, "tag:5", N_ ("a tag with this value")},
    {"region", NULL, LC_SEARCH_REGION, VALUE_NAME, "region:solve", N_ ("begin and end of a region")},
    {"called", "in", LC_SEARCH_CALLED, VALUE_NAME, "in:pipe.cpp:7", N_ ("in a function, file, line or module")},
    {"marked", "mark", LC_SEARCH_MARKED, VALUE_NAME, "marked:odd", N_ ("what you have marked")},
    {"wait", "waited", LC_SEARCH_WAIT, VALUE_DURATION, "wait>1ms", N_ ("what waited so long")},
    {"took", "length", LC_SEARCH_LENGTH, VALUE_DURATION, "took>20us", N_ ("what took so long")},
    {"bytes", "size", LC_SEARCH_BYTES, VALUE_SIZE, "bytes>4k", N_ ("what moves so much")},
};

const char *
lc_search_query_get_key (guint number, const char **example, const char **meaning)
{
  if (number >= G_N_ELEMENTS (keys))
    return NULL;
  *example = keys[number].example;
  *meaning = _ (keys[number].meaning);
  return keys[number].name;
}

/* --- Words ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  char *text;
  gboolean quoted; /* quoted from its first character on, so never a term */
} Word;

static void
clear_word (gpointer word)
{
  g_free (((Word *)word)->text);
}

static GArray *
search_query_split (const char *text)
{
  GArray *words = g_array_new (FALSE, TRUE, sizeof (Word));
  const char *c = text;

  g_array_set_clear_func (words, clear_word);
  while (*c != '\0')
    {
      g_autoptr (GString) string = g_string_new (NULL);
      Word word = {.quoted = *c == '"'};
      gboolean inside = FALSE;

      for (; *c != '\0' && (inside || !g_ascii_isspace (*c)); c++)
        if (*c == '"')
          inside = !inside;
        else
          g_string_append_c (string, *c);
      while (g_ascii_isspace (*c))
        c++;
      if (string->len == 0)
        continue;
      word.text = g_strdup (string->str);
      g_array_append_val (words, word);
    }
  return words;
}

/* --- Terms ------------------------------------------------------------------------------------------------------- */

static gboolean
search_query_begins (const char *name, const char *typed, gsize length)
{
  return name != NULL && length > 0 && length <= strlen (name) && g_ascii_strncasecmp (name, typed, length) == 0;
}

/* Finds the key at the begin of a word, and sets `rest` to the text after it; NULL: there is none. A single letter does
 * not abbreviate a key, because names of objects may begin with a letter and a colon. */
static const Key *
find_key (const char *text, const char **rest)
{
  gsize length = strcspn (text, ":=<>");

  if (text[0] == '#')
    length = g_ascii_isdigit (text[1]) ? 1 : 0;
  *rest = text + length;
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if ((length > 1 && search_query_begins (keys[i].name, text, length)) ||
        (keys[i].also != NULL && length == strlen (keys[i].also) && search_query_begins (keys[i].also, text, length)))
      return &keys[i];
  return NULL;
}

/* Reads ":", "=", "<", "<=", ">", ">=", ":>" and so on; the last sign counts. */
static const char *
read_comparison (const char *rest, char *sign, gboolean *equal)
{
  *sign = '=';
  *equal = TRUE;
  for (; *rest != '\0' && strchr (":=<>", *rest) != NULL; rest++)
    if (*rest == '<' || *rest == '>')
      {
        *sign = *rest;
        *equal = FALSE;
      }
    else if (*rest == '=')
      *equal = TRUE;
  return rest;
}

/* Reads a unit: "4k", "4KiB" and "4kB" are 4096 bytes. FALSE: the unit is unknown, or the number overflows. */
static gboolean
read_unit (const char *text, gint64 *number)
{
  static const char units[] = "kmgt";
  const char *unit = *text != '\0' ? strchr (units, g_ascii_tolower (*text)) : NULL;
  gint64 factor = unit != NULL ? G_GINT64_CONSTANT (1) << (10 * (unit - units + 1)) : 1;

  if (unit != NULL)
    text += g_ascii_tolower (text[1]) == 'i' ? 2 : 1;
  if (g_ascii_tolower (*text) == 'b')
    text++;
  if (*text != '\0' || *number > G_MAXINT64 / factor || *number < G_MININT64 / factor)
    return FALSE;
  *number *= factor;
  return TRUE;
}

static gboolean
search_query_read_number (const char *text, Value value, gint64 *number)
{
  char *end;
  guint64 ns;

  if (value == VALUE_DURATION)
    {
      if (!lc_parse_time (text, &ns))
        return FALSE;
      *number = (gint64)ns;
      return TRUE;
    }
  *number = g_ascii_strtoll (text, &end, 0);
  return end != text && (value == VALUE_SIZE ? read_unit (end, number) : *end == '\0');
}

static gboolean
read_range (LcSearchTerm *term, Value value, char sign, gboolean equal)
{
  const char *dots = strstr (term->text, "..");
  g_autofree char *first = dots != NULL ? g_strndup (term->text, (gsize)(dots - term->text)) : NULL;
  gint64 number;

  term->lowest = value == VALUE_DURATION ? 0 : G_MININT64;
  term->highest = G_MAXINT64;
  if (dots != NULL)
    return (*first == '\0' || search_query_read_number (first, value, &term->lowest)) &&
           (dots[2] == '\0' || search_query_read_number (dots + 2, value, &term->highest));
  if (!search_query_read_number (term->text, value, &number))
    return FALSE;
  if (sign == '>' || (sign == '=' && value == VALUE_DURATION))
    term->lowest = !equal && number < G_MAXINT64 ? number + 1 : number;
  else if (sign == '<')
    term->highest = !equal && number > G_MININT64 ? number - 1 : number;
  else
    term->lowest = term->highest = number;
  return TRUE;
}

static char *
describe_problem (const Key *key, const char *text)
{
  if (*text == '\0')
    return g_strdup_printf (_ ("Something is missing after “%s”: for example %s"), key->name, key->example);
  if (key->value == VALUE_DURATION)
    return g_strdup_printf (_ ("“%s” is no duration: for example %s"), text, key->example);
  return g_strdup_printf (_ ("“%s” is no number: for example %s"), text, key->example);
}

static gboolean
read_term (const Word *word, LcSearchTerm *term, char **problem)
{
  const char *rest = NULL;
  const Key *key = word->quoted ? NULL : find_key (word->text, &rest);
  gboolean equal;
  char sign;

  if (key == NULL || (*rest == '\0' && word->text[0] != '#'))
    {
      /* A number means a sequence, but may also be part of a name. */
      term->text = g_strdup (word->text);
      term->number = !word->quoted && read_range (term, VALUE_NUMBER, '=', TRUE);
      return TRUE;
    }
  rest = read_comparison (rest, &sign, &equal);
  term->kind = key->kind;
  term->text = g_strdup (rest);
  if (key->value != VALUE_NAME && *rest != '\0')
    term->number = read_range (term, key->value, sign, equal);
  if (*rest != '\0' && (term->number || key->value == VALUE_NAME || (key->value == VALUE_BOTH && sign == '=')))
    return TRUE;
  *problem = describe_problem (key, rest);
  return FALSE;
}

/* --- Blanks within terms ----------------------------------------------------------------------------------------- */

static void
append_next (GArray *words, guint place)
{
  Word *word = &g_array_index (words, Word, place), *next = &g_array_index (words, Word, place + 1);
  char *joined = g_strconcat (word->text, next->text, NULL);

  g_free (word->text);
  word->text = joined;
  g_array_remove_index (words, place + 1);
}

static gboolean
belongs_together (const Word *word, const Word *next)
{
  const char *rest;
  const Key *key = word->quoted ? NULL : find_key (word->text, &rest);

  if (key == NULL)
    return FALSE;
  if (!next->quoted && strchr ("<>=", next->text[0]) != NULL) /* as in "wait >1ms" */
    return key->value != VALUE_NAME || *rest == '\0';
  if (*rest == '\0')
    return FALSE;
  if (rest[strspn (rest, ":=<>")] == '\0') /* as in "wait> 1ms" */
    return TRUE;
  return key->value == VALUE_DURATION && lc_is_time_unit (next->text) &&
         g_ascii_isdigit (word->text[strlen (word->text) - 1]); /* as in "wait>1 ms" */
}

static void
close_gaps (GArray *words)
{
  for (guint i = 0; i + 1 < words->len;)
    if (belongs_together (&g_array_index (words, Word, i), &g_array_index (words, Word, i + 1)))
      append_next (words, i);
    else
      i++;
}

static void
search_query_clear_term (gpointer term)
{
  g_free (((LcSearchTerm *)term)->text);
}

GArray *
lc_search_query_parse (const char *text, char **problem)
{
  g_autoptr (GArray) terms = g_array_new (FALSE, TRUE, sizeof (LcSearchTerm));
  g_autoptr (GArray) words = search_query_split (text);

  g_array_set_clear_func (terms, search_query_clear_term);
  close_gaps (words);
  for (guint i = 0; i < words->len; i++)
    {
      LcSearchTerm term = {.kind = LC_SEARCH_WORD};
      gboolean good = read_term (&g_array_index (words, Word, i), &term, problem);

      g_array_append_val (terms, term);
      if (!good)
        return NULL;
    }
  return g_steal_pointer (&terms);
}
