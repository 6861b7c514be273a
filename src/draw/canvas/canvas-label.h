/* SPDX-License-Identifier: Apache-2.0 */
/* Labels: texts that are laid out, cut to their room and kept for the next time. */
#ifndef LC_DRAW_CANVAS_LABEL_H
#define LC_DRAW_CANVAS_LABEL_H

#include <pango/pangocairo.h>

#include "lightcone/canvas.h"

typedef struct
{
  char *text; /* what is shown: printable, and cut to the room */
  PangoLayout *layout;
  double width;
  double height;
  double baseline;        /* distance below the top */
  gboolean right_to_left; /* direction of the whole text */
  gboolean fits;          /* the text, or at least its ellipsis, is no wider than the room */
} LcLabel;

#define LC_LABEL_FAMILY "DejaVu Sans"
double lc_font_get_size (LcFont font);

/* Gives a label that is valid until this thread asks for the next one. `scale`: of the font's size. `room` 0: the text
 * is not cut. */
const LcLabel *lc_label_get (LcFont font, double scale, double room, const char *text);

#endif
