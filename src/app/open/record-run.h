/* SPDX-License-Identifier: Apache-2.0 */
/* A run of `lightcone record`, with the output of the recorded program. */
#ifndef LC_APP_RECORD_RUN_H
#define LC_APP_RECORD_RUN_H

#include <gio/gio.h>

/*
 * Its signals:
 *
 *   printed (LcRecordRun *, const char *text)  output, valid UTF-8
 *   ended (LcRecordRun *)                      the run has ended, after all its output
 */
#define LC_TYPE_RECORD_RUN (lc_record_run_get_type ())
G_DECLARE_FINAL_TYPE (LcRecordRun, lc_record_run, LC, RECORD_RUN, GObject)

typedef struct
{
  const char *program;
  const char *const *arguments;   /* NULL-terminated, without the program */
  const char *const *environment; /* "NAME=VALUE", added to the browser's own environment */
  const char *folder;             /* working directory */
  const char *trace;              /* the folder to record into */
  gboolean replace;               /* a trace that is already there */
} LcRecordWish;

/* Starts a recording. NULL: it could not be started. */
LcRecordRun *lc_record_run_start (const LcRecordWish *wish, GError **error);

/* Asks the program to end, as Control-C does. */
void lc_record_run_interrupt (LcRecordRun *run);

/* Kills the program; the recording is closed all the same. */
void lc_record_run_kill (LcRecordRun *run);

const char *lc_record_run_get_trace (LcRecordRun *run);

/* Returns the microseconds since the start, or from the start to the end. */
gint64 lc_record_run_get_duration (LcRecordRun *run);

/* Once the run has ended: whether its status is 0, and a sentence about how it ended. */
gboolean lc_record_run_is_good (LcRecordRun *run);
char *lc_record_run_dup_end (LcRecordRun *run);

/* Finds `lightcone`: beside this program, or on the search path. */
char *lc_record_find_command (void);

#endif
