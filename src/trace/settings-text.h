/* SPDX-License-Identifier: Apache-2.0 */
/* The text of trace.ini, which says at its begin that it has an end: so one that is cut short is known as such. */
#ifndef LC_TRACE_SETTINGS_TEXT_H
#define LC_TRACE_SETTINGS_TEXT_H

#include <glib.h>

/* Returns the text of all settings, from the line that announces the end to that end. Free with g_free. */
char *lc_settings_text_write (GKeyFile *file, gsize *length);

/*
 * Reads the settings into `file`, which is empty. Text that others wrote need not announce an end. `is_cut`: the end is
 * missing, and `file` has what the whole lines say. FALSE with G_KEY_FILE_ERROR: the text makes no sense.
 */
gboolean lc_settings_text_read (GKeyFile *file, const char *text, gsize length, gboolean *is_cut, GError **error);

#endif
