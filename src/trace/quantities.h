/* SPDX-License-Identifier: Apache-2.0 */
/* Formats numbers, times and texts for people. All strings are UTF-8, to be freed with g_free. */
#ifndef LC_TRACE_QUANTITIES_H
#define LC_TRACE_QUANTITIES_H

#include <glib.h>

/* Formats "1,234,567". */
char *lc_format_count (guint64 count);

/* Formats three digits: "999 ns", "1.25 ms", "12.0 s"; then "1 min 15 s", "2 h 5 min". */
char *lc_format_duration (guint64 ns);

/* Formats a point of time with as many digits as tell the thousandths of a span apart, but at least as many as a
 * duration has: of 3 s "2.198 s", of 10 min "1 min 15.2 s", of 100 us "28.7809 ms". */
char *lc_format_moment (guint64 ns, guint64 span);

/* Formats all nanoseconds: "28,780,898 ns". */
char *lc_format_exact (guint64 ns);

/* Formats a duration with a sign: "+999 ns", "-1.25 ms", "0 ns". */
char *lc_format_change (gint64 ns);

/* Formats a duration that may have parts of a nanosecond: "0.4 ns". */
char *lc_format_cost (double ns);

/* Formats three digits: "999 bytes", "1.50 MiB". */
char *lc_format_bytes (guint64 bytes);

/*
 * Texts from outside, such as names of processes, objects and files, may contain characters that act on a terminal, or
 * on the order of the text around them. The following functions write such characters as C does: a newline, for
 * example, as a backslash and an "n", others as "\x1b", "\u202e", "\U000e0001". These are control characters, those
 * that change the direction of writing, line separators, and invisible characters except joiners, which some languages
 * need. Bytes that are not UTF-8 become U+FFFD.
 */

/* Reads a time as people type it: a number and a unit (ns, us or µs, ms, s, min, h), with or without a space; without
 * a unit, nanoseconds are meant. Both the point and the comma are understood, the comma only with a unit. FALSE: it is
 * no time. */
gboolean lc_parse_time (const char *text, guint64 *ns);

/* Whether a word is a unit of time and nothing else. */
gboolean lc_is_time_unit (const char *word);

/* Tells whether a character is written as itself. */
gboolean lc_text_is_visible (gunichar character);

/* Appends a character, or its escape. */
void lc_text_append_visible (GString *text, gunichar character);

/* Formats a text on one line. NULL gives "". */
char *lc_format_text (const char *text);

/* Formats a text with lines and columns: newlines and tabs stay. */
char *lc_format_lines (const char *text);

#endif
