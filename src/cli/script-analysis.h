/* SPDX-License-Identifier: Apache-2.0 */
/* Analyses that scripts define, as tables of lightcone stats. */
#ifndef LC_CLI_SCRIPT_ANALYSIS_H
#define LC_CLI_SCRIPT_ANALYSIS_H

#include "report/report.h"

/* Shows the analysis report->what. `others` are the names (const char *) of those that need no script, for what is told
 * if there is none of this name. Gives the status that the command is to end with. */
int lc_script_analysis_show (LcReport *report, const char *directory, const char *const *rules, gboolean trusts,
                             GPtrArray *others);

#endif
