/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles in memory and in files. */
#include "lightcone/profile.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdio.h>
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
  g_clear_pointer (&process->paths, g_ptr_array_unref);
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

static LcProfileRoutine *
profile_add_routine (GPtrArray *routines, guint caller, const char *name, const char *kind)
{
  LcProfileRoutine *routine = g_new0 (LcProfileRoutine, 1);

  routine->name = g_strdup (name);
  routine->kind = g_strdup (kind);
  routine->caller = caller;
  g_ptr_array_add (routines, routine);
  return routine;
}

LcProfileRoutine *
lc_profile_process_add (LcProfileProcess *process, const char *name, const char *kind)
{
  return profile_add_routine (process->routines, LC_PROFILE_NO_CALLER, name, kind);
}

LcProfileRoutine *
lc_profile_process_add_path (LcProfileProcess *process, guint caller, const char *name, const char *kind)
{
  if (process->paths == NULL)
    process->paths = g_ptr_array_new_with_free_func (free_routine);
  return profile_add_routine (process->paths, caller, name, kind);
}

gboolean
lc_profile_has_paths (const LcProfile *profile)
{
  for (guint i = 0; i < profile->processes->len; i++)
    if (((const LcProfileProcess *)g_ptr_array_index (profile->processes, i))->paths != NULL)
      return TRUE;
  return FALSE;
}

LcProfileWay
lc_profile_get_best_way (const LcProfile *profile)
{
  LcProfileWay way = LC_PROFILE_N_WAYS;

  while (way-- > LC_PROFILE_UNCOMPENSATED)
    if ((profile->ways >> way & 1) != 0)
      return way;
  return LC_PROFILE_UNCOMPENSATED;
}

/* --- Order ------------------------------------------------------------------------------------------------- */

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

/* The one with the most inclusive time comes last of the paths with one caller: they are taken from the end. */
static int
profile_compare_callees (gconstpointer a, gconstpointer b, gpointer data)
{
  const GPtrArray *paths = data;
  guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;
  const LcProfileRoutine *first = g_ptr_array_index (paths, left), *second = g_ptr_array_index (paths, right);

  if (first->caller != second->caller)
    return first->caller < second->caller ? -1 : 1;
  if (first->inclusive[0] != second->inclusive[0])
    return first->inclusive[0] < second->inclusive[0] ? -1 : 1;
  return left > right ? -1 : left < right;
}

/* Moves the callees of a path from `order`, where they are in one row, to the stack. */
static void
profile_push_callees (const GPtrArray *paths, const GArray *order, const guint32 *firsts, guint caller, GArray *stack)
{
  guint first = firsts[caller == LC_PROFILE_NO_CALLER ? paths->len : caller];

  for (guint i = first; i < order->len; i++)
    {
      guint32 path = g_array_index (order, guint32, i);

      if (((const LcProfileRoutine *)g_ptr_array_index (paths, path))->caller != caller)
        return;
      g_array_append_val (stack, path);
    }
}

/* Finds where in the order the callees of each path begin; those that nobody has called are at the end. */
static guint32 *
profile_find_callees (GPtrArray *paths, GArray *order)
{
  guint32 *firsts = g_new (guint32, paths->len + 1);

  for (guint32 i = 0; i < paths->len; i++)
    g_array_append_val (order, i);
  g_array_sort_with_data (order, profile_compare_callees, paths);
  for (guint i = 0; i <= paths->len; i++)
    firsts[i] = paths->len;
  for (guint i = paths->len; i-- > 0;)
    {
      guint caller = ((const LcProfileRoutine *)g_ptr_array_index (paths, g_array_index (order, guint32, i)))->caller;

      firsts[MIN (caller, paths->len)] = i;
    }
  return firsts;
}

/* A damaged file may have a chain of callers that is as long as it likes, so nothing here calls itself. */
static GPtrArray *
profile_sort_paths (GPtrArray *paths)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint32 *firsts = profile_find_callees (paths, order), *numbers = g_new (guint32, paths->len);
  GPtrArray *sorted = g_ptr_array_new_with_free_func (free_routine);

  profile_push_callees (paths, order, firsts, LC_PROFILE_NO_CALLER, stack);
  while (stack->len > 0)
    {
      guint32 path = g_array_index (stack, guint32, stack->len - 1);

      g_array_set_size (stack, stack->len - 1);
      profile_push_callees (paths, order, firsts, path, stack);
      numbers[path] = sorted->len;
      g_ptr_array_add (sorted, g_ptr_array_index (paths, path));
    }
  for (guint i = 0; i < sorted->len; i++)
    {
      LcProfileRoutine *path = g_ptr_array_index (sorted, i);

      if (path->caller != LC_PROFILE_NO_CALLER)
        path->caller = numbers[path->caller];
    }
  g_ptr_array_set_free_func (paths, NULL);
  g_ptr_array_unref (paths);
  return sorted;
}

void
lc_profile_sort (LcProfile *profile)
{
  g_ptr_array_sort (profile->processes, profile_compare_processes);
  for (guint i = 0; i < profile->processes->len; i++)
    {
      LcProfileProcess *process = g_ptr_array_index (profile->processes, i);

      g_ptr_array_sort (process->routines, compare_routines);
      if (process->paths != NULL)
        process->paths = profile_sort_paths (process->paths);
    }
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

/* Checks the begin only, so that large files of other kinds are not read. */
gboolean
lc_profile_is_file (const char *path)
{
  char begin[1024] = "";
  FILE *file = g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_fopen (path, "re") : NULL;

  if (file == NULL)
    return FALSE;
  begin[fread (begin, 1, sizeof begin - 1, file)] = '\0';
  fclose (file);
  return lc_json_value_begins (begin, "lightcone_profile");
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

static void
profile_read_routine (LcProfileRoutine *routine, const LcJsonValue *member)
{
  routine->calls = (guint64)lc_json_value_get_integer (member, "calls");
  routine->skipped = (guint64)lc_json_value_get_integer (member, "skipped");
  routine->cost = lc_json_value_get_integer (member, "cost");
  read_times (member, "inclusive", routine->inclusive);
  read_times (member, "exclusive", routine->exclusive);
  read_times (member, "waiting", routine->waiting);
}

static gboolean
profile_read_paths (LcProfileProcess *process, const LcJsonValue *object, const char *path, GError **error)
{
  const LcJsonValue *paths = lc_json_value_get (object, "paths", LC_JSON_ARRAY);

  process->calls_without_path = (guint64)lc_json_value_get_integer (object, "calls_without_path");
  for (guint i = 0; paths != NULL && i < paths->members->len; i++)
    {
      const LcJsonValue *member = g_ptr_array_index (paths->members, i);
      gint64 caller = lc_json_value_get_integer (member, "caller");

      if (caller < -1 || caller >= i)
        {
          g_autofree char *file = g_filename_display_name (path);

          g_set_error (error, LC_PROFILE_ERROR, LC_PROFILE_ERROR_FORMAT,
                       _ ("%s: call path %u has a caller that does not come before it"), file, i);
          return FALSE;
        }
      profile_read_routine (lc_profile_process_add_path (process, caller < 0 ? LC_PROFILE_NO_CALLER : (guint)caller,
                                                         lc_json_value_get_string (member, "name"),
                                                         lc_json_value_get_string (member, "kind")),
                            member);
    }
  return TRUE;
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
  process->cpu = lc_json_value_get_integer (object, "cpu");
  process->messages = (guint64)lc_json_value_get_integer (object, "messages");
  process->calls_too_deep = (guint64)lc_json_value_get_integer (object, "calls_too_deep");
  read_times (object, "total", process->total);
  for (guint i = 0; i < routines->members->len; i++)
    {
      const LcJsonValue *member = g_ptr_array_index (routines->members, i);

      profile_read_routine (lc_profile_process_add (process, lc_json_value_get_string (member, "name"),
                                                    lc_json_value_get_string (member, "kind")),
                            member);
    }
  return profile_read_paths (process, object, path, error);
}

gboolean
lc_profile_add_rank (LcProfile *profile, const char *path, GError **error)
{
  g_autoptr (LcJsonValue) value = read_json (path, error);

  if (value == NULL || !profile_read_process (profile, value, path, error))
    return FALSE;
  profile->n_ranks = MAX (profile->n_ranks, (guint)CLAMP (lc_json_value_get_integer (value, "ranks"), 0, G_MAXINT));
  return TRUE;
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
  profile->others = (guint)CLAMP (lc_json_value_get_integer (value, "others_percent"), 0, 100);
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
append_routine (LcJson *json, guint ways, const LcProfileRoutine *routine, gboolean is_path)
{
  lc_json_begin_object (json, NULL);
  if (is_path)
    lc_json_add_integer (json, "caller", routine->caller == LC_PROFILE_NO_CALLER ? -1 : (gint64)routine->caller);
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
append_paths (LcJson *json, guint ways, const LcProfileProcess *process)
{
  lc_json_add_count (json, "calls_without_path", process->calls_without_path);
  lc_json_begin_array (json, "paths");
  for (guint i = 0; i < process->paths->len; i++)
    append_routine (json, ways, g_ptr_array_index (process->paths, i), TRUE);
  lc_json_end_array (json);
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
  lc_json_add_integer (json, "cpu", process->cpu);
  lc_json_add_count (json, "messages", process->messages);
  lc_json_add_count (json, "calls_too_deep", process->calls_too_deep);
  lc_json_begin_array (json, "routines");
  for (guint i = 0; i < process->routines->len; i++)
    append_routine (json, ways, g_ptr_array_index (process->routines, i), FALSE);
  lc_json_end_array (json);
  if (process->paths != NULL)
    append_paths (json, ways, process);
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
  lc_json_add_count (&json, "others_percent", profile->others);
  lc_json_begin_array (&json, "processes");
  for (guint i = 0; i < profile->processes->len; i++)
    append_process (&json, profile->ways, g_ptr_array_index (profile->processes, i));
  lc_json_end_array (&json);
  lc_json_end_object (&json);
  return lc_json_finish (&json);
}
