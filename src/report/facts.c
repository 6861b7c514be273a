/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a summary, each of what it is and how much. */
#include "report/facts.h"

#include "report/format.h"

LcFact *
lc_fact_new (const char *label, char *value)
{
  LcFact *fact = g_new0 (LcFact, 1);

  fact->label = g_strdup (label);
  fact->value = value;
  return fact;
}

void
lc_fact_free (gpointer data)
{
  LcFact *fact = data;

  g_free (fact->label);
  g_free (fact->value);
  g_free (fact->share);
  g_free (fact->hint);
  g_free (fact);
}

GPtrArray *
lc_facts_new (void)
{
  return g_ptr_array_new_with_free_func (lc_fact_free);
}

LcFact *
lc_facts_take (GPtrArray *facts, const char *label, char *value)
{
  LcFact *fact = lc_fact_new (label, value);

  g_ptr_array_add (facts, fact);
  return fact;
}

char *
lc_facts_render (const GPtrArray *facts, gboolean right)
{
  const LcTableColumn columns[] = {{NULL, FALSE}, {NULL, right}, {NULL, TRUE}};
  g_autoptr (LcTable) table = lc_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < facts->len; i++)
    {
      const LcFact *fact = facts->pdata[i];

      lc_table_take (table, g_strdup (fact->label));
      lc_table_take (table, g_strdup (fact->value));
      lc_table_take (table, g_strdup (fact->share));
    }
  return lc_table_render (table, 2);
}
