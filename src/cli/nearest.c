/* SPDX-License-Identifier: Apache-2.0 */
/* Names that are like a word that is none of them. */
#include "nearest.h"

#include <glib/gi18n.h>
#include <string.h>

enum
{
  MOST_NAMED = 3,
};

typedef struct
{
  const char *name;
  gsize distance;
} Near;

gsize
lc_nearest_distance (const char *from, const char *to)
{
  gsize length = strlen (to), best;
  g_autofree gsize *row = g_new (gsize, length + 1);

  for (gsize j = 0; j <= length; j++)
    row[j] = j;
  for (gsize i = 0; from[i] != '\0'; i++)
    {
      gsize diagonal = row[0];

      row[0] = i + 1;
      for (gsize j = 0; j < length; j++)
        {
          best = diagonal + (from[i] != to[j]);
          best = MIN (best, MIN (row[j], row[j + 1]) + 1);
          diagonal = row[j + 1];
          row[j + 1] = best;
        }
    }
  return row[length];
}

static int
nearest_compare (gconstpointer a, gconstpointer b)
{
  const Near *one = a, *other = b;

  if (one->distance != other->distance)
    return one->distance < other->distance ? -1 : 1;
  return strcmp (one->name, other->name);
}

/* A name is similar if a third of the word, or one character more, makes it that name, or if it begins with the word.
 */
char *
lc_nearest_dup_hint (const char *word, const GPtrArray *names)
{
  g_autoptr (GArray) similar = g_array_new (FALSE, FALSE, sizeof (Near));
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      const Near near = {name, lc_nearest_distance (word, name)};

      if (near.distance <= 1 + strlen (word) / 3 || (word[0] != '\0' && g_str_has_prefix (name, word)))
        g_array_append_val (similar, near);
    }
  if (similar->len == 0)
    return g_strdup ("");
  g_array_sort (similar, nearest_compare);
  for (guint i = 0; i < MIN (similar->len, MOST_NAMED); i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", g_array_index (similar, Near, i).name);
  return g_strdup_printf (_ (" (did you mean %s?)"), list->str);
}
