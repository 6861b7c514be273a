/* SPDX-License-Identifier: Apache-2.0 */
/* What recording costs on this machine: measured once, kept, and measured again when something has changed. */
#ifndef LC_CLI_CALIBRATION_H
#define LC_CLI_CALIBRATION_H

#include <glib.h>

#include "measurement-mpi.h"

int lc_cmd_calibrate (int argc, char **argv);

/*
 * The groups [overhead], [cost] and [barrier] as trace.ini has them, and [machine], which says what they hold for. From
 * the user's cache, when what is there is about this machine, this kernel and this recorder; otherwise, with
 * `measure_if_missing`, it takes a second at most to measure and is kept there. NULL without an error: not known.
 * Free with g_key_file_unref.
 */
GKeyFile *lc_calibration_load (gboolean measure_if_missing, GError **error);

/* The same from a measurement that has been made. */
GKeyFile *lc_calibration_describe (const LcMeasurement *measurement, GError **error);

/* The groups [overhead], [cost] and [communication] of an MPI ("openmpi"), and [machine], if they have been measured
   and kept here. NULL: not known. Free with g_key_file_unref. */
GKeyFile *lc_calibration_load_mpi (const char *mpi);
GKeyFile *lc_calibration_describe_mpi (const LcMpiMeasurement *measurement, const char *mpi, GError **error);

/* Where the cache is: of an MPI, or NULL. */
char *lc_calibration_path (const char *mpi);

/* Makes the folder of `path` if need be. */
gboolean lc_calibration_save (GKeyFile *file, const char *path, GError **error);

#endif
