/* SPDX-License-Identifier: Apache-2.0 */
/* The file in which the calibration's workload hands over what it has timed. */
#ifndef LC_CALIBRATE_STAMPS_H
#define LC_CALIBRATE_STAMPS_H

#include <stdint.h>

/*
 * A header, then series after series: struct lc_stamps_series and as many pairs as it says. All stamps are ticks of the
 * recorder's clock, in the byte order of this machine: the file lives as long as one calibration.
 */
#define LC_STAMPS_MAGIC "LCSTAMP1"

enum lc_stamps_kind
{
  LC_STAMPS_CLOCK,   /* nothing was done between the two stamps */
  LC_STAMPS_COST,    /* not recorded: `repeat` operations were carried out between the two stamps */
  LC_STAMPS_EVENT,   /* recorded: one operation was */
  LC_STAMPS_LOOP,    /* recorded: `repeat` times the operation, and each time its partner if it has one */
  LC_STAMPS_AWAKE,   /* from the release on one process to the return on another, which spun at most */
  LC_STAMPS_ASLEEP,  /* the same, when the other one had gone to sleep */
  LC_STAMPS_EXITS,   /* the first and the last of `repeat` processes to leave a barrier */
  LC_STAMPS_MESSAGE, /* not recorded: `repeat` messages of `bytes`, each an answer to the one before */
};

struct lc_stamps_header
{
  char magic[8];
  uint32_t series;
  uint32_t bytes; /* of one struct lc_stamps_series */
};

struct lc_stamps_series
{
  char operation[24];
  char partner[24];   /* or "" */
  char interface[16]; /* "pthread", "library" (record.h), "function" or "mpi" */
  uint32_t kind;      /* enum lc_stamps_kind */
  uint32_t repeat;
  uint32_t batch;   /* so many pairs were taken in one go: their mean is one sample */
  uint32_t process; /* of the recording: who carried out the first pair's operation; of MPI's: the rank */
  uint32_t stride;  /* and how far on the next pair's process is */
  uint32_t count;
  uint32_t bytes;
  uint32_t peer; /* a message's: the other rank */
};

struct lc_stamps_pair
{
  uint64_t before, after;
};

#endif
