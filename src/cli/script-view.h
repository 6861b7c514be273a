/* SPDX-License-Identifier: Apache-2.0 */
/* Views that scripts define, for lightcone export. */
#ifndef LC_CLI_SCRIPT_VIEW_H
#define LC_CLI_SCRIPT_VIEW_H

#include "script/script.h"

typedef struct
{
  LcScriptOptions options;
  gboolean trusts;
  const char *wanted; /* the view that is looked for, or NULL */
} LcScriptViews;

/* Loads the scripts, adds their views to those of lc_views_get, and calls `body`, which may draw them. Gives what
 * `body` gives, or another status if it was not called. */
int lc_script_views_run (const LcScriptViews *views, int (*body) (gpointer data), gpointer data);

#endif
