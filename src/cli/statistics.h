/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats`. */
#ifndef LC_CLI_STATISTICS_H
#define LC_CLI_STATISTICS_H

#include "history/names.h"
#include "lightcone/sites.h"
#include "rows.h"

/* What the rows of `slack` are of; the first four as LcSlackBy. */
typedef enum
{
  LC_SLACK_ROWS_PROCESSES,
  LC_SLACK_ROWS_OBJECTS,
  LC_SLACK_ROWS_OPERATIONS,
  LC_SLACK_ROWS_SITES,
  LC_SLACK_ROWS_EVENTS,
  LC_SLACK_ROWS_ARCS,
} LcSlackRows;

#define LC_SLACK_ANY G_MAXUINT64

typedef struct
{
  LcHistory *history;
  LcNames *names;
  const char *what;
  const char *timeline_name; /* NULL: all timelines are shown */
  guint32 timeline;
  LcFormat format;
  gsize limit;        /* lines of the table */
  guint32 intervals;  /* parts of the time; 0: not given */
  guint64 actual;     /* ns that the run took without the measurement; 0: unknown */
  const char *phases; /* definition of the phases */
  gboolean per_process;
  LcSitesBy by;            /* groups of sites */
  LcWaitsBy waits_by;      /* groups of waits */
  LcSlackRows slack_by;    /* rows of slack */
  guint64 max_slack;       /* ns; LC_SLACK_ANY: not given */
  const char *const *skip; /* sites to take for a library's; or NULL */
} LcStatisticsShow;

/* Each returns FALSE with an error if the history cannot be read. */
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
gboolean lc_statistics_show_sites (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_blame (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_waits (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_slack (const LcStatisticsShow *show, GError **error);

/* Parses "object", "site", "stack" or "process"; NULL: object. FALSE: it is none of them, and the user has been told.
 */
gboolean lc_waits_by_parse (const char *name, LcWaitsBy *by);

/* Parses "process", "object", "operation", "site", "event" or "arc"; NULL: process. FALSE: it is none of them, and the
 * user has been told. */
gboolean lc_slack_by_parse (const char *name, LcSlackRows *by);

/* Shared by all statistics: what comes before the table, and what ends the JSON. Each does nothing in other formats
 * than its own. */
LcJson lc_statistics_begin_json (const LcStatisticsShow *show);
void lc_statistics_end_json (LcJson *json);
void lc_statistics_print_title (const LcStatisticsShow *show, const char *title);

/* Says in text for people why there is no table. */
void lc_statistics_print_nothing (const LcStatisticsShow *show, const char *sentence);

/* Adds two cells for an object: id and name. */
void lc_statistics_add_object (const LcStatisticsShow *show, LcRows *rows, guint32 object);

/* Adds so many empty cells. */
void lc_statistics_add_nothings (LcRows *rows, guint n);

#endif
