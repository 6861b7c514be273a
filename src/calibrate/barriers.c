/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how the members of a barrier leave it after the last one has come. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "lightcone/record.h"
#include "measure.h"

enum
{
  MEMBERS = 8,     /* at most, with one member per processor */
  ASLEEP = 100000, /* ns after which all members but the last are asleep */
  AWAKE = 500,     /* ns after which members of the library's barrier are still awake */
  KINDS = 3,
};

struct kind
{
  const char *interface;
  void (*pass) (void);
  uint64_t pause;
};

struct member
{
  const struct lc_log *log;
  unsigned int number;
  uint64_t *exits; /* one stamp a round, written only by this member */
};

static pthread_barrier_t pthread_gate;
static struct lc_barrier library_gate;
static uint32_t members, rounds, arrived;

static void
pass_pthread (void)
{
  pthread_barrier_wait (&pthread_gate);
}

static void
pass_library (void)
{
  lc_barrier_wait (&library_gate);
}

/* The kinds take turns. On a single processor nobody can wait awake, so the last kind is left out. */
static const struct kind *
barriers_kind_of (const struct lc_log *log, uint32_t round)
{
  static const struct kind kinds[KINDS] = {
      {"pthread", pass_pthread, ASLEEP}, {"library", pass_library, ASLEEP}, {"library", pass_library, AWAKE}};

  return &kinds[round % (log->cpus > 1 ? KINDS : KINDS - 1)];
}

static void *
barriers_take_part (void *data)
{
  struct member *member = data;

  lc_pin (member->log, member->number);
  for (uint32_t round = 0; round < rounds; round++)
    {
      __atomic_add_fetch (&arrived, 1, __ATOMIC_ACQ_REL);
      barriers_kind_of (member->log, round)->pass ();
      member->exits[round] = lc_now ();
    }
  return NULL;
}

static void
be_last (struct lc_log *log, struct member *self, uint64_t *arrivals)
{
  for (uint32_t round = 0; round < rounds; round++)
    {
      while (__atomic_load_n (&arrived, __ATOMIC_ACQUIRE) < (members - 1) * (round + 1))
        lc_relax (log);
      lc_pause (log, barriers_kind_of (log, round)->pause);
      arrivals[round] = lc_now ();
      barriers_kind_of (log, round)->pass ();
      self->exits[round] = lc_now ();
    }
}

static void
log_round (struct lc_log *log, const struct member *all, uint32_t round, uint64_t arrival)
{
  const struct kind *kind = barriers_kind_of (log, round);
  enum lc_stamps_kind waited = kind->pause == ASLEEP ? LC_STAMPS_ASLEEP : LC_STAMPS_AWAKE;
  uint64_t first = all[0].exits[round], last = first, waiter = all[1].exits[round];
  struct lc_series *exits;

  for (uint32_t i = 1; i < members; i++)
    {
      uint64_t stamp = all[i].exits[round];

      first = stamp < first ? stamp : first;
      last = stamp > last ? stamp : last;
      waiter = stamp < waiter ? stamp : waiter;
    }
  lc_log_add (lc_log_series (log, "barrier", kind->interface, waited), arrival, waiter);
  if (waited == LC_STAMPS_AWAKE)
    return;
  exits = lc_log_series (log, "barrier", kind->interface, LC_STAMPS_EXITS);
  exits->head.repeat = members;
  lc_log_add (exits, first, last);
}

static uint64_t *
new_stamps (void)
{
  uint64_t *stamps = calloc (rounds, sizeof *stamps);

  if (stamps == NULL)
    lc_fail ("barriers", ENOMEM);
  return stamps;
}

void
lc_measure_barriers (struct lc_log *log)
{
  struct member all[MEMBERS];
  pthread_t threads[MEMBERS];
  uint64_t *arrivals;
  int error;

  members = log->cpus < 2 ? 2 : log->cpus > MEMBERS ? MEMBERS : log->cpus;
  rounds = KINDS * log->rounds;
  arrivals = new_stamps ();
  error = pthread_barrier_init (&pthread_gate, NULL, members);
  error |= lc_barrier_init (&library_gate, NULL, members);
  for (uint32_t i = 0; i < members; i++)
    {
      all[i] = (struct member){log, i, new_stamps ()};
      if (i > 0)
        error |= pthread_create (&threads[i], NULL, barriers_take_part, &all[i]);
    }
  if (error != 0)
    lc_fail ("barriers", error);
  be_last (log, &all[0], arrivals);
  for (uint32_t i = 1; i < members; i++)
    pthread_join (threads[i], NULL);
  for (uint32_t round = 0; round < rounds; round++)
    log_round (log, all, round, arrivals[round]);
  for (uint32_t i = 0; i < members; i++)
    free (all[i].exits);
  free (arrivals);
}
