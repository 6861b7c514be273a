/* SPDX-License-Identifier: Apache-2.0 */
/* What the system's table of processes (/proc) says about others. */
#ifndef LC_CLI_PROCESS_TABLE_H
#define LC_CLI_PROCESS_TABLE_H

#include <glib.h>
#include <sys/types.h>

/* As ps shows it: 'R', 'S', 'T' (stopped), 'Z' ...; 0: there is none. */
char lc_process_state (pid_t process);

/* 0: there is no such process. */
pid_t lc_process_get_parent (pid_t process);

/* The name of the program that it runs, at most 15 bytes of it; NULL: there is no such process. */
char *lc_process_dup_program (pid_t process);

/* When it was started, in the system's own units: with its number, what tells it from all others. 0: there is none. */
guint64 lc_process_get_start (pid_t process);

/* Is `process` this `ancestor`, its child, or a child of its descendants? */
gboolean lc_process_descends (pid_t process, pid_t ancestor);

/* Is this process being recorded into this trace directory (an absolute path)? */
gboolean lc_process_is_recorded (pid_t process, const char *directory);

/* Those of our descendants (pid_t) that are. */
GArray *lc_process_list_recorded (const char *directory);

#endif
