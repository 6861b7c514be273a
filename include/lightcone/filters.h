/* SPDX-License-Identifier: Apache-2.0 */
/* Filters: which events of a history are asked for. */
#ifndef LIGHTCONE_FILTERS_H
#define LIGHTCONE_FILTERS_H

#include "lightcone/called.h"
#include "lightcone/history.h"
#include "lightcone/inside.h"
#include "lightcone/slacks.h"

G_BEGIN_DECLS

/*
 * All filters of a question, each of which may be unset. An event is asked for if each one that is set lets it through.
 * Filters that were assigned borrow what they point at; those that were copied with lc_filters_copy own it.
 */
typedef struct
{
  const gboolean *operations; /* by number: only events of those that are TRUE; NULL: of all */
  const guint32 *objects; /* only events on these; NULL: on all, also on none. An empty array lets nothing through */
  guint32 n_objects;
  LcInside *inside;   /* only events inside these regions and after these tags; NULL: all */
  LcCalled *called;   /* only events called in this place; NULL: all */
  guint64 least_wait; /* ns: only events that waited so long; 0: all */
  LcSlacks *slacks;   /* only events with no more slack than `most_slack`; NULL: all */
  guint64 most_slack; /* ns */
} LcFilters;

enum
{
  LC_FILTERS_MOST = 8, /* kinds of filters, at most */
};

/* Makes `copy` own all that `filters` points at. A history has `n_operations`; it may be 0 if that filter is unset. */
void lc_filters_copy (LcFilters *copy, const LcFilters *filters, guint32 n_operations);

/* Frees what filters own, and unsets them. */
void lc_filters_clear (LcFilters *filters);

/* Whether any filter is set. */
gboolean lc_filters_are_set (const LcFilters *filters);

gboolean lc_filters_equal (const LcFilters *a, const LcFilters *b, guint32 n_operations);

/* --- Asking them ------------------------------------------------------------------------------------------------- */

typedef struct _LcFiltering LcFiltering;

typedef gboolean (*LcFilterTest) (const LcFiltering *filtering, const LcHistoryEvent *event);

/* Filters that have been made ready for many events, with the tests of those that are set. */
struct _LcFiltering
{
  const LcFilters *filters;
  gboolean *objects; /* by number, whether the filters let it through; NULL: all */
  guint32 n_objects;
  guint n_tests;
  LcFilterTest tests[LC_FILTERS_MOST];
};

/* Makes filters ready, which may mean to look through the history for what they let through. They have to outlive
 * `filtering`, which lc_filtering_end frees, also after FALSE with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. Any thread
 * may do it, several at once for the same filters. */
gboolean lc_filtering_begin (LcFiltering *filtering, const LcFilters *filters, LcHistory *history,
                             GCancellable *cancellable, GError **error);
void lc_filtering_end (LcFiltering *filtering);

/* Whether the filters let an event through, whatever timeline of the history it is on. */
static inline gboolean
lc_filtering_has (const LcFiltering *filtering, const LcHistoryEvent *event)
{
  for (guint i = 0; i < filtering->n_tests; i++)
    if (!filtering->tests[i](filtering, event))
      return FALSE;
  return TRUE;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcFilters, lc_filters_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcFiltering, lc_filtering_end)

G_END_DECLS

#endif
