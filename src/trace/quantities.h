/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, times and texts as people read them. All strings are UTF-8, and the caller's to free with g_free. */
#ifndef LC_TRACE_QUANTITIES_H
#define LC_TRACE_QUANTITIES_H

#include <glib.h>

/* "1,234,567" */
char *lc_format_count (guint64 count);

/* Three digits: "999 ns", "1.25 ms", "12.0 s"; then "1 min 15 s", "2 h 5 min". */
char *lc_format_duration (guint64 ns);

/* The same with a sign: "+999 ns", "-1.25 ms", "0 ns". */
char *lc_format_change (gint64 ns);

/* The same of parts of a nanosecond too: "0.4 ns". */
char *lc_format_cost (double ns);

/* Three digits: "999 bytes", "1.50 MiB". */
char *lc_format_bytes (guint64 bytes);

/* Without what would do something to a terminal. NULL gives "". */
char *lc_format_text (const char *text);

#endif
