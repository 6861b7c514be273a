/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the time from a release on one processor to the return of the operation that waited for it on another. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lightcone/record.h"
#include "measure.h"
#include "waiting.h"

enum
{
  MESSAGE = 64,
  WARM_UP_ROUNDS = 2,
  ASLEEP = 100000, /* ns after which a waiting thread is asleep */
  AWAKE = 500,     /* ns after which a thread that first spins is still spinning */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool signalled;
static sem_t semaphore;
static uint32_t sleeping_word;
static struct lc_crew crew;
static struct lc_sync sync_variable;
static uint64_t next_index;
static struct lc_semaphore library_semaphore;
static struct lc_channel channel;
static unsigned char sent[MESSAGE], received[MESSAGE];

static void
waiting_lock (void)
{
  pthread_mutex_lock (&mutex);
}

static void
waiting_unlock (void)
{
  pthread_mutex_unlock (&mutex);
}

static void
waiting_read_start (void)
{
  pthread_rwlock_rdlock (&rwlock);
}

static void
waiting_write_start (void)
{
  pthread_rwlock_wrlock (&rwlock);
}

static void
waiting_read_or_write_end (void)
{
  pthread_rwlock_unlock (&rwlock);
}

static void
waiting_post (void)
{
  sem_post (&semaphore);
}

static void
waiting_take (void)
{
  while (sem_wait (&semaphore) != 0 && errno == EINTR)
    ;
}

/* Waits for the mutex until the other thread has given it back. */
static void
allow_signal (void)
{
  waiting_lock ();
  signalled = true;
  waiting_unlock ();
}

static void
waiting_wake_one (void)
{
  pthread_cond_signal (&condition);
}

static void
begin_condition_wait (void)
{
  waiting_lock ();
  signalled = false;
}

static void
condition_wait (void)
{
  while (!signalled)
    pthread_cond_wait (&condition, &mutex);
}

static void
crew_read_start (void)
{
  lc_read_start (&crew);
}

static void
crew_read_end (void)
{
  lc_read_end (&crew);
}

static void
crew_write_start (void)
{
  lc_write_start (&crew);
}

static void
crew_write_end (void)
{
  lc_write_end (&crew);
}

static void
waiting_advance (void)
{
  lc_advance (&sync_variable, next_index);
}

static void
waiting_await (void)
{
  lc_await (&sync_variable, next_index);
}

static void
waiting_next (void)
{
  next_index++;
}

static void
library_post (void)
{
  lc_semaphore_post (&library_semaphore);
}

static void
library_take (void)
{
  lc_semaphore_wait (&library_semaphore);
}

static void
waiting_send_message (void)
{
  lc_send (&channel, sent, sizeof sent);
}

static void
send_rendezvous (void)
{
  lc_send_rendezvous (&channel, sent, sizeof sent);
}

static void
waiting_receive_message (void)
{
  lc_receive (&channel, received);
}

static void
waiting_wake_futex (void)
{
  __atomic_store_n (&sleeping_word, 1, __ATOMIC_RELEASE);
  syscall (SYS_futex, &sleeping_word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void
waiting_sleep_at_futex (void)
{
  while (__atomic_load_n (&sleeping_word, __ATOMIC_ACQUIRE) == 0)
    syscall (SYS_futex, &sleeping_word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void
waiting_reset_futex (void)
{
  __atomic_store_n (&sleeping_word, 0, __ATOMIC_RELEASE);
}

static const struct lc_waiting waitings[] = {
    {"lock", "pthread", true, false, waiting_lock, NULL, NULL, waiting_unlock, waiting_lock, waiting_unlock},
    {"read-start", "pthread", true, false, waiting_write_start, NULL, NULL, waiting_read_or_write_end,
     waiting_read_start, waiting_read_or_write_end},
    {"write-start", "pthread", true, false, waiting_write_start, NULL, NULL, waiting_read_or_write_end,
     waiting_write_start, waiting_read_or_write_end},
    {"wait", "pthread", true, false, NULL, NULL, NULL, waiting_post, waiting_take, NULL},
    {"condition-wait", "pthread", true, false, NULL, begin_condition_wait, allow_signal, waiting_wake_one,
     condition_wait, waiting_unlock},
    {"futex-wait", "futex", true, false, NULL, NULL, NULL, waiting_wake_futex, waiting_sleep_at_futex,
     waiting_reset_futex},
    {"read-start", "library", false, false, crew_write_start, NULL, NULL, crew_write_end, crew_read_start,
     crew_read_end},
    {"write-start", "library", false, false, crew_write_start, NULL, NULL, crew_write_end, crew_write_start,
     crew_write_end},
    {"await", "library", false, false, NULL, NULL, NULL, waiting_advance, waiting_await, waiting_next},
    {"wait", "library", false, false, NULL, NULL, NULL, library_post, library_take, NULL},
    {"recv", "library", false, false, NULL, NULL, NULL, waiting_send_message, waiting_receive_message, NULL},
    {"ssend", "library", false, false, NULL, NULL, NULL, waiting_receive_message, send_rendezvous, NULL},
    {"ssend", "library", false, true, NULL, NULL, NULL, send_rendezvous, waiting_receive_message, NULL},
};

static void
waiting_call (void (*step) (void))
{
  if (step != NULL)
    step ();
}

static void
await_turn (const struct lc_log *log, uint32_t *turn, uint32_t value)
{
  while (__atomic_load_n (turn, __ATOMIC_ACQUIRE) < value)
    lc_relax (log);
}

void *
lc_wait_each_turn (void *data)
{
  struct lc_partner *partner = data;

  lc_pin (partner->log, 1);
  for (uint32_t turn = 1;; turn++)
    {
      const struct lc_waiting *waiting;

      await_turn (partner->log, &partner->turn, turn);
      waiting = partner->waiting;
      if (waiting == NULL)
        return NULL;
      waiting_call (waiting->before);
      __atomic_store_n (&partner->begun, turn, __ATOMIC_RELEASE);
      waiting->acquire ();
      partner->end = lc_now ();
      waiting_call (waiting->after);
      __atomic_store_n (&partner->ended, turn, __ATOMIC_RELEASE);
    }
}

static struct lc_stamps_pair
waiting_take_turn (struct lc_partner *partner, const struct lc_waiting *waiting, uint64_t pause)
{
  uint32_t turn = partner->turn + 1;
  struct lc_stamps_pair stamps;

  waiting_call (waiting->hold);
  partner->waiting = waiting;
  __atomic_store_n (&partner->turn, turn, __ATOMIC_RELEASE);
  await_turn (partner->log, &partner->begun, turn);
  lc_pause (partner->log, pause);
  waiting_call (waiting->allow);
  stamps.before = lc_now ();
  waiting->release ();
  stamps.after = lc_now ();
  await_turn (partner->log, &partner->ended, turn);
  if (!waiting->times_release)
    stamps.after = partner->end;
  return stamps;
}

static void
measure_waiting (struct lc_log *log, struct lc_partner *partner, const struct lc_waiting *waiting, bool asleep,
                 bool keep)
{
  struct lc_stamps_pair stamps = waiting_take_turn (partner, waiting, asleep ? ASLEEP : AWAKE);
  enum lc_stamps_kind kind = waiting->times_release ? LC_STAMPS_COST : asleep ? LC_STAMPS_ASLEEP : LC_STAMPS_AWAKE;

  if (keep)
    lc_log_add (lc_log_series (log, waiting->operation, waiting->interface, kind), stamps.before, stamps.after);
}

static void
waiting_prepare (struct lc_log *log)
{
  int error = sem_init (&semaphore, 0, 0) != 0 ? errno : 0;

  error |= lc_crew_init (&crew, NULL);
  error |= lc_sync_init (&sync_variable, NULL, 0, 2 * (log->rounds + WARM_UP_ROUNDS));
  error |= lc_semaphore_init (&library_semaphore, NULL, 0);
  error |= lc_channel_init (&channel, NULL, 1, MESSAGE);
  if (error != 0)
    lc_fail ("synchronization", error);
}

/* Returns the number of rounds, without those that warm up. */
static uint32_t
measure_rounds (struct lc_log *log, struct lc_partner *partner, const struct lc_waiting *all, size_t n)
{
  uint64_t begin = lc_clock_monotonic ();
  uint32_t round = 0;

  while (round < log->rounds + WARM_UP_ROUNDS && !lc_enough (log, begin, round))
    {
      for (size_t i = 0; i < n; i++)
        {
          if (!all[i].only_spins && (!all[i].times_release || log->cpus < 2))
            measure_waiting (log, partner, &all[i], true, round >= WARM_UP_ROUNDS);
          if (!all[i].only_sleeps && log->cpus > 1)
            measure_waiting (log, partner, &all[i], false, round >= WARM_UP_ROUNDS);
        }
      round++;
    }
  return round - WARM_UP_ROUNDS;
}

uint32_t
lc_measure_turns (struct lc_log *log, struct lc_partner *partner, const struct lc_waiting *all, size_t n)
{
  const uint32_t rounds = measure_rounds (log, partner, all, n);

  partner->waiting = NULL;
  __atomic_store_n (&partner->turn, partner->turn + 1, __ATOMIC_RELEASE);
  return rounds;
}

void
lc_measure_waiting (struct lc_log *log)
{
  struct lc_partner partner = {.log = log};
  pthread_t thread;
  int error;

  waiting_prepare (log);
  lc_pin (log, 0);
  error = pthread_create (&thread, NULL, lc_wait_each_turn, &partner);
  if (error != 0)
    lc_fail ("pthread_create", error);
  log->rounds = lc_measure_turns (log, &partner, waitings, sizeof waitings / sizeof waitings[0]);
  pthread_join (thread, NULL);
}
