/* SPDX-License-Identifier: Apache-2.0 */
/* Fits the time of a message by its bytes and hops to messages of many sizes. */
#ifndef LC_CLI_MESSAGE_FIT_H
#define LC_CLI_MESSAGE_FIT_H

#include <glib.h>

typedef struct
{
  guint32 bytes, hops;
  double ns;
} LcMessageSample;

/* The time is startup + bytes * per_byte + hops * per_hop, in ns. */
typedef struct
{
  double startup, per_byte, per_hop;
} LcMessageLine;

typedef struct
{
  guint32 short_below; /* bytes; 0: all messages are long ones */
  LcMessageLine of_short, of_long;
  double error; /* the median distance of samples from the fit, as a share of themselves */
} LcMessageFit;

double lc_message_line_at (const LcMessageLine *line, guint32 bytes, guint32 hops);

/*
 * Fits short and long messages apart, by least squares of the relative errors, with the break that makes their sum
 * least. Samples far from all others count less. `samples` (LcMessageSample) should have several sizes; they are sorted
 * by size.
 */
LcMessageFit lc_message_fit (GArray *samples);

#endif
