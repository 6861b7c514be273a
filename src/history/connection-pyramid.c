/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the pyramids: the shapes, all of one timeline at a time, and the buckets. */
#include <string.h>

#include "connection.h"

enum
{
  ABSENT = 64, /* lowest level of a process without a pyramid */
};

static gboolean
connection_pyramid_is_valid (const LcPyramidShape *shape)
{
  for (guint axis = 0; axis < G_N_ELEMENTS (shape->lowest); axis++)
    if (shape->lowest[axis] > shape->highest[axis] || shape->highest[axis] >= ABSENT)
      return FALSE;
  return TRUE;
}

/* Reads the shapes of all processes, in the order of the processes. */
static GArray *
read_shapes (LcConnection *connection, guint32 timeline, GError **error)
{
  LcStatement *statement = lc_connection_prepare (connection, LC_QUERY_SHAPES, error);
  const LcPyramidShape absent = {{ABSENT, ABSENT}, {ABSENT, ABSENT}, 0, 0};
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof absent);
  guint32 n = connection->history->processes->len;
  gboolean damaged = FALSE;
  LcStep step;

  if (statement == NULL)
    return NULL;
  for (guint32 i = 0; i < n; i++)
    g_array_append_val (shapes, absent);
  lc_statement_bind_int (statement, 1, timeline);
  while (!damaged && (step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    {
      gint64 process = lc_statement_int (statement, 0);
      gsize size;
      const guint8 *bytes = lc_statement_blob (statement, 1, &size);
      LcPyramidShape *shape = process >= 0 && process < n ? &g_array_index (shapes, LcPyramidShape, process) : NULL;

      damaged = shape == NULL || !lc_pyramid_shape_decode (shape, bytes, size) || !connection_pyramid_is_valid (shape);
      if (damaged)
        lc_history_set_damaged (connection->history, error,
                                "the shape of the summary of process %" G_GINT64_FORMAT " (timeline %u)", process,
                                timeline);
    }
  lc_statement_reset (statement);
  return damaged || step == LC_STEP_ERROR ? NULL : g_steal_pointer (&shapes);
}

static void
connection_pyramid_free_array (gpointer data)
{
  g_array_unref (data);
}

gboolean
lc_connection_get_shape (LcConnection *connection, guint32 timeline, guint32 process, LcPyramidShape *shape,
                         GError **error)
{
  const LcCacheKey key = {LC_CACHED_SHAPES, timeline, 0};
  guint64 events;
  GArray *shapes = lc_connection_find (connection, &key);

  if (!lc_history_check_process (connection->history, process, error))
    return FALSE;
  if (shapes == NULL)
    {
      shapes = read_shapes (connection, timeline, error);
      if (shapes == NULL)
        return FALSE;
      shapes = lc_connection_keep (connection, &key, shapes, shapes->len * sizeof (LcPyramidShape),
                                   connection_pyramid_free_array);
    }
  *shape = g_array_index (shapes, LcPyramidShape, process);
  if (shape->lowest[0] < ABSENT)
    return TRUE;
  memset (shape, 0, sizeof *shape);
  if (!lc_connection_count_events (connection, timeline, process, &events, error))
    return FALSE;
  if (events == 0)
    return TRUE;
  lc_history_set_damaged (connection->history, error, "process %u has no summary (timeline %u)", process, timeline);
  return FALSE;
}

/* Copies the buckets that chunk `number` shares with the wanted range. */
static void
copy_chunk (const LcSummaryBucket *chunk, guint64 number, guint64 first, gsize n_buckets, LcSummaryBucket *buckets)
{
  guint64 begin = number * LC_PYRAMID_CHUNK, end = begin + LC_PYRAMID_CHUNK;
  guint64 from = MAX (begin, first), to = MIN (end, first + n_buckets);

  if (from < to)
    memcpy (&buckets[from - first], &chunk[from - begin], (to - from) * sizeof *chunk);
}

static gboolean
read_chunks (LcConnection *connection, gint64 key, guint64 first_chunk, guint64 first, gsize n_buckets,
             LcSummaryBucket *buckets, GError **error)
{
  guint64 last_chunk = (first + n_buckets - 1) / LC_PYRAMID_CHUNK;
  LcStatement *statement = lc_connection_prepare (connection, LC_QUERY_CHUNKS, error);
  LcSummaryBucket chunk[LC_PYRAMID_CHUNK];
  gboolean damaged = FALSE;
  LcStep step;

  if (statement == NULL)
    return FALSE;
  lc_statement_bind_int (statement, 1, key);
  lc_statement_bind_int (statement, 2, key + (gint64)(last_chunk - first_chunk));
  while (!damaged && (step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    {
      gint64 id = lc_statement_int (statement, 0);
      gsize size;
      const guint8 *bytes = lc_statement_blob (statement, 1, &size);

      damaged = id < key || !lc_pyramid_decode (bytes, size, chunk);
      if (damaged)
        lc_history_set_damaged (connection->history, error, "row %" G_GINT64_FORMAT " of the summary", id);
      else
        copy_chunk (chunk, first_chunk + (guint64)(id - key), first, n_buckets, buckets);
    }
  lc_statement_reset (statement);
  return !damaged && step == LC_STEP_DONE;
}

gboolean
lc_connection_get_buckets (LcConnection *connection, guint32 timeline, LcAxis axis, guint32 process, guint level,
                           guint64 first, gsize n_buckets, LcSummaryBucket *buckets, GError **error)
{
  guint64 first_chunk = first / LC_PYRAMID_CHUNK;

  memset (buckets, 0, n_buckets * sizeof *buckets);
  return n_buckets == 0 || read_chunks (connection, lc_pyramid_key (timeline, axis, process, level, first_chunk),
                                        first_chunk, first, n_buckets, buckets, error);
}
