/* SPDX-License-Identifier: Apache-2.0 */
/* Reasons why a prediction from runs of several sizes may be far off. */
#ifndef LC_CLI_SIZES_WARNINGS_H
#define LC_CLI_SIZES_WARNINGS_H

#include "lightcone/sizes.h"
#include "trace/json.h"

/* Tells each reason on standard error, or adds it to an array of `json` if that is not NULL. `targets` are guint64. */
void lc_sizes_warn (const LcSizesModel *model, const GArray *targets, LcJson *json);

#endif
