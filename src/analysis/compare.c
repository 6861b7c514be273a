/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two histories, whose events are aligned by object and sequence number, object by object. */
#include "compare-parts.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/statistics.h"

enum
{
  MOST_AT_ONCE = 500000, /* events of one object and side in memory at once */
};

/* An event to compare. `process` and `operation` are numbers that both sides share: those of side 0, then those that
 * only side 1 has. */
typedef struct
{
  gint64 sequence;
  guint32 process;
  guint32 operation;
  LcComparedEvent event;
} Entry;

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

  /* State of the present object. */
  guint32 objects[2];
  gboolean differs; /* its first difference has been found */
  gint64 lowest;
  gint64 highest;
  guint64 n_events;
  GArray *entries[2]; /* Entry */
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

/* Goes through the sorted entries of both sides at once. */
static void
merge_entries (Comparing *comparing)
{
  const GArray *one = comparing->entries[0], *other = comparing->entries[1];
  Group group = {.open = FALSE};
  guint i = 0, k = 0;

  g_array_sort (comparing->entries[0], compare_entries);
  g_array_sort (comparing->entries[1], compare_entries);
  while (i < one->len || k < other->len)
    {
      const Entry *first = i < one->len ? &g_array_index (one, Entry, i) : NULL;
      const Entry *second = k < other->len ? &g_array_index (other, Entry, k) : NULL;
      int order = first == NULL ? 1 : second == NULL ? -1 : comparison_compare_keys (first, second);

      if (order == 0)
        take_pair (comparing, first, second);
      else
        take_alone (comparing, &group, order < 0 ? 0 : 1, order < 0 ? first : second);
      i += order <= 0;
      k += order >= 0;
    }
  close_group (comparing, &group);
}

/* --- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  Comparing *comparing;
  guint side;
  gint64 from; /* sequence numbers, both included */
  gint64 to;
} Visit;

static gboolean
survey_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Comparing *comparing = data;

  if ((event->flags & LC_TRACE_EVENT_SEQUENCE) == 0)
    return TRUE;
  comparing->lowest = MIN (comparing->lowest, event->sequence);
  comparing->highest = MAX (comparing->highest, event->sequence);
  comparing->n_events++;
  return TRUE;
}

static gboolean
comparison_take_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  const Visit *visit = data;
  const Numbers *numbers = &visit->comparing->numbers;
  Entry entry;

  if ((event->flags & LC_TRACE_EVENT_SEQUENCE) == 0 || event->sequence < visit->from || event->sequence > visit->to)
    return TRUE;
  entry = (Entry){.sequence = event->sequence,
                  .process = numbers->processes[visit->side][event->process],
                  .operation = numbers->operations[visit->side][event->operation],
                  .event = {.process = event->process,
                            .operation = event->operation,
                            .ordinal = event->ordinal,
                            .begin = event->begin,
                            .end = event->end,
                            .waited = event->waited}};
  g_array_append_val (visit->comparing->entries[visit->side], entry);
  return TRUE;
}

static gboolean
visit_side (Comparing *comparing, guint side, LcHistoryVisit visit, gpointer data, GError **error)
{
  const LcCompareSide *one = &comparing->sides[side];

  return lc_history_visit_object (one->history, one->timeline, comparing->objects[side], visit, data,
                                  comparing->cancellable, error);
}

/* Compares the events of a range of sequence numbers, counted from the lowest one. */
static gboolean
compare_part (Comparing *comparing, guint64 first, guint64 last, GError **error)
{
  for (guint side = 0; side < 2; side++)
    {
      Visit visit = {.comparing = comparing,
                     .side = side,
                     .from = (gint64)((guint64)comparing->lowest + first),
                     .to = (gint64)((guint64)comparing->lowest + last)};

      g_array_set_size (comparing->entries[side], 0);
      if (!visit_side (comparing, side, comparison_take_event, &visit, error))
        return FALSE;
    }
  merge_entries (comparing);
  return TRUE;
}

/* Compares range by range, if the object has more events than may be in memory at once. */
static gboolean
compare_object (Comparing *comparing, GError **error)
{
  guint64 last, length;

  comparing->lowest = G_MAXINT64;
  comparing->highest = G_MININT64;
  comparing->n_events = 0;
  comparing->differs = FALSE;
  for (guint side = 0; side < 2; side++)
    if (!visit_side (comparing, side, survey_event, comparing, error))
      return FALSE;
  if (comparing->n_events == 0)
    return TRUE;
  comparing->result->n_objects++;
  last = (guint64)comparing->highest - (guint64)comparing->lowest;
  length = last / (comparing->n_events / (2 * comparing->most_at_once) + 1);
  for (guint64 first = 0;; first += length + 1)
    {
      guint64 rest = last - first;

      if (!compare_part (comparing, first, rest > length ? first + length : last, error))
        return FALSE;
      if (rest <= length)
        return TRUE;
    }
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

static gboolean
comparison_compare_objects (Comparing *comparing, LcCompareProgress progress, gpointer data, GError **error)
{
  g_autoptr (GArray) pairs = match_objects (comparing, error);

  if (pairs == NULL)
    return FALSE;
  for (guint i = 0; i < pairs->len; i++)
    {
      memcpy (comparing->objects, pairs->data + i * sizeof comparing->objects, sizeof comparing->objects);
      if (!compare_object (comparing, error))
        return FALSE;
      if (progress != NULL)
        progress ((i + 1.0) / pairs->len, data);
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

/* --- What is not compared ---------------------------------------------------------------------------------------- */

static gboolean
comparison_count_unnumbered (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  *(guint64 *)data += (event->flags & LC_TRACE_EVENT_SEQUENCE) == 0 || event->object == LC_TRACE_NONE;
  return TRUE;
}

static gboolean
comparison_find_unnumbered (Comparing *comparing, guint side, GError **error)
{
  const LcCompareSide *one = &comparing->sides[side];
  const guint32 n_operations = lc_history_get_n_operations (one->history);
  g_autofree gboolean *all = g_new (gboolean, n_operations + 1);

  for (guint32 i = 0; i < n_operations; i++)
    all[i] = TRUE;
  for (guint32 i = 0; i < lc_history_get_n_processes (one->history); i++)
    if (!lc_history_visit_operations (one->history, one->timeline, i, all, comparison_count_unnumbered,
                                      &comparing->result->n_unnumbered[side], comparing->cancellable, error))
      return FALSE;
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
  good = comparison_compare_processes (&comparing, error) && comparison_find_unnumbered (&comparing, 0, error) &&
         comparison_find_unnumbered (&comparing, 1, error) &&
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
