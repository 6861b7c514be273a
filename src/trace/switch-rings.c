/* SPDX-License-Identifier: Apache-2.0 */
/* Has the kernel's scheduler report the switches of a program, by perf_event_open. */
#include "switch-rings.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ONLINE "/sys/devices/system/cpu/online"
#define MOST_PROCESSORS 65536u

/* Bytes of a ring, and of all of them together. An ordinary user may have 512 KiB for each processor
   (perf_event_mlock_kb), and what may be locked besides (ulimit -l). The largest ring has room for 43,000 reports,
   which a program that does nothing but switch makes in 50 ms; the smallest one for 170. */
#define RING_BYTES (1u << 20)
#define LEAST_RING_BYTES (4u << 10)
#define ALL_RINGS_BYTES (32u << 20)

typedef struct
{
  int file;
  struct perf_event_mmap_page *page; /* the bytes follow it */
  gsize bytes;
} SwitchRing;

struct _LcSwitchRings
{
  GArray *rings; /* SwitchRing */
};

/* What follows each report, as the attributes below ask. */
typedef struct
{
  guint32 pid, thread;
  guint64 time;
} SampleId;

/* --- Opening ------------------------------------------------------------------------------------------------- */

/* The numbers (guint) of a list like "0-3,6". */
static GArray *
rings_list_processors (void)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *text = NULL;
  g_auto (GStrv) ranges = NULL;

  if (!g_file_get_contents (ONLINE, &text, NULL, NULL))
    text = g_strdup_printf ("0-%ld", MAX (sysconf (_SC_NPROCESSORS_ONLN), 1) - 1);
  ranges = g_strsplit (g_strstrip (text), ",", -1);
  for (char **range = ranges; *range != NULL; range++)
    {
      char *end;
      guint64 first = g_ascii_strtoull (*range, &end, 10);
      guint64 last = *end == '-' ? g_ascii_strtoull (end + 1, NULL, 10) : first;

      for (guint64 i = first; i <= MIN (last, MOST_PROCESSORS); i++)
        {
          const guint number = (guint)i;

          g_array_append_val (list, number);
        }
    }
  return list;
}

/* Nothing is asked of the kernel's own code, so that users may ask who have no other rights. */
static int
rings_open_event (guint32 pid, guint processor)
{
  struct perf_event_attr attributes = {
      .type = PERF_TYPE_SOFTWARE,
      .size = sizeof attributes,
      .config = PERF_COUNT_SW_DUMMY,
      .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
      .disabled = 1,
      .inherit = 1,
      .exclude_kernel = 1,
      .exclude_hv = 1,
      .enable_on_exec = 1,
      .task = 1,
      .watermark = 1,
      .sample_id_all = 1,
      .use_clockid = 1,
      .context_switch = 1,
      .wakeup_watermark = G_MAXUINT32, /* nobody sleeps until there is something */
      .clockid = CLOCK_MONOTONIC,
  };

  return (int)syscall (SYS_perf_event_open, &attributes, (pid_t)pid, (int)processor, -1, PERF_FLAG_FD_CLOEXEC);
}

static gboolean
rings_map (SwitchRing *ring, gsize bytes)
{
  void *memory = mmap (NULL, bytes + (gsize)getpagesize (), PROT_READ | PROT_WRITE, MAP_SHARED, ring->file, 0);

  if (memory == MAP_FAILED)
    return FALSE;
  ring->page = memory;
  ring->bytes = bytes;
  return TRUE;
}

static void
rings_unmap (LcSwitchRings *rings)
{
  for (guint i = 0; i < rings->rings->len; i++)
    {
      SwitchRing *ring = &g_array_index (rings->rings, SwitchRing, i);

      if (ring->page != NULL)
        munmap (ring->page, ring->bytes + (gsize)getpagesize ());
      ring->page = NULL;
    }
}

/* All rings have the same size: the largest that there is memory for. */
static gboolean
rings_map_all (LcSwitchRings *rings)
{
  const gsize least = MAX (LEAST_RING_BYTES, (gsize)getpagesize ());
  gsize most = RING_BYTES;

  while (most > least && most * rings->rings->len > ALL_RINGS_BYTES)
    most /= 2;
  for (gsize bytes = most; bytes >= least; bytes /= 2)
    {
      guint mapped = 0;

      while (mapped < rings->rings->len && rings_map (&g_array_index (rings->rings, SwitchRing, mapped), bytes))
        mapped++;
      if (mapped == rings->rings->len)
        return TRUE;
      rings_unmap (rings);
    }
  return FALSE;
}

static gboolean
rings_open_all (LcSwitchRings *rings, guint32 pid)
{
  g_autoptr (GArray) processors = rings_list_processors ();

  for (guint i = 0; i < processors->len; i++)
    {
      SwitchRing ring = {.file = rings_open_event (pid, g_array_index (processors, guint, i))};

      if (ring.file >= 0)
        g_array_append_val (rings->rings, ring);
      else if (errno != ENODEV) /* else the processor was switched off meanwhile */
        return FALSE;
    }
  errno = ENODEV;
  return rings->rings->len > 0 && rings_map_all (rings);
}

LcSwitchRings *
lc_switch_rings_open (guint32 pid, int *error)
{
  LcSwitchRings *rings = g_new0 (LcSwitchRings, 1);

  rings->rings = g_array_new (FALSE, FALSE, sizeof (SwitchRing));
  if (rings_open_all (rings, pid))
    return rings;
  *error = errno;
  lc_switch_rings_free (rings);
  return NULL;
}

void
lc_switch_rings_free (LcSwitchRings *rings)
{
  if (rings == NULL)
    return;
  rings_unmap (rings);
  for (guint i = 0; i < rings->rings->len; i++)
    close (g_array_index (rings->rings, SwitchRing, i).file);
  g_array_unref (rings->rings);
  g_free (rings);
}

gboolean
lc_switch_rings_map_again (LcSwitchRings *rings)
{
  gboolean good = TRUE;

  for (guint i = 0; i < rings->rings->len; i++)
    {
      SwitchRing *ring = &g_array_index (rings->rings, SwitchRing, i);

      ring->page = NULL;
      good = good && rings_map (ring, ring->bytes);
    }
  return good;
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

/* Copies bytes out of a ring; they may go on at its beginning. */
static void
rings_copy (const SwitchRing *ring, guint64 place, void *to, gsize size)
{
  const guint8 *bytes = (const guint8 *)ring->page + getpagesize ();
  gsize at = place % ring->bytes, first = MIN (size, ring->bytes - at);

  memcpy (to, bytes + at, first);
  memcpy ((guint8 *)to + first, bytes, size - first);
}

/* FALSE: the report is of no interest. */
static gboolean
rings_understand (const SwitchRing *ring, guint64 place, const struct perf_event_header *header, LcSwitch *result)
{
  const gboolean out = (header->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
  const gboolean ready = (header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
  guint64 lost;

  switch (header->type)
    {
    case PERF_RECORD_SWITCH:
      result->kind = !out ? LC_SWITCH_IN : ready ? LC_SWITCH_OUT_PREEMPTED : LC_SWITCH_OUT_BLOCKED;
      return TRUE;
    case PERF_RECORD_EXIT:
      result->kind = LC_SWITCH_EXIT;
      return TRUE;
    case PERF_RECORD_LOST:
      rings_copy (ring, place + sizeof *header + sizeof (guint64), &lost, sizeof lost);
      result->lost = (guint32)MIN (lost, G_MAXUINT32);
      result->kind = LC_SWITCH_LOST;
      return TRUE;
    default:
      return FALSE;
    }
}

/* Reads what is older than `until` and gives its room back. */
static void
rings_read_ring (const SwitchRing *ring, guint64 until, GArray *switches)
{
  const guint64 head = __atomic_load_n (&ring->page->data_head, __ATOMIC_ACQUIRE);
  guint64 tail = ring->page->data_tail;
  struct perf_event_header header;

  while (head - tail >= sizeof header + sizeof (SampleId))
    {
      LcSwitch found = {0};
      SampleId id;

      rings_copy (ring, tail, &header, sizeof header);
      if (header.size < sizeof header + sizeof id || header.size > head - tail)
        break;
      rings_copy (ring, tail + header.size - sizeof id, &id, sizeof id);
      if (id.time >= until)
        break;
      found.pid = id.pid;
      found.thread = id.thread;
      found.time = id.time;
      if (rings_understand (ring, tail, &header, &found))
        g_array_append_val (switches, found);
      tail += header.size;
    }
  __atomic_store_n (&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

static int
rings_compare (const void *a, const void *b)
{
  const LcSwitch *left = a, *right = b;

  return left->time < right->time ? -1 : left->time > right->time;
}

/*
 * A thread goes on only after its switch from the processor it was on has been reported. So whatever is older than the
 * beginning of this function has all that it depends on in the rings by now, whichever ring is read first.
 */
void
lc_switch_rings_read (LcSwitchRings *rings, GArray *switches)
{
  const guint before = switches->len;
  struct timespec now;
  guint filled = 0;

  clock_gettime (CLOCK_MONOTONIC, &now);
  for (guint i = 0; i < rings->rings->len; i++)
    {
      const guint length = switches->len;

      rings_read_ring (&g_array_index (rings->rings, SwitchRing, i),
                       (guint64)now.tv_sec * G_GUINT64_CONSTANT (1000000000) + (guint64)now.tv_nsec, switches);
      filled += switches->len > length;
    }
  if (filled > 1)
    qsort (&g_array_index (switches, LcSwitch, before), switches->len - before, sizeof (LcSwitch), rings_compare);
}
