/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the absences of each process along with its events. */
#include "absent.h"

#include <math.h>

enum
{
  BATCH = 32,
};

typedef struct
{
  LcAbsences *absences; /* NULL: not known, or over */
  guint64 last;         /* where the last question ended */
  LcAbsence batch[BATCH];
  gssize at, n; /* in `batch` */
} Process;

struct _LcAbsent
{
  LcTrace *trace;
  Process **processes; /* NULL: not known */
  guint64 *own;        /* by operation */
  GArray *list;        /* LcAbsence: the last answer */
};

/* What follows an error is as if nothing more had been recorded: files that damage has made unreadable are told by the
 * reader. */
static gboolean
absent_load (Process *process)
{
  if (process->at < process->n)
    return TRUE;
  process->at = process->n = 0;
  if (process->absences == NULL)
    return FALSE;
  process->n = lc_absences_next (process->absences, process->batch, BATCH, NULL);
  if (process->n > 0)
    return TRUE;
  process->n = 0;
  g_clear_pointer (&process->absences, lc_absences_close);
  return FALSE;
}

static void
absent_open (LcAbsent *absent, guint32 number)
{
  LcAbsences *absences = lc_trace_open_absences (absent->trace, number, NULL);

  if (absences == NULL)
    return;
  absent->processes[number] = g_new0 (Process, 1);
  absent->processes[number]->absences = absences;
}

static void
absent_close (LcAbsent *absent, guint32 number)
{
  if (absent->processes[number] != NULL)
    g_clear_pointer (&absent->processes[number]->absences, lc_absences_close);
  g_clear_pointer (&absent->processes[number], g_free);
}

static void
absent_read_own (LcAbsent *absent)
{
  GKeyFile *settings = lc_trace_get_settings (absent->trace);
  const guint32 n_operations = lc_trace_get_n_operations (absent->trace);

  absent->own = g_new0 (guint64, MAX (n_operations, 1));
  for (guint32 i = 0; i < n_operations; i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (absent->trace, i);
      g_autofree double *values = NULL;
      gsize n = 0;

      if (operation != NULL)
        values = g_key_file_get_double_list (settings, "cost", operation->name, &n, NULL);
      if (values != NULL && n > 0 && values[0] > 0 && values[0] < (double)G_MAXUINT32)
        absent->own[i] = (guint64)llround (values[0]);
    }
}

LcAbsent *
lc_absent_new (LcTrace *trace)
{
  LcAbsent *absent = g_new0 (LcAbsent, 1);
  const guint32 n_processes = lc_trace_get_n_processes (trace);

  absent->trace = trace;
  absent->processes = g_new0 (Process *, MAX (n_processes, 1));
  for (guint32 i = 0; i < n_processes; i++)
    absent_open (absent, i);
  absent_read_own (absent);
  absent->list = g_array_new (FALSE, FALSE, sizeof (LcAbsence));
  return absent;
}

void
lc_absent_free (LcAbsent *absent)
{
  for (guint32 i = 0; i < lc_trace_get_n_processes (absent->trace); i++)
    absent_close (absent, i);
  g_free (absent->processes);
  g_free (absent->own);
  g_array_unref (absent->list);
  g_free (absent);
}

/* Puts each four neighbours together: what they sum to, by kind, from the begin of the first one on. */
static void
absent_coarsen (GArray *list)
{
  guint kept = 0;

  for (guint i = 0; i < list->len; i += 4)
    {
      LcAbsence *first = &g_array_index (list, LcAbsence, i);
      gint64 at = first->begin, sums[2] = {0, 0};

      for (guint k = i; k < MIN (i + 4, list->len); k++)
        {
          const LcAbsence *absence = &g_array_index (list, LcAbsence, k);

          sums[absence->kind] += absence->end - absence->begin;
        }
      for (guint kind = 0; kind < G_N_ELEMENTS (sums); at += sums[kind++])
        if (sums[kind] > 0)
          g_array_index (list, LcAbsence, kept++) = (LcAbsence){at, at + sums[kind], (LcAbsenceKind)kind};
    }
  g_array_set_size (list, kept);
}

/* Lists the absences of a process from one time to another, which they are cut to. Times may go back, as where work
 * moved to another process, but that takes longer. FALSE: nothing is known. */
static gboolean
absent_list (LcAbsent *absent, guint32 number, guint64 from, guint64 to)
{
  Process *process = absent->processes[number];

  g_array_set_size (absent->list, 0);
  if (from < process->last)
    {
      absent_close (absent, number);
      absent_open (absent, number);
      process = absent->processes[number];
      if (process == NULL)
        return FALSE;
    }
  process->last = from;
  while (absent_load (process) && process->batch[process->at].begin < (gint64)to)
    {
      LcAbsence absence = process->batch[process->at];

      absence.begin = MAX (absence.begin, (gint64)from);
      absence.end = MIN (absence.end, (gint64)to);
      if (absence.begin < absence.end)
        g_array_append_val (absent->list, absence);
      if (absent->list->len > LC_ABSENT_MOST)
        absent_coarsen (absent->list);
      if (process->batch[process->at].end > (gint64)to)
        break;
      process->at++;
    }
  return TRUE;
}

/* The last absence that overlaps the time from the release to the event's end ends when the process went on. */
static guint64
absent_find_woken (const GArray *list, guint64 released, guint64 end)
{
  for (guint i = list->len; i > 0; i--)
    {
      const LcAbsence *absence = &g_array_index (list, LcAbsence, i - 1);

      if (absence->begin < (gint64)end && absence->end > (gint64)released)
        return (guint64)MIN (absence->end, (gint64)end) - released;
    }
  return 0;
}

void
lc_absent_complete (LcAbsent *absent, LcSweepStep *step)
{
  const LcTraceEvent *event = step->event;
  const guint64 released = event->begin + step->waited, rest = event->end - MIN (released, event->end);
  gboolean is_known = FALSE;

  step->own = absent->own[event->operation];
  step->woken = 0;
  step->absences = NULL;
  step->n_absences = 0;
  if (G_UNLIKELY (absent->processes[step->origin_process] != NULL))
    {
      is_known = absent_list (absent, step->origin_process, MIN (step->since, event->begin), event->end);
      step->absences = (const LcAbsence *)(const void *)absent->list->data;
      step->n_absences = absent->list->len;
    }
  if (step->waited == 0 || rest == 0)
    return;
  step->woken = is_known ? absent_find_woken (absent->list, released, event->end) : rest - MIN (rest, step->own);
}
