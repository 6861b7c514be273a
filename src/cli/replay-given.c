/* SPDX-License-Identifier: Apache-2.0 */
/* Gives a replayed program what it got from outside, and says where it asks for something else. */
#include "replay-given.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "find-library.h"
#include "replay-text.h"
#include "report/format.h"

void
lc_replay_given_clear (LcReplayGiven *given)
{
  if (given->plan != NULL)
    munmap (given->plan, (gsize)given->size);
  g_clear_pointer (&given->path, g_free);
  g_clear_pointer (&given->library, g_free);
  given->plan = NULL;
}

static gboolean
replay_given_map (LcReplayGiven *given, GError **error)
{
  int file = open (given->path, O_RDWR | O_CLOEXEC);
  struct stat status;
  gpointer memory = MAP_FAILED;

  if (file >= 0 && fstat (file, &status) == 0)
    memory = mmap (NULL, (gsize)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", given->path, g_strerror (errno));
  if (file >= 0)
    close (file);
  if (memory == MAP_FAILED)
    return FALSE;
  given->plan = memory;
  given->kept = *given->plan;
  given->size = (guint64)status.st_size;
  return TRUE;
}

gboolean
lc_replay_given_open (LcReplayGiven *given, LcTrace *trace, guint32 instance, const char *folder, GError **error)
{
  *given = (LcReplayGiven){0};
  if (!lc_given_is_kept (trace))
    return TRUE;
  given->library = lc_find_inputs_library (error);
  given->path = g_build_filename (folder, "inputs", NULL);
  return given->library != NULL && lc_given_write (trace, instance, given->path, error) &&
         replay_given_map (given, error);
}

void
lc_replay_given_begin (LcReplayGiven *given)
{
  if (given->plan == NULL)
    return;
  lc_replay_given_restore (given);
  lc_given_begin (given->plan);
}

/* The program may write anything into what it shares. */
void
lc_replay_given_restore (LcReplayGiven *given)
{
  if (given->plan == NULL)
    return;
  given->plan->n_processes = given->kept.n_processes;
  given->plan->size = given->kept.size;
}

/* "read (0), 4,096" */
static char *
replay_given_describe (guint call, int file, guint64 asked)
{
  g_autofree char *number = lc_format_count (asked);
  GString *text = g_string_new (lc_given_get_name (call));

  if (file >= 0)
    g_string_append_printf (text, " (%d)", file);
  if (asked > 0)
    g_string_append_printf (text, ", %s", number);
  return g_string_free (text, FALSE);
}

static char *
replay_given_describe_next (LcReplayGiven *given, const struct lc_inputs_process *process)
{
  const struct lc_input_record *next = lc_given_peek (given->plan, process);

  return next != NULL ? replay_given_describe (next->call, next->file, next->asked) : g_strdup (_ ("nothing"));
}

static char *
replay_given_name_process (LcTrace *trace, const struct lc_inputs_process *process)
{
  lc_replay_text_name (trace);
  return process->process < lc_trace_get_n_processes (trace)
             ? lc_format_text (lc_trace_get_process (trace, process->process)->name)
             : g_strdup ("?");
}

char *
lc_replay_given_text_difference (LcReplayGiven *given, LcTrace *trace)
{
  const struct lc_inputs_process *process = given->plan != NULL ? lc_given_get_different (given->plan) : NULL;
  g_autofree char *name = NULL, *number = NULL, *expected = NULL, *came = NULL;

  if (process == NULL)
    return g_strdup ("");
  name = replay_given_name_process (trace, process);
  number = lc_format_count (process->done + 1);
  expected = replay_given_describe_next (given, process);
  came = replay_given_describe (given->plan->came_call, given->plan->came_file, given->plan->came_asked);
  return g_strdup_printf (_ ("%s: its input %s is another one\n"
                             "  recorded: %s\n"
                             "  came:     %s\n"),
                          name, number, expected, came);
}

/* Signals that came after the last input are not asked for. */
static guint64
replay_given_count_left (struct lc_inputs_plan *plan, struct lc_inputs_process process)
{
  const struct lc_input_record *record;
  guint64 n = 0;

  for (guint64 done = process.done; (record = lc_given_peek (plan, &process)) != NULL; process.done++)
    {
      if (record->call != LC_INPUT_SIGNAL)
        n = process.done + 1 - done;
      process.next += sizeof *record + (record->bytes + UINT64_C (7)) / 8 * 8;
    }
  return n;
}

char *
lc_replay_given_text_left (LcReplayGiven *given, LcTrace *trace, struct lc_replay_header *plan)
{
  const struct lc_replay_thread *threads = lc_replay_plan_threads (plan);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 i = 0; given->plan != NULL && i < plan->n_threads; i++)
    {
      const struct lc_inputs_process *process = lc_given_find (given->plan, threads[i].process);
      g_autofree char *name = NULL, *next = NULL, *left = NULL;
      guint64 n;

      if (process == NULL || process->is_cut || threads[i].state < LC_REPLAY_LEAVING)
        continue;
      n = replay_given_count_left (given->plan, *process);
      if (n == 0)
        continue;
      name = replay_given_name_process (trace, process);
      next = replay_given_describe_next (given, process);
      left = lc_format_count (n);
      g_string_append_printf (text,
                              ngettext ("%s did not ask for %s input that was recorded: %s\n",
                                        "%s did not ask for %s inputs that were recorded, first for %s\n", (gulong)n),
                              name, left, next);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

int
lc_replay_given_awaits (LcReplayGiven *given, const struct lc_replay_thread *thread)
{
  const struct lc_inputs_process *process;

  if (given->plan == NULL)
    return -1;
  lc_replay_given_restore (given);
  process = lc_given_find (given->plan, thread->process);
  return process != NULL ? (int)__atomic_load_n (&process->awaits, __ATOMIC_ACQUIRE) - 1 : -1;
}

char *
lc_replay_given_text_awaited (LcReplayGiven *given, LcTrace *trace, struct lc_replay_header *plan)
{
  const struct lc_replay_thread *threads = lc_replay_plan_threads (plan);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 i = 0; i < plan->n_threads; i++)
    {
      const int file = lc_replay_given_awaits (given, &threads[i]);
      g_autofree char *name = NULL;

      if (threads[i].state != LC_REPLAY_RUNNING || file < 0)
        continue;
      name = replay_given_name_process (trace, lc_given_find (given->plan, threads[i].process));
      g_string_append_printf (
          text, _ ("  %s waits for descriptor %d, as its recorded input says, which no thread makes ready\n"), name,
          file);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
