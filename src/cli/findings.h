/* SPDX-License-Identifier: Apache-2.0 */
/* All findings about what is wrong with a trace, as text or JSON. */
#ifndef LC_CLI_FINDINGS_H
#define LC_CLI_FINDINGS_H

#include "lightcone/deadlock.h"
#include "lightcone/early-reads.h"

typedef struct _LcFindings LcFindings;

/* Reads and sweeps the whole trace, which must outlive the findings. */
LcFindings *lc_findings_new (LcTrace *trace, const LcRules *rules, GError **error);
void lc_findings_free (LcFindings *findings);

gboolean lc_findings_is_clean (const LcFindings *findings);

/* Free all with g_free. */
char *lc_findings_to_text (const LcFindings *findings);

/* Only the deadlocks, as in the text of all; "": there are none. */
char *lc_findings_deadlocks_to_text (const LcFindings *findings);
char *lc_findings_to_json (const LcFindings *findings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcFindings, lc_findings_free)

#endif
