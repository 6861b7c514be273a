/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep that is decided again by a plain approximation, and everything that it has shown. */
#ifndef REDECIDE_CASE_H
#define REDECIDE_CASE_H

#include "analysis/redecide.h"
#include "case.h"

/* Where an arc comes from. */
typedef struct
{
  guint32 process;
  guint64 ordinal;
  LcPoint point;
} SeenArc;

/* An event as it was at its end. */
typedef struct
{
  guint32 origin_process;
  guint64 origin_ordinal;
  guint16 operation;
  guint32 object, peer;
  gint64 sequence;
  guint64 bytes;
  guint64 begin, end; /* approximated */
  guint64 measured_begin, measured_end;
  gboolean decided;
  gboolean is_unknown; /* its partner */
  GArray *arcs;        /* SeenArc */
} Seen;

typedef struct
{
  guint n_processes;
  GPtrArray **seen;      /* by process; Seen */
  LcApproximation found; /* only decided and warnings */
  guint n_sweeps;
} Redecided;

typedef struct
{
  LcModel model;
  LcBlindPolicy blind;
  guint64 tag_overhead; /* after each tag */
  guint64 transit;      /* of a message */
  guint64 wakes;        /* a lock is not handed over: who waits for it needs so long to wake up; 0: it is */
} Wish;

Redecided *redecided_new (const Case *trial, const char *const *rules, const Wish *wish);
void redecided_free (Redecided *redecided);
const Seen *redecided_get (const Redecided *redecided, guint process, guint ordinal);

/* What was decided of an object of this name. */
LcDecided redecided_find (const Redecided *redecided, const Case *trial, const char *object, gboolean work);

/* "OPERATION OBJECT SEQUENCE", "lock L 2". */
char *redecided_dup_text (const Case *trial, const Seen *seen);

/* Expects "0:2 lock L 1 50-60": where the event was measured, what it is, and when. */
void redecided_expect (const Case *trial, const Redecided *result, guint process, guint ordinal, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Redecided, redecided_free)

#endif
