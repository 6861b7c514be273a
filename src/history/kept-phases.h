/* SPDX-License-Identifier: Apache-2.0 */
/* The phases that a history keeps: those of the rules, and those that were found last. */
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

/* From this event of a process on, up to the next change. */
typedef struct
{
  guint64 ordinal;
  guint32 phase;
} LcKeptChange;

/* Of the measured timeline. */
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

/* NULL, also without an error: it keeps those of another definition, or none. */
LcKeptPhases *lc_kept_phases_read (LcHistory *history, const char *definition, GError **error);

/* Instead of those that it keeps now. Does not wait for others that are using the file. */
gboolean lc_kept_phases_write (LcHistory *history, const LcKeptPhases *kept, GError **error);

/* LcPhaseRule of the rules that made this history, by name. Free with g_ptr_array_unref. */
GPtrArray *lc_kept_phases_list_rules (LcHistory *history, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcKeptPhases, lc_kept_phases_free)

#endif
