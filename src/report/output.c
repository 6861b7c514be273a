/* SPDX-License-Identifier: Apache-2.0 */
/* Standard output and standard error: all that is for terminals goes through here. */
#include "report/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "trace/printing.h"
#include "trace/quantities.h"

/* Moves to the beginning of the line and erases the rest. */
#define CLEAR_LINE "\r\033[K"

/* Whether a text is plain ASCII, as nearly all are; only foreign or hostile names are not. */
static gboolean
output_text_is_plain (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    {
      guchar byte = (guchar)text[i];

      if ((byte < ' ' && byte != '\n' && byte != '\t') || byte >= 0x7F)
        return FALSE;
    }
  return TRUE;
}

void
lc_output_init (void)
{
  lc_printing_init ();
}

void
lc_output_write (const char *text, gssize length)
{
  gsize n = length < 0 ? strlen (text) : (gsize)length;
  g_autofree char *part = NULL, *shown = NULL;

  if (output_text_is_plain (text, n))
    {
      fwrite (text, 1, n, stdout);
      return;
    }
  part = g_strndup (text, n);
  shown = lc_format_lines (part);
  fputs (shown, stdout);
}

void
lc_output_json (LcJson *json)
{
  g_autofree char *text = lc_json_take (json);

  if (text != NULL)
    lc_output_write (text, -1);
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

void
lc_complain (const char *format, ...)
{
  g_autofree char *message = NULL, *shown = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  shown = lc_format_text (message);
  g_printerr ("lightcone: %s\n", shown);
}
