/* SPDX-License-Identifier: Apache-2.0 */
/* Explanations of why a trace cannot be opened, with advice. */
#ifndef LC_APP_FAILURE_H
#define LC_APP_FAILURE_H

#include <gio/gio.h>

/* Describes an error in a few words. */
const char *lc_failure_get_title (const GError *error);

/* Describes in sentences where the error is and what the user can do. */
char *lc_failure_dup_text (const GError *error);

#endif
