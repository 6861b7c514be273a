/* SPDX-License-Identifier: Apache-2.0 */
/* Finds events by object and sequence number, or by their origin on the measured timeline, through the postings. */
#include "connection.h"

static void
keys_free_array (gpointer data)
{
  g_array_unref (data);
}

/* A set of postings: by key, or by origin. */
typedef struct
{
  LcCachedKind cached;
  LcQuery block, run, last_run;
  const char *name;
} Set;

static const Set keys = {LC_CACHED_RUN, LC_QUERY_POSTING, LC_QUERY_RUN, LC_QUERY_LAST_RUN, "postings"};
static const Set origins = {LC_CACHED_ORIGIN, LC_QUERY_ORIGIN, LC_QUERY_ORIGIN_RUN, LC_QUERY_ORIGIN_LAST_RUN,
                            "origins"};

/* Returns the index of a run, which stays valid as long as a directory does. */
static const GArray *
get_run (LcConnection *connection, const Set *set, guint32 base, guint32 run, GError **error)
{
  const LcCacheKey key = {set->cached, base, run};
  GArray *entries = lc_connection_find (connection, &key);
  LcStatement *statement;
  LcStep step;

  if (entries != NULL)
    return entries;
  statement = lc_connection_prepare (connection, set->run, error);
  if (statement == NULL)
    return NULL;
  lc_statement_bind_int (statement, 1, lc_timeline_key (base, run));
  step = lc_statement_step (statement, error);
  if (step == LC_STEP_ROW)
    {
      gsize size;
      const guint8 *bytes = lc_statement_blob (statement, 0, &size);

      entries = lc_postings_decode_index (bytes, size);
    }
  lc_statement_reset (statement);
  if (entries != NULL)
    return lc_connection_keep (connection, &key, entries, entries->len * sizeof (LcPostingsEntry), keys_free_array);
  if (step != LC_STEP_ERROR)
    lc_history_set_damaged (connection->history, error, "the index of run %u of the %s", run, set->name);
  return NULL;
}

static gboolean
read_postings (LcConnection *connection, const Set *set, guint32 base, guint64 row, GArray *postings, GError **error)
{
  LcStatement *statement = lc_connection_prepare (connection, set->block, error);
  gboolean good = FALSE;
  LcStep step;

  if (statement == NULL)
    return FALSE;
  lc_statement_bind_int (statement, 1, lc_timeline_key (base, row));
  step = lc_statement_step (statement, error);
  if (step == LC_STEP_ROW)
    {
      gsize size;
      const guint8 *bytes = lc_statement_blob (statement, 0, &size);

      good = lc_postings_decode (bytes, size, postings);
    }
  lc_statement_reset (statement);
  if (!good && step != LC_STEP_ERROR)
    lc_history_set_damaged (connection->history, error, "row %" G_GUINT64_FORMAT " of the %s", row, set->name);
  return good;
}

/* Counts the runs, which are numbered from 0. */
static gboolean
count_runs (LcConnection *connection, const Set *set, guint32 base, guint32 *n_runs, GError **error)
{
  LcStatement *statement = lc_connection_prepare (connection, set->last_run, error);
  LcStep step;

  *n_runs = 0;
  if (statement == NULL)
    return FALSE;
  lc_statement_bind_int (statement, 1, lc_timeline_key (base, 0));
  lc_statement_bind_int (statement, 2, lc_timeline_key (base, G_MAXINT32));
  step = lc_statement_step (statement, error);
  if (step == LC_STEP_ROW)
    *n_runs = (guint32)(lc_statement_int (statement, 0) - lc_timeline_key (base, 0)) + 1;
  lc_statement_reset (statement);
  return step != LC_STEP_ERROR;
}

/* Removes all postings but those with the wanted key. */
static void
keys_keep (GArray *postings, guint32 object, const gint64 *sequence)
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
  guint32 base;
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
  const GArray *entries = get_run (connection, &keys, search->base, run, error);
  guint first, last;

  if (entries == NULL)
    return FALSE;
  if (search->sequence != NULL ? !lc_postings_find (entries, search->object, *search->sequence, &first, &last)
                               : !lc_postings_find_object (entries, search->object, &first, &last))
    return TRUE;
  for (guint i = first; i <= last; i++)
    {
      /* The visit of the previous entry may have dropped the index. */
      entries = get_run (connection, &keys, search->base, run, error);
      g_array_set_size (search->found, 0);
      if (entries == NULL || g_cancellable_set_error_if_cancelled (search->cancellable, error) ||
          !read_postings (connection, &keys, search->base, g_array_index (entries, LcPostingsEntry, i).row,
                          search->found, error))
        return FALSE;
      keys_keep (search->found, search->object, search->sequence);
      if (!search->visit (connection, search->found, search->data, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
lc_connection_visit_postings (LcConnection *connection, guint32 timeline, guint32 object, const gint64 *sequence,
                              LcVisitPostings visit, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LcPosting));
  Search search = {LC_TIMELINE_MEASURED, object, sequence, visit, data, cancellable, found};
  guint32 n_runs;

  if (!lc_connection_get_base (connection, timeline, &search.base, error) ||
      !count_runs (connection, &keys, search.base, &n_runs, error))
    return FALSE;
  for (guint32 run = 0; run < n_runs; run++)
    if (!visit_run (connection, run, &search, error))
      return FALSE;
  return TRUE;
}

typedef struct
{
  GArray *postings;
  gsize left;
} Collected;

static gboolean
keys_collect (LcConnection *connection, const GArray *postings, gpointer data, GError **error)
{
  Collected *collected = data;
  gsize n = MIN (postings->len, collected->left);

  g_array_append_vals (collected->postings, postings->data, (guint)n);
  collected->left -= n;
  return collected->left > 0;
}

gboolean
lc_connection_find_postings (LcConnection *connection, guint32 timeline, guint32 object, const gint64 *sequence,
                             gsize limit, GCancellable *cancellable, GArray *postings, GError **error)
{
  Collected collected = {postings, limit};
  GError *own = NULL;

  if (limit > 0)
    lc_connection_visit_postings (connection, timeline, object, sequence, keys_collect, &collected, cancellable, &own);
  if (own != NULL)
    g_propagate_error (error, own);
  return own == NULL;
}

/* --- Events by key ------------------------------------------------------------------------------------------ */

static int
keys_compare_postings (gconstpointer a, gconstpointer b)
{
  const LcPosting *one = a, *other = b;

  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  return (one->ordinal > other->ordinal) - (one->ordinal < other->ordinal);
}

/* An event that a row of the file names must exist; otherwise the history is damaged. */
static gboolean
get_posted (LcConnection *connection, guint32 timeline, const LcPosting *posting, LcHistoryEvent *event, GError **error)
{
  GError *own = NULL;

  if (lc_connection_check_event (connection, timeline, posting->process, posting->ordinal, &own))
    return lc_connection_get_event (connection, timeline, posting->process, posting->ordinal, event, error);
  if (g_error_matches (own, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN))
    {
      g_clear_error (&own);
      lc_history_set_damaged (connection->history, &own,
                              "object %u: there is no event %" G_GUINT64_FORMAT " of process %u", posting->object,
                              posting->ordinal, posting->process);
    }
  g_propagate_error (error, own);
  return FALSE;
}

gboolean
lc_history_find_by_key (LcHistory *history, guint32 timeline, guint32 object, gint64 sequence, gsize limit,
                        GCancellable *cancellable, GArray **events, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  g_autoptr (GArray) postings = g_array_new (FALSE, FALSE, sizeof (LcPosting));
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LcHistoryEvent));
  gboolean good;

  if (connection == NULL)
    return FALSE;
  good = lc_connection_find_postings (connection, timeline, object, &sequence, limit, cancellable, postings, error);
  g_array_sort (postings, keys_compare_postings);
  for (guint i = 0; good && i < postings->len; i++)
    {
      LcHistoryEvent event;

      good = !g_cancellable_set_error_if_cancelled (cancellable, error) &&
             get_posted (connection, timeline, &g_array_index (postings, LcPosting, i), &event, error);
      if (good)
        g_array_append_val (found, event);
    }
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
  GArray *order;     /* guint: indices of the postings, by process and ordinal */
  GArray *events;    /* LcHistoryEvent, parallel to the postings */
  GArray *first_arc; /* guint, parallel to the postings */
  GArray *arcs;      /* LcHistoryArcEnd */
} ObjectVisit;

static int
keys_compare_places (gconstpointer a, gconstpointer b, gpointer postings)
{
  const GArray *of = postings;

  return keys_compare_postings (&g_array_index (of, LcPosting, *(const guint *)a),
                                &g_array_index (of, LcPosting, *(const guint *)b));
}

/* Reads the events in an order in which each block is decoded once. */
static gboolean
keys_fetch (LcConnection *connection, const GArray *postings, ObjectVisit *visit, GError **error)
{
  g_array_set_size (visit->events, postings->len);
  g_array_set_size (visit->first_arc, postings->len);
  g_array_set_size (visit->order, postings->len);
  g_array_set_size (visit->arcs, 0);
  for (guint i = 0; i < postings->len; i++)
    g_array_index (visit->order, guint, i) = i;
  g_array_sort_with_data (visit->order, keys_compare_places, (gpointer)postings);
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

  if (!keys_fetch (connection, postings, visit, error))
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
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  ObjectVisit state = {timeline, visit, data};
  GError *own = NULL;

  if (connection == NULL)
    return FALSE;
  state.order = g_array_new (FALSE, FALSE, sizeof (guint));
  state.events = g_array_new (FALSE, FALSE, sizeof (LcHistoryEvent));
  state.first_arc = g_array_new (FALSE, FALSE, sizeof (guint));
  state.arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArcEnd));
  lc_connection_visit_postings (connection, timeline, object, NULL, visit_postings, &state, cancellable, &own);
  g_array_unref (state.order);
  g_array_unref (state.events);
  g_array_unref (state.first_arc);
  g_array_unref (state.arcs);
  if (own != NULL)
    g_propagate_error (error, own);
  return own == NULL;
}

/* --- By origin ---------------------------------------------------------------------------------------------- */

/* Finds the run's last posting that is not after the wanted measured event, if it is later than `found`. */
static gboolean
find_origin (LcConnection *connection, guint32 timeline, guint32 run, const LcPosting *wanted, LcPosting *found,
             GError **error)
{
  const GArray *entries = get_run (connection, &origins, timeline, run, error);
  g_autoptr (GArray) postings = g_array_new (FALSE, FALSE, sizeof (LcPosting));
  guint entry;

  if (entries == NULL)
    return FALSE;
  if (!lc_postings_find_last (entries, wanted->object, wanted->sequence, &entry))
    return TRUE;
  if (!read_postings (connection, &origins, timeline, g_array_index (entries, LcPostingsEntry, entry).row, postings,
                      error))
    return FALSE;
  for (guint i = 0; i < postings->len; i++)
    {
      const LcPosting *posting = &g_array_index (postings, LcPosting, i);

      if (posting->object == wanted->object && posting->sequence <= wanted->sequence &&
          posting->sequence >= found->sequence)
        *found = *posting;
    }
  return TRUE;
}

/* Events from a posting to the next were neighbours when measured, so the wanted event lies as far behind the posting
 * as then. Its stored origin is checked. */
static gboolean
keys_check_origin (LcConnection *connection, guint32 timeline, const LcPosting *wanted, const LcPosting *found,
                   guint64 *ordinal, GError **error)
{
  const LcBlock *block;
  guint64 events;
  guint32 i;

  *ordinal = found->ordinal + (guint64)wanted->sequence - (guint64)found->sequence;
  if (!lc_connection_count_events (connection, timeline, found->process, &events, error))
    return FALSE;
  if (*ordinal < events)
    {
      block = lc_connection_get_block (connection, timeline, found->process, *ordinal / LC_BLOCK_EVENTS,
                                       LC_COLUMN_ORIGIN, error);
      if (block == NULL)
        return FALSE;
      i = (guint32)(*ordinal % LC_BLOCK_EVENTS);
      if (block->origin_process[i] == wanted->object && block->origin_ordinal[i] == (guint64)wanted->sequence)
        return TRUE;
    }
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
               "%s: event %" G_GINT64_FORMAT " of process %u is not on timeline %u", connection->history->path,
               wanted->sequence, wanted->object, timeline);
  return FALSE;
}

static gboolean
keys_locate (LcConnection *connection, guint32 timeline, const LcPosting *wanted, guint32 *process, guint64 *ordinal,
             GError **error)
{
  LcPosting found = {.process = LC_TRACE_NONE, .sequence = -1};
  guint32 base, n_runs;

  if (!lc_connection_get_base (connection, timeline, &base, error) ||
      !lc_connection_check_event (connection, LC_TIMELINE_MEASURED, wanted->object, (guint64)wanted->sequence, error))
    return FALSE;
  *process = wanted->object;
  *ordinal = (guint64)wanted->sequence;
  if (base == LC_TIMELINE_MEASURED)
    return TRUE;
  if (!count_runs (connection, &origins, base, &n_runs, error))
    return FALSE;
  for (guint32 run = 0; run < n_runs; run++)
    if (!find_origin (connection, base, run, wanted, &found, error))
      return FALSE;
  *process = found.process;
  if (found.process != LC_TRACE_NONE)
    return keys_check_origin (connection, base, wanted, &found, ordinal, error);
  lc_history_set_damaged (connection->history, error, "the origins of timeline %u", timeline);
  return FALSE;
}

gboolean
lc_history_locate (LcHistory *history, guint32 timeline, guint32 process, guint64 ordinal, guint32 *its_process,
                   guint64 *its_ordinal, GError **error)
{
  const LcPosting wanted = {.object = process, .sequence = (gint64)ordinal};
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);

  return connection != NULL && keys_locate (connection, timeline, &wanted, its_process, its_ordinal, error);
}
