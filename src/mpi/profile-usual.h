/* SPDX-License-Identifier: Apache-2.0 */
/* What an operation usually costs, whatever comes between now and then. C11. */
#ifndef LC_MPI_PROFILE_USUAL_H
#define LC_MPI_PROFILE_USUAL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * An operation that members carry out together ends late when any of them is without a processor meanwhile. The
 * scheduler takes a processor away for a time slice, some ms, where such an operation takes some us; a process that
 * waits for the others is who it takes it from. The program would have lost that slice a moment later without the
 * operation, so it is not the operation's cost. How long operations take in which nothing has come between is told by
 * the shortest quarter of the last ones.
 */
enum
{
  LC_USUAL_KEPT = 32, /* lengths that count */
  LC_USUAL_FEW = 4,   /* lengths that tell something */
  LC_USUAL_FAR = 16,  /* what takes so many times as long has been disturbed */
};

/* All 0: nothing is known. */
struct lc_usual
{
  bool is_busy; /* protects these: */
  uint32_t n;
  int64_t lengths[LC_USUAL_KEPT]; /* a ring */

  int64_t found; /* 0: not known */
};

/* Adds a length that has no waiting in it. */
void lc_usual_add (struct lc_usual *usual, int64_t length);

/* Returns the usual length; 0: not known. `first`: how long it took at the program's start, or 0. As far above that as
 * LC_USUAL_FAR says no length is usual. */
int64_t lc_usual_get (const struct lc_usual *usual, int64_t first);

/* Returns the length, or if something has come between the usual one. */
int64_t lc_usual_limit (const struct lc_usual *usual, int64_t first, int64_t length);

#endif
