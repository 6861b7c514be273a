/* SPDX-License-Identifier: Apache-2.0 */
/* The views that can be drawn, and which option goes with which of them. */
#ifndef LC_CLI_VIEWS_H
#define LC_CLI_VIEWS_H

#include "lightcone/picture.h"

/* NULL: the user has been told that there is none of this name, and which there are. No name: the first one. */
const LcViewInfo *lc_choose_view (const char *name);

typedef struct
{
  const char *name; /* without dashes */
  gboolean is_given;
} LcGivenOption;

/* FALSE: the user has been told that the view does not look at one of these, and which views do. */
gboolean lc_check_view (const LcViewInfo *view, const LcGivenOption *options, gsize n_options);

/* All of them, on standard output. */
void lc_list_views (gboolean json);

#endif
