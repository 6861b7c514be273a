/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of other ranks: with fences, locks, and posts; in windows made in each of the ways that MPI has for it. */
#include "expect.h"

#include <stdio.h>

static int next, previous, made;
static char name[64];    /* of the window */
static char channel[80]; /* to the next rank */
static int number;       /* of the next operation on it */
static int *memory;
static MPI_Win window;

static void
fenced (void)
{
  expect_collective (name, "fence", ranks, 0);
}

static void
window_made (void)
{
  snprintf (name, sizeof name, "world/window.%d", ++made);
  snprintf (channel, sizeof channel, "%d>%d:window.%d@world", rank, next, made);
  number = 0;
  fenced ();
}

static void
reached (const char *operation, int words)
{
  expect ("%s %s %d bytes=%d", operation, channel, number++, 4 * words);
}

static void
free_window (void)
{
  DO (MPI_Win_free (&window));
  fenced ();
}

static void
make_window (void)
{
  DO (MPI_Win_allocate (8 * sizeof (int), sizeof (int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window));
  window_made ();
  for (int i = 0; i < 8; i++)
    memory[i] = 10 * rank + i;
}

static void
fences (void)
{
  int there[2] = {100 + rank, 200 + rank}, here[2] = {-1, -1};

  make_window ();
  DO (MPI_Win_fence (0, window));
  fenced ();
  DO (MPI_Put (there, 2, MPI_INT, next, 2, 2, MPI_INT, window));
  reached ("put", 2);
  DO (MPI_Win_fence (0, window));
  fenced ();
  CHECK (memory[2] == 100 + previous && memory[3] == 200 + previous);
  DO (MPI_Get (here, 2, MPI_INT, next, 0, 2, MPI_INT, window));
  reached ("get", 2);
  DO (MPI_Win_fence (0, window));
  fenced ();
  CHECK (here[1] == 10 * next + 1);
  DO (MPI_Accumulate (there, 1, MPI_INT, next, 4, 1, MPI_INT, MPI_SUM, window));
  reached ("accumulate", 1);
  DO (MPI_Put (there, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window));
  DO (MPI_Win_fence (0, window));
  fenced ();
  CHECK (memory[4] == 10 * rank + 4 + 100 + previous);
  result ("sum %d", memory[4]);
  free_window ();
}

/* Everybody reaches for rank 0's, where a lock says who may. */
static void
locks (void)
{
  int one = 1, zero = 0, before, seen = 0;

  make_window ();
  memory[0] = 0;
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
  snprintf (channel, sizeof channel, "%d>0:window.%d@world", rank, made);
  for (int i = 0; i < 3; i++)
    {
      DO (MPI_Win_lock (MPI_LOCK_EXCLUSIVE, 0, 0, window));
      expect ("write-start %s at 0 *", name);
      DO (MPI_Get (&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, window));
      reached ("get", 1);
      DO (MPI_Win_flush (0, window));
      seen++;
      DO (MPI_Put (&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, window));
      reached ("put", 1);
      DO (MPI_Win_unlock (0, window));
      expect ("write-end %s at 0 *", name);
      DO (MPI_Win_lock (MPI_LOCK_SHARED, 0, 0, window));
      expect ("read-start %s at 0 *", name);
      DO (MPI_Get_accumulate (&one, 1, MPI_INT, &before, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, window));
      reached ("accumulate", 1);
      DO (MPI_Fetch_and_op (&one, &before, MPI_INT, 0, 1, MPI_SUM, window));
      reached ("accumulate", 1);
      DO (MPI_Win_flush_local (0, window));
      DO (MPI_Compare_and_swap (&one, &zero, &before, MPI_INT, 0, 2, window));
      reached ("accumulate", 1);
      DO (MPI_Win_unlock (0, window));
      expect ("read-end %s at 0 *", name);
    }
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
  DO (MPI_Win_lock (MPI_LOCK_SHARED, 0, 0, window));
  expect ("read-start %s at 0 *", name);
  DO (MPI_Get (&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, window));
  reached ("get", 1);
  DO (MPI_Win_unlock (0, window));
  expect ("read-end %s at 0 *", name);
  CHECK (seen == 3 * ranks);
  result ("counted %d", seen);
  free_window ();
}

/* All are locked at once; requests of their own. */
static void
lock_all (void)
{
  int there = 77 + rank, here = -1, other = -1;
  MPI_Request requests[4];

  make_window ();
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
  DO (MPI_Win_lock_all (0, window));
  for (int i = 0; i < ranks; i++)
    expect ("read-start %s at %d *", name, i);
  DO (MPI_Rput (&there, 1, MPI_INT, next, 5, 1, MPI_INT, window, &requests[0]));
  reached ("put", 1);
  DO (MPI_Rget (&here, 1, MPI_INT, next, 1, 1, MPI_INT, window, &requests[1]));
  reached ("get", 1);
  DO (MPI_Raccumulate (&there, 1, MPI_INT, next, 6, 1, MPI_INT, MPI_SUM, window, &requests[2]));
  reached ("accumulate", 1);
  DO (MPI_Rget_accumulate (&there, 1, MPI_INT, &other, 1, MPI_INT, next, 7, 1, MPI_INT, MPI_SUM, window, &requests[3]));
  reached ("accumulate", 1);
  DO (MPI_Waitall (4, requests, MPI_STATUSES_IGNORE));
  CHECK (here == 10 * next + 1 && other == 10 * next + 7);
  DO (MPI_Win_flush_all (window));
  DO (MPI_Win_flush_local_all (window));
  DO (MPI_Win_sync (window));
  DO (MPI_Win_unlock_all (window));
  for (int i = 0; i < ranks; i++)
    expect ("read-end %s at %d *", name, i);
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
  CHECK (memory[5] == 77 + previous && memory[6] == 10 * rank + 6 + 77 + previous);
  free_window ();
}

/* Only the two that have to do with each other meet. `test`: the end is looked for instead of waited for. */
static void
posts (bool test)
{
  MPI_Group world, origins, targets;
  int there = 55 + rank, done = 0, again = test ? 1 : 0;

  if (!test)
    make_window ();
  DO (MPI_Comm_group (MPI_COMM_WORLD, &world));
  DO (MPI_Group_incl (world, 1, &previous, &origins));
  DO (MPI_Group_incl (world, 1, &next, &targets));
  DO (MPI_Win_post (origins, 0, window));
  expect ("send %d>%d:post@%s %d", rank, previous, name, again);
  DO (MPI_Win_start (targets, 0, window));
  expect ("recv %d>%d:post@%s %d", next, rank, name, again);
  DO (MPI_Put (&there, 1, MPI_INT, next, 1, 1, MPI_INT, window));
  reached ("put", 1);
  DO (MPI_Win_complete (window));
  expect ("send %d>%d:complete@%s %d", rank, next, name, again);
  if (!test)
    DO (MPI_Win_wait (window));
  while (test && !done)
    DO (MPI_Win_test (window, &done));
  expect ("recv %d>%d:complete@%s %d", previous, rank, name, again);
  CHECK (memory[1] == 55 + previous);
  DO (MPI_Group_free (&origins));
  DO (MPI_Group_free (&targets));
  DO (MPI_Group_free (&world));
  if (test)
    free_window ();
}

static void
other_windows (void)
{
  static int own[4];
  MPI_Aint size, where, theirs;
  int unit, *of_next, value = 5;

  DO (MPI_Win_create (own, sizeof own, sizeof (int), MPI_INFO_NULL, MPI_COMM_WORLD, &window));
  window_made ();
  DO (MPI_Win_fence (0, window));
  fenced ();
  DO (MPI_Put (&value, 1, MPI_INT, next, 1, 1, MPI_INT, window));
  reached ("put", 1);
  DO (MPI_Win_fence (0, window));
  fenced ();
  CHECK (own[1] == 5);
  free_window ();

  DO (MPI_Win_allocate_shared (sizeof (int), sizeof (int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window));
  window_made ();
  *memory = 300 + rank;
  DO (MPI_Win_fence (0, window));
  fenced ();
  DO (MPI_Win_shared_query (window, next, &size, &unit, &of_next));
  CHECK (*of_next == 300 + next);
  DO (MPI_Win_fence (0, window));
  fenced ();
  free_window ();

  DO (MPI_Win_create_dynamic (MPI_INFO_NULL, MPI_COMM_WORLD, &window));
  window_made ();
  DO (MPI_Win_attach (window, own, sizeof own));
  DO (MPI_Get_address (own, &where));
  DO (MPI_Sendrecv (&where, 1, MPI_AINT, previous, 1, &theirs, 1, MPI_AINT, next, 1, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
  expect ("isend %d>%d:1 0 bytes=%d", rank, previous, (int)sizeof where);
  expect ("recv %d>%d:1 0 bytes=%d", next, rank, (int)sizeof where);
  expect ("complete %d>%d:1 0 bytes=%d", rank, previous, (int)sizeof where);
  DO (MPI_Win_fence (0, window));
  fenced ();
  DO (MPI_Put (&rank, 1, MPI_INT, next, theirs, 1, MPI_INT, window));
  reached ("put", 1);
  DO (MPI_Win_fence (0, window));
  fenced ();
  CHECK (own[0] == previous);
  DO (MPI_Win_detach (window, own));
  free_window ();
}

int
main (int argc, char **argv)
{
  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  next = (rank + 1) % ranks;
  previous = (rank + ranks - 1) % ranks;
  fences ();
  locks ();
  lock_all ();
  posts (false);
  posts (true);
  other_windows ();
  return test_end ();
}
