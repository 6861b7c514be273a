/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the commands that approximate: names of models, progress, and the history with the new timeline. */
#ifndef LC_CLI_APPROXIMATING_H
#define LC_CLI_APPROXIMATING_H

#include "lightcone/approximate.h"

/* NULL is the default. FALSE: the name is unknown, and the user has been told. */
gboolean lc_parse_model (const char *command, const char *name, LcModel *model);
gboolean lc_parse_blind (const char *command, const char *name, LcBlindPolicy *policy);

/* FALSE: the user has been told why a timeline cannot have this name. */
gboolean lc_check_timeline_name (const char *command, const char *name);

/* Approximates, with a line of progress on standard error if that is a terminal and `quiet` is FALSE. */
LcApproximation *lc_approximate_directory (const char *directory, LcApproximateOptions options, gboolean quiet,
                                           GError **error);

/* Opens the history that lc_approximate has just written, without bringing it up to date. */
LcHistory *lc_open_approximated (const char *directory, GError **error);

#endif
