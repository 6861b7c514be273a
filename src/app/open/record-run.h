/* SPDX-License-Identifier: Apache-2.0 */
/* A program that is being recorded: `lightcone record` and what it prints. */
#ifndef LC_APP_RECORD_RUN_H
#define LC_APP_RECORD_RUN_H

#include <gio/gio.h>

/*
 * Its signals:
 *
 *   printed (LcRecordRun *, const char *text)  valid UTF-8
 *   ended (LcRecordRun *)                      all has been printed
 */
#define LC_TYPE_RECORD_RUN (lc_record_run_get_type ())
G_DECLARE_FINAL_TYPE (LcRecordRun, lc_record_run, LC, RECORD_RUN, GObject)

typedef struct
{
  const char *program;
  const char *const *arguments;   /* NULL-terminated, without the program */
  const char *const *environment; /* "NAME=VALUE", besides what there is */
  const char *folder;             /* to work in */
  const char *trace;              /* the folder to record into */
  gboolean replace;               /* an old trace that is there */
} LcRecordWish;

/* NULL: it could not be started. */
LcRecordRun *lc_record_run_start (const LcRecordWish *wish, GError **error);

/* The program is asked to end, as by Control-C. */
void lc_record_run_interrupt (LcRecordRun *run);

/* The program is ended, whatever it does; the recording is closed all the same. */
void lc_record_run_kill (LcRecordRun *run);

const char *lc_record_run_get_trace (LcRecordRun *run);

/* Since the start, or from the start to the end: us. */
gint64 lc_record_run_get_duration (LcRecordRun *run);

/* When it has ended: whether with status 0, and a sentence that says how. */
gboolean lc_record_run_is_good (LcRecordRun *run);
char *lc_record_run_dup_end (LcRecordRun *run);

/* The program of the command line: beside this one, or on the search path. */
char *lc_record_find_command (void);

#endif
