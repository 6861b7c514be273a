/* SPDX-License-Identifier: Apache-2.0 */
/* Standard output and standard error: all that the command line says goes through here, and nothing else writes. */
#include "output.h"

#include <stdio.h>
#include <string.h>

#include "trace/quantities.h"

/* Back to its beginning, and erased from there on. */
#define CLEAR_LINE "\r\033[K"

/* What every text but one of a hostile or foreign name is made of. */
static gboolean
text_is_plain (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    {
      guchar byte = (guchar)text[i];

      if ((byte < ' ' && byte != '\n' && byte != '\t') || byte >= 0x7F)
        return FALSE;
    }
  return TRUE;
}

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
lc_output_init (void)
{
  g_set_print_handler (handle_print);
  g_set_printerr_handler (handle_print_error);
  g_log_set_writer_func (write_log, NULL, NULL);
}

void
lc_output_write (const char *text, gssize length)
{
  gsize n = length < 0 ? strlen (text) : (gsize)length;
  g_autofree char *part = NULL, *shown = NULL;

  if (text_is_plain (text, n))
    {
      fwrite (text, 1, n, stdout);
      return;
    }
  part = g_strndup (text, n);
  shown = lc_format_lines (part);
  fputs (shown, stdout);
}

gboolean
lc_output_write_bytes (GBytes *bytes)
{
  gsize length;
  const void *data = g_bytes_get_data (bytes, &length);

  return fwrite (data, 1, length, stdout) == length && fflush (stdout) == 0;
}

void
lc_output_clear_line (void)
{
  fputs (CLEAR_LINE, stderr);
  fflush (stderr);
}
