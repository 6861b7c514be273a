/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the place of the recorder in a replay: compares each event of the rank with the recorded one, and tells it to
 * the recorder if the replay is recorded itself. */
#include "replay-hooks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "again.h"
#include "lightcone/trace-format.h"
#include "worlds.h"

enum
{
  PAUSE = 10000000,         /* ns between looks at whether the program is free */
  VERY_SHORT_PAUSE = 50000, /* ns in which another thread may post a message */
  SHORT_PAUSE = 1000000,    /* ns between those in which MPI goes on: large messages come in parts */
  FIRST_REQUESTS = 1024,    /* room for them at first */
  MOST_UNKNOWN = 1000,      /* where the answer is next, other requests are asked a few times only */
};

/* An object that is not in the plan: the recorded ranks did not use it, or it is a window's. */
struct stranger
{
  struct stranger *next;
  enum lc_class class;
  uint32_t number;
  char name[];
};

static struct lc_replay_mpi_header *plan;
static bool has_threads;                      /* with histories of their own */
static struct lc_replay_mpi_rank *whole_rank; /* NULL: not known yet, or not in the plan */

/* The history of the calling thread: that of the rank, unless several of its threads have used MPI. NULL: the thread
 * has not looked for it yet. */
static __thread struct lc_replay_mpi_rank *rank;
static struct stranger *strangers;
static uint32_t n_strangers;
static uint32_t classes = ~(UINT32_C (1) << LC_CLASS_IO);
static const uint32_t instance = 1;
static const bool clock_is_tsc;

/* By request: 1 more than the event, of all threads, that was told with its number instead of a message. */
static uint64_t *told;
static uint32_t n_requests, n_told;

/* Tests and probes in vain of the calling thread. */
static __thread struct
{
  uint64_t done;        /* of the event that comes next */
  uint64_t call;        /* the one that has told of the last of them */
  unsigned int unknown; /* in vain since the last event, of which no event tells the number */
} vain;

static __thread unsigned int suspensions;

/* Threads in calls of a program that calls MPI with one thread at a time; -1: one that waits for its turn lets MPI go
 * on. */
static int32_t callers;
static __thread bool is_caller;

/* The state of the thread's own turns before a call of MPI. */
static __thread struct lc_suspension turns;

/* --- Where the rank is ---------------------------------------------------------------------------------------- */

/* Within these, nothing that the thread does has a turn, or is given what it got from outside. */
static void
replay_leave_turns (struct lc_suspension *suspension)
{
  if (lc_again_threads != NULL)
    lc_again_threads->suspend (suspension);
}

static void
replay_return_to_turns (const struct lc_suspension *suspension)
{
  if (lc_again_threads != NULL)
    lc_again_threads->resume (suspension);
}

/* Gets the number that the thread or the process has now, not the recorded one. */
static uint32_t
replay_get_id (pid_t (*get) (void))
{
  struct lc_suspension suspension = {0};
  uint32_t id;

  replay_leave_turns (&suspension);
  id = (uint32_t)get ();
  replay_return_to_turns (&suspension);
  return id;
}

/* A thread that the recording does not know follows the rank's history. */
static void
replay_find_history (void)
{
  const uint32_t process = lc_again_threads != NULL ? lc_again_threads->process () : LC_REPLAY_NONE;

  rank = whole_rank;
  for (uint32_t i = plan->n_numbers; i < plan->n_ranks && process != LC_REPLAY_NONE; i++)
    if (lc_replay_mpi_ranks (plan)[i].process == process)
      rank = &lc_replay_mpi_ranks (plan)[i];
  if (rank == whole_rank)
    return;
  rank->pid = whole_rank->pid;
  rank->thread = replay_get_id (gettid);
}

static bool
replay_has_history (void)
{
  if (rank == NULL && whole_rank != NULL)
    replay_find_history ();
  return rank != NULL;
}

static bool
replay_is_followed (void)
{
  return replay_has_history () && __atomic_load_n (&plan->mode, __ATOMIC_ACQUIRE) == LC_REPLAY_FOLLOW;
}

static void
replay_set_state (enum lc_replay_mpi_state state)
{
  if (replay_has_history () && rank->state != LC_REPLAY_MPI_ENDED)
    __atomic_store_n (&rank->state, (uint32_t)state, __ATOMIC_RELEASE);
}

static const struct lc_replay_mpi_event *
replay_event (uint64_t number)
{
  return number < rank->n_events ? lc_replay_mpi_events (plan) + rank->first + number : NULL;
}

const struct lc_replay_mpi_event *
lc_replay_next (unsigned int skipped)
{
  return replay_is_followed () ? replay_event (rank->next + skipped) : NULL;
}

const struct lc_replay_mpi_object *
lc_replay_object (const struct lc_replay_mpi_event *event)
{
  return event->object < plan->n_objects ? lc_replay_mpi_objects (plan) + event->object : NULL;
}

static void
replay_pause_for (long length)
{
  struct lc_suspension suspension = {0};

  lc_again_suspend (&suspension);
  nanosleep (&(struct timespec){.tv_nsec = length}, NULL);
  lc_again_resume (&suspension);
}

void
lc_replay_pause (void)
{
  replay_pause_for (VERY_SHORT_PAUSE);
}

/* Whoever runs the program sees what the rank tells, and ends it or lets it go. */
static void
replay_wait_until_free (enum lc_replay_mpi_state state)
{
  struct lc_suspension suspension = {0};

  replay_set_state (state);
  replay_leave_turns (&suspension);
  while (replay_is_followed ())
    replay_pause_for (PAUSE);
  replay_return_to_turns (&suspension);
  replay_set_state (LC_REPLAY_MPI_INSIDE);
}

bool
lc_replay_has_threads (void)
{
  return has_threads;
}

uint32_t
lc_replay_number (void)
{
  return whole_rank->number;
}

void
lc_replay_set_ended (void)
{
  replay_set_state (LC_REPLAY_MPI_ENDED);
}

/* Threads of ranks are seen by the command only. */
static bool
replay_are_others_at_end (void)
{
  if (__atomic_load_n (&plan->n_threaded, __ATOMIC_ACQUIRE) > 0)
    return false;
  for (uint32_t i = 0; i < plan->n_ranks; i++)
    {
      const struct lc_replay_mpi_rank *other = &lc_replay_mpi_ranks (plan)[i];

      if (other != rank && other->process != LC_REPLAY_NONE &&
          __atomic_load_n (&other->next, __ATOMIC_ACQUIRE) < other->n_events)
        return false;
    }
  return true;
}

/* Such a program sees to it that its threads call MPI one at a time, but not to those that wait here. */
static bool
replay_is_serialized (void)
{
  return has_threads && !lc_mpi_is_threaded;
}

/* A thread that waits is within MPI for a moment only. */
static void
replay_enter_mpi (void)
{
  int32_t found = 0;

  if (!replay_is_serialized ())
    return;
  while (!__atomic_compare_exchange_n (&callers, &found, found + 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    if (found < 0)
      {
        replay_pause_for (VERY_SHORT_PAUSE);
        found = 0;
      }
  is_caller = true;
}

/* Returns whether the thread was in a call. */
static bool
replay_leave_mpi (void)
{
  const bool was_caller = is_caller;

  if (was_caller)
    __atomic_fetch_sub (&callers, 1, __ATOMIC_RELEASE);
  is_caller = false;
  return was_caller;
}

/* A thread that is in a call lets MPI go on by itself. */
static void
replay_let_mpi_go_on (void)
{
  const bool is_serialized = replay_is_serialized ();
  int32_t nobody = 0;
  int flag;

  if (is_serialized && !__atomic_compare_exchange_n (&callers, &nobody, -1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  PMPI_Iprobe (MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  if (is_serialized)
    __atomic_store_n (&callers, 0, __ATOMIC_RELEASE);
}

/* Waits a while, and lets MPI go on with what others need of this rank. */
static void
replay_pause_with_mpi (long length)
{
  struct lc_suspension suspension = {0};

  lc_again_suspend (&suspension);
  replay_let_mpi_go_on ();
  replay_pause_for (length);
  lc_again_resume (&suspension);
}

void
lc_replay_wait_for_others (void)
{
  struct lc_suspension suspension = {0};
  bool was_caller;

  if (!replay_has_history ())
    return;
  replay_set_state (LC_REPLAY_MPI_AT_END);
  replay_leave_turns (&suspension);
  was_caller = replay_leave_mpi ();
  while (replay_is_followed () && !replay_are_others_at_end ())
    replay_pause_with_mpi (PAUSE);
  if (was_caller)
    replay_enter_mpi ();
  replay_return_to_turns (&suspension);
  __atomic_store_n (&rank->is_leaving, 1, __ATOMIC_RELEASE);
}

/* A rank that has done all that was recorded goes to its end. */
static bool
replay_has_reached_limit (void)
{
  const uint64_t limit = __atomic_load_n (&rank->limit, __ATOMIC_ACQUIRE);

  return limit < rank->n_events && rank->next >= limit;
}

void
lc_replay_stay_at_limit (void)
{
  struct lc_suspension suspension = {0};

  if (!replay_is_followed () || rank->state == LC_REPLAY_MPI_ENDED || !replay_has_reached_limit ())
    return;
  replay_leave_turns (&suspension);
  rank->thread = replay_get_id (gettid);
  replay_set_state (LC_REPLAY_MPI_HELD);
  while (replay_is_followed () && replay_has_reached_limit ())
    replay_pause_with_mpi (SHORT_PAUSE);
  replay_return_to_turns (&suspension);
  replay_set_state (LC_REPLAY_MPI_RUNNING);
}

/* --- Differences ---------------------------------------------------------------------------------------------- */

/* NULL: the object is one of the plan, or none. */
static const struct stranger *
replay_find_stranger (uint32_t object)
{
  const struct stranger *stranger = object > plan->n_objects ? strangers : NULL;

  while (stranger != NULL && stranger->number != object)
    stranger = stranger->next;
  return stranger;
}

static const char *
replay_name_of (uint32_t object)
{
  const struct stranger *stranger = replay_find_stranger (object);

  if (object > 0 && object <= plan->n_objects)
    return lc_replay_mpi_objects (plan)[object - 1].name;
  return stranger != NULL ? stranger->name : "";
}

static void
replay_tell_what_came (uint16_t operation, uint32_t object, uint64_t sequence)
{
  rank->came_operation = operation;
  rank->came_sequence = sequence;
  snprintf (rank->came_object, sizeof rank->came_object, "%s", replay_name_of (object));
}

void
lc_replay_suspect (enum lc_replay_difference difference, uint16_t operation, uint32_t object, uint64_t sequence)
{
  replay_tell_what_came (operation, object, sequence);
  __atomic_store_n (&rank->suspected, (uint32_t)difference, __ATOMIC_RELEASE);
}

void
lc_replay_differ (enum lc_replay_difference difference, uint16_t operation, uint32_t object, uint64_t sequence)
{
  uint32_t nobody = 0, me = (uint32_t)(rank - lc_replay_mpi_ranks (plan)) + 1;

  replay_tell_what_came (operation, object, sequence);
  __atomic_store_n (&rank->difference, (uint32_t)difference, __ATOMIC_RELEASE);
  __atomic_compare_exchange_n (&plan->differs, &nobody, me, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  if (plan->mode_then == LC_REPLAY_FREE)
    __atomic_store_n (&plan->mode, LC_REPLAY_FREE, __ATOMIC_RELEASE);
  replay_wait_until_free (LC_REPLAY_MPI_DIFFERS);
}

/* --- Objects -------------------------------------------------------------------------------------------------- */

static int
replay_compare_object (const struct lc_replay_mpi_object *object, enum lc_class class, const char *name)
{
  if (object->object_class != (uint32_t) class)
    return object->object_class < (uint32_t) class ? -1 : 1;
  return strcmp (object->name, name);
}

static uint32_t
replay_add_stranger (enum lc_class class, const char *name)
{
  size_t length = strlen (name) + 1;
  struct stranger *stranger = lc_mpi_allocate (sizeof *stranger + length);

  if (stranger == NULL)
    return 0;
  stranger->class = class;
  stranger->number = plan->n_objects + ++n_strangers;
  stranger->next = strangers;
  memcpy (stranger->name, name, length);
  strangers = stranger;
  return stranger->number;
}

static uint32_t
replay_look_up (enum lc_class class, const char *name)
{
  const struct lc_replay_mpi_object *objects = lc_replay_mpi_objects (plan);
  uint32_t first = 0, end = plan->n_objects;

  while (first < end)
    {
      uint32_t middle = first + (end - first) / 2;
      int order = replay_compare_object (&objects[middle], class, name);

      if (order == 0)
        return middle + 1;
      if (order < 0)
        first = middle + 1;
      else
        end = middle;
    }
  for (struct stranger *stranger = strangers; stranger != NULL; stranger = stranger->next)
    if (stranger->class == class && strcmp (stranger->name, name) == 0)
      return stranger->number;
  return replay_add_stranger (class, name);
}

static uint32_t
replay_shared_object (enum lc_class class, const char *name, uint64_t value)
{
  const uint32_t object = replay_look_up (class, name);

  lc_again_add_object (object, class, name, value);
  return object;
}

static uint32_t
replay_make_object (enum lc_class class, const char *name, const void *address, uint64_t value)
{
  (void)address;
  return replay_shared_object (class, name, value);
}

/* --- Requests ------------------------------------------------------------------------------------------------- */

static void
replay_make_room (void)
{
  uint32_t wanted = n_told == 0 ? FIRST_REQUESTS : 2 * n_told;
  uint64_t *room = mmap (NULL, wanted * sizeof *room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (room == MAP_FAILED)
    return;
  if (told != NULL)
    {
      memcpy (room, told, n_told * sizeof *room);
      munmap (told, n_told * sizeof *told);
    }
  told = room;
  n_told = wanted;
}

static uint32_t
replay_request (void)
{
  struct lc_suspension suspension = {0};

  lc_again_suspend (&suspension);
  if (n_requests >= n_told && n_told < UINT32_MAX / 2)
    replay_make_room ();
  lc_again_resume (&suspension);
  lc_again_add_request (n_requests);
  return n_requests++;
}

/* --- Events --------------------------------------------------------------------------------------------------- */

static enum lc_replay_difference
replay_compare_event (const struct lc_replay_mpi_event *event, uint16_t operation, uint32_t object, uint64_t sequence)
{
  if (event->operation != operation)
    return LC_REPLAY_OPERATION;
  if (event->object != LC_REPLAY_NONE && !lc_replay_is_object (event, object))
    return LC_REPLAY_OBJECT;
  if (lc_replay_mpi_has_number (event, lc_replay_object (event)) && event->sequence != sequence)
    return LC_REPLAY_OUTCOME;
  return LC_REPLAY_SAME;
}

bool
lc_replay_is_vain (uint16_t operation)
{
  return operation == LC_TEST_FAILED || operation == LC_PROBE_FAILED || operation == LC_FINISH_FAILED;
}

bool
lc_replay_is_answer (uint16_t operation)
{
  return operation == LC_COMPLETE || operation == LC_PROBE ||
         (operation >= LC_FINISH_LOCAL && operation <= LC_FINISH_ALL);
}

/* Whether a test in vain is of the same request as the recorded one. */
static bool
replay_is_same_request (const struct lc_replay_mpi_event *event, const struct lc_finished *finished)
{
  const struct lc_replay_mpi_event *posted = NULL;

  if ((finished->flags & LC_EVENT_REQUEST) == 0)
    return lc_replay_is_object (event, finished->object) && event->sequence == finished->sequence;
  if (finished->sequence < n_told && told[finished->sequence] != 0)
    posted = lc_replay_mpi_events (plan) + told[finished->sequence] - 1;
  return posted != NULL && posted->object == event->object && posted->sequence == event->sequence;
}

/* Records the first of a row of tests in vain. A probe of it is told with the message that was found at last, if any,
 * which another one of the same row may find now. */
static void
replay_append_row (const struct lc_replay_mpi_event *event, const struct lc_finished *finished)
{
  const struct lc_replay_mpi_object *object = lc_replay_object (event);
  const bool is_probe = finished->operation == LC_PROBE_FAILED && event->operation == LC_PROBE_FAILED;
  struct lc_finished first = *finished;

  if (is_probe && event->object == LC_REPLAY_NONE)
    first.sequence = replay_request ();
  else if (is_probe && object != NULL && object->is_message)
    {
      first.flags &= (uint8_t)~LC_EVENT_REQUEST;
      first.object = event->object + 1;
      first.sequence = event->sequence;
      lc_again_add_object (first.object, LC_CLASS_CHANNEL, object->name,
                           LC_CHANNEL_ENDS (object->from, (uint64_t)rank->number));
    }
  lc_again_append (&first, event);
}

/* Takes one off the tests in vain that come next. A call that tests several requests tells of each when it is the first
 * of a row, and later tests are counted once for each call. */
static void
replay_append_vain (const struct lc_replay_mpi_event *event, const struct lc_finished *finished)
{
  const bool is_first = vain.call != rank->calls;

  vain.call = rank->calls;
  if (!lc_replay_is_vain (event->operation))
    {
      if (is_first && (!lc_replay_is_answer (event->operation) || ++vain.unknown > MOST_UNKNOWN))
        lc_replay_differ (LC_REPLAY_OPERATION, finished->operation, finished->object, finished->sequence);
      return;
    }
  if (!is_first &&
      (vain.done > 0 || event->operation != finished->operation || !replay_is_same_request (event, finished)))
    return;
  if (vain.done == 0)
    replay_append_row (event, finished);
  if (++vain.done < event->tries)
    return;
  vain.done = vain.unknown = 0;
  __atomic_store_n (&rank->next, rank->next + 1, __ATOMIC_RELEASE);
}

/* The message is compared when it is known. */
static void
replay_note_request (uint64_t request, uint64_t number)
{
  if (request < n_told && told[request] == 0)
    told[request] = rank->first + number + 1;
}

/* Nothing of class io has a turn. */
static bool
replay_has_turn (uint16_t operation)
{
  return operation != LC_FINALIZE;
}

/* Takes an event that comes after the end. */
static void
replay_append_more (const struct lc_finished *finished)
{
  if (rank->is_cut)
    replay_wait_until_free (LC_REPLAY_MPI_AT_END);
  else
    lc_replay_differ (LC_REPLAY_MORE, finished->operation, finished->object, finished->sequence);
}

/* Gives the recorded event, or NULL: it was none, and the rank may go on all the same. */
static const struct lc_replay_mpi_event *
replay_append_planned (const struct lc_replay_mpi_event *event, const struct lc_finished *finished)
{
  const bool is_request = (finished->flags & LC_EVENT_REQUEST) != 0;
  enum lc_replay_difference difference = LC_REPLAY_OPERATION;

  if (!is_request)
    difference = replay_compare_event (event, finished->operation, finished->object, finished->sequence);
  else if (event->operation == finished->operation)
    difference = LC_REPLAY_SAME;
  if (difference != LC_REPLAY_SAME)
    {
      lc_replay_differ (difference, finished->operation, finished->object, finished->sequence);
      return NULL;
    }
  if (is_request)
    replay_note_request (finished->sequence, rank->next);
  vain.unknown = 0;
  return event;
}

/* The event is recorded before others can see that it is over, as the command may end the program then. */
static void
replay_append (const struct lc_finished *finished)
{
  const struct lc_replay_mpi_event *event = NULL;
  const bool is_followed = replay_is_followed () && replay_has_turn (finished->operation);

  if (is_followed)
    event = replay_event (rank->next);
  if (event != NULL && lc_replay_is_vain (finished->operation))
    {
      replay_append_vain (event, finished);
      return;
    }
  if (event != NULL)
    event = replay_append_planned (event, finished);
  else if (is_followed)
    replay_append_more (finished);
  lc_again_append (finished, event);
  if (event == NULL)
    return;
  __atomic_store_n (&rank->next, rank->next + 1, __ATOMIC_RELEASE);
  if ((event->flags & LC_REPLAY_MPI_FREES) != 0)
    __atomic_store_n (&plan->mode, LC_REPLAY_FREE, __ATOMIC_RELEASE);
}

static void
replay_resolve (uint32_t request, uint32_t object, uint32_t sequence)
{
  const struct lc_replay_mpi_event *event;

  lc_again_resolve (request, object, sequence);
  if (!replay_is_followed () || request >= n_told || told[request] == 0)
    return;
  event = lc_replay_mpi_events (plan) + told[request] - 1;
  if (event->object != LC_REPLAY_NONE && (!lc_replay_is_object (event, object) || event->sequence != sequence))
    lc_replay_differ (LC_REPLAY_OBJECT, event->operation, object, sequence);
}

/* An operation that may wait for ever is compared before. But a request that was cancelled has no event; and an
 * exchange tells first what it sends. */
static void
replay_await (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin)
{
  const struct lc_replay_mpi_event *event = lc_replay_next (0);

  lc_again_await (operation, object, sequence, begin);
  if (event == NULL || operation == LC_COMPLETE || (operation >= LC_FINISH_LOCAL && operation <= LC_FINISH_ALL) ||
      (event->operation == LC_ISEND && operation == LC_RECV) || !replay_has_turn (operation))
    return;
  if (event->operation != operation)
    lc_replay_suspect (LC_REPLAY_OPERATION, operation, object, sequence);
  else if (object != 0 && event->object != LC_REPLAY_NONE && !lc_replay_is_object (event, object))
    lc_replay_suspect (LC_REPLAY_OBJECT, operation, object, sequence);
}

/* --- The rank ------------------------------------------------------------------------------------------------- */

/* Launchers end all ranks when one of them ends without MPI_Finalize. */
static void
replay_exit (void)
{
  if (whole_rank->state != LC_REPLAY_MPI_ENDED && whole_rank->pid == replay_get_id (getpid) &&
      whole_rank->next == whole_rank->n_events)
    lc_replay_wait_for_others ();
}

static void
replay_rank (uint32_t number, uint32_t ranks)
{
  if (lc_again_recorder != NULL)
    lc_again_recorder->rank (number, ranks);
  if (number >= plan->n_numbers || lc_replay_mpi_ranks (plan)[number].process == LC_REPLAY_NONE)
    return;
  whole_rank = &lc_replay_mpi_ranks (plan)[number];
  whole_rank->pid = replay_get_id (getpid);
  for (uint32_t i = plan->n_numbers; i < plan->n_ranks; i++)
    has_threads |= lc_replay_mpi_ranks (plan)[i].number == number;
  replay_find_history ();
  rank->thread = replay_get_id (gettid);
  if (plan->is_debugged) /* by a process that is no parent of this one */
    prctl (PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  replay_set_state (LC_REPLAY_MPI_RUNNING);
  atexit (replay_exit);
}

static void
replay_suspend (struct lc_suspension *suspension)
{
  if (lc_again_recorder != NULL)
    lc_again_recorder->suspend (suspension);
  else
    suspension->is_outermost = suspensions++ == 0;
  if (!suspension->is_outermost)
    return;
  replay_leave_turns (&turns);
  replay_enter_mpi ();
  if (!replay_has_history ())
    return;
  __atomic_fetch_add (&rank->calls, 1, __ATOMIC_RELAXED);
  replay_set_state (LC_REPLAY_MPI_INSIDE);
}

static void
replay_resume (const struct lc_suspension *suspension)
{
  if (lc_again_recorder != NULL)
    lc_again_recorder->resume (suspension);
  else if (suspensions > 0)
    suspensions--;
  if (!suspension->is_outermost)
    return;
  replay_leave_mpi ();
  replay_return_to_turns (&turns);
  if (rank != NULL)
    __atomic_store_n (&rank->suspected, (uint32_t)LC_REPLAY_SAME, __ATOMIC_RELEASE);
  replay_set_state (LC_REPLAY_MPI_RUNNING);
}

static bool
replay_is_suspended (void)
{
  return lc_again_recorder != NULL ? lc_again_recorder->is_suspended () : suspensions > 0;
}

/* Windows count, too, but what they count is not kept. */
static struct lc_shared_counter *
replay_counter (const char *name)
{
  uint64_t key = UINT64_C (0xcbf29ce484222325);

  if (lc_again_recorder != NULL)
    return lc_again_recorder->counter (name);

  if (strncmp (name, "world", 5) != 0 || strstr (name, " at ") != NULL || strstr (name, " post ") != NULL)
    return NULL;
  for (const char *letter = name; *letter != '\0'; letter++)
    key = (key ^ (unsigned char)*letter) * UINT64_C (0x100000001b3);
  for (int i = 0; i < LC_REPLAY_MPI_COUNTERS; i++)
    {
      uint64_t found = 0;

      if (__atomic_compare_exchange_n (&plan->worlds[i].key, &found, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
          found == key)
        return &plan->worlds[i].counter;
    }
  return NULL;
}

/* --- What a replay has no use for ----------------------------------------------------------------------------- */

static uint64_t
replay_now (void)
{
  return lc_clock_monotonic ();
}

static void
replay_name_topology (const char *text)
{
  (void)text;
}

static void
replay_set_clock (uint64_t ticks, uint64_t reference, uint64_t error)
{
  (void)ticks, (void)reference, (void)error;
}

static uint64_t
replay_since_start (uint64_t ticks)
{
  return ticks;
}

static void
replay_unblock (void)
{
}

static void
replay_count_lost (enum lc_lost reason)
{
  (void)reason;
}

static struct lc_hooks hooks = {
    .version = LC_HOOKS_VERSION,
    .classes = &classes,
    .instance = &instance,
    .object = replay_make_object,
    .now = replay_now,
    .suspend = replay_suspend,
    .resume = replay_resume,
    .clock_is_tsc = &clock_is_tsc,
    .shared_object = replay_shared_object,
    .await = replay_await,
    .append = replay_append,
    .request = replay_request,
    .resolve = replay_resolve,
    .rank = replay_rank,
    .topology = replay_name_topology,
    .counter = replay_counter,
    .clock = replay_set_clock,
    .since_start = replay_since_start,
    .unblock = replay_unblock,
    .is_suspended = replay_is_suspended,
    .lost = replay_count_lost,
};

/* Finds the recorder, which gets all that is not compared as it comes. */
static void
replay_begin_again (void)
{
  const struct lc_hooks *recorder;

  lc_again_begin ();
  recorder = lc_again_recorder;
  if (recorder == NULL)
    return;
  classes |= *recorder->classes & UINT32_C (1) << LC_CLASS_IO;
  hooks.instance = recorder->instance;
  hooks.now = recorder->now;
  hooks.clock_is_tsc = recorder->clock_is_tsc;
  hooks.topology = recorder->topology;
  hooks.clock = recorder->clock;
  hooks.since_start = recorder->since_start;
  hooks.unblock = recorder->unblock;
  hooks.lost = recorder->lost;
  lc_clock_is_tsc = *recorder->clock_is_tsc;
}

/* NULL: there is no such file, or none of this version. */
static struct lc_replay_mpi_header *
replay_map_plan (const char *path)
{
  int file = open (path, O_RDWR | O_CLOEXEC);
  struct lc_replay_mpi_header *mapped = MAP_FAILED;
  struct stat status;

  if (file < 0)
    return NULL;
  if (fstat (file, &status) == 0 && (size_t)status.st_size >= sizeof *mapped)
    mapped = mmap (NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close (file);
  if (mapped == MAP_FAILED)
    return NULL;
  if (memcmp (mapped->magic, LC_REPLAY_MPI_MAGIC, sizeof mapped->magic) == 0 &&
      mapped->version == LC_REPLAY_MPI_VERSION)
    return mapped;
  munmap (mapped, (size_t)status.st_size);
  return NULL;
}

/* Begins to follow the plan, if there is one. */
static void
replay_read_plan (const char *path)
{
  const int error = errno;
  struct lc_suspension suspension = {0}, own = {0};

  replay_begin_again ();
  lc_again_suspend (&suspension);
  replay_leave_turns (&own);
  plan = replay_map_plan (path);
  replay_return_to_turns (&own);
  lc_again_resume (&suspension);
  errno = error;
}

/* In the place of the recorder's (init.c). */
const struct lc_hooks *
lc_mpi_find_hooks (void)
{
  const char *path = getenv (LC_REPLAY_MPI_ENVIRONMENT);

  if (plan == NULL && path != NULL)
    replay_read_plan (path);
  return plan != NULL ? &hooks : NULL;
}
