/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of what processes did and waited for: those of `lightcone stats`, and of the browser. */
#ifndef LC_REPORT_STATISTICS_H
#define LC_REPORT_STATISTICS_H

#include "lightcone/sites.h"
#include "report/report.h"

#define LC_SLACK_ANY G_MAXUINT64

typedef struct
{
  guint32 intervals;  /* parts of the time; 0: not given */
  guint64 actual;     /* ns that the run took without the measurement; 0: unknown */
  const char *phases; /* definition of the phases */
  gboolean per_process;
  guint by;                /* which of the words of its `by` */
  guint64 max_slack;       /* ns; LC_SLACK_ANY: not given */
  const char *const *skip; /* sites to take for a library's; or NULL */
  LcFilters filters;       /* which waits */
  const char *filtered;    /* the same in words, in text in the user's language; or NULL */
} LcStatisticsAsked;

/* Returns FALSE with an error if the history cannot be read. */
typedef gboolean (*LcStatisticsShow) (LcReport *report, const LcStatisticsAsked *asked, GError **error);

/* Options that only some of them have. */
typedef enum
{
  LC_STATISTICS_INTERVALS = 1 << 0,
  LC_STATISTICS_ALL = 1 << 1, /* shows all timelines, and --actual is allowed */
  LC_STATISTICS_PHASES = 1 << 2,
  LC_STATISTICS_PER_PROCESS = 1 << 3,
  LC_STATISTICS_SKIP = 1 << 4,
  LC_STATISTICS_MAX_SLACK = 1 << 5,
  LC_STATISTICS_BY = 1 << 6,
  LC_STATISTICS_FILTERS = 1 << 7,
} LcStatisticsOptions;

/* A row of the table from which the command, its help, completion and the browser's menu are made. */
typedef struct
{
  const char *name;
  const char *title; /* to be translated */
  LcStatisticsShow show;
  guint options;         /* LcStatisticsOptions */
  const char *const *by; /* the words of --by, the usual one first, or NULL */
  gsize lines;           /* for people, who have not said how many; 0: all */
} LcStatistics;

/* Ends with a row without a name. */
extern const LcStatistics lc_statistics_table[];

gboolean lc_statistics_show_waiting (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_parallelism (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_objects (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_operations (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_waiting_history (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_parallelism_history (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_matrix (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_communication (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_object_uses (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_processors (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_phases (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_ratio (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_sites (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_blame (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_marks (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_waits (LcReport *report, const LcStatisticsAsked *asked, GError **error);
gboolean lc_statistics_show_single_waits (LcReport *report, const LcStatisticsAsked *asked, GError **error);

/* Says what the filters let through, if any is set. */
void lc_statistics_say_filters (LcReport *report, const LcStatisticsAsked *asked);
gboolean lc_statistics_show_slack (LcReport *report, const LcStatisticsAsked *asked, GError **error);

extern const char *const lc_waits_by_names[]; /* as LcWaitsBy, then event; ends with NULL */
extern const char *const lc_slack_by_names[]; /* as LcSlackBy, then event and arc; ends with NULL */

#endif
