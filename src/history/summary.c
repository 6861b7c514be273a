/* SPDX-License-Identifier: Apache-2.0 */
/* Summarizes a window: at one level for all processes, the finest that the limits allow. */
#include <string.h>

#include "reader.h"

enum
{
  LEVELS = 64,
  /* Blocks that may be read for processes whose pyramid is coarser than this level. */
  BUDGET = 128,
};

typedef struct
{
  LcConnection *connection;
  const LcWindow *window;
  const GArray *rows; /* LcTouching */
  LcPyramidShape *shapes;
  guint64 *layers; /* layer of the last event; 0: no events */
  guint64 from;    /* the window, limited to when processes existed: `from` to before `to` */
  guint64 to;
} Summary;

static guint64
last_place (const Summary *summary, guint i)
{
  if (summary->window->axis == LC_AXIS_TIME)
    return summary->shapes[i].end;
  return summary->layers[i];
}

/* The number of layers of a process with measured events is in the table `process`. */
static gboolean
read_layers (Summary *summary, guint32 process, guint64 *layers, GError **error)
{
  guint32 base;
  const LcDirectory *directory;

  if (!lc_connection_get_base (summary->connection, summary->window->timeline, &base, error))
    return FALSE;
  *layers = lc_history_get_process (lc_connection_get_history (summary->connection), process)->layers;
  if (base == LC_TIMELINE_MEASURED)
    return TRUE;
  directory = lc_connection_get_directory (summary->connection, base, process, error);
  if (directory == NULL)
    return FALSE;
  *layers = directory->entries->len == 0
                ? 0
                : g_array_index (directory->entries, LcDirectoryEntry, directory->entries->len - 1).last_layer;
  return TRUE;
}

/* Reads the shapes, and limits the window to the span of all events. */
static gboolean
summary_begin (Summary *summary, GError **error)
{
  guint64 first = G_MAXUINT64, last = 0;

  for (guint i = 0; i < summary->rows->len; i++)
    {
      const LcTouching *row = &g_array_index (summary->rows, LcTouching, i);

      if (!lc_connection_get_shape (summary->connection, summary->window->timeline, row->process, &summary->shapes[i],
                                    error) ||
          !read_layers (summary, row->process, &summary->layers[i], error))
        return FALSE;
      if (row->possible == 0)
        continue;
      first = MIN (first, summary->window->axis == LC_AXIS_TIME ? summary->shapes[i].begin : 1);
      last = MAX (last, last_place (summary, i));
    }
  summary->from = MAX (summary->window->from, first);
  summary->to = MIN (summary->window->to, last + (last < G_MAXUINT64));
  if (summary->from < summary->to)
    return TRUE;
  lc_history_set_damaged (lc_connection_get_history (summary->connection), error, "when processes began and ended");
  return FALSE;
}

static guint64
summary_count_buckets (const Summary *summary, guint level)
{
  return ((summary->to - 1) >> level) - (summary->from >> level) + 1;
}

static guint
choose_level (const Summary *summary, gsize limit, guint64 resolution)
{
  guint64 each = MAX (limit / summary->rows->len, 1), costs[LEVELS] = {0}, cost = 0;
  guint level = 0;

  while (level < LEVELS - 1 &&
         (G_GUINT64_CONSTANT (1) << level < resolution || summary_count_buckets (summary, level) > each))
    level++;
  for (guint i = 0; i < summary->rows->len; i++)
    {
      guint lowest = summary->shapes[i].lowest[summary->window->axis];
      guint64 blocks = g_array_index (summary->rows, LcTouching, i).n_blocks + 1;

      costs[lowest] += blocks;
      cost += lowest > level ? blocks : 0;
    }
  while (cost > BUDGET)
    cost -= costs[++level];
  return level;
}

/* Reads buckets from the pyramid. Above its highest level, the single bucket of that level stands for all. */
static gboolean
get_buckets (const Summary *summary, guint i, guint level, guint64 first, gsize n_buckets, LcSummaryBucket *buckets,
             GError **error)
{
  const LcTouching *row = &g_array_index (summary->rows, LcTouching, i);
  guint highest = summary->shapes[i].highest[summary->window->axis];
  guint64 end = (last_place (summary, i) >> level) + 1;

  if (first >= end)
    return TRUE;
  return lc_connection_get_buckets (summary->connection, summary->window->timeline, summary->window->axis, row->process,
                                    MIN (level, highest), first, MIN (n_buckets, end - first), buckets, error);
}

static gboolean
fill_row (const Summary *summary, guint i, guint level, guint64 first, gsize n_buckets, LcSummaryBucket *buckets,
          GCancellable *cancellable, GError **error)
{
  guint32 process = g_array_index (summary->rows, LcTouching, i).process;
  gsize size = sizeof *buckets * n_buckets;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  memset (buckets, 0, size);
  if (summary->layers[i] == 0)
    return TRUE;
  if (level >= summary->shapes[i].lowest[summary->window->axis])
    return get_buckets (summary, i, level, first, n_buckets, buckets, error);
  return lc_connection_fill_buckets (summary->connection, summary->window, process, level, first, n_buckets, buckets,
                                     cancellable, error);
}

/* Counts the events of buckets that lie completely in the window. */
static guint64
count_certain (const LcSummaryBucket *buckets, const LcWindow *window, guint level, guint64 first, gsize n_buckets)
{
  guint64 sum = 0;

  for (gsize k = 0; k < n_buckets; k++)
    {
      guint64 begin = (first + k) << level, last = begin + ((G_GUINT64_CONSTANT (1) << level) - 1);

      if (begin >= window->from && last < window->to)
        sum += buckets[k].events;
    }
  return sum;
}

static gboolean
summary_fill (const Summary *summary, guint level, LcSummaryOwner *owner, GCancellable *cancellable, GError **error)
{
  guint64 first = summary->from >> level;
  gsize n_buckets = summary_count_buckets (summary, level);

  owner->rows = g_new0 (LcSummaryRow, summary->rows->len);
  owner->buckets = g_new (LcSummaryBucket, n_buckets * summary->rows->len);
  owner->summary = (LcSummary){level, first, summary->rows->len, owner->rows};
  for (guint i = 0; i < summary->rows->len; i++)
    {
      LcSummaryBucket *buckets = &owner->buckets[i * n_buckets];

      owner->rows[i] = (LcSummaryRow){g_array_index (summary->rows, LcTouching, i).process, n_buckets, buckets};
      if (!fill_row (summary, i, level, first, n_buckets, buckets, cancellable, error))
        return FALSE;
      owner->certain += count_certain (buckets, summary->window, level, first, n_buckets);
    }
  return TRUE;
}

/* The buckets of one process fit into the processor's cache, those of all would not. */
static gboolean
summary_visit (const Summary *summary, guint level, LcVisitSummary visit, gpointer data, GCancellable *cancellable,
               GError **error)
{
  const gsize n_buckets = summary_count_buckets (summary, level);
  g_autofree LcSummaryBucket *buckets = g_new (LcSummaryBucket, n_buckets);
  LcSummaryRow row = {.n_buckets = n_buckets, .buckets = buckets};
  const LcSummary all = {level, summary->from >> level, 1, &row};

  for (guint i = 0; i < summary->rows->len; i++)
    {
      row.process = g_array_index (summary->rows, LcTouching, i).process;
      if (!fill_row (summary, i, level, all.first, n_buckets, buckets, cancellable, error))
        return FALSE;
      visit (&all, data);
    }
  return TRUE;
}

gboolean
lc_connection_visit_summary (LcConnection *connection, const LcWindow *window, const GArray *rows, guint64 resolution,
                             LcVisitSummary visit, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree LcPyramidShape *shapes = g_new0 (LcPyramidShape, rows->len);
  g_autofree guint64 *layers = g_new0 (guint64, rows->len);
  Summary summary = {connection, window, rows, shapes, layers, 0, 0};

  return summary_begin (&summary, error) &&
         summary_visit (&summary, choose_level (&summary, G_MAXSIZE, resolution), visit, data, cancellable, error);
}

gboolean
lc_connection_find_level (LcConnection *connection, const LcWindow *window, const GArray *rows, gsize limit,
                          guint64 resolution, guint *level, GError **error)
{
  g_autofree LcPyramidShape *shapes = g_new0 (LcPyramidShape, rows->len);
  g_autofree guint64 *layers = g_new0 (guint64, rows->len);
  Summary summary = {connection, window, rows, shapes, layers, 0, 0};

  if (!summary_begin (&summary, error))
    return FALSE;
  *level = choose_level (&summary, limit, resolution);
  return TRUE;
}

gboolean
lc_connection_summarize (LcConnection *connection, const LcWindow *window, const GArray *rows, gsize limit,
                         guint64 resolution, LcSummaryOwner *owner, GCancellable *cancellable, GError **error)
{
  g_autofree LcPyramidShape *shapes = g_new0 (LcPyramidShape, rows->len);
  g_autofree guint64 *layers = g_new0 (guint64, rows->len);
  Summary summary = {connection, window, rows, shapes, layers, 0, 0};

  return summary_begin (&summary, error) &&
         summary_fill (&summary, choose_level (&summary, limit, resolution), owner, cancellable, error);
}

void
lc_summary_owner_clear (LcSummaryOwner *owner)
{
  g_clear_pointer (&owner->rows, g_free);
  g_clear_pointer (&owner->buckets, g_free);
  owner->certain = 0;
}
