/* SPDX-License-Identifier: Apache-2.0 */
/* Random small executions of every class, made so that they could have happened; written as text traces. */
#ifndef RANDOM_HISTORY_H
#define RANDOM_HISTORY_H

#include <glib.h>

#include "random-trials.h"

/* A point that an event must come after: the begin or the end of another one. */
typedef struct
{
  guint process, ordinal;
  gboolean begin;
} RandomSource;

typedef struct
{
  guint64 begin, end;
  const char *operation;
  char object[16];
  gint64 sequence; /* -1: none */
  gboolean
      soft; /* a send that has waited: for its receiver only if that was in time, so its sources depend on clocks */
  gboolean member; /* of a group, whose members come after all of it */
  GArray *sources; /* RandomSource; known from how it was made, not from the rules */
} RandomEvent;

typedef struct
{
  guint n_processes;
  GPtrArray **events; /* by process; RandomEvent */
} RandomHistory;

RandomHistory *random_history_new (guint32 seed, guint n_processes, guint n_steps);
void random_history_free (RandomHistory *history);
/* Sends that have waited are said not to have. */
void random_history_harden (RandomHistory *history);

RandomEvent *random_history_event (const RandomHistory *history, guint process, guint ordinal);

/* Writes it into an empty directory; clocks of different processes are shifted by up to `skew` against each other. */
void random_history_write (const RandomHistory *history, const char *directory, guint64 skew, guint32 seed);

#endif
