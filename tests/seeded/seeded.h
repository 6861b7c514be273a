/* SPDX-License-Identifier: Apache-2.0 */
/* Small programs, each with one mistake that rarely does harm. */
#ifndef LC_TESTS_SEEDED_H
#define LC_TESTS_SEEDED_H

#include <pthread.h>
#include <stdbool.h>

/* Computes for a while: so long that others mostly come through first. */
void seeded_work (int amount);

/* Runs these at the same time, and waits for their ends. */
void seeded_run (int n, void *(*const routines[]) (void *));

/* Ends the program with status 1 if something is not so. */
void seeded_expect (bool is_so);

typedef void (*SeededProgram) (void);

SeededProgram seeded_find_deadlock (const char *name);
SeededProgram seeded_find_order (const char *name);
SeededProgram seeded_find_atomicity (const char *name);

#endif
