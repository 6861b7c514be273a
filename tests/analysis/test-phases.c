/* SPDX-License-Identifier: Apache-2.0 */
/* Phases of random histories against the least assignment that keeps all arcs; communication nanosecond by nanosecond.
 */
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "lightcone/phases.h"
#include "lightcone/statistics.h"

#define NONE G_MININT64

/* --- What is known without the history ------------------------------------------------------------------------- */

typedef struct
{
  const char *text; /* the definition */
  const char *objects;
  const char *class_of; /* operations of this name only, or NULL */
  gboolean generations;
} Definition;

/* The numbers at the begin of an event, of the event itself, and after it. */
typedef struct
{
  gint64 begin, event, after;
} Numbers;

static gint64
own_number (const Definition *definition, const RandomEvent *event)
{
  if (!g_pattern_match_simple (definition->objects, event->object) ||
      (definition->class_of != NULL && strcmp (event->operation, definition->class_of) != 0))
    return NONE;
  return event->sequence + definition->generations;
}

static gboolean
raise_to (gint64 *number, gint64 to)
{
  if (*number >= to)
    return FALSE;
  *number = to;
  return TRUE;
}

static gboolean
raise_event (const RandomHistory *random, const Definition *definition, GArray **all, guint process, guint ordinal)
{
  const RandomEvent *event = random_history_event (random, process, ordinal);
  Numbers *numbers = &g_array_index (all[process], Numbers, ordinal);
  gint64 own = own_number (definition, event);
  gboolean raised = FALSE;

  if (ordinal > 0)
    raised |= raise_to (&numbers->begin, numbers[-1].after);
  if (!definition->generations)
    raised |= raise_to (&numbers->begin, own);
  raised |= raise_to (&numbers->event, numbers->begin);
  for (guint k = 0; k < event->sources->len; k++)
    {
      const RandomSource *source = &g_array_index (event->sources, RandomSource, k);
      const Numbers *from = &g_array_index (all[source->process], Numbers, source->ordinal);

      raised |= raise_to (&numbers->event, source->begin ? from->begin : from->after);
    }
  raised |= raise_to (&numbers->after, numbers->event);
  if (definition->generations)
    raised |= raise_to (&numbers->after, own);
  return raised;
}

/* From nothing, up to the first that needs no more. */
static GArray **
find_least (const RandomHistory *random, const Definition *definition)
{
  static const Numbers nothing = {NONE, NONE, NONE};
  GArray **all = g_new0 (GArray *, random->n_processes);
  gboolean raised = TRUE;

  for (guint i = 0; i < random->n_processes; i++)
    {
      all[i] = g_array_new (FALSE, FALSE, sizeof (Numbers));
      for (guint j = 0; j < random->events[i]->len; j++)
        g_array_append_val (all[i], nothing);
    }
  while (raised)
    {
      raised = FALSE;
      for (guint i = 0; i < random->n_processes; i++)
        for (guint j = 0; j < random->events[i]->len; j++)
          raised |= raise_event (random, definition, all, i, j);
    }
  return all;
}

static void
free_numbers (const RandomHistory *random, GArray **all)
{
  for (guint i = 0; i < random->n_processes; i++)
    g_array_unref (all[i]);
  g_free (all);
}

static gboolean
has_any (const RandomHistory *random, GArray **all)
{
  for (guint i = 0; i < random->n_processes; i++)
    for (guint j = 0; j < all[i]->len; j++)
      if (g_array_index (all[i], Numbers, j).event != NONE)
        return TRUE;
  return FALSE;
}

/* --- Comparisons ----------------------------------------------------------------------------------------------- */

static gint64
shown_number (const LcPhases *phases, guint32 phase)
{
  const char *name = lc_phases_get (phases, phase)->name, *before = strpbrk (name, " #");

  while (before != NULL && strpbrk (before + 1, " #") != NULL)
    before = strpbrk (before + 1, " #");
  return phase == 0 ? NONE : g_ascii_strtoll (before != NULL ? before + 1 : name, NULL, 10);
}

static void
check_numbers (const RandomHistory *random, const LcPhases *phases, GArray **all)
{
  for (guint i = 0; i < random->n_processes; i++)
    for (guint j = 0; j < all[i]->len; j++)
      g_assert_cmpint (shown_number (phases, lc_phases_of (phases, i, j)), ==,
                       g_array_index (all[i], Numbers, j).event);
}

/* They are cuts at the points: nothing leads from a later phase to an earlier one, on a process or by an arc. */
static void
check_cuts (const RandomHistory *random, const LcPhases *phases, GArray **all)
{
  for (guint i = 0; i < random->n_processes; i++)
    for (guint j = 0; j < random->events[i]->len; j++)
      {
        const RandomEvent *event = random_history_event (random, i, j);
        guint32 phase = lc_phases_of (phases, i, j);

        if (j > 0)
          g_assert_cmpuint (lc_phases_of (phases, i, j - 1), <=, phase);
        for (guint k = 0; k < event->sources->len; k++)
          {
            const RandomSource *source = &g_array_index (event->sources, RandomSource, k);

            if (!source->begin)
              g_assert_cmpuint (lc_phases_of (phases, source->process, source->ordinal), <=, phase);
            else if (source->ordinal > 0)
              g_assert_cmpuint (lc_phases_of (phases, source->process, source->ordinal - 1), <=, phase);
          }
      }
}

static void
check_firsts (const RandomHistory *random, const LcPhases *phases)
{
  for (guint i = 0; i < random->n_processes; i++)
    for (guint32 phase = 0; phase <= lc_phases_get_n (phases); phase++)
      {
        guint64 first = lc_phases_get_first (phases, i, phase), expected = 0;

        while (expected < random->events[i]->len && lc_phases_of (phases, i, expected) < phase)
          expected++;
        g_assert_cmpuint (first, ==, expected);
      }
}

typedef struct
{
  guint64 events, begin, end, first_layer, last_layer;
} Extent;

static void
check_extents (const RandomHistory *random, LcHistory *history, const LcPhases *phases)
{
  guint32 n = lc_phases_get_n (phases);
  g_autofree Extent *extents = g_new0 (Extent, n);
  guint64 position = 0;

  for (guint i = 0; i < random->n_processes; i++)
    for (guint j = 0; j < random->events[i]->len; j++)
      {
        Extent *extent = &extents[lc_phases_of (phases, i, j)];
        LcHistoryEvent event;

        g_assert_true (lc_history_get_event (history, LC_TIMELINE_MEASURED, i, j, &event, NULL));
        extent->begin = extent->events == 0 ? event.begin : MIN (extent->begin, event.begin);
        extent->end = MAX (extent->end, event.end);
        extent->first_layer = extent->events == 0 ? event.layer : MIN (extent->first_layer, event.layer);
        extent->last_layer = MAX (extent->last_layer, event.layer);
        extent->events++;
      }
  for (guint32 k = 0; k < n; k++)
    {
      const LcPhase *phase = lc_phases_get (phases, k);

      g_assert_true (k == 0 || phase->events > 0);
      g_assert_true (k <= 1 || shown_number (phases, k) > shown_number (phases, k - 1));
      g_assert_cmpuint (phase->events, ==, extents[k].events);
      g_assert_cmpuint (phase->begin, ==, extents[k].begin);
      g_assert_cmpuint (phase->end, ==, extents[k].end);
      g_assert_cmpuint (phase->first_layer, ==, extents[k].first_layer);
      g_assert_cmpuint (phase->last_layer, ==, extents[k].last_layer);
      g_assert_cmpuint (phase->position, ==, position);
      if (phase->events == 0)
        continue;
      g_assert_cmpuint (lc_phases_get_position (phases, k, phase->first_layer), ==, position);
      position = lc_phases_get_position (phases, k, phase->last_layer) + 1;
    }
  g_assert_cmpuint (lc_phases_get_n_positions (phases), ==, position);
}

static void
check_definition (const RandomHistory *random, LcHistory *history, const Definition *definition)
{
  g_autoptr (GError) error = NULL;
  GArray **all = find_least (random, definition);
  g_autoptr (LcPhases) phases = lc_phases_find (history, LC_TIMELINE_MEASURED, definition->text, NULL, &error);

  if (!has_any (random, all))
    g_assert_error (error, LC_PHASES_ERROR, LC_PHASES_ERROR_NONE);
  else
    {
      g_autoptr (LcPhases) again = lc_phases_find (history, LC_TIMELINE_MEASURED, definition->text, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (lc_phases_get_definition (phases), ==, definition->text);
      check_numbers (random, phases, all);
      check_cuts (random, phases, all);
      check_firsts (random, phases);
      check_extents (random, history, phases);
      check_numbers (random, again, all);
      check_extents (random, history, again);
      g_assert_cmpuint (lc_phases_get_n_behind (again), ==, lc_phases_get_n_behind (phases));
    }
  free_numbers (random, all);
}

/* --- Communication --------------------------------------------------------------------------------------------- */

enum
{
  COMMUNICATES = 1,
  WAITS = 2,
};

static guint64
released_of (const RandomHistory *random, guint process, const RandomEvent *event)
{
  guint64 latest = event->begin;

  for (guint i = 0; i < event->sources->len; i++)
    {
      const RandomSource *source = &g_array_index (event->sources, RandomSource, i);
      const RandomEvent *from = random_history_event (random, source->process, source->ordinal);

      if (source->process != process)
        latest = MAX (latest, source->begin ? from->begin : from->end);
    }
  return MIN (latest, event->end);
}

static void
mark (guint8 *time, guint64 begin, guint64 end, guint8 what)
{
  for (guint64 at = begin; at < end; at++)
    time[at] |= what;
}

/* What a process does in each nanosecond. All classes of random histories order processes. */
static guint8 *
mark_time (const RandomHistory *random, guint process, guint64 end)
{
  guint8 *time = g_new0 (guint8, end + 1);
  g_autoptr (GHashTable) held = g_hash_table_new (g_str_hash, g_str_equal); /* object -> ordinal of who took it, + 1 */

  for (guint j = 0; j < random->events[process]->len; j++)
    {
      RandomEvent *event = random_history_event (random, process, j);
      gpointer taken = g_hash_table_lookup (held, event->object);

      mark (time, event->begin, event->end, COMMUNICATES);
      mark (time, event->begin, released_of (random, process, event), WAITS);
      if (strcmp (event->operation, "lock") == 0 || g_str_has_suffix (event->operation, "-start"))
        g_hash_table_replace (held, event->object, GUINT_TO_POINTER (j + 1));
      else if (taken != NULL)
        {
          mark (time, random_history_event (random, process, GPOINTER_TO_UINT (taken) - 1)->end, event->begin,
                COMMUNICATES);
          g_hash_table_remove (held, event->object);
        }
      if (j + 1 < random->events[process]->len)
        continue;
      {
        GHashTableIter iter;
        gpointer value;

        g_hash_table_iter_init (&iter, held);
        while (g_hash_table_iter_next (&iter, NULL, &value))
          mark (time, random_history_event (random, process, GPOINTER_TO_UINT (value) - 1)->end, event->end,
                COMMUNICATES);
      }
    }
  return time;
}

static guint64
count (const guint8 *time, guint64 begin, guint64 end, guint8 what)
{
  guint64 n = 0;

  for (guint64 at = begin; at < end; at++)
    n += (time[at] & what) != 0;
  return n;
}

typedef struct
{
  const guint8 *time;
  const RandomHistory *random;
  guint process;
  guint64 end; /* of the stretch before */
  guint64 communication, waiting;
  gboolean any;
} Stretches;

static gboolean
check_stretch (guint64 begin, guint64 end, guint64 waiting, guint64 first, guint64 last, gpointer data)
{
  Stretches *stretches = data;

  g_assert_cmpuint (begin, <, end);
  g_assert_true (!stretches->any || begin > stretches->end);
  g_assert_cmpuint (count (stretches->time, begin, end, COMMUNICATES), ==, end - begin);
  g_assert_cmpuint (count (stretches->time, begin, end, WAITS), ==, waiting);
  g_assert_cmpuint (first, <=, last);
  g_assert_cmpuint (random_history_event (stretches->random, stretches->process, (guint)first)->begin, <=, begin);
  g_assert_cmpuint (random_history_event (stretches->random, stretches->process, (guint)last)->begin, <=, end);
  stretches->any = TRUE;
  stretches->end = end;
  stretches->communication += end - begin;
  stretches->waiting += waiting;
  return TRUE;
}

static void
get_life (const RandomHistory *random, guint process, guint64 *begin, guint64 *end)
{
  guint n = random->events[process]->len;

  *begin = n > 0 ? random_history_event (random, process, 0)->begin : 0;
  *end = n > 0 ? random_history_event (random, process, n - 1)->end : 0;
}

static void
check_communication (const RandomHistory *random, LcHistory *history)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) all = lc_statistics_communication (history, LC_TIMELINE_MEASURED, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, random->n_processes);
  for (guint i = 0; i < all->len; i++)
    {
      const LcCommunicationStatistics *row = &g_array_index (all, LcCommunicationStatistics, i);
      guint64 begin, end;
      g_autofree guint8 *time = NULL;
      Stretches stretches = {.random = random, .process = i};

      get_life (random, i, &begin, &end);
      stretches.time = time = mark_time (random, i, end);
      g_assert_cmpuint (row->process, ==, i);
      g_assert_cmpuint (row->span, ==, end - begin);
      g_assert_cmpuint (row->communication, ==, count (time, begin, end, COMMUNICATES));
      g_assert_cmpuint (row->waiting, ==, count (time, begin, end, WAITS));
      g_assert_cmpuint (row->computing + row->waiting + row->transfer + row->preempted + row->outside, ==, row->span);
      g_assert_cmpuint (row->communication, ==, row->waiting + row->transfer);
      g_assert_true (lc_statistics_visit_communication (history, LC_TIMELINE_MEASURED, i, check_stretch, &stretches,
                                                        NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (stretches.communication, ==, row->communication);
      g_assert_cmpuint (stretches.waiting, ==, row->waiting);
    }
}

/* Each phase of a process: from the end of its last event before it to the end of its last event in it. */
static void
check_phases (const RandomHistory *random, LcHistory *history, const char *definition)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcPhases) phases = lc_phases_find (history, LC_TIMELINE_MEASURED, definition, NULL, NULL);
  g_autoptr (GArray) all = NULL;
  guint32 n;

  if (phases == NULL)
    return;
  n = lc_phases_get_n (phases);
  all = lc_statistics_phases (history, LC_TIMELINE_MEASURED, phases, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, n * random->n_processes);
  for (guint i = 0; i < random->n_processes; i++)
    {
      guint64 begin, end;
      g_autofree guint8 *time = NULL;

      get_life (random, i, &begin, &end);
      time = mark_time (random, i, end);
      for (guint32 k = 0; k < n; k++)
        {
          const LcPhaseStatistics *row = &g_array_index (all, LcPhaseStatistics, k * random->n_processes + i);
          guint first = (guint)lc_phases_get_first (phases, i, k), next = (guint)lc_phases_get_first (phases, i, k + 1);
          guint64 from = first > 0 ? random_history_event (random, i, first - 1)->end : begin;
          guint64 to = next > first ? random_history_event (random, i, next - 1)->end : from;

          g_assert_true (row->phase == k && row->process == i);
          g_assert_cmpuint (row->events, ==, next - first);
          g_assert_cmpuint (row->time, ==, to - from);
          g_assert_cmpuint (row->communication, ==, count (time, from, to, COMMUNICATES));
          g_assert_cmpuint (row->waiting, ==, count (time, from, to, WAITS));
          g_assert_cmpuint (row->transfer, ==, row->communication - row->waiting);
          g_assert_cmpuint (row->computing, ==, row->time - row->communication);
        }
    }
}

static void
test_random (void)
{
  static const Definition definitions[] = {
      {"object:m*", "m*", NULL, FALSE}, {"object:c1", "c1", NULL, FALSE}, {"object:*", "*", NULL, FALSE},
      {"object:h?", "h?", NULL, FALSE}, {"object:b0", "b0", NULL, FALSE}, {"barrier:b0", "b0", "barrier", TRUE},
  };

  for (guint32 seed = 1; seed <= random_trials (300); seed++)
    {
      g_autoptr (RandomHistory) random = random_history_new (seed, 1 + seed % 7, 10 + seed % 150);
      g_autoptr (Case) trial = case_new_random (random, 0, seed);

      for (gsize i = 0; i < G_N_ELEMENTS (definitions); i++)
        check_definition (random, trial->history, &definitions[i]);
      check_communication (random, trial->history);
      check_phases (random, trial->history, definitions[seed % G_N_ELEMENTS (definitions)].text);
    }
}

/* --- By hand --------------------------------------------------------------------------------------------------- */

static void
check_names (LcHistory *history, const char *definition, const char *used, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcPhases) phases = lc_phases_find (history, LC_TIMELINE_MEASURED, definition, NULL, &error);
  g_autoptr (GString) found = g_string_new (NULL);

  g_assert_no_error (error);
  g_assert_cmpstr (lc_phases_get_definition (phases), ==, used);
  for (guint32 i = 0; i < lc_phases_get_n (phases); i++)
    g_string_append_printf (found, "%s%s=%" G_GUINT64_FORMAT, i > 0 ? ", " : "", lc_phases_get (phases, i)->name,
                            lc_phases_get (phases, i)->events);
  g_assert_cmpstr (found->str, ==, expected);
}

static void
check_refused (LcHistory *history, const char *definition, LcPhasesError code, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (lc_phases_find (history, LC_TIMELINE_MEASURED, definition, NULL, &error));
  g_assert_error (error, LC_PHASES_ERROR, (int)code);
  g_assert_nonnull (strstr (error->message, part));
}

static const char *const marked[] = {
    "a",
    "0 1 tag value=-5\n2 3 enter work\n4 5 tag value=7\n6 7 leave work\n8 9 tag value=3\n10 11 enter work\n"
    "12 20 await A 1\n",
    "b", "0 1 lock m 1\n2 3 unlock m 1\n4 5 tag value=9000000000\n6 15 advance A 1\n16 17 tag\n", NULL};

static void
test_tags (void)
{
  g_autoptr (Case) trial = case_new (marked, NULL);
  g_autoptr (LcPhases) phases = NULL;

  /* The await comes after b's phase 9000000000; the 3 falls back, and stays in 7; a tag without a value is none. */
  check_names (trial->history, "tag", "tag", "before=2, -5=2, 7=4, 9000000000=4");
  check_names (trial->history, "auto", "tag", "before=2, -5=2, 7=4, 9000000000=4");
  phases = lc_phases_find (trial->history, LC_TIMELINE_MEASURED, "tag", NULL, NULL);
  g_assert_cmpuint (lc_phases_get_n_behind (phases), ==, 1);
  check_names (trial->history, "region:work", "region:work", "before=6, 1=4, 2=2");
}

static void
test_refused (void)
{
  static const char *const wrong[] = {
      "", "tags", "region", "region:", "barrier:", "collective:", "object:", "rule:", "Tag"};
  g_autoptr (Case) trial = case_new (marked, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    check_refused (trial->history, wrong[i], LC_PHASES_ERROR_DEFINITION, "does not define phases");
  check_refused (trial->history, "region:play", LC_PHASES_ERROR_NONE, "“region:play”");
  check_refused (trial->history, "object:q*", LC_PHASES_ERROR_NONE, "“object:q*”");
  check_refused (trial->history, "barrier", LC_PHASES_ERROR_NONE, "“barrier”");
  check_refused (trial->history, "rule:round", LC_PHASES_ERROR_DEFINITION, "[phase round]");
}

static const char *const barriers[] = {
    "a", "0 1 lock m 1\n2 3 unlock m 1\n4 10 barrier X 0\n11 12 lock m 2\n13 20 barrier X 1\n21 22 unlock m 2\n", "b",
    "0 1 advance A 0\n5 10 barrier X 0\n12 20 barrier X 1\n30 31 barrier Y 0\n", NULL};

static void
test_barriers (void)
{
  g_autoptr (Case) trial = case_new (barriers, NULL);

  check_names (trial->history, "barrier:X", "barrier:X", "generation 0=5, generation 1=3, generation 2=2");
  check_names (trial->history, "auto", "barrier:X", "generation 0=5, generation 1=3, generation 2=2");
  check_refused (trial->history, "barrier", LC_PHASES_ERROR_DEFINITION, "2 barriers");
}

/* What follows an operation is a phase that is named by the next one; the wait belongs to that which ends. */
static void
test_collectives (void)
{
  static const char *const files[] = {"a",
                                      "0 1 lock m 1\n10 50 all-reduce w 0\n60 90 reduce-root w 1\n100 101 unlock m 1\n",
                                      "b", "40 50 all-reduce w 0\n55 58 reduce w 1\n70 71 tag value=1\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (LcPhases) phases = NULL;
  g_autoptr (GArray) rows = NULL;

  check_names (trial->history, "collective:w", "collective:w", "all-reduce w #0=3, reduce w #1=2, w #2=2");
  check_names (trial->history, "object:m", "object:m", "before=0, m #1=7");
  check_names (trial->history, "object:m*", "object:m*", "before=0, version 1=7");
  phases = lc_phases_find (trial->history, LC_TIMELINE_MEASURED, "collective:w", NULL, NULL);
  g_assert_true (lc_phases_has_generations (phases));
  rows = lc_statistics_phases (trial->history, LC_TIMELINE_MEASURED, phases, NULL, NULL);
  g_assert_cmpuint (g_array_index (rows, LcPhaseStatistics, 0).waiting, ==, 30);
  g_assert_cmpuint (g_array_index (rows, LcPhaseStatistics, 0).time, ==, 50);
}

static void
test_rules (void)
{
  static const char rules[] = "[phase turn]\nclass=mutex\nsummary=Turns\noperation=lock\nobject=m\n"
                              "[phase never]\nclass=mutex\nsummary=None\nobject=n\n"
                              "[phase meeting]\nclass=barrier\nsummary=Meetings\n"
                              "number=count\npoint=end\n";
  g_autoptr (Case) trial = case_new (barriers, rules);

  /* The groups are sorted by name: "auto" tries "meeting" first. */
  check_names (trial->history, "auto", "rule:meeting", "before=5, 1=3, 2=2");
  check_names (trial->history, "rule:turn", "rule:turn", "before=1, 1=4, 2=5");
  check_refused (trial->history, "rule:never", LC_PHASES_ERROR_NONE, "“rule:never”");
  check_refused (trial->history, "rule:other", LC_PHASES_ERROR_DEFINITION, "meeting, never, turn");
}

/* Which phases the file keeps now. */
static char *
dup_kept (const LcHistory *history)
{
  g_autoptr (LcHistory) again = lc_history_open (lc_history_get_path (history), NULL);

  g_assert_nonnull (again);
  return lc_history_dup_meta (again, "phases");
}

static void
test_kept (void)
{
  g_autoptr (Case) trial = case_new (marked, NULL);
  g_autofree char *none = dup_kept (trial->history), *first = NULL, *second = NULL;
  g_autoptr (LcPhases) tags = NULL;

  g_assert_null (none);
  tags = lc_phases_find (trial->history, LC_TIMELINE_MEASURED, "tag", NULL, NULL);
  first = dup_kept (trial->history);
  g_assert_cmpstr (first, ==, "tag");
  check_names (trial->history, "region:work", "region:work", "before=6, 1=4, 2=2");
  second = dup_kept (trial->history);
  g_assert_cmpstr (second, ==, "region:work");
  check_names (trial->history, "tag", "tag", "before=2, -5=2, 7=4, 9000000000=4");
}

static void
test_cancelled (void)
{
  g_autoptr (Case) trial = case_new (marked, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (lc_phases_find (trial->history, LC_TIMELINE_MEASURED, "tag", cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (lc_statistics_communication (trial->history, LC_TIMELINE_MEASURED, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* a holds m from 10 to 50, waits within it from 20 to 30, and computes before and after; a tag orders nothing. */
static void
test_communication (void)
{
  static const char *const files[] = {"a",
                                      "0 2 tag value=1\n5 10 lock m 1\n20 35 await A 1\n36 40 tag value=2\n"
                                      "50 52 unlock m 1\n60 70 tag value=3\n",
                                      "b", "0 30 advance A 1\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (GArray) all = lc_statistics_communication (trial->history, LC_TIMELINE_MEASURED, NULL, NULL);
  g_autoptr (LcPhases) phases = lc_phases_find (trial->history, LC_TIMELINE_MEASURED, "tag", NULL, NULL);
  g_autoptr (GArray) by_phase = lc_statistics_phases (trial->history, LC_TIMELINE_MEASURED, phases, NULL, NULL);
  const LcCommunicationStatistics *a = &g_array_index (all, LcCommunicationStatistics, 0);
  const LcPhaseStatistics *rows = (const LcPhaseStatistics *)(const void *)by_phase->data;

  g_assert_cmpuint (a->span, ==, 70);
  g_assert_cmpuint (a->communication, ==, 47); /* 5 to 52 */
  g_assert_cmpuint (a->waiting, ==, 10);
  g_assert_cmpuint (a->transfer, ==, 37);
  g_assert_cmpuint (a->computing, ==, 23);
  g_assert_cmpuint (a[1].communication, ==, 30);
  g_assert_cmpuint (by_phase->len, ==, 8); /* before, 1, 2, 3 */
  g_assert_true (rows[2].phase == 1 && rows[2].process == 0);
  g_assert_cmpuint (rows[2].time, ==, 35);          /* up to the end of the await */
  g_assert_cmpuint (rows[2].communication, ==, 30); /* from 5 on */
  g_assert_cmpuint (rows[2].waiting, ==, 10);
  g_assert_cmpuint (rows[4].time, ==, 17); /* 35 to 52 */
  g_assert_cmpuint (rows[4].communication, ==, 17);
  g_assert_cmpuint (rows[6].time, ==, 18);
  g_assert_cmpuint (rows[6].communication, ==, 0);
  g_assert_cmpuint (rows[6].computing, ==, 18);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/phases/random", test_random);
  g_test_add_func ("/phases/tags", test_tags);
  g_test_add_func ("/phases/refused", test_refused);
  g_test_add_func ("/phases/barriers", test_barriers);
  g_test_add_func ("/phases/collectives", test_collectives);
  g_test_add_func ("/phases/rules", test_rules);
  g_test_add_func ("/phases/kept", test_kept);
  g_test_add_func ("/phases/cancelled", test_cancelled);
  g_test_add_func ("/phases/communication", test_communication);
  return g_test_run ();
}
