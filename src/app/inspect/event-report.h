/* SPDX-License-Identifier: Apache-2.0 */
/* All that the inspector tells of an event, or of a history, looked up in a thread. */
#ifndef LC_APP_EVENT_REPORT_H
#define LC_APP_EVENT_REPORT_H

#include "app/session/listed.h"
#include "history/names.h"

typedef struct
{
  char *label;
  char *value;
  char *hint; /* or NULL */
} LcFact;

/* Where an event is on one timeline, in ns. */
typedef struct
{
  char *name;
  char *begin; /* NULL: it is not on it */
  char *end;
  char *waited;
  char *change; /* of its end; NULL: measured */
  gboolean shown;
} LcReportTimes;

typedef struct
{
  LcHistoryEvent event; /* on the timeline that is shown */
  guint32 timeline;
  char *title;
  char *process;
  GPtrArray *facts;   /* LcFact */
  char *waiting;      /* a sentence */
  LcListed *released; /* what it waited for, or NULL */
  GPtrArray *times;   /* LcReportTimes */
  char *why_title;
  GPtrArray *why;     /* LcFact; none: it did not move, or it is measured */
  GPtrArray *before;  /* LcListed, that it came after; on its own process first */
  GPtrArray *after;   /* that came after it */
  char *object;       /* or NULL */
  GPtrArray *about;   /* LcFact, of the object */
  GPtrArray *members; /* LcListed, of the same object and sequence */
} LcEventReport;

/* What to look for. */
typedef struct
{
  LcOpened *opened;
  GPtrArray *timelines; /* LcHistoryTimeline */
  guint32 timeline;     /* that is shown */
  LcKept *phases;       /* of the timeline, or NULL */
  LcEventName event;    /* on it */
} LcEventAsked;

/* Takes nothing. */
LcEventAsked *lc_event_asked_new (LcSession *session);
void lc_event_asked_free (gpointer asked);

/* As LcJobWork: LcEventReport. */
gpointer lc_event_report_new (gpointer asked, gint *done, GCancellable *cancellable, GError **error);
void lc_event_report_free (gpointer report);

/* All of it as lines of text. Free with g_free. */
char *lc_event_report_dup_text (const LcEventReport *report);

/* As LcJobWork: LcFact of the whole history, a GPtrArray. */
gpointer lc_history_facts_new (gpointer asked, gint *done, GCancellable *cancellable, GError **error);

/* "lock queue #8". Free with g_free. */
char *lc_event_dup_title (LcNames *names, const LcHistoryEvent *event);

/* "1,234 ns". Free with g_free. */
char *lc_event_dup_exact (guint64 ns);

/* An event as a row of a list: its process and time are the detail. Takes the amount. */
LcListed *lc_event_list (LcNames *names, const LcHistoryEvent *event, char *amount);

/* Takes label and value. */
LcFact *lc_fact_new (const char *label, char *value);
void lc_fact_free (gpointer fact);

#endif
