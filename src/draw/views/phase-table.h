/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the views of phases: an amount of time for each process and phase that is shown. */
#ifndef LC_DRAW_PHASE_TABLE_H
#define LC_DRAW_PHASE_TABLE_H

#include "draw/views/view.h"

typedef enum
{
  LC_PHASE_TRANSFER,
  LC_PHASE_WAITING,
  LC_PHASE_COMMUNICATION,
  LC_PHASE_COMPUTING,
  LC_PHASE_MEASURES,
} LcPhaseMeasure;

extern const LcAmount lc_phase_amounts[LC_PHASE_MEASURES];

typedef struct _LcPhaseTable LcPhaseTable;

/* The rows are the context's processes, in its order. NULL with an error. */
LcPhaseTable *lc_phase_table_new (const LcViewContext *context, GCancellable *cancellable, GError **error);
void lc_phase_table_free (LcPhaseTable *table);

/* Finds a measure by name; NULL names the first, transfer. FALSE with LC_PICTURE_ERROR_OPTION. */
gboolean lc_phase_measure_parse (const char *name, LcPhaseMeasure *measure, GError **error);
const char *lc_phase_measure_get_title (LcPhaseMeasure measure); /* translated */

/* The number of phases shown, at least 1. The part before the first phase is shown only if barriers divide the phases,
 * since it is a phase then. */
guint lc_phase_table_get_n_phases (const LcPhaseTable *table);
guint lc_phase_table_get_n_rows (const LcPhaseTable *table);

/* `phase` counts the phases shown. */
const LcPhase *lc_phase_table_get_phase (const LcPhaseTable *table, guint phase);

/* The names belong to the table: n_phases of phases, n_rows of processes. */
const char *const *lc_phase_table_get_phase_names (const LcPhaseTable *table);
const char *const *lc_phase_table_get_row_names (const LcPhaseTable *table);

guint64 lc_phase_table_get (const LcPhaseTable *table, LcPhaseMeasure measure, guint row, guint phase);
guint64 lc_phase_table_get_events (const LcPhaseTable *table, guint row, guint phase);

/* Gives the title of the axis of phases, such as "Phase (by tag)". Free it with g_free. */
char *lc_phase_table_dup_title (const LcPhaseTable *table);

/* Finds where a scale ends that shows most amounts well: at the largest, unless it is far above the others. `n_above`
 * counts the amounts above the end. Returns at least 1. */
guint64 lc_phase_limit_find (GArray *amounts, guint64 *highest, guint *n_above);

/* Finds the same for all amounts in the table. */
guint64 lc_phase_table_find_limit (const LcPhaseTable *table, LcPhaseMeasure measure, guint64 *highest, guint *n_above);

/* Adds notes that tell what is left out of the phases shown, if anything. */
void lc_phase_table_add_notes (const LcPhaseTable *table, LcFrame *frame);

/* Adds "3 amounts are larger than the scale: up to 4 ms", if there are any. */
void lc_phase_limit_add_note (LcFrame *frame, guint64 highest, guint n_above);

/* Gives the lines of a tooltip: process, phase, and all amounts. Free it with g_free. */
char *lc_phase_table_dup_text (const LcPhaseTable *table, guint row, guint phase);

/* Gives "Transfer took 3 ms in 20 phases, at most 1 ms: of worker 2 in phase 17." Free it with g_free. */
char *lc_phase_table_tell (const LcPhaseTable *table, LcPhaseMeasure measure);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPhaseTable, lc_phase_table_free)

#endif
