/* SPDX-License-Identifier: Apache-2.0 */
/* The inspector's reports on an event or a history, made in a thread. */
#ifndef LC_APP_EVENT_REPORT_H
#define LC_APP_EVENT_REPORT_H

#include "app/inspect/event-place.h"
#include "app/session/listed.h"
#include "history/names.h"
#include "report/facts.h"

/* The times of the event on one timeline, as texts. */
typedef struct
{
  char *name;
  char *begin; /* NULL: the event is not on this timeline */
  char *end;
  char *waited;
  char *change; /* of the end; NULL: the timeline is the measured one */
  gboolean shown;
} LcReportTimes;

typedef struct
{
  LcHistoryEvent event; /* on the shown timeline */
  guint32 timeline;
  char *title;
  char *process;
  GPtrArray *facts;          /* LcFact */
  char *waiting;             /* a sentence about what the event waited for */
  GPtrArray *holders;        /* LcFact: who held the object meanwhile, and for how long; the longest first */
  LcListed *released;        /* the event that ended the wait, or NULL */
  LcEventPlace *place;       /* where the event was called, or NULL */
  LcEventPlace *other_place; /* where that one was called, or NULL */
  char *pending;             /* title of what its process began after it and never ended, or NULL */
  char *pending_begin;       /* a sentence about when it began */
  LcEventPlace *pending_place;
  GPtrArray *times; /* LcReportTimes */
  char *why_title;
  GPtrArray *why;     /* LcFact; empty: the event has not moved, or is measured */
  GPtrArray *before;  /* LcListed: predecessors, the one on the same process first */
  GPtrArray *after;   /* LcListed: successors */
  char *object;       /* or NULL */
  GPtrArray *about;   /* LcFact about the object */
  GPtrArray *members; /* LcListed: events with the same object and sequence */
} LcEventReport;

/* The input of a report. */
typedef struct
{
  LcOpened *opened;
  GPtrArray *timelines; /* LcHistoryTimeline */
  guint32 timeline;     /* the shown timeline */
  LcKept *phases;       /* of the timeline, or NULL */
  LcEventName event;    /* on the shown timeline */
} LcEventAsked;

/* Copies or holds all that it needs of the session. */
LcEventAsked *lc_event_asked_new (LcSession *session);
void lc_event_asked_free (gpointer asked);

/* An LcJobWork that returns an LcEventReport. */
gpointer lc_event_report_new (gpointer asked, gint *done, GCancellable *cancellable, GError **error);
void lc_event_report_free (gpointer report);

/* Returns the report as lines of text. Free with g_free. */
char *lc_event_report_dup_text (const LcEventReport *report);

/* An LcJobWork that returns LcFact about the whole history in a GPtrArray. */
gpointer lc_history_facts_new (gpointer asked, gint *done, GCancellable *cancellable, GError **error);

/* Return a title like "lock queue #8", or "lock queue #8 never ended" of an event that is told only for that. Free with
 * g_free. */
char *lc_event_dup_title (LcNames *names, const LcHistoryEvent *event);
char *lc_pending_dup_title (LcNames *names, const LcTracePending *pending);

/* Makes a row for an event, with its process and time as the detail. Takes ownership of the amount. */
LcListed *lc_event_list (LcNames *names, const LcHistoryEvent *event, char *amount);

#endif
