/* SPDX-License-Identifier: Apache-2.0 */
/* Finds waits that last too long by the headers of the places that threads write in. */
#include "long-waits.h"

#include <string.h>

#include "clock.h"
#include "heads.h"
#include "long-regions.h"
#include "operations.h"
#include "running.h"
#include "timescale.h"

#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)

/* us. A wait is told of when it is over, so that what ended it is known, or after so long; then nothing for a while. */
#define MOST_PATIENCE G_USEC_PER_SEC
#define REST G_USEC_PER_SEC

/* us. Threads that wait for so long may be stuck. */
#define STUCK_TIME G_USEC_PER_SEC

/* The wait, or the region, that will be told of. */
typedef struct
{
  gboolean is_there;
  gboolean is_region;
  gint64 found; /* us */
  guint32 place;
  struct lc_packet header; /* of a wait */
  LcLongRegion region;
} LongWait;

struct _LcLongWaits
{
  LcLongWaitSettings settings;
  struct lc_control *control;
  LcLongRegions *regions; /* NULL: none has a limit */
  guint8 uuid[16];
  enum lc_clock clock;
  guint64 frequency, limit; /* ticks a second; ticks */
  int heads;
  GHashTable *known; /* guint32 process: the begin (guint64 *) of its wait that was told of, or is being told of */
  LongWait next;
  guint told;
  gint64 told_at;          /* us */
  gint64 looked_for_stuck; /* us */
  guint64 stuck;           /* a hash of the waits that were told of as stuck; 0: none */
};

LcLongWaits *
lc_long_waits_new (const LcLongWaitSettings *settings, struct lc_control *control, int heads)
{
  LcLongWaits *waits = g_new0 (LcLongWaits, 1);

  waits->settings = *settings;
  waits->control = control;
  memcpy (waits->uuid, control->uuid, sizeof waits->uuid);
  waits->clock = (enum lc_clock)control->clock;
  waits->frequency = control->frequency;
  waits->limit = lc_scale (settings->limit, control->frequency, NS_PER_SECOND);
  waits->heads = heads;
  waits->regions = lc_long_regions_new (control);
  waits->known = g_hash_table_new_full (g_direct_hash, g_direct_equal, NULL, g_free);
  return waits;
}

void
lc_long_waits_free (LcLongWaits *waits)
{
  if (waits == NULL)
    return;
  lc_long_regions_free (waits->regions);
  g_hash_table_unref (waits->known);
  g_free (waits);
}

/* --- One wait ---------------------------------------------------------------------------------------------------- */

static gboolean
long_waits_is_known (const LcLongWaits *waits, const struct lc_packet *header)
{
  const guint64 *begin = g_hash_table_lookup (waits->known, GUINT_TO_POINTER (header->process));

  return begin != NULL && *begin == header->pending_begin;
}

static void
long_waits_remember (LcLongWaits *waits, const struct lc_packet *header)
{
  g_hash_table_replace (waits->known, GUINT_TO_POINTER (header->process),
                        g_memdup2 (&header->pending_begin, sizeof header->pending_begin));
}

/* Programs can write over their places, so nothing in there is more than a number. */
static gboolean
long_waits_is_long (const LcLongWaits *waits, const struct lc_packet *header, guint64 now)
{
  const guint operation = LC_PENDING_OPERATION (header->pending_operation);

  return operation > LC_NO_OPERATION && operation < LC_OPERATION_END && waits->limit > 0 &&
         waits->settings.operations[operation] && now > header->pending_begin &&
         now - header->pending_begin >= waits->limit && lc_packet_is_ours (header, waits->uuid);
}

/* What a program leaves that was killed looks as if it waited. */
static gboolean
long_waits_is_alive (const LcLongWaits *waits, guint32 pid, guint32 instance)
{
  g_autoptr (LcRunning) running = lc_running_new (waits->heads);

  lc_running_add (running, pid, instance);
  return lc_running_has (running, pid, instance);
}

/* --- All of them ------------------------------------------------------------------------------------------------- */

/* Places in use: neither free nor full. */
static guint64
long_waits_used (const LcLongWaits *waits, guint32 word)
{
  return ~(__atomic_load_n (&waits->control->free_places[word], __ATOMIC_ACQUIRE) |
           __atomic_load_n (&waits->control->full_places[word], __ATOMIC_ACQUIRE));
}

/* Calls `visit` with each place where somebody waits for too long and of which was not told, until it returns TRUE. */
static void
long_waits_visit (LcLongWaits *waits, const guint8 *memory, guint32 places,
                  gboolean (*visit) (LcLongWaits *waits, guint32 place, const struct lc_packet *header))
{
  const guint64 now = lc_clock_stamp (waits->clock).ticks;

  for (guint32 word = 0; word * 64 < places; word++)
    for (guint64 bits = long_waits_used (waits, word); bits != 0; bits &= bits - 1)
      {
        const guint32 place = word * 64 + (guint32)__builtin_ctzll (bits);
        struct lc_packet header;

        if (place >= places)
          return;
        memcpy (&header, memory + (gsize)place * LC_HEAD_BYTES, sizeof header);
        if (long_waits_is_long (waits, &header, now) && !long_waits_is_known (waits, &header) &&
            visit (waits, place, &header))
          return;
      }
}

/* What is known of waits that go on for so long that they may never end. */
typedef struct
{
  guint64 hash; /* of who waits since when */
  guint n, n_locks, n_ranks;
} StuckWaits;

static gboolean
long_waits_is_lock (guint operation)
{
  return operation == LC_LOCK || operation == LC_READ_START || operation == LC_WRITE_START;
}

/* Operations of ranks of MPI, and barriers, whoever waits at these. */
static gboolean
long_waits_is_of_rank (guint operation)
{
  const guint8 class = operation < LC_OPERATION_END ? lc_operations[operation].operation_class : LC_CLASS_NONE;

  return class == LC_CLASS_CHANNEL || class == LC_CLASS_COLLECTIVE || class == LC_CLASS_BARRIER ||
         operation == LC_FINALIZE;
}

static void
long_waits_add_stuck (const LcLongWaits *waits, StuckWaits *stuck, const struct lc_packet *header, guint64 now)
{
  const guint64 since = now - waits->frequency;
  const guint operation = LC_PENDING_OPERATION (header->pending_operation);

  if (operation == LC_NO_OPERATION || header->pending_begin > since || !lc_packet_is_ours (header, waits->uuid))
    return;
  stuck->n++;
  stuck->n_locks += long_waits_is_lock (operation);
  stuck->n_ranks += long_waits_is_of_rank (operation);
  stuck->hash += (header->pending_begin ^ (guint64)header->process << 40) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
}

/* A deadlock needs two that wait, one of them for a lock; or ranks, of which one may wait for another that has ended.
 */
static void
long_waits_look_for_stuck (LcLongWaits *waits, const guint8 *memory, guint32 places)
{
  const guint64 now = lc_clock_stamp (waits->clock).ticks;
  StuckWaits stuck = {0};

  for (guint32 word = 0; word * 64 < places; word++)
    for (guint64 bits = long_waits_used (waits, word); bits != 0; bits &= bits - 1)
      {
        const guint32 place = word * 64 + (guint32)__builtin_ctzll (bits);
        struct lc_packet header;

        if (place >= places)
          break;
        memcpy (&header, memory + (gsize)place * LC_HEAD_BYTES, sizeof header);
        long_waits_add_stuck (waits, &stuck, &header, now);
      }
  if (((stuck.n >= 2 && stuck.n_locks >= 1) || stuck.n_ranks >= 1) && stuck.hash != waits->stuck)
    waits->settings.stuck (waits->settings.data);
  waits->stuck = stuck.hash;
}

static gboolean
long_waits_take (LcLongWaits *waits, guint32 place, const struct lc_packet *header)
{
  long_waits_remember (waits, header);
  if (!long_waits_is_alive (waits, header->pid, header->instance))
    return FALSE;
  waits->next = (LongWait){.is_there = TRUE, .place = place, .found = g_get_monotonic_time (), .header = *header};
  return TRUE;
}

/* One dump has all the waits of its time. */
static gboolean
long_waits_pass (LcLongWaits *waits, guint32 place, const struct lc_packet *header)
{
  long_waits_remember (waits, header);
  return FALSE;
}

/* A region that is over was too long whatever has become of its thread since. */
static void
long_waits_take_region (LcLongWaits *waits)
{
  const guint64 now = lc_clock_stamp (waits->clock).ticks;
  LongWait next = {.is_there = TRUE, .is_region = TRUE, .found = g_get_monotonic_time ()};

  if (!lc_long_regions_find (waits->regions, now, &next.region))
    return;
  if (next.region.region.end != 0 || long_waits_is_alive (waits, next.region.region.pid, next.region.region.instance))
    waits->next = next;
  else
    lc_long_regions_remove (waits->regions, &next.region);
}

static gboolean
long_waits_is_over (const LcLongWaits *waits, const guint8 *memory)
{
  struct lc_packet header;

  if (waits->next.is_region)
    return lc_long_regions_is_over (waits->regions, &waits->next.region);
  memcpy (&header, memory + (gsize)waits->next.place * LC_HEAD_BYTES, sizeof header);
  return header.pending_operation == LC_NO_OPERATION || header.pending_begin != waits->next.header.pending_begin ||
         header.process != waits->next.header.process;
}

static void
long_waits_find_name (const LcLongWaits *waits, const guint8 *memory, guint32 places, LcLongWait *wait)
{
  for (guint32 place = 0; place < places; place++)
    {
      struct lc_packet header;

      memcpy (&header, memory + (gsize)place * LC_HEAD_BYTES, sizeof header);
      if (header.process == wait->process && lc_packet_is_ours (&header, waits->uuid))
        memcpy (wait->name, header.name, sizeof header.name);
    }
}

static LcLongWait
long_waits_describe (const LcLongWaits *waits, const guint8 *memory, guint32 places)
{
  const struct lc_packet *header = &waits->next.header;
  const guint64 begin = waits->next.is_region ? waits->next.region.region.begin : header->pending_begin;
  const guint64 now = lc_clock_stamp (waits->clock).ticks;
  LcLongWait wait = {.waited = now > begin ? lc_scale (now - begin, NS_PER_SECOND, waits->frequency) : 0};

  if (waits->next.is_region)
    {
      wait.process = waits->next.region.process;
      wait.region = waits->next.region.name;
      long_waits_find_name (waits, memory, places, &wait);
      return wait;
    }
  wait.process = header->process;
  wait.operation = (enum lc_operation)LC_PENDING_OPERATION (header->pending_operation);
  memcpy (wait.name, header->name, sizeof header->name);
  return wait;
}

static void
long_waits_look_for_long (LcLongWaits *waits, const guint8 *memory, guint32 places, gint64 now)
{
  LcLongWait wait;
  gboolean is_over;

  if (!waits->next.is_there && now - waits->told_at >= REST &&
      __atomic_load_n (&waits->control->hold, __ATOMIC_ACQUIRE) < (guint64)now)
    {
      long_waits_visit (waits, memory, places, long_waits_take);
      if (!waits->next.is_there)
        long_waits_take_region (waits);
    }
  if (!waits->next.is_there)
    return;
  is_over = long_waits_is_over (waits, memory);
  if (!is_over && now - waits->next.found < MOST_PATIENCE)
    return;
  wait = long_waits_describe (waits, memory, places);
  wait.is_over = is_over;
  wait.is_last = ++waits->told == waits->settings.most;
  waits->settings.act (&wait, waits->settings.data);
  long_waits_visit (waits, memory, places, long_waits_pass);
  lc_long_regions_pass (waits->regions, lc_clock_stamp (waits->clock).ticks);
  waits->next.is_there = FALSE;
  waits->told_at = g_get_monotonic_time ();
}

void
lc_long_waits_look (LcLongWaits *waits, const guint8 *memory, guint32 places)
{
  const gint64 now = g_get_monotonic_time ();

  if (waits == NULL)
    return;
  if (waits->settings.act != NULL && waits->told < waits->settings.most)
    long_waits_look_for_long (waits, memory, places, now);
  if (waits->settings.stuck == NULL || now - waits->looked_for_stuck < STUCK_TIME)
    return;
  waits->looked_for_stuck = now;
  long_waits_look_for_stuck (waits, memory, places);
}
