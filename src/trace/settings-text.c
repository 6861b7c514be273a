/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads the text of trace.ini. */
#include "settings-text.h"

#include <string.h>

#define END "end"
#define ANNOUNCEMENT "# The settings of a trace, down to the group [" END "]\n"

char *
lc_settings_text_write (GKeyFile *file, gsize *length)
{
  g_autofree char *text = NULL;
  char *whole;
  const char *rest;

  g_key_file_remove_group (file, END, NULL);
  text = g_key_file_to_data (file, NULL, NULL);
  rest = g_str_has_prefix (text, ANNOUNCEMENT) ? text + strlen (ANNOUNCEMENT) : text;
  whole = g_strconcat (ANNOUNCEMENT, rest, "\n[" END "]\n", NULL);
  *length = strlen (whole);
  return whole;
}

/* Returns the length of the whole lines. */
static gsize
settings_text_measure_lines (const char *text, gsize length)
{
  const char *last = memrchr (text, '\n', length);

  return last != NULL ? (gsize)(last - text) + 1 : 0;
}

static gboolean
settings_text_load (GKeyFile *file, const char *text, gsize length, GError **error)
{
  return length == 0 || g_key_file_load_from_data (file, text, length, G_KEY_FILE_KEEP_COMMENTS, error);
}

static gboolean
settings_text_announces_end (const char *text, gsize length)
{
  return length >= strlen (ANNOUNCEMENT) && memcmp (text, ANNOUNCEMENT, strlen (ANNOUNCEMENT)) == 0;
}

/* The line that a text which is cut short ends in may say anything, so it does not count. */
static gboolean
settings_text_is_cut (const char *text, gsize length)
{
  g_autoptr (GKeyFile) lines = g_key_file_new ();

  if (length < strlen (ANNOUNCEMENT))
    return memcmp (text, ANNOUNCEMENT, length) == 0;
  return settings_text_announces_end (text, length) &&
         settings_text_load (lines, text, settings_text_measure_lines (text, length), NULL) &&
         !g_key_file_has_group (lines, END);
}

gboolean
lc_settings_text_read (GKeyFile *file, const char *text, gsize length, gboolean *is_cut, GError **error)
{
  g_autoptr (GError) problem = NULL;
  gboolean is_good = settings_text_load (file, text, length, &problem);

  *is_cut = FALSE;
  if (is_good && (g_key_file_has_group (file, END) ||
                  (length >= strlen (ANNOUNCEMENT) && !settings_text_announces_end (text, length))))
    return TRUE;
  *is_cut = settings_text_is_cut (text, length);
  if (*is_cut)
    return settings_text_load (file, text, settings_text_measure_lines (text, length), error);
  if (!is_good)
    g_propagate_error (error, g_steal_pointer (&problem));
  return is_good;
}
