/* SPDX-License-Identifier: Apache-2.0 */
/* Counts, before the sweep, what a text trace has to give. */
#include "census.h"

struct _LcCensus
{
  GHashTable *counts; /* LcPointKey -> number */
};

static guint
hash (gconstpointer data)
{
  const LcPointKey *key = data;

  return key->operation * 31 + key->object * 16777619u + (guint)key->sequence * 2654435761u;
}

static gboolean
same (gconstpointer a, gconstpointer b)
{
  const LcPointKey *one = a, *other = b;

  return one->sequence == other->sequence && one->object == other->object && one->operation == other->operation;
}

static void
count (LcCensus *census, const LcTraceEvent *event, const GArray *gifts)
{
  for (guint i = 0; gifts != NULL && i < gifts->len; i++)
    {
      const LcWant *want = g_array_index (gifts, LcGift, i).want;
      gint64 sequence = event->flags & LC_TRACE_EVENT_SEQUENCE ? event->sequence : 0;
      LcPointKey key = {want->id, event->object, sequence + want->step};
      gpointer so_far = g_hash_table_lookup (census->counts, &key);

      g_hash_table_replace (census->counts, g_memdup2 (&key, sizeof key),
                            GSIZE_TO_POINTER (GPOINTER_TO_SIZE (so_far) + 1));
    }
}

LcCensus *
lc_census_new (LcTrace *trace, const LcWants *wants)
{
  LcCensus *census = g_new0 (LcCensus, 1);
  LcTraceBatch batch;

  census->counts = g_hash_table_new_full (hash, same, g_free, NULL);
  for (guint32 process = 0; process < lc_trace_get_n_processes (trace); process++)
    {
      g_autoptr (LcTraceCursor) cursor = lc_trace_cursor_open (trace, process);

      while (lc_trace_cursor_next (cursor, &batch))
        for (gsize i = 0; i < batch.n_events; i++)
          {
            const LcTraceEvent *event = &batch.events[i];

            if (event->object == LC_TRACE_NONE)
              continue;
            count (census, event, wants->operations[event->operation].at_begin);
            count (census, event, wants->operations[event->operation].at_end);
          }
    }
  return census;
}

void
lc_census_free (LcCensus *census)
{
  g_hash_table_unref (census->counts);
  g_free (census);
}

guint64
lc_census_count (const LcCensus *census, const LcWant *want, const LcPointKey *key)
{
  gsize found = GPOINTER_TO_SIZE (g_hash_table_lookup (census->counts, key));

  return want->group || want->counted ? found : MIN (found, 1);
}
