/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two histories, whose events are aligned by object and sequence number, object by object. */
#include "compare-parts.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "history/block.h"
#include "lightcone/statistics.h"

enum
{
  MOST_AT_ONCE = 500000, /* events of one side in memory at once, those of one object or of several */
};

/* An event to compare. `slot` is that of its object among those that are compared at once. `process` and `operation`
 * are numbers that both sides share: those of side 0, then those that only side 1 has. */
typedef struct
{
  gint64 sequence;
  guint32 slot;
  guint32 process;
  guint32 operation;
  LcComparedEvent event;
} Entry;

/* The events of an object that have a sequence number, on one side. */
typedef struct
{
  guint64 n;
  gint64 lowest;
  gint64 highest;
} Survey;

/* Maps each side's numbers to the common ones. */
typedef struct
{
  guint32 *processes[2];
  guint32 *operations[2];
} Numbers;

typedef struct
{
  const LcCompareSide *sides;
  Numbers numbers;
  gsize limit;
  guint64 most_at_once;
  LcComparison *result;
  GCancellable *cancellable;

  Survey *surveys[2];  /* by object */
  guint64 n_of_all[2]; /* number of events of all objects, and of none */
  guint32 *slots[2];   /* by object: its slot, + 1; 0: it is not compared now */
  gint64 from, to;     /* sequence numbers that are compared now, both included */
  GArray *entries[2];  /* Entry, of those objects and numbers */

  /* State of the present object. */
  guint32 objects[2];
  gboolean differs; /* its first difference has been found */
} Comparing;

/* --- Common numbers ----------------------------------------------------------------------------------------------- */

/* Returns a key that is the same on both sides. If a name occurs several times, the n-th on one side matches the n-th
 * on the other. */
static char *
dup_key (GHashTable *seen, const char *class_name, const char *name)
{
  g_autofree char *key = g_strdup_printf ("%s\n%s", class_name, name);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (seen, key));

  g_hash_table_insert (seen, g_strdup (key), GUINT_TO_POINTER (n + 1));
  return g_strdup_printf ("%s\n%u", key, n);
}

/* Returns the number of a key; keys are numbered in the order in which they first come. */
static guint32
number_key (GHashTable *numbers, char *key)
{
  gpointer number;

  if (g_hash_table_lookup_extended (numbers, key, NULL, &number))
    {
      g_free (key);
      return GPOINTER_TO_UINT (number);
    }
  g_hash_table_insert (numbers, key, GUINT_TO_POINTER (g_hash_table_size (numbers)));
  return g_hash_table_size (numbers) - 1;
}

static GHashTable *
new_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void
number_processes (Comparing *comparing)
{
  g_autoptr (GHashTable) numbers = new_table ();

  for (guint side = 0; side < 2; side++)
    {
      const LcHistory *history = comparing->sides[side].history;
      guint32 n = lc_history_get_n_processes (history);
      g_autoptr (GHashTable) seen = new_table ();

      comparing->numbers.processes[side] = g_new0 (guint32, MAX (n, 1));
      for (guint32 i = 0; i < n; i++)
        comparing->numbers.processes[side][i] =
            number_key (numbers, dup_key (seen, "", lc_history_get_process (history, i)->name));
    }
}

static void
number_operations (Comparing *comparing)
{
  g_autoptr (GHashTable) numbers = new_table ();

  for (guint side = 0; side < 2; side++)
    {
      const LcHistory *history = comparing->sides[side].history;
      guint32 n = lc_history_get_n_operations (history);
      g_autoptr (GHashTable) seen = new_table ();

      comparing->numbers.operations[side] = g_new0 (guint32, MAX (n, 1));
      for (guint32 i = 0; i < n; i++)
        {
          const LcHistoryOperation *operation = lc_history_get_operation (history, i);

          if (operation != NULL)
            comparing->numbers.operations[side][i] =
                number_key (numbers, dup_key (seen, operation->class_name, operation->name));
        }
    }
}

/* Lists the objects that have events, by key. */
static GHashTable *
comparison_list_objects (const LcCompareSide *side, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) objects = new_table (), seen = new_table ();

  for (guint32 i = 0; i < lc_history_get_n_objects (side->history); i++)
    {
      LcHistoryObject object;
      char *key;

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !lc_history_get_object (side->history, i, &object, error))
        return NULL;
      key = dup_key (seen, object.class_name, object.name);
      if (object.events > 0)
        g_hash_table_insert (objects, key, GUINT_TO_POINTER (i));
      else
        g_free (key);
      lc_history_object_clear (&object);
    }
  return g_steal_pointer (&objects);
}

/* --- Lists of limited length ------------------------------------------------------------------------------------- */

/* Negative if `a` comes before `b`. */
typedef int (*ComparePairs) (const LcComparedPair *a, const LcComparedPair *b);

static guint64
get_difference (const LcComparedPair *pair)
{
  guint64 first = pair->events[0].end - pair->events[0].begin, second = pair->events[1].end - pair->events[1].begin;

  return MAX (first, second) - MIN (first, second);
}

static int
comparison_compare_times (const LcComparedPair *a, const LcComparedPair *b)
{
  guint64 of_a = get_difference (a), of_b = get_difference (b);

  if (of_a != of_b)
    return of_a > of_b ? -1 : 1;
  if (a->events[0].process != b->events[0].process)
    return a->events[0].process < b->events[0].process ? -1 : 1;
  return (a->events[0].ordinal > b->events[0].ordinal) - (a->events[0].ordinal < b->events[0].ordinal);
}

static guint64
comparison_get_begin (const LcComparedPair *pair)
{
  guint64 begin = G_MAXUINT64;

  for (guint side = 0; side < 2; side++)
    if (pair->events[side].process != LC_TRACE_NONE)
      begin = MIN (begin, pair->events[side].begin);
  return begin;
}

static int
comparison_compare_begins (const LcComparedPair *a, const LcComparedPair *b)
{
  guint64 of_a = comparison_get_begin (a), of_b = comparison_get_begin (b);

  if (of_a != of_b)
    return of_a < of_b ? -1 : 1;
  return (a->objects[0] > b->objects[0]) - (a->objects[0] < b->objects[0]);
}

/* Inserts the pair in its place, unless the list is full and the pair comes after its last one. */
static void
add_to_list (GArray *list, gsize limit, ComparePairs compare, const LcComparedPair *pair)
{
  guint below = 0, above = list->len;

  if (limit == 0 || (list->len == limit && compare (pair, &g_array_index (list, LcComparedPair, list->len - 1)) >= 0))
    return;
  while (below < above)
    {
      guint middle = below + (above - below) / 2;

      if (compare (pair, &g_array_index (list, LcComparedPair, middle)) < 0)
        above = middle;
      else
        below = middle + 1;
    }
  if (list->len == limit)
    g_array_set_size (list, list->len - 1);
  g_array_insert_val (list, below, *pair);
}

/* --- One object -------------------------------------------------------------------------------------------------- */

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *one = a, *other = b;

  if (one->slot != other->slot)
    return one->slot < other->slot ? -1 : 1;
  if (one->sequence != other->sequence)
    return one->sequence < other->sequence ? -1 : 1;
  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  if (one->operation != other->operation)
    return one->operation < other->operation ? -1 : 1;
  return (one->event.ordinal > other->event.ordinal) - (one->event.ordinal < other->event.ordinal);
}

/* Compares all that makes entries of the two sides the same event, thus not their ordinals. */
static int
comparison_compare_keys (const Entry *one, const Entry *other)
{
  Entry like = *other;

  like.event.ordinal = one->event.ordinal;
  return compare_entries (one, &like);
}

static const LcComparedEvent no_event = {.process = LC_TRACE_NONE};

/* Counts an event that both sides have. */
static void
take_pair (Comparing *comparing, const Entry *first, const Entry *second)
{
  const LcComparedPair pair = {.objects = {comparing->objects[0], comparing->objects[1]},
                               .sequence = first->sequence,
                               .events = {first->event, second->event}};

  comparing->result->n_pairs++;
  if (get_difference (&pair) > 0)
    add_to_list (comparing->result->times, comparing->limit, comparison_compare_times, &pair);
}

/* The events of one sequence number that only one side has; `alone` is the earliest of each side. */
typedef struct
{
  gint64 sequence;
  gboolean open;
  LcComparedEvent alone[2];
} Group;

static void
close_group (Comparing *comparing, Group *group)
{
  const LcComparedPair pair = {.objects = {comparing->objects[0], comparing->objects[1]},
                               .sequence = group->sequence,
                               .events = {group->alone[0], group->alone[1]}};

  if (!group->open || comparing->differs)
    return;
  comparing->differs = TRUE;
  comparing->result->n_differing++;
  add_to_list (comparing->result->order, comparing->limit, comparison_compare_begins, &pair);
}

static void
take_alone (Comparing *comparing, Group *group, guint side, const Entry *entry)
{
  LcComparedEvent *first = &group->alone[side];

  comparing->result->n_alone[side]++;
  if (group->open && group->sequence != entry->sequence)
    close_group (comparing, group);
  if (!group->open || group->sequence != entry->sequence)
    *group = (Group){.sequence = entry->sequence, .open = TRUE, .alone = {no_event, no_event}};
  if (first->process == LC_TRACE_NONE || entry->event.begin < first->begin)
    *first = entry->event;
}

/* Goes through the sorted entries of the present object, which begin at `at` on each side, and leaves `at` behind them.
 */
static void
merge_entries (Comparing *comparing, guint32 slot, guint at[2])
{
  const GArray *one = comparing->entries[0], *other = comparing->entries[1];
  Group group = {.open = FALSE};

  for (;;)
    {
      const Entry *first = at[0] < one->len ? &g_array_index (one, Entry, at[0]) : NULL;
      const Entry *second = at[1] < other->len ? &g_array_index (other, Entry, at[1]) : NULL;
      int order;

      first = first != NULL && first->slot == slot ? first : NULL;
      second = second != NULL && second->slot == slot ? second : NULL;
      if (first == NULL && second == NULL)
        break;
      order = first == NULL ? 1 : second == NULL ? -1 : comparison_compare_keys (first, second);
      if (order == 0)
        take_pair (comparing, first, second);
      else
        take_alone (comparing, &group, order < 0 ? 0 : 1, order < 0 ? first : second);
      at[0] += order <= 0;
      at[1] += order >= 0;
    }
  close_group (comparing, &group);
}

/* --- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  Comparing *comparing;
  guint side;
} Visit;

static gboolean
comparison_survey_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  const Visit *visit = data;
  Comparing *comparing = visit->comparing;
  Survey *survey;

  comparing->n_of_all[visit->side]++;
  if ((event->flags & LC_TRACE_EVENT_SEQUENCE) == 0 || event->object == LC_TRACE_NONE)
    {
      comparing->result->n_unnumbered[visit->side]++;
      return TRUE;
    }
  survey = &comparing->surveys[visit->side][event->object];
  survey->lowest = survey->n == 0 ? event->sequence : MIN (survey->lowest, event->sequence);
  survey->highest = survey->n == 0 ? event->sequence : MAX (survey->highest, event->sequence);
  survey->n++;
  return TRUE;
}

static gboolean
comparison_take_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  const Visit *visit = data;
  const Comparing *comparing = visit->comparing;
  const Numbers *numbers = &comparing->numbers;
  guint32 slot = event->object != LC_TRACE_NONE ? comparing->slots[visit->side][event->object] : 0;
  Entry entry;

  if (slot == 0 || (event->flags & LC_TRACE_EVENT_SEQUENCE) == 0 || event->sequence < comparing->from ||
      event->sequence > comparing->to)
    return TRUE;
  entry = (Entry){.sequence = event->sequence,
                  .slot = slot - 1,
                  .process = numbers->processes[visit->side][event->process],
                  .operation = numbers->operations[visit->side][event->operation],
                  .event = {.process = event->process,
                            .operation = event->operation,
                            .ordinal = event->ordinal,
                            .begin = event->begin,
                            .end = event->end,
                            .waited = event->waited}};
  g_array_append_val (comparing->entries[visit->side], entry);
  return TRUE;
}

/* Visits all events of a side: each block of the trace is decoded once. */
static gboolean
comparison_visit_all (const Visit *visit, LcHistoryVisit each, GError **error)
{
  const Comparing *comparing = visit->comparing;
  const LcCompareSide *one = &comparing->sides[visit->side];
  const guint32 n_operations = lc_history_get_n_operations (one->history);
  g_autofree gboolean *all = g_new (gboolean, n_operations + 1);

  for (guint32 i = 0; i < n_operations; i++)
    all[i] = TRUE;
  for (guint32 i = 0; i < lc_history_get_n_processes (one->history); i++)
    if (!lc_history_visit_operations (one->history, one->timeline, i, all, each, (gpointer)visit,
                                      comparing->cancellable, error))
      return FALSE;
  return TRUE;
}

static gboolean
comparison_survey (Comparing *comparing, GError **error)
{
  for (guint side = 0; side < 2; side++)
    {
      const Visit visit = {comparing, side};
      guint32 n_objects = lc_history_get_n_objects (comparing->sides[side].history);

      comparing->surveys[side] = g_new0 (Survey, MAX (n_objects, 1));
      comparing->slots[side] = g_new0 (guint32, MAX (n_objects, 1));
      if (!comparison_visit_all (&visit, comparison_survey_event, error))
        return FALSE;
    }
  return TRUE;
}

/* Pairs of objects (two guint32 each) that are compared at once, and how many events they have. */
typedef struct
{
  const guint32 (*pairs)[2];
  guint n;
  guint64 n_events;
} Batch;

/*
 * Each block of the trace may have events of all objects. Whoever reads one object after the other decodes a block for
 * each of them that has an event there, thus up to one for each event; a visit of all events decodes each block once.
 */
static gboolean
comparison_should_visit_all (const Comparing *comparing, guint side, const Batch *batch)
{
  const guint64 n_blocks = comparing->n_of_all[side] / LC_BLOCK_EVENTS;
  guint64 n = 0;

  for (guint i = 0; i < batch->n; i++)
    n += MIN (comparing->surveys[side][batch->pairs[i][side]].n, n_blocks);
  return batch->n > 1 && n >= n_blocks;
}

/* The entries of one side. */
static gboolean
comparison_read (Comparing *comparing, guint side, const Batch *batch, GError **error)
{
  const LcCompareSide *one = &comparing->sides[side];
  Visit visit = {comparing, side};

  g_array_set_size (comparing->entries[side], 0);
  if (comparison_should_visit_all (comparing, side, batch))
    return comparison_visit_all (&visit, comparison_take_event, error);
  for (guint i = 0; i < batch->n; i++)
    if (!lc_history_visit_object (one->history, one->timeline, batch->pairs[i][side], comparison_take_event, &visit,
                                  comparing->cancellable, error))
      return FALSE;
  return TRUE;
}

/* Compares the events of the present range of sequence numbers. */
static gboolean
comparison_compare_range (Comparing *comparing, const Batch *batch, GError **error)
{
  guint at[2] = {0, 0};

  for (guint side = 0; side < 2; side++)
    {
      if (!comparison_read (comparing, side, batch, error))
        return FALSE;
      g_array_sort (comparing->entries[side], compare_entries);
    }
  for (guint i = 0; i < batch->n; i++)
    {
      memcpy (comparing->objects, batch->pairs[i], sizeof comparing->objects);
      comparing->differs &= batch->n == 1; /* a single object may be compared range by range */
      merge_entries (comparing, i, at);
    }
  return TRUE;
}

/* Compares a single object range by range, if it has more events than may be in memory at once. */
static gboolean
comparison_compare_large (Comparing *comparing, const Batch *batch, GError **error)
{
  const Survey *one = &comparing->surveys[0][batch->pairs[0][0]], *other = &comparing->surveys[1][batch->pairs[0][1]];
  const gint64 lowest = one->n == 0 ? other->lowest : other->n == 0 ? one->lowest : MIN (one->lowest, other->lowest);
  const gint64 highest = one->n == 0     ? other->highest
                         : other->n == 0 ? one->highest
                                         : MAX (one->highest, other->highest);
  const guint64 last = (guint64)highest - (guint64)lowest;
  const guint64 length = last / (batch->n_events / (2 * comparing->most_at_once) + 1);

  for (guint64 first = 0;; first += length + 1)
    {
      const guint64 rest = last - first;

      comparing->from = (gint64)((guint64)lowest + first);
      comparing->to = (gint64)((guint64)lowest + (rest > length ? first + length : last));
      if (!comparison_compare_range (comparing, batch, error))
        return FALSE;
      if (rest <= length)
        return TRUE;
    }
}

static void
comparison_set_slots (Comparing *comparing, const Batch *batch, gboolean are_compared)
{
  for (guint i = 0; i < batch->n; i++)
    for (guint side = 0; side < 2; side++)
      comparing->slots[side][batch->pairs[i][side]] = are_compared ? i + 1 : 0;
}

static gboolean
comparison_compare_batch (Comparing *comparing, const Batch *batch, GError **error)
{
  gboolean good;

  if (batch->n_events == 0)
    return TRUE;
  comparing->differs = FALSE;
  comparing->from = G_MININT64;
  comparing->to = G_MAXINT64;
  comparison_set_slots (comparing, batch, TRUE);
  good = batch->n == 1 ? comparison_compare_large (comparing, batch, error)
                       : comparison_compare_range (comparing, batch, error);
  comparison_set_slots (comparing, batch, FALSE);
  return good;
}

static int
comparison_compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 one = *(const guint32 *)a, other = *(const guint32 *)b;

  return (one > other) - (one < other);
}

/* Lists the objects that both sides have, as pairs of numbers, in the order of side 0. */
static GArray *
match_objects (Comparing *comparing, GError **error)
{
  g_autoptr (GHashTable) one = comparison_list_objects (&comparing->sides[0], comparing->cancellable, error);
  g_autoptr (GHashTable) other =
      one != NULL ? comparison_list_objects (&comparing->sides[1], comparing->cancellable, error) : NULL;
  GHashTableIter iterator;
  GArray *pairs;
  gpointer key, number, partner;

  if (other == NULL)
    return NULL;
  pairs = g_array_new (FALSE, FALSE, 2 * sizeof (guint32));
  g_hash_table_iter_init (&iterator, one);
  while (g_hash_table_iter_next (&iterator, &key, &number))
    if (g_hash_table_lookup_extended (other, key, NULL, &partner))
      {
        const guint32 pair[2] = {GPOINTER_TO_UINT (number), GPOINTER_TO_UINT (partner)};

        g_array_append_vals (pairs, pair, 1);
      }
  comparing->result->n_missing[0] = g_hash_table_size (one) - pairs->len;
  comparing->result->n_missing[1] = g_hash_table_size (other) - pairs->len;
  g_array_sort (pairs, comparison_compare_numbers);
  return pairs;
}

static guint64
comparison_count_events (const Comparing *comparing, const guint32 pair[2])
{
  return comparing->surveys[0][pair[0]].n + comparing->surveys[1][pair[1]].n;
}

static gboolean
comparison_compare_objects (Comparing *comparing, LcCompareProgress progress, gpointer data, GError **error)
{
  g_autoptr (GArray) list = match_objects (comparing, error);
  const guint32 (*pairs)[2] = list != NULL ? (gpointer)list->data : NULL;
  guint next = 0;

  if (list == NULL)
    return FALSE;
  while (next < list->len)
    {
      Batch batch = {.pairs = pairs + next};

      do
        {
          const guint64 n = comparison_count_events (comparing, pairs[next]);

          comparing->result->n_objects += n > 0;
          batch.n_events += n;
          batch.n++;
          next++;
        }
      while (next < list->len &&
             batch.n_events + comparison_count_events (comparing, pairs[next]) <= 2 * comparing->most_at_once);
      if (!comparison_compare_batch (comparing, &batch, error))
        return FALSE;
      if (progress != NULL)
        progress ((double)next / list->len, data);
    }
  return TRUE;
}

/* --- Processes --------------------------------------------------------------------------------------------------- */

static LcComparedProcess *
comparison_get_process (GArray *processes, guint32 number)
{
  const LcComparedProcess none = {.processes = {LC_TRACE_NONE, LC_TRACE_NONE}};

  while (processes->len <= number)
    g_array_append_val (processes, none);
  return &g_array_index (processes, LcComparedProcess, number);
}

static gboolean
comparison_compare_processes (Comparing *comparing, GError **error)
{
  LcComparison *result = comparing->result;

  for (guint side = 0; side < 2; side++)
    {
      const LcCompareSide *one = &comparing->sides[side];
      g_autoptr (GArray) waiting = lc_statistics_waiting (one->history, one->timeline, comparing->cancellable, error);

      if (waiting == NULL || !lc_statistics_total (one->history, one->timeline, &result->ends[side], error))
        return FALSE;
      for (guint32 i = 0; i < waiting->len; i++)
        {
          const LcWaitingStatistics *row = &g_array_index (waiting, LcWaitingStatistics, i);
          LcComparedProcess *process =
              comparison_get_process (result->processes, comparing->numbers.processes[side][i]);

          process->processes[side] = i;
          process->spans[side] = row->span;
          process->waiting[side] = row->waiting;
          if (!lc_history_count_events (one->history, one->timeline, i, &process->events[side], error))
            return FALSE;
        }
    }
  return TRUE;
}

/* --- The comparison ---------------------------------------------------------------------------------------------- */

static void
comparing_clear (Comparing *comparing)
{
  for (guint side = 0; side < 2; side++)
    {
      g_free (comparing->numbers.processes[side]);
      g_free (comparing->numbers.operations[side]);
      g_free (comparing->surveys[side]);
      g_free (comparing->slots[side]);
      g_array_unref (comparing->entries[side]);
    }
}

LcComparison *
lc_compare_in_parts (const LcCompareSide sides[2], gsize limit, guint64 most_at_once, LcCompareProgress progress,
                     gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcComparison) result = g_new0 (LcComparison, 1);
  Comparing comparing = {
      .sides = sides, .limit = limit, .most_at_once = most_at_once, .result = result, .cancellable = cancellable};
  gboolean good;

  result->order = g_array_new (FALSE, FALSE, sizeof (LcComparedPair));
  result->times = g_array_new (FALSE, FALSE, sizeof (LcComparedPair));
  result->processes = g_array_new (FALSE, FALSE, sizeof (LcComparedProcess));
  for (guint side = 0; side < 2; side++)
    comparing.entries[side] = g_array_new (FALSE, FALSE, sizeof (Entry));
  number_processes (&comparing);
  number_operations (&comparing);
  good = comparison_compare_processes (&comparing, error) && comparison_survey (&comparing, error) &&
         comparison_compare_objects (&comparing, progress, data, error);
  comparing_clear (&comparing);
  return good ? g_steal_pointer (&result) : NULL;
}

LcComparison *
lc_compare (const LcCompareSide sides[2], gsize limit, LcCompareProgress progress, gpointer data,
            GCancellable *cancellable, GError **error)
{
  return lc_compare_in_parts (sides, limit, MOST_AT_ONCE, progress, data, cancellable, error);
}

void
lc_comparison_free (LcComparison *comparison)
{
  if (comparison == NULL)
    return;
  g_array_unref (comparison->order);
  g_array_unref (comparison->times);
  g_array_unref (comparison->processes);
  g_free (comparison);
}
