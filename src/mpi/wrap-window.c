/* SPDX-License-Identifier: Apache-2.0 */
/* Windows: what makes them, and how the processes that use one wait for each other. */
#include "windows.h"

#include <stdio.h>

/* --- All of them together -------------------------------------------------------------------------------------- */

static void
append_fence (const struct lc_mpi_call *call, struct lc_window *window)
{
  if (window)
    lc_mpi_append (call, &(struct lc_finished){.operation = LC_FENCE,
                                               .object = window->object,
                                               .sequence = window->fences++,
                                               .value = window->communicator->members});
}

static void
end_making (struct lc_mpi_call *call, int result, const MPI_Win *made, MPI_Comm comm)
{
  struct lc_mpi_call naming;
  struct lc_window *window;

  lc_mpi_leave (call);
  if (result != MPI_SUCCESS)
    return;
  lc_mpi_enter (&naming);
  window = lc_window_name (*made, comm);
  lc_mpi_leave (&naming);
  append_fence (call, window);
}

#define MAKES(function, parameters, arguments) \
  LC_MPI_EXPORT int MPI_##function parameters \
  { \
    struct lc_mpi_call call; \
    int result; \
\
    if (!lc_mpi_is_on ()) \
      return PMPI_##function arguments; \
    lc_mpi_enter (&call); \
    result = PMPI_##function arguments; \
    end_making (&call, result, win, comm); \
    return result; \
  }

MAKES (Win_create, (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
       (base, size, unit, info, comm, win))
MAKES (Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
       (size, unit, info, comm, base, win))
MAKES (Win_allocate_shared, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
       (size, unit, info, comm, base, win))
MAKES (Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win))
#if MPI_VERSION >= 4
MAKES (Win_create_c, (void *base, MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
       (base, size, unit, info, comm, win))
MAKES (Win_allocate_c, (MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
       (size, unit, info, comm, base, win))
MAKES (Win_allocate_shared_c, (MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
       (size, unit, info, comm, base, win))
#endif

static struct lc_window *
begin_fence (struct lc_mpi_call *call, MPI_Win win)
{
  struct lc_window *window;

  lc_mpi_enter (call);
  window = lc_window_find (win);
  if (window)
    lc_mpi_block (call, LC_FENCE, window->object, window->fences);
  return window;
}

LC_MPI_EXPORT int
MPI_Win_fence (int assertion, MPI_Win win)
{
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_fence (assertion, win);
  window = begin_fence (&call, win);
  result = PMPI_Win_fence (assertion, win);
  lc_mpi_leave (&call);
  if (result == MPI_SUCCESS)
    append_fence (&call, window);
  else
    lc_mpi_hooks->unblock ();
  return result;
}

/* The window is forgotten while MPI frees it. */
LC_MPI_EXPORT int
MPI_Win_free (MPI_Win *win)
{
  struct lc_finished event = {.operation = LC_FENCE};
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_free (win);
  window = begin_fence (&call, *win);
  if (window)
    {
      event.object = window->object;
      event.sequence = window->fences;
      event.value = window->communicator->members;
    }
  result = PMPI_Win_free (win);
  lc_mpi_leave (&call);
  if (result == MPI_SUCCESS && window)
    lc_mpi_append (&call, &event);
  else
    lc_mpi_hooks->unblock ();
  return result;
}

/* --- Some with some: MPI_Win_post and MPI_Win_start, MPI_Win_complete and MPI_Win_wait ------------------------- */

/* Messages of a window, from this rank to each of a group: the last one ends at `end`. */
static void
append_sends (const struct lc_mpi_call *call, const struct lc_window *window, const struct lc_window_group *group,
              const char *what, uint64_t end)
{
  for (int i = 0; i < group->n; i++)
    {
      struct lc_finished event = {.operation = LC_SEND, .begin = call->begin};
      struct lc_channel *channel;

      lc_mpi_lock ();
      channel = lc_channel_find_named (window->name, window->communicator->me, group->ranks[i], what);
      event.object = channel ? channel->object : 0;
      event.sequence = channel ? channel->sent++ : 0;
      lc_mpi_unlock ();
      event.end = i + 1 < group->n ? call->begin : end;
      lc_mpi_append (call, &event);
    }
}

/* And from each of a group to this rank: the first one takes as long. */
static void
append_receives (const struct lc_mpi_call *call, const struct lc_window *window, const struct lc_window_group *group,
                 const char *what)
{
  for (int i = 0; i < group->n; i++)
    {
      struct lc_finished event = {.operation = LC_RECV, .end = call->end};
      struct lc_channel *channel;

      lc_mpi_lock ();
      channel = lc_channel_find_named (window->name, group->ranks[i], window->communicator->me, what);
      event.object = channel ? channel->object : 0;
      event.sequence = channel ? channel->received++ : 0;
      lc_mpi_unlock ();
      event.begin = i == 0 ? call->begin : call->end;
      lc_mpi_append (call, &event);
    }
}

/* Counted by who posts, so that who starts can see whether it was waited for. */
static struct lc_shared_counter *
posts_of (const struct lc_window *window, uint32_t target, uint32_t origin)
{
  char name[LC_MPI_NAME + 48];

  snprintf (name, sizeof name, "%s post %u>%u", window->name, target, origin);
  return lc_mpi_hooks->counter (name);
}

static void
count_posts (const struct lc_window *window)
{
  for (int i = 0; i < window->origins_posted.n; i++)
    {
      struct lc_shared_counter *posts = posts_of (window, window->communicator->me, window->origins_posted.ranks[i]);

      if (posts)
        __atomic_fetch_add (&posts->exclusive, 1, __ATOMIC_RELEASE);
    }
}

static bool
have_posted (const struct lc_window *window)
{
  uint32_t me = window->communicator->me;
  bool have = true;

  for (int i = 0; have && i < window->targets_started.n; i++)
    {
      uint32_t target = window->targets_started.ranks[i];
      const struct lc_shared_counter *posts = posts_of (window, target, me);
      const struct lc_channel *channel;

      lc_mpi_lock ();
      channel = lc_channel_find_named (window->name, target, me, "post");
      have = posts && channel && __atomic_load_n (&posts->exclusive, __ATOMIC_ACQUIRE) > channel->received;
      lc_mpi_unlock ();
    }
  return have;
}

LC_MPI_EXPORT int
MPI_Win_post (MPI_Group group, int assertion, MPI_Win win)
{
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_post (group, assertion, win);
  lc_mpi_enter (&call);
  window = lc_window_find (win);
  if (window)
    {
      lc_window_keep_group (&window->origins_posted, group);
      count_posts (window);
    }
  result = PMPI_Win_post (group, assertion, win);
  lc_mpi_leave (&call);
  if (result == MPI_SUCCESS && window)
    append_sends (&call, window, &window->origins_posted, "post", call.end);
  return result;
}

/* An MPI may wait for the posts only in MPI_Win_complete. */
LC_MPI_EXPORT int
MPI_Win_start (MPI_Group group, int assertion, MPI_Win win)
{
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_start (group, assertion, win);
  lc_mpi_enter (&call);
  window = lc_window_find (win);
  if (window)
    lc_window_keep_group (&window->targets_started, group);
  result = PMPI_Win_start (group, assertion, win);
  lc_mpi_leave (&call);
  if (result != MPI_SUCCESS || !window)
    return result;
  window->is_awaiting = !have_posted (window);
  if (!window->is_awaiting)
    {
      call.end = lc_mpi_hooks->now ();
      append_receives (&call, window, &window->targets_started, "post");
    }
  return result;
}

LC_MPI_EXPORT int
MPI_Win_complete (MPI_Win win)
{
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_complete (win);
  lc_mpi_enter (&call);
  window = lc_window_find (win);
  result = PMPI_Win_complete (win);
  lc_mpi_leave (&call);
  if (result == MPI_SUCCESS && window)
    {
      append_sends (&call, window, &window->targets_started, "complete", window->is_awaiting ? call.begin : call.end);
      if (window->is_awaiting)
        append_receives (&call, window, &window->targets_started, "post");
      lc_window_forget_group (&window->targets_started);
    }
  return result;
}

static void
end_exposure (const struct lc_mpi_call *call, struct lc_window *window)
{
  append_receives (call, window, &window->origins_posted, "complete");
  lc_window_forget_group (&window->origins_posted);
}

LC_MPI_EXPORT int
MPI_Win_wait (MPI_Win win)
{
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_wait (win);
  lc_mpi_enter (&call);
  window = lc_window_find (win);
  result = PMPI_Win_wait (win);
  lc_mpi_leave (&call);
  if (result == MPI_SUCCESS && window)
    end_exposure (&call, window);
  return result;
}

LC_MPI_EXPORT int
MPI_Win_test (MPI_Win win, int *flag)
{
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_test (win, flag);
  lc_mpi_enter (&call);
  window = lc_window_find (win);
  result = PMPI_Win_test (win, flag);
  lc_mpi_leave (&call);
  if (result == MPI_SUCCESS && window && *flag)
    end_exposure (&call, window);
  return result;
}

/* --- Locks ------------------------------------------------------------------------------------------------------ */

static struct lc_window_target *
target_of (struct lc_window *window, int rank)
{
  struct lc_window_target *target;
  char name[LC_MPI_NAME + 32];

  if (rank < 0 || (uint32_t)rank >= window->communicator->n_world)
    return NULL;
  target = &window->targets[rank];
  if (target->lock == 0)
    {
      snprintf (name, sizeof name, "%s at %u", window->name, window->communicator->world[rank]);
      target->lock = lc_mpi_hooks->shared_object (LC_CLASS_CREW, name, 0);
      target->counter = lc_mpi_hooks->counter (name);
    }
  return target;
}

/* Who holds a lock, beside how often it was taken: the upper bits of the shared counter's words. */
#define HOLDER (UINT64_C (1) << 48)
#define TIMES(word) ((word) & (HOLDER - 1))

/*
 * An MPI may give a lock only when something is done with it. If one is held, or taken meanwhile, that this one
 * excludes, it was not given yet, and its turn is unknown. Returns how many have read since the last one wrote.
 */
static uint64_t
count_exclusive (struct lc_window_target *target)
{
  struct lc_shared_counter *counter = target->counter;
  uint64_t writers = __atomic_load_n (&counter->exclusive, __ATOMIC_SEQ_CST), readers;

  target->is_unknown =
      writers >= HOLDER || !__atomic_compare_exchange_n (&counter->exclusive, &writers, writers + 1 + HOLDER, false,
                                                         __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if (target->is_unknown)
    return 0;
  readers = __atomic_load_n (&counter->shared, __ATOMIC_SEQ_CST);
  target->is_unknown = readers >= HOLDER || !__atomic_compare_exchange_n (&counter->shared, &readers, 0, false,
                                                                          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if (target->is_unknown)
    {
      __atomic_fetch_sub (&counter->exclusive, 1 + HOLDER, __ATOMIC_SEQ_CST);
      return 0;
    }
  target->version = TIMES (writers) + 1;
  return readers;
}

static void
count_shared (struct lc_window_target *target)
{
  struct lc_shared_counter *counter = target->counter;
  uint64_t writers = __atomic_load_n (&counter->exclusive, __ATOMIC_SEQ_CST);

  __atomic_fetch_add (&counter->shared, 1 + HOLDER, __ATOMIC_SEQ_CST);
  target->is_unknown = writers >= HOLDER || __atomic_load_n (&counter->exclusive, __ATOMIC_SEQ_CST) != writers;
  if (target->is_unknown)
    __atomic_fetch_sub (&counter->shared, 1 + HOLDER, __ATOMIC_SEQ_CST);
  else
    target->version = TIMES (writers);
}

/* Since `begin`. Returns its end: after it was counted, and so after the end of all who were counted before. */
static uint64_t
append_lock (const struct lc_mpi_call *call, struct lc_window_target *target, uint16_t operation, uint64_t begin)
{
  struct lc_finished event = {.operation = operation, .object = target->lock, .begin = begin};

  target->locked = operation;
  target->version = 0;
  target->is_unknown = !target->counter;
  if (target->counter && operation == LC_WRITE_START)
    event.value = count_exclusive (target);
  else if (target->counter)
    count_shared (target);
  event.sequence = target->version;
  event.flags = target->is_unknown ? LC_EVENT_UNKNOWN : 0;
  event.end = lc_mpi_hooks->now ();
  lc_mpi_append (call, &event);
  return event.end;
}

/* Before anybody else can have it. */
static struct lc_finished
give_back (const struct lc_mpi_call *call, struct lc_window_target *target)
{
  bool writes = target->locked == LC_WRITE_START;

  if (!target->is_unknown)
    __atomic_fetch_sub (writes ? &target->counter->exclusive : &target->counter->shared, HOLDER, __ATOMIC_ACQ_REL);
  target->locked = 0;
  return (struct lc_finished){.operation = writes ? LC_WRITE_END : LC_READ_END,
                              .flags = target->is_unknown ? LC_EVENT_UNKNOWN : 0,
                              .object = target->lock,
                              .sequence = target->version,
                              .begin = call->begin,
                              .end = call->begin};
}

LC_MPI_EXPORT int
MPI_Win_lock (int type, int rank, int assertion, MPI_Win win)
{
  uint16_t operation = type == MPI_LOCK_EXCLUSIVE ? LC_WRITE_START : LC_READ_START;
  struct lc_window_target *target = NULL;
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_lock (type, rank, assertion, win);
  lc_mpi_enter (&call);
  window = lc_window_find (win);
  if (window)
    target = target_of (window, rank);
  if (target)
    lc_mpi_block (&call, operation, target->lock, 0);
  result = PMPI_Win_lock (type, rank, assertion, win);
  lc_mpi_leave (&call);
  if (result == MPI_SUCCESS && target)
    append_lock (&call, target, operation, call.begin);
  else
    lc_mpi_hooks->unblock ();
  return result;
}

LC_MPI_EXPORT int
MPI_Win_unlock (int rank, MPI_Win win)
{
  struct lc_window_target *target = NULL;
  struct lc_finished event;
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_unlock (rank, win);
  lc_mpi_enter (&call);
  window = lc_window_find (win);
  if (window)
    target = target_of (window, rank);
  if (target && target->locked)
    event = give_back (&call, target);
  else
    target = NULL;
  result = PMPI_Win_unlock (rank, win);
  lc_mpi_leave (&call);
  if (target)
    lc_mpi_append (&call, &event);
  return result;
}

LC_MPI_EXPORT int
MPI_Win_lock_all (int assertion, MPI_Win win)
{
  struct lc_mpi_call call;
  struct lc_window *window;
  uint64_t told;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_lock_all (assertion, win);
  lc_mpi_enter (&call);
  window = lc_window_find (win);
  result = PMPI_Win_lock_all (assertion, win);
  lc_mpi_leave (&call);
  if (result != MPI_SUCCESS || !window)
    return result;
  told = call.begin;
  for (int rank = 0; rank < window->communicator->size; rank++)
    told = append_lock (&call, target_of (window, rank), LC_READ_START, told);
  return result;
}

LC_MPI_EXPORT int
MPI_Win_unlock_all (MPI_Win win)
{
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_unlock_all (win);
  lc_mpi_enter (&call);
  window = lc_window_find (win);
  for (int rank = 0; window && rank < window->communicator->size; rank++)
    {
      struct lc_window_target *target = target_of (window, rank);

      if (target->locked)
        {
          struct lc_finished event = give_back (&call, target);
          struct lc_suspension suspension;

          lc_mpi_hooks->resume (&call.suspension);
          lc_mpi_append (&call, &event);
          lc_mpi_hooks->suspend (&suspension);
        }
    }
  result = PMPI_Win_unlock_all (win);
  lc_mpi_leave (&call);
  return result;
}

/* --- Nothing of the kind: but MPI's own locks are none of the program's ----------------------------------------- */

#define PASSES(function, parameters, arguments) \
  LC_MPI_EXPORT int MPI_##function parameters \
  { \
    struct lc_mpi_call call; \
    int result; \
\
    if (!lc_mpi_is_on ()) \
      return PMPI_##function arguments; \
    lc_mpi_enter (&call); \
    result = PMPI_##function arguments; \
    lc_mpi_leave (&call); \
    return result; \
  }

PASSES (Win_flush, (int rank, MPI_Win win), (rank, win))
PASSES (Win_flush_all, (MPI_Win win), (win))
PASSES (Win_flush_local, (int rank, MPI_Win win), (rank, win))
PASSES (Win_flush_local_all, (MPI_Win win), (win))
