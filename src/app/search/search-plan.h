/* SPDX-License-Identifier: Apache-2.0 */
/* A query applied to a history: the operations, objects and processes that its names mean. */
#ifndef LC_APP_SEARCH_PLAN_H
#define LC_APP_SEARCH_PLAN_H

#include "app/search/search-query.h"
#include "app/session/shown.h"

/* The names of all objects, and which operations occur, prepared for comparison. Made once for a history; any thread
 * may hold it. */
typedef struct
{
  guint32 n_objects;
  char **names;         /* casefolded */
  const char **classes; /* interned */
  guint64 *events;
  gboolean *occurs; /* by number of operation: whether there are events of it */
} LcSearchNames;

LcSearchNames *lc_search_names_new (LcHistory *history, GCancellable *cancellable, GError **error);
LcSearchNames *lc_search_names_ref (LcSearchNames *names);
void lc_search_names_unref (LcSearchNames *names);

typedef struct
{
  gint64 lowest; /* inclusive, like the highest */
  gint64 highest;
  gboolean asked;
} LcSearchRange;

/* The conditions that an event must meet to be a hit. */
typedef struct
{
  LcShown *shown;
  gboolean *operations; /* by number; NULL: all */
  gboolean *objects;    /* by number; NULL: all events, even those without an object */
  GArray *object_list;  /* guint32: the numbers of the chosen objects; NULL: all */
  gboolean *processes;  /* by number: processes that are shown and match */
  gboolean *stacks;     /* by number; NULL: all events, even those without a stack */
  guint32 n_stacks;
  GArray *marked; /* LcUserMark that one of has to cover the event, events by process and ordinal before spans; NULL:
                     all events */
  LcSearchRange sequence;
  LcSearchRange value;
  LcSearchRange wait;
  LcSearchRange length;
  LcSearchRange bytes;
  char *explanation; /* describes how the query was understood */
} LcSearchPlan;

/* Makes a plan. NULL: `problem` is a sentence about a name that nothing has. Hidden events are not found. */
LcSearchPlan *lc_search_plan_new (LcShown *shown, LcSearchNames *names, const GArray *terms, char **problem);
void lc_search_plan_free (LcSearchPlan *plan);

/* `filtering` is of the shown filters. */
gboolean lc_search_plan_fits (const LcSearchPlan *plan, const LcFiltering *filtering, const LcHistoryEvent *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSearchNames, lc_search_names_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSearchPlan, lc_search_plan_free)

#endif
