/* SPDX-License-Identifier: Apache-2.0 */
/* The process that evaluates what is typed in the console: lightcone script, at the other end of two pipes. */
#include "app/console/console-link.h"

#include <gdk/gdk.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>

#include "app/open/record-run.h"

enum
{
  PIECE = 1 << 14, /* bytes that are read at once */

  /* As urgent as drawing: a spinner that takes long to draw would leave no time for less, and endless output none to
   * draw for more. */
  READING = GDK_PRIORITY_REDRAW,

  LONGEST = 1 << 26,   /* bytes of a frame */
  PATIENCE = 3000,     /* ms from an interrupt to the end of the process */
  MOST_COMPLAINTS = 50 /* lines of standard error that are told */
};

struct _LcConsoleLink
{
  LcConsoleNews news; /* NULL: nobody listens any more */
  gpointer owner;
  GSubprocess *process;
  GCancellable *cancellable;
  GByteArray *frames;
  GDataInputStream *complaints;
  guint n_complaints;
  guint patience; /* the source that ends the process; 0: none */
};

static void console_link_read (LcConsoleLink *link);
static void console_link_read_complaint (LcConsoleLink *link);

static void
console_link_clear (LcConsoleLink *link)
{
  g_clear_object (&link->process);
  g_clear_object (&link->cancellable);
  g_clear_object (&link->complaints);
  g_byte_array_unref (link->frames);
}

static void
console_link_release (LcConsoleLink *link)
{
  g_atomic_rc_box_release_full (link, (GDestroyNotify)console_link_clear);
}

static void
console_link_tell (LcConsoleLink *link, const char *word, const char *text)
{
  if (link->news != NULL)
    link->news (link->owner, word, text);
}

/* --- Reading ----------------------------------------------------------------------------------------------------- */

/* Tells the first frame and removes it. FALSE: it is not there as a whole; `is_good`: or it never will be. */
static gboolean
console_link_take_frame (LcConsoleLink *link, gboolean *is_good)
{
  static const char *const ends[] = {"done", "failed", "stopped", "exited", NULL};
  const char *begin = (const char *)link->frames->data, *line, *blank;
  char *end;
  guint64 length;
  gsize head;

  line = link->frames->len > 0 ? memchr (begin, '\n', link->frames->len) : NULL;
  if (line == NULL)
    return FALSE;
  blank = memchr (begin, ' ', (gsize)(line - begin));
  length = blank != NULL ? g_ascii_strtoull (blank + 1, &end, 10) : 0;
  *is_good = blank != NULL && end == line && length <= LONGEST;
  head = (gsize)(line - begin) + 1;
  if (!*is_good || link->frames->len - head < length)
    return FALSE;
  g_autofree char *word = g_strndup (begin, (gsize)(blank - begin));
  g_autofree char *text = g_utf8_make_valid (begin + head, (gssize)length);

  g_byte_array_remove_range (link->frames, 0, (guint)(head + length));
  if (g_strv_contains (ends, word))
    g_clear_handle_id (&link->patience, g_source_remove);
  console_link_tell (link, word, text);
  return TRUE;
}

static void
console_link_on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  LcConsoleLink *link = data;
  g_autoptr (GBytes) bytes = g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, NULL);
  gsize size = bytes != NULL ? g_bytes_get_size (bytes) : 0;
  gboolean is_good = TRUE;

  if (size > 0 && link->news != NULL)
    {
      g_byte_array_append (link->frames, g_bytes_get_data (bytes, NULL), (guint)size);
      while (link->news != NULL && console_link_take_frame (link, &is_good))
        continue;
    }
  if (link->news == NULL || size == 0 || !is_good)
    {
      g_clear_handle_id (&link->patience, g_source_remove);
      g_subprocess_force_exit (link->process);
      console_link_tell (link, "gone", "");
    }
  else
    console_link_read (link);
  console_link_release (link);
}

static void
console_link_read (LcConsoleLink *link)
{
  g_input_stream_read_bytes_async (g_subprocess_get_stdout_pipe (link->process), PIECE, READING, link->cancellable,
                                   console_link_on_read, g_atomic_rc_box_acquire (link));
}

/* A process that complains without end is not listened to for ever, but its pipe is emptied. */
static void
console_link_on_complaint (GObject *source, GAsyncResult *result, gpointer data)
{
  LcConsoleLink *link = data;
  g_autofree char *line = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, NULL);

  if (line != NULL && link->news != NULL)
    {
      g_autofree char *text = g_utf8_make_valid (line, -1);

      if (link->n_complaints++ < MOST_COMPLAINTS)
        console_link_tell (link, "complaint", text);
      if (link->news != NULL)
        console_link_read_complaint (link);
    }
  console_link_release (link);
}

static void
console_link_read_complaint (LcConsoleLink *link)
{
  g_data_input_stream_read_line_async (link->complaints, READING, link->cancellable, console_link_on_complaint,
                                       g_atomic_rc_box_acquire (link));
}

/* --- Asking ------------------------------------------------------------------------------------------------------ */

static void
console_link_on_written (GObject *source, GAsyncResult *result, gpointer data)
{
  g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, NULL, NULL); /* the end of the process is read */
  g_bytes_unref (data);
}

void
lc_console_link_send (LcConsoleLink *link, const char *word, ...)
{
  g_autoptr (GString) all = g_string_new (NULL);
  GBytes *bytes;
  va_list list;

  va_start (list, word);
  for (; word != NULL; word = va_arg (list, const char *))
    {
      const char *text = va_arg (list, const char *);

      g_string_append_printf (all, "%s %" G_GSIZE_FORMAT "\n%s", word, strlen (text), text);
    }
  va_end (list);
  bytes = g_string_free_to_bytes (g_steal_pointer (&all));
  g_output_stream_write_all_async (g_subprocess_get_stdin_pipe (link->process), g_bytes_get_data (bytes, NULL),
                                   g_bytes_get_size (bytes), G_PRIORITY_DEFAULT, link->cancellable,
                                   console_link_on_written, bytes);
}

static gboolean
console_link_lose_patience (gpointer data)
{
  LcConsoleLink *link = data;

  link->patience = 0;
  g_subprocess_force_exit (link->process);
  return G_SOURCE_REMOVE;
}

void
lc_console_link_stop (LcConsoleLink *link)
{
  if (link->patience != 0)
    return;
  g_subprocess_send_signal (link->process, SIGINT);
  link->patience = g_timeout_add (PATIENCE, console_link_lose_patience, link);
}

/* --- Beginning and end ------------------------------------------------------------------------------------------- */

LcConsoleLink *
lc_console_link_new (const char *directory, guint memory_limit, guint time_limit, LcConsoleNews news, gpointer owner,
                     GError **error)
{
  g_autofree char *program = lc_record_find_command ();
  g_autofree char *memory = g_strdup_printf ("%u", memory_limit), *seconds = g_strdup_printf ("%u", time_limit);
  g_autoptr (GSubprocess) process = NULL;
  LcConsoleLink *link;

  if (program == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   _ ("The program lightcone is not there: install it beside the browser."));
      return NULL;
    }
  process = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, error, program,
      "script", "--console", "--memory-limit", memory, "--time-limit", seconds, directory, NULL);
  if (process == NULL)
    return NULL;
  link = g_atomic_rc_box_new0 (LcConsoleLink);
  link->news = news;
  link->owner = owner;
  link->process = g_steal_pointer (&process);
  link->cancellable = g_cancellable_new ();
  link->frames = g_byte_array_new ();
  link->complaints = g_data_input_stream_new (g_subprocess_get_stderr_pipe (link->process));
  console_link_read (link);
  console_link_read_complaint (link);
  return link;
}

void
lc_console_link_free (LcConsoleLink *link)
{
  if (link == NULL)
    return;
  link->news = NULL;
  g_clear_handle_id (&link->patience, g_source_remove);
  g_cancellable_cancel (link->cancellable);
  g_subprocess_force_exit (link->process);
  console_link_release (link);
}
