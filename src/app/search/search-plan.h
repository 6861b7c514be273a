/* SPDX-License-Identifier: Apache-2.0 */
/* A query and the history that it is asked of: which operations, objects and processes its names mean. */
#ifndef LC_APP_SEARCH_PLAN_H
#define LC_APP_SEARCH_PLAN_H

#include "app/search/search-query.h"
#include "app/session/shown.h"

/* The names of all objects, as they are compared. Looked up once; any thread may hold it. */
typedef struct
{
  guint32 n_objects;
  char **names;         /* folded */
  const char **classes; /* interned */
  guint64 *events;
} LcSearchNames;

LcSearchNames *lc_search_names_new (LcHistory *history, GCancellable *cancellable, GError **error);
LcSearchNames *lc_search_names_ref (LcSearchNames *names);
void lc_search_names_unref (LcSearchNames *names);

typedef struct
{
  gint64 lowest; /* both are included */
  gint64 highest;
  gboolean asked;
} LcSearchRange;

/* What an event must be to be a hit. */
typedef struct
{
  LcShown *shown;
  gboolean *operations; /* by number; NULL: all */
  gboolean *objects;    /* by number; NULL: all, and none */
  GArray *object_list;  /* guint32, those that are TRUE; NULL: all */
  gboolean *processes;  /* by number: those that are shown and asked for */
  LcSearchRange sequence;
  LcSearchRange value;
  LcSearchRange wait;
  LcSearchRange length;
  LcSearchRange bytes;
  char *explanation; /* how the query was understood */
} LcSearchPlan;

/* NULL: `problem` is a sentence: nothing has such a name. What is not shown is not found. */
LcSearchPlan *lc_search_plan_new (LcShown *shown, LcSearchNames *names, const GArray *terms, char **problem);
void lc_search_plan_free (LcSearchPlan *plan);

gboolean lc_search_plan_fits (const LcSearchPlan *plan, const LcHistoryEvent *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSearchNames, lc_search_names_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSearchPlan, lc_search_plan_free)

#endif
