/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the regions of the critical path, in one pass over the events of the processes that it stays on. */
#include <string.h>

#include "path.h"

typedef struct
{
  LcCriticalPath *path;
  guint32 enter, leave;       /* operations; LC_TRACE_NONE: the trace has none of this name */
  const gboolean *operations; /* both are set */
  const guint *stays;         /* of one process, in the order of time */
  guint n_stays, at;
  guint64 time;    /* everything before it is counted */
  gboolean inside; /* the stay has been counted for the present region */
  GArray *entered; /* guint32: regions, the innermost last */
} Regions;

/* Counts the time until `time` for the innermost region. */
static void
path_regions_go_on (Regions *regions, guint64 time)
{
  guint depth = regions->entered->len;
  guint32 region = depth > 0 ? g_array_index (regions->entered, guint32, depth - 1) : LC_TRACE_NONE;

  while (regions->at < regions->n_stays)
    {
      guint stay = regions->stays[regions->at];
      guint64 end = g_array_index (regions->path->stays, LcCriticalStay, stay).end;
      guint64 from = MAX (lc_path_stay_begin (regions->path, stay), regions->time), to = MIN (end, time);

      if (to > from)
        {
          lc_path_add_share (regions->path, LC_CRITICAL_REGIONS, region, to - from, !regions->inside);
          regions->inside = TRUE;
        }
      if (end > time)
        break;
      regions->at++;
      regions->inside = FALSE;
    }
  regions->time = MAX (regions->time, time);
}

static void
path_regions_leave (GArray *entered, guint32 region)
{
  for (guint i = entered->len; i > 0; i--)
    if (g_array_index (entered, guint32, i - 1) == region)
      {
        g_array_set_size (entered, i - 1);
        return;
      }
}

/* A region lasts from the begin of the event that enters it to the end of the one that leaves it. */
static gboolean
path_regions_visit (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Regions *regions = data;

  if (event->operation == regions->enter)
    {
      path_regions_go_on (regions, event->begin);
      g_array_append_val (regions->entered, event->object);
      regions->inside = FALSE;
    }
  else if (event->operation == regions->leave)
    {
      path_regions_go_on (regions, event->end);
      path_regions_leave (regions->entered, event->object);
      regions->inside = FALSE;
    }
  return regions->at < regions->n_stays;
}

guint64
lc_path_stay_begin (const LcCriticalPath *path, guint stay)
{
  return stay > 0 ? g_array_index (path->stays, LcCriticalStay, stay - 1).end : path->summary.begin;
}

/* Without the operation enter there are no regions, and no events need to be read. */
static gboolean
find_in_process (Regions *regions, guint32 process, GCancellable *cancellable, GError **error)
{
  const LcCriticalPath *path = regions->path;

  regions->at = 0;
  regions->time = 0;
  regions->inside = FALSE;
  g_array_set_size (regions->entered, 0);
  if (regions->enter != LC_TRACE_NONE && !lc_history_visit (path->history, path->timeline, process, 0, G_MAXUINT64,
                                                            path_regions_visit, regions, cancellable, error))
    return FALSE;
  path_regions_go_on (regions, G_MAXUINT64);
  return TRUE;
}

static guint32
path_regions_find_operation (const LcHistory *history, const char *name)
{
  for (guint32 i = 0; i < lc_history_get_n_operations (history); i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      if (operation != NULL && strcmp (operation->name, name) == 0)
        return i;
    }
  return LC_TRACE_NONE;
}

static int
compare_stays (gconstpointer a, gconstpointer b, gpointer data)
{
  const GArray *stays = data;
  guint of_a = *(const guint *)a, of_b = *(const guint *)b;
  guint32 process_a = g_array_index (stays, LcCriticalStay, of_a).process;
  guint32 process_b = g_array_index (stays, LcCriticalStay, of_b).process;

  if (process_a != process_b)
    return process_a < process_b ? -1 : 1;
  return of_a < of_b ? -1 : of_a > of_b;
}

gboolean
lc_path_find_regions (LcCriticalPath *path, GCancellable *cancellable, GError **error)
{
  guint n = path->stays->len;
  g_autofree guint *order = g_new (guint, MAX (n, 1));
  g_autofree gboolean *operations = g_new0 (gboolean, lc_history_get_n_operations (path->history) + 1);
  g_autoptr (GArray) entered = g_array_new (FALSE, FALSE, sizeof (guint32));
  Regions regions = {.path = path,
                     .enter = path_regions_find_operation (path->history, "enter"),
                     .leave = path_regions_find_operation (path->history, "leave"),
                     .operations = operations,
                     .entered = entered};

  if (regions.enter != LC_TRACE_NONE)
    operations[regions.enter] = TRUE;
  if (regions.leave != LC_TRACE_NONE)
    operations[regions.leave] = TRUE;
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (int)n, sizeof *order, compare_stays, path->stays);
  for (guint i = 0; i < n; i += regions.n_stays)
    {
      guint32 process = g_array_index (path->stays, LcCriticalStay, order[i]).process;

      regions.stays = &order[i];
      regions.n_stays = 1;
      while (i + regions.n_stays < n &&
             g_array_index (path->stays, LcCriticalStay, order[i + regions.n_stays]).process == process)
        regions.n_stays++;
      if (!find_in_process (&regions, process, cancellable, error))
        return FALSE;
    }
  return TRUE;
}
