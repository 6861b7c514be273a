/* SPDX-License-Identifier: Apache-2.0 */
/* What the MPI programs share: lines are kept in memory until MPI has come to its end. */
#include "expect.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  LINE = 160,
  MOST_COUNTERS = 1 << 12,
};

struct lines
{
  char (*text)[LINE];
  int n, room;
};

int rank, ranks;
static const char *folder;
static struct lines events, results;

/* No lock of pthreads: it would be recorded. */
static int busy;

static void
enter (void)
{
  while (__atomic_exchange_n (&busy, 1, __ATOMIC_ACQUIRE))
    ;
}

static void
leave (void)
{
  __atomic_store_n (&busy, 0, __ATOMIC_RELEASE);
}

void
test_check (bool condition, const char *what, const char *file, int line)
{
  if (condition)
    return;
  fprintf (stderr, "rank %d: %s:%d: %s\n", rank, file, line, what);
  MPI_Abort (MPI_COMM_WORLD, 3);
  exit (3);
}

__attribute__ ((format (printf, 2, 0))) static int
add (struct lines *lines, const char *format, va_list arguments)
{
  int line;

  enter ();
  line = lines->n++;
  if (line >= lines->room)
    {
      lines->room = lines->room ? 2 * lines->room : 64;
      lines->text = realloc (lines->text, sizeof *lines->text * (size_t)lines->room);
      if (lines->text == NULL)
        abort ();
    }
  vsnprintf (lines->text[line], LINE, format, arguments);
  leave ();
  return line;
}

void
result (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  add (&results, format, arguments);
  va_end (arguments);
}

void
expect (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  add (&events, format, arguments);
  va_end (arguments);
}

__attribute__ ((format (printf, 1, 2))) static int
add_text (const char *format, ...)
{
  va_list arguments;
  int line;

  va_start (arguments, format);
  line = add (&events, format, arguments);
  va_end (arguments);
  return line;
}

int
expect_later (void)
{
  return add_text ("irecv - -");
}

void
expect_now (int line, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  enter ();
  vsnprintf (events.text[line], LINE, format, arguments);
  leave ();
  va_end (arguments);
}

/* --- Numbers ------------------------------------------------------------------------------------------------ */

__attribute__ ((format (printf, 1, 2))) static int
count (const char *format, ...)
{
  static struct
  {
    char name[LINE];
    int next;
  } counters[MOST_COUNTERS];
  static int n;
  char name[LINE];
  va_list arguments;
  int i, number;

  va_start (arguments, format);
  vsnprintf (name, sizeof name, format, arguments);
  va_end (arguments);
  enter ();
  for (i = 0; i < n && strcmp (counters[i].name, name) != 0;)
    i++;
  if (i == n)
    {
      if (n++ == MOST_COUNTERS)
        abort ();
      strcpy (counters[i].name, name);
    }
  number = counters[i].next++;
  leave ();
  return number;
}

const char *
channel_on (const char *on, const struct message *message)
{
  static __thread char texts[4][LINE];
  static __thread unsigned next;
  char *text = texts[next++ % 4];

  snprintf (text, LINE, "%d>%d:%d%s%s", message->from, message->to, message->tag, *on ? "@" : "", on);
  return text;
}

struct message
message_on (const char *on, int to, int tag)
{
  struct message message = {rank, to, tag, 0};

  message.number = count ("sent %s", channel_on (on, &message));
  return message;
}

struct message
message_to (int to, int tag)
{
  return message_on ("", to, tag);
}

void
expect_on (const char *on, const char *operation, const struct message *message, bool blind)
{
  expect ("%s %s %d bytes=%d%s", operation, channel_on (on, message), message->number, MESSAGE_BYTES,
          blind ? " blind" : "");
}

void
expect_message (const char *operation, const struct message *message)
{
  expect_on ("", operation, message, false);
}

void
expect_blind (const char *operation, const struct message *message)
{
  expect_on ("", operation, message, true);
}

void
expect_received_on (const char *on, int line, const struct message *message, bool blind)
{
  expect_now (line, "irecv %s %d", channel_on (on, message), message->number);
  expect_on (on, "complete", message, blind);
}

void
expect_received (int line, const struct message *message)
{
  expect_received_on ("", line, message, false);
}

void
expect_received_blind (int line, const struct message *message)
{
  expect_received_on ("", line, message, true);
}

bool
is_from (const struct message *message, int from, int tag)
{
  return message->from == from && message->to == rank && message->tag == tag;
}

int
expect_collective (const char *name, const char *operation, int members, long bytes)
{
  int number = count ("collective %s", name);

  expect_finish (name, operation, number, members, bytes);
  return number;
}

void
expect_unseen (const char *name)
{
  count ("collective %s", name);
}

int
expect_barrier (const char *name, int members)
{
  int number = count ("barrier %s", name);

  expect ("barrier %s %d value=%d", name, number, members);
  return number;
}

void
expect_finish (const char *name, const char *operation, int number, int members, long bytes)
{
  if (bytes < 0)
    expect ("%s %s %d value=%d", operation, name, number, members);
  else
    expect ("%s %s %d value=%d bytes=%ld", operation, name, number, members, bytes);
}

/* --- The program --------------------------------------------------------------------------------------------- */

void
test_begin (int *argc, char ***argv, int threads)
{
  int provided = MPI_THREAD_SINGLE;

  if (threads == MPI_THREAD_SINGLE)
    DO (MPI_Init (argc, argv));
  else
    DO (MPI_Init_thread (argc, argv, threads, &provided));
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks);
  CHECK (provided >= threads);
  test_begin_as (*argc, *argv, rank, ranks);
}

void
test_begin_as (int argc, char **argv, int own_rank, int all_ranks)
{
  rank = own_rank;
  ranks = all_ranks;
  CHECK (argc == 2);
  folder = argv[1];
}

static void
write_lines (const char *name, const struct lines *lines)
{
  char path[4096];
  FILE *file;

  snprintf (path, sizeof path, "%s/%s-%d", folder, name, rank);
  file = fopen (path, "w");
  if (file == NULL)
    {
      perror (path);
      exit (3);
    }
  for (int i = 0; i < lines->n; i++)
    fprintf (file, "%s\n", lines->text[i]);
  fclose (file);
}

void
test_write (void)
{
  write_lines ("events", &events);
  write_lines ("results", &results);
}

int
test_end (void)
{
  test_write ();
  MPI_Finalize ();
  return 0;
}
