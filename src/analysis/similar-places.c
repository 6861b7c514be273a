/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the places of a history whose names are most like one that nothing has. */
#include "similar-places.h"

#include <stdlib.h>
#include <string.h>

enum
{
  LISTED = 3,
  LONGEST = 64, /* characters of a name that are compared */
};

typedef struct
{
  char *name;
  guint distance;
} Similar;

static void
similar_clear (gpointer data)
{
  g_free (((Similar *)data)->name);
}

static int
similar_compare (gconstpointer a, gconstpointer b)
{
  const Similar *one = a, *other = b;

  if (one->distance != other->distance)
    return one->distance < other->distance ? -1 : 1;
  return strcmp (one->name, other->name);
}

/* --- Distances ------------------------------------------------------------------------------------------------- */

/* Counts the characters to insert, leave out or replace that make one text the other. */
static guint
similar_count_edits (const char *one, const char *other)
{
  const gsize n = MIN (strlen (one), LONGEST), m = MIN (strlen (other), LONGEST);
  guint row[LONGEST + 1];

  for (guint k = 0; k <= m; k++)
    row[k] = k;
  for (gsize i = 1; i <= n; i++)
    {
      guint before = row[0];

      row[0] = (guint)i;
      for (gsize k = 1; k <= m; k++)
        {
          const guint replaced = before + (g_ascii_tolower (one[i - 1]) != g_ascii_tolower (other[k - 1]));

          before = row[k];
          row[k] = MIN (replaced, MIN (row[k], row[k - 1]) + 1);
        }
    }
  return row[m];
}

/* A name that has the wanted one in it, or is in it, is nearer than its length says. */
static guint
similar_get_distance (const char *name, const char *wanted)
{
  g_autofree char *folded = g_utf8_casefold (name, -1), *wanted_folded = g_utf8_casefold (wanted, -1);

  if (strstr (folded, wanted_folded) != NULL || strstr (wanted_folded, folded) != NULL)
    return 1;
  return 1 + similar_count_edits (name, wanted);
}

/* --- Names ------------------------------------------------------------------------------------------------------- */

/* Gives the last part of a function's name: "put" of "Queue<long>::put(long)". */
static char *
similar_dup_function (const char *function)
{
  const char *from = function, *at = function;
  int depth = 0;

  for (; *at != '\0' && !(depth == 0 && *at == '(' && at > from); at++)
    {
      depth += *at == '<' ? 1 : *at == '>' ? -1 : 0;
      if (depth == 0 && *at == ':')
        from = at + 1;
    }
  return g_strndup (from, (gsize)(at - from));
}

static char *
similar_dup_name (const LcHistorySite *site, LcPlaceKind kind)
{
  const char *text = kind == LC_PLACE_FUNCTION ? site->function : kind == LC_PLACE_MODULE ? site->module : site->file;

  if (text == NULL)
    return NULL;
  return kind == LC_PLACE_FUNCTION ? similar_dup_function (text) : g_path_get_basename (text);
}

static void
similar_add (GArray *list, GHashTable *seen, char *name, guint distance)
{
  const Similar found = {name, distance};

  if (name != NULL && *name != '\0' && g_hash_table_add (seen, g_strdup (name)))
    g_array_append_val (list, found);
  else
    g_free (name);
}

/* --- Lists ------------------------------------------------------------------------------------------------------- */

/* `name` is "FILE:LINE", and only lines of files of this name are near. */
static void
similar_add_line (GArray *list, GHashTable *seen, const LcHistorySite *site, const char *name)
{
  const char *colon = strrchr (name, ':');
  g_autofree char *file = colon != NULL ? g_strndup (name, (gsize)(colon - name)) : g_strdup (name);
  g_autofree char *wanted = g_path_get_basename (file), *base = NULL;
  const guint64 line = colon != NULL ? g_ascii_strtoull (colon + 1, NULL, 10) : 0;

  if (site->file == NULL || site->line == 0)
    return;
  base = g_path_get_basename (site->file);
  if (g_ascii_strcasecmp (base, wanted) == 0)
    similar_add (list, seen, g_strdup_printf ("%s:%u", base, site->line),
                 (guint)MIN (line > site->line ? line - site->line : site->line - line, G_MAXUINT));
}

char *
lc_similar_places_list (LcHistory *history, LcPlaceKind kind, const char *name)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (Similar));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *wanted = kind == LC_PLACE_FUNCTION ? similar_dup_function (name) : g_path_get_basename (name);
  g_autoptr (GString) text = g_string_new (NULL);

  g_array_set_clear_func (list, similar_clear);
  for (guint32 i = 0; i < lc_history_get_n_sites (history); i++)
    {
      const LcHistorySite *site = lc_history_get_site (history, i);
      char *found;

      if (site->is_library)
        continue;
      if (kind == LC_PLACE_LINE)
        {
          similar_add_line (list, seen, site, name);
          continue;
        }
      found = similar_dup_name (site, kind);
      similar_add (list, seen, found, found != NULL ? similar_get_distance (found, wanted) : 0);
    }
  g_array_sort (list, similar_compare);
  for (guint i = 0; i < MIN (list->len, LISTED); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", g_array_index (list, Similar, i).name);
  return list->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}
