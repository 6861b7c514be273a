/* SPDX-License-Identifier: Apache-2.0 */
/* trace.ini, as the recording writes it. */
#ifndef LC_TRACE_SETTINGS_H
#define LC_TRACE_SETTINGS_H

#include "clock.h"
#include "folder.h"

/* What is known when the program is about to start. Free with g_key_file_unref. */
GKeyFile *lc_settings_new (const LcRecordingSettings *settings);

/* Of a directory for several hosts: what is true of all of them. */
GKeyFile *lc_settings_new_whole (const LcRecordingSettings *settings);

void lc_settings_set_clock (GKeyFile *file, enum lc_clock clock, const LcClockStamp *begin, guint64 frequency);

/* FALSE: the file does not say, or says it of a time before the machine was started anew. */
gboolean lc_settings_get_clock (GKeyFile *file, LcClockStamp *begin);

/* The name of the MPI whose calls were recorded, and what they cost, or NULL. */
void lc_settings_set_mpi (GKeyFile *file, const char *mpi, GKeyFile *calibration);

/* What MPI's ranks have found out: how this host's clock goes, and the topology. */
void lc_settings_set_ranks (GKeyFile *file, const struct lc_control *control);

/* The times in which nothing was recorded, on purpose. `frequency`: ticks a second. */
void lc_settings_set_gaps (GKeyFile *file, const struct lc_control *control, guint64 frequency);

/* `state` is "ended", "recovered" or "dumped"; `status` as waitpid gives it, or -1. */
void lc_settings_set_result (GKeyFile *file, const char *state, int status, const LcRecordingResult *result);

gboolean lc_settings_write (GKeyFile *file, const LcFolder *folder, GError **error);

/* As it is there; empty if there is none. NULL: there is one that cannot be read, and should stay as it is. */
GKeyFile *lc_settings_read (const LcFolder *folder, GError **error);

/* Adds ns to what an entry "BEFORE;INSIDE;AFTER" says of the time after the end stamp. NULL: it makes no sense. */
char *lc_settings_add_overhead (const char *entry, guint64 ns);

#endif
