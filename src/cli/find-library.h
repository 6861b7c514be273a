/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the recorder's libraries, which programs are started with. */
#ifndef LC_CLI_FIND_LIBRARY_H
#define LC_CLI_FIND_LIBRARY_H

#include <glib.h>

/* The variable names a recorder other than the one that was built or installed with this program. */
#define LC_LIBRARY_ENVIRONMENT "LIGHTCONE_RECORD_LIBRARY"

/* Gives the absolute path. G_FILE_ERROR if there is none, or if no program could be told to load it. */
char *lc_find_library (GError **error);

/* Gives the library for an MPI, `name` ("openmpi"), that belongs to this recorder: beside it, or where it was built.
 * `purpose` is "mpi", for recording, or "profile". */
char *lc_find_mpi_library (const char *recorder, const char *purpose, const char *name, GError **error);

/* Gives the library that replays programs, which lies beside the recorder. */
char *lc_find_replay_library (GError **error);

/* Gives the library that keeps what a program gets from outside, and gives it back. */
char *lc_find_inputs_library (GError **error);

/* Gives the library that lets a program's threads run one at a time. */
char *lc_find_schedule_library (GError **error);

/* Gives the library that `lightcone cc` links into programs: where it was built or installed with this program. */
char *lc_find_blocks_library (GError **error);

#endif
