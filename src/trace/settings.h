/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads trace.ini for a recording. */
#ifndef LC_TRACE_SETTINGS_H
#define LC_TRACE_SETTINGS_H

#include "clock.h"
#include "switch-files.h"
#include "folder.h"

/* Makes the settings that are known before the program starts. Free with g_key_file_unref. */
GKeyFile *lc_settings_new (const LcRecordingSettings *settings);

/* Makes the settings of a directory of several hosts: those common to all of them. */
GKeyFile *lc_settings_new_whole (const LcRecordingSettings *settings);

/* Keeps the variables of an environment, but for our own. */
gboolean lc_environment_file_write (const LcFolder *folder, const char *const *environment, GError **error);

void lc_settings_set_clock (GKeyFile *file, enum lc_clock clock, const LcClockStamp *begin, guint64 frequency);

/* FALSE: the file has no clock, or one of a time before the last boot. */
gboolean lc_settings_get_clock (GKeyFile *file, LcClockStamp *begin);

/* Sets the name of the recorded MPI, and the costs of its calls, or NULL. */
void lc_settings_set_mpi (GKeyFile *file, const char *mpi, GKeyFile *calibration);

/* Sets what MPI's ranks have found out: samples of this host's clock, and the topology. */
void lc_settings_set_ranks (GKeyFile *file, const struct lc_control *control);

/* The times in which nothing was recorded, on purpose. `frequency`: ticks a second. */
void lc_settings_set_gaps (GKeyFile *file, const struct lc_control *control, guint64 frequency);

/* Whether all futexes were asked for, and what kept them from being seen. */
void lc_settings_set_futexes (GKeyFile *file, const struct lc_control *control);

/* What the files of switches say. */
void lc_settings_set_switches (GKeyFile *file, const LcSwitchSums *sums);

/* `state` is "ended", "recovered" or "dumped"; `status` as waitpid gives it, or -1. */
void lc_settings_set_result (GKeyFile *file, const char *state, int status, const LcRecordingResult *result);

gboolean lc_settings_write (GKeyFile *file, const LcFolder *folder, GError **error);

/* Reads the settings; empty if there is no file. NULL: the file cannot be read, and should stay as it is. */
GKeyFile *lc_settings_read (const LcFolder *folder, GError **error);

/* Adds ns to the time after the end stamp in an entry "BEFORE;INSIDE;AFTER" or "BEFORE;INSIDE;AFTER;WAIT". NULL: the
 * entry is invalid. */
char *lc_settings_add_overhead (const char *entry, guint64 ns);

#endif
