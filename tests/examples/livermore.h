/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of livermore.c, and what they need of the loop that runs them. */
#ifndef LIVERMORE_H
#define LIVERMORE_H

#include <stdbool.h>

#include "lightcone/record.h"

/* Of kernel 17, which keeps what is independent of a whole strip. */
#define LIVERMORE_MAX_STRIP 64

/* A kernel is one or more loops over elements 0 ... elements - 1, in strips: one strip is one iteration. */
struct livermore_kernel
{
  const char *name;
  long number, loops;
  long (*elements) (void);
  void (*prepare) (long loop);
  void (*iterate) (long i, long first, long end);
  double (*finish) (long loop);         /* returns the result, after the last loop */
  double (*compute_in_sequence) (void); /* the result, as the kernel was published */
};

extern const struct livermore_kernel livermore_kernels[3]; /* 3, 4, 17 */

extern long livermore_length; /* of the arrays */

/* Index i + 1 is advanced when iteration i has left its critical section, and 0 when the loop begins. */
extern struct lc_sync livermore_order;

/* Record a tag after every statement: the number of the iteration times 16, and of the statement. */
extern bool livermore_every_statement;

/* How much longer than it need the independent part takes: that of 3 and 4 is short for a statement of a program. */
extern long livermore_grain;

void livermore_allocate (void);
void livermore_free (void);

#endif
