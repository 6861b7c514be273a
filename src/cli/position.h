/* SPDX-License-Identifier: Apache-2.0 */
/* Places on the axis of a picture, as users write them: times, layers, phases, shares. */
#ifndef LC_CLI_POSITION_H
#define LC_CLI_POSITION_H

#include "lightcone/picture.h"

/*
 * `from` and `to` of the options, of these texts (NULL: the begin or the end of the run). In physical time they are
 * times with a unit (12ms, 1.5s, 42: ns), in logical time layers and in phase time numbers of phases, of which the last
 * one is included; everywhere, shares of the run (10%). The message of the error says what is wrong with which.
 */
gboolean lc_parse_positions (LcHistory *history, LcPictureOptions *options, const char *from, const char *to,
                             GError **error);

/* A time with a unit (12ms, 1.5s, 42: ns). FALSE: it is none. */
gboolean lc_parse_time (const char *text, guint64 *ns);

#endif
