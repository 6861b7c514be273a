/* SPDX-License-Identifier: Apache-2.0 */
/* The phases stored in a history: the rules for phases, and the phases that were found last. */
#ifndef LC_HISTORY_KEPT_PHASES_H
#define LC_HISTORY_KEPT_PHASES_H

#include "lightcone/history.h"

typedef struct
{
  char *name;
  guint64 begin;
  guint64 end;
  guint64 events;
  guint64 first_layer;
  guint64 last_layer;
} LcKeptPhase;

/* The process is in `phase` from event `ordinal` on, up to its next change. */
typedef struct
{
  guint64 ordinal;
  guint32 phase;
} LcKeptChange;

/* The phases found last, on the measured timeline. */
typedef struct
{
  char *definition;
  guint64 behind;
  GArray *phases; /* LcKeptPhase */
  guint32 n_processes;
  GArray **changes; /* by process: LcKeptChange; the first one of a process with events is at ordinal 0 */
} LcKeptPhases;

LcKeptPhases *lc_kept_phases_new (const char *definition, guint32 n_processes);
void lc_kept_phases_free (LcKeptPhases *kept);

/* Reads the stored phases. NULL without an error if there are none, or those of another definition. */
LcKeptPhases *lc_kept_phases_read (LcHistory *history, const char *definition, GError **error);

/* Replaces the stored phases. Does not wait for others that are using the file. */
gboolean lc_kept_phases_write (LcHistory *history, const LcKeptPhases *kept, GError **error);

/* Lists the LcPhaseRule of the rules that made this history, by name. Free with g_ptr_array_unref. */
GPtrArray *lc_kept_phases_list_rules (LcHistory *history, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcKeptPhases, lc_kept_phases_free)

#endif
