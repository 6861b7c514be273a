/* SPDX-License-Identifier: Apache-2.0 */
/* The filter of operations. */
#include <glib/gi18n-lib.h>

#include "draw/filters/choice.h"
#include "draw/filters/filter-options.h"
#include "trace/quantities.h"

#define WITHOUT "without-operations"

static gboolean
operations_filter_read (LcFilters *filters, LcHistory *history, guint32 timeline, const char *const *words,
                        GError **error)
{
  filters->operations = lc_choose_operations (history, words[0], error);
  return filters->operations != NULL;
}

/* A name of an operation may be that of one in another class, which is not chosen: that cannot be said. */
static gboolean
operations_filter_say (const LcFilters *filters, LcHistory *history, LcOptionWords *words, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GString) list = g_string_new (NULL);
  guint32 n = lc_history_get_n_operations (history);

  if (filters->operations == NULL)
    return TRUE;
  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      if (operation == NULL || !filters->operations[i] || !g_hash_table_add (names, (gpointer)operation->name))
        continue;
      words->unsaid |= !lc_filter_is_plain (operation->name);
      g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "", operation->name);
    }
  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      words->unsaid |= operation != NULL && !filters->operations[i] && g_hash_table_contains (names, operation->name);
    }
  words->unsaid |= list->len == 0;
  if (list->len > 0)
    lc_option_words_add (words, lc_filter_option_operations.option, list->str);
  return TRUE;
}

static char *
operations_filter_dup_text (const LcFilters *filters, LcNames *names, guint most)
{
  LcHistory *history = lc_names_get_history (names);
  g_autoptr (GPtrArray) chosen = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *joined = NULL;

  if (filters->operations == NULL)
    return NULL;
  for (guint32 i = 0; i < lc_history_get_n_operations (history); i++)
    if (filters->operations[i])
      g_ptr_array_add (chosen, lc_format_text (lc_names_operation (names, i)));
  if (chosen->len == 0)
    return g_strdup (_ ("no operation"));
  joined = lc_filter_join (chosen, most);
  return g_strdup_printf (_ ("only %s"), joined);
}

/* Those that are left out are kept, so that an operation which is new later is shown. */
static void
operations_filter_save (const LcFilters *filters, LcHistory *history, GKeyFile *state, const char *group)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint32 i = 0; filters->operations != NULL && i < lc_history_get_n_operations (history); i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      if (operation != NULL && operation->name != NULL && !filters->operations[i])
        g_ptr_array_add (names, (gpointer)operation->name);
    }
  if (names->len > 0)
    g_key_file_set_string_list (state, group, WITHOUT, (const char *const *)names->pdata, names->len);
}

static void
operations_filter_load (LcFilters *filters, LcHistory *history, guint32 timeline, GKeyFile *state, const char *group)
{
  guint32 n = lc_history_get_n_operations (history);
  g_auto (GStrv) names = g_key_file_get_string_list (state, group, WITHOUT, NULL, NULL);
  gboolean *with;

  if (names == NULL)
    return;
  filters->operations = with = g_new (gboolean, n + 1);
  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      with[i] = operation == NULL || operation->name == NULL ||
                !g_strv_contains ((const char *const *)names, operation->name);
    }
}

const LcFilterOption lc_filter_option_operations = {
    .option = "operations",
    .argument = N_ ("LIST"),
    .help = N_ ("Only events of these: names, patterns, classes"),
    .read = operations_filter_read,
    .say = operations_filter_say,
    .dup_text = operations_filter_dup_text,
    .save = operations_filter_save,
    .load = operations_filter_load,
};
