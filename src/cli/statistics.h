/* SPDX-License-Identifier: Apache-2.0 */
/* What `lightcone stats` shows. */
#ifndef LC_CLI_STATISTICS_H
#define LC_CLI_STATISTICS_H

#include "names.h"
#include "rows.h"

typedef struct
{
  LcHistory *history;
  LcNames *names;
  const char *what;
  const char *timeline_name;
  guint32 timeline;
  LcFormat format;
  gsize limit; /* lines of the table */
} LcStatisticsShow;

/* FALSE when the history cannot be read. */
gboolean lc_statistics_show_waiting (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_parallelism (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_objects (const LcStatisticsShow *show, GError **error);
gboolean lc_statistics_show_operations (const LcStatisticsShow *show, GError **error);

#endif
