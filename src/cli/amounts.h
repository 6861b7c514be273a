/* SPDX-License-Identifier: Apache-2.0 */
/* How much of a recording is kept, and when it is taken out: as users write it. */
#ifndef LC_CLI_AMOUNTS_H
#define LC_CLI_AMOUNTS_H

#include <glib.h>

#include "lightcone/recording.h"

/* --max-size: "2G". NULL is 0. */
gboolean lc_amounts_parse_size (const char *text, guint64 *bytes, GError **error);

/* --keep: "2G", or "30s" in ns. The other one is 0; NULL: both are. */
gboolean lc_amounts_parse_keep (const char *text, guint64 *bytes, guint64 *time, GError **error);

/* --dump-if-wait: "50ms", or "lock,await=50ms", with the operations that are meant, or "all=50ms". NULL is 0. */
gboolean lc_amounts_parse_wait (const char *text, gboolean operations[LC_OPERATION_END], guint64 *limit,
                                GError **error);

/* --dump-if-region: "request=50ms", each of them; the result (LcRegionLimit) frees its names. NULL: error. */
GArray *lc_amounts_parse_regions (const char *const *texts, GError **error);

/* --io-threshold: "10us", or "0", in ns. NULL is the default. */
gboolean lc_amounts_parse_threshold (const char *text, guint64 *time, GError **error);

/* --dump-on: "USR2", "SIGUSR2". NULL is 0. */
gboolean lc_amounts_parse_signal (const char *text, int *signal, GError **error);

#endif
