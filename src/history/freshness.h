/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a history is that of a trace as it is now. */
#ifndef LC_HISTORY_FRESHNESS_H
#define LC_HISTORY_FRESHNESS_H

#include "database.h"
#include "history-file.h"
#include "lightcone/merge.h"

/* A checksum of all that the rules say. */
char *lc_rules_dup_checksum (const LcRules *rules);

/* What tells one state of a trace's files from another. */
typedef struct
{
  char *sizes;        /* a checksum of their names and sizes */
  gint64 newest;      /* when one of them was changed last, ns of the Unix epoch */
  gint64 newest_part; /* the same of those in the parts of several hosts */
  gint64 clocks;      /* the same of clock.ini */
  gint64 taken;       /* when we looked: by the clock that files are stamped with */
  gboolean busy;      /* it is being recorded */
} LcFingerprint;

void lc_fingerprint_take (LcFingerprint *fingerprint, const char *directory);
void lc_fingerprint_clear (LcFingerprint *fingerprint);

/*
 * TRUE: the file is a whole history of this version, of the trace and the rules, and nobody else has had a hand in it.
 * Fills what a merge tells, but `made`.
 */
gboolean lc_history_is_good (const LcHistoryFile *file, const LcFingerprint *fingerprint, const char *rules_checksum,
                             LcMergeResult *result);

/* What tells the history of one run from that of another, whatever was added to it. Free with g_free. */
char *lc_history_dup_run (LcDatabase *database, GError **error);
gboolean lc_history_file_is_of_run (const LcHistoryFile *file, const char *run, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcFingerprint, lc_fingerprint_clear)

#endif
