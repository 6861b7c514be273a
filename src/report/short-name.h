/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions that are short enough for a table. */
#ifndef LC_REPORT_SHORT_NAME_H
#define LC_REPORT_SHORT_NAME_H

#include <glib.h>

/* Shortens a long name: "std::map<int, long>::find(int const&)" to "std::map<…>::find(int const&)", the innermost
 * arguments of templates first, and no more than it has to; then its middle is left out. Free with g_free. */
char *lc_short_name (const char *function);

#endif
