/* SPDX-License-Identifier: Apache-2.0 */
/* When a panel looks at what it shows: if the session has changed, and not before somebody sees it. */
#ifndef LC_APP_PANE_H
#define LC_APP_PANE_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* Looks at what is to be shown now. Called when that has changed, on a panel that is mapped. */
typedef void (*LcPaneLook) (gpointer panel);

/* What a panel shows is up to date, or stale. A stale one looks at once if it is mapped, else when it is. */
typedef struct _LcPane LcPane;

/* Makes a stale pane, which becomes stale again with each change of the session in `what` (bits of LC_CHANGED). It is
 * told after handlers that were connected to the session before. It does not hold the panel: who disposes of that
 * frees it. */
LcPane *lc_pane_new (gpointer panel, LcSession *session, guint what, LcPaneLook look);
void lc_pane_free (LcPane *pane);

/* What the panel shows is out of date: it looks as soon as it is mapped. */
void lc_pane_spoil (LcPane *pane);

/* The same, but a mapped panel looks only when nothing has spoilt it for so many milliseconds. */
void lc_pane_spoil_soon (LcPane *pane, guint delay);

/* Looks at once, whether anybody sees it or not. */
void lc_pane_look (LcPane *pane);

gboolean lc_pane_is_stale (const LcPane *pane);

#endif
