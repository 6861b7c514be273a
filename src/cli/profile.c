/* SPDX-License-Identifier: Apache-2.0 */
/* Prints profiles for people. */
#include "profile.h"

#include <glib/gi18n.h>

#include "report/format.h"
#include "report/rows.h"

enum
{
  KINDS = 3,
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

static void
print_process (const LcProfile *profile, const LcProfileProcess *process, guint limit)
{
  LcRowsColumn columns[MOST_COLUMNS] = {{"name", _ ("ROUTINE"), LC_CELL_TEXT}, {"calls", _ ("CALLS"), LC_CELL_COUNT}};
  guint n_columns = 2, n = MIN (limit, process->routines->len);
  g_autofree char *name = lc_format_text (process->name);
  LcRows *rows;

  g_print ("\n%s\n", name);
  add_ways (profile, columns, &n_columns, "inclusive", _ ("INCLUSIVE"));
  add_ways (profile, columns, &n_columns, "exclusive", _ ("EXCLUSIVE"));
  add_ways (profile, columns, &n_columns, "waiting", _ ("WAITING"));
  rows = lc_rows_begin (LC_FORMAT_TEXT, columns, n_columns, NULL, NULL);
  for (guint i = 0; i < n; i++)
    {
      const LcProfileRoutine *routine = g_ptr_array_index (process->routines, i);

      lc_rows_add_text (rows, routine->name);
      lc_rows_add_count (rows, routine->calls);
      profile_add_times (rows, profile, routine->inclusive);
      profile_add_times (rows, profile, routine->exclusive);
      profile_add_times (rows, profile, routine->waiting);
    }
  lc_rows_end (rows, process->routines->len - n);
}

void
lc_profile_print (const LcProfile *profile, guint limit)
{
  profile_print_totals (profile);
  for (guint i = 0; i < profile->processes->len; i++)
    print_process (profile, g_ptr_array_index (profile->processes, i), limit);
}
