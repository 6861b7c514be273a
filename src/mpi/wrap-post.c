/* SPDX-License-Identifier: Apache-2.0 */
/* Windows opened to some processes: MPI_Win_post and MPI_Win_start, MPI_Win_complete and MPI_Win_wait. */
#include "steer.h"

#include <stdio.h>

/* Writes the sending of a message from this rank to each member of a group; the last event ends at `end`. */
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

/* Writes the receiving of a message from each member of a group; the first event takes the time of the call. */
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

/* Returns the counter of posts, increased by the target, so that the origin sees whether it had to wait. */
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

/* MPI may wait for the posts only in MPI_Win_complete. */
LC_MPI_EXPORT int
MPI_Win_start (MPI_Group group, int assertion, MPI_Win win)
{
  enum lc_steering steering;
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
  steering = lc_steer_window (window, &window->targets_started, "post");
  window->is_awaiting = steering == LC_STEER_FREE ? !have_posted (window) : steering == LC_STEER_NO;
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

/* A replay waits for the end where it was seen, and does not ask where it was not. */
static int
post_test_exposure (const struct lc_window *window, MPI_Win win, int *flag)
{
  const enum lc_steering steering =
      window ? lc_steer_window (window, &window->origins_posted, "complete") : LC_STEER_FREE;

  if (steering == LC_STEER_FREE)
    return PMPI_Win_test (win, flag);
  *flag = steering == LC_STEER_YES;
  return *flag ? PMPI_Win_wait (win) : MPI_SUCCESS;
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
  result = post_test_exposure (window, win, flag);
  lc_mpi_leave (&call);
  if (result == MPI_SUCCESS && window && *flag)
    end_exposure (&call, window);
  return result;
}
