/* SPDX-License-Identifier: Apache-2.0 */
/* An animated change of a diagram: events move from where they were to where they are on another axis, or on another
 * timeline. */
#ifndef LC_APP_TIME_CHANGE_H
#define LC_APP_TIME_CHANGE_H

#include <gtk/gtk.h>

#include "app/session/shown.h"

/* What is seen on one side of the change. */
typedef struct
{
  const LcScene *scene;
  LcShown *shown; /* which it is of */
  LcDiagramView view;
} LcTimeChangeSide;

typedef struct _LcTimeChange LcTimeChange;

/* NULL: these two have no way in between that could be shown. Otherwise threads paint it, and `painted` is called on
 * the main thread when there is another picture. */
LcTimeChange *lc_time_change_new (const LcTimeChangeSide *before, const LcTimeChangeSide *after, LcTheme theme,
                                  int pixels, void (*painted) (gpointer data), gpointer data);
void lc_time_change_free (LcTimeChange *change);

/* The newest picture; one of `progress` (0 to 1) is on its way then. FALSE: there is none yet. */
gboolean lc_time_change_draw (LcTimeChange *change, double progress, GtkSnapshot *snapshot);

#endif
