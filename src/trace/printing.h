/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers for g_print, g_printerr and GLib's log that keep control characters from the terminal. */
#ifndef LC_TRACE_PRINTING_H
#define LC_TRACE_PRINTING_H

/*
 * From now on only visible characters, newlines and tabs are printed (lc_format_lines), in the encoding of the locale.
 * The main function of each program calls this once.
 */
void lc_printing_init (void);

#endif
