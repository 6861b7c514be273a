/* SPDX-License-Identifier: Apache-2.0 */
/* Places on the axis of a picture, as users write them: times, layers, phases, shares. */
#ifndef LC_DRAW_POSITION_H
#define LC_DRAW_POSITION_H

#include "lightcone/picture.h"

/*
 * Sets `from` and `to` of the options to these texts (NULL: the begin or the end of the run). In physical time they are
 * times with a unit (12ms, 1.5s, 42: ns), or the begin and end of a layer or phase (layer 12, phase 3): of its
 * events, and what others do meanwhile is there, too. In logical time they are layers, in phase time numbers of
 * phases, and the last one is included. Shares of the run (10%) are always possible. The error's message names the
 * option and tells what is wrong with it; it is a G_OPTION_ERROR if the text is.
 */
gboolean lc_parse_positions (LcHistory *history, LcPictureOptions *options, const char *from, const char *to,
                             GError **error);

#endif
