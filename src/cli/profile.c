/* SPDX-License-Identifier: Apache-2.0 */
/* Prints profiles for people. */
#include "profile.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "report/format.h"
#include "report/rows.h"
#include "report/short-name.h"

enum
{
  KINDS = 3,
  INDENT = 2,       /* blanks before the name for each caller */
  MOST_LEVELS = 40, /* of so many, at most */
  MOST_COLUMNS = 2 + KINDS * LC_PROFILE_N_WAYS,
};

/* Titles of the columns for each way; the first way's column has the title of the kind of time instead. */
static const char *const way_titles[] = {"", N_ ("LOCAL"), N_ ("PARALLEL"), N_ ("FROM TRACE")};

static gboolean
is_told (const LcProfile *profile, guint way)
{
  return (profile->ways >> way & 1) != 0;
}

static void
add_ways (const LcProfile *profile, LcRowsColumn *columns, guint *n_columns, const char *name, const char *title)
{
  gboolean is_first = TRUE;

  for (guint way = 0; way < LC_PROFILE_N_WAYS; way++)
    if (is_told (profile, way))
      {
        columns[(*n_columns)++] = (LcRowsColumn){name, is_first ? title : _ (way_titles[way]), LC_CELL_REST};
        is_first = FALSE;
      }
}

static void
profile_add_times (LcRows *rows, const LcProfile *profile, const gint64 times[LC_PROFILE_N_WAYS])
{
  for (guint way = 0; way < LC_PROFILE_N_WAYS; way++)
    if (is_told (profile, way))
      lc_rows_add_integer (rows, times[way]);
}

static void
profile_print_totals (const LcProfile *profile)
{
  LcRowsColumn columns[LC_PROFILE_N_WAYS + 5] = {{"process", _ ("PROCESS"), LC_CELL_TEXT},
                                                 {"host", _ ("HOST"), LC_CELL_TEXT}};
  guint n_columns = 2;
  LcRows *rows;

  add_ways (profile, columns, &n_columns, "total", _ ("TOTAL"));
  columns[n_columns++] = (LcRowsColumn){"overhead", _ ("OVERHEAD"), LC_CELL_REST};
  columns[n_columns++] = (LcRowsColumn){"messages", _ ("MESSAGES"), LC_CELL_COUNT};
  rows = lc_rows_begin (LC_FORMAT_TEXT, columns, n_columns, NULL, NULL);
  for (guint i = 0; i < profile->processes->len; i++)
    {
      const LcProfileProcess *process = g_ptr_array_index (profile->processes, i);

      lc_rows_add_text (rows, process->name);
      lc_rows_add_text (rows, process->host);
      profile_add_times (rows, profile, process->total);
      lc_rows_add_integer (rows, process->overhead);
      lc_rows_add_count (rows, process->messages);
    }
  lc_rows_end (rows, 0);
}

/* A routine without a name stands for many. */
static char *
profile_dup_shown_name (const LcProfileRoutine *routine)
{
  return routine->name[0] != '\0' ? lc_short_name (routine->name) : g_strdup (_ ("(other routines)"));
}

static LcRows *
profile_begin_rows (const LcProfile *profile, const char *title, LcRowsColumn columns[MOST_COLUMNS])
{
  guint n_columns = 2;

  columns[0] = (LcRowsColumn){"name", title, LC_CELL_TEXT};
  columns[1] = (LcRowsColumn){"calls", _ ("CALLS"), LC_CELL_COUNT};
  add_ways (profile, columns, &n_columns, "inclusive", _ ("INCLUSIVE"));
  add_ways (profile, columns, &n_columns, "exclusive", _ ("EXCLUSIVE"));
  add_ways (profile, columns, &n_columns, "waiting", _ ("WAITING"));
  return lc_rows_begin (LC_FORMAT_TEXT, columns, n_columns, NULL, NULL);
}

static void
profile_add_row (LcRows *rows, const LcProfile *profile, const LcProfileRoutine *routine, const char *name)
{
  lc_rows_add_text (rows, name);
  lc_rows_add_count (rows, routine->calls);
  profile_add_times (rows, profile, routine->inclusive);
  profile_add_times (rows, profile, routine->exclusive);
  profile_add_times (rows, profile, routine->waiting);
}

static void
profile_print_routines (const LcProfile *profile, const LcProfileProcess *process, guint limit)
{
  LcRowsColumn columns[MOST_COLUMNS];
  LcRows *rows = profile_begin_rows (profile, _ ("ROUTINE"), columns);
  guint n = MIN (limit, process->routines->len);

  for (guint i = 0; i < n; i++)
    {
      const LcProfileRoutine *routine = g_ptr_array_index (process->routines, i);
      g_autofree char *name = profile_dup_shown_name (routine);

      profile_add_row (rows, profile, routine, name);
    }
  lc_rows_end (rows, process->routines->len - n);
}

/* --- Call paths ---------------------------------------------------------------------------------------------- */

static int
profile_compare_inclusive (gconstpointer a, gconstpointer b)
{
  gint64 first = *(const gint64 *)a, second = *(const gint64 *)b;

  return first < second ? 1 : first > second ? -1 : 0;
}

/* Chooses the paths with the most inclusive time, and all that lead to them. Gives whether each is among them. */
static gboolean *
profile_choose_paths (const GPtrArray *paths, guint limit, guint *n)
{
  gboolean *is_chosen = g_new0 (gboolean, paths->len + 1);
  g_autofree gint64 *times = g_new (gint64, paths->len + 1);
  gint64 least;

  *n = 0;
  for (guint i = 0; i < paths->len; i++)
    times[i] = ((const LcProfileRoutine *)g_ptr_array_index (paths, i))->inclusive[LC_PROFILE_UNCOMPENSATED];
  qsort (times, paths->len, sizeof *times, profile_compare_inclusive);
  least = limit < paths->len && limit > 0 ? times[limit - 1] : G_MININT64;
  for (guint i = paths->len; i-- > 0;)
    {
      const LcProfileRoutine *path = g_ptr_array_index (paths, i);

      is_chosen[i] = is_chosen[i] || (limit > 0 && path->inclusive[LC_PROFILE_UNCOMPENSATED] >= least);
      *n += is_chosen[i] ? 1 : 0;
      if (is_chosen[i] && path->caller != LC_PROFILE_NO_CALLER)
        is_chosen[path->caller] = TRUE;
    }
  return is_chosen;
}

/* The paths of a process, where who calls itself is one path with all that its levels have called. */
typedef struct
{
  LcProfile *profile; /* of a process that has these paths only, with the names that are shown */
  GHashTable *known;  /* the caller's number and the name -> number */
  GArray *levels;     /* guint: by number, how many there were */
} Folded;

static guint
profile_find_folded (Folded *folded, guint caller, const LcProfileRoutine *path)
{
  LcProfileProcess *process = g_ptr_array_index (folded->profile->processes, 0);
  g_autofree char *key = g_strdup_printf ("%u %s", caller, path->name), *name = NULL;
  const guint number = folded->levels->len, none = 0;
  gpointer found;

  if (g_hash_table_lookup_extended (folded->known, key, NULL, &found))
    return GPOINTER_TO_UINT (found);
  name = profile_dup_shown_name (path);
  lc_profile_process_add_path (process, caller, name, path->kind);
  g_array_append_val (folded->levels, none);
  g_hash_table_insert (folded->known, g_steal_pointer (&key), GUINT_TO_POINTER (number));
  return number;
}

static void
profile_add_to_folded (LcProfileRoutine *sum, const LcProfileRoutine *path, gboolean is_outer)
{
  sum->calls += path->calls;
  for (guint way = 0; way < LC_PROFILE_N_WAYS; way++)
    {
      sum->inclusive[way] += is_outer ? path->inclusive[way] : 0;
      sum->exclusive[way] += path->exclusive[way];
      sum->waiting[way] += path->waiting[way];
    }
}

static void
profile_name_folded (const Folded *folded, const LcProfileProcess *process)
{
  for (guint i = 0; i < folded->levels->len; i++)
    {
      LcProfileRoutine *path = g_ptr_array_index (process->paths, i);
      const guint levels = g_array_index (folded->levels, guint, i);
      char *name = levels > 1 ? g_strdup_printf ("%s ×%u", path->name, levels) : NULL;

      if (name == NULL)
        continue;
      g_free (path->name);
      path->name = name;
    }
}

static LcProfile *
profile_fold_recursion (const GPtrArray *paths)
{
  Folded folded = {lc_profile_new ("", 0), g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                   g_array_new (FALSE, FALSE, sizeof (guint))};
  LcProfileProcess *process = lc_profile_add_process (folded.profile, "");
  g_autofree guint *numbers = g_new (guint, paths->len + 1), *levels = g_new (guint, paths->len + 1);

  for (guint i = 0; i < paths->len; i++)
    {
      const LcProfileRoutine *path = g_ptr_array_index (paths, i);
      const LcProfileRoutine *caller =
          path->caller != LC_PROFILE_NO_CALLER ? g_ptr_array_index (paths, path->caller) : NULL;
      const gboolean is_again = caller != NULL && strcmp (caller->name, path->name) == 0;
      guint *most;

      numbers[i] = caller == NULL ? LC_PROFILE_NO_CALLER : numbers[path->caller];
      levels[i] = is_again ? levels[path->caller] + 1 : 1;
      if (!is_again)
        numbers[i] = profile_find_folded (&folded, numbers[i], path);
      most = &g_array_index (folded.levels, guint, numbers[i]);
      *most = MAX (*most, levels[i]);
      profile_add_to_folded (g_ptr_array_index (process->paths, numbers[i]), path, !is_again);
    }
  profile_name_folded (&folded, process);
  lc_profile_sort (folded.profile);
  g_hash_table_unref (folded.known);
  g_array_unref (folded.levels);
  return folded.profile;
}

static void
profile_print_tree (const LcProfile *profile, const GPtrArray *paths, guint limit)
{
  LcRowsColumn columns[MOST_COLUMNS];
  LcRows *rows = profile_begin_rows (profile, _ ("CALL PATH"), columns);
  guint n;
  g_autofree gboolean *is_chosen = profile_choose_paths (paths, limit, &n);
  g_autofree guint *levels = g_new (guint, paths->len + 1);

  for (guint i = 0; i < paths->len; i++)
    {
      const LcProfileRoutine *path = g_ptr_array_index (paths, i);

      levels[i] = path->caller == LC_PROFILE_NO_CALLER ? 0 : levels[path->caller] + 1;
      if (is_chosen[i])
        {
          g_autofree char *name =
              g_strdup_printf ("%*s%s", (int)(INDENT * MIN (levels[i], MOST_LEVELS)), "", path->name);

          profile_add_row (rows, profile, path, name);
        }
    }
  lc_rows_end (rows, paths->len - n);
}

static void
profile_print_paths (const LcProfile *profile, const LcProfileProcess *process, guint limit)
{
  g_autoptr (LcProfile) folded = profile_fold_recursion (process->paths);
  const LcProfileProcess *shown = g_ptr_array_index (folded->processes, 0);

  profile_print_tree (profile, shown->paths != NULL ? shown->paths : process->paths, limit);
  if (process->calls_without_path > 0)
    {
      g_autofree char *count = lc_format_count (process->calls_without_path);

      g_print (ngettext ("%s call is not here, for there are too many paths: it is among the routines.\n",
                         "%s calls are not here, for there are too many paths: they are among the routines.\n",
                         process->calls_without_path),
               count);
    }
}

static void
profile_print_too_deep (const LcProfileProcess *process)
{
  g_autofree char *count = lc_format_count (process->calls_too_deep);

  if (process->calls_too_deep > 0)
    g_print (ngettext ("%s call from more than 2,048 levels is not told.\n",
                       "%s calls from more than 2,048 levels are not told.\n", process->calls_too_deep),
             count);
}

static void
profile_print_busy (const LcProfile *profile)
{
  if (profile->others > LC_PROFILE_BUSY)
    g_print (_ ("\nOther programs had %u %% of the processors meanwhile: how long ranks had none is among all times "
                "here, so measure again when the machine is quiet.\n"),
             profile->others);
}

void
lc_profile_print (const LcProfile *profile, guint limit, gboolean by_path)
{
  profile_print_totals (profile);
  profile_print_busy (profile);
  for (guint i = 0; limit > 0 && i < profile->processes->len; i++)
    {
      const LcProfileProcess *process = g_ptr_array_index (profile->processes, i);
      g_autofree char *name = lc_format_text (process->name);

      g_print ("\n%s\n", name);
      if (by_path && process->paths != NULL)
        profile_print_paths (profile, process, limit);
      else
        profile_print_routines (profile, process, limit);
      profile_print_too_deep (process);
    }
}
