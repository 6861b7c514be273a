/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all statistics: what is in it is a table of `lightcone stats`, and of the browser. */
#include <glib/gi18n.h>

#include "report/sites.h"
#include "report/statistics.h"

const LcStatistics lc_statistics_table[] = {
    {"waiting", N_ ("Waiting of each process"), lc_statistics_show_waiting, 0, NULL, 200},
    {"waiting-history", N_ ("When processes waited"), lc_statistics_show_waiting_history, LC_STATISTICS_INTERVALS, NULL,
     200},
    {"parallelism", N_ ("Processes running at the same time"), lc_statistics_show_parallelism, 0, NULL, 0},
    {"parallelism-history", N_ ("Processes running at the same time, over time"),
     lc_statistics_show_parallelism_history, LC_STATISTICS_INTERVALS, NULL, 0},
    {"objects", N_ ("Objects, those most waited for first"), lc_statistics_show_objects, 0, NULL, 200},
    {"object-uses", N_ ("What each process did with each object"), lc_statistics_show_object_uses, 0, NULL, 200},
    {"operations", N_ ("Operations, those that took longest first"), lc_statistics_show_operations, 0, NULL, 0},
    {"matrix", N_ ("What went from process to process"), lc_statistics_show_matrix, 0, NULL, 200},
    {"communication", N_ ("Communication of each process, against computing"), lc_statistics_show_communication, 0,
     NULL, 200},
    {"processors", N_ ("Which processor each process was on"), lc_statistics_show_processors, LC_STATISTICS_INTERVALS,
     NULL, 200},
    {"phases", N_ ("What was done in each phase"), lc_statistics_show_phases,
     LC_STATISTICS_PHASES | LC_STATISTICS_PER_PROCESS, NULL, 200},
    {"ratio", N_ ("How long the run took, on each timeline"), lc_statistics_show_ratio, LC_STATISTICS_ALL, NULL, 0},
    {"sites", N_ ("Where processes waited, and made others wait"), lc_statistics_show_sites,
     LC_STATISTICS_SKIP | LC_STATISTICS_BY, lc_sites_by_names, 200},
    {"blame", N_ ("What waits for what"), lc_statistics_show_blame,
     LC_STATISTICS_SKIP | LC_STATISTICS_BY | LC_STATISTICS_FILTERS, lc_sites_by_names, 200},
    {"waits", N_ ("Waits in groups"), lc_statistics_show_waits, LC_STATISTICS_BY | LC_STATISTICS_FILTERS,
     lc_waits_by_names, 200},
    {"slack", N_ ("How much later events could have ended without the run's end moving"), lc_statistics_show_slack,
     LC_STATISTICS_MAX_SLACK | LC_STATISTICS_BY, lc_slack_by_names, 200},
    {"marks", N_ ("What has been marked"), lc_statistics_show_marks, 0, NULL, 200},
    {.name = NULL},
};
