/* SPDX-License-Identifier: Apache-2.0 */
/* What a message takes by its bytes and hops, found from messages of many sizes. */
#ifndef LC_CLI_MESSAGE_FIT_H
#define LC_CLI_MESSAGE_FIT_H

#include <glib.h>

typedef struct
{
  guint32 bytes, hops;
  double ns;
} LcMessageSample;

/* startup + bytes * per_byte + hops * per_hop, in ns. */
typedef struct
{
  double startup, per_byte, per_hop;
} LcMessageLine;

typedef struct
{
  guint32 short_below; /* bytes; 0: all are long ones */
  LcMessageLine of_short, of_long;
  double error; /* the middle of how far samples are from it, as a share of themselves */
} LcMessageFit;

double lc_message_line_at (const LcMessageLine *line, guint32 bytes, guint32 hops);

/*
 * The least squares of the relative errors, of short messages and long ones apart, where these sums are least. Samples
 * that are far from all others count less. `samples` (LcMessageSample) are of several sizes, by which they are sorted.
 */
LcMessageFit lc_message_fit (GArray *samples);

#endif
