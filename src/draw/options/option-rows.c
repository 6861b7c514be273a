/* SPDX-License-Identifier: Apache-2.0 */
/* The options of processes and of their rows. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "draw/filters/choice.h"
#include "draw/options/view-options.h"
#include "draw/picture-private.h"
#include "lightcone/groups.h"
#include "trace/quantities.h"

/* --- Processes ---------------------------------------------------------------------------------------------------- */

static void
option_rows_set_processes (LcOptionValues *values, const guint32 *processes, guint32 n_processes)
{
  lc_selection_set_rows (&values->options.selection,
                         &(LcSelection){.processes = processes, .n_processes = n_processes});
}

static gboolean
processes_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  g_autoptr (GArray) numbers = lc_choose_processes (values->history, words[0], error);

  if (numbers == NULL)
    return FALSE;
  option_rows_set_processes (values, (const guint32 *)(const void *)numbers->data, numbers->len);
  return TRUE;
}

static gboolean
processes_are_all (const LcSelection *selection, const LcHistory *history)
{
  gboolean all = selection->processes == NULL || selection->n_processes == lc_history_get_n_processes (history);

  for (guint32 i = 0; all && selection->processes != NULL && i < selection->n_processes; i++)
    all = selection->processes[i] == i;
  return all;
}

/* Consecutive processes are written as ranges: 0-3,7. */
static char *
processes_dup_word (const LcViewOption *option, const LcPictureOptions *options, LcOptionCommand *command)
{
  const LcSelection *selection = &options->selection;
  const guint32 *processes = selection->processes;
  GString *list;

  if (processes_are_all (selection, command->history))
    return NULL;
  list = g_string_new (NULL);
  for (guint32 i = 0, last; i < selection->n_processes; i = last + 1)
    {
      for (last = i; last + 1 < selection->n_processes && processes[last + 1] == processes[last] + 1;)
        last++;
      g_string_append_printf (list, "%s%u", list->len > 0 ? "," : "", processes[i]);
      if (last > i)
        g_string_append_printf (list, "-%u", processes[last]);
    }
  return g_string_free (list, FALSE);
}

static void
processes_save (const LcViewOption *option, const LcPictureOptions *options, const LcOptionState *state)
{
  const LcSelection *selection = &options->selection;
  g_autofree const char **names = g_new (const char *, selection->n_processes + 1);

  if (processes_are_all (selection, state->history))
    return;
  for (guint32 i = 0; i < selection->n_processes; i++)
    names[i] = lc_history_get_process (state->history, selection->processes[i])->name;
  g_key_file_set_string_list (state->file, state->group, option->key, names, selection->n_processes);
}

/* No process may be shown twice. */
static void
processes_load (const LcViewOption *option, LcOptionValues *values, const LcOptionState *state)
{
  guint32 n_all = lc_history_get_n_processes (state->history), n = 0;
  gsize n_names = 0;
  g_auto (GStrv) names = g_key_file_get_string_list (state->file, state->group, option->key, &n_names, NULL);
  g_autoptr (GHashTable) rest = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree guint32 *processes = g_new (guint32, n_names + 1);
  gpointer number;

  for (guint32 i = 0; i < n_all; i++)
    g_hash_table_insert (rest, (gpointer)lc_history_get_process (state->history, i)->name, GUINT_TO_POINTER (i));
  for (gsize i = 0; i < n_names; i++)
    if (g_hash_table_lookup_extended (rest, names[i], NULL, &number))
      {
        processes[n++] = GPOINTER_TO_UINT (number);
        g_hash_table_remove (rest, names[i]);
      }
  if (names != NULL && (n > 0 || n_names == 0))
    option_rows_set_processes (values, processes, n);
}

static gboolean
processes_equal (const LcViewOption *option, const LcPictureOptions *a, const LcPictureOptions *b, LcHistory *history)
{
  return lc_selection_equal_rows (&a->selection, &b->selection);
}

static char *
option_rows_dup_processes (const LcPicture *picture)
{
  const LcSelection *selection = &picture->context.options.selection;
  guint32 n = lc_history_get_n_processes (picture->context.history);
  g_autofree char *all = lc_format_count (n), *some = lc_format_count (selection->n_processes), *name = NULL;

  if ((picture->view->info.traits & LC_VIEW_PROCESS) != 0 && selection->n_processes > 0)
    {
      guint32 process =
          picture->view->get_process != NULL ? picture->view->get_process (picture->model) : selection->processes[0];

      name = lc_format_text (lc_names_process (picture->context.names, process));
      return g_strdup_printf (_ ("process %s of %s"), name, all);
    }
  if (n == 1)
    return g_strdup_printf (ngettext ("%s process", "%s processes", n), all);
  if (selection->n_processes == n)
    return g_strdup_printf (ngettext ("all %s process", "all %s processes", n), all);
  return g_strdup_printf (ngettext ("%s of %s process", "%s of %s processes", n), some, all);
}

/* Gives "all 12 processes in 3 rows". */
char *
lc_option_dup_rows (const LcViewOption *option, const LcPictureOptions *options, const LcOptionTelling *telling)
{
  const LcSelection *selection = &options->selection;
  g_autofree char *processes = option_rows_dup_processes (telling->picture),
                  *rows = lc_format_count (selection->n_row_ends);

  if (selection->row_ends == NULL || selection->n_row_ends == selection->n_processes)
    return g_steal_pointer (&processes);
  return g_strdup_printf (ngettext ("%s in %s row", "%s in %s rows", selection->n_row_ends), processes, rows);
}

const LcOptionKind lc_option_processes = {.needs_history = TRUE,
                                          .read = processes_read,
                                          .dup_word = processes_dup_word,
                                          .save = processes_save,
                                          .load = processes_load,
                                          .equal = processes_equal};

/* --- Rows of several processes ------------------------------------------------------------------------------------ */

static const struct
{
  const char *name;
  LcGroups *(*group) (const LcHistory *history, const guint32 *processes, guint32 n_processes);
} ways[] = {{"host", lc_groups_by_host}, {"prefix", lc_groups_by_prefix}, {"all", lc_groups_of_all}};

static LcSelection
collapse_get_rows (const LcGroups *groups)
{
  return (LcSelection){.processes = groups->processes,
                       .n_processes = groups->n_processes,
                       .row_ends = groups->row_ends,
                       .n_row_ends = groups->n_groups,
                       .row_names = (const char *const *)groups->names};
}

/* Collapses the processes that are chosen. */
static gboolean
collapse_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  LcSelection *selection = &values->options.selection;

  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    if (strcmp (words[0], ways[i].name) == 0)
      {
        g_autoptr (LcGroups) groups = ways[i].group (values->history, selection->processes, selection->n_processes);
        const LcSelection rows = collapse_get_rows (groups);

        lc_selection_set_rows (selection, &rows);
        return TRUE;
      }
  return lc_option_refuse (error, _ ("--collapse %s: it has to be host, prefix or all"), words[0]);
}

/* Whether groups make the rows of a selection, and name them as it does. */
static gboolean
collapse_makes (const LcGroups *groups, const LcSelection *selection, const LcHistory *history)
{
  LcSelection rows = collapse_get_rows (groups);
  gboolean same;

  if (selection->processes == NULL && processes_are_all (&rows, history))
    rows.processes = NULL;
  same = lc_selection_equal_rows (&rows, selection);
  for (guint32 i = 0, first = 0; same && i < groups->n_groups; first = groups->row_ends[i++])
    {
      g_autofree char *name = lc_groups_dup_name (history, &groups->processes[first], groups->row_ends[i] - first);

      same = strcmp (selection->row_names != NULL ? selection->row_names[i] : name, groups->names[i]) == 0;
    }
  return same;
}

static char *
collapse_dup_word (const LcViewOption *option, const LcPictureOptions *options, LcOptionCommand *command)
{
  const LcSelection *selection = &options->selection;

  if (selection->row_ends == NULL)
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autoptr (LcGroups) groups = ways[i].group (command->history, selection->processes, selection->n_processes);

      if (collapse_makes (groups, selection, command->history))
        return g_strdup (ways[i].name);
    }
  command->words.unsaid = TRUE;
  return NULL;
}

/* Rows are kept as indexes into the list of processes, so they fit only a list that is complete. */
static void
collapse_save (const LcViewOption *option, const LcPictureOptions *options, const LcOptionState *state)
{
  const LcSelection *selection = &options->selection;

  if (selection->row_ends != NULL)
    g_key_file_set_integer_list (state->file, state->group, option->key, (int *)selection->row_ends,
                                 selection->n_row_ends);
}

static void
collapse_load (const LcViewOption *option, LcOptionValues *values, const LcOptionState *state)
{
  LcSelection rows = values->options.selection;
  guint32 n = rows.processes != NULL ? rows.n_processes : lc_history_get_n_processes (state->history);
  gsize n_ends = 0;
  g_autofree int *ends = g_key_file_get_integer_list (state->file, state->group, option->key, &n_ends, NULL);
  gboolean rising = n_ends > 0;

  for (gsize i = 0; i < n_ends; i++)
    rising = rising && ends[i] > (i > 0 ? ends[i - 1] : 0);
  if (!rising || (guint32)ends[n_ends - 1] != n)
    return;
  rows.row_ends = (const guint32 *)ends;
  rows.n_row_ends = (guint32)n_ends;
  rows.row_names = NULL;
  lc_selection_set_rows (&values->options.selection, &rows);
}

const LcOptionKind lc_option_collapse = {.needs_history = TRUE,
                                         .read = collapse_read,
                                         .dup_word = collapse_dup_word,
                                         .save = collapse_save,
                                         .load = collapse_load,
                                         .equal = processes_equal};
