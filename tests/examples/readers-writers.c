/* SPDX-License-Identifier: Apache-2.0 */
/* A table that many read and few write: under a read-write lock of pthreads, or a crew lock that knows versions. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "example.h"
#include "lightcone/record.h"

#define ENTRIES 64

static long readers = 3, writers = 1, rounds = 200;
static bool with_crew, show_time;

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct lc_crew crew;

/* What the lock promises: whoever may look sees the same number everywhere, that of the writes so far. */
static uint64_t table[ENTRIES];

static void
check_table (uint64_t version)
{
  for (int i = 0; i < ENTRIES; i++)
    if (table[i] != version)
      example_fail ("entry %d is %" PRIu64 " at version %" PRIu64, i, table[i], version);
}

static void
read_table (void)
{
  if (with_crew)
    {
      check_table (lc_read_start (&crew));
      lc_read_end (&crew);
      return;
    }
  pthread_rwlock_rdlock (&lock);
  check_table (table[0]);
  pthread_rwlock_unlock (&lock);
}

static void
write_table (void)
{
  if (with_crew)
    check_table (lc_write_start (&crew) - 1);
  else
    pthread_rwlock_wrlock (&lock);
  for (int i = 0; i < ENTRIES; i++)
    table[i]++;
  if (with_crew)
    lc_write_end (&crew);
  else
    pthread_rwlock_unlock (&lock);
}

static void *
run_reader (void *argument)
{
  char name[40];

  snprintf (name, sizeof name, "reader %ld", (long)(intptr_t)argument + 1);
  lc_name_process (name);
  for (long round = 0; round < rounds; round++)
    read_table ();
  return NULL;
}

static void *
run_writer (void *argument)
{
  char name[40];

  snprintf (name, sizeof name, "writer %ld", (long)(intptr_t)argument + 1);
  lc_name_process (name);
  for (long round = 0; round < rounds; round++)
    write_table ();
  return NULL;
}

static void
run_processes (void)
{
  pthread_t *threads = example_allocate ((size_t)(readers + writers), sizeof *threads);
  uint64_t begin = example_now ();

  for (long i = 0; i < readers; i++)
    example_start (&threads[i], run_reader, (void *)(intptr_t)i);
  for (long i = 0; i < writers; i++)
    example_start (&threads[readers + i], run_writer, (void *)(intptr_t)i);
  for (long i = 0; i < readers + writers; i++)
    pthread_join (threads[i], NULL);
  if (show_time)
    example_print_time (begin, example_now ());
  free (threads);
}

int
main (int argc, char **argv)
{
  static const struct example_option options[] = {
      {"readers", "how many processes read (3)", .number = &readers, .least = 0, .most = 2000},
      {"writers", "how many processes write (1)", .number = &writers, .least = 0, .most = 2000},
      {"rounds", "how often each does so (200)", .number = &rounds, .least = 1, .most = 10000000},
      {"crew", "use the versioned crew lock instead of a pthread_rwlock_t", .flag = &with_crew},
      {"time", "print how long it took", .flag = &show_time},
      {NULL}};

  example_options (argc, argv, "Readers and writers of one table.", options);
  if (lc_crew_init (&crew, "table"))
    example_fail ("out of memory");

  run_processes ();
  check_table ((uint64_t)(writers * rounds));
  printf ("readers-writers: %ld writes, %ld reads\n", writers * rounds, readers * rounds);

  lc_crew_destroy (&crew);
  return 0;
}
