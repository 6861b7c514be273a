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

/*
 * Texts that others wrote: names of processes, objects and files, what a rules file says ... A character that would do
 * something instead of being seen, to a terminal or to the order of what stands beside it, is written as C has it:
 * "\n", "\x1b", "\u202e", "\U000e0001". These are control characters, those that change the direction of writing,
 * separators of lines, and what is invisible; but what joins letters is needed to write some languages. Bytes that are
 * no UTF-8 become U+FFFD.
 */

/* Whether a character is seen as itself. */
gboolean lc_text_is_visible (gunichar character);

/* Appends the character, or what is written instead of it. */
void lc_text_append_visible (GString *text, gunichar character);

/* All of a text on one line. NULL gives "". */
char *lc_format_text (const char *text);

/* The same of a text that has lines and columns on purpose: newlines and tabs stay. */
char *lc_format_lines (const char *text);

/* Appends a text as a string of JSON, in quotes: with the same characters escaped, so that nothing is lost. */
void lc_text_append_json (GString *json, const char *text);

#endif
