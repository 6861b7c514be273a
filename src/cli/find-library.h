/* SPDX-License-Identifier: Apache-2.0 */
/* Where the recorder is that a program is started with. */
#ifndef LC_CLI_FIND_LIBRARY_H
#define LC_CLI_FIND_LIBRARY_H

#include <glib.h>

/* Names another recorder than the one that was built or installed with this program. */
#define LC_LIBRARY_ENVIRONMENT "LIGHTCONE_RECORD_LIBRARY"

/* The absolute path. G_FILE_ERROR when there is none, or when no program could be told to load it. */
char *lc_find_library (GError **error);

/* The library for an MPI, `name` ("openmpi"), of this recorder: beside it, or where it was built. `purpose`: "mpi",
 * which records, or "profile". */
char *lc_find_mpi_library (const char *recorder, const char *purpose, const char *name, GError **error);

#endif
