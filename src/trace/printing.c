/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers for g_print, g_printerr and GLib's log that keep control characters from the terminal. */
#include "printing.h"

#include <stdio.h>
#include <string.h>

#include "quantities.h"

static char *
dup_in_locale (char *text)
{
  const char *charset;
  char *converted;

  if (g_get_charset (&charset))
    return text;
  converted = g_convert_with_fallback (text, -1, charset, "UTF-8", "?", NULL, NULL, NULL);
  if (converted == NULL)
    return text;
  g_free (text);
  return converted;
}

static void
stream_print (FILE *stream, const char *text)
{
  g_autofree char *shown = dup_in_locale (lc_format_lines (text));

  fputs (shown, stream);
  fflush (stream);
}

static void
handle_print (const char *text)
{
  stream_print (stdout, text);
}

static void
handle_print_error (const char *text)
{
  stream_print (stderr, text);
}

static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  const char *domain = NULL;
  g_autofree char *line = NULL;

  (void)data;
  for (gsize i = 0; i < n_fields; i++)
    if (strcmp (fields[i].key, "GLIB_DOMAIN") == 0)
      domain = fields[i].value;
  if (g_log_writer_default_would_drop (level, domain))
    return G_LOG_WRITER_HANDLED;
  line = g_log_writer_format_fields (level, fields, n_fields, FALSE);
  g_printerr ("%s\n", line);
  return G_LOG_WRITER_HANDLED;
}

void
lc_printing_init (void)
{
  g_set_print_handler (handle_print);
  g_set_printerr_handler (handle_print_error);
  g_log_set_writer_func (write_log, NULL, NULL);
}
