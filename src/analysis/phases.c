/* SPDX-License-Identifier: Apache-2.0 */
/* Phases: the list of them, and the phase of each event. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "history/kept-phases.h"
#include "phases-private.h"

#define BEFORE "before" /* the name of phase 0 */

struct _LcPhases
{
  LcKeptPhases *kept;
  GArray *phases;  /* LcPhase; their names belong to `kept` */
  guint64 *events; /* by process */
  guint64 n_positions;
};

G_DEFINE_QUARK (lc - phases - error - quark, lc_phases_error)

/* --- From parts to phases ---------------------------------------------------------------------------------------- */

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  LcPhaseRank of_a = *(const LcPhaseRank *)a, of_b = *(const LcPhaseRank *)b;

  return of_a < of_b ? -1 : of_a > of_b;
}

/* Lists each rank once, and 0. */
static GArray *
list_ranks (const LcPhaseParts *parts)
{
  const LcPhaseRank before = 0;
  GArray *ranks = g_array_new (FALSE, FALSE, sizeof (LcPhaseRank));
  g_autoptr (GHashTable) known = g_hash_table_new (g_int64_hash, g_int64_equal);

  g_array_append_val (ranks, before);
  for (guint32 i = 0; i < parts->n_processes; i++)
    for (guint k = 0; k < parts->parts[i]->len; k++)
      {
        LcPhasePart *part = &g_array_index (parts->parts[i], LcPhasePart, k);

        if (part->rank != 0 && g_hash_table_add (known, &part->rank))
          g_array_append_val (ranks, part->rank);
      }
  g_array_sort (ranks, compare_ranks);
  return ranks;
}

static guint32
phases_get_rank (const GArray *ranks, LcPhaseRank rank)
{
  guint place = 0;

  g_array_binary_search ((GArray *)ranks, &rank, compare_ranks, &place);
  return place;
}

const char *
lc_phase_get_title (const LcPhase *phase)
{
  return strcmp (phase->name, BEFORE) == 0 ? _ ("before") : phase->name;
}

/* The name is not translated: the history stores it for readers of any language. */
static char *
name_phase (const LcPhaseStart *start, const GArray *ranks, guint32 phase)
{
  LcPhaseRank rank = g_array_index (ranks, LcPhaseRank, phase);
  g_autofree char *word = NULL;

  if (rank == 0 && start->generations && ranks->len > 1)
    rank = g_array_index (ranks, LcPhaseRank, 1) - 1;
  if (rank == 0)
    return g_strdup (BEFORE);
  word = lc_phase_start_dup_word (start, lc_phase_number (rank));
  return g_strdup_printf ("%s%" G_GINT64_FORMAT, word, lc_phase_number (rank));
}

static void
phases_add_part (LcKeptPhase *phase, const LcPhasePart *part, guint64 events)
{
  gboolean first = phase->events == 0;

  phase->begin = first ? part->begin : MIN (phase->begin, part->begin);
  phase->end = MAX (phase->end, part->end);
  phase->first_layer = first ? part->first_layer : MIN (phase->first_layer, part->first_layer);
  phase->last_layer = MAX (phase->last_layer, part->last_layer);
  phase->events += events;
}

static void
phases_add_process (LcKeptPhases *kept, const LcPhaseParts *parts, const GArray *ranks, guint32 process)
{
  const GArray *own = parts->parts[process];

  for (guint k = 0; k < own->len; k++)
    {
      const LcPhasePart *part = &g_array_index (own, LcPhasePart, k);
      guint64 next = k + 1 < own->len ? part[1].ordinal : parts->events[process];
      const LcKeptChange change = {part->ordinal, phases_get_rank (ranks, part->rank)};

      g_array_append_val (kept->changes[process], change);
      phases_add_part (&g_array_index (kept->phases, LcKeptPhase, change.phase), part, next - part->ordinal);
    }
}

static LcKeptPhases *
phases_find (LcPhaseStart *start, guint32 timeline, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcPhaseParts) parts = lc_phase_parts_find (start, timeline, cancellable, error);
  g_autoptr (GArray) ranks = NULL;
  LcKeptPhases *kept;

  if (parts == NULL)
    return NULL;
  ranks = list_ranks (parts);
  if (ranks->len == 1)
    {
      g_set_error (error, LC_PHASES_ERROR, LC_PHASES_ERROR_NONE, _ ("%s: no event begins a phase of “%s”"),
                   lc_history_get_path (start->history), start->definition);
      return NULL;
    }
  kept = lc_kept_phases_new (start->definition, parts->n_processes);
  kept->behind = parts->behind;
  for (guint i = 0; i < ranks->len; i++)
    {
      const LcKeptPhase phase = {.name = name_phase (start, ranks, i)};

      g_array_append_val (kept->phases, phase);
    }
  for (guint32 i = 0; i < parts->n_processes; i++)
    phases_add_process (kept, parts, ranks, i);
  return kept;
}

/* --- The interface ------------------------------------------------------------------------------------------------ */

/* Each phase takes as many positions as it has layers, one phase after the other. */
static void
phases_place (LcPhases *phases)
{
  for (guint i = 0; i < phases->kept->phases->len; i++)
    {
      const LcKeptPhase *kept = &g_array_index (phases->kept->phases, LcKeptPhase, i);
      const LcPhase phase = {kept->name,        kept->begin,      kept->end,          kept->events,
                             kept->first_layer, kept->last_layer, phases->n_positions};

      g_array_append_val (phases->phases, phase);
      if (kept->events > 0)
        phases->n_positions += kept->last_layer - kept->first_layer + 1;
    }
}

static LcPhases *
phases_new (LcHistory *history, guint32 timeline, LcKeptPhases *kept, GError **error)
{
  g_autoptr (LcPhases) phases = g_new0 (LcPhases, 1);

  phases->kept = kept;
  phases->phases = g_array_new (FALSE, FALSE, sizeof (LcPhase));
  phases->events = g_new0 (guint64, MAX (kept->n_processes, 1));
  phases_place (phases);
  for (guint32 i = 0; i < kept->n_processes; i++)
    if (!lc_history_count_events (history, timeline, i, &phases->events[i], error))
      return NULL;
  return g_steal_pointer (&phases);
}

LcPhases *
lc_phases_find (LcHistory *history, guint32 timeline, const char *definition, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcPhaseStart) start = NULL;
  LcKeptPhases *kept = NULL;

  g_return_val_if_fail (history != NULL && definition != NULL, NULL);
  start = strcmp (definition, "auto") == 0 ? lc_phase_start_choose (history, timeline, cancellable, error)
                                           : lc_phase_start_new (history, timeline, definition, cancellable, error);
  if (start == NULL)
    return NULL;
  /* Stored phases that cannot be read are found again, and phases that cannot be stored are found again next time. */
  if (timeline == LC_TIMELINE_MEASURED)
    kept = lc_kept_phases_read (history, start->definition, NULL);
  if (kept == NULL)
    {
      kept = phases_find (start, timeline, cancellable, error);
      if (kept != NULL && timeline == LC_TIMELINE_MEASURED)
        lc_kept_phases_write (history, kept, NULL);
    }
  return kept != NULL ? phases_new (history, timeline, kept, error) : NULL;
}

void
lc_phases_free (LcPhases *phases)
{
  if (phases == NULL)
    return;
  lc_kept_phases_free (phases->kept);
  g_array_unref (phases->phases);
  g_free (phases->events);
  g_free (phases);
}

const char *
lc_phases_get_definition (const LcPhases *phases)
{
  return phases->kept->definition;
}

gboolean
lc_phases_has_generations (const LcPhases *phases)
{
  return g_str_has_prefix (phases->kept->definition, "barrier:") ||
         g_str_has_prefix (phases->kept->definition, "collective:");
}

guint64
lc_phases_get_n_behind (const LcPhases *phases)
{
  return phases->kept->behind;
}

guint32
lc_phases_get_n (const LcPhases *phases)
{
  return phases->phases->len;
}

const LcPhase *
lc_phases_get (const LcPhases *phases, guint32 phase)
{
  g_return_val_if_fail (phase < phases->phases->len, NULL);
  return &g_array_index (phases->phases, LcPhase, phase);
}

guint64
lc_phases_get_first (const LcPhases *phases, guint32 process, guint32 phase)
{
  const GArray *changes;
  guint low = 0, high;

  g_return_val_if_fail (process < phases->kept->n_processes, 0);
  changes = phases->kept->changes[process];
  high = changes->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (changes, LcKeptChange, middle).phase < phase)
        low = middle + 1;
      else
        high = middle;
    }
  return low < changes->len ? g_array_index (changes, LcKeptChange, low).ordinal : phases->events[process];
}

guint32
lc_phases_of (const LcPhases *phases, guint32 process, guint64 ordinal)
{
  const GArray *changes;
  guint low = 0, high;

  g_return_val_if_fail (process < phases->kept->n_processes, 0);
  changes = phases->kept->changes[process];
  high = changes->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (changes, LcKeptChange, middle).ordinal <= ordinal)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? g_array_index (changes, LcKeptChange, low - 1).phase : 0;
}

guint64
lc_phases_get_position (const LcPhases *phases, guint32 phase, guint64 layer)
{
  const LcPhase *found = lc_phases_get (phases, phase);

  g_return_val_if_fail (found != NULL, 0);
  return found->position + (layer - MIN (layer, found->first_layer));
}

guint64
lc_phases_get_n_positions (const LcPhases *phases)
{
  return phases->n_positions;
}
