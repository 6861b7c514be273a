/* SPDX-License-Identifier: Apache-2.0 */
/* The file of stamps that the calibration's workload leaves. */
#ifndef LC_CALIBRATE_STAMPS_H
#define LC_CALIBRATE_STAMPS_H

#include <stdint.h>

/*
 * A header, then the series one after the other: a struct lc_stamps_series and as many pairs as it says. All stamps are
 * ticks of the recorder's clock, in the byte order of this machine: the file is deleted after the calibration.
 */
#define LC_STAMPS_MAGIC "LCSTAMP1"

enum lc_stamps_kind
{
  LC_STAMPS_CLOCK,   /* two stamps with nothing in between */
  LC_STAMPS_COST,    /* not recorded: two stamps with `repeat` operations in between */
  LC_STAMPS_EVENT,   /* recorded: two stamps with one operation in between */
  LC_STAMPS_LOOP,    /* recorded: `repeat` operations in between, each followed by its partner if there is one */
  LC_STAMPS_AWAKE,   /* from the release on one process to the return on another, which at most spun */
  LC_STAMPS_ASLEEP,  /* the same with a process that slept */
  LC_STAMPS_EXITS,   /* the first and the last of `repeat` processes to leave a barrier */
  LC_STAMPS_WAITED,  /* recorded: as LC_STAMPS_AWAKE; no event lies between the two stamps */
  LC_STAMPS_MESSAGE, /* not recorded: `repeat` messages of `bytes`, each an answer to the one before */
};

struct lc_stamps_header
{
  char magic[8];
  uint32_t series;
  uint32_t bytes; /* size of a struct lc_stamps_series */
};

struct lc_stamps_series
{
  char operation[24];
  char partner[24];   /* or "" */
  char interface[16]; /* "pthread", "library" (record.h), "function", "futex", "trapped", "openmp", "mpi" ... */
  uint32_t kind;      /* enum lc_stamps_kind */
  uint32_t repeat;
  uint32_t batch;   /* number of adjacent pairs whose mean is one sample */
  uint32_t process; /* process in the recording that carried out the first pair's operation; MPI: the rank */
  uint32_t stride;  /* from the process of a pair to that of the next */
  uint32_t count;
  uint32_t bytes;
  uint32_t peer; /* for messages: the other rank */
};

struct lc_stamps_pair
{
  uint64_t before, after;
};

#endif
