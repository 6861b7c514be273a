/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of recording on this machine: measured once, kept, and measured again when the machine has changed. */
#ifndef LC_CLI_CALIBRATION_H
#define LC_CLI_CALIBRATION_H

#include <glib.h>

#include "measurement-mpi.h"

/* A share of the processors: if other programs had more of them while it was measured, a calibration may be wrong. */
#define LC_CALIBRATION_BUSY 0.2

int lc_cmd_calibrate (int argc, char **argv);

/*
 * Gives the groups [overhead], [cost] and [barrier] as trace.ini has them, and [machine], which says what they hold
 * for. They are taken from the user's cache if that is about this machine, this kernel and this recorder. Otherwise,
 * with `measure_if_missing`, they are measured, which takes a second, or some on a busy machine, and kept there; also
 * if they are older than ten minutes and the machine was busy then. `tell`, if it is not NULL, is called before that.
 * NULL without an error: not known. Free it with g_key_file_unref.
 */
GKeyFile *lc_calibration_load (gboolean measure_if_missing, void (*tell) (void), GError **error);

/* Gives the same groups for a measurement. */
GKeyFile *lc_calibration_describe (const LcMeasurement *measurement, GError **error);

/* Gives the groups [overhead], [cost] and [communication] of an MPI ("openmpi"), and [machine], if they have been
 * measured and kept here. NULL: not known. Free it with g_key_file_unref. */
GKeyFile *lc_calibration_load_mpi (const char *mpi);
GKeyFile *lc_calibration_describe_mpi (const LcMpiMeasurement *measurement, const char *mpi, GError **error);

/* Gives the path of the cache; `mpi` may be NULL. */
char *lc_calibration_path (const char *mpi);

/* Writes the file, after making the folder of `path` if it is missing. */
gboolean lc_calibration_save (GKeyFile *file, const char *path, GError **error);

#endif
