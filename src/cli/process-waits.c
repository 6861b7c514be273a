/* SPDX-License-Identifier: Apache-2.0 */
/* Tells whether the threads of a process wait for nothing but each other, by the system's table (/proc). */
#include "process-waits.h"

#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static char *
waits_read (pid_t process, pid_t thread, const char *name)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%d/%s", (int)process, (int)thread, name);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? text : NULL;
}

static gboolean
waits_has (const GArray *threads, pid_t thread)
{
  for (guint i = 0; i < threads->len; i++)
    if (g_array_index (threads, pid_t, i) == thread)
      return TRUE;
  return FALSE;
}

static guint64
waits_number_after (const char *text, const char *name)
{
  const char *found = strstr (text, name);

  return found != NULL ? g_ascii_strtoull (found + strlen (name), NULL, 10) : 0;
}

/* A thread that runs, or is in a system call with a limit, may go on by itself. The file is "NUMBER ARGUMENTS...". */
static gboolean
waits_for_word (const char *call, GArray *words)
{
  unsigned long word, operation, value, limit;
  long number;

  if (sscanf (call, "%ld %lx %lx %lx %lx", &number, &word, &operation, &value, &limit) != 5 || number != SYS_futex ||
      limit != 0)
    return FALSE;
  switch (operation & (unsigned long)FUTEX_CMD_MASK)
    {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_LOCK_PI:
      break;
    default:
      return FALSE;
    }
  if ((operation & FUTEX_PRIVATE_FLAG) == 0)
    g_array_append_val (words, word);
  return TRUE;
}

/* A join asks the system as if its word were shared, although it is not: where the word is tells. */
static gboolean
waits_are_shared (pid_t process, const GArray *words)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/maps", (int)process);
  FILE *maps = words->len > 0 ? fopen (path, "re") : NULL;
  gboolean shared = words->len > 0 && maps == NULL;
  unsigned long begin, end;
  char *line = NULL, kind;
  size_t room = 0;

  while (maps != NULL && !shared && getline (&line, &room, maps) > 0)
    if (sscanf (line, "%lx-%lx %*3c%c", &begin, &end, &kind) == 3 && kind == 's')
      for (guint i = 0; i < words->len; i++)
        shared |= g_array_index (words, unsigned long, i) - begin < end - begin;
  free (line);
  if (maps != NULL)
    fclose (maps);
  return shared;
}

/* Whether the program has a handler for a signal, which may come from outside or at a time and end any wait. The C
 * library has some of its own for the first two signals of real time. */
static gboolean
waits_has_handlers (const char *status)
{
  const char *found = strstr (status, "\nSigCgt:");
  const guint64 own = G_GUINT64_CONSTANT (3) << 31;

  return found == NULL || (g_ascii_strtoull (found + strlen ("\nSigCgt:"), NULL, 16) & ~own) != 0;
}

/* A thread that has ended meanwhile makes no difference but to the number of switches. */
static gboolean
waits_thread (pid_t process, pid_t thread, gboolean is_awaiting, GArray *words, guint64 *switches)
{
  g_autofree char *status = waits_read (process, thread, "status"), *call = waits_read (process, thread, "syscall");

  if (status == NULL || call == NULL || waits_has_handlers (status))
    return FALSE;
  *switches += waits_number_after (status, "\nvoluntary_ctxt_switches:") +
               waits_number_after (status, "\nnonvoluntary_ctxt_switches:");
  return (is_awaiting && !g_str_has_prefix (call, "running")) || waits_for_word (call, words);
}

gboolean
lc_process_waits_for_itself (pid_t process, const GArray *held, const GArray *awaiting, guint64 *switches)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task", (int)process);
  g_autoptr (GDir) table = g_dir_open (path, 0, NULL);
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (unsigned long));
  gboolean waits = table != NULL;
  const char *name;

  *switches = 0;
  while (waits && (name = g_dir_read_name (table)) != NULL)
    {
      const pid_t thread = atoi (name);
      g_autofree char *children = waits_read (process, thread, "children");

      waits =
          children != NULL && children[0] == '\0' &&
          (waits_has (held, thread) || waits_thread (process, thread, waits_has (awaiting, thread), words, switches));
    }
  return waits && !waits_are_shared (process, words);
}

gboolean
lc_process_thread_waits (pid_t process, pid_t thread)
{
  g_autofree char *call = waits_read (process, thread, "syscall");
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (unsigned long));

  return call != NULL && waits_for_word (call, words);
}
