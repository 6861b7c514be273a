/* SPDX-License-Identifier: Apache-2.0 */
/* The panels around the diagram: what there is, on which side, and how it is made. */
#ifndef LC_APP_PANELS_H
#define LC_APP_PANELS_H

#include <gtk/gtk.h>

#include "app/session/session.h"

typedef enum
{
  LC_SIDE_LEFT,   /* what is shown of the history */
  LC_SIDE_RIGHT,  /* what is known of what is shown */
  LC_SIDE_BOTTOM, /* plots */
  LC_SIDES,
} LcSide;

typedef struct
{
  const char *name;
  const char *title; /* to be translated */
  const char *icon;
  LcSide side;
  GtkWidget *(*make) (LcSession *session); /* a new panel, which holds the session */
} LcPanel;

/* All of them, in the order in which they are shown. */
const LcPanel *lc_panels_get (gsize *n_panels);

/* The place of one: a widget in which it is made when it is seen for the first time. */
GtkWidget *lc_panel_place_new (const LcPanel *panel, LcSession *session);
/* The panel itself; it is made if it is not there yet. */
GtkWidget *lc_panel_place_get (GtkWidget *place);

#endif
