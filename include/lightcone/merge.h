/* SPDX-License-Identifier: Apache-2.0 */
/* Making the execution history of a trace, and finding one that has been made. */
#ifndef LIGHTCONE_MERGE_H
#define LIGHTCONE_MERGE_H

#include "lightcone/history.h"
#include "lightcone/where.h"

G_BEGIN_DECLS

typedef struct
{
  double fraction; /* done, 0 to 1 */
  guint64 events;
  double seconds_left; /* below 0: not known yet */
} LcMergeProgress;

/* Called some ten times a second, from the thread that called lc_merge; FALSE cancels. */
typedef gboolean (*LcMergeReport) (const LcMergeProgress *progress, gpointer data);

typedef struct
{
  const char *const *rules; /* further files of rules, NULL-terminated; or NULL */
  const char *names;        /* a file of names (see lc_merge_name), or NULL */
  gboolean again;           /* merge even if there is a good history */
  LcMergeReport report;     /* or NULL */
  gpointer data;
  GCancellable *cancellable; /* or NULL */

  /*
   * For a look at a long trace while all of it is being merged: a history of some so many events from the beginning
   * (LcSweepPart), at `path`, which nobody takes for the trace's own; the caller removes it. It is always made. What is
   * cut off is not read: no problem, and no process is said to wait at its end. G_MAXUINT64: all, but at `path`, as for
   * a trace that is being recorded. 0: all.
   */
  guint64 most_events;
  const char *path; /* only with most_events */
} LcMergeOptions;

typedef struct
{
  gboolean made;    /* FALSE: there was a good history already */
  gboolean cut;     /* most_events: the trace has more */
  gboolean growing; /* the trace is still being recorded: merged as far as it has come, and merged again next time */
  guint64 events;
  guint64 arcs;
  guint64 layers;
  guint64 problems; /* events that could not be resolved as the rules say, and problems of the trace */
  guint64 lost;     /* events that the recorder could not keep */
  guint64 bytes;    /* of the history file */
} LcMergeResult;

/*
 * Where the history of the trace in `directory` is or goes: `history.lightcone` in it, or in the user's cache when
 * nothing may be written there. Free with g_free.
 */
char *lc_merge_dup_path (const char *directory);

/* Return the folders of the rules for all traces of the user, and of those of a trace. Free with g_free. */
char *lc_merge_dup_user_rules (void);
char *lc_merge_dup_trace_rules (const char *directory);

/* The built-in rules, the user's, the trace's, and these files. */
LcRules *lc_merge_load_rules (const char *directory, const char *const *files, GError **error);

/* Whether the rules are good when one of the files in those folders is as `instead` says. */
gboolean lc_merge_check_rules (const char *directory, const char *const *files, const LcRulesFile *instead,
                               GError **error);

/*
 * Gives the objects and processes of a trace the names of a file, in `where`: of the file `asked`; or if that is NULL
 * of $LIGHTCONE_NAMES; or else of the file that the trace's history was made with, as that is now, or as it was if it
 * is gone. Empty: no names. FALSE with LC_TRACE_ERROR, G_FILE_ERROR or G_KEY_FILE_ERROR: the file cannot be read.
 */
gboolean lc_merge_name (const char *directory, const char *asked, const LcTrace *trace, LcWhere *where, GError **error);

/*
 * Makes the history if there is none that is good: of this version, whole, of these rules and names, no older than the
 * trace. It is made aside and renamed when it is complete, so that the old one or none is there at any moment. The same
 * trace gives the same bytes. FALSE with LC_TRACE_ERROR, LC_RULES_ERROR, LC_HISTORY_ERROR, or G_IO_ERROR_CANCELLED.
 */
gboolean lc_merge (const char *directory, const LcMergeOptions *options, LcMergeResult *result, GError **error);

/* Merges the trace if need be, and opens its history. */
LcHistory *lc_merge_open (const char *directory, const LcMergeOptions *options, GError **error);

G_END_DECLS

#endif
