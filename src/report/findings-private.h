/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the findings share. */
#ifndef LC_REPORT_FINDINGS_PRIVATE_H
#define LC_REPORT_FINDINGS_PRIVATE_H

#include "report/findings.h"

/* Makes none yet. */
LcFindings *lc_findings_new_empty (LcHistory *history, const char *directory);

/* Adds a finding, and takes ownership of its texts. */
LcFinding *lc_findings_add (LcFindings *findings, LcTraceSeverity severity, guint64 count, char *title, char *detail);

/* A finding without an event of its own leads to the end of its process. */
void lc_finding_lead_to_end (LcFinding *finding, const LcFindings *findings, guint32 process);

/* Texts for people; free them with g_free. A title is "lock queue #8", an event "17 in put() pipe.cpp:7" or "17", and a
 * place NULL if none is known. */
char *lc_findings_dup_process (const LcFindings *findings, guint32 process);
char *lc_findings_dup_object (const LcFindings *findings, guint32 object);
char *lc_findings_dup_title (const LcFindings *findings, const char *operation, guint32 object, gboolean has_sequence,
                             gint64 sequence);
char *lc_findings_name_event (const LcFindings *findings, guint32 process, guint64 ordinal);
char *lc_findings_dup_place (const LcFindings *findings, guint32 stack);

/* Finds where an event was called; LC_TRACE_NONE if it is not known. */
guint32 lc_findings_find_stack (const LcFindings *findings, guint32 process, guint64 ordinal);

/* findings-deadlocks.c: deadlocks and other waits that never end; and a note for each operation that never ended. */
void lc_findings_add_deadlocks (LcFindings *findings);
void lc_findings_add_blocked (LcFindings *findings);

#endif
