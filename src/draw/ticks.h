/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as an axis tells them, besides its ticks (lc_ticks_new is in frame.h). */
#ifndef LC_DRAW_TICKS_H
#define LC_DRAW_TICKS_H

#include "draw/frame.h"

/* Both ends of a range in one unit, finely enough to tell them apart; of a kind that has numbers, and finite. `to_text`
 * may be NULL; `unit` may become NULL. Free them with g_free. */
void lc_ticks_dup_limits (LcAxisScaleKind kind, double from, double to, char **from_text, char **to_text, char **unit);

#endif
