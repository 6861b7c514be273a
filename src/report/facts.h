/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a summary, each of what it is and how much. */
#ifndef LC_REPORT_FACTS_H
#define LC_REPORT_FACTS_H

#include <glib.h>

typedef struct
{
  char *label;
  char *value; /* NULL: there is none */
  char *share; /* of the whole, or NULL */
  char *hint;  /* says it more exactly, or NULL */
} LcFact;

/* Takes ownership of the value, and copies the label. */
LcFact *lc_fact_new (const char *label, char *value);
void lc_fact_free (gpointer fact);

/* Makes a list of LcFact, which owns them. */
GPtrArray *lc_facts_new (void);

/* Adds a line. Takes ownership of the value; the fact belongs to the list. */
LcFact *lc_facts_take (GPtrArray *facts, const char *label, char *value);

/* Gives the lines for a terminal. `right`: values are aligned as numbers are. Free with g_free. */
char *lc_facts_render (const GPtrArray *facts, gboolean right);

#endif
