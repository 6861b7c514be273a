/* SPDX-License-Identifier: Apache-2.0 */
/* A program that runs again under `lightcone replay --gdb --control`: where it stands, and what it is asked for. */
/*
 * The lines of both sides are those of docs/replay.md. Only this user can reach the socket: its folder is private, and
 * nothing but the first connection is accepted.
 */
#include "app/debug/debug-run.h"

#include <errno.h>
#include <gio/gio.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/un.h>

enum
{
  LONG_RUN = 500, /* ms after which the places of the last stop are no longer shown */
};

struct _LcDebugRun
{
  GObject parent;

  LcSession *session;
  char *folder;
  char *path;
  GSocketListener *listener; /* NULL: somebody has connected, or nobody will */
  GSocketConnection *connection;
  GDataInputStream *lines;
  GCancellable *cancellable;
  LcDebugState state;
  gboolean has_stopped;
  guint32 process;
  GArray *told; /* LcEventName: breakpoints that the replay knows of */
  guint fading; /* source that clears the places of the last stop */
};

enum
{
  CHANGED,
  VALUE,
  SIGNALS,
};

static guint signals[SIGNALS];

G_DEFINE_FINAL_TYPE (LcDebugRun, lc_debug_run, G_TYPE_OBJECT)

static void debug_run_read (LcDebugRun *run);

/* --- Lines ------------------------------------------------------------------------------------------------------- */

static char *
debug_run_encode (const char *text)
{
  GString *digits = g_string_new (NULL);

  for (const char *byte = text; *byte != '\0'; byte++)
    g_string_append_printf (digits, "%02x", (guchar)*byte);
  return g_string_free (digits->len > 0 ? digits : g_string_append (digits, "-"), FALSE);
}

static char *
debug_run_decode (const char *digits)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (; g_ascii_isxdigit (digits[0]) && g_ascii_isxdigit (digits[1]); digits += 2)
    g_string_append_c (text, (char)(g_ascii_xdigit_value (digits[0]) << 4 | g_ascii_xdigit_value (digits[1])));
  return g_utf8_make_valid (text->str, (gssize)text->len);
}

/* A line is far shorter than the buffer of a socket: who does not take it has stopped to listen. */
static void
debug_run_say (LcDebugRun *run, const char *word, const char *text)
{
  g_autofree char *digits = text != NULL ? debug_run_encode (text) : NULL;
  g_autofree char *line = digits != NULL ? g_strdup_printf ("%s %s\n", word, digits) : g_strdup_printf ("%s\n", word);

  if (run->connection != NULL)
    g_socket_send_with_blocking (g_socket_connection_get_socket (run->connection), line, strlen (line), FALSE,
                                 run->cancellable, NULL);
}

/* --- Breakpoints ------------------------------------------------------------------------------------------------- */

static char *
debug_run_dup_name (const LcEventName *name)
{
  return g_strdup_printf ("%u:%" G_GUINT64_FORMAT, name->process, name->ordinal);
}

static gboolean
debug_run_knows (LcDebugRun *run, const LcEventName *name)
{
  for (guint i = 0; i < run->told->len; i++)
    {
      const LcEventName *known = &g_array_index (run->told, LcEventName, i);

      if (known->process == name->process && known->ordinal == name->ordinal)
        return TRUE;
    }
  return FALSE;
}

/* Tells the differences. Only a program that has stopped is told: others do not listen. */
static void
debug_run_tell_breakpoints (LcDebugRun *run)
{
  const GArray *breakpoints = lc_session_get_breakpoints (run->session);

  if (run->state != LC_DEBUG_STOPPED)
    return;
  for (guint i = 0; i < run->told->len; i++)
    {
      const LcEventName *known = &g_array_index (run->told, LcEventName, i);
      g_autofree char *name = debug_run_dup_name (known);

      if (!lc_session_has_breakpoint (run->session, known->process, known->ordinal))
        debug_run_say (run, "delete", name);
    }
  for (guint i = 0; i < breakpoints->len; i++)
    {
      g_autofree char *name = debug_run_dup_name (&g_array_index (breakpoints, LcEventName, i));

      if (!debug_run_knows (run, &g_array_index (breakpoints, LcEventName, i)))
        debug_run_say (run, "break", name);
    }
  g_array_set_size (run->told, 0);
  if (breakpoints->len > 0)
    g_array_append_vals (run->told, breakpoints->data, breakpoints->len);
}

/* --- States ------------------------------------------------------------------------------------------------------ */

static gboolean
debug_run_fade (gpointer data)
{
  LcDebugRun *run = data;

  run->fading = 0;
  lc_session_clear_stops (run->session);
  return G_SOURCE_REMOVE;
}

static void
debug_run_set_state (LcDebugRun *run, LcDebugState state)
{
  run->state = state;
  g_clear_handle_id (&run->fading, g_source_remove);
  if (state == LC_DEBUG_RUNS)
    run->fading = g_timeout_add (LONG_RUN, debug_run_fade, run);
  else if (state != LC_DEBUG_STOPPED)
    lc_session_clear_stops (run->session);
  g_signal_emit (run, signals[CHANGED], 0);
}

/* The user looks at the event that the process is about to carry out. */
static void
debug_run_select (LcDebugRun *run, const LcEventName *name)
{
  const LcShown *shown = lc_session_get_shown (run->session);
  LcHistory *history = shown != NULL ? shown->opened->history : NULL;
  guint32 process;
  guint64 ordinal;

  if (history != NULL && name->process < lc_history_get_n_processes (history) &&
      name->ordinal < lc_history_get_process (history, name->process)->events &&
      lc_history_locate (history, shown->timeline, name->process, name->ordinal, &process, &ordinal, NULL))
    lc_session_select (run->session, process, ordinal, TRUE);
}

static void
debug_run_stop (LcDebugRun *run, char **words)
{
  g_autoptr (GArray) stops = g_array_new (FALSE, FALSE, sizeof (LcEventName));
  LcEventName looked_at = {.process = LC_TRACE_NONE};

  run->process = words[0] != NULL ? (guint32)g_ascii_strtoull (words[0], NULL, 10) : LC_TRACE_NONE;
  for (guint i = 1; words[0] != NULL && words[i] != NULL; i++)
    {
      const char *colon = strchr (words[i], ':');
      LcEventName name;

      if (colon == NULL)
        continue;
      name.process = (guint32)g_ascii_strtoull (words[i], NULL, 10);
      name.ordinal = g_ascii_strtoull (colon + 1, NULL, 10);
      g_array_append_val (stops, name);
      if (name.process == run->process)
        looked_at = name;
    }
  run->has_stopped = TRUE;
  lc_session_begin (run->session);
  lc_session_set_stops (run->session, run->process, (const LcEventName *)(const void *)stops->data, stops->len);
  if (looked_at.process != LC_TRACE_NONE)
    debug_run_select (run, &looked_at);
  lc_session_end (run->session);
  debug_run_set_state (run, LC_DEBUG_STOPPED);
  debug_run_tell_breakpoints (run);
}

static void
debug_run_take (LcDebugRun *run, char **words)
{
  if (strcmp (words[0], "stopped") == 0)
    debug_run_stop (run, words + 1);
  else if (strcmp (words[0], "running") == 0)
    debug_run_set_state (run, LC_DEBUG_RUNS);
  else if (strcmp (words[0], "ended") == 0)
    debug_run_set_state (run, LC_DEBUG_ENDED);
  else if ((strcmp (words[0], "value") == 0 || strcmp (words[0], "failed") == 0) && words[1] != NULL &&
           words[2] != NULL)
    {
      g_autofree char *expression = debug_run_decode (words[1]), *text = debug_run_decode (words[2]);

      g_signal_emit (run, signals[VALUE], 0, expression, text, strcmp (words[0], "failed") == 0);
    }
}

/* --- The connection ---------------------------------------------------------------------------------------------- */

static void
debug_run_on_line (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (LcDebugRun) run = data;
  g_autofree char *line = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, NULL);
  g_auto (GStrv) words = line != NULL ? g_strsplit (line, " ", -1) : NULL;

  if (g_cancellable_is_cancelled (run->cancellable))
    return;
  if (line == NULL)
    {
      lc_debug_run_end (run);
      return;
    }
  if (words[0] != NULL)
    debug_run_take (run, words);
  debug_run_read (run);
}

static void
debug_run_read (LcDebugRun *run)
{
  g_data_input_stream_read_line_async (run->lines, G_PRIORITY_DEFAULT, run->cancellable, debug_run_on_line,
                                       g_object_ref (run));
}

/* Nobody else is to connect. */
static void
debug_run_close_door (LcDebugRun *run)
{
  if (run->listener == NULL)
    return;
  g_socket_listener_close (run->listener);
  g_clear_object (&run->listener);
  g_unlink (run->path);
  g_rmdir (run->folder);
}

static void
debug_run_on_connected (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (LcDebugRun) run = data;
  g_autoptr (GSocketConnection) connection =
      g_socket_listener_accept_finish (G_SOCKET_LISTENER (source), result, NULL, NULL);

  if (connection == NULL || g_cancellable_is_cancelled (run->cancellable))
    return;
  debug_run_close_door (run);
  run->connection = g_steal_pointer (&connection);
  run->lines = g_data_input_stream_new (g_io_stream_get_input_stream (G_IO_STREAM (run->connection)));
  debug_run_read (run);
}

/* The name of a socket has little room: where the folder of the user's session is deep, another one that is private,
 * too, is made for it. */
static gboolean
debug_run_make_folder (LcDebugRun *run, GError **error)
{
  const char *const places[] = {g_get_user_runtime_dir (), g_get_tmp_dir ()};

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *folder = g_build_filename (places[i], "lightcone-XXXXXX", NULL);
      g_autofree char *path = g_build_filename (folder, "control", NULL);

      if (strlen (path) >= sizeof ((struct sockaddr_un *)NULL)->sun_path || g_mkdtemp_full (folder, 0700) == NULL)
        continue;
      run->path = g_build_filename (folder, "control", NULL);
      run->folder = g_steal_pointer (&folder);
      return TRUE;
    }
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, _ ("no private folder can be made in %s or in %s"), places[0],
               places[1]);
  return FALSE;
}

static gboolean
debug_run_listen (LcDebugRun *run, GError **error)
{
  g_autoptr (GSocketAddress) address = NULL;

  if (!debug_run_make_folder (run, error))
    return FALSE;
  address = g_unix_socket_address_new (run->path);
  run->listener = g_socket_listener_new ();
  if (!g_socket_listener_add_address (run->listener, address, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, NULL,
                                      NULL, error))
    return FALSE;
  g_socket_listener_accept_async (run->listener, run->cancellable, debug_run_on_connected, g_object_ref (run));
  return TRUE;
}

/* --- Asking ------------------------------------------------------------------------------------------------------ */

static void
debug_run_ask (LcDebugRun *run, const char *word, const char *text)
{
  if (run->state == LC_DEBUG_STOPPED)
    debug_run_say (run, word, text);
}

void
lc_debug_run_next (LcDebugRun *run, guint32 process)
{
  g_autofree char *text = g_strdup_printf ("%u", process);

  debug_run_ask (run, "next", text);
}

void
lc_debug_run_until (LcDebugRun *run, guint32 process, guint64 ordinal)
{
  g_autofree char *text = debug_run_dup_name (&(LcEventName){.process = process, .ordinal = ordinal});

  debug_run_ask (run, "until", text);
}

void
lc_debug_run_finish (LcDebugRun *run)
{
  debug_run_ask (run, "finish", NULL);
}

void
lc_debug_run_go (LcDebugRun *run)
{
  debug_run_ask (run, "go", NULL);
}

void
lc_debug_run_interrupt (LcDebugRun *run)
{
  if (run->state == LC_DEBUG_RUNS)
    debug_run_say (run, "interrupt", NULL);
}

void
lc_debug_run_ask_value (LcDebugRun *run, const char *expression)
{
  debug_run_ask (run, "value", expression);
}

gboolean
lc_debug_run_quit (LcDebugRun *run)
{
  if (run->connection == NULL || (run->state != LC_DEBUG_STOPPED && run->state != LC_DEBUG_ENDED))
    return FALSE;
  debug_run_say (run, "quit", NULL);
  return TRUE;
}

/* --- Beginning and end ------------------------------------------------------------------------------------------- */

LcDebugState
lc_debug_run_get_state (LcDebugRun *run)
{
  return run->state;
}

const char *
lc_debug_run_get_path (LcDebugRun *run)
{
  return run->path;
}

gboolean
lc_debug_run_has_stopped (LcDebugRun *run)
{
  return run->has_stopped;
}

guint32
lc_debug_run_get_process (LcDebugRun *run)
{
  return run->process;
}

void
lc_debug_run_end (LcDebugRun *run)
{
  if (run->state == LC_DEBUG_GONE)
    return;
  g_cancellable_cancel (run->cancellable);
  debug_run_close_door (run);
  g_clear_object (&run->lines);
  g_clear_object (&run->connection);
  debug_run_set_state (run, LC_DEBUG_GONE);
}

static void
lc_debug_run_finalize (GObject *object)
{
  LcDebugRun *run = LC_DEBUG_RUN (object);

  debug_run_close_door (run);
  g_clear_handle_id (&run->fading, g_source_remove);
  g_clear_object (&run->lines);
  g_clear_object (&run->connection);
  g_clear_object (&run->cancellable);
  g_clear_object (&run->session);
  g_array_unref (run->told);
  g_free (run->path);
  g_free (run->folder);
  G_OBJECT_CLASS (lc_debug_run_parent_class)->finalize (object);
}

static void
debug_run_on_changed (LcSession *session, guint what, LcDebugRun *run)
{
  if ((what & LC_CHANGED_BREAKPOINTS) != 0)
    debug_run_tell_breakpoints (run);
}

static void
lc_debug_run_class_init (LcDebugRunClass *class)
{
  GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = lc_debug_run_finalize;
  signals[CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[VALUE] = g_signal_new ("value", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3, G_TYPE_STRING,
                                 G_TYPE_STRING, G_TYPE_BOOLEAN);
}

static void
lc_debug_run_init (LcDebugRun *run)
{
  run->cancellable = g_cancellable_new ();
  run->told = g_array_new (FALSE, FALSE, sizeof (LcEventName));
  run->process = LC_TRACE_NONE;
}

LcDebugRun *
lc_debug_run_new (LcSession *session, GError **error)
{
  g_autoptr (LcDebugRun) run = g_object_new (LC_TYPE_DEBUG_RUN, NULL);

  run->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (debug_run_on_changed), run, 0);
  if (debug_run_listen (run, error))
    return g_steal_pointer (&run);
  lc_debug_run_end (run);
  return NULL;
}
