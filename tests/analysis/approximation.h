/* SPDX-License-Identifier: Apache-2.0 */
/* Small text traces, approximated without a history, as text to compare. */
#ifndef APPROXIMATION_H
#define APPROXIMATION_H

#include "lightcone/approximate.h"

typedef struct
{
  char *directory;
  LcTrace *trace;
  LcRules *rules;
} TextTrace;

/* Of names of processes, each followed by the lines of its events; NULL-terminated. `ini` is trace.ini, or NULL. */
TextTrace *text_trace_new (const char *const *files, const char *ini);
void text_trace_free (TextTrace *trace);

/* The costs of trace.ini and of the settings; estimated where `estimated` says so. */
LcCosts *text_trace_get_costs (TextTrace *trace, const char *const *settings, gboolean estimated);

/*
 * Each process in a line of "BEGIN-END" for each event, with "wN" if it waits for N ns, and "*" if it is reordered.
 * `report`, or NULL, gets the counts.
 */
char *text_trace_approximate (TextTrace *trace, const LcCosts *costs, const LcApproximateOptions *options,
                              LcApproximation *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TextTrace, text_trace_free)

#endif
