/* SPDX-License-Identifier: Apache-2.0 */
/* Reads names that a user gives to objects and processes, and puts them in the place of those that were found. */
#include "given-names.h"

#include <string.h>

enum
{
  FILE_LIMIT = 1 << 20, /* bytes */
  LONGEST_NAME = 200,   /* bytes */
};

struct _LcGivenNames
{
  char *path;
  char *text;
  GHashTable *objects;   /* variable or line -> name */
  GHashTable *processes; /* function or recorded name -> name */
};

/* --- Reading -------------------------------------------------------------------------------------------------------
 */

static gboolean
given_names_check (const LcGivenNames *names, const char *name, GError **error)
{
  if (strlen (name) <= LONGEST_NAME)
    return TRUE;
  g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE,
               "%s: the name “%.30s...” is longer than %d bytes", names->path, name, LONGEST_NAME);
  return FALSE;
}

/* Adds all that has one name. */
static gboolean
given_names_add (const LcGivenNames *names, GHashTable *to, GKeyFile *keys, const char *group, const char *name,
                 GError **error)
{
  g_auto (GStrv) places = g_key_file_get_string_list (keys, group, name, NULL, error);

  if (places == NULL)
    g_prefix_error (error, "%s: [%s] %s: ", names->path, group, name);
  if (places == NULL || !given_names_check (names, name, error))
    return FALSE;
  for (gsize i = 0; places[i] != NULL; i++)
    {
      const char *place = g_strstrip (places[i]), *other = g_hash_table_lookup (to, place);

      if (other != NULL && strcmp (other, name) != 0)
        {
          g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE,
                       "%s: [%s]: “%s” has two names, %s and %s: leave out one of them", names->path, group, place,
                       other, name);
          return FALSE;
        }
      if (*place != '\0')
        g_hash_table_insert (to, g_strdup (place), g_strdup (name));
    }
  return TRUE;
}

static gboolean
given_names_read (LcGivenNames *names, GKeyFile *keys, GError **error)
{
  g_auto (GStrv) groups = g_key_file_get_groups (keys, NULL);

  for (gsize i = 0; groups[i] != NULL; i++)
    {
      GHashTable *to = strcmp (groups[i], "objects") == 0     ? names->objects
                       : strcmp (groups[i], "processes") == 0 ? names->processes
                                                              : NULL;
      g_auto (GStrv) of_group = g_key_file_get_keys (keys, groups[i], NULL, NULL);

      if (to == NULL)
        {
          g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_GROUP_NOT_FOUND,
                       "%s: [%s]: a group is [objects] or [processes]", names->path, groups[i]);
          return FALSE;
        }
      for (gsize k = 0; of_group[k] != NULL; k++)
        if (!given_names_add (names, to, keys, groups[i], of_group[k], error))
          return FALSE;
    }
  return TRUE;
}

LcGivenNames *
lc_given_names_parse (const char *path, const char *text, gsize length, GError **error)
{
  g_autoptr (LcGivenNames) names = g_new0 (LcGivenNames, 1);
  g_autoptr (GKeyFile) keys = g_key_file_new ();

  names->path = g_strdup (path);
  names->text = g_strndup (text, length);
  names->objects = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  names->processes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!g_utf8_validate (text, (gssize)length, NULL))
    {
      g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_UNKNOWN_ENCODING,
                   "%s: no file of names: it is not in UTF-8", path);
      return NULL;
    }
  if (length > 0 && !g_key_file_load_from_data (keys, text, length, G_KEY_FILE_NONE, error))
    {
      g_prefix_error (error, "%s: ", path);
      return NULL;
    }
  return given_names_read (names, keys, error) ? g_steal_pointer (&names) : NULL;
}

LcGivenNames *
lc_given_names_load (const char *path, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL), *text = NULL;
  gsize length;

  return lc_trace_read_file (absolute, FILE_LIMIT, &text, &length, error)
             ? lc_given_names_parse (absolute, text, length, error)
             : NULL;
}

void
lc_given_names_free (LcGivenNames *names)
{
  if (names == NULL)
    return;
  g_clear_pointer (&names->objects, g_hash_table_unref);
  g_clear_pointer (&names->processes, g_hash_table_unref);
  g_free (names->path);
  g_free (names->text);
  g_free (names);
}

const char *
lc_given_names_get_path (const LcGivenNames *names)
{
  return names->path;
}

const char *
lc_given_names_get_text (const LcGivenNames *names)
{
  return names->text;
}

/* --- Giving --------------------------------------------------------------------------------------------------------
 */

/* The name of a line, of which the file may have any last part of the path. */
static const char *
given_names_find_line (const LcGivenNames *names, const LcWhereSite *site)
{
  g_autofree char *line = site->file != NULL ? g_strdup_printf ("%s:%u", site->file, site->line) : NULL;
  const char *found = NULL;

  for (const char *part = line; part != NULL && found == NULL;)
    {
      const char *slash = strchr (part, '/');

      found = g_hash_table_lookup (names->objects, part);
      part = slash != NULL ? slash + 1 : NULL;
    }
  return found;
}

static const char *
given_names_find_object (const LcGivenNames *names, const LcWhere *where, const LcTraceObject *object, guint32 id)
{
  const char *base = where->objects[id] != NULL ? where->objects[id] : object->name;
  const char *found = base != NULL ? g_hash_table_lookup (names->objects, base) : NULL;
  guint32 own = where->places[id];

  if (found != NULL || (own == LC_TRACE_NONE && object->stack >= where->stacks->len))
    return found;
  if (own == LC_TRACE_NONE)
    own = g_array_index (where->stacks, LcWhereStack, object->stack).own;
  return given_names_find_line (names, &g_array_index (where->sites, LcWhereSite, own));
}

/* A function may be told with or without its arguments. */
static const char *
given_names_find_process (const LcGivenNames *names, const LcTraceProcess *process, const char *function)
{
  g_autofree char *bare = function != NULL ? g_strndup (function, strcspn (function, "(")) : NULL;
  const char *found = g_hash_table_lookup (names->processes, process->given_name);

  if (found == NULL && function != NULL)
    found = g_hash_table_lookup (names->processes, function);
  return found == NULL && function != NULL ? g_hash_table_lookup (names->processes, bare) : found;
}

void
lc_given_names_apply (const LcGivenNames *names, const LcTrace *trace, LcWhere *where)
{
  for (guint32 i = 0; i < lc_trace_get_n_objects (trace); i++)
    {
      const char *name;
      LcTraceObject object;

      lc_trace_get_object (trace, i, &object);
      name = object.process == LC_TRACE_NONE ? given_names_find_object (names, where, &object, i) : NULL;
      if (name != NULL)
        where->objects[i] = g_string_chunk_insert_const (where->strings, name);
    }
  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    {
      const char *name = given_names_find_process (names, lc_trace_get_process (trace, i), where->processes[i]);

      where->given[i] = name != NULL ? g_string_chunk_insert_const (where->strings, name) : NULL;
    }
}
