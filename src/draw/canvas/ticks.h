/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of numbers on an axis, besides its ticks (lc_ticks_new is in frame.h). */
#ifndef LC_DRAW_TICKS_H
#define LC_DRAW_TICKS_H

#include "draw/canvas/frame.h"

/* Gives both ends of a range in one unit, with enough digits to tell them apart. The kind must have numbers, and the
 * ends must be finite. `to_text` may be NULL; `unit` may become NULL. Free them with g_free. */
void lc_ticks_dup_limits (LcAxisScaleKind kind, double from, double to, char **from_text, char **to_text, char **unit);

#endif
