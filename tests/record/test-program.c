/* SPDX-License-Identifier: Apache-2.0 */
/* What each call of lightcone/record.h returns, and exactly what it tells the recorder: one thread at a time. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lightcone/record.h"
#include "program.h"
#include "tap.h"

#ifdef LC_TEST_RECORDED

#include "fake-recorder.h"

#define RECORDED true

static size_t log_start;

static void
begin_log (void)
{
  log_start = fake_recorder ()->count;
}

static const char *
name_of_operation (uint16_t operation)
{
  switch (operation)
    {
#define X(identifier, number, name, class, layout) \
  case number: \
    return name;
      LC_OPERATIONS (X)
#undef X
    default:
      return "?";
    }
}

static const char *
name_of_object (uint32_t object)
{
  struct fake_recorder *fake = fake_recorder ();

  if (object == 0)
    return "lost";
  for (size_t i = 0; i < fake->count; i++)
    if (fake->entries[i].call == FAKE_OBJECT && fake->entries[i].object == object)
      return fake->entries[i].name;
  return "?";
}

static void
print_entry (FILE *text, const struct fake_entry *entry)
{
#define X(name) name,
  static const char *const classes[] = {LC_CLASS_NAMES (X)};
#undef X

  switch (entry->call)
    {
    case FAKE_OBJECT:
      fprintf (text, "object %s %s %" PRIu64 "\n", classes[entry->operation], entry->name, entry->value);
      break;
    case FAKE_BLOCK:
      fprintf (text, "block %s %s %" PRIu64 "\n", name_of_operation (entry->operation), name_of_object (entry->object),
               entry->sequence);
      break;
    case FAKE_ACQUIRE:
    case FAKE_RELEASE:
      fprintf (text, "%s %s %" PRIu64 " %" PRIu64 "%s%s%s\n", name_of_operation (entry->operation),
               name_of_object (entry->object), entry->sequence, entry->value, entry->call == FAKE_RELEASE ? " now" : "",
               entry->flags & LC_EVENT_CONTENDED ? " contended" : "",
               entry->flags & LC_EVENT_UNKNOWN ? " unknown" : "");
      break;
    case FAKE_TAG:
      fprintf (text, "tag %" PRIu64 "\n", entry->value);
      break;
    case FAKE_ENTER:
      fprintf (text, "enter %s\n", entry->name);
      break;
    case FAKE_LEAVE:
      fprintf (text, "leave %s\n", entry->name);
      break;
    case FAKE_PROCESS:
      fprintf (text, "process %s\n", entry->name);
      break;
    case FAKE_SNAPSHOT:
      fprintf (text, "snapshot %s %" PRIu64 " %" PRIu64 "\n", entry->name, entry->value, entry->sequence);
      break;
    }
}

/* The events since begin_log follow one another, and are these. */
static void
expect_log (const char *what, const char *expected)
{
  struct fake_recorder *fake = fake_recorder ();
  char *actual = NULL;
  size_t size = 0;
  FILE *text = open_memstream (&actual, &size);
  uint64_t last = 0;
  bool ordered = true;

  for (size_t i = log_start; i < fake->count; i++)
    {
      const struct fake_entry *entry = &fake->entries[i];

      print_entry (text, entry);
      if (entry->call == FAKE_ACQUIRE || entry->call == FAKE_RELEASE)
        {
          ordered = ordered && entry->begin > last && entry->end >= entry->begin;
          last = entry->end;
        }
    }
  fclose (text);
  tap_same (actual, expected, what);
  tap_ok (ordered, "%s: events follow one another", what);
  free (actual);
}

static void
set_classes (uint32_t classes)
{
  fake_recorder ()->classes = classes;
}

static void
set_full (bool full)
{
  fake_recorder ()->full = full;
}

static void
fork_address_space (void)
{
  fake_recorder ()->instance++;
}

#else

#define RECORDED false

static void
begin_log (void)
{
}

static void
expect_log (const char *what, const char *expected)
{
}

static void
set_classes (uint32_t classes)
{
}

static void
set_full (bool full)
{
}

static void
fork_address_space (void)
{
}

#endif

static void
test_marks (void)
{
  static const double matrix[6];

  begin_log ();
  tap_ok (lc_recording () == RECORDED, "lc_recording tells whether it is recorded");
  lc_name_process ("worker");
  lc_tag (UINT32_MAX);
  lc_enter ("region");
  lc_leave ("region");
  lc_snapshot ("matrix", matrix, 3, 2);
  expect_log ("marks", "process worker\ntag 4294967295\nenter region\nleave region\nsnapshot matrix 3 2\n");

  set_classes (0);
  begin_log ();
  tap_ok (!lc_recording (), "lc_recording is false when no class is recorded");
  lc_name_process ("worker");
  lc_tag (1);
  lc_enter ("region");
  lc_leave ("region");
  lc_snapshot ("matrix", matrix, 3, 2);
  expect_log ("marks that are not recorded", "");
  set_classes (UINT32_MAX);
}

static void
test_crew (void)
{
  struct lc_crew crew;

  begin_log ();
  tap_ok (lc_crew_init (&crew, "crew") == 0, "crew: init");
  tap_ok (lc_read_start (&crew) == 0, "crew: version 0 before the first write");
  tap_ok (lc_read_start (&crew) == 0, "crew: readers share");
  lc_read_end (&crew);
  lc_read_end (&crew);
  tap_ok (lc_write_start (&crew) == 1, "crew: a write makes version 1");
  lc_write_end (&crew);
  tap_ok (lc_write_start (&crew) == 2, "crew: the next one version 2");
  lc_write_end (&crew);
  tap_ok (lc_read_start (&crew) == 2, "crew: which is read");
  lc_read_end (&crew);
  tap_ok (lc_write_start (&crew) == 3, "crew: version 3");
  lc_write_end (&crew);
  lc_crew_destroy (&crew);
  expect_log ("crew", "object crew crew 0\n"
                      "read-start crew 0 0\n"
                      "read-start crew 0 0\n"
                      "read-end crew 0 0 now\n"
                      "read-end crew 0 0 now\n"
                      "write-start crew 1 2\n"
                      "write-end crew 1 0 now\n"
                      "write-start crew 2 0\n"
                      "write-end crew 2 0 now\n"
                      "read-start crew 2 0\n"
                      "read-end crew 2 0 now\n"
                      "write-start crew 3 1\n"
                      "write-end crew 3 0 now\n");
}

static void
test_sync (void)
{
  struct lc_sync sync;

  begin_log ();
  tap_ok (lc_sync_init (&sync, "sync", 10, 3) == 0, "sync: init");
  lc_advance (&sync, 12);
  lc_await (&sync, 12);
  lc_advance (&sync, 10);
  lc_advance (&sync, 10);
  lc_await (&sync, 10);
  lc_await (&sync, 10);
  lc_sync_reset (&sync);
  lc_advance (&sync, 10);
  lc_await (&sync, 10);
  lc_sync_destroy (&sync);
  expect_log ("sync", "object advance sync 0\n"
                      "advance sync 12 0 now\n"
                      "await sync 12 0\n"
                      "advance sync 10 0 now\n"
                      "await sync 10 0\n"
                      "await sync 10 0\n"
                      "object advance sync 0\n"
                      "advance sync 10 0 now\n"
                      "await sync 10 0\n");
}

static void
test_barrier (void)
{
  struct lc_barrier barrier;

  begin_log ();
  tap_ok (lc_barrier_init (&barrier, NULL, 1) == 0, "barrier: init without a name");
  tap_ok (lc_barrier_wait (&barrier), "barrier: alone one is the last");
  tap_ok (lc_barrier_wait (&barrier), "barrier: again");
  lc_barrier_destroy (&barrier);
  expect_log ("barrier", "object barrier - 1\n"
                         "barrier - 0 1\n"
                         "barrier - 1 1\n");
}

static void
test_semaphore (void)
{
  struct lc_semaphore semaphore;

  begin_log ();
  tap_ok (lc_semaphore_init (&semaphore, "tokens", 2) == 0, "semaphore: init");
  lc_semaphore_wait (&semaphore);
  lc_semaphore_post (&semaphore);
  tap_ok (lc_semaphore_try_wait (&semaphore), "semaphore: there is a token");
  lc_semaphore_wait (&semaphore);
  tap_ok (!lc_semaphore_try_wait (&semaphore), "semaphore: there is none");
  lc_semaphore_post (&semaphore);
  lc_semaphore_wait (&semaphore);
  lc_semaphore_destroy (&semaphore);
  expect_log ("semaphore", "object semaphore tokens 2\n"
                           "wait tokens 1 0\n"
                           "post tokens 3 0 now\n"
                           "wait tokens 2 0\n"
                           "wait tokens 3 0\n"
                           "wait-failed tokens 0 0\n"
                           "post tokens 4 0 now\n"
                           "wait tokens 4 0\n");
}

static void
test_channel (void)
{
  struct lc_channel channel;
  char text[8] = "", other[8] = "";

  begin_log ();
  tap_ok (lc_channel_init (&channel, "pipe", 2, sizeof text) == 0, "channel: init");
  lc_send (&channel, "one", 4);
  lc_send (&channel, NULL, 0);
  tap_ok (lc_receive (&channel, text) == 4 && strcmp (text, "one") == 0, "channel: the first message");
  lc_send (&channel, "longest", 8);
  tap_ok (lc_receive (&channel, other) == 0 && other[0] == '\0', "channel: an empty message");
  tap_ok (lc_receive (&channel, text) == 8 && strcmp (text, "longest") == 0, "channel: the longest message");
  lc_channel_destroy (&channel);
  expect_log ("channel", "object channel pipe 2\n"
                         "object semaphore pipe.room 2\n"
                         "send pipe 0 4\n"
                         "send pipe 1 0\n"
                         "recv pipe 0 4\n"
                         "send pipe 2 8\n"
                         "recv pipe 1 0\n"
                         "recv pipe 2 8\n");
}

static void
test_errors (void)
{
  struct lc_sync sync;
  struct lc_barrier barrier;
  struct lc_channel channel;

  tap_ok (lc_sync_init (&sync, "sync", 0, 0) == EINVAL, "sync: no index");
  tap_ok (lc_sync_init (&sync, "sync", UINT64_MAX, 2) == EINVAL, "sync: indices that do not fit 64 bits");
  tap_ok (lc_sync_init (&sync, "sync", UINT64_MAX, 1) == 0, "sync: the last index there is");
  lc_sync_destroy (&sync);
  tap_ok (lc_sync_init (&sync, "sync", 0, UINT64_MAX / 2) == ENOMEM, "sync: no memory");
  tap_ok (lc_barrier_init (&barrier, "barrier", 0) == EINVAL, "barrier: gathers nobody");
  tap_ok (lc_channel_init (&channel, "channel", 0, 1) == EINVAL, "channel: no buffer");
  tap_ok (lc_channel_init (&channel, "channel", 2, SIZE_MAX) == ENOMEM, "channel: a message as large as memory");
  tap_ok (lc_channel_init (&channel, "channel", UINT32_MAX, SIZE_MAX / 2) == ENOMEM, "channel: many large ones");
}

static void
use_all (struct lc_crew *crew, struct lc_sync *sync, struct lc_barrier *barrier, struct lc_semaphore *semaphore,
         struct lc_channel *channel, uint64_t i)
{
  char byte = 0;

  lc_write_start (crew);
  lc_write_end (crew);
  lc_read_start (crew);
  lc_read_end (crew);
  lc_advance (sync, i);
  lc_await (sync, i);
  lc_barrier_wait (barrier);
  lc_semaphore_post (semaphore);
  lc_semaphore_wait (semaphore);
  lc_send (channel, &byte, 1);
  lc_receive (channel, &byte);
}

static void
init_all (struct lc_crew *crew, struct lc_sync *sync, struct lc_barrier *barrier, struct lc_semaphore *semaphore,
          struct lc_channel *channel)
{
  lc_crew_init (crew, "c");
  lc_sync_init (sync, "a", 0, 4);
  lc_barrier_init (barrier, "b", 1);
  lc_semaphore_init (semaphore, "s", 1);
  lc_channel_init (channel, "m", 2, 1);
}

/* A class that is not recorded, and a recorder that has no room for objects, leave out just that. */
static void
test_partly_recorded (void)
{
  struct lc_crew crew;
  struct lc_sync sync;
  struct lc_barrier barrier;
  struct lc_semaphore semaphore;
  struct lc_channel channel;

  set_classes (1u << LC_CLASS_CREW | 1u << LC_CLASS_CHANNEL);
  begin_log ();
  init_all (&crew, &sync, &barrier, &semaphore, &channel);
  use_all (&crew, &sync, &barrier, &semaphore, &channel, 0);
  expect_log ("two classes only", "object crew c 0\nobject channel m 2\n"
                                  "write-start c 1 0\nwrite-end c 1 0 now\n"
                                  "read-start c 1 0\nread-end c 1 0 now\n"
                                  "send m 0 1\nrecv m 0 1\n");
  set_classes (UINT32_MAX);

  set_full (true);
  begin_log ();
  lc_crew_destroy (&crew);
  lc_sync_destroy (&sync);
  lc_barrier_destroy (&barrier);
  lc_semaphore_destroy (&semaphore);
  lc_channel_destroy (&channel);
  init_all (&crew, &sync, &barrier, &semaphore, &channel);
  use_all (&crew, &sync, &barrier, &semaphore, &channel, 1);
  expect_log ("no room for objects", "write-start lost 1 0\nwrite-end lost 1 0 now\n"
                                     "read-start lost 1 0 unknown\nread-end lost 1 0 now\n"
                                     "advance lost 1 0 now\nawait lost 1 0 unknown\n"
                                     "barrier lost 0 1\n"
                                     "post lost 2 0 now\nwait lost 1 0\n"
                                     "send lost 0 1\nrecv lost 0 1 unknown\n");
  begin_log ();
  set_full (false);
  use_all (&crew, &sync, &barrier, &semaphore, &channel, 2);
  lc_await (&sync, 1);
  expect_log ("room again", "object crew c 0\n"
                            "write-start c 2 0 unknown\nwrite-end c 2 0 now\n"
                            "read-start c 2 0\nread-end c 2 0 now\n"
                            "object advance a 0\nadvance a 2 0 now\nawait a 2 0\n"
                            "object barrier b 1\nbarrier b 1 1\n"
                            "object semaphore s 2\npost s 3 0 now\nwait s 2 0\n"
                            "object channel m 2\nsend m 1 1\nrecv m 1 1\n"
                            "await a 1 0 unknown\n");
  lc_crew_destroy (&crew);
  lc_sync_destroy (&sync);
  lc_barrier_destroy (&barrier);
  lc_semaphore_destroy (&semaphore);
  lc_channel_destroy (&channel);
}

/* In a forked address space the objects have other records, and what was before the fork is not found there. */
static void
test_forked (void)
{
  struct lc_crew crew;
  struct lc_sync sync;
  struct lc_barrier barrier;
  struct lc_semaphore semaphore;
  struct lc_channel channel;
  char byte = 0;

  init_all (&crew, &sync, &barrier, &semaphore, &channel);
  use_all (&crew, &sync, &barrier, &semaphore, &channel, 0);
  lc_semaphore_post (&semaphore);
  lc_send (&channel, &byte, 1);
  fork_address_space ();
  begin_log ();
  lc_await (&sync, 0);
  lc_receive (&channel, &byte);
  lc_read_start (&crew);
  lc_read_end (&crew);
  use_all (&crew, &sync, &barrier, &semaphore, &channel, 1);
  lc_write_start (&crew);
  lc_write_end (&crew);
  expect_log ("forked", "object advance a 0\nawait a 0 0 unknown\n"
                        "object channel m 2\nrecv m 1 1 unknown\n"
                        "object crew c 0\n"
                        "read-start c 1 0 unknown\nread-end c 1 0 now\n"
                        "write-start c 2 0 unknown\nwrite-end c 2 0 now\n"
                        "read-start c 2 0\nread-end c 2 0 now\n"
                        "advance a 1 0 now\nawait a 1 0\n"
                        "object barrier b 1\nbarrier b 1 1\n"
                        "object semaphore s 3\npost s 4 0 now\nwait s 2 0\n"
                        "send m 2 1\nrecv m 2 1\n"
                        "write-start c 3 1\nwrite-end c 3 0 now\n");
  lc_crew_destroy (&crew);
  lc_sync_destroy (&sync);
  lc_barrier_destroy (&barrier);
  lc_semaphore_destroy (&semaphore);
  lc_channel_destroy (&channel);
}

/* The name is copied, and the operations keep errno. */
static void
test_manners (void)
{
  struct lc_crew crew;
  struct lc_sync sync;
  struct lc_barrier barrier;
  struct lc_semaphore semaphore;
  struct lc_channel channel;
  char name[] = "mine";
  struct lc_crew named;

  lc_crew_init (&named, name);
  name[0] = 'x';
  tap_ok (strcmp (named.handle.name, "mine") == 0, "a name is copied");
  lc_crew_destroy (&named);

  init_all (&crew, &sync, &barrier, &semaphore, &channel);
  errno = EDOM;
  use_all (&crew, &sync, &barrier, &semaphore, &channel, 0);
  tap_ok (errno == EDOM, "operations keep errno");
  lc_crew_destroy (&crew);
  lc_sync_destroy (&sync);
  lc_barrier_destroy (&barrier);
  lc_semaphore_destroy (&semaphore);
  lc_channel_destroy (&channel);
}

static void
use_no_index_below (void)
{
  struct lc_sync sync;

  lc_sync_init (&sync, "iterations", 5, 2);
  lc_advance (&sync, 4);
}

static void
use_no_index_above (void)
{
  struct lc_sync sync;

  lc_sync_init (&sync, NULL, 5, 2);
  lc_await (&sync, 7);
}

static void
send_too_much (void)
{
  struct lc_channel channel;

  lc_channel_init (&channel, "pipe", 1, 3);
  lc_send (&channel, "four", 4);
}

static void
post_too_often (void)
{
  struct lc_semaphore semaphore;

  lc_semaphore_init (&semaphore, "tokens", UINT32_MAX);
  lc_semaphore_post (&semaphore);
}

/* Aborts, and says this. */
static void
expect_fatal (void (*misuse) (void), const char *message, const char *what)
{
  char text[256] = "";
  int ends[2], status = 0;
  ssize_t length = 0, more;
  pid_t child;

  fflush (stdout);
  if (pipe (ends) != 0 || (child = fork ()) < 0)
    {
      tap_ok (false, "%s: fork", what);
      return;
    }
  if (child == 0)
    {
      dup2 (ends[1], STDERR_FILENO);
      signal (SIGABRT, SIG_DFL);
      misuse ();
      _exit (0);
    }
  close (ends[1]);
  while ((more = read (ends[0], text + length, sizeof text - 1 - (size_t)length)) > 0)
    length += more;
  close (ends[0]);
  waitpid (child, &status, 0);
  tap_ok (WIFSIGNALED (status) && WTERMSIG (status) == SIGABRT, "%s: aborts", what);
  tap_same (text, message, what);
}

static void
test_misuse (void)
{
  expect_fatal (use_no_index_below, "lightcone: iterations: no such index: 4\n", "an index below the first");
  expect_fatal (use_no_index_above, "lightcone: (no name): no such index: 7\n", "an index above the last");
  expect_fatal (send_too_much, "lightcone: pipe: message too long: 4\n", "a message over the limit");
  expect_fatal (post_too_often, "lightcone: tokens: too many tokens: 4294967295\n", "more tokens than can be counted");
}

/* What a constructor of the program sees that comes before ours, and recorders of other versions. */
static void
test_finding (void)
{
  lc_program_hooks = &lc_program_unknown;
  tap_ok (lc_recording () == RECORDED, "the recorder is looked for when it is needed");
  tap_ok ((lc_program_hooks != NULL) == RECORDED, "and only once");
#ifdef LC_TEST_RECORDED
  *fake_recorder ()->version = 0;
  lc_program_hooks = &lc_program_unknown;
  tap_ok (!lc_recording (), "a recorder of an earlier version is none");
  *fake_recorder ()->version = LC_HOOKS_VERSION + 1;
  lc_program_hooks = &lc_program_unknown;
  tap_ok (lc_recording (), "one of a later version is one");
  *fake_recorder ()->version = LC_HOOKS_VERSION;
  lc_program_hooks = &lc_program_unknown;
  tap_ok (lc_recording (), "one of this version is one");
#endif
}

int
main (void)
{
  alarm (60);
  test_marks ();
  test_crew ();
  test_sync ();
  test_barrier ();
  test_semaphore ();
  test_channel ();
  test_errors ();
  test_partly_recorded ();
  test_forked ();
  test_manners ();
  test_misuse ();
  test_finding ();
  return tap_end ();
}
