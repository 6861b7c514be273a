/* SPDX-License-Identifier: Apache-2.0 */
/* Why a trace cannot be opened, and what can be done. */
#ifndef LC_APP_FAILURE_H
#define LC_APP_FAILURE_H

#include <gio/gio.h>

/* In a few words. */
const char *lc_failure_get_title (const GError *error);

/* Where it is, and what to do, in sentences. */
char *lc_failure_dup_text (const GError *error);

#endif
