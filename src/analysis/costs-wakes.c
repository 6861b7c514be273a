/* SPDX-License-Identifier: Apache-2.0 */
/* What it takes to go on after a wait, as the trace itself shows it: by operation, object and length of the wait. */
#include "costs-wakes.h"

#include <glib/gi18n-lib.h>

enum
{
  ENOUGH_OF_OPERATION = 8,
  ENOUGH_OF_OBJECT = 32,
  MOST_OBJECTS = 1024, /* that are looked at one by one: samples of each take some kilobytes */
};

typedef struct
{
  guint32 operation;
  guint32 object; /* LC_TRACE_NONE: all of them */
  LcWaitLength length;
} WakeKey;

typedef struct
{
  WakeKey key;
  LcSamples samples;
} WakeSamples;

typedef struct
{
  WakeKey key;
  LcCost cost;
} WakeCost;

struct _LcWakes
{
  GHashTable *samples; /* set of WakeSamples */
};

/* --- Keys -------------------------------------------------------------------------------------------------- */

static guint
wake_key_hash (gconstpointer data)
{
  const WakeKey *key = data;

  return (key->object * 16777619u ^ key->operation) * 4u + key->length;
}

static gboolean
wake_key_equal (gconstpointer a, gconstpointer b)
{
  const WakeKey *one = a, *other = b;

  return one->operation == other->operation && one->object == other->object && one->length == other->length;
}

LcWaitLength
lc_wait_get_length (guint64 waited)
{
  static const guint64 limits[] = {4000, 50000, 1000000};
  guint length = 0;

  while (length < G_N_ELEMENTS (limits) && waited > limits[length])
    length++;
  return (LcWaitLength)length;
}

/* --- Samples ----------------------------------------------------------------------------------------------- */

static void
wake_samples_free (gpointer data)
{
  WakeSamples *samples = data;

  lc_samples_clear (&samples->samples);
  g_free (samples);
}

LcWakes *
lc_wakes_new (void)
{
  LcWakes *wakes = g_new0 (LcWakes, 1);

  wakes->samples = g_hash_table_new_full (wake_key_hash, wake_key_equal, wake_samples_free, NULL);
  return wakes;
}

void
lc_wakes_free (LcWakes *wakes)
{
  g_hash_table_unref (wakes->samples);
  g_free (wakes);
}

static void
wakes_add_sample (LcWakes *wakes, const WakeKey *key, double took)
{
  WakeSamples *samples = g_hash_table_lookup (wakes->samples, key);

  if (samples == NULL)
    {
      if (key->object != LC_TRACE_NONE && g_hash_table_size (wakes->samples) >= MOST_OBJECTS)
        return;
      samples = g_new0 (WakeSamples, 1);
      samples->key = *key;
      g_hash_table_add (wakes->samples, samples);
    }
  lc_samples_add (&samples->samples, took);
}

void
lc_wakes_add (LcWakes *wakes, guint32 operation, guint32 object, guint64 waited, double took)
{
  WakeKey key = {operation, LC_TRACE_NONE, lc_wait_get_length (waited)};

  wakes_add_sample (wakes, &key, took);
  key.object = object;
  if (object != LC_TRACE_NONE)
    wakes_add_sample (wakes, &key, took);
}

/* --- Costs ------------------------------------------------------------------------------------------------- */

void
lc_wakes_take (const LcWakes *wakes, LcCosts *costs)
{
  GHashTableIter iter;
  gpointer data;

  g_hash_table_iter_init (&iter, wakes->samples);
  while (g_hash_table_iter_next (&iter, &data, NULL))
    {
      const WakeSamples *samples = data;
      WakeCost *wake;

      if (samples->samples.n < (samples->key.object == LC_TRACE_NONE ? ENOUGH_OF_OPERATION : ENOUGH_OF_OBJECT))
        continue;
      wake = g_new0 (WakeCost, 1);
      wake->key = samples->key;
      lc_samples_describe (&samples->samples, lc_samples_get_median (&samples->samples),
                           _ ("going on after waits of this length, the median"), &wake->cost);
      if (costs->wakes == NULL)
        costs->wakes = g_hash_table_new_full (wake_key_hash, wake_key_equal, g_free, NULL);
      g_hash_table_add (costs->wakes, wake);
    }
}

const LcCost *
lc_costs_get_wake (const LcCosts *costs, guint32 operation, guint32 object, LcWaitLength length)
{
  const WakeKey key = {operation, object, length};
  const WakeCost *wake = costs->wakes != NULL ? g_hash_table_lookup (costs->wakes, &key) : NULL;

  return wake != NULL ? &wake->cost : NULL;
}

/* What is said of all waits of an operation, or of those for OpenMP's objects. */
static const LcCost *
wakes_find_wait (const LcCosts *costs, guint32 operation, guint32 object)
{
  const LcOperationCosts *of_operation = &costs->operations[operation];

  if (of_operation->other.wait.source != LC_COST_UNKNOWN && object < costs->n_objects && costs->is_openmp[object])
    return &of_operation->other.wait;
  return &of_operation->wait;
}

const LcCost *
lc_costs_find_wake (const LcCosts *costs, guint32 operation, guint32 object, guint64 waited)
{
  const LcWaitLength length = lc_wait_get_length (waited);
  const LcCost *cost = NULL;

  if (costs->wakes == NULL || lc_cost_is_fixed (costs->operations[operation].wait.source))
    return wakes_find_wait (costs, operation, object);
  if (object != LC_TRACE_NONE)
    cost = lc_costs_get_wake (costs, operation, object, length);
  if (cost == NULL)
    cost = lc_costs_get_wake (costs, operation, LC_TRACE_NONE, length);
  return cost != NULL ? cost : wakes_find_wait (costs, operation, object);
}
