/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules that commands write, and what they say of one that they are given. */
#ifndef LC_CLI_SCHEDULE_FILE_H
#define LC_CLI_SCHEDULE_FILE_H

#include "lightcone/lock-cycles.h"
#include "lightcone/races.h"

/* Writes the schedule in which the second of a race comes first. The error's message is complete. */
gboolean lc_schedule_file_write_race (LcHistory *history, const char *directory, const char *title,
                                      const LcRacePair *pair, const char *file, GError **error);

/* Writes the schedule in which each of a circle has its lock before another asks for it. */
gboolean lc_schedule_file_write_cycle (LcHistory *history, const char *directory, const char *title,
                                       const LcLockCycle *cycle, const char *file, GError **error);

/* Writes the schedule of a run that failed: threads (struct lc_schedule_thread) and orders (struct lc_schedule_order)
 * are its own, in the order in which they were come to, and the directory is a trace of the same. */
gboolean lc_schedule_file_write_found (const char *directory, const char *title, const char *outcome,
                                       const GArray *threads, const GArray *orders, const char *file, GError **error);

/* Prints, for people, whether each order of a schedule could be in the run. `all` is set to FALSE if one could not. */
gboolean lc_schedule_file_judge (LcHistory *history, const char *file, gboolean *all, GError **error);

#endif
