/* SPDX-License-Identifier: Apache-2.0 */
/* gdb at a replayed program: what it asks for moves the limits of the plan. */
/*
 * gdb's script (gdb/lightcone.py) asks on a socket, a line for each, and gets "ok N" and N lines, or "error TEXT";
 * texts are in digits of base 16. A second socket has tasks for gdb, from whoever listens at the control socket. While
 * the program runs, its threads are looked at, and an interrupt ends the run when none can go on.
 */
#include "replay-debug.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "command.h"
#include "replay-run.h"
#include "replay-until.h"

enum
{
  LOOK_PAUSE = 10,  /* ms */
  STILL_LOOKS = 5,  /* in which nothing has moved */
  IDLE_LOOKS = 500, /* in which nothing has moved, though some threads could: they wait elsewhere, or compute */
};

typedef struct Debugger Debugger;

/* Who asks, a line for each request. */
typedef struct
{
  Debugger *debugger;
  void (*take) (Debugger *debugger, char **words);
  GDataInputStream *lines;
  int file;
} DebugLink;

struct Debugger
{
  LcTrace *trace;
  const LcReplayFollowers *followers;
  pid_t program;
  GMainLoop *loop;
  GCancellable *cancellable; /* of all reading */
  DebugLink requests;        /* of gdb's script */
  DebugLink front;           /* of who shows the run; file -1: nobody does */
  int tasks;                 /* gdb's other socket */
  GArray *breaks;            /* LcReplayStop */
  guint32 selected;          /* of the followers */
  guint timer;               /* looks at the threads while the program runs; 0: it is stopped */
  guint64 moved;
  guint same;              /* looks at which nothing had moved */
  gboolean is_interrupted; /* by us */
  gboolean has_ended;
};

/* --- Lines ---------------------------------------------------------------------------------------------------- */

char *
lc_replay_debug_encode (const char *text)
{
  GString *digits = g_string_new (NULL);

  for (const char *byte = text; *byte != '\0'; byte++)
    g_string_append_printf (digits, "%02x", (guchar)*byte);
  return g_string_free (digits->len > 0 ? digits : g_string_append (digits, "-"), FALSE);
}

char *
lc_replay_debug_decode (const char *digits)
{
  GString *text = g_string_new (NULL);

  for (; g_ascii_isxdigit (digits[0]) && g_ascii_isxdigit (digits[1]); digits += 2)
    g_string_append_c (text, (char)(g_ascii_xdigit_value (digits[0]) << 4 | g_ascii_xdigit_value (digits[1])));
  return g_string_free (text, FALSE);
}

static void
debug_send (int file, const char *text)
{
  for (gsize left = strlen (text); left > 0;)
    {
      ssize_t sent = send (file, text, left, MSG_NOSIGNAL);

      if (sent <= 0)
        return; /* whoever it was for has gone, which is seen by reading */
      text += sent;
      left -= (gsize)sent;
    }
}

static void
debug_answer (Debugger *debugger, const GPtrArray *lines)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "ok %u\n", lines != NULL ? lines->len : 0);
  for (guint i = 0; lines != NULL && i < lines->len; i++)
    g_string_append_printf (text, "%s\n", (const char *)g_ptr_array_index (lines, i));
  debug_send (debugger->requests.file, text->str);
}

static void
debug_refuse (Debugger *debugger, const char *message)
{
  g_autofree char *digits = lc_replay_debug_encode (message), *text = g_strdup_printf ("error %s\n", digits);

  debug_send (debugger->requests.file, text);
}

static void
debug_tell_front (Debugger *debugger, const char *format, const char *one, const char *other)
{
  g_autoptr (GString) text = g_string_new (format);

  if (one != NULL)
    g_string_append_printf (text, " %s", one);
  if (other != NULL)
    g_string_append_printf (text, " %s", other);
  g_string_append_c (text, '\n');
  if (debugger->front.file >= 0)
    debug_send (debugger->front.file, text->str);
}

/* --- Threads -------------------------------------------------------------------------------------------------- */

static LcReplayFollower
debug_look_at (Debugger *debugger, guint32 number)
{
  LcReplayFollower follower;

  debugger->followers->look (debugger->followers->data, number, &follower);
  return follower;
}

static guint64
debug_get_next (Debugger *debugger, guint32 number)
{
  return lc_replay_followers_get_next (debugger->followers, number);
}

static gboolean
debug_find_thread (Debugger *debugger, guint32 id, guint32 *number)
{
  for (*number = 0; *number < debugger->followers->n; (*number)++)
    {
      const LcReplayFollower follower = debug_look_at (debugger, *number);

      if (follower.is_alive && follower.id == id)
        return TRUE;
    }
  return FALSE;
}

/* The front end draws the line before each process's next event. */
static void
debug_tell_places (Debugger *debugger)
{
  g_autoptr (GString) places = g_string_new (NULL);
  g_autofree char *selected = g_strdup_printf ("%u", debug_look_at (debugger, debugger->selected).process);

  for (guint32 i = 0; i < debugger->followers->n; i++)
    {
      const LcReplayFollower follower = debug_look_at (debugger, i);

      if (follower.is_born)
        g_string_append_printf (places, "%s%u:%" G_GUINT64_FORMAT, places->len > 0 ? " " : "", follower.process,
                                debug_get_next (debugger, i));
    }
  debug_tell_front (debugger, "stopped", selected, places->str);
}

/* --- Running -------------------------------------------------------------------------------------------------- */

/* A thread may wait for something that has no turns, or compute for long: its user is asked. */
static gboolean
debug_look (gpointer data)
{
  Debugger *debugger = data;
  guint64 moved;
  gboolean is_still;

  debugger->followers->restore (debugger->followers->data);
  is_still = debugger->followers->is_still (debugger->followers->data, &moved);
  debugger->same = moved == debugger->moved ? debugger->same + 1 : 0;
  debugger->moved = moved;
  if (debugger->same < (is_still ? STILL_LOOKS : IDLE_LOOKS))
    return G_SOURCE_CONTINUE;
  debugger->is_interrupted = TRUE;
  kill (debugger->program, SIGINT);
  debugger->timer = 0;
  return G_SOURCE_REMOVE;
}

static void
debug_begin_run (Debugger *debugger)
{
  debugger->same = 0;
  debugger->is_interrupted = FALSE;
  if (debugger->timer == 0)
    debugger->timer = g_timeout_add (LOOK_PAUSE, debug_look, debugger);
  debug_tell_front (debugger, "running", NULL, NULL);
}

static void
debug_end_run (Debugger *debugger)
{
  g_clear_handle_id (&debugger->timer, g_source_remove);
}

/* --- Limits --------------------------------------------------------------------------------------------------- */

static void
debug_set_limit (Debugger *debugger, guint32 number, guint64 limit)
{
  const LcReplayFollower follower = debug_look_at (debugger, number);

  debugger->followers->set_limit (debugger->followers->data, number, MAX (limit, follower.next));
}

/* Limits are given by process, as ordinals. */
static void
debug_set_limits (Debugger *debugger, const guint64 *limits)
{
  lc_replay_followers_set_limits (debugger->followers, limits, lc_trace_get_n_processes (debugger->trace));
}

static void
debug_aim (Debugger *debugger, guint32 number)
{
  if (debugger->followers->aim != NULL)
    debugger->followers->aim (debugger->followers->data, number);
}

/* The ordinal of the last event of a call, whose first event is the next one. */
static guint64
debug_get_last_of_call (Debugger *debugger, guint32 number)
{
  const LcReplayFollowers *followers = debugger->followers;
  const guint64 next = debug_look_at (debugger, number).next;
  guint64 last = next, ordinal = debug_get_next (debugger, number);

  while (followers->is_joined != NULL && followers->is_joined (followers->data, number, last + 1))
    last++;
  if (last > next)
    followers->get_ordinal (followers->data, number, last, &ordinal);
  return ordinal;
}

static gboolean
debug_move_next (Debugger *debugger, const char *text, GError **error)
{
  const char *directory = lc_trace_get_path (debugger->trace);
  g_autofree guint64 *limits = NULL;
  LcReplayFollower follower;

  if (*text != '\0')
    {
      guint32 process, number;

      if (!lc_replay_until_find_process (directory, text, &process, error))
        return FALSE;
      if (lc_replay_followers_find (debugger->followers, process, &number))
        debugger->selected = number;
    }
  follower = debug_look_at (debugger, debugger->selected);
  if (follower.next >= follower.n_events)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("nothing more of it was recorded"));
      return FALSE;
    }
  limits = lc_replay_until_find_past (directory, follower.process,
                                      debug_get_last_of_call (debugger, debugger->selected), error);
  if (limits != NULL)
    {
      debug_set_limits (debugger, limits);
      debug_aim (debugger, debugger->selected);
    }
  return limits != NULL;
}

static gboolean
debug_move_until (Debugger *debugger, const char *kind, char *text, GError **error)
{
  const LcReplayUntil until = {.events = strcmp (kind, "until") == 0 ? text : NULL,
                               .cut = strcmp (kind, "cut") == 0 ? text : NULL,
                               .time = strcmp (kind, "time") == 0 ? text : NULL,
                               .layer = strcmp (kind, "layer") == 0 ? text : NULL,
                               .followers = debugger->followers};
  guint32 process = 0, number;
  g_autofree guint64 *limits = lc_replay_until_find (lc_trace_get_path (debugger->trace), &until, &process, error);

  if (limits == NULL)
    return FALSE;
  if (lc_replay_followers_find (debugger->followers, process, &number))
    {
      if ((until.events != NULL || until.cut != NULL) && debug_get_next (debugger, number) > limits[process])
        {
          g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                       _ ("%s has been done already: a replay goes forward only"), text);
          return FALSE;
        }
      debugger->selected = number;
    }
  debug_set_limits (debugger, limits);
  debug_aim (debugger, debugger->selected);
  return TRUE;
}

/* All but the selected one, which stays, go on as far as they can. */
static void
debug_move_others (Debugger *debugger)
{
  debug_aim (debugger, LC_REPLAY_NONE);
  for (guint32 i = 0; i < debugger->followers->n; i++)
    debug_set_limit (debugger, i, i != debugger->selected ? debug_look_at (debugger, i).n_events : 0);
}

static void
debug_move_on (Debugger *debugger)
{
  debug_aim (debugger, LC_REPLAY_NONE);
  for (guint32 i = 0; i < debugger->followers->n; i++)
    {
      const LcReplayFollower follower = debug_look_at (debugger, i);
      guint64 limit = follower.n_events;

      for (guint k = 0; k < debugger->breaks->len; k++)
        {
          const LcReplayStop *stop = &g_array_index (debugger->breaks, LcReplayStop, k);
          const guint64 place = lc_replay_followers_count_before (debugger->followers, i, stop->ordinal);

          if (stop->process == follower.process && place > follower.next)
            limit = MIN (limit, place);
        }
      debug_set_limit (debugger, i, limit);
    }
}

static gboolean
debug_find_place (Debugger *debugger, const char *text, LcReplayStop *stop, GError **error)
{
  return lc_replay_until_find_event (lc_trace_get_path (debugger->trace), debugger->followers, text, &stop->process,
                                     &stop->ordinal, error);
}

static gboolean
debug_break (Debugger *debugger, const char *kind, const char *text, GError **error)
{
  LcReplayStop stop;

  if (!debug_find_place (debugger, text, &stop, error))
    return FALSE;
  for (guint k = debugger->breaks->len; k > 0; k--)
    {
      const LcReplayStop *there = &g_array_index (debugger->breaks, LcReplayStop, k - 1);

      if (there->process == stop.process && there->ordinal == stop.ordinal)
        g_array_remove_index (debugger->breaks, k - 1);
    }
  if (strcmp (kind, "break") == 0)
    g_array_append_val (debugger->breaks, stop);
  return TRUE;
}

/* A breakpoint that a process has come to is what its user looks at. */
static void
debug_select_broken (Debugger *debugger)
{
  for (guint32 i = 0; i < debugger->followers->n; i++)
    for (guint k = 0; k < debugger->breaks->len; k++)
      {
        const LcReplayStop *stop = &g_array_index (debugger->breaks, LcReplayStop, k);
        const LcReplayFollower follower = debug_look_at (debugger, i);

        if (follower.is_alive && stop->process == follower.process && debug_get_next (debugger, i) == stop->ordinal)
          debugger->selected = i;
      }
}

/* --- What gdb asks for ---------------------------------------------------------------------------------------- */

/* Names come from the trace. */
static void
debug_list_names (Debugger *debugger, GPtrArray *lines)
{
  for (guint32 i = 0; i < debugger->followers->n; i++)
    {
      const LcReplayFollower follower = debug_look_at (debugger, i);
      g_autofree char *name = NULL;

      if (!follower.is_alive || follower.process >= lc_trace_get_n_processes (debugger->trace))
        continue;
      name = lc_replay_debug_encode (lc_trace_get_process (debugger->trace, follower.process)->name);
      g_ptr_array_add (lines, g_strdup_printf ("%u %s", follower.id, name));
    }
}

static void
debug_list_places (Debugger *debugger, GPtrArray *lines)
{
  g_autofree char *text = debugger->followers->text_next (debugger->followers->data, debugger->trace);
  g_auto (GStrv) texts = g_strsplit (text, "\n", -1);

  for (char **line = texts; *line != NULL; line++)
    if (**line != '\0')
      g_ptr_array_add (lines, lc_replay_debug_encode (*line));
}

static void
debug_take_thread (Debugger *debugger, const char *id)
{
  guint32 number;

  if (debug_find_thread (debugger, (guint32)g_ascii_strtoull (id, NULL, 10), &number))
    debugger->selected = number;
}

/* Returns FALSE for a request that is no move. */
static gboolean
debug_take_move (Debugger *debugger, const char *kind, char *text, GError **error)
{
  static const char *const until[] = {"until", "cut", "time", "layer", NULL};
  gboolean good = TRUE;

  if (strcmp (kind, "next") == 0)
    good = debug_move_next (debugger, text, error);
  else if (g_strv_contains (until, kind))
    good = debug_move_until (debugger, kind, text, error);
  else if (strcmp (kind, "finish") == 0)
    debug_move_others (debugger);
  else if (strcmp (kind, "go") == 0)
    debug_move_on (debugger);
  else
    return FALSE;
  if (good)
    debugger->followers->move (debugger->followers->data);
  return TRUE;
}

/* What takes no thread. */
static void
debug_take_notice (Debugger *debugger, char **words)
{
  if (strcmp (words[0], "running") == 0)
    debug_begin_run (debugger);
  else if (strcmp (words[0], "stopped") == 0)
    {
      debug_end_run (debugger);
      debug_select_broken (debugger);
      debug_tell_places (debugger);
    }
  else if (strcmp (words[0], "ended") == 0)
    {
      debug_end_run (debugger);
      debugger->has_ended = TRUE;
      debug_tell_front (debugger, "ended", NULL, NULL);
    }
  else if (words[1] != NULL && words[2] != NULL)
    debug_tell_front (debugger, words[0], words[1], words[2]); /* a value, or why there is none */
}

static void
debug_take_request (Debugger *debugger, char **words)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = words[1] != NULL && words[2] != NULL ? lc_replay_debug_decode (words[2]) : g_strdup ("");
  g_autoptr (GError) error = NULL;

  debugger->followers->restore (debugger->followers->data);
  if (strcmp (words[0], "names") == 0)
    debug_list_names (debugger, lines);
  else if (strcmp (words[0], "where") == 0)
    debug_list_places (debugger, lines);
  else if (strcmp (words[0], "selected") == 0)
    g_ptr_array_add (lines, g_strdup_printf ("%u", debug_look_at (debugger, debugger->selected).id));
  else if (strcmp (words[0], "why") == 0)
    g_ptr_array_add (lines, g_strdup (debugger->is_interrupted ? "limits" : "other"));
  else if (strcmp (words[0], "gone") == 0)
    g_ptr_array_add (lines, lc_replay_debug_encode (_ ("The program has ended.")));
  else if (strcmp (words[0], "break") == 0 || strcmp (words[0], "delete") == 0)
    debug_break (debugger, words[0], text, &error);
  else
    {
      if (words[1] != NULL && words[2] != NULL)
        debug_take_thread (debugger, words[1]);
      if (!debug_take_move (debugger, words[0], text, &error))
        debug_take_notice (debugger, words);
    }
  if (error == NULL)
    debug_answer (debugger, lines);
  else
    debug_refuse (debugger, error->message);
}

/* --- What the front end asks for ------------------------------------------------------------------------------- */

static void
debug_add_task (Debugger *debugger, const char *kind, const char *text)
{
  g_autofree char *digits = lc_replay_debug_encode (text), *line = g_strdup_printf ("%s %s\n", kind, digits);

  debug_send (debugger->tasks, line);
}

/* Nothing is asked for but what gdb has a command for here, and expressions. */
static void
debug_take_front (Debugger *debugger, char **words)
{
  static const char *const moves[] = {"next", "until", "finish", "go", "break", "delete", NULL};
  g_autofree char *text = words[1] != NULL ? lc_replay_debug_decode (words[1]) : g_strdup ("");

  if (strcmp (words[0], "interrupt") == 0 && debugger->timer != 0)
    kill (debugger->program, SIGINT);
  else if (strcmp (words[0], "value") == 0 && debugger->timer == 0)
    debug_add_task (debugger, "value", text);
  else if (strcmp (words[0], "quit") == 0 && debugger->timer == 0)
    debug_add_task (debugger, "do", "quit");
  else if (g_strv_contains (moves, words[0]) && debugger->timer == 0 && strpbrk (text, "\r\n") == NULL)
    {
      g_autofree char *command = g_strdup_printf ("lightcone %s %s", words[0], text);

      debug_add_task (debugger, "do", g_strchomp (command));
    }
}

/* --- Links ---------------------------------------------------------------------------------------------------- */

static void
debug_link_take (GObject *source, GAsyncResult *result, gpointer data)
{
  DebugLink *link = data;
  g_autofree char *line = g_data_input_stream_read_line_finish (link->lines, result, NULL, NULL);
  g_auto (GStrv) words = line != NULL ? g_strsplit (line, " ", -1) : NULL;

  if (line == NULL)
    return; /* it has gone, or we go */
  link->take (link->debugger, words);
  g_data_input_stream_read_line_async (link->lines, G_PRIORITY_DEFAULT, link->debugger->cancellable, debug_link_take,
                                       link);
}

/* The file belongs to the link then. */
static void
debug_link_begin (DebugLink *link, Debugger *debugger, int file, void (*take) (Debugger *debugger, char **words))
{
  g_autoptr (GInputStream) stream = g_unix_input_stream_new (file, FALSE);

  *link = (DebugLink){.debugger = debugger, .take = take, .file = file, .lines = g_data_input_stream_new (stream)};
  g_data_input_stream_read_line_async (link->lines, G_PRIORITY_DEFAULT, debugger->cancellable, debug_link_take, link);
}

static void
debug_link_end (DebugLink *link)
{
  if (link->file < 0)
    return;
  g_clear_object (&link->lines);
  close (link->file);
  link->file = -1;
}

static int
debug_connect (const char *path, GError **error)
{
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocket) opened =
      g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, error);

  if (opened == NULL || !g_socket_connect (opened, address, NULL, error))
    {
      g_prefix_error (error, "%s: ", path);
      return -1;
    }
  return fcntl (g_socket_get_fd (opened), F_DUPFD_CLOEXEC, 0);
}

/* --- gdb ------------------------------------------------------------------------------------------------------ */

GPtrArray *
lc_replay_debug_make_command (pid_t program, const char *script, char **commands)
{
  static const char *const first[] = {"gdb", "-q", "-iex", "set debuginfod enabled off", "-iex", "set pagination off"};
  GPtrArray *command = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    g_ptr_array_add (command, g_strdup (first[i]));
  if (commands != NULL)
    g_ptr_array_add (command, g_strdup ("-batch"));
  g_ptr_array_add (command, g_strdup ("-p"));
  g_ptr_array_add (command, g_strdup_printf ("%d", (int)program));
  g_ptr_array_add (command, g_strdup ("-x"));
  g_ptr_array_add (command, g_strdup (script));
  for (guint i = 0; commands != NULL && commands[i] != NULL; i++)
    {
      g_ptr_array_add (command, g_strdup ("-ex"));
      g_ptr_array_add (command, g_strdup (commands[i]));
    }
  g_ptr_array_add (command, NULL);
  return command;
}

static void
debug_see_gdb_end (GPid pid, int status, gpointer data)
{
  Debugger *debugger = data;

  g_spawn_close_pid (pid);
  g_main_loop_quit (debugger->loop);
}

/* A signal that is to end us ends gdb, which lets the program go. */
static gboolean
debug_see_signal (gpointer data)
{
  const GPid *gdb = data;

  if (lc_replay_run_get_signal () != 0)
    kill (*gdb, SIGKILL);
  return G_SOURCE_CONTINUE;
}

static gboolean
debug_run_gdb (Debugger *debugger, char **commands, const char *script, const int theirs[2], GError **error)
{
  g_autoptr (GPtrArray) command = lc_replay_debug_make_command (debugger->followers->debugged, script, commands);
  const int targets[2] = {3, 4};
  guint watch;
  GPid gdb;

  if (!g_spawn_async_with_pipes_and_fds (NULL, (const char *const *)command->pdata, NULL,
                                         G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN | G_SPAWN_DO_NOT_REAP_CHILD,
                                         NULL, NULL, -1, -1, -1, theirs, targets, 2, &gdb, NULL, NULL, NULL, error))
    return FALSE;
  close (theirs[0]);
  close (theirs[1]);
  g_child_watch_add (gdb, debug_see_gdb_end, debugger);
  watch = g_timeout_add (100, debug_see_signal, &gdb);
  g_main_loop_run (debugger->loop);
  g_source_remove (watch);
  return TRUE;
}

char *
lc_replay_debug_write_script (const char *folder, const char *name, GError **error)
{
  g_autofree char *resource = g_strconcat ("/lightcone/cli/", name, NULL),
                  *path = g_build_filename (folder, name, NULL);
  g_autoptr (GBytes) script = g_resources_lookup_data (resource, G_RESOURCE_LOOKUP_FLAGS_NONE, error);
  gsize size;
  const char *text = script != NULL ? g_bytes_get_data (script, &size) : NULL;

  return text != NULL && g_file_set_contents (path, text, (gssize)size, error) ? g_steal_pointer (&path) : NULL;
}

/* Begins all links, and runs gdb. */
static gboolean
debug_run (Debugger *debugger, char **commands, const char *control, const char *script, GError **error)
{
  int requests[2], tasks[2], front = -1;

  if (control != NULL)
    {
      front = debug_connect (control, error);
      if (front < 0)
        return FALSE;
      debug_link_begin (&debugger->front, debugger, front, debug_take_front);
    }
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, requests) != 0 ||
      socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, tasks) != 0)
    {
      g_set_error (error, G_FILE_ERROR, (int)g_file_error_from_errno (errno), "socketpair: %s", g_strerror (errno));
      return FALSE;
    }
  debug_link_begin (&debugger->requests, debugger, requests[0], debug_take_request);
  debugger->tasks = tasks[0];
  return debug_run_gdb (debugger, commands, script, (const int[]){requests[1], tasks[1]}, error);
}

/* Reading that is still asked for ends before the links do. */
static void
debug_clear (Debugger *debugger)
{
  debug_end_run (debugger);
  debug_tell_front (debugger, "ended", NULL, NULL);
  g_cancellable_cancel (debugger->cancellable);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  debug_link_end (&debugger->requests);
  debug_link_end (&debugger->front);
  if (debugger->tasks >= 0)
    close (debugger->tasks);
  g_array_unref (debugger->breaks);
  g_object_unref (debugger->cancellable);
  g_main_loop_unref (debugger->loop);
}

/* An interrupt is gdb's while it runs. */
static gboolean
debug_by_gdb (LcTrace *trace, const LcReplayFollowers *followers, guint32 selected, pid_t program,
              const LcReplayDebugging *how, const char *folder, GError **error)
{
  Debugger debugger = {.trace = trace,
                       .followers = followers,
                       .program = program,
                       .loop = g_main_loop_new (NULL, FALSE),
                       .cancellable = g_cancellable_new (),
                       .requests.file = -1,
                       .front.file = -1,
                       .tasks = -1,
                       .breaks = g_array_new (FALSE, FALSE, sizeof (LcReplayStop)),
                       .selected = selected};
  const struct sigaction ignored = {.sa_handler = SIG_IGN};
  g_autofree char *script = lc_replay_debug_write_script (folder, "lightcone.py", error);
  struct sigaction before;
  gboolean good;

  sigaction (SIGINT, &ignored, &before);
  good = script != NULL && debug_run (&debugger, how->commands, how->control, script, error);
  sigaction (SIGINT, &before, NULL);
  debug_clear (&debugger);
  return good;
}

static gboolean
debug_serve (pid_t debugged, const char *address, GError **error)
{
  g_autofree char *program = g_strdup_printf ("%d", (int)debugged);
  g_autofree char *full =
      strchr (address, ':') != NULL ? g_strdup (address) : g_strconcat ("localhost:", address, NULL);
  char *command[] = {(char *)"gdbserver", (char *)"--once", (char *)"--attach", full, program, NULL};
  const struct sigaction ignored = {.sa_handler = SIG_IGN};
  struct sigaction before;
  gboolean good;

  sigaction (SIGINT, &ignored, &before);
  good = g_spawn_sync (NULL, command, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL,
                       NULL, error);
  sigaction (SIGINT, &before, NULL);
  return good;
}

void
lc_replay_debug (LcTrace *trace, const LcReplayFollowers *followers, guint32 selected, pid_t program,
                 const LcReplayDebugging *how, const char *folder)
{
  g_autoptr (GError) error = NULL;

  if ((how->is_wanted || how->commands != NULL) &&
      !debug_by_gdb (trace, followers, selected, program, how, folder, &error))
    lc_complain ("%s", error->message);
  else if (how->server != NULL && !debug_serve (followers->debugged, how->server, &error))
    lc_complain ("%s", error->message);
}
