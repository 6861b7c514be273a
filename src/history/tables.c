/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the virtual tables to a database, and opens the history that they read. */
#include "tables.h"

#include <string.h>

#include "table-scan.h"

const char *const lc_tables_names[] = {"event", "arc", "span", "state", "slack", NULL};

static const LcVirtualTable *const all[] = {&lc_event_table, &lc_arc_table, &lc_span_table, &lc_state_table,
                                            &lc_slack_table};

gboolean
lc_tables_connect (gpointer data, GError **error)
{
  LcTables *tables = data;

  if (tables->n_connected == 0)
    tables->history = lc_history_new_for_database (tables->database, error);
  if (tables->history == NULL)
    return FALSE;
  tables->n_connected++;
  return TRUE;
}

void
lc_tables_disconnect (gpointer data)
{
  LcTables *tables = data;

  if (--tables->n_connected == 0)
    g_clear_pointer (&tables->history, lc_history_free);
}

static void
tables_drop (gpointer data)
{
  LcTables *tables = data;

  if (--tables->n_users == 0)
    g_free (tables);
}

gboolean
lc_tables_add (LcDatabase *database, GError **error)
{
  LcTables *tables = g_new0 (LcTables, 1);
  gboolean good;

  tables->database = database;
  tables->n_users = 1; /* keeps `tables` alive until we are done */
  good = lc_tables_connect (tables, error);
  if (good)
    lc_tables_disconnect (tables);
  for (gsize i = 0; i < G_N_ELEMENTS (all) && good; i++)
    {
      tables->n_users++;
      good = lc_database_add_table (database, all[i], tables, tables_drop, error);
    }
  tables_drop (tables);
  return good;
}

const char *
lc_tables_get_declaration (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    if (strcmp (all[i]->name, name) == 0)
      return all[i]->declaration;
  return NULL;
}
