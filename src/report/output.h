/* SPDX-License-Identifier: Apache-2.0 */
/* Standard output and standard error: all that is for terminals goes through here. */
#ifndef LC_REPORT_OUTPUT_H
#define LC_REPORT_OUTPUT_H

#include <glib.h>

#include "trace/json.h"

/*
 * Output contains names that others chose: of processes, objects, hosts and files. Only visible characters, newlines
 * and tabs are written (lc_format_lines). A name on a line of its own must have gone through lc_format_text, since a
 * newline in it would look like one of ours here.
 */

/* Sends g_print, g_printerr and the log through here from now on, in the encoding of the locale. Must be called
 * first. */
void lc_output_init (void);

/* Writes text for programs: UTF-8 in every locale. `length` -1: the whole string. Errors are those of stdout
 * (ferror). */
void lc_output_write (const char *text, gssize length);

/* Writes nearly all of what is there, so that memory does not grow. */
void lc_output_json (LcJson *json);

/* Writes a picture, byte for byte. FALSE with errno. */
gboolean lc_output_write_bytes (GBytes *bytes);

/* Erases the last line of the terminal on standard error. */
void lc_output_clear_line (void);

/* Prints "lightcone: " and the message on one line of stderr, whatever characters names in it contain. */
void lc_complain (const char *format, ...) G_GNUC_PRINTF (1, 2);

#endif
