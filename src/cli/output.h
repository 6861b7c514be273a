/* SPDX-License-Identifier: Apache-2.0 */
/* Standard output and standard error: all that the command line says goes through here, and nothing else writes. */
#ifndef LC_CLI_OUTPUT_H
#define LC_CLI_OUTPUT_H

#include <glib.h>

/*
 * What is said has names in it that others chose: of processes, objects, hosts and files. Whatever they are made of,
 * only visible characters come out (lc_format_lines), and newlines and tabs. A name on a line of its own must have gone
 * through lc_format_text, for a newline in it looks like one of ours here.
 */

/* g_print, g_printerr and the log come here from now on, in the encoding of the locale. Call it first. */
void lc_output_init (void);

/* Text for programs: UTF-8, whatever the locale. `length` -1: up to its end. Errors are those of stdout (ferror). */
void lc_output_write (const char *text, gssize length);

/* A picture, byte for byte. FALSE with errno. */
gboolean lc_output_write_bytes (GBytes *bytes);

/* Takes back what stands on the terminal's last line on standard error. */
void lc_output_clear_line (void);

#endif
