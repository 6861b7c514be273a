/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up other processes in the system's table (/proc). */
#ifndef LC_CLI_PROCESS_TABLE_H
#define LC_CLI_PROCESS_TABLE_H

#include <glib.h>
#include <sys/types.h>

/* Gives the state as ps shows it: 'R', 'S', 'T' (stopped), 'Z' ...; 0: there is no such process. */
char lc_process_state (pid_t process);

/* Returns 0 if there is no such process. */
pid_t lc_process_get_parent (pid_t process);

/* Gives the name of the program that a process runs, cut to 15 bytes; NULL: there is no such process. */
char *lc_process_dup_program (pid_t process);

/* Gives the start time in the system's own unit; together with its number, it identifies a process. 0: there is no such
 * process. */
guint64 lc_process_get_start (pid_t process);

/* Whether `process` is `ancestor` or one of its descendants. */
gboolean lc_process_descends (pid_t process, pid_t ancestor);

/* Whether a process is being recorded into this trace directory (an absolute path). */
gboolean lc_process_is_recorded (pid_t process, const char *directory);

/* Lists those of our descendants (pid_t) that are being recorded into this trace directory. */
GArray *lc_process_list_recorded (const char *directory);

#endif
