/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of processes: by the beginnings of their names, and by the hosts that they ran on. */
#include "lightcone/groups.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "trace/quantities.h"

#define SEPARATORS " \t-_.,:;#/|([{"
#define CLOSERS ")]}"

static gboolean
is_separator (char letter)
{
  return letter != '\0' && strchr (SEPARATORS, letter) != NULL;
}

/* The length of a name without the number at its end; the whole length if there is no number. */
static gsize
length_of_stem (const char *name)
{
  gsize length = strlen (name), end = length;

  while (length > 0 && strchr (CLOSERS, name[length - 1]) != NULL)
    length--;
  if (length == 0 || !g_ascii_isdigit (name[length - 1]))
    return end;
  while (length > 0 && g_ascii_isdigit (name[length - 1]))
    length--;
  while (length > 0 && is_separator (name[length - 1]))
    length--;
  return length;
}

static const char *
groups_name_of (const LcHistory *history, guint32 process)
{
  const char *name = lc_history_get_process (history, process)->name;

  return name != NULL ? name : "";
}

/* --- Names of groups ---------------------------------------------------------------------------------------------- */

/* Gives "worker (6)", or "6 processes" if there is no name. */
static char *
name_several (const char *name, gsize length, guint32 n)
{
  g_autofree char *cut = g_strndup (name, length), *clean = lc_format_text (cut), *count = lc_format_count (n);

  if (length == 0)
    return g_strdup_printf (ngettext ("%s process", "%s processes", n), count);
  /* TRANSLATORS: what several processes are called together, and how many they are. */
  return g_strdup_printf (_ ("%s (%s)"), clean, count);
}

/* Whether a word ends at `length`. */
static gboolean
is_edge (const char *name, gsize length)
{
  return name[length] == '\0' || is_separator (name[length]);
}

/* The length of the whole words that all names begin with. */
static gsize
find_common (const LcHistory *history, const guint32 *processes, guint32 n)
{
  const char *first = groups_name_of (history, processes[0]);
  gsize length = strlen (first);
  gboolean edge = TRUE;

  for (guint32 i = 1; i < n; i++)
    {
      const char *name = groups_name_of (history, processes[i]);
      gsize same = 0;

      while (same < length && first[same] == name[same])
        same++;
      length = same;
    }
  do
    {
      edge = TRUE;
      for (guint32 i = 0; i < n && edge; i++)
        edge = is_edge (groups_name_of (history, processes[i]), length);
      edge = edge && !(length > 0 && is_separator (first[length - 1]));
    }
  while (length > 0 && !edge && length-- > 0);
  return length;
}

char *
lc_groups_dup_name (const LcHistory *history, const guint32 *processes, guint32 n_processes)
{
  const char *first;
  gsize stem;

  g_return_val_if_fail (n_processes > 0, NULL);
  first = groups_name_of (history, processes[0]);
  if (n_processes == 1)
    return lc_format_text (first);
  stem = length_of_stem (first);
  for (guint32 i = 1; i < n_processes; i++)
    {
      const char *name = groups_name_of (history, processes[i]);

      if (length_of_stem (name) != stem || strncmp (name, first, stem) != 0)
        return name_several (first, find_common (history, processes, n_processes), n_processes);
    }
  return name_several (first, stem, n_processes);
}

/* --- Grouping --------------------------------------------------------------------------------------------------------
 */

/* The key that the processes of a group have in common. Free it with g_free. */
typedef char *(*DupKey) (const LcHistory *history, guint32 process);

static char *
dup_host (const LcHistory *history, guint32 process)
{
  const char *host = lc_history_get_process (history, process)->host;

  return g_strdup (host != NULL ? host : "");
}

static char *
dup_prefix (const LcHistory *history, guint32 process)
{
  const char *name = groups_name_of (history, process);

  return g_strndup (name, length_of_stem (name));
}

static char *
dup_nothing (const LcHistory *history, guint32 process)
{
  return g_strdup ("");
}

/* Gives a GArray of process numbers for each group, in the order of `keys`. */
static GPtrArray *
groups_collect (const LcHistory *history, const guint32 *processes, guint32 n, DupKey dup_key, GPtrArray *keys)
{
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *groups = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);

  for (guint32 i = 0; i < n; i++)
    {
      guint32 process = processes != NULL ? processes[i] : i;
      char *key = dup_key (history, process);
      GArray *group = g_hash_table_lookup (by_key, key);

      if (group == NULL)
        {
          group = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_ptr_array_add (groups, group);
          g_ptr_array_add (keys, g_strdup (key));
          g_hash_table_insert (by_key, key, group);
        }
      else
        g_free (key);
      g_array_append_val (group, process);
    }
  return groups;
}

static LcGroups *
groups_make (const LcHistory *history, const guint32 *processes, guint32 n_processes, DupKey dup_key)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free), collected = NULL;
  LcGroups *groups = g_new0 (LcGroups, 1);
  guint32 n = processes != NULL ? n_processes : lc_history_get_n_processes (history);

  collected = groups_collect (history, processes, n, dup_key, keys);
  groups->processes = g_new (guint32, MAX (n, 1));
  groups->row_ends = g_new (guint32, MAX (collected->len, 1));
  groups->names = g_new0 (char *, collected->len + 1);
  groups->n_groups = collected->len;
  for (guint i = 0; i < collected->len; i++)
    {
      const GArray *group = collected->pdata[i];
      const guint32 *numbers = (const guint32 *)(const void *)group->data;
      const char *key = keys->pdata[i];

      memcpy (groups->processes + groups->n_processes, numbers, group->len * sizeof *numbers);
      groups->n_processes += group->len;
      groups->row_ends[i] = groups->n_processes;
      groups->names[i] = group->len > 1 && key[0] != '\0' ? name_several (key, strlen (key), group->len)
                                                          : lc_groups_dup_name (history, numbers, group->len);
    }
  return groups;
}

LcGroups *
lc_groups_by_host (const LcHistory *history, const guint32 *processes, guint32 n_processes)
{
  return groups_make (history, processes, n_processes, dup_host);
}

LcGroups *
lc_groups_by_prefix (const LcHistory *history, const guint32 *processes, guint32 n_processes)
{
  return groups_make (history, processes, n_processes, dup_prefix);
}

LcGroups *
lc_groups_of_all (const LcHistory *history, const guint32 *processes, guint32 n_processes)
{
  return groups_make (history, processes, n_processes, dup_nothing);
}

void
lc_groups_free (LcGroups *groups)
{
  if (groups == NULL)
    return;
  g_free (groups->processes);
  g_free (groups->row_ends);
  g_strfreev (groups->names);
  g_free (groups);
}
