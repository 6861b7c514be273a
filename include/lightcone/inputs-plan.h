/* SPDX-License-Identifier: Apache-2.0 */
/* The file by which `lightcone replay` gives a program what it got from outside when it was recorded. */
#ifndef LIGHTCONE_INPUTS_PLAN_H
#define LIGHTCONE_INPUTS_PLAN_H

#include <stdint.h>

/*
 * The program maps the file shared, so that the command sees how far its threads are. The header is followed by the
 * processes, and these by their records (inputs-format.h), each with its bytes.
 */
#define LC_INPUTS_PLAN_MAGIC "LCGIVES"
#define LC_INPUTS_PLAN_VERSION 2

/* The path of the file. */
#define LC_INPUTS_ENVIRONMENT "LIGHTCONE_INPUTS"

/* The path of the library, for a recorder that starts the program: it loads the library behind its own. */
#define LC_INPUTS_LIBRARY_ENVIRONMENT "LIGHTCONE_INPUTS_LIBRARY"

struct lc_inputs_process
{
  uint32_t process; /* of the trace */
  uint32_t is_cut;  /* it may have asked for more after its last record */
  uint64_t first;   /* offset of the first record */
  uint64_t end;     /* of what comes after the last one */
  uint64_t n;       /* records */
  uint64_t done;    /* how many of them were given back */
  uint64_t next;    /* offset of the next one */
  uint32_t awaits;  /* descriptor + 1 that others have to make ready, for which it waits now; 0: it does not */
  uint32_t reserved;
};

struct lc_inputs_plan
{
  char magic[8];
  uint32_t version;
  uint32_t n_processes;
  uint64_t size;       /* of the file */
  uint32_t is_claimed; /* a thread tells how it differs */
  uint32_t differs;    /* the rest is written: index of its process + 1 */
  uint32_t came_call;  /* enum lc_input_call */
  int32_t came_file;
  uint64_t came_asked;
};

#endif
