/* SPDX-License-Identifier: Apache-2.0 */
/* Lets the threads of a replayed program use each object in the recorded order: the begin, turns, and differences. */
#include "replay.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "real.h"

__thread struct lc_replayed *lc_replay_self __attribute__ ((tls_model ("initial-exec")));

static struct lc_replay_header *replay_header;
static struct lc_replay_thread *replay_threads;
static struct lc_replay_object *replay_objects;
static const struct lc_replay_site *replay_sites;
static const struct lc_replay_event *replay_events;
static struct lc_replayed *replayed_threads;
static uint32_t replay_classes; /* 0: this process is not replayed */
static bool replay_is_constructed, replay_has_begun;
static bool replay_is_of_rank; /* of MPI */
static bool replay_has_orphans;

static void replay_begin (void);

enum
{
  LOOKS = 200, /* at an object before a thread sleeps */
};

/* Slept for at most, so that a mode that the command has set is seen. */
static const struct timespec replay_nap = {0, 50000000};

struct lc_replayed *
lc_replay_thread (uint32_t number)
{
  return number < replay_header->n_threads ? &replayed_threads[number] : NULL;
}

uint32_t
lc_replay_count_threads (void)
{
  return replay_header->n_threads;
}

static uint32_t
replay_mode (void)
{
  return __atomic_load_n (&replay_header->mode, __ATOMIC_ACQUIRE);
}

const struct lc_replay_object *
lc_replay_object (uint32_t object)
{
  return &replay_objects[object];
}

bool
lc_replay_follows (void)
{
  return replay_classes != 0 && replay_mode () == LC_REPLAY_FOLLOW;
}

bool
lc_replay_is_here (void)
{
  return replay_classes != 0;
}

bool
lc_replay_is_of_rank (void)
{
  return replay_is_of_rank;
}

bool
lc_replay_is_steered (void)
{
  return replay_classes != 0 && replay_header->is_steered != 0;
}

void
lc_replay_hold (void)
{
  while (replay_mode () == LC_REPLAY_HOLD)
    syscall (SYS_futex, &replay_header->mode, FUTEX_WAIT, LC_REPLAY_HOLD, &replay_nap, NULL, 0);
}

struct lc_replayed *lc_replay_enter (enum lc_class class)
{
  struct lc_replayed *self;

  if (!replay_has_begun)
    replay_begin ();
  if ((replay_classes >> class & 1) == 0 || lc_replay_is_inside)
    return NULL;
  self = lc_replay_self;
  if (self == NULL && replay_has_orphans)
    self = lc_replay_adopt ();
  if (self == NULL || self->is_busy)
    return NULL;
  if (replay_mode () == LC_REPLAY_HOLD)
    lc_replay_hold ();
  return replay_mode () == LC_REPLAY_FOLLOW ? self : NULL;
}

/* --- Steps -------------------------------------------------------------------------------------------------- */

/* Those who wait for a number of steps sleep with the bit of that number, since every number is reached by one step. */
static uint32_t
replay_bit (uint32_t steps)
{
  return UINT32_C (1) << steps % 32;
}

uint32_t
lc_replay_step (uint32_t object)
{
  struct lc_replay_object *here = &replay_objects[object];
  uint32_t before = __atomic_fetch_add (&here->steps, 1, __ATOMIC_SEQ_CST);

  if (__atomic_load_n (&here->sleepers, __ATOMIC_SEQ_CST) != 0)
    syscall (SYS_futex, &here->steps, FUTEX_WAKE_BITSET, INT_MAX, NULL, NULL, replay_bit (before + 1));
  return before;
}

static bool
replay_has_steps (const struct lc_replay_object *object, uint32_t steps)
{
  return __atomic_load_n (&object->steps, __ATOMIC_ACQUIRE) >= steps;
}

/* A bitset's timeout is a time of the monotonic clock, not a duration. */
static void
replay_sleep (struct lc_replay_object *object, uint32_t seen, uint32_t steps)
{
  struct timespec until;

  lc_replay_time_now (CLOCK_MONOTONIC, &until);
  until.tv_nsec += replay_nap.tv_nsec;
  if (until.tv_nsec >= 1000000000)
    {
      until.tv_sec++;
      until.tv_nsec -= 1000000000;
    }
  syscall (SYS_futex, &object->steps, FUTEX_WAIT_BITSET, seen, &until, NULL, replay_bit (steps));
}

bool
lc_replay_await (struct lc_replayed *self, uint32_t object, uint32_t steps, enum lc_replay_state state)
{
  struct lc_replay_object *here = &replay_objects[object];
  int error = errno;

  for (int i = 0; i < LOOKS; i++)
    {
      if (replay_has_steps (here, steps))
        return true;
      __builtin_ia32_pause ();
    }
  __atomic_store_n (&self->thread->state, state, __ATOMIC_RELEASE);
  __atomic_fetch_add (&here->sleepers, 1, __ATOMIC_SEQ_CST);
  for (;;)
    {
      uint32_t seen = __atomic_load_n (&here->steps, __ATOMIC_SEQ_CST);

      if (seen >= steps || replay_mode () == LC_REPLAY_FREE)
        break;
      replay_sleep (here, seen, steps);
    }
  __atomic_fetch_sub (&here->sleepers, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n (&self->thread->state, LC_REPLAY_RUNNING, __ATOMIC_RELEASE);
  errno = error;
  return replay_has_steps (here, steps);
}

/* --- Differences -------------------------------------------------------------------------------------------- */

/* Finds the object at an address: one that has been used, or a static variable. */
static uint32_t
replay_find_object (const struct lc_replay_call *call)
{
  struct lc_replay_place *place = call->address != NULL ? lc_replay_place (call->address, call->class) : NULL;
  uint32_t module;
  uint64_t offset;

  if (place == NULL)
    return LC_REPLAY_NONE;
  if (place->object != 0)
    return place->object - 1;
  lc_replay_where ((uintptr_t)call->address, &module, &offset);
  for (uint32_t i = 0; module != LC_REPLAY_NONE && i < replay_header->n_objects; i++)
    if (replay_objects[i].module == module && replay_objects[i].offset == offset &&
        replay_objects[i].object_class == (uint32_t)call->class)
      return i;
  return LC_REPLAY_NONE;
}

/* Only the first difference is told: the others may follow from it. */
void
lc_replay_differs (struct lc_replayed *self, const struct lc_replay_call *call, enum lc_replay_difference how)
{
  struct lc_replay_header *header = replay_header;
  uint32_t none = 0;

  if (__atomic_compare_exchange_n (&header->is_claimed, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    {
      header->thread = self->number;
      header->came_operation = call->operation;
      header->came_address = (uintptr_t)call->address;
      header->came_object = replay_find_object (call);
      lc_replay_describe (call->caller, header->came_module, sizeof header->came_module, &header->came_offset);
      __atomic_store_n (&header->difference, how, __ATOMIC_RELEASE);
      __atomic_store_n (&header->mode, header->mode_then, __ATOMIC_RELEASE);
    }
  lc_replay_hold ();
}

/* The recorder gives the innermost place that is not in a library, so that only calls from that module can be compared.
 * A last call of a function, which clang's OpenMP has called, returns to the library. */
static bool
replay_is_other_site (const struct lc_replay_event *event, uintptr_t caller)
{
  const struct lc_replay_site *site = event->site != LC_REPLAY_NONE ? &replay_sites[event->site] : NULL;
  uint32_t module;
  uint64_t offset;

  if (site == NULL || caller == 0 || lc_replay_is_of_library (caller))
    return false;
  lc_replay_where (caller, &module, &offset);
  return module == site->module && offset != site->offset;
}

/* A static variable is at its place in its module in all runs. */
static bool
replay_is_other_variable (const struct lc_replay_object *object, uintptr_t address)
{
  uint32_t module;
  uint64_t offset;

  if (object->module == LC_REPLAY_NONE)
    return false;
  lc_replay_where (address, &module, &offset);
  return module != object->module || offset != object->offset;
}

/*
 * An object that the program initializes by a call has one address for all its life. One that only is there, as a
 * std::mutex, may be made at an address where another was, or that the recording has not given to it.
 */
static bool
replay_is_other_object (uint32_t number, const struct lc_replay_call *call)
{
  struct lc_replay_place *place = lc_replay_place (call->address, call->class), *old = NULL;
  struct lc_replay_object *object = &replay_objects[number];
  uintptr_t address = (uintptr_t)call->address, before = __atomic_load_n (&object->address, __ATOMIC_RELAXED);
  uint32_t known = place != NULL ? __atomic_load_n (&place->object, __ATOMIC_RELAXED) : number + 1;

  if (known == number + 1)
    return false;
  if (replay_is_other_variable (object, address))
    return true;
  if (before != 0 && before != address)
    old = lc_replay_place ((const void *)before, call->class);
  if (place->is_made && (known != 0 || (old != NULL && old->object == number + 1 && old->is_made)))
    return true;
  __atomic_store_n (&place->object, number + 1, __ATOMIC_RELAXED);
  __atomic_store_n (&object->address, address, __ATOMIC_RELAXED);
  return false;
}

static enum lc_replay_difference
replay_compare (const struct lc_replay_event *event, const struct lc_replay_call *call)
{
  if (event->operation != call->operation && (call->failed == 0 || event->operation != call->failed))
    return LC_REPLAY_OPERATION;
  if (replay_is_other_site (event, call->caller))
    return LC_REPLAY_SITE;
  if (call->class != LC_CLASS_THREAD && call->address != NULL && replay_is_other_object (event->object, call))
    return LC_REPLAY_OBJECT;
  return LC_REPLAY_SAME;
}

/* --- Turns -------------------------------------------------------------------------------------------------- */

static bool
replay_is_at_limit (const struct lc_replayed *self)
{
  return self->thread->next >= __atomic_load_n (&self->thread->limit, __ATOMIC_ACQUIRE);
}

/* The command moves limits when the user wants to go on. A thread at the end of its recorded history goes beyond it. */
static void
replay_stay_at_limit (struct lc_replayed *self)
{
  uint32_t moves = __atomic_load_n (&replay_header->moves, __ATOMIC_ACQUIRE);

  if (!replay_is_at_limit (self) || self->thread->next >= self->thread->n_events)
    return;
  __atomic_store_n (&self->thread->state, LC_REPLAY_AT_END, __ATOMIC_RELEASE);
  while (replay_is_at_limit (self) && replay_mode () != LC_REPLAY_FREE)
    {
      syscall (SYS_futex, &replay_header->moves, FUTEX_WAIT, moves, &replay_nap, NULL, 0);
      moves = __atomic_load_n (&replay_header->moves, __ATOMIC_ACQUIRE);
    }
  __atomic_store_n (&self->thread->state, LC_REPLAY_RUNNING, __ATOMIC_RELEASE);
}

const struct lc_replay_event *
lc_replay_peek (const struct lc_replayed *self)
{
  const struct lc_replay_thread *thread = self->thread;

  return thread->next < thread->n_events ? &replay_events[thread->first + thread->next] : NULL;
}

const struct lc_replay_event *
lc_replay_peek_at (const struct lc_replayed *self, uint64_t ahead)
{
  const struct lc_replay_thread *thread = self->thread;

  return ahead < thread->n_events - thread->next ? &replay_events[thread->first + thread->next + ahead] : NULL;
}

bool
lc_replay_has_openmp (void)
{
  if (!replay_has_begun)
    replay_begin ();
  return replay_classes != 0 && replay_header->openmp != LC_REPLAY_NO_OPENMP;
}

bool
lc_replay_has_clang_openmp (void)
{
  return lc_replay_has_openmp () && replay_header->openmp == LC_REPLAY_CLANG_OPENMP;
}

/* The command ends or frees the program when no thread can go on. */
void
lc_replay_stay (struct lc_replayed *self)
{
  __atomic_store_n (&self->thread->state, LC_REPLAY_AT_END, __ATOMIC_RELEASE);
  while (replay_mode () != LC_REPLAY_FREE)
    syscall (SYS_futex, &replay_header->mode, FUTEX_WAIT, replay_mode (), &replay_nap, NULL, 0);
  __atomic_store_n (&self->thread->state, LC_REPLAY_RUNNING, __ATOMIC_RELEASE);
}

/* Whether the thread has come to what it had begun when its history was cut. */
static bool
replay_is_pending (const struct lc_replayed *self, const struct lc_replay_call *call)
{
  const struct lc_replay_event *pending = &self->thread->pending;

  return pending->operation != 0 && pending->object < replay_header->n_objects &&
         replay_compare (pending, call) == LC_REPLAY_SAME;
}

static void
replay_reach_end (struct lc_replayed *self, const struct lc_replay_call *call)
{
  if (self->thread->is_cut)
    {
      __atomic_store_n (&self->thread->is_pending, replay_is_pending (self, call), __ATOMIC_RELEASE);
      lc_replay_stay (self);
    }
  else
    lc_replay_differs (self, call, LC_REPLAY_MORE);
}

const struct lc_replay_event *
lc_replay_turn (struct lc_replayed *self, const struct lc_replay_call *call)
{
  const struct lc_replay_event *event = lc_replay_peek (self);
  enum lc_replay_difference difference;
  int error = errno;

  if (replay_is_of_rank && lc_replay_is_below_mpi (call->caller))
    return NULL;
  self->is_busy = true;
  self->is_early = false;
  lc_replay_record_enter (self);
  if (call->caller != 0 && lc_replay_recorder != NULL)
    self->began = lc_replay_recorder->now ();
  replay_stay_at_limit (self);
  if (!lc_replay_follows ())
    goto none;
  if (event == NULL)
    {
      replay_reach_end (self, call);
      goto none;
    }
  difference = replay_compare (event, call);
  if (difference != LC_REPLAY_SAME)
    {
      lc_replay_differs (self, call, difference);
      goto none;
    }
  if (!lc_replay_await (self, event->object, event->after, LC_REPLAY_WAITING))
    goto none;
  if (event->probes != 0)
    lc_replay_probe (self, event);
  if (call->class == LC_CLASS_THREAD)
    lc_replay_record_leave (self);
  errno = error;
  return event;

none:
  lc_replay_leave (self);
  errno = error;
  return NULL;
}

void
lc_replay_leave (struct lc_replayed *self)
{
  lc_replay_record_leave (self);
  self->is_busy = false;
}

void
lc_replay_step_early (struct lc_replayed *self, const struct lc_replay_event *event)
{
  if (!self->has_stepped)
    lc_replay_step (event->object);
  self->has_stepped = true;
}

void
lc_replay_done (struct lc_replayed *self, const struct lc_replay_event *event)
{
  struct lc_suspension suspension;

  lc_replay_record (self, event);
  lc_replay_record_suspend (&suspension); /* also in operations on threads, where they are not */
  __atomic_store_n (&self->thread->next, self->thread->next + 1, __ATOMIC_RELEASE);
  if (event->is_step && !self->has_stepped)
    lc_replay_step (event->object);
  self->has_stepped = false;
  self->tries = 0;
  lc_replay_record_resume (&suspension);
  lc_replay_leave (self);
}

void
lc_replay_failed (struct lc_replayed *self, const struct lc_replay_event *event)
{
  if (++self->tries < event->value)
    lc_replay_leave (self);
  else
    lc_replay_done (self, event);
}

void
lc_replay_await_library (struct lc_replayed *self)
{
  const struct lc_replay_event *event = lc_replay_peek (self);

  lc_replay_record_enter (self);
  if (lc_replay_follows ())
    replay_stay_at_limit (self);
  if (event == NULL && self->thread->is_cut && lc_replay_follows ())
    lc_replay_stay (self);
  else if (event != NULL && replay_objects[event->object].kind == LC_KIND_LIBRARY &&
           lc_replay_await (self, event->object, event->after, LC_REPLAY_WAITING) && event->probes != 0)
    lc_replay_probe (self, event);
  lc_replay_record_leave (self);
}

/* --- The begin and the end ---------------------------------------------------------------------------------- */

static bool
replay_is_plan (const struct lc_replay_header *header, uint64_t size)
{
  return memcmp (header->magic, LC_REPLAY_MAGIC, sizeof header->magic) == 0 && header->version == LC_REPLAY_VERSION &&
         header->n_threads > 0 && header->events <= size &&
         header->n_events <= (size - header->events) / sizeof (struct lc_replay_event);
}

static struct lc_replay_header *
replay_map (const char *path)
{
  struct lc_replay_header *header = MAP_FAILED;
  int file = (int)syscall (SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  struct stat status;

  if (file < 0)
    return NULL;
  if (fstat (file, &status) == 0 && status.st_size >= (off_t)sizeof *header)
    header = mmap (NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall (SYS_close, file);
  if (header == MAP_FAILED)
    return NULL;
  return replay_is_plan (header, (uint64_t)status.st_size) ? header : NULL;
}

static void
replay_leave_child (void)
{
  replay_classes = lc_replay_library_classes = 0;
  replay_has_orphans = false;
  lc_replay_self = NULL;
}

const char *
lc_replay_variable (const char *name)
{
  size_t length = strlen (name);

  for (char **at = environ; at != NULL && *at != NULL; at++)
    if (strncmp (*at, name, length) == 0 && (*at)[length] == '=')
      return *at + length + 1;
  return NULL;
}

/* A process may become the program of the plan only after it has executed others, which are not followed. */
static bool
replay_is_program (struct lc_replay_header *header, uint32_t pid)
{
  uint32_t none = 0;

  if (!__atomic_compare_exchange_n (&header->first, &none, pid, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) &&
      none != pid)
    return false;
  return __atomic_fetch_add (&header->came, 1, __ATOMIC_ACQ_REL) == header->replaced;
}

static bool
replay_open (void)
{
  const char *path = lc_replay_variable (LC_REPLAY_ENVIRONMENT);
  char rank_path[PATH_MAX], *base;
  uint32_t pid = (uint32_t)syscall (SYS_getpid), none = 0;

  replay_is_of_rank = path == NULL && lc_replay_find_rank_plan (rank_path, sizeof rank_path);
  if (replay_is_of_rank)
    path = rank_path;

  replay_header = path != NULL ? replay_map (path) : NULL;
  if (replay_header == NULL || !(replay_is_of_rank || replay_is_program (replay_header, pid)))
    return false;
  if (replay_header->prober != LC_REPLAY_NO_PROBER && replay_header->program == 0)
    lc_replay_probe_begin (replay_header);
  if (!__atomic_compare_exchange_n (&replay_header->program, &none, pid, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return false;
  base = (char *)replay_header;
  replay_threads = (void *)(base + replay_header->threads);
  replay_objects = (void *)(base + replay_header->objects);
  replay_sites = (const void *)(base + replay_header->sites);
  replay_events = (const void *)(base + replay_header->events);
  replayed_threads = mmap (NULL, replay_header->n_threads * sizeof *replayed_threads, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (replayed_threads == MAP_FAILED ||
      !lc_replay_lookup_begin ((const void *)(base + replay_header->modules), replay_header->n_modules))
    return false;
  for (uint32_t i = 0; i < replay_header->n_threads; i++)
    {
      replayed_threads[i].thread = &replay_threads[i];
      replayed_threads[i].number = i;
    }
  return true;
}

static bool
replay_find_orphans (void)
{
  for (uint32_t i = 1; i < replay_header->n_threads && !replay_is_of_rank; i++)
    if (replay_threads[i].is_orphan)
      return true;
  return false;
}

/* The program's first thread is the plan's. Constructors of other libraries may run before this one, and their
 * operations have been recorded, except in ranks of MPI. */
static void
replay_begin (void)
{
  if (replay_has_begun || (!replay_is_constructed && lc_replay_variable (LC_REPLAY_RANKS_ENVIRONMENT) != NULL))
    return;
  replay_has_begun = true;
  lc_real_resolve ();
  if (!replay_open ())
    return;
  lc_replay_record_begin ();
  lc_replay_gives_inputs (); /* looked for now, and not in the middle of an operation */
  lc_replay_threads_begin ();
  pthread_atfork (NULL, NULL, replay_leave_child);
  if (replay_header->is_debugged) /* by a process that is no parent of this one */
    prctl (PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  lc_replay_begin_thread (&replayed_threads[0]);
  replay_has_orphans = replay_find_orphans ();
  replay_classes = replay_header->classes;
  lc_replay_library_classes = replay_classes & LC_REPLAY_LIBRARY;
  if (lc_replay_recorder != NULL)
    lc_replay_library_classes |= *lc_replay_recorder->classes & 1u << LC_CLASS_MARK;
}

__attribute__ ((constructor (101))) static void
replay_construct (void)
{
  replay_is_constructed = true;
  replay_begin ();
  if (replay_is_of_rank && replay_classes != 0)
    lc_replay_begin_inputs ();
}

/* Whether another thread still has recorded events to come. Those that clang's OpenMP has at its disposal end after
 * this. */
static bool
replay_is_awaited (void)
{
  for (uint32_t i = 1; i < replay_header->n_threads; i++)
    if (__atomic_load_n (&replayed_threads[i].is_free, __ATOMIC_ACQUIRE) == 0 &&
        replay_threads[i].state != LC_REPLAY_UNBORN && replay_threads[i].next < replay_threads[i].n_events)
      return true;
  return false;
}

/* A worker that clang's OpenMP has not made this time does not end, either: nothing but its recorded end is left. */
static void
replay_end_unmade (void)
{
  for (uint32_t i = 1; i < replay_header->n_threads; i++)
    {
      struct lc_replayed *thread = &replayed_threads[i];
      const struct lc_replay_event *next = lc_replay_peek (thread);

      if (__atomic_load_n (&thread->is_free, __ATOMIC_ACQUIRE) == 0 || thread->has_name != 0 || next == NULL ||
          next->operation != LC_EXIT)
        continue;
      __atomic_store_n (&thread->thread->next, thread->thread->next + 1, __ATOMIC_RELEASE);
      __atomic_store_n (&thread->thread->state, LC_REPLAY_ENDED, __ATOMIC_RELEASE);
    }
}

/* The end of the program ends all threads; the recorded ones had come so far. What comes after it in a rank is MPI's,
 * and was not recorded. */
__attribute__ ((destructor (101))) static void
replay_end (void)
{
  struct lc_replayed *self = lc_replay_self;
  struct lc_suspension suspension;

  if (self == NULL || !lc_replay_follows ())
    return;
  lc_replay_record_suspend (&suspension);
  __atomic_store_n (&self->thread->state, LC_REPLAY_LEAVING, __ATOMIC_RELEASE);
  while (replay_is_awaited () && replay_mode () != LC_REPLAY_FREE)
    syscall (SYS_futex, &replay_header->mode, FUTEX_WAIT, replay_mode (), &replay_nap, NULL, 0);
  replay_end_unmade ();
  /* What is left to do, as the output of what is still in buffers, may take longer than the command looks on. */
  __atomic_store_n (&self->thread->state, LC_REPLAY_LEFT, __ATOMIC_RELEASE);
  if (replay_is_of_rank)
    lc_replay_self = NULL;
  lc_replay_is_inside |= lc_replay_has_clang_openmp (); /* it ends its library */
  lc_replay_record_resume (&suspension);
}
