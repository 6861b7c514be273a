/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the places in the source of a few events of a trace that is not merged. */
#ifndef LC_CLI_EVENT_SITES_H
#define LC_CLI_EVENT_SITES_H

#include "history/uses.h"
#include "lightcone/trace.h"

typedef struct _LcEventSites LcEventSites;

/* The trace must outlive it. */
LcEventSites *lc_event_sites_new (LcTrace *trace);
void lc_event_sites_free (LcEventSites *sites);

/* Asks for an event, more than once if need be; then lc_event_sites_find reads the events that were asked
 * for. `uses` are of all events. */
void lc_event_sites_add (LcEventSites *sites, guint32 process, guint64 ordinal);
void lc_event_sites_find (LcEventSites *sites, const LcUses *uses);

/* Asks for where a pending operation was called; also before lc_event_sites_find. */
void lc_event_sites_add_stack (LcEventSites *sites, guint32 stack);

/* If it is known where any of the events is, gives the trace the names that a history has. */
void lc_event_sites_name_trace (LcEventSites *sites);

/* Gives " in put() pipe.cpp:7", for people, or an empty text if it is not known. Free with g_free. */
char *lc_event_sites_describe (const LcEventSites *sites, guint32 process, guint64 ordinal);

/* The same of a stack that was asked for. */
char *lc_event_sites_describe_stack (const LcEventSites *sites, guint32 stack);

#endif
