/* SPDX-License-Identifier: Apache-2.0 */
/* What GLib prints for a program of ours, by g_print, g_printerr and its log, and what they let out. */
#ifndef LC_TRACE_PRINTING_H
#define LC_TRACE_PRINTING_H

/*
 * From now on they print visible characters only, newlines and tabs (lc_format_lines), in the encoding of the locale.
 * For the main function of a program, once.
 */
void lc_printing_init (void);

#endif
