/* SPDX-License-Identifier: Apache-2.0 */
/* Makes absences of the kernel's reports of switches, and files of them. */
#include "switches.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "adding.h"
#include "clock.h"
#include "switch-files.h"
#include "switch-rings.h"
#include "timescale.h"

/* us. Absences are written when a pack is full, or when they are so old. */
#define OLDEST (10 * G_USEC_PER_SEC)
/* us between comparisons of clocks while nothing happens. */
#define STAMP_PAUSE 250000

/* A ring is dropped in so many parts; smaller ones than this are not worth a file. Of the bytes that are kept, events
   have three quarters and switches one. */
#define SWITCHES_PARTS 16
#define SWITCHES_SMALLEST (64u << 10)
#define SWITCHES_SHARE 4

/* What is known of a thread that has not ended. */
typedef struct
{
  guint32 thread, pid;
  gboolean is_off; /* its processor since `since`; FALSE: it is not, or that is not known */
  gboolean is_ready;
  guint64 since;    /* ticks */
  GArray *absences; /* struct lc_absence_record, not written yet; NULL: none */
  gint64 oldest;    /* us: when the first of them came */
} SwitchThread;

/* A file of which others come later. */
typedef struct
{
  guint32 number;
  guint64 bytes;
  guint64 last_end;   /* ticks: no absence in it ends later */
  gint64 first, last; /* us: when it was made, and written to last */
} SwitchSegment;

struct _LcSwitches
{
  GMutex lock;
  LcFolder *folder;
  struct lc_control *control;
  LcSwitchRings *rings;       /* NULL: refused */
  GHashTable *threads;        /* system's number -> SwitchThread, owned */
  GArray *reports;            /* LcSwitch: of a round */
  LcClockStamp from, to;      /* reports between the two are on a line from one to the other */
  struct lc_switch_pack lost; /* not written yet */
  GQueue segments;            /* SwitchSegment, the oldest first */
  guint64 bytes;              /* of all of them */
  guint64 most_bytes;         /* 0: as many as there are */
  gint64 most_time;           /* us; 0: however old */
  gint64 looked;              /* us: when old absences were looked for last */
  guint32 program;
  int file; /* of the newest segment, -1: it could not be made */
};

/* --- Files ------------------------------------------------------------------------------------------------------ */

/* Makes the file of the first number that is free: those of other programs of this trace are beside it. */
static int
switches_create_file (const LcFolder *folder, guint32 *number)
{
  g_autoptr (GArray) files = lc_folder_list_numbered (folder, LC_SWITCHES_PREFIX, NULL);
  guint32 next = files != NULL && files->len > 0 ? g_array_index (files, LcNumberedFile, files->len - 1).number + 1 : 0;

  for (guint32 last = next + LC_PLACES; next < last; next++)
    {
      g_autofree char *name = g_strdup_printf (LC_SWITCHES_PREFIX "%u", next);
      g_autoptr (GError) error = NULL;
      int file = lc_folder_create (folder, name, &error);

      *number = next;
      if (file >= 0 || !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_EXIST))
        return file;
    }
  return -1;
}

static void
switches_count_bytes (LcSwitches *switches, guint64 bytes)
{
  __atomic_add_fetch (&switches->control->switch_bytes, bytes, __ATOMIC_RELAXED);
}

static gboolean
switches_add_bytes (LcSwitches *switches, const void *head, gsize head_bytes, const void *rest, gsize rest_bytes)
{
  SwitchSegment *segment = g_queue_peek_tail (&switches->segments);

  if (switches->file < 0 ||
      !lc_adding_write (switches->file, segment->bytes, segment->bytes, head, head_bytes, rest, rest_bytes))
    return FALSE;
  segment->bytes += head_bytes + rest_bytes;
  segment->last = g_get_monotonic_time ();
  switches->bytes += head_bytes + rest_bytes;
  return TRUE;
}

static gboolean
switches_begin_segment (LcSwitches *switches, guint64 begin, guint32 refused)
{
  struct lc_switches_header header = {
      .version = LC_SWITCHES_VERSION, .program = switches->program, .begin = begin, .refused = refused};
  SwitchSegment *segment = g_new0 (SwitchSegment, 1);

  memcpy (header.magic, "LCSWITCH", sizeof header.magic);
  memcpy (header.uuid, switches->control->uuid, sizeof header.uuid);
  if (switches->file >= 0)
    {
      lc_switch_file_end (switches->file, begin);
      close (switches->file);
    }
  switches->file = switches_create_file (switches->folder, &segment->number);
  segment->first = segment->last = g_get_monotonic_time ();
  g_queue_push_tail (&switches->segments, segment);
  switches_count_bytes (switches, sizeof header);
  return switches_add_bytes (switches, &header, sizeof header, NULL, 0);
}

/* --- The ring --------------------------------------------------------------------------------------------------- */

static gboolean
switches_is_full (const LcSwitches *switches, gint64 now)
{
  const SwitchSegment *newest = switches->segments.tail->data;

  return (switches->most_bytes > 0 &&
          newest->bytes >= MAX (switches->most_bytes / SWITCHES_PARTS, SWITCHES_SMALLEST)) ||
         (switches->most_time > 0 && now - newest->first >= switches->most_time / SWITCHES_PARTS);
}

/* What is older than all events that are kept is of no use, whatever it takes. */
static gboolean
switches_is_old (const LcSwitches *switches, const SwitchSegment *oldest, gint64 now)
{
  return (switches->most_bytes > 0 && switches->bytes > switches->most_bytes) ||
         (switches->most_time > 0 && oldest->last < now - switches->most_time) ||
         oldest->last_end < __atomic_load_n (&switches->control->dropped_until, __ATOMIC_RELAXED);
}

static void
switches_drop_segment (LcSwitches *switches)
{
  g_autofree SwitchSegment *oldest = g_queue_pop_head (&switches->segments);
  g_autofree char *name = g_strdup_printf (LC_SWITCHES_PREFIX "%u", oldest->number);

  lc_folder_remove (switches->folder, name, NULL);
  switches->bytes -= oldest->bytes;
  switches_count_bytes (switches, -oldest->bytes);
}

/* Somebody makes a copy of the trace: everything must be in files, and nothing is dropped. */
static gboolean
switches_is_held (const LcSwitches *switches, gint64 now)
{
  const gint64 hold = (gint64)__atomic_load_n (&switches->control->hold, __ATOMIC_ACQUIRE);

  return hold > now && hold - now <= 30 * G_USEC_PER_SEC;
}

static void
switches_keep_newest (LcSwitches *switches, gint64 now)
{
  if (switches->most_bytes == 0 && switches->most_time == 0)
    return;
  if (switches_is_full (switches, now))
    switches_begin_segment (switches, switches->to.ticks, 0);
  while (switches->segments.length > 1 && switches_is_old (switches, switches->segments.head->data, now))
    switches_drop_segment (switches);
}

/* --- Absences --------------------------------------------------------------------------------------------------- */

static void
switches_free_thread (gpointer data)
{
  SwitchThread *thread = data;

  if (thread->absences != NULL)
    g_array_unref (thread->absences);
  g_free (thread);
}

/* From a report of the kernel to the clock of the events. */
static guint64
switches_find_ticks (const LcSwitches *switches, guint64 time)
{
  const LcClockStamp *from = &switches->from, *to = &switches->to;

  if (switches->control->clock == LC_CLOCK_MONOTONIC || to->monotonic <= from->monotonic)
    return time;
  if (time < from->monotonic)
    return from->ticks - MIN (from->ticks, lc_scale (from->monotonic - time, to->ticks - from->ticks,
                                                     to->monotonic - from->monotonic));
  return from->ticks + lc_scale (time - from->monotonic, to->ticks - from->ticks, to->monotonic - from->monotonic);
}

static void
switches_count_lost (LcSwitches *switches, guint64 lost, guint64 begin, guint64 end)
{
  if (switches->lost.lost == 0)
    switches->lost.begin = begin;
  switches->lost.lost += lost;
  switches->lost.end = MAX (switches->lost.end, end);
}

static gboolean
switches_is_stopped (const LcSwitches *switches)
{
  return __atomic_load_n (&switches->control->stopped, __ATOMIC_RELAXED) != 0;
}

/* What has no room is lost: there may be room again later. */
static void
switches_write_thread (LcSwitches *switches, SwitchThread *thread)
{
  GArray *absences = thread->absences;
  const struct lc_absence_record *first, *last;
  struct lc_switch_pack pack = {.magic = LC_SWITCH_PACK_MAGIC, .pid = thread->pid, .thread = thread->thread};
  SwitchSegment *segment = switches->segments.tail->data;

  if (absences == NULL || absences->len == 0)
    return;
  first = &g_array_index (absences, struct lc_absence_record, 0);
  last = &g_array_index (absences, struct lc_absence_record, absences->len - 1);
  pack.count = absences->len;
  pack.begin = first->begin;
  pack.end = last->begin + (last->length & ~LC_ABSENCE_READY);
  if (switches_add_bytes (switches, &pack, sizeof pack, first, pack.count * sizeof *first))
    segment->last_end = MAX (segment->last_end, pack.end);
  else
    switches_count_lost (switches, 2 * pack.count, pack.begin, pack.end);
  g_clear_pointer (&thread->absences, g_array_unref);
}

static void
switches_write_lost (LcSwitches *switches)
{
  if (switches->lost.lost == 0)
    return;
  switches->lost.magic = LC_SWITCH_PACK_MAGIC;
  if (switches_add_bytes (switches, &switches->lost, sizeof switches->lost, NULL, 0))
    switches->lost = (struct lc_switch_pack){0};
}

/* `until`, us: what came later may wait. */
static void
switches_write (LcSwitches *switches, gint64 until)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, switches->threads);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (((SwitchThread *)value)->oldest <= until)
      switches_write_thread (switches, value);
  switches_write_lost (switches);
}

static void
switches_add_absence (LcSwitches *switches, SwitchThread *thread, guint64 end)
{
  struct lc_absence_record absence = {thread->since, (end - thread->since) | (thread->is_ready ? LC_ABSENCE_READY : 0)};

  if (end <= thread->since || __atomic_load_n (&switches->control->is_paused, __ATOMIC_RELAXED) != 0)
    return;
  if (switches_is_stopped (switches))
    {
      switches_count_lost (switches, 2, thread->since, end);
      return;
    }
  if (thread->absences == NULL)
    {
      thread->absences = g_array_new (FALSE, FALSE, sizeof absence);
      thread->oldest = g_get_monotonic_time ();
      switches_count_bytes (switches, sizeof (struct lc_switch_pack));
    }
  g_array_append_val (thread->absences, absence);
  switches_count_bytes (switches, sizeof absence);
  if (thread->absences->len >= LC_SWITCH_PACK_MOST)
    switches_write_thread (switches, thread);
}

/* --- Reports ---------------------------------------------------------------------------------------------------- */

/* Which switches were lost is not known: where each thread is now is not, either. */
static void
switches_forget (LcSwitches *switches, const LcSwitch *report, guint64 ticks)
{
  GHashTableIter iter;
  gpointer value;

  switches_count_lost (switches, report->lost, ticks, ticks);
  g_hash_table_iter_init (&iter, switches->threads);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    ((SwitchThread *)value)->is_off = FALSE;
}

static SwitchThread *
switches_find_thread (LcSwitches *switches, const LcSwitch *report)
{
  SwitchThread *thread = g_hash_table_lookup (switches->threads, GUINT_TO_POINTER (report->thread));

  if (thread != NULL)
    return thread;
  thread = g_new0 (SwitchThread, 1);
  thread->thread = report->thread;
  thread->pid = report->pid;
  g_hash_table_insert (switches->threads, GUINT_TO_POINTER (report->thread), thread);
  return thread;
}

static void
switches_take_report (LcSwitches *switches, const LcSwitch *report)
{
  const guint64 ticks = switches_find_ticks (switches, report->time);
  SwitchThread *thread;

  if (report->kind == LC_SWITCH_LOST)
    {
      switches_forget (switches, report, ticks);
      return;
    }
  thread = switches_find_thread (switches, report);
  if (report->kind == LC_SWITCH_EXIT)
    {
      switches_write_thread (switches, thread);
      g_hash_table_remove (switches->threads, GUINT_TO_POINTER (report->thread));
      return;
    }
  if (report->kind == LC_SWITCH_IN && thread->is_off)
    switches_add_absence (switches, thread, ticks);
  thread->is_off = report->kind != LC_SWITCH_IN;
  thread->is_ready = report->kind == LC_SWITCH_OUT_PREEMPTED;
  thread->since = ticks;
}

/* Two clocks are compared after the reports that lie before it have been read. */
static void
switches_read_rings (LcSwitches *switches)
{
  g_array_set_size (switches->reports, 0);
  lc_switch_rings_read (switches->rings, switches->reports);
  if (switches->reports->len > 0 || g_get_monotonic_time () - (gint64)(switches->to.monotonic / 1000) >= STAMP_PAUSE)
    {
      switches->from = switches->to;
      switches->to = lc_clock_stamp ((enum lc_clock)switches->control->clock);
    }
  for (guint i = 0; i < switches->reports->len; i++)
    switches_take_report (switches, &g_array_index (switches->reports, LcSwitch, i));
}

/* --- All of it -------------------------------------------------------------------------------------------------- */

static void
switches_read (LcSwitches *switches)
{
  const gint64 now = g_get_monotonic_time ();
  const gboolean is_held = switches_is_held (switches, now);

  switches_read_rings (switches);
  if (is_held || now - switches->looked >= OLDEST / 10)
    {
      switches->looked = now;
      switches_write (switches, is_held ? now : now - OLDEST);
    }
  if (!is_held)
    switches_keep_newest (switches, now);
}

void
lc_switches_round (LcSwitches *switches)
{
  g_mutex_lock (&switches->lock);
  if (switches->rings != NULL)
    switches_read (switches);
  g_mutex_unlock (&switches->lock);
}

LcSwitches *
lc_switches_new (LcFolder *folder, struct lc_control *control)
{
  LcSwitches *switches = g_new0 (LcSwitches, 1);

  g_mutex_init (&switches->lock);
  switches->folder = lc_folder_ref (folder);
  switches->control = control;
  switches->file = -1;
  switches->threads = g_hash_table_new_full (NULL, NULL, NULL, switches_free_thread);
  switches->reports = g_array_new (FALSE, FALSE, sizeof (LcSwitch));
  switches->most_bytes = control->keep_bytes / SWITCHES_SHARE;
  if (control->keep_ticks > 0 && control->frequency > 0)
    switches->most_time = (gint64)lc_scale (control->keep_ticks, G_USEC_PER_SEC, control->frequency);
  return switches;
}

void
lc_switches_begin (LcSwitches *switches, guint32 pid)
{
  int refused = 0;

  g_mutex_lock (&switches->lock);
  switches->program = pid;
  switches->to = lc_clock_stamp ((enum lc_clock)switches->control->clock);
  switches->rings = lc_switch_rings_open (pid, &refused);
  switches_begin_segment (switches, switches->to.ticks, (guint32)refused);
  g_mutex_unlock (&switches->lock);
}

/* A thread that is off its processor now stays so to the end of the recording. */
static void
switches_end_threads (LcSwitches *switches)
{
  GHashTableIter iter;
  gpointer value;

  switches->to = lc_clock_stamp ((enum lc_clock)switches->control->clock);
  g_hash_table_iter_init (&iter, switches->threads);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (((SwitchThread *)value)->is_off)
      switches_add_absence (switches, value, switches->to.ticks);
  switches_write (switches, G_MAXINT64);
}

void
lc_switches_end (LcSwitches *switches)
{
  g_mutex_lock (&switches->lock);
  if (switches->rings != NULL)
    {
      switches_read_rings (switches);
      switches_end_threads (switches);
    }
  g_clear_pointer (&switches->rings, lc_switch_rings_free);
  if (switches->file >= 0)
    {
      lc_switch_file_end (switches->file, switches->to.ticks);
      close (switches->file);
    }
  switches->file = -1;
  g_mutex_unlock (&switches->lock);
}

void
lc_switches_take_over (LcSwitches *switches)
{
  g_mutex_lock (&switches->lock);
  if (switches->rings != NULL && !lc_switch_rings_map_again (switches->rings))
    g_clear_pointer (&switches->rings, lc_switch_rings_free);
  g_mutex_unlock (&switches->lock);
}

void
lc_switches_leave (LcSwitches *switches)
{
  g_mutex_lock (&switches->lock);
  g_clear_pointer (&switches->rings, lc_switch_rings_free);
  if (switches->file >= 0)
    close (switches->file);
  switches->file = -1;
  g_mutex_unlock (&switches->lock);
}

void
lc_switches_free (LcSwitches *switches)
{
  if (switches == NULL)
    return;
  lc_switches_end (switches);
  g_queue_clear_full (&switches->segments, g_free);
  g_array_unref (switches->reports);
  g_hash_table_unref (switches->threads);
  lc_folder_unref (switches->folder);
  g_mutex_clear (&switches->lock);
  g_free (switches);
}
