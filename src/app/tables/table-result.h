/* SPDX-License-Identifier: Apache-2.0 */
/* A result in memory as the rows of a table, sorted and filtered. */
#ifndef LC_APP_TABLE_RESULT_H
#define LC_APP_TABLE_RESULT_H

#include "app/job.h"
#include "app/tables/table-source.h"

/* The rows of a result that are shown, in their order. */
typedef struct
{
  LcResult *result;
  char *filter; /* part of any of the texts of a row; upper and lower case are the same */
  gint column;  /* -1: as they came */
  gboolean descending;
} LcTableResultAsked;

void lc_table_result_asked_free (gpointer asked);

/* An LcJobWork of an LcTableResultAsked that returns an LcTableSource. */
gpointer lc_table_result_new (gpointer asked, LcJobPermille *done, GCancellable *cancellable, GError **error);

#endif
