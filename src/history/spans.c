/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the spans of holding that touch a window, with their ends, which may be far after it. */
#include "reader.h"

enum
{
  NEAR = 4, /* blocks after the window that are searched before the postings are used */
};

#define COLUMNS (LC_COLUMN_TIME | LC_COLUMN_IDENTITY)

/* The search in one process. */
typedef struct
{
  LcConnection *connection;
  const LcWindow *window;
  gsize limit;
  GCancellable *cancellable;
  GArray *spans; /* LcHoldingSpan, of all processes */
  guint32 process;
  guint first_span;
  GArray *holds;   /* LcHold: the objects held at `ordinal` */
  guint64 ordinal; /* the next event */
  guint64 events;
  guint64 end; /* the first event after the window */
} Listing;

static gboolean
spans_touches (const Listing *listing, const LcHold *hold, guint64 end)
{
  return hold->since < listing->window->to && end >= listing->window->from;
}

static void
spans_add_span (Listing *listing, const LcHold *hold, guint64 end, guint64 end_ordinal)
{
  const LcHoldingSpan span = {listing->process, hold->object, hold->since, end, hold->ordinal, end_ordinal};

  if (hold->ordinal < listing->end && spans_touches (listing, hold, end))
    g_array_append_val (listing->spans, span);
}

/* What is lost in a gap before `time`, where event `ordinal` is. */
static void
spans_lose (Listing *listing, GArray *holds, guint64 time, guint64 ordinal)
{
  LcHold lost;
  guint64 until;

  if (listing->window->timeline != LC_TIMELINE_MEASURED)
    return;
  while (lc_holding_lose (lc_history_get_gaps (lc_connection_get_history (listing->connection)), holds, time, &lost,
                          &until))
    spans_add_span (listing, &lost, until, ordinal);
}

/* What one event does. */
static void
spans_follow (Listing *listing, GArray **holds, const LcBlock *block, guint32 i)
{
  const LcHoldingPairs *pairs = lc_connection_get_history (listing->connection)->pairs;
  LcHold ended;

  spans_lose (listing, *holds, block->begin[i], block->first_ordinal + i);
  if (lc_holding_end (pairs, *holds, block, i, &ended))
    spans_add_span (listing, &ended, block->begin[i], block->first_ordinal + i);
  lc_holding_begin (pairs, holds, block, i);
}

static const LcBlock *
spans_get_block (const Listing *listing, guint64 number, LcColumns columns, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (listing->cancellable, error))
    return NULL;
  return lc_connection_get_block (listing->connection, listing->window->timeline, listing->process, number, columns,
                                  error);
}

/* --- In the window ------------------------------------------------------------------------------------------ */

/* If all blocks end before the window it begins in the last one: what is held at its end is held for ever. */
static gboolean
spans_begin (Listing *listing, GError **error)
{
  const LcDirectory *directory =
      lc_connection_get_directory (listing->connection, listing->window->timeline, listing->process, error);
  guint64 number;
  const LcBlock *block;

  if (directory == NULL)
    return FALSE;
  listing->events = directory->n_events;
  if (listing->events == 0)
    return TRUE;
  number = MIN (lc_directory_find_time (directory, listing->window->from), directory->entries->len - 1);
  listing->ordinal = number * LC_BLOCK_EVENTS;
  listing->end = listing->events;
  block = spans_get_block (listing, number, COLUMNS | LC_COLUMN_HELD, error);
  if (block == NULL)
    return FALSE;
  listing->holds = lc_connection_list_holds (listing->connection, listing->window->timeline, block, TRUE, error);
  return listing->holds != NULL;
}

/* Objects that are held when the window begins count, as their spans touch it. */
static gboolean
is_enough (const Listing *listing)
{
  return (gsize)listing->spans->len + listing->holds->len > listing->limit + 1;
}

/* Follows events to the end of the window, or until enough spans are known, with those that began first among them. */
static gboolean
follow_window (Listing *listing, GError **error)
{
  while (listing->ordinal < listing->end)
    {
      const LcBlock *block = spans_get_block (listing, listing->ordinal / LC_BLOCK_EVENTS, COLUMNS, error);

      if (block == NULL)
        return FALSE;
      for (guint32 i = 0; i < block->n_events && listing->ordinal < listing->end; i++)
        {
          if (block->begin[i] >= listing->window->to ||
              (block->begin[i] >= listing->window->from && is_enough (listing)))
            listing->end = listing->ordinal;
          else
            {
              spans_follow (listing, &listing->holds, block, i);
              listing->ordinal++;
            }
        }
    }
  return TRUE;
}

/* --- After the window --------------------------------------------------------------------------------------- */

static gboolean
spans_is_open (const Listing *listing, const LcHold *hold)
{
  return hold->ordinal < listing->end && hold->since < listing->window->to;
}

/* Whether any span has no end yet; `unnumbered`: only those without a sequence number. */
static gboolean
is_any_open (const Listing *listing, gboolean unnumbered)
{
  for (guint i = 0; i < listing->holds->len; i++)
    {
      const LcHold *hold = &g_array_index (listing->holds, LcHold, i);

      if (spans_is_open (listing, hold) && (!unnumbered || !(hold->flags & LC_TRACE_EVENT_SEQUENCE)))
        return TRUE;
    }
  return FALSE;
}

static gboolean
follow_further (Listing *listing, guint64 n_blocks, gboolean unnumbered, GError **error)
{
  for (; n_blocks > 0 && listing->ordinal < listing->events && is_any_open (listing, unnumbered); n_blocks--)
    {
      const LcBlock *block = spans_get_block (listing, listing->ordinal / LC_BLOCK_EVENTS, COLUMNS, error);

      if (block == NULL)
        return FALSE;
      for (guint32 i = (guint32)(listing->ordinal % LC_BLOCK_EVENTS); i < block->n_events; i++)
        spans_follow (listing, &listing->holds, block, i);
      listing->ordinal = block->first_ordinal + block->n_events;
    }
  return TRUE;
}

typedef struct
{
  const Listing *listing;
  GArray *ordinals; /* guint64 */
} Later;

static gboolean
keep_later (LcConnection *connection, const GArray *postings, gpointer data, GError **error)
{
  const Later *later = data;

  for (guint i = 0; i < postings->len; i++)
    {
      const LcPosting *posting = &g_array_index (postings, LcPosting, i);

      if (posting->process == later->listing->process && posting->ordinal >= later->listing->ordinal)
        g_array_append_val (later->ordinals, posting->ordinal);
    }
  return TRUE;
}

static int
compare_ordinals (gconstpointer a, gconstpointer b)
{
  guint64 one = *(const guint64 *)a, other = *(const guint64 *)b;

  return (one > other) - (one < other);
}

/* Finds the ends of all holds with the key of hold `which`, and removes them from the holds. */
static gboolean
follow_key (Listing *listing, guint which, GError **error)
{
  const LcHold of = g_array_index (listing->holds, LcHold, which);
  g_autoptr (GArray) ordinals = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) same = g_array_new (FALSE, FALSE, sizeof (LcHold));
  Later later = {listing, ordinals};
  const LcHistory *history = lc_connection_get_history (listing->connection);

  for (guint i = 0; i < listing->holds->len;)
    {
      LcHold *hold = &g_array_index (listing->holds, LcHold, i);

      if (hold->object == of.object && hold->sequence == of.sequence && hold->flags & LC_TRACE_EVENT_SEQUENCE)
        {
          g_array_append_val (same, *hold);
          g_array_remove_index (listing->holds, i);
        }
      else
        i++;
    }
  if (!lc_connection_visit_postings (listing->connection, listing->window->timeline, of.object, &of.sequence,
                                     keep_later, &later, listing->cancellable, error))
    return FALSE;
  g_array_sort (ordinals, compare_ordinals);
  for (guint i = 0; i < ordinals->len && same->len > 0; i++)
    {
      guint64 ordinal = g_array_index (ordinals, guint64, i);
      const LcBlock *block = spans_get_block (listing, ordinal / LC_BLOCK_EVENTS, COLUMNS, error);

      if (block == NULL)
        return FALSE;
      spans_follow (listing, &same, block, (guint32)(ordinal % LC_BLOCK_EVENTS));
    }
  spans_lose (listing, same, lc_history_get_process (history, listing->process)->end, listing->events - 1);
  for (guint i = 0; i < same->len; i++)
    spans_add_span (listing, &g_array_index (same, LcHold, i), G_MAXUINT64, G_MAXUINT64);
  return TRUE;
}

/* Long holds are ended by events found through their key; without a sequence number all later events must be read. */
static gboolean
follow_open (Listing *listing, GError **error)
{
  const LcHistory *history = lc_connection_get_history (listing->connection);

  if (!follow_further (listing, NEAR, FALSE, error) || !follow_further (listing, G_MAXUINT64, TRUE, error))
    return FALSE;
  if (listing->ordinal == listing->events)
    spans_lose (listing, listing->holds, lc_history_get_process (history, listing->process)->end, listing->events - 1);
  for (guint i = 0; i < listing->holds->len;)
    {
      const LcHold *hold = &g_array_index (listing->holds, LcHold, i);

      if (!spans_is_open (listing, hold))
        i++;
      else if (hold->flags & LC_TRACE_EVENT_SEQUENCE)
        {
          if (!follow_key (listing, i, error))
            return FALSE;
          i = 0;
        }
      else
        {
          spans_add_span (listing, hold, G_MAXUINT64, G_MAXUINT64);
          i++;
        }
    }
  return TRUE;
}

/* --- All ---------------------------------------------------------------------------------------------------- */

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const LcHoldingSpan *one = a, *other = b;

  return (one->begin_ordinal > other->begin_ordinal) - (one->begin_ordinal < other->begin_ordinal);
}

static gboolean
list_process (Listing *listing, guint32 process, GError **error)
{
  gboolean good;

  listing->process = process;
  listing->first_span = listing->spans->len;
  listing->ordinal = listing->end = 0;
  good = spans_begin (listing, error) &&
         (listing->events == 0 || (follow_window (listing, error) && follow_open (listing, error)));
  g_clear_pointer (&listing->holds, g_array_unref);
  if (good && listing->spans->len > listing->first_span)
    qsort ((LcHoldingSpan *)(void *)listing->spans->data + listing->first_span,
           listing->spans->len - listing->first_span, sizeof (LcHoldingSpan), compare_spans);
  return good;
}

gboolean
lc_history_list_holding (LcHistory *history, const LcWindow *window, gsize limit, GCancellable *cancellable,
                         GArray **spans, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LcHoldingSpan));
  Listing listing = {connection, window, MIN (limit, G_MAXUINT32), cancellable, found};
  guint32 n = window->from < window->to ? lc_window_n_processes (history, window) : 0;
  gboolean good = connection != NULL && lc_window_check (connection, window, error);

  for (guint32 i = 0; good && i < n && found->len < limit; i++)
    good = list_process (&listing, lc_window_get_process (window, i), error);
  if (!good)
    return FALSE;
  g_array_set_size (found, (guint)MIN (found->len, limit));
  *spans = g_steal_pointer (&found);
  return TRUE;
}
