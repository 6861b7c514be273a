/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what is on the clipboard to its standard output: read-clipboard MIME-TYPE. For tests in a window. */
#include <gtk/gtk.h>
#include <stdio.h>

enum
{
  LONGEST = 20, /* s, that is waited for an owner that does not answer */
};

typedef struct
{
  GMainLoop *loop;
  gboolean good;
} Reading;

static void
on_copied (GObject *source, GAsyncResult *result, gpointer data)
{
  Reading *reading = data;
  g_autoptr (GError) error = NULL;
  gssize n_bytes = g_output_stream_splice_finish (G_OUTPUT_STREAM (source), result, &error);

  reading->good = n_bytes >= 0;
  if (reading->good)
    fwrite (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (source)), 1, (gsize)n_bytes, stdout);
  else
    fprintf (stderr, "%s\n", error->message);
  g_main_loop_quit (reading->loop);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  Reading *reading = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) input = gdk_clipboard_read_finish (GDK_CLIPBOARD (source), result, NULL, &error);
  g_autoptr (GOutputStream) output = g_memory_output_stream_new_resizable ();

  if (input != NULL)
    {
      g_output_stream_splice_async (output, input, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, G_PRIORITY_DEFAULT, NULL,
                                    on_copied, reading);
      return;
    }
  fprintf (stderr, "%s\n", error->message);
  g_main_loop_quit (reading->loop);
}

static gboolean
give_up (gpointer data)
{
  fprintf (stderr, "nobody answers\n");
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

int
main (int argc, char **argv)
{
  const char *types[] = {argc == 2 ? argv[1] : NULL, NULL};
  Reading reading = {g_main_loop_new (NULL, FALSE), FALSE};

  if (types[0] == NULL || !gtk_init_check ())
    return 2;
  gdk_clipboard_read_async (gdk_display_get_clipboard (gdk_display_get_default ()), types, G_PRIORITY_DEFAULT, NULL,
                            on_read, &reading);
  g_timeout_add_seconds (LONGEST, give_up, reading.loop);
  g_main_loop_run (reading.loop);
  g_main_loop_unref (reading.loop);
  return reading.good ? 0 : 1;
}
