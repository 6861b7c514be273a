/* SPDX-License-Identifier: Apache-2.0 */
/* How the benchmarks of the recorder time one small thing. */
#ifndef RECORD_LOOP_H
#define RECORD_LOOP_H

#include <stdint.h>

/* Does the thing `count` times. */
typedef void (*loop_body) (uint64_t count);

/*
 * For a main function with the command line COUNT [THREADS]: each thread carries out the body COUNT times, after a
 * shorter round that is not counted. Prints the time that one of these took, in ns: as a clock shows it, and as the
 * system accounts to the thread (the mean over the threads). Returns the exit status.
 */
int loop_main (int argc, char **argv, loop_body body);

#endif
