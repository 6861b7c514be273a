/* SPDX-License-Identifier: Apache-2.0 */
/* Regions of the program that must not last for longer than a limit: who is in one is told in the control block. */
#ifndef LC_RECORD_REGIONS_H
#define LC_RECORD_REGIONS_H

#include "recorder.h"

/* Returns the number of the limit of regions with this name, from 1; 0: they have none. */
uint32_t lc_region_limit (const char *name);

/* Tell that the process is in a region with this limit, and that it has left it. Signal-safe; no system call. */
void lc_region_enter (const struct lc_thread *thread, uint32_t limit, uint64_t begin);
void lc_region_leave (const struct lc_thread *thread, uint32_t limit, uint64_t end);

/* The process ends: it is in no region any more. */
void lc_region_end (const struct lc_thread *thread);

#endif
