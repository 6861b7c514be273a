/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a trace, as its history knows it: a title, a sentence and a place for each finding. */
#ifndef LC_REPORT_FINDINGS_H
#define LC_REPORT_FINDINGS_H

#include "history/names.h"
#include "lightcone/deadlock.h"

/* It never changes once it is found, so any thread may hold it. */
typedef struct
{
  LcTraceSeverity severity;
  guint64 count;   /* how many times */
  guint32 process; /* with `ordinal`, the event that it leads to; LC_TRACE_NONE: it leads nowhere */
  guint64 ordinal;
  char *title;    /* what it is */
  char *detail;   /* whose it is, and why; or NULL */
  char *place;    /* where in the source its event was called; or NULL */
  char *line;     /* all of it, for a terminal; NULL: another one's line tells it too */
  char *deadlock; /* of a deadlock, its processes in a few words; else NULL */
} LcFinding;

typedef struct
{
  LcHistory *history;
  LcNames *names;
  char *directory;
  GPtrArray *problems; /* LcHistoryProblem */
  LcDeadlocks *deadlocks;
  GPtrArray *list; /* LcFinding, as they are told in a terminal */
  guint64 n_wrong; /* more than notes */
  guint64 n_notes;
  gboolean has_news; /* it tells how the run ended */
} LcFindings;

/* Finds all of a history whose trace is in `directory`. The history must outlive the findings. NULL with
 * LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. */
LcFindings *lc_findings_new (LcHistory *history, const char *directory, GCancellable *cancellable, GError **error);
void lc_findings_free (LcFindings *findings);

/* A line or more for each, and one if nothing is wrong; or all that there is, for programs. Free with g_free. */
char *lc_findings_to_text (const LcFindings *findings);
char *lc_findings_to_json (const LcFindings *findings);

/* Gives the lines of deadlocks, and of ranks that wait for one which has finalized, also of a recording that goes on
 * (lc_deadlocks_find_apparent). "": there are none; NULL with `error`. Free with g_free. */
char *lc_findings_dup_apparent (LcHistory *history, const char *directory, GError **error);

/* A process that waits in a circle for the next one. Texts are those that people read. */
typedef struct
{
  const char *process, *since, *where, *operation, *object;
  const char *holder;
  const char *holder_event; /* by which it got the object, with where that was called; or NULL */
  LcBlockedReason reason;
} LcCircleWait;

/* Appends a line "  a waits since 3 ms for lock of m, which b holds (its event 7)". */
void lc_circle_wait_describe (const LcCircleWait *wait, GString *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcFindings, lc_findings_free)

#endif
