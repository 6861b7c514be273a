/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the files of code that a trace's sites are in, and what is not known of them. */
#include "reader.h"

static void
modules_free_module (gpointer data)
{
  LcHistoryModule *module = data;

  g_free (module->path);
  g_free (module->build_id);
  g_free (module->problem);
  g_free (module);
}

GPtrArray *
lc_history_list_modules (LcHistory *history, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  LcStatement *statement = NULL;
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (modules_free_module);
  LcStep step = LC_STEP_ERROR;

  if (connection != NULL)
    statement = lc_database_prepare (lc_connection_get_database (connection),
                                     "SELECT path, build_id, problem FROM module ORDER BY id", NULL, error);
  while (statement != NULL && (step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    {
      LcHistoryModule *module = g_new0 (LcHistoryModule, 1);

      module->path = g_strdup (lc_statement_text (statement, 0));
      module->build_id = g_strdup (lc_statement_text (statement, 1));
      module->problem = g_strdup (lc_statement_text (statement, 2));
      g_ptr_array_add (list, module);
    }
  if (statement != NULL)
    lc_statement_free (statement);
  return step == LC_STEP_DONE ? g_steal_pointer (&list) : NULL;
}
