/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the costs that matter for a trace: what each is, and where that comes from. */
#ifndef LC_APP_APPROXIMATE_SETTINGS_H
#define LC_APP_APPROXIMATE_SETTINGS_H

#include "app/session/opened.h"
#include "lightcone/costs.h"

typedef struct
{
  char *section;
  char *key;
  char *label; /* what the numbers are */
  char *value; /* as trace.ini would have it; "": nothing is known */
  char *source;
  char *how; /* more about the source, or NULL */
} LcCostSetting;

/* A trace with its costs. Any thread may have it, one at a time. */
typedef struct
{
  LcTrace *trace;
  LcRules *rules;
  LcCosts *costs;
  GPtrArray *settings; /* LcCostSetting */
} LcCostSettings;

/* In a thread: it looks at a million events of the trace if need be. */
LcCostSettings *lc_cost_settings_new (const LcOpened *opened, GCancellable *cancellable, GError **error);
void lc_cost_settings_free (LcCostSettings *settings);

/* Of how many the source is which: "12 calibrated, 3 unknown". */
char *lc_cost_settings_dup_sources (const LcCostSettings *settings, const char *section);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcCostSettings, lc_cost_settings_free)

#endif
