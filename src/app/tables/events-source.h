/* SPDX-License-Identifier: Apache-2.0 */
/* The events of the shown processes as the rows of a table: found by a thread, and read as they are looked at. */
#ifndef LC_APP_EVENTS_SOURCE_H
#define LC_APP_EVENTS_SOURCE_H

#include "app/job.h"
#include "app/search/search-plan.h"
#include "app/tables/table-source.h"

typedef enum
{
  LC_EVENTS_BY_PROCESS, /* in the order of the rows of the diagram, then by ordinal */
  LC_EVENTS_BY_BEGIN,
  LC_EVENTS_BY_LENGTH,
  LC_EVENTS_BY_WAIT,
  LC_EVENTS_BY_SLACK,
  LC_EVENTS_ORDERS,
} LcEventsOrder;

enum
{
  LC_EVENTS_MOST = 1 << 18, /* rows, where events have to be read to be found or sorted */
};

/* The columns, in this order. */
typedef enum
{
  LC_EVENTS_PROCESS,
  LC_EVENTS_ORDINAL,
  LC_EVENTS_OPERATION,
  LC_EVENTS_OBJECT,
  LC_EVENTS_SEQUENCE,
  LC_EVENTS_BEGIN,
  LC_EVENTS_END,
  LC_EVENTS_LENGTH,
  LC_EVENTS_WAITED,
  LC_EVENTS_WOKEN,
  LC_EVENTS_PREEMPTED,
  LC_EVENTS_SLACK,
  LC_EVENTS_PLACE,
  LC_EVENTS_LAYER,
  LC_EVENTS_VALUE,
  LC_EVENTS_BYTES,
  LC_EVENTS_PEER,
  LC_EVENTS_CPU,
  LC_EVENTS_COLUMNS,
} LcEventsColumn;

/* The events that are to be listed. */
typedef struct
{
  LcShown *shown;
  gboolean in_view; /* only what touches the span */
  LcSpan span;
  GArray *terms;        /* LcSearchTerm; NULL: none */
  LcSearchNames *names; /* NULL: not made yet */
  LcEventsOrder order;
  gboolean descending;
} LcEventsAsked;

void lc_events_asked_free (gpointer asked);

/* The result. The rows are those of the source, and `n_found` events fit: more where not all are kept. */
typedef struct
{
  LcTableSource *source; /* NULL: see `problem` */
  guint64 n_found;
  char *problem;        /* why nothing was looked for, or NULL */
  char *explanation;    /* how the terms were understood, or NULL */
  LcSearchNames *names; /* or NULL */
} LcEventsFound;

/* An LcJobWork of an LcEventsAsked that returns an LcEventsFound. Nothing is read unless a filter or an order needs it:
 * then all events in view are, once. */
gpointer lc_events_source_find (gpointer asked, LcJobPermille *done, GCancellable *cancellable, GError **error);
void lc_events_found_free (gpointer found);

/* Finds an event, or the first one that begins at a time or later, among the rows. */
typedef struct
{
  LcTableSource *source;
  gboolean is_time;
  guint64 time;
  LcEventName event; /* in the order of processes, a time is looked for in its process; or LC_TRACE_NONE */
} LcEventsPlaceAsked;

void lc_events_place_asked_free (gpointer asked);

/* An LcJobWork of an LcEventsPlaceAsked that returns a guint64, to be freed with g_free: the position, or
 * G_MAXUINT64. */
gpointer lc_events_source_place (gpointer asked, LcJobPermille *done, GCancellable *cancellable, GError **error);

#endif
