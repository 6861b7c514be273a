/* SPDX-License-Identifier: Apache-2.0 */
/* Counts, before the sweep, what a text trace, or one with gaps, has to give; of others the values are believed. */
#include "census.h"

#include <string.h>

#include "given.h"

typedef struct
{
  LcPointKey key;
  guint32 given, taken;
  gboolean kept; /* an event looks at it without taking it */
} Tally;

struct _LcCensus
{
  LcTrace *trace;
  gboolean directed;
  GHashTable *tallies; /* Tally, by its key; or NULL */
  LcGiven *given;      /* of a trace with gaps that is no text; or NULL */
  gboolean has_gaps;
};

static guint
census_hash (gconstpointer data)
{
  const LcPointKey *key = data;

  return key->operation * 31 + key->object * 16777619u + (guint)key->sequence * 2654435761u;
}

static gboolean
census_same (gconstpointer a, gconstpointer b)
{
  const LcPointKey *one = a, *other = b;

  return one->sequence == other->sequence && one->object == other->object && one->operation == other->operation;
}

static Tally *
tally_of (LcCensus *census, const LcWant *want, const LcTraceEvent *event, int step)
{
  gint64 sequence = event->flags & LC_TRACE_EVENT_SEQUENCE ? event->sequence : 0;
  const LcPointKey key = {want->id, event->object, lc_sequence_step (sequence, step)};
  Tally *tally = g_hash_table_lookup (census->tallies, &key);

  if (tally == NULL)
    {
      tally = g_new0 (Tally, 1);
      tally->key = key;
      g_hash_table_add (census->tallies, tally);
    }
  return tally;
}

static void
census_count (LcCensus *census, const LcTraceEvent *event, const GArray *gifts)
{
  for (guint i = 0; gifts != NULL && i < gifts->len; i++)
    {
      const LcWant *want = g_array_index (gifts, LcGift, i).want;

      tally_of (census, want, event, want->step)->given++;
    }
}

static void
count_taken (LcCensus *census, const LcTraceEvent *event, const GPtrArray *wants)
{
  for (guint i = 0; wants != NULL && i < wants->len; i++)
    {
      const LcWant *want = wants->pdata[i];
      Tally *tally = tally_of (census, want, event, 0);

      if (want->keeps)
        tally->kept = TRUE;
      else
        tally->taken++;
    }
}

static void
count_all (LcCensus *census, const LcWants *wants)
{
  LcTraceBatch batch;

  census->tallies = g_hash_table_new_full (census_hash, census_same, g_free, NULL);
  for (guint32 process = 0; process < lc_trace_get_n_processes (census->trace); process++)
    {
      g_autoptr (LcTraceCursor) cursor = lc_trace_cursor_open (census->trace, process);

      while (lc_trace_cursor_next (cursor, &batch))
        for (gsize i = 0; i < batch.n_events; i++)
          {
            const LcTraceEvent *event = &batch.events[i];
            const LcOperationWants *operation;

            if (event->object == LC_TRACE_NONE)
              continue;
            operation = lc_wants_of (wants, event);
            census_count (census, event, operation->at_begin);
            census_count (census, event, operation->at_end);
            count_taken (census, event, operation->wants);
          }
    }
}

/* --- With gaps --------------------------------------------------------------------------------------------------- */

static gboolean
census_is_single (const LcWant *want)
{
  return !want->group && !want->counted;
}

static void
census_give (LcCensus *census, const LcTraceEvent *event, const GArray *gifts)
{
  gint64 sequence = event->flags & LC_TRACE_EVENT_SEQUENCE ? event->sequence : 0;

  for (guint i = 0; gifts != NULL && i < gifts->len; i++)
    {
      const LcWant *want = g_array_index (gifts, LcGift, i).want;
      const LcPointKey key = {want->id, event->object, lc_sequence_step (sequence, want->step)};

      lc_given_add (census->given, &key, census_is_single (want));
    }
}

static void
count_given_of (LcCensus *census, const LcWants *wants, guint32 process)
{
  g_autoptr (LcTraceCursor) cursor = lc_trace_cursor_open (census->trace, process);
  LcTraceBatch batch;

  while (lc_trace_cursor_next (cursor, &batch))
    for (gsize i = 0; i < batch.n_events; i++)
      {
        const LcTraceEvent *event = &batch.events[i];
        const LcOperationWants *operation;

        if (event->object == LC_TRACE_NONE ||
            (event->flags & LC_EVENT_UNKNOWN && !(event->flags & LC_TRACE_EVENT_SEQUENCE)))
          continue;
        operation = lc_wants_of (wants, event);
        census_give (census, event, operation->at_begin);
        census_give (census, event, operation->at_end);
      }
}

LcCensus *
lc_census_new (LcTrace *trace, const LcWants *wants, gboolean directed)
{
  LcCensus *census = g_new0 (LcCensus, 1);
  gsize n_gaps;

  census->trace = trace;
  census->directed = directed;
  lc_trace_get_gaps (trace, &n_gaps);
  census->has_gaps = n_gaps > 0;
  if (lc_trace_is_counted (trace))
    count_all (census, wants);
  else if (census->has_gaps)
    {
      census->given = lc_given_new ();
      for (guint32 process = 0; process < lc_trace_get_n_processes (trace); process++)
        count_given_of (census, wants, process);
    }
  return census;
}

void
lc_census_free (LcCensus *census)
{
  g_clear_pointer (&census->tallies, g_hash_table_unref);
  lc_given_free (census->given);
  g_free (census);
}

gboolean
lc_census_is_counted (const LcCensus *census)
{
  return census->tallies != NULL;
}

/* --- Points that an event waits for -------------------------------------------------------------------------- */

guint64
lc_census_get_ruled (const LcCensus *census, const LcWant *want, const LcTraceEvent *event, const LcPointKey *key)
{
  LcTraceObject object;

  if (event->flags & LC_EVENT_UNKNOWN)
    return 0;
  if (want->group || want->counted)
    return event->flags & LC_TRACE_EVENT_VALUE && event->value > want->less ? (guint64)(event->value - want->less) : 0;
  if (event->flags & LC_EVENT_OWNER_DIED || key->sequence - want->step < want->first)
    return 0;
  if (want->given)
    {
      lc_trace_get_object (census->trace, event->object, &object);
      if (key->sequence <= (gint64)object.value)
        return 0;
    }
  return 1;
}

static guint64
count_given (const LcCensus *census, const LcWant *want, const LcPointKey *key)
{
  const Tally *tally = g_hash_table_lookup (census->tallies, key);
  guint64 given = tally != NULL ? tally->given : 0;

  return want->group || want->counted ? given : MIN (given, 1);
}

guint64
lc_census_get_expected (const LcCensus *census, const LcWant *want, const LcTraceEvent *event, const LcPointKey *key)
{
  guint64 ruled;

  if (census->tallies != NULL)
    return count_given (census, want, key);
  ruled = lc_census_get_ruled (census, want, event, key);
  if (ruled > 0 && G_UNLIKELY (census->given != NULL))
    return MIN (ruled, lc_given_count (census->given, key, census_is_single (want)));
  return ruled;
}

/* Text does not say how many tokens a semaphore had at first, so a wait without a post may be correct. */
gboolean
lc_census_is_short (const LcCensus *census, const LcWant *want, const LcTraceEvent *event, const LcPointKey *key)
{
  return census->tallies != NULL && !census->has_gaps && !want->given && !want->soft &&
         count_given (census, want, key) < lc_census_get_ruled (census, want, event, key);
}

/* --- Events that need a point -------------------------------------------------------------------------------- */

gboolean
lc_census_get_uses (const LcCensus *census, const LcGift *gift, const LcTraceEvent *event, const LcPointKey *key,
                    guint32 *uses)
{
  gint64 number = gift->uses.number;

  if (census->tallies != NULL && !census->directed && !gift->want->group)
    {
      const Tally *tally = g_hash_table_lookup (census->tallies, key);
      guint32 taken = tally != NULL ? tally->taken : 0;

      if (gift->want->told && !gift->uses.by_value && number > 0)
        taken = (guint32)number;
      *uses = gift->uses.by_value || number == 0 ? taken : MIN ((guint32)number, taken);
      return taken > 0 || (tally != NULL && tally->kept);
    }
  if (gift->uses.by_value && event->flags & LC_TRACE_EVENT_VALUE && event->value > 0)
    {
      *uses = event->value > number ? (guint32)MIN (event->value - number, G_MAXUINT32) : 0;
      return *uses > 0;
    }
  *uses = gift->uses.by_value ? 0 : (guint32)number;
  return TRUE;
}
