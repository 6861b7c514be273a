/* SPDX-License-Identifier: Apache-2.0 */
/* What `lightcone record` prepares, for tests of the recorder's own sources in one program. */
#ifndef LC_TEST_TRACE_FOLDER_H
#define LC_TEST_TRACE_FOLDER_H

#include <stdint.h>

/* Makes what the recorder finds in an empty folder; so many places are free, and nobody empties them. */
void trace_folder_make (const char *folder, uint32_t places);

/* Runs the program anew, recorded into the folder: the recorder begins before main. */
_Noreturn void trace_folder_run_again (const char *folder, char **arguments);

#endif
