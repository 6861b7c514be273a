/* SPDX-License-Identifier: Apache-2.0 */
/* The panels around the diagram: a table of their names, sides and constructors. */
#ifndef LC_APP_PANELS_H
#define LC_APP_PANELS_H

#include <gtk/gtk.h>

#include "app/session/session.h"

typedef enum
{
  LC_SIDE_LEFT,   /* choices of what is shown */
  LC_SIDE_RIGHT,  /* facts about what is shown */
  LC_SIDE_BOTTOM, /* plots and tables */
  LC_SIDES,
} LcSide;

typedef struct
{
  const char *name;
  const char *title; /* to be translated */
  const char *word;  /* for the switcher, where room is short; to be translated */
  LcSide side;
  GtkWidget *(*make) (LcSession *session); /* a new panel, which holds the session */
  gboolean of_places;                      /* only for traces that say where in the source their events were called */
  guint64 (*count) (LcSession *session);   /* what its badge says; NULL: it has none */
  gboolean warns;                          /* the badge is of what is wrong */
} LcPanel;

/* Returns all panels, in the order in which they are shown. */
const LcPanel *lc_panels_get (gsize *n_panels);

/* Makes the place of a panel: a widget that makes the panel when it is mapped for the first time. */
GtkWidget *lc_panel_place_new (const LcPanel *panel, LcSession *session);
/* Returns the panel of a place, and makes it first if need be. */
GtkWidget *lc_panel_place_get (GtkWidget *place);

#endif
