/* SPDX-License-Identifier: Apache-2.0 */
/* What `lightcone stats` shows. */
#ifndef LC_CLI_STATISTICS_H
#define LC_CLI_STATISTICS_H

#include "history/names.h"
#include "rows.h"

typedef struct
{
  LcHistory *history;
  LcNames *names;
  const char *what;
  const char *timeline_name; /* NULL: it is of all */
  guint32 timeline;
  LcFormat format;
  gsize limit;        /* lines of the table */
  guint32 intervals;  /* of time; 0: the user has not said */
  guint64 actual;     /* how long the run took without the measurement, ns; 0: not known */
  const char *phases; /* their definition */
  gboolean per_process;
} LcStatisticsShow;

/* FALSE when the history cannot be read. */
gboolean lc_statistics_show_waiting (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_parallelism (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_objects (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_operations (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_waiting_history (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_parallelism_history (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_matrix (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_object_uses (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_processors (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_phases (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_ratio (const LcStatisticsShow *show, GError **error);

/* What they have in common: `what` and the timeline before the table, and what ends it. Each does nothing but in the
 * format that it is for. */
LcJson lc_statistics_begin_json (const LcStatisticsShow *show);
void lc_statistics_end_json (LcJson *json);
void lc_statistics_print_title (const LcStatisticsShow *show, const char *title);

/* An object's two cells: id and name. */
void lc_statistics_add_object (const LcStatisticsShow *show, LcRows *rows, guint32 object);

#endif
