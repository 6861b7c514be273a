/* SPDX-License-Identifier: Apache-2.0 */
/* The cost settings that matter for a trace, with their values and sources. */
#ifndef LC_APP_APPROXIMATE_SETTINGS_H
#define LC_APP_APPROXIMATE_SETTINGS_H

#include "app/session/opened.h"
#include "lightcone/costs.h"

typedef struct
{
  char *section;
  char *key;
  char *label; /* describes the numbers */
  char *value; /* as in trace.ini; "": not known */
  char *source;
  char *how; /* details about the source, or NULL */
} LcCostSetting;

/* A trace with its costs. One thread at a time may use it. */
typedef struct
{
  LcTrace *trace;
  LcRules *rules;
  LcCosts *costs;
  GPtrArray *settings; /* LcCostSetting */
} LcCostSettings;

/* Finds the costs, in a thread: reads a million events of the trace if need be. */
LcCostSettings *lc_cost_settings_new (const LcOpened *opened, GCancellable *cancellable, GError **error);
void lc_cost_settings_free (LcCostSettings *settings);

/* Counts the settings by source: "12 calibrated, 3 unknown". */
char *lc_cost_settings_dup_sources (const LcCostSettings *settings, const char *section);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcCostSettings, lc_cost_settings_free)

#endif
