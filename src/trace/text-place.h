/* SPDX-License-Identifier: Apache-2.0 */
/* Parses where an event of a text trace was: FUNCTION[@FILE:LINE], or several, the innermost first, with `;` between.
 */
#ifndef LC_TRACE_TEXT_PLACE_H
#define LC_TRACE_TEXT_PLACE_H

#include "sites.h"

/* Adds the sites and stacks that the value of `at` says, and returns its stack; LC_TRACE_NONE: it makes no sense, and
 * then nothing is added. %XX is the byte with this number. */
guint32 lc_text_place_read (const char *value, LcSites *sites);

#endif
