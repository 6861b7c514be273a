/* SPDX-License-Identifier: Apache-2.0 */
/* The list of all processes of a history: in which order, in which groups, and which of them are shown. */
#ifndef LC_APP_PROCESS_MODEL_H
#define LC_APP_PROCESS_MODEL_H

#include <gio/gio.h>

#include "app/processes/process-item.h"
#include "app/session/shown.h"
#include "lightcone/statistics.h"

/*
 * A GListModel of LcProcessItem: what is to be listed, without what does not fit the text that is looked for. It does
 * not know the session: who changes it then fills what is shown, and tells it what others have changed.
 */
#define LC_TYPE_PROCESS_MODEL (lc_process_model_get_type ())
G_DECLARE_FINAL_TYPE (LcProcessModel, lc_process_model, LC, PROCESS_MODEL, GObject)

typedef enum
{
  LC_PROCESS_SORT_OWN, /* as the user has put them */
  LC_PROCESS_SORT_NUMBER,
  LC_PROCESS_SORT_NAME,
  LC_PROCESS_SORT_WAITING, /* by the share of it */
  LC_PROCESS_SORT_BEGIN,
  LC_PROCESS_SORT_EVENTS,
} LcProcessSort;

typedef enum
{
  LC_PROCESS_GROUPING_NONE,
  LC_PROCESS_GROUPING_HOST,
  LC_PROCESS_GROUPING_PREFIX, /* the beginning of the name, up to the number at its end */
} LcProcessGrouping;

LcProcessModel *lc_process_model_new (void);

/* NULL: none. All are shown, in their own order. */
void lc_process_model_set_history (LcProcessModel *model, const LcHistory *history);

/* LcWaitingStatistics; NULL: not known. */
void lc_process_model_set_waiting (LcProcessModel *model, const GArray *waiting);

void lc_process_model_sort (LcProcessModel *model, LcProcessSort sort, gboolean descending);
LcProcessSort lc_process_model_get_sort (const LcProcessModel *model);
void lc_process_model_group (LcProcessModel *model, LcProcessGrouping grouping);
void lc_process_model_set_text (LcProcessModel *model, const char *text);
const char *lc_process_model_get_text (const LcProcessModel *model);

/* The process with the selected event, or LC_TRACE_NONE. */
void lc_process_model_mark (LcProcessModel *model, guint32 process);

/* --- What is shown ----------------------------------------------------------------------------------------------- */

/* LcProcessItem: processes or headings, which stand for all of their group. */
void lc_process_model_set_ticked (LcProcessModel *model, const GPtrArray *items, gboolean ticked);
void lc_process_model_tick_all (LcProcessModel *model, gboolean ticked);
void lc_process_model_invert (LcProcessModel *model);

/* Only these; if that is so already, what was shown before. */
void lc_process_model_solo (LcProcessModel *model, const GPtrArray *items);

/* Only those that fit the text. FALSE: there are none, and nothing is changed. */
gboolean lc_process_model_tick_found (LcProcessModel *model);

void lc_process_model_set_collapsed (LcProcessModel *model, LcProcessItem *heading, gboolean collapsed);
void lc_process_model_collapse_all (LcProcessModel *model, gboolean collapsed);

/* By one place up (-1) or down (1), groups with all that is in them. FALSE: there is none. */
gboolean lc_process_model_move (LcProcessModel *model, const GPtrArray *items, int by);

/* To the place before or after another one. */
void lc_process_model_move_to (LcProcessModel *model, const GPtrArray *items, LcProcessItem *target, gboolean after);

guint32 lc_process_model_get_n_shown (const LcProcessModel *model);

/* Processes and rows, as the model has them. */
void lc_process_model_fill (const LcProcessModel *model, LcShown *shown);

/* Whatever is shown, and in whatever order: the model follows. */
void lc_process_model_follow (LcProcessModel *model, const LcShown *shown);

/* Whether a process is the item, or one of the group that it is the heading of. */
gboolean lc_process_model_is_of (const LcProcessModel *model, guint32 process, const LcProcessItem *item);

/* Where a process is listed; FALSE: it is not. */
gboolean lc_process_model_find (const LcProcessModel *model, guint32 process, guint *place);

#endif
