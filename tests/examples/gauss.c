/* SPDX-License-Identifier: Apache-2.0 */
/* Gaussian elimination: a master, workers, and pivot rows that are broadcast through versioned buffers. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "example.h"
#include "lightcone/record.h"

enum variant
{
  CORRECT,
  FAULTY,
  IMPROVED
};

/*
 * Where a worker puts the rows that it broadcasts, one after the other: its v-th row is version v. It need not ask
 * whether all others have taken a row before it puts the next one there: that row could not be complete without a
 * later row of each of them, and for theirs they needed this one.
 */
struct buffer
{
  struct lc_crew crew;
  struct lc_sync filled; /* index v is advanced when version v is in; 0 stands for the empty buffer */
  atomic_ulong first;    /* the version that the next worker to use the buffer begins with */
  long row;              /* the row that is in it, or will be the first one */
  double *entries;
};

#define NOT_USED UINT64_MAX

struct worker
{
  pthread_t thread;
  long index;
  uint64_t *next; /* for each buffer: the version to take next */
  double *pivot;  /* the local buffer: what was received */
  double *scratch;
  double repeats; /* how often it carries out each subtraction */
  double due;
};

static long size = 200, workers = 4;
static int variant;
static bool snapshots, show_time;
static const char *uneven;

static double *matrix;
static struct buffer *buffers;
static struct lc_semaphore ready, go, done;
static struct lc_barrier half_way;

static const char initialise_region[] = "initialise", eliminate_region[] = "eliminate",
                  broadcast_region[] = "broadcast", receive_region[] = "receive";

static double *
matrix_row (long i)
{
  return matrix + i * size;
}

/* --- Broadcast ---------------------------------------------------------------------------------------------- */

static size_t
unneeded_entries (long k)
{
  return variant == IMPROVED ? (size_t)k : 0;
}

static void
broadcast (struct worker *worker, long k)
{
  struct buffer *buffer = &buffers[worker->index];
  size_t skip = unneeded_entries (k);
  uint64_t version;

  lc_enter (broadcast_region);
  version = lc_write_start (&buffer->crew);
  memcpy (buffer->entries + skip, matrix_row (k) + skip, ((size_t)size - skip) * sizeof *matrix);
  buffer->row = k;
  lc_write_end (&buffer->crew);
  lc_advance (&buffer->filled, version);
  lc_leave (broadcast_region);
}

static long
copy_buffer (struct worker *worker, struct buffer *buffer, long k)
{
  size_t skip = unneeded_entries (k);
  long row;

  lc_read_start (&buffer->crew);
  memcpy (worker->pivot + skip, buffer->entries + skip, ((size_t)size - skip) * sizeof *matrix);
  row = buffer->row;
  lc_read_end (&buffer->crew);
  return row;
}

static const double *
receive (struct worker *worker, long k)
{
  struct buffer *buffer = &buffers[k % workers];
  uint64_t *next = &worker->next[k % workers];

  lc_enter (receive_region);
  if (*next == NOT_USED)
    *next = atomic_exchange (&buffer->first, 1);
  lc_await (&buffer->filled, (*next)++);
  /* A row that was not expected is copied once more, and then has to do. Only the faulty variant ever sees one. */
  if (copy_buffer (worker, buffer, k) != k)
    copy_buffer (worker, buffer, k);
  lc_leave (receive_region);
  return worker->pivot;
}

/* --- Elimination -------------------------------------------------------------------------------------------- */

static void
subtract (double *row, const double *pivot, long k)
{
  double factor = pivot[k] == 0 ? 0 : row[k] / pivot[k];

  for (long j = k; j < size; j++)
    row[j] -= factor * pivot[j];
}

static void
eliminate (struct worker *worker, const double *pivot, long k)
{
  long first = k + 1 + (worker->index - (k + 1) % workers + workers) % workers;

  lc_enter (eliminate_region);
  for (long i = first; i < size; i += workers)
    {
      for (worker->due += worker->repeats; worker->due >= 2; worker->due--)
        {
          memcpy (worker->scratch, matrix_row (i), (size_t)size * sizeof *matrix);
          subtract (worker->scratch, pivot, k);
        }
      subtract (matrix_row (i), pivot, k);
      worker->due--;
    }
  lc_leave (eliminate_region);
}

static void
take_snapshot_half_way (void)
{
  if (lc_barrier_wait (&half_way))
    lc_snapshot ("half-way", matrix, (size_t)size, (size_t)size);
  lc_barrier_wait (&half_way);
}

static long
last_row (const struct worker *worker)
{
  return worker->index < size ? size - 1 - (size - 1 - worker->index) % workers : -1;
}

static void
triangulate (struct worker *worker)
{
  for (long k = 0; k < size - 1; k++)
    {
      const double *pivot = NULL;

      if (snapshots && k == size / 2)
        take_snapshot_half_way ();
      lc_tag ((uint32_t)k);
      if (k % workers == worker->index)
        {
          broadcast (worker, k);
          pivot = matrix_row (k);
        }
      else if (k < last_row (worker))
        pivot = receive (worker, k);
      if (pivot)
        eliminate (worker, pivot, k);
    }
}

/* --- Workers and their master ------------------------------------------------------------------------------- */

static void
initialise (struct worker *worker)
{
  struct buffer *buffer = &buffers[worker->index];
  char name[40];

  lc_enter (initialise_region);
  for (long i = worker->index; i < size; i += workers)
    for (long j = 0; j < size; j++)
      matrix_row (i)[j] = 2.0 * (double)((j < i ? j : i) + 1);

  worker->next = example_allocate ((size_t)workers, sizeof *worker->next);
  for (long i = 0; i < workers; i++)
    worker->next[i] = NOT_USED;
  worker->pivot = example_allocate ((size_t)size, sizeof *matrix);
  worker->scratch = example_allocate ((size_t)size, sizeof *matrix);

  snprintf (name, sizeof name, "output of worker %ld", worker->index + 1);
  buffer->entries = example_allocate ((size_t)size, sizeof *matrix);
  buffer->row = worker->index;
  /* The error: the first worker to use the buffer begins with version 0, and believes that the buffer is full. */
  buffer->first = variant == FAULTY ? 0 : 1;
  if (lc_crew_init (&buffer->crew, name) || lc_sync_init (&buffer->filled, name, 0, (uint64_t)(size / workers + 2)))
    example_fail ("out of memory");
  lc_advance (&buffer->filled, 0);
  lc_leave (initialise_region);
}

static void *
work (void *argument)
{
  struct worker *worker = argument;
  char name[40];

  snprintf (name, sizeof name, "worker %ld", worker->index + 1);
  lc_name_process (name);
  initialise (worker);
  lc_semaphore_post (&ready);
  lc_semaphore_wait (&go);
  triangulate (worker);
  lc_semaphore_post (&done);
  return NULL;
}

static void
finish (struct worker *worker)
{
  struct buffer *buffer = &buffers[worker->index];

  pthread_join (worker->thread, NULL);
  lc_crew_destroy (&buffer->crew);
  lc_sync_destroy (&buffer->filled);
  free (buffer->entries);
  free (worker->next);
  free (worker->pivot);
  free (worker->scratch);
}

/* Creates the workers, releases them when all are initialised, and waits until all have done their work. */
static void
run_workers (struct worker *team)
{
  uint64_t begin, end;

  for (long i = 0; i < workers; i++)
    example_start (&team[i].thread, work, &team[i]);
  for (long i = 0; i < workers; i++)
    lc_semaphore_wait (&ready);
  if (snapshots)
    lc_snapshot ("start", matrix, (size_t)size, (size_t)size);

  begin = example_now ();
  for (long i = 0; i < workers; i++)
    lc_semaphore_post (&go);
  for (long i = 0; i < workers; i++)
    lc_semaphore_wait (&done);
  end = example_now ();

  for (long i = 0; i < workers; i++)
    finish (&team[i]);
  if (snapshots)
    lc_snapshot ("end", matrix, (size_t)size, (size_t)size);
  if (show_time)
    example_print_time (begin, end);
}

static bool
check_result (void)
{
  for (long i = 0; i < size; i++)
    for (long j = 0; j < size; j++)
      if (matrix_row (i)[j] != (j < i ? 0 : 2))
        {
          fprintf (stderr, "gauss: row %ld, column %ld is %g\n", i, j, matrix_row (i)[j]);
          return false;
        }
  return true;
}

static bool
set_uneven (struct worker *team)
{
  long one;
  double factor;
  char rest;

  for (long i = 0; i < workers; i++)
    team[i] = (struct worker){.index = i, .repeats = 1};
  if (!uneven)
    return true;
  if (sscanf (uneven, "%ld:%lf%c", &one, &factor, &rest) != 2 || one < 1 || one > workers ||
      !(factor >= 0.001 && factor <= 1000))
    return false;
  for (long i = 0; i < workers; i++)
    team[i].repeats = i == one - 1 ? fmax (factor, 1) : fmax (1 / factor, 1);
  return true;
}

int
main (int argc, char **argv)
{
  static const char purpose[] = "Upper triangulation of a matrix with a known result.";
  static const struct example_option options[] = {
      {"size", "rows and columns of the matrix (200)", .number = &size, .least = 1, .most = 20000},
      {"workers", "how many processes share the rows (4)", .number = &workers, .least = 1, .most = 4000},
      {"variant", "faulty: the first to use a buffer believes that it is full; improved: copy only what is needed",
       .choice = &variant, .words = "correct|faulty|improved"},
      {"uneven", "worker I computes FACTOR times as long as the others", .text = &uneven, .text_name = "I:FACTOR"},
      {"snapshots", "keep the matrix at the start, half-way and at the end", .flag = &snapshots},
      {"time", "print how long the workers worked", .flag = &show_time},
      {NULL}};
  struct worker *team;
  bool right;

  example_options (argc, argv, purpose, options);
  team = example_allocate ((size_t)workers, sizeof *team);
  if (!set_uneven (team))
    {
      free (team);
      example_usage (purpose, options);
    }
  matrix = example_allocate ((size_t)size * (size_t)size, sizeof *matrix);
  buffers = example_allocate ((size_t)workers, sizeof *buffers);
  if (lc_semaphore_init (&ready, "ready", 0) || lc_semaphore_init (&go, "go", 0) ||
      lc_semaphore_init (&done, "done", 0) || lc_barrier_init (&half_way, "half-way", (uint32_t)workers))
    example_fail ("out of memory");
  lc_name_process ("master");

  run_workers (team);
  right = check_result ();
  printf ("gauss: %ld x %ld: %s\n", size, size, right ? "2 on and above the diagonal, 0 below" : "wrong");

  lc_semaphore_destroy (&ready);
  lc_semaphore_destroy (&go);
  lc_semaphore_destroy (&done);
  lc_barrier_destroy (&half_way);
  free (buffers);
  free (matrix);
  free (team);
  return right ? 0 : 1;
}
