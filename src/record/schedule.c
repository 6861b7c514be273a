/* SPDX-License-Identifier: Apache-2.0 */
/* Lets one thread of a program run at a time, and decides at each operation who goes on. */
/*
 * Who goes on has the turn. A thread that has no turn waits in its own word. Before each operation the turn may go to
 * another one: by random priorities that change at random moments (probabilistic concurrency testing, Burckhardt and
 * others, 2010), or by orders of operations that are to be kept. Nothing else gives the turn away but that a thread
 * cannot go on.
 */
#include "schedule.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "real.h"

enum
{
  NAP = 20000000,       /* ns, after which who waits looks whether the one that has the turn is still there */
  ASLEEP = 200000000,   /* ns for which it slept in the system without a step */
  SPINNING = 300000000, /* ns of processor time without a step */
  PATIENCE = 1000,      /* tries to get the lock */
  MOST_CHANGES = 16,    /* of priorities */
  MIDDLE = 1 << 30,     /* priorities are above, but for those of changes and of who has let others go before */
};

static __thread struct lc_scheduled *schedule_self __attribute__ ((tls_model ("initial-exec")));

static struct lc_schedule_header *schedule_header;
static struct lc_schedule_thread *schedule_plan_threads;
static struct lc_schedule_order *schedule_orders;
static struct lc_schedule_entry *schedule_entries;
static struct lc_scheduled *schedule_threads; /* in the order in which they were made */
static uint32_t schedule_count;
static bool schedule_is_on, schedule_has_begun;

/* All below is changed by who holds the lock only. */
static uint32_t schedule_lock_word;
static struct lc_scheduled *schedule_holder; /* of the turn, or NULL */
static uint64_t schedule_random_state;
static uint64_t schedule_changes[MOST_CHANGES]; /* steps */
static uint64_t schedule_time;                  /* ns that have passed while nobody could go on */
static int64_t schedule_behind;                 /* the priority of who has let others go before: less than all */
static uint64_t schedule_seen_steps;            /* when somebody has looked at the holder last */
static int64_t schedule_asleep;                 /* since when it sleeps, or 0 */
static int64_t schedule_spent;
static uint64_t schedule_blocked; /* how often somebody was */

static void schedule_begin (void);

/* --- The lock ------------------------------------------------------------------------------------------------- */

static void
schedule_lock (void)
{
  struct lc_scheduled *self = schedule_self;
  uint32_t none = 0;

  if (__atomic_compare_exchange_n (&schedule_lock_word, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  if (self != NULL)
    __atomic_store_n (&self->is_locking, true, __ATOMIC_RELEASE);
  while (__atomic_exchange_n (&schedule_lock_word, 2, __ATOMIC_ACQUIRE) != 0)
    LC_REAL (syscall) (SYS_futex, &schedule_lock_word, FUTEX_WAIT, 2, NULL, NULL, 0);
  if (self != NULL)
    __atomic_store_n (&self->is_locking, false, __ATOMIC_RELEASE);
}

static void
schedule_unlock (void)
{
  if (__atomic_exchange_n (&schedule_lock_word, 0, __ATOMIC_RELEASE) == 2)
    LC_REAL (syscall) (SYS_futex, &schedule_lock_word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* --- Chance --------------------------------------------------------------------------------------------------- */

/* splitmix64 */
static uint64_t
schedule_random (void)
{
  uint64_t value = schedule_random_state += UINT64_C (0x9E3779B97F4A7C15);

  value = (value ^ value >> 30) * UINT64_C (0xBF58476D1CE4E5B9);
  value = (value ^ value >> 27) * UINT64_C (0x94D049BB133111EB);
  return value ^ value >> 31;
}

static int64_t
schedule_random_priority (void)
{
  return schedule_header->seed != 0 ? MIDDLE + (int64_t)(schedule_random () % MIDDLE) : MIDDLE;
}

static void
schedule_choose_changes (void)
{
  schedule_random_state = schedule_header->seed;
  for (uint32_t i = 0; i < schedule_header->depth && i < MOST_CHANGES; i++)
    schedule_changes[i] = 1 + schedule_random () % (schedule_header->length > 0 ? schedule_header->length : 1);
}

/* The k-th change takes priority k, which is less than that of all others. */
static void
schedule_count_step (struct lc_scheduled *self)
{
  schedule_header->steps++;
  for (uint32_t i = 0; schedule_header->seed != 0 && i < schedule_header->depth && i < MOST_CHANGES; i++)
    if (schedule_changes[i] == schedule_header->steps)
      self->priority = i;
}

/* --- Orders --------------------------------------------------------------------------------------------------- */

static bool
schedule_is_point (const struct lc_schedule_point *point, const struct lc_scheduled *thread, uint32_t operation)
{
  return point->thread == thread->number && point->operation == operation && point->nth == thread->counts[operation];
}

static bool
schedule_is_held (const struct lc_scheduled *thread)
{
  for (uint32_t i = 0; thread->pending != 0 && i < schedule_header->n_orders; i++)
    if (!schedule_orders[i].is_done && !schedule_orders[i].is_broken &&
        schedule_is_point (&schedule_orders[i].second, thread, thread->pending))
      return true;
  return false;
}

static void
schedule_break_orders (const struct lc_scheduled *thread)
{
  for (uint32_t i = 0; i < schedule_header->n_orders; i++)
    if (!schedule_orders[i].is_done && !schedule_orders[i].is_broken &&
        schedule_is_point (&schedule_orders[i].second, thread, thread->pending))
      {
        schedule_orders[i].is_broken = 1;
        schedule_header->n_broken++;
      }
}

static void
schedule_note (const struct lc_scheduled *self, uint32_t operation, enum lc_schedule_step step)
{
  uint32_t entry = schedule_header->n_entries++;

  if (entry < schedule_header->most_entries)
    schedule_entries[entry] = (struct lc_schedule_entry){{self->number, self->counts[operation], operation}, step};
}

/* --- Who goes on ---------------------------------------------------------------------------------------------- */

static struct lc_scheduled *
schedule_after (struct lc_scheduled *self, uint32_t i)
{
  return &schedule_threads[((uint32_t)(self - schedule_threads) + i) % schedule_count];
}

/* By chance, the one of highest priority; else who has the turn, or those after it. */
static struct lc_scheduled *
schedule_find_ready (struct lc_scheduled *self, bool is_behind)
{
  struct lc_scheduled *best = NULL;

  for (uint32_t i = 0; i < schedule_count; i++)
    {
      struct lc_scheduled *other = schedule_after (self, i + is_behind);

      if (other->state == LC_SCHEDULED_READY && !schedule_is_held (other) &&
          (best == NULL || (schedule_header->seed != 0 && other->priority > best->priority)))
        best = other;
    }
  return best;
}

/* Nobody is ready: time passes until the first limit. */
static struct lc_scheduled *
schedule_find_limit (void)
{
  struct lc_scheduled *first = NULL;

  for (uint32_t i = 0; i < schedule_count; i++)
    {
      struct lc_scheduled *other = &schedule_threads[i];

      if (other->state == LC_SCHEDULED_BLOCKED && other->has_limit && (first == NULL || other->limit < first->limit))
        first = other;
    }
  if (first == NULL)
    return NULL;
  schedule_time = first->limit > schedule_time ? first->limit : schedule_time;
  first->is_over = true;
  first->state = LC_SCHEDULED_READY;
  return first;
}

static uint32_t
schedule_count_state (uint32_t state)
{
  uint32_t n = 0;

  for (uint32_t i = 0; i < schedule_count; i++)
    n += schedule_threads[i].state == state;
  return n;
}

/* An order that keeps everybody from going on cannot be kept. */
static struct lc_scheduled *
schedule_find_held (void)
{
  for (uint32_t i = 0; i < schedule_count; i++)
    if (schedule_threads[i].state == LC_SCHEDULED_READY)
      {
        schedule_break_orders (&schedule_threads[i]);
        return &schedule_threads[i];
      }
  return NULL;
}

/* Gives the turn to who goes on, from its holder or nobody. */
static void
schedule_give (struct lc_scheduled *self, bool is_behind)
{
  struct lc_scheduled *next = schedule_find_ready (self, is_behind);

  if (next == NULL)
    next = schedule_find_limit ();
  if (next == NULL && schedule_count_state (LC_SCHEDULED_OUTSIDE) == 0)
    next = schedule_find_held ();
  if (next == NULL && schedule_count_state (LC_SCHEDULED_OUTSIDE) == 0 &&
      schedule_count_state (LC_SCHEDULED_BLOCKED) > 0)
    __atomic_store_n (&schedule_header->state, LC_SCHEDULE_DEADLOCK, __ATOMIC_RELEASE);
  schedule_holder = next;
  schedule_asleep = 0;
  if (next == NULL)
    return;
  schedule_spent = 0;
  __atomic_store_n (&next->go, 1, __ATOMIC_RELEASE);
  if (next != self)
    LC_REAL (syscall) (SYS_futex, &next->go, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* --- Who is somewhere else ------------------------------------------------------------------------------------ */

static char
schedule_system_state (uint32_t id)
{
  char path[64] = "/proc/self/task/", text[256];
  char digits[16];
  size_t at = sizeof digits, length = strlen (path);
  ssize_t n;
  int file;

  for (; id > 0; id /= 10)
    digits[--at] = (char)('0' + id % 10);
  memcpy (path + length, digits + at, sizeof digits - at);
  memcpy (path + length + sizeof digits - at, "/stat", sizeof "/stat");
  file = (int)LC_REAL (syscall) (SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  n = file >= 0 ? LC_REAL (syscall) (SYS_read, file, text, sizeof text - 1) : 0;
  if (file >= 0)
    LC_REAL (syscall) (SYS_close, file);
  while (n > 0 && text[n - 1] != ')')
    n--;
  return n > 0 ? text[n + 1] : '?';
}

/* A thread's own clock, in ns. */
static int64_t
schedule_get_spent (uint32_t id)
{
  struct timespec spent = {0};

  if (LC_REAL (syscall) (SYS_clock_gettime, (clockid_t)(~id << 3 | 6), &spent) != 0)
    return 0;
  return spent.tv_sec * INT64_C (1000000000) + spent.tv_nsec;
}

static int64_t
schedule_now (void)
{
  struct timespec now = {0};

  LC_REAL (syscall) (SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C (1000000000) + now.tv_nsec;
}

static bool
schedule_is_elsewhere (const struct lc_scheduled *holder)
{
  int64_t spent = schedule_get_spent (holder->id), now = schedule_now ();
  bool is_asleep =
      schedule_system_state (holder->id) == 'S' && !__atomic_load_n (&holder->is_locking, __ATOMIC_ACQUIRE);

  if (schedule_seen_steps != schedule_header->steps || schedule_spent == 0)
    {
      schedule_seen_steps = schedule_header->steps;
      schedule_spent = spent;
      schedule_asleep = 0;
      return false;
    }
  if (!is_asleep)
    schedule_asleep = 0;
  else if (schedule_asleep == 0)
    schedule_asleep = now;
  return (is_asleep && now - schedule_asleep >= ASLEEP) || spent - schedule_spent >= SPINNING;
}

/* Who waits in the system, or for memory that another thread is to write, does not keep the turn. */
static void
schedule_watch (void)
{
  struct lc_scheduled *holder;

  schedule_lock ();
  holder = schedule_holder;
  if (holder != NULL && holder->id != 0 && __atomic_load_n (&holder->go, __ATOMIC_ACQUIRE) == 0 &&
      schedule_is_elsewhere (holder) && schedule_header->state == LC_SCHEDULE_RUNS)
    {
      holder->state = LC_SCHEDULED_OUTSIDE;
      schedule_header->n_outside++;
      schedule_give (holder, true);
    }
  schedule_unlock ();
}

/* --- Turns ---------------------------------------------------------------------------------------------------- */

static void
schedule_await_turn (struct lc_scheduled *self)
{
  const struct timespec nap = {0, NAP};

  while (__atomic_load_n (&self->go, __ATOMIC_ACQUIRE) == 0)
    if (LC_REAL (syscall) (SYS_futex, &self->go, FUTEX_WAIT, 0, &nap, NULL, 0) != 0 && errno == ETIMEDOUT)
      schedule_watch ();
  __atomic_store_n (&self->go, 0, __ATOMIC_RELEASE);
}

/* Who comes back from elsewhere waits for its turn, or takes it if nobody has it. */
static void
schedule_return (struct lc_scheduled *self)
{
  if (schedule_holder == self)
    return;
  self->state = LC_SCHEDULED_READY;
  if (schedule_holder == NULL)
    schedule_give (self, false);
  schedule_unlock ();
  schedule_await_turn (self);
  schedule_lock ();
}

/* With the lock, which is given back. */
static void
schedule_pass (struct lc_scheduled *self, bool is_behind)
{
  bool stays;

  schedule_give (self, is_behind);
  stays = schedule_holder == self;
  schedule_unlock ();
  if (stays)
    __atomic_store_n (&self->go, 0, __ATOMIC_RELEASE);
  else
    schedule_await_turn (self);
}

struct lc_scheduled *
lc_schedule_enter (void)
{
  struct lc_scheduled *self;

  if (!schedule_has_begun)
    schedule_begin ();
  self = schedule_self;
  if (self == NULL || !schedule_is_on || self->is_inside)
    return NULL;
  self->is_inside = true;
  return self;
}

void
lc_schedule_leave (struct lc_scheduled *self)
{
  self->is_inside = false;
}

void
lc_schedule_point (struct lc_scheduled *self, uint32_t operation)
{
  int error = errno;

  schedule_lock ();
  schedule_return (self);
  schedule_count_step (self);
  self->pending = operation;
  if (operation != 0)
    schedule_note (self, operation, LC_SCHEDULE_COMES);
  schedule_pass (self, false);
  if (operation != 0)
    {
      schedule_lock ();
      schedule_note (self, operation, LC_SCHEDULE_BEGINS);
      schedule_unlock ();
    }
  self->pending = 0;
  errno = error;
}

void
lc_schedule_yield (struct lc_scheduled *self)
{
  int error = errno;

  schedule_lock ();
  schedule_return (self);
  schedule_count_step (self);
  self->priority = --schedule_behind;
  schedule_pass (self, true);
  errno = error;
}

void
lc_schedule_done (struct lc_scheduled *self, uint32_t operation)
{
  schedule_lock ();
  for (uint32_t i = 0; i < schedule_header->n_orders; i++)
    if (schedule_is_point (&schedule_orders[i].first, self, operation))
      schedule_orders[i].is_done = 1;
  schedule_note (self, operation, LC_SCHEDULE_ENDS);
  self->counts[operation]++;
  self->failures = 0;
  schedule_unlock ();
}

bool
lc_schedule_toss (void)
{
  bool result;

  schedule_lock ();
  result = schedule_header->seed != 0 && schedule_random () % 2 == 0;
  schedule_unlock ();
  return result;
}

bool
lc_schedule_block (struct lc_scheduled *self, const void *address, int64_t time)
{
  int error = errno;

  schedule_lock ();
  schedule_return (self);
  self->address = address;
  self->since = ++schedule_blocked;
  self->state = LC_SCHEDULED_BLOCKED;
  self->has_limit = time >= 0;
  self->is_over = false;
  self->limit = schedule_time + (uint64_t)(time >= 0 ? time : 0);
  schedule_pass (self, true);
  self->address = NULL;
  errno = error;
  return !self->is_over;
}

/* Finds who has waited longest. */
static struct lc_scheduled *
schedule_find_blocked (const void *address)
{
  struct lc_scheduled *first = NULL;

  for (uint32_t i = 0; i < schedule_count; i++)
    {
      struct lc_scheduled *other = &schedule_threads[i];

      if (other->state == LC_SCHEDULED_BLOCKED && other->address == address &&
          (first == NULL || other->since < first->since))
        first = other;
    }
  return first;
}

uint32_t
lc_schedule_wake (const void *address, uint32_t most)
{
  struct lc_scheduled *other;
  uint32_t n = 0;

  schedule_lock ();
  for (; n < most && (other = schedule_find_blocked (address)) != NULL; n++)
    other->state = LC_SCHEDULED_READY;
  schedule_unlock ();
  return n;
}

/* A signal handler may have come while its thread has the lock, and must not wait for it for ever. */
void
lc_schedule_wake_outside (const void *address, uint32_t most)
{
  struct lc_scheduled *other;
  uint32_t none = 0;
  bool is_locked = false;

  for (int i = 0; schedule_is_on && !is_locked && i < PATIENCE; i++, none = 0)
    {
      is_locked =
          __atomic_compare_exchange_n (&schedule_lock_word, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
      if (!is_locked)
        LC_REAL (syscall) (SYS_sched_yield);
    }
  if (!is_locked)
    return;
  for (; most > 0 && (other = schedule_find_blocked (address)) != NULL; most--)
    {
      other->state = LC_SCHEDULED_READY;
      __atomic_store_n (&schedule_header->state, LC_SCHEDULE_RUNS, __ATOMIC_RELEASE);
      if (schedule_holder == NULL)
        schedule_give (other, false);
    }
  schedule_unlock ();
}

/* Of waits for locks, which nobody can be cancelled in, it finds out that they go on. */
void
lc_schedule_cancel (struct lc_scheduled *other)
{
  schedule_lock ();
  other->is_cancelled = true;
  if (other->state == LC_SCHEDULED_BLOCKED)
    other->state = LC_SCHEDULED_READY;
  schedule_unlock ();
}

uint32_t
lc_schedule_count (const void *address)
{
  uint32_t n = 0;

  schedule_lock ();
  for (uint32_t i = 0; i < schedule_count; i++)
    n += schedule_threads[i].state == LC_SCHEDULED_BLOCKED && schedule_threads[i].address == address;
  schedule_unlock ();
  return n;
}

/* --- Threads -------------------------------------------------------------------------------------------------- */

/* Finds a thread's number in the plan, or gives it one. */
static uint32_t
schedule_number (const struct lc_scheduled *creator)
{
  const struct lc_schedule_thread thread = {creator->number, creator->n_made};
  uint32_t n = schedule_header->n_threads;

  for (uint32_t i = 1; i < n; i++)
    if (schedule_plan_threads[i].creator == thread.creator && schedule_plan_threads[i].nth == thread.nth)
      return i;
  if (n == schedule_header->most_threads)
    return LC_SCHEDULE_NONE;
  schedule_plan_threads[n] = thread;
  return schedule_header->n_threads++;
}

struct lc_scheduled *
lc_schedule_new (struct lc_scheduled *self)
{
  struct lc_scheduled *made = NULL;
  uint32_t number;

  schedule_lock ();
  number = schedule_count < schedule_header->most_threads ? schedule_number (self) : LC_SCHEDULE_NONE;
  if (number != LC_SCHEDULE_NONE)
    {
      made = &schedule_threads[schedule_count];
      *made = (struct lc_scheduled){.number = number, .priority = schedule_random_priority ()};
      schedule_count++;
      self->n_made++;
    }
  schedule_unlock ();
  return made;
}

void
lc_schedule_not_made (struct lc_scheduled *self, struct lc_scheduled *made)
{
  schedule_lock ();
  made->state = LC_SCHEDULED_ENDED;
  made->has_name = 0;
  self->n_made--;
  schedule_unlock ();
}

void
lc_schedule_begin_thread (struct lc_scheduled *self)
{
  schedule_self = self;
  __atomic_store_n (&self->id, (uint32_t)LC_REAL (syscall) (SYS_gettid), __ATOMIC_RELEASE);
  lc_schedule_set_name (self, pthread_self ());
  self->is_inside = true;
  schedule_await_turn (self);
  lc_schedule_point (self, LC_START);
  lc_schedule_done (self, LC_START);
  self->is_inside = false;
}

void
lc_schedule_end_thread (struct lc_scheduled *self)
{
  lc_schedule_point (self, LC_EXIT);
  lc_schedule_done (self, LC_EXIT);
  schedule_self = NULL;
  lc_schedule_wake (self, UINT32_MAX);
  schedule_lock ();
  self->state = LC_SCHEDULED_ENDED;
  schedule_give (self, true);
  schedule_unlock ();
}

void
lc_schedule_set_name (struct lc_scheduled *thread, pthread_t name)
{
  thread->name = name;
  __atomic_store_n (&thread->has_name, 1, __ATOMIC_RELEASE);
}

struct lc_scheduled *
lc_schedule_named (pthread_t name)
{
  for (uint32_t i = schedule_count; i-- > 0;)
    if (__atomic_load_n (&schedule_threads[i].has_name, __ATOMIC_ACQUIRE) == 1 &&
        pthread_equal (schedule_threads[i].name, name))
      return &schedule_threads[i];
  return NULL;
}

/* --- The begin ------------------------------------------------------------------------------------------------ */

static bool
schedule_has_room (const struct lc_schedule_header *header, uint64_t size, uint64_t at, uint64_t n, uint64_t each)
{
  return at <= size && n <= (size - at) / each;
}

static bool
schedule_is_plan (const struct lc_schedule_header *header, uint64_t size)
{
  return memcmp (header->magic, LC_SCHEDULE_MAGIC, sizeof header->magic) == 0 &&
         header->version == LC_SCHEDULE_VERSION && header->n_threads > 0 && header->n_threads <= header->most_threads &&
         schedule_has_room (header, size, header->threads, header->most_threads, sizeof (struct lc_schedule_thread)) &&
         schedule_has_room (header, size, header->orders, header->n_orders, sizeof (struct lc_schedule_order)) &&
         schedule_has_room (header, size, header->entries, header->most_entries, sizeof (struct lc_schedule_entry));
}

static struct lc_schedule_header *
schedule_map (const char *path)
{
  struct lc_schedule_header *header = MAP_FAILED;
  int file = (int)LC_REAL (syscall) (SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  struct stat status;

  if (file < 0)
    return NULL;
  if (fstat (file, &status) == 0 && status.st_size >= (off_t)sizeof *header)
    header = mmap (NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  LC_REAL (syscall) (SYS_close, file);
  if (header == MAP_FAILED)
    return NULL;
  return schedule_is_plan (header, (uint64_t)status.st_size) ? header : NULL;
}

static const char *
schedule_variable (const char *name)
{
  size_t length = strlen (name);

  for (char **at = environ; at != NULL && *at != NULL; at++)
    if (strncmp (*at, name, length) == 0 && (*at)[length] == '=')
      return *at + length + 1;
  return NULL;
}

static bool
schedule_open (void)
{
  const char *path = schedule_variable (LC_SCHEDULE_ENVIRONMENT);
  uint32_t pid = (uint32_t)LC_REAL (syscall) (SYS_getpid), none = 0;
  char *base;

  schedule_header = path != NULL ? schedule_map (path) : NULL;
  if (schedule_header == NULL ||
      !__atomic_compare_exchange_n (&schedule_header->program, &none, pid, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return false;
  base = (char *)schedule_header;
  schedule_plan_threads = (void *)(base + schedule_header->threads);
  schedule_orders = (void *)(base + schedule_header->orders);
  schedule_entries = (void *)(base + schedule_header->entries);
  schedule_threads = mmap (NULL, schedule_header->most_threads * sizeof *schedule_threads, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return schedule_threads != MAP_FAILED;
}

static void
schedule_leave_child (void)
{
  schedule_is_on = false;
  schedule_self = NULL;
}

__attribute__ ((constructor (101))) static void
schedule_begin (void)
{
  struct lc_scheduled *self;

  if (schedule_has_begun)
    return;
  schedule_has_begun = true;
  lc_real_resolve ();
  if (!schedule_open ())
    return;
  schedule_choose_changes ();
  self = &schedule_threads[0];
  *self =
      (struct lc_scheduled){.priority = schedule_random_priority (), .id = (uint32_t)LC_REAL (syscall) (SYS_gettid)};
  lc_schedule_set_name (self, pthread_self ());
  schedule_count = 1;
  schedule_holder = schedule_self = self;
  lc_schedule_threads_begin (self);
  pthread_atfork (NULL, NULL, schedule_leave_child);
  schedule_is_on = true;
}
