/* SPDX-License-Identifier: Apache-2.0 */
/* The file by which `lightcone record --search` and `lightcone replay SCHEDULE` let a program's threads take turns. */
#ifndef LIGHTCONE_SCHEDULE_PLAN_H
#define LIGHTCONE_SCHEDULE_PLAN_H

#include <stdint.h>

/*
 * The program maps the file shared. It begins with the header, followed by the threads, orders and log entries, each at
 * its offset, with room for as many as the header says. One thread runs at a time, from one of its operations to the
 * next; who goes on there is decided by random numbers, or by the orders and else by who has run last.
 */
#define LC_SCHEDULE_MAGIC "LCSCHEDU"
#define LC_SCHEDULE_VERSION 1

/* The path of the file. */
#define LC_SCHEDULE_ENVIRONMENT "LIGHTCONE_SCHEDULE"

#define LC_SCHEDULE_NONE UINT32_MAX

enum lc_schedule_state
{
  LC_SCHEDULE_RUNS,
  LC_SCHEDULE_DEADLOCK, /* all threads wait for each other */
};

/* A thread by how it was made; the program's first one is number 0 and has no creator. The command gives those that
 * orders are of; the program adds the others. */
struct lc_schedule_thread
{
  uint32_t creator; /* number, or LC_SCHEDULE_NONE */
  uint32_t nth;     /* the creator's n-th creation, from 0 on */
};

/* The n-th operation of its kind of a thread, from 0 on. */
struct lc_schedule_point
{
  uint32_t thread;
  uint32_t nth;
  uint32_t operation; /* enum lc_operation */
};

/* The second is not begun before the first is done. */
struct lc_schedule_order
{
  struct lc_schedule_point first, second;
  uint32_t is_done;   /* the first has been done */
  uint32_t is_broken; /* nobody could go on but who waited for this */
};

enum lc_schedule_step
{
  LC_SCHEDULE_COMES,  /* the thread is about to begin the operation, and waits for the turn */
  LC_SCHEDULE_BEGINS, /* it has the turn */
  LC_SCHEDULE_ENDS,
};

struct lc_schedule_entry
{
  struct lc_schedule_point point;
  uint32_t step; /* enum lc_schedule_step */
};

struct lc_schedule_header
{
  char magic[8];
  uint32_t version;
  uint32_t program; /* pid of the one that is scheduled, or 0 */
  uint32_t state;   /* enum lc_schedule_state */
  uint32_t depth;   /* how often the order of priorities is changed on the way */
  uint64_t seed;    /* of the random numbers; 0: nothing is left to chance */
  uint64_t length;  /* operations among which the changes are */
  uint64_t steps;   /* operations that there have been */
  uint32_t n_threads, most_threads;
  uint32_t n_orders, n_broken;
  uint32_t n_entries, most_entries; /* more are counted than have room */
  uint32_t n_outside;               /* how often a thread was somewhere else for so long that others went on */
  uint32_t padding;
  uint64_t threads, orders, entries; /* offsets */
};

#endif
