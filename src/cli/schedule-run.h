/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program whose threads take turns, by chance or by orders, and says how it ended. */
#ifndef LC_CLI_SCHEDULE_RUN_H
#define LC_CLI_SCHEDULE_RUN_H

#include <glib.h>

#include "lightcone/schedule-plan.h"

typedef enum
{
  LC_RUN_EXITED,
  LC_RUN_SIGNALLED,
  LC_RUN_DEADLOCKED, /* all threads waited for each other; it was killed */
  LC_RUN_HUNG,       /* it had not ended when the patience was over; it was killed */
  LC_RUN_SILENT,     /* the library was not loaded into it */
} LcRunEnd;

typedef struct
{
  LcRunEnd end;
  int number; /* of the exit status, or of the signal */
} LcRunOutcome;

typedef struct
{
  char **command;
  char *library;
  char *path; /* of the plan */
  struct lc_schedule_header *plan;
  gint64 patience;    /* us */
  const char *output; /* the file that the program writes to; NULL: where we do */
  const char *trace;  /* the trace to record, or NULL */
  GArray *threads;    /* struct lc_schedule_thread: those of the orders; the first is the program's first */
  GArray *orders;     /* struct lc_schedule_order */
  guint64 seed;       /* 0: nothing is left to chance */
  guint32 depth;
  guint64 length;
} LcScheduleRun;

/* The library that `lightcone record` loads into a program behind the recorder. */
#define LC_SCHEDULE_LIBRARY_ENVIRONMENT "LIGHTCONE_SCHEDULE_LIBRARY"

/* Makes the plan's file in this folder. FALSE: it cannot be. */
gboolean lc_schedule_run_begin (LcScheduleRun *run, const char *folder, char **command, GError **error);
void lc_schedule_run_end (LcScheduleRun *run);

/* From then on signals that end this process end the program first; gives the one that has come, or 0. */
void lc_schedule_run_catch (void);
int lc_schedule_run_get_signal (void);

/* Runs the program once. FALSE: it could not be started. */
gboolean lc_schedule_run (const LcScheduleRun *run, LcRunOutcome *outcome, GError **error);

/* Gives "exit 3", "signal 6", "deadlock" or "hang". */
char *lc_run_outcome_to_text (const LcRunOutcome *outcome);

/* Reads that. FALSE: it is none of these. */
gboolean lc_run_outcome_parse (const char *text, LcRunOutcome *outcome);

gboolean lc_run_outcome_is_same (const LcRunOutcome *one, const LcRunOutcome *other);

#endif
