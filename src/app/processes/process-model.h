/* SPDX-License-Identifier: Apache-2.0 */
/* The list of processes of a history: its order, its groups, and the shown processes. */
#ifndef LC_APP_PROCESS_MODEL_H
#define LC_APP_PROCESS_MODEL_H

#include <gio/gio.h>

#include "app/processes/process-item.h"
#include "app/session/shown.h"
#include "lightcone/statistics.h"

/*
 * A GListModel of LcProcessItem, without the items that do not match the search text. The model does not know the
 * session: its owner writes each change of the model to the session, and each change of the session to the model.
 */
#define LC_TYPE_PROCESS_MODEL (lc_process_model_get_type ())
G_DECLARE_FINAL_TYPE (LcProcessModel, lc_process_model, LC, PROCESS_MODEL, GObject)

typedef enum
{
  LC_PROCESS_SORT_OWN, /* in the order of the user */
  LC_PROCESS_SORT_NUMBER,
  LC_PROCESS_SORT_NAME,
  LC_PROCESS_SORT_WAITING, /* by share of waiting */
  LC_PROCESS_SORT_BEGIN,
  LC_PROCESS_SORT_EVENTS,
} LcProcessSort;

typedef enum
{
  LC_PROCESS_GROUPING_NONE,
  LC_PROCESS_GROUPING_HOST,
  LC_PROCESS_GROUPING_PREFIX, /* by the name without the number at its end */
} LcProcessGrouping;

LcProcessModel *lc_process_model_new (void);

/* Sets the history; NULL: none. All processes are shown, in their own order. */
void lc_process_model_set_history (LcProcessModel *model, const LcHistory *history);

/* Sets an array of LcWaitingStatistics; NULL: not known. */
void lc_process_model_set_waiting (LcProcessModel *model, const GArray *waiting);

void lc_process_model_sort (LcProcessModel *model, LcProcessSort sort, gboolean descending);
LcProcessSort lc_process_model_get_sort (const LcProcessModel *model);
void lc_process_model_group (LcProcessModel *model, LcProcessGrouping grouping);
void lc_process_model_set_text (LcProcessModel *model, const char *text);
const char *lc_process_model_get_text (const LcProcessModel *model);

/* Marks the process of the selected event; LC_TRACE_NONE: none. */
void lc_process_model_mark (LcProcessModel *model, guint32 process);

/* --- Shown processes --------------------------------------------------------------------------------------------- */

/* Shows or hides items of LcProcessItem; a heading stands for its whole group. */
void lc_process_model_set_ticked (LcProcessModel *model, const GPtrArray *items, gboolean ticked);
void lc_process_model_tick_all (LcProcessModel *model, gboolean ticked);
void lc_process_model_invert (LcProcessModel *model);

/* Shows only these processes, or again those shown before if the list already shows only these. */
void lc_process_model_solo (LcProcessModel *model, const GPtrArray *items);

/* Shows only the processes that match the search text. FALSE: none does, and nothing has changed. */
gboolean lc_process_model_tick_found (LcProcessModel *model);

void lc_process_model_set_collapsed (LcProcessModel *model, LcProcessItem *heading, gboolean collapsed);
void lc_process_model_collapse_all (LcProcessModel *model, gboolean collapsed);

/* Moves processes, or groups with all members, one place up (-1) or down (1). FALSE: there is no room to move. */
gboolean lc_process_model_move (LcProcessModel *model, const GPtrArray *items, int by);

/* Moves processes to the place before or after another one. */
void lc_process_model_move_to (LcProcessModel *model, const GPtrArray *items, LcProcessItem *target, gboolean after);

guint32 lc_process_model_get_n_shown (const LcProcessModel *model);

/* Writes the model's processes and rows to the shown choices. */
void lc_process_model_fill (const LcProcessModel *model, LcShown *shown);

/* Makes the model follow the shown choices. */
void lc_process_model_follow (LcProcessModel *model, const LcShown *shown);

/* Tells whether a process is the item, or belongs to the group that the item is the heading of. */
gboolean lc_process_model_is_of (const LcProcessModel *model, guint32 process, const LcProcessItem *item);

/* Finds the place of a process in the list; FALSE: the process is not listed. */
gboolean lc_process_model_find (const LcProcessModel *model, guint32 process, guint *place);

#endif
