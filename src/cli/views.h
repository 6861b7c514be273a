/* SPDX-License-Identifier: Apache-2.0 */
/* The views that can be drawn, and the options that go with each of them. */
#ifndef LC_CLI_VIEWS_H
#define LC_CLI_VIEWS_H

#include "lightcone/picture.h"

/* Finds a view by name; NULL names the first one. NULL: there is none, and the user has been told the names. */
const LcViewInfo *lc_choose_view (const char *name);

/* Checks an option that was given, without dashes. FALSE: the view ignores it, and the user has been told which views
 * use it. */
gboolean lc_check_view (const LcViewInfo *view, const char *option);

/* Lists all views on standard output. */
void lc_list_views (gboolean json);

#endif
