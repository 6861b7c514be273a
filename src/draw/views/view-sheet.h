/* SPDX-License-Identifier: Apache-2.0 */
/* The views that are added while the program runs: each is a sheet that somebody else makes. */
#ifndef LC_DRAW_VIEW_SHEET_H
#define LC_DRAW_VIEW_SHEET_H

#include "draw/views/view.h"
#include "lightcone/sheet.h"

/* Makes a view, which is never freed: threads may be drawing it. Texts must not be "". */
LcView *lc_view_sheet_new (const char *name, const char *title, const char *summary);

#endif
