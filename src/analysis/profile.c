/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles in memory and in files. */
#include "lightcone/profile.h"

#include <glib/gi18n.h>
#include <string.h>

#include "json-value.h"
#include "lightcone/trace.h"
#include "trace/json.h"

/* Bytes of a profile, at most; one of 10,000 processes has some 20 MB. */
#define FILE_LIMIT (256u << 20)

G_DEFINE_QUARK (lc - profile - error - quark, lc_profile_error)

/* The suffixes of the keys of a time. */
static const char *const suffixes[LC_PROFILE_N_WAYS] = {"", "_local", "_parallel", "_approximated"};

static void
free_routine (gpointer data)
{
  LcProfileRoutine *routine = data;

  g_free (routine->name);
  g_free (routine->kind);
  g_free (routine);
}

static void
free_process (gpointer data)
{
  LcProfileProcess *process = data;

  g_free (process->name);
  g_free (process->host);
  g_ptr_array_unref (process->routines);
  g_free (process);
}

LcProfile *
lc_profile_new (const char *title, guint ways)
{
  LcProfile *profile = g_new0 (LcProfile, 1);

  profile->title = g_strdup (title);
  profile->ways = ways;
  profile->processes = g_ptr_array_new_with_free_func (free_process);
  return profile;
}

void
lc_profile_free (LcProfile *profile)
{
  g_ptr_array_unref (profile->processes);
  g_free (profile->title);
  g_free (profile);
}

LcProfileProcess *
lc_profile_add_process (LcProfile *profile, const char *name)
{
  LcProfileProcess *process = g_new0 (LcProfileProcess, 1);

  process->name = g_strdup (name);
  process->host = g_strdup ("");
  process->routines = g_ptr_array_new_with_free_func (free_routine);
  g_ptr_array_add (profile->processes, process);
  return process;
}

LcProfileRoutine *
lc_profile_process_add (LcProfileProcess *process, const char *name, const char *kind)
{
  LcProfileRoutine *routine = g_new0 (LcProfileRoutine, 1);

  routine->name = g_strdup (name);
  routine->kind = g_strdup (kind);
  g_ptr_array_add (process->routines, routine);
  return routine;
}

static int
profile_compare_processes (gconstpointer a, gconstpointer b)
{
  const LcProfileProcess *first = *(LcProfileProcess *const *)a, *second = *(LcProfileProcess *const *)b;

  return first->rank < second->rank ? -1 : first->rank > second->rank;
}

static int
compare_routines (gconstpointer a, gconstpointer b)
{
  const LcProfileRoutine *first = *(LcProfileRoutine *const *)a, *second = *(LcProfileRoutine *const *)b;
  gint64 left = first->exclusive[0], right = second->exclusive[0];

  return left != right ? (left > right ? -1 : 1) : strcmp (first->name, second->name);
}

void
lc_profile_sort (LcProfile *profile)
{
  g_ptr_array_sort (profile->processes, profile_compare_processes);
  for (guint i = 0; i < profile->processes->len; i++)
    g_ptr_array_sort (((LcProfileProcess *)g_ptr_array_index (profile->processes, i))->routines, compare_routines);
}

/* --- Reading ----------------------------------------------------------------------------------------------- */

static LcJsonValue *
read_json (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  LcJsonValue *value;
  gsize offset, length;

  if (!lc_trace_read_file (path, FILE_LIMIT, &text, &length, error))
    return NULL;
  value = lc_json_value_parse (text, &offset);
  if (value == NULL)
    {
      g_autofree char *name = g_filename_display_name (path);

      g_set_error (error, LC_PROFILE_ERROR, LC_PROFILE_ERROR_FORMAT, _ ("%s: this is no profile (byte %zu)"), name,
                   offset);
    }
  return value;
}

static void
read_times (const LcJsonValue *object, const char *key, gint64 times[LC_PROFILE_N_WAYS])
{
  for (guint way = 0; way < LC_PROFILE_N_WAYS; way++)
    {
      g_autofree char *name = g_strconcat (key, suffixes[way], NULL);

      times[way] = lc_json_value_get_integer (object, name);
    }
}

static gboolean
profile_read_process (LcProfile *profile, const LcJsonValue *object, const char *path, GError **error)
{
  const LcJsonValue *routines = lc_json_value_get (object, "routines", LC_JSON_ARRAY);
  const char *name = lc_json_value_get_string (object, "name");
  g_autofree char *rank = NULL;
  LcProfileProcess *process;

  if (routines == NULL)
    {
      g_autofree char *file = g_filename_display_name (path);

      g_set_error (error, LC_PROFILE_ERROR, LC_PROFILE_ERROR_FORMAT, _ ("%s: a process has no routines"), file);
      return FALSE;
    }
  rank = g_strdup_printf ("rank %" G_GINT64_FORMAT, lc_json_value_get_integer (object, "rank"));
  process = lc_profile_add_process (profile, name[0] != '\0' ? name : rank);
  process->rank = (guint)lc_json_value_get_integer (object, "rank");
  g_free (process->host);
  process->host = g_strdup (lc_json_value_get_string (object, "host"));
  process->overhead = lc_json_value_get_integer (object, "overhead");
  process->delay = lc_json_value_get_integer (object, "delay");
  process->messages = (guint64)lc_json_value_get_integer (object, "messages");
  read_times (object, "total", process->total);
  for (guint i = 0; i < routines->members->len; i++)
    {
      const LcJsonValue *member = g_ptr_array_index (routines->members, i);
      LcProfileRoutine *routine = lc_profile_process_add (process, lc_json_value_get_string (member, "name"),
                                                          lc_json_value_get_string (member, "kind"));

      routine->calls = (guint64)lc_json_value_get_integer (member, "calls");
      routine->skipped = (guint64)lc_json_value_get_integer (member, "skipped");
      routine->cost = lc_json_value_get_integer (member, "cost");
      read_times (member, "inclusive", routine->inclusive);
      read_times (member, "exclusive", routine->exclusive);
      read_times (member, "waiting", routine->waiting);
    }
  return TRUE;
}

gboolean
lc_profile_add_rank (LcProfile *profile, const char *path, GError **error)
{
  g_autoptr (LcJsonValue) value = read_json (path, error);

  return value != NULL && profile_read_process (profile, value, path, error);
}

LcProfile *
lc_profile_load (const char *path, GError **error)
{
  g_autoptr (LcJsonValue) value = read_json (path, error);
  g_autoptr (LcProfile) profile = NULL;
  const LcJsonValue *processes;

  if (value == NULL)
    return NULL;
  processes = lc_json_value_get (value, "processes", LC_JSON_ARRAY);
  if (lc_json_value_get_integer (value, "lightcone_profile") != 1 || processes == NULL)
    {
      g_autofree char *name = g_filename_display_name (path);

      g_set_error (error, LC_PROFILE_ERROR, LC_PROFILE_ERROR_FORMAT,
                   _ ("%s: this is no profile that this version of Lightcone can read"), name);
      return NULL;
    }
  profile =
      lc_profile_new (lc_json_value_get_string (value, "title"), (guint)lc_json_value_get_integer (value, "ways"));
  for (guint i = 0; i < processes->members->len; i++)
    if (!profile_read_process (profile, g_ptr_array_index (processes->members, i), path, error))
      return NULL;
  lc_profile_sort (profile);
  return g_steal_pointer (&profile);
}

/* --- Writing ----------------------------------------------------------------------------------------------- */

static void
append_times (LcJson *json, guint ways, const char *key, const gint64 times[LC_PROFILE_N_WAYS])
{
  for (guint way = 0; way < LC_PROFILE_N_WAYS; way++)
    if (ways >> way & 1)
      {
        g_autofree char *of_way = g_strconcat (key, suffixes[way], NULL);

        lc_json_add_integer (json, of_way, times[way]);
      }
}

static void
append_routine (LcJson *json, guint ways, const LcProfileRoutine *routine)
{
  lc_json_begin_object (json, NULL);
  lc_json_add_string (json, "name", routine->name);
  lc_json_add_string (json, "kind", routine->kind);
  lc_json_add_count (json, "calls", routine->calls);
  lc_json_add_count (json, "skipped", routine->skipped);
  lc_json_add_integer (json, "cost", routine->cost);
  append_times (json, ways, "inclusive", routine->inclusive);
  append_times (json, ways, "exclusive", routine->exclusive);
  append_times (json, ways, "waiting", routine->waiting);
  lc_json_end_object (json);
}

static void
append_process (LcJson *json, guint ways, const LcProfileProcess *process)
{
  lc_json_begin_object (json, NULL);
  lc_json_add_count (json, "rank", process->rank);
  lc_json_add_string (json, "name", process->name);
  lc_json_add_string (json, "host", process->host);
  append_times (json, ways, "total", process->total);
  lc_json_add_integer (json, "overhead", process->overhead);
  lc_json_add_integer (json, "delay", process->delay);
  lc_json_add_count (json, "messages", process->messages);
  lc_json_begin_array (json, "routines");
  for (guint i = 0; i < process->routines->len; i++)
    append_routine (json, ways, g_ptr_array_index (process->routines, i));
  lc_json_end_array (json);
  lc_json_end_object (json);
}

char *
lc_profile_dup_json (const LcProfile *profile)
{
  LcJson json = LC_JSON_INIT ();

  lc_json_begin_object (&json, NULL);
  lc_json_add_count (&json, "lightcone_profile", 1);
  lc_json_add_string (&json, "title", profile->title);
  lc_json_add_count (&json, "ways", profile->ways);
  lc_json_begin_array (&json, "processes");
  for (guint i = 0; i < profile->processes->len; i++)
    append_process (&json, profile->ways, g_ptr_array_index (profile->processes, i));
  lc_json_end_array (&json);
  lc_json_end_object (&json);
  return lc_json_finish (&json);
}
