/* SPDX-License-Identifier: Apache-2.0 */
/* Finds events by object and sequence: through the postings. */
#include "connection.h"

static void
free_array (gpointer data)
{
  g_array_unref (data);
}

/* The index of a run, kept as directories are. */
static const GArray *
get_run (LcConnection *connection, guint32 run, GError **error)
{
  const LcCacheKey key = {LC_CACHED_RUN, LC_TIMELINE_MEASURED, run};
  GArray *entries = lc_connection_find (connection, &key);
  LcStatement *statement;
  LcStep step;

  if (entries != NULL)
    return entries;
  statement = lc_connection_prepare (connection, LC_QUERY_RUN, error);
  if (statement == NULL)
    return NULL;
  lc_statement_bind_int (statement, 1, run);
  step = lc_statement_step (statement, error);
  if (step == LC_STEP_ROW)
    {
      gsize size;
      const guint8 *bytes = lc_statement_blob (statement, 0, &size);

      entries = lc_postings_decode_index (bytes, size);
    }
  lc_statement_reset (statement);
  if (entries != NULL)
    return lc_connection_keep (connection, &key, entries, entries->len * sizeof (LcPostingsEntry), free_array);
  if (step != LC_STEP_ERROR)
    lc_history_set_damaged (connection->history, error, "the index of run %u of the postings", run);
  return NULL;
}

static gboolean
read_postings (LcConnection *connection, guint64 row, GArray *postings, GError **error)
{
  LcStatement *statement = lc_connection_prepare (connection, LC_QUERY_POSTING, error);
  gboolean good = FALSE;
  LcStep step;

  if (statement == NULL)
    return FALSE;
  lc_statement_bind_int (statement, 1, (gint64)row);
  step = lc_statement_step (statement, error);
  if (step == LC_STEP_ROW)
    {
      gsize size;
      const guint8 *bytes = lc_statement_blob (statement, 0, &size);

      good = lc_postings_decode (bytes, size, postings);
    }
  lc_statement_reset (statement);
  if (!good && step != LC_STEP_ERROR)
    lc_history_set_damaged (connection->history, error, "row %" G_GUINT64_FORMAT " of the postings", row);
  return good;
}

/* Leaves those with the key that is looked for. */
static void
keep (GArray *postings, guint32 object, const gint64 *sequence)
{
  guint kept = 0;

  for (guint i = 0; i < postings->len; i++)
    {
      const LcPosting *posting = &g_array_index (postings, LcPosting, i);

      if (posting->object == object && (sequence == NULL || posting->sequence == *sequence))
        g_array_index (postings, LcPosting, kept++) = *posting;
    }
  g_array_set_size (postings, kept);
}

typedef struct
{
  guint32 object;
  const gint64 *sequence;
  LcVisitPostings visit;
  gpointer data;
  GCancellable *cancellable;
  GArray *found;
} Search;

static gboolean
visit_run (LcConnection *connection, guint32 run, const Search *search, GError **error)
{
  const GArray *entries = get_run (connection, run, error);
  guint first, last;

  if (entries == NULL)
    return FALSE;
  if (search->sequence != NULL ? !lc_postings_find (entries, search->object, *search->sequence, &first, &last)
                               : !lc_postings_find_object (entries, search->object, &first, &last))
    return TRUE;
  for (guint i = first; i <= last; i++)
    {
      /* It may have gone while the one before was visited. */
      entries = get_run (connection, run, error);
      g_array_set_size (search->found, 0);
      if (entries == NULL || g_cancellable_set_error_if_cancelled (search->cancellable, error) ||
          !read_postings (connection, g_array_index (entries, LcPostingsEntry, i).row, search->found, error))
        return FALSE;
      keep (search->found, search->object, search->sequence);
      if (!search->visit (connection, search->found, search->data, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
lc_connection_visit_postings (LcConnection *connection, guint32 object, const gint64 *sequence, LcVisitPostings visit,
                              gpointer data, GCancellable *cancellable, GError **error)
{
  const GArray *runs = connection->history->runs;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LcPosting));
  const Search search = {object, sequence, visit, data, cancellable, found};

  for (guint i = 0; i < runs->len; i++)
    if (!visit_run (connection, g_array_index (runs, guint32, i), &search, error))
      return FALSE;
  return TRUE;
}

typedef struct
{
  GArray *postings;
  gsize left;
} Collected;

static gboolean
collect (LcConnection *connection, const GArray *postings, gpointer data, GError **error)
{
  Collected *collected = data;
  gsize n = MIN (postings->len, collected->left);

  g_array_append_vals (collected->postings, postings->data, (guint)n);
  collected->left -= n;
  return collected->left > 0;
}

gboolean
lc_connection_find_postings (LcConnection *connection, guint32 object, const gint64 *sequence, gsize limit,
                             GCancellable *cancellable, GArray *postings, GError **error)
{
  Collected collected = {postings, limit};
  GError *own = NULL;

  if (limit > 0)
    lc_connection_visit_postings (connection, object, sequence, collect, &collected, cancellable, &own);
  if (own != NULL)
    g_propagate_error (error, own);
  return own == NULL;
}

/* --- Events by key ------------------------------------------------------------------------------------------ */

static int
compare_postings (gconstpointer a, gconstpointer b)
{
  const LcPosting *one = a, *other = b;

  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  return (one->ordinal > other->ordinal) - (one->ordinal < other->ordinal);
}

/* Events that are named by what the file says must be there. */
static gboolean
get_posted (LcConnection *connection, guint32 timeline, const LcPosting *posting, LcHistoryEvent *event, GError **error)
{
  const LcHistoryProcess *process = lc_history_get_process (connection->history, posting->process);

  if (process != NULL && posting->ordinal < process->events)
    return lc_connection_get_event (connection, timeline, posting->process, posting->ordinal, event, error);
  lc_history_set_damaged (connection->history, error,
                          "object %u: there is no event %" G_GUINT64_FORMAT " of process %u", posting->object,
                          posting->ordinal, posting->process);
  return FALSE;
}

gboolean
lc_history_find_by_key (LcHistory *history, guint32 timeline, guint32 object, gint64 sequence, gsize limit,
                        GCancellable *cancellable, GArray **events, GError **error)
{
  LcConnection *connection = lc_history_take_connection (history, error);
  g_autoptr (GArray) postings = g_array_new (FALSE, FALSE, sizeof (LcPosting));
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LcHistoryEvent));
  gboolean good;

  if (connection == NULL)
    return FALSE;
  good = lc_connection_find_postings (connection, object, &sequence, limit, cancellable, postings, error);
  g_array_sort (postings, compare_postings);
  for (guint i = 0; good && i < postings->len; i++)
    {
      LcHistoryEvent event;

      good = !g_cancellable_set_error_if_cancelled (cancellable, error) &&
             get_posted (connection, timeline, &g_array_index (postings, LcPosting, i), &event, error);
      if (good)
        g_array_append_val (found, event);
    }
  lc_history_give_connection (history, connection);
  if (good)
    *events = g_steal_pointer (&found);
  return good;
}

/* --- All events of an object -------------------------------------------------------------------------------- */

typedef struct
{
  guint32 timeline;
  LcHistoryVisit visit;
  gpointer data;
  GArray *order;     /* guint: places in the postings, by process and ordinal */
  GArray *events;    /* LcHistoryEvent, by place */
  GArray *first_arc; /* guint, by place */
  GArray *arcs;      /* LcHistoryArcEnd */
} ObjectVisit;

static int
compare_places (gconstpointer a, gconstpointer b, gpointer postings)
{
  const GArray *of = postings;

  return compare_postings (&g_array_index (of, LcPosting, *(const guint *)a),
                           &g_array_index (of, LcPosting, *(const guint *)b));
}

/* In an order in which each block is decoded once. */
static gboolean
fetch (LcConnection *connection, const GArray *postings, ObjectVisit *visit, GError **error)
{
  g_array_set_size (visit->events, postings->len);
  g_array_set_size (visit->first_arc, postings->len);
  g_array_set_size (visit->order, postings->len);
  g_array_set_size (visit->arcs, 0);
  for (guint i = 0; i < postings->len; i++)
    g_array_index (visit->order, guint, i) = i;
  g_array_sort_with_data (visit->order, compare_places, (gpointer)postings);
  for (guint i = 0; i < postings->len; i++)
    {
      guint place = g_array_index (visit->order, guint, i);
      LcHistoryEvent *event = &g_array_index (visit->events, LcHistoryEvent, place);
      const LcBlock *block;

      if (!get_posted (connection, visit->timeline, &g_array_index (postings, LcPosting, place), event, error))
        return FALSE;
      block = lc_connection_get_block (connection, visit->timeline, event->process, event->ordinal / LC_BLOCK_EVENTS,
                                       LC_COLUMN_ARCS, error);
      if (block == NULL)
        return FALSE;
      g_array_index (visit->first_arc, guint, place) = visit->arcs->len;
      lc_block_append_arc_ends (block, (guint32)(event->ordinal % LC_BLOCK_EVENTS), 1, visit->arcs);
    }
  return TRUE;
}

static gboolean
visit_postings (LcConnection *connection, const GArray *postings, gpointer data, GError **error)
{
  ObjectVisit *visit = data;

  if (!fetch (connection, postings, visit, error))
    return FALSE;
  for (guint i = 0; i < postings->len; i++)
    if (!visit->visit (&g_array_index (visit->events, LcHistoryEvent, i),
                       &g_array_index (visit->arcs, LcHistoryArcEnd, g_array_index (visit->first_arc, guint, i)),
                       visit->data))
      return FALSE;
  return TRUE;
}

gboolean
lc_history_visit_object (LcHistory *history, guint32 timeline, guint32 object, LcHistoryVisit visit, gpointer data,
                         GCancellable *cancellable, GError **error)
{
  LcConnection *connection = lc_history_take_connection (history, error);
  ObjectVisit state = {timeline, visit, data};
  GError *own = NULL;

  if (connection == NULL)
    return FALSE;
  state.order = g_array_new (FALSE, FALSE, sizeof (guint));
  state.events = g_array_new (FALSE, FALSE, sizeof (LcHistoryEvent));
  state.first_arc = g_array_new (FALSE, FALSE, sizeof (guint));
  state.arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArcEnd));
  lc_connection_visit_postings (connection, object, NULL, visit_postings, &state, cancellable, &own);
  g_array_unref (state.order);
  g_array_unref (state.events);
  g_array_unref (state.first_arc);
  g_array_unref (state.arcs);
  lc_history_give_connection (history, connection);
  if (own != NULL)
    g_propagate_error (error, own);
  return own == NULL;
}
