/* SPDX-License-Identifier: Apache-2.0 */
/* An animated change of a diagram: events move from their old places to those on another axis or timeline. */
#ifndef LC_APP_TIME_CHANGE_H
#define LC_APP_TIME_CHANGE_H

#include <gtk/gtk.h>

#include "app/session/shown.h"

/* A side of the change. */
typedef struct
{
  const LcScene *scene;
  LcShown *shown; /* the choices of the scene */
  LcDiagramView view;
} LcTimeChangeSide;

typedef struct _LcTimeChange LcTimeChange;

/* Starts a change. NULL: no animation is possible between these two. Threads paint it, and `painted` is called on the
 * main thread when a picture has come. */
LcTimeChange *lc_time_change_new (const LcTimeChangeSide *before, const LcTimeChangeSide *after, LcTheme theme,
                                  int pixels, void (*painted) (gpointer data), gpointer data);
void lc_time_change_free (LcTimeChange *change);

/* Draws the newest picture, and asks for one at `progress` (0 to 1). FALSE: there is none yet. */
gboolean lc_time_change_draw (LcTimeChange *change, double progress, GtkSnapshot *snapshot);

#endif
