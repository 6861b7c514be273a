/* SPDX-License-Identifier: Apache-2.0 */
/* Labels: texts that are laid out, cut to their room, and kept for the next time. */
#ifndef LC_DRAW_CANVAS_LABEL_H
#define LC_DRAW_CANVAS_LABEL_H

#include <pango/pangocairo.h>

#include "lightcone/canvas.h"

typedef struct
{
  char *text; /* as it can be read: printable, and cut */
  PangoLayout *layout;
  double width;
  double height;
  double baseline;        /* below its top */
  gboolean right_to_left; /* as a whole */
  gboolean fits;          /* there was room for all of it, or at least for the ellipsis */
} LcLabel;

#define LC_LABEL_FAMILY "DejaVu Sans"
double lc_font_get_size (LcFont font);

/* `room` 0: as wide as it is. Valid until this thread asks for the next one. */
const LcLabel *lc_label_get (LcFont font, double room, const char *text);

#endif
