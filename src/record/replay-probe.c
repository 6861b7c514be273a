/* SPDX-License-Identifier: Apache-2.0 */
/* Lets a debugger evaluate expressions before events, and tells the recorder their values. */
/*
 * The debugger stops the thread, and no other one, in a function that does nothing, finds the frame of the program's
 * behind it, leaves the values in the thread's own room, and lets it go on. So nothing is called in the program.
 */
#include "replay.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "real.h"

enum
{
  PROBE_RECORDER = 10, /* the first version that has what is needed here */
  PROBE_TEXTS = 1 << 14,
};

/* A text that was told, and its record. */
struct probe_text
{
  struct probe_text *next;
  uint64_t hash;
  uint32_t record, length;
  char text[];
};

static struct lc_replay_header *probe_header;
static struct probe_text *probe_texts[PROBE_TEXTS];
static uint32_t probe_lock;
static char *probe_room; /* for texts */
static size_t probe_left;
static const struct timespec probe_nap = {0, 50000000};

/* Here the debugger stops. It finds both arguments in their registers, for no compiler knows who is called. */
static void
probe_stop (uint32_t probes, char *answers)
{
  __asm__ volatile("" : : "r"(probes), "r"(answers) : "memory");
}

static void (*volatile probe_stops) (uint32_t probes, char *answers) = probe_stop;

void
lc_replay_probe_begin (struct lc_replay_header *header)
{
  probe_header = header;
  header->probe_address = (uintptr_t)probe_stop;
}

static void *
probe_map (size_t size)
{
  void *room = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  return room != MAP_FAILED ? room : NULL;
}

/* --- Texts --------------------------------------------------------------------------------------------------- */

/* No memory of the program's, whose allocator may be what is probed. */
static struct probe_text *
probe_new_text (size_t size)
{
  enum
  {
    CHUNK = 1 << 20
  };
  const size_t whole = (size + 7) & ~(size_t)7;
  char *room;

  if (probe_left < whole)
    {
      probe_room = probe_map (CHUNK);
      probe_left = probe_room != NULL ? CHUNK : 0;
    }
  if (probe_left < whole)
    return NULL;
  room = probe_room;
  probe_room += whole;
  probe_left -= whole;
  return (struct probe_text *)(void *)room;
}

static uint64_t
probe_hash (const char *text, uint32_t length)
{
  uint64_t hash = UINT64_C (14695981039346656037);

  for (uint32_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * UINT64_C (1099511628211);
  return hash;
}

/* Finds a text, or keeps it. NULL: there is no memory. */
static struct probe_text *
probe_find_text (const char *text, uint32_t length)
{
  const uint64_t hash = probe_hash (text, length);
  struct probe_text **first = &probe_texts[hash % PROBE_TEXTS], *found = *first;

  while (found != NULL && (found->hash != hash || found->length != length || memcmp (found->text, text, length) != 0))
    found = found->next;
  if (found != NULL)
    return found;
  found = probe_new_text (sizeof *found + length + 1);
  if (found == NULL)
    return NULL;
  *found = (struct probe_text){*first, hash, 0, length};
  memcpy (found->text, text, length);
  found->text[length] = '\0';
  return *first = found;
}

static void
probe_take_lock (void)
{
  while (__atomic_exchange_n (&probe_lock, 1, __ATOMIC_ACQUIRE) != 0)
    syscall (SYS_sched_yield);
}

static void
probe_tell (uint32_t value, const char *text, uint32_t length)
{
  struct probe_text *found;

  probe_take_lock ();
  found = probe_find_text (text, length);
  if (found != NULL)
    found->record = lc_replay_recorder->say (value, found->record, found->text);
  if (found != NULL && found->record != 0)
    __atomic_fetch_add (&probe_header->n_told, 1, __ATOMIC_RELAXED);
  __atomic_store_n (&probe_lock, 0, __ATOMIC_RELEASE);
}

/* --- Probing ------------------------------------------------------------------------------------------------- */

static bool
probe_await_debugger (void)
{
  uint32_t prober;

  while ((prober = __atomic_load_n (&probe_header->prober, __ATOMIC_ACQUIRE)) == LC_REPLAY_PROBER_AWAITED &&
         lc_replay_follows ())
    syscall (SYS_futex, &probe_header->prober, FUTEX_WAIT, prober, &probe_nap, NULL, 0);
  return prober == LC_REPLAY_PROBER_HERE;
}

/* Tells what the debugger has left. */
static void
probe_take_answers (const char *answers)
{
  struct lc_replay_value value;

  for (size_t at = 0; at + sizeof value <= LC_REPLAY_PROBE_ROOM;)
    {
      memcpy (&value, answers + at, sizeof value);
      at += sizeof value;
      if (value.length == 0 || value.length > LC_REPLAY_PROBE_ROOM - at)
        return;
      probe_tell (value.value, answers + at, value.length);
      at += value.length;
    }
}

void
lc_replay_probe (struct lc_replayed *self, const struct lc_replay_event *event)
{
  const uint64_t number = self->thread->next + 1;
  const bool is_busy = self->is_busy;
  const int error = errno;

  if (self->probed == number || probe_header == NULL || lc_replay_recorder == NULL ||
      lc_replay_recorder->version < PROBE_RECORDER)
    return;
  self->probed = number;
  self->is_busy = true; /* for signal handlers */
  if (self->answers == NULL)
    self->answers = probe_map (LC_REPLAY_PROBE_ROOM);
  if (self->answers != NULL && probe_await_debugger ())
    {
      memset (self->answers, 0, sizeof (struct lc_replay_value));
      probe_stops (event->probes, self->answers);
      probe_take_answers (self->answers);
      __atomic_fetch_add (&probe_header->n_probed, 1, __ATOMIC_RELAXED);
      self->began = lc_replay_recorder->now ();
    }
  self->is_busy = is_busy;
  errno = error;
}
