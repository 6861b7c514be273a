/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a history was made from the present state of its trace. */
#ifndef LC_HISTORY_FRESHNESS_H
#define LC_HISTORY_FRESHNESS_H

#include "database.h"
#include "history-file.h"
#include "lightcone/merge.h"
#include "where/given-names.h"

/* Returns a checksum of those rules that a history depends on. */
char *lc_rules_dup_checksum (const LcRules *rules);

/* Identifies the state of a trace's files. */
typedef struct
{
  char *sizes;        /* a checksum of the files' names and sizes */
  gint64 newest;      /* the latest change of any file, ns of the Unix epoch */
  gint64 newest_part; /* the latest change of a file in a host's part */
  gint64 clocks;      /* the last change of clock.ini */
  gint64 taken;       /* the time of the look, by the clock that stamps files */
  gboolean busy;      /* the trace is being recorded */
} LcFingerprint;

void lc_fingerprint_take (LcFingerprint *fingerprint, const char *directory);
void lc_fingerprint_clear (LcFingerprint *fingerprint);

/* TRUE: the file is a complete history of this version, made from this trace by these rules and names (or NULL), and
 * nobody else could have written it. Fills all of `result` but `made`. */
gboolean lc_history_is_good (const LcHistoryFile *file, const LcFingerprint *fingerprint, const char *rules_checksum,
                             const LcGivenNames *names, LcMergeResult *result);

/* Returns what identifies the history of one run, and stays the same when timelines are added. Free with g_free. */
char *lc_history_dup_run (LcDatabase *database, GError **error);
gboolean lc_history_file_is_of_run (const LcHistoryFile *file, const char *run, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcFingerprint, lc_fingerprint_clear)

#endif
