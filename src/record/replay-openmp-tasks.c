/* SPDX-License-Identifier: Apache-2.0 */
/* Replays OpenMP: tasks. The library is not given them: each is kept until the thread that carried it out has it
 * next in its history, where it waited, and is then handed to the library as one to carry out at once. */
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "replay-openmp-tasks.h"

enum
{
  MOST_GROUPS = 8, /* of a task, within one another */
};

static __thread struct lc_replay_context *replay_context __attribute__ ((tls_model ("initial-exec")));

/* --- Memory ------------------------------------------------------------------------------------------------- */

/*
 * What is made of many sizes, and lives until another thread has used it. Memory is that of the system, since a
 * program's own functions may not be called here: pieces of powers of 2, which are used again, and each begins with its
 * size.
 */
enum
{
  LEAST_PIECE = 7, /* 128 bytes */
  PIECE_SIZES = 32,
  PIECE_HEAD = 16,
  CHUNK_BYTES = 1 << 20,
};

static struct replay_piece
{
  struct replay_piece *next;
} * replay_pieces[PIECE_SIZES];
static char *replay_chunk_at;
static size_t replay_chunk_room;
static uint32_t replay_tasks_lock; /* of this, and of the tasks below */

static void
replay_tasks_enter (void)
{
  while (__atomic_exchange_n (&replay_tasks_lock, 1, __ATOMIC_ACQUIRE) != 0)
    sched_yield ();
}

static void
replay_tasks_leave (void)
{
  __atomic_store_n (&replay_tasks_lock, 0, __ATOMIC_RELEASE);
}

/* NULL: there is none. */
static char *
replay_new_piece (size_t bytes)
{
  char *piece = replay_chunk_at;

  if (bytes > replay_chunk_room)
    {
      const size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
      void *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

      if (memory == MAP_FAILED)
        return NULL;
      piece = replay_chunk_at = memory;
      replay_chunk_room = size;
    }
  replay_chunk_at += bytes;
  replay_chunk_room -= bytes;
  return piece;
}

void *
lc_replay_get_memory (size_t bytes)
{
  uint32_t size = LEAST_PIECE;
  char *piece;

  while (size < PIECE_SIZES && (size_t)1 << size < bytes + PIECE_HEAD)
    size++;
  if (size == PIECE_SIZES)
    return NULL;
  replay_tasks_enter ();
  piece = (char *)replay_pieces[size];
  if (piece != NULL)
    replay_pieces[size] = replay_pieces[size]->next;
  else
    piece = replay_new_piece ((size_t)1 << size);
  replay_tasks_leave ();
  if (piece == NULL)
    return NULL;
  memcpy (piece, &size, sizeof size);
  return piece + PIECE_HEAD;
}

void
lc_replay_give_memory (void *memory)
{
  struct replay_piece *piece = (void *)((char *)memory - PIECE_HEAD);
  uint32_t size;

  memcpy (&size, piece, sizeof size);
  replay_tasks_enter ();
  piece->next = replay_pieces[size];
  replay_pieces[size] = piece;
  replay_tasks_leave ();
}

/* --- Tasks that nobody has begun ---------------------------------------------------------------------------- */

static struct lc_replay_task *replay_first_task, *replay_last_task;

void
lc_replay_task_keep (struct lc_replay_task *task)
{
  replay_tasks_enter ();
  task->before = replay_last_task;
  task->next = NULL;
  if (replay_last_task != NULL)
    replay_last_task->next = task;
  else
    replay_first_task = task;
  replay_last_task = task;
  replay_tasks_leave ();
}

/* Takes a task out; LC_REPLAY_NONE: whichever is first. It was made not long ago, most often. NULL: there is none. */
static struct lc_replay_task *
replay_task_take (uint32_t number, uint32_t index)
{
  struct lc_replay_task *task;

  replay_tasks_enter ();
  task = number == LC_REPLAY_NONE ? replay_first_task : replay_last_task;
  while (task != NULL && number != LC_REPLAY_NONE && (task->number != number || task->index != index))
    task = task->before;
  if (task != NULL)
    {
      *(task->before != NULL ? &task->before->next : &replay_first_task) = task->next;
      *(task->next != NULL ? &task->next->before : &replay_last_task) = task->before;
    }
  replay_tasks_leave ();
  return task;
}

/* --- Contexts ----------------------------------------------------------------------------------------------- */

static void
replay_context_leave (struct lc_replay_context *context)
{
  if (__atomic_sub_fetch (&context->users, 1, __ATOMIC_ACQ_REL) == 0)
    lc_replay_give_memory (context);
}

/* Without memory, the thread's tasks have no turns. */
struct lc_replay_context *
lc_replay_context_begin (struct lc_replay_team *team, bool is_in_group)
{
  struct lc_replay_context *outer = replay_context, *context = lc_replay_get_memory (sizeof *context);

  if (context != NULL)
    *context = (struct lc_replay_context){.team = team, .users = 1, .is_in_group = is_in_group};
  replay_context = context;
  return outer;
}

void
lc_replay_context_end (struct lc_replay_context *outer)
{
  if (replay_context != NULL)
    replay_context_leave (replay_context);
  replay_context = outer;
}

struct lc_replay_context *
lc_replay_openmp_context (void)
{
  return lc_replay_has_openmp () ? replay_context : NULL;
}

bool
lc_replay_is_in_group (const struct lc_replay_context *context)
{
  return context->is_in_group || context->depth > 0;
}

const void *
lc_replay_waits_of (const struct lc_replay_team *team)
{
  return (const char *)(uintptr_t)team->routine + 2;
}

/* --- Carrying out ------------------------------------------------------------------------------------------- */

void
lc_replay_task_forget (struct lc_replay_task *task)
{
  replay_context_leave (task->maker);
  lc_replay_give_memory (task);
}

/* Tells so many events of the variables that a task depends on. */
static void
replay_tell_needs (const struct lc_replay_needs *needs, uint32_t n, uintptr_t caller)
{
  for (uint32_t i = 0; i < n; i++)
    {
      const struct lc_replay_event *next = lc_replay_self != NULL ? lc_replay_peek (lc_replay_self) : NULL;
      struct lc_replay_call call = {LC_CLASS_CREW, 0, 0, NULL, caller};

      if (next == NULL || next->detail == 0 || next->detail > needs->n)
        return;
      call.operation = next->operation;
      call.address = needs->addresses[next->detail - 1];
      lc_replay_openmp_tell (&call);
    }
}

void
lc_replay_task_begins (const struct lc_replay_task *task, uint32_t n_needs)
{
  const struct lc_replay_call call = {LC_CLASS_TASK, LC_TASK_START, 0, task->construct, task->caller};

  replay_tell_needs (&task->needs, n_needs, task->caller);
  lc_replay_openmp_tell (&call);
}

void
lc_replay_task_ends (const struct lc_replay_task *task, uint32_t n_needs)
{
  const struct lc_replay_call call = {LC_CLASS_TASK, LC_TASK_END, 0, lc_replay_waits_of (task->team), task->caller};

  replay_tell_needs (&task->needs, n_needs, task->caller);
  if (task->is_counted)
    lc_replay_openmp_tell (&call);
  if (task->is_in_group)
    lc_replay_openmp_tell (&call);
}

/* Carries out a task that comes after so many events of what it depends on. */
static void
replay_task_run (struct lc_replay_task *task, uint32_t n_needs)
{
  lc_replay_task_begins (task, n_needs);
  task->call (task);
  lc_replay_task_ends (task, n_needs);
  lc_replay_task_forget (task);
}

static bool
replay_is_need (const struct lc_replay_event *event)
{
  return (event->operation == LC_READ_START || event->operation == LC_WRITE_START) &&
         lc_replay_object (event->object)->kind == LC_KIND_OPENMP;
}

/* Returns the begin of a task that is next in the thread's history, behind `n_needs` events of what it depends on. */
static const struct lc_replay_event *
replay_next_task (const struct lc_replayed *self, uint32_t *n_needs)
{
  const struct lc_replay_event *event;

  for (*n_needs = 0; (event = lc_replay_peek_at (self, *n_needs)) != NULL && replay_is_need (event); ++*n_needs)
    ;
  return event != NULL && event->operation == LC_TASK_START ? event : NULL;
}

static bool
replay_is_allowed (const struct lc_replay_event *event, enum lc_replay_tasks which, uint32_t own)
{
  switch (which)
    {
    case LC_REPLAY_TASKS_OWN:
      return (event->detail & LC_TASK_AT_ONCE) != 0 && event->object == own;
    case LC_REPLAY_TASKS_LATE:
      return (event->detail & LC_TASK_LATE) != 0;
    case LC_REPLAY_TASKS_YIELDED:
      return (event->detail & LC_TASK_YIELDED) != 0;
    case LC_REPLAY_TASKS_HERE:
    default:
      return (event->detail & (LC_TASK_AT_ONCE | LC_TASK_YIELDED)) == 0;
    }
}

bool
lc_replay_run_task (enum lc_replay_tasks which, uint32_t own)
{
  struct lc_replayed *self = lc_replay_has_openmp () ? lc_replay_enter (LC_CLASS_TASK) : NULL;
  struct lc_suspension suspension;
  uint32_t n_needs = 0;
  const struct lc_replay_event *event = self != NULL ? replay_next_task (self, &n_needs) : NULL;
  const struct lc_replay_call call = {LC_CLASS_TASK, LC_TASK_START, 0, NULL, 0};
  struct lc_replay_task *task;
  bool is_made;

  if (event == NULL || !replay_is_allowed (event, which, own))
    return false;
  lc_replay_record_suspend (&suspension);
  is_made = lc_replay_await (self, event->object, 1, LC_REPLAY_WAITING);
  lc_replay_record_resume (&suspension);
  if (!is_made)
    return false;
  task = replay_task_take (event->object, LC_TASK_INDEX (event->detail));
  if (task == NULL || task->needs.n != n_needs || task->needs.is_too_many)
    lc_replay_differs (self, &call, task == NULL ? LC_REPLAY_OUTCOME : LC_REPLAY_UNKNOWN);
  if (task == NULL)
    return false;
  replay_task_run (task, n_needs);
  return true;
}

void
lc_replay_run_tasks (enum lc_replay_tasks which)
{
  while (lc_replay_run_task (which, LC_REPLAY_NONE))
    ;
}

void
lc_replay_run_left_tasks (void)
{
  struct lc_replay_task *task;

  while (lc_replay_has_openmp () && !lc_replay_follows () && (task = replay_task_take (LC_REPLAY_NONE, 0)) != NULL)
    {
      task->call (task);
      lc_replay_task_forget (task);
    }
}

/* --- Dependences -------------------------------------------------------------------------------------------- */

void
lc_replay_need (struct lc_replay_needs *needs, const void *address)
{
  for (uint32_t i = 0; i < needs->n; i++)
    if (needs->addresses[i] == address)
      return;
  if (needs->n == LC_REPLAY_NEEDS)
    needs->is_too_many = true;
  else if (address != NULL)
    needs->addresses[needs->n++] = address;
}

void
lc_replay_wait_for (const struct lc_replay_needs *needs, uintptr_t caller)
{
  if (needs->is_too_many)
    lc_replay_openmp_unknown (LC_CLASS_CREW, LC_READ_START, NULL, caller);
  if (needs->n == 0 || lc_replay_enter (LC_CLASS_TASK) == NULL)
    return;
  lc_replay_run_tasks (LC_REPLAY_TASKS_HERE);
  replay_tell_needs (needs, 2 * needs->n, caller);
}

/* --- Making ------------------------------------------------------------------------------------------------- */

void
lc_replay_run_own (uint32_t number, bool must_come)
{
  while (!lc_replay_run_task (LC_REPLAY_TASKS_OWN, number))
    if (!must_come || !lc_replay_run_task (LC_REPLAY_TASKS_HERE, LC_REPLAY_NONE))
      return;
}

const struct lc_replay_event *
lc_replay_make_begin (const void *construct, uintptr_t caller)
{
  const struct lc_replay_call call = {LC_CLASS_TASK, LC_TASK_CREATE, 0, construct, caller};
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_TASK);

  return self != NULL ? lc_replay_turn (self, &call) : NULL;
}

void
lc_replay_task_made (struct lc_replay_task *task, struct lc_replay_context *maker)
{
  task->team = maker->team;
  task->maker = maker;
  __atomic_fetch_add (&maker->users, 1, __ATOMIC_RELAXED);
}

/* --- Waiting ------------------------------------------------------------------------------------------------ */

void
lc_replay_gather (struct lc_replay_context *context, uintptr_t caller)
{
  const struct lc_replay_call call = {LC_CLASS_TASK, LC_TASK_WAIT, 0, lc_replay_waits_of (context->team), caller};

  lc_replay_run_tasks (LC_REPLAY_TASKS_HERE);
  if (lc_replay_openmp_tell (&call) != NULL)
    return;
  while (!lc_replay_follows () && __atomic_load_n (&context->users, __ATOMIC_ACQUIRE) > 1)
    {
      lc_replay_run_left_tasks ();
      sched_yield ();
    }
}

void
lc_replay_task_wait (uintptr_t caller)
{
  struct lc_replay_context *context = lc_replay_openmp_context ();

  if (context == NULL || context->made == 0)
    return;
  lc_replay_gather (context, caller);
  context->made = 0;
}

void
lc_replay_group_begin (uintptr_t caller)
{
  struct lc_replay_context *context = lc_replay_openmp_context ();

  if (context != NULL && context->depth++ >= MOST_GROUPS)
    lc_replay_openmp_unknown (LC_CLASS_TASK, LC_TASK_WAIT, lc_replay_waits_of (context->team), caller);
}

void
lc_replay_group_end (uintptr_t caller)
{
  struct lc_replay_context *context = lc_replay_openmp_context ();

  if (context == NULL || context->depth == 0)
    return;
  lc_replay_gather (context, caller);
  context->depth--;
}
