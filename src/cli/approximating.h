/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that approximate have in common: names of models, progress, the history with the new timeline. */
#ifndef LC_CLI_APPROXIMATING_H
#define LC_CLI_APPROXIMATING_H

#include "lightcone/approximate.h"

/* FALSE: the user has been told that it is none. NULL is the default. */
gboolean lc_parse_model (const char *command, const char *name, LcModel *model);
gboolean lc_parse_blind (const char *command, const char *name, LcBlindPolicy *policy);

/* FALSE: the user has been told why a timeline cannot have this name. */
gboolean lc_check_timeline_name (const char *command, const char *name);

/* With a line of progress on the standard error, when that is a terminal and `quiet` is FALSE. */
LcApproximation *lc_approximate_directory (const char *directory, LcApproximateOptions options, gboolean quiet,
                                           GError **error);

/* The history that lc_approximate has just written to, as it is. */
LcHistory *lc_open_approximated (const char *directory, GError **error);

#endif
