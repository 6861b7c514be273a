/* SPDX-License-Identifier: Apache-2.0 */
/* Unseen waiting: time blocked that the kernel knows of and no event explains. */
#ifndef LIGHTCONE_UNSEEN_H
#define LIGHTCONE_UNSEEN_H

#include "lightcone/trace.h"

G_BEGIN_DECLS

/* What the events of a process explain. */
typedef struct
{
  guint64 time;  /* ns in which it may have been blocked */
  guint64 waits; /* how many events were long enough for that */
} LcExplained;

/* An event that is shorter has not left its processor. */
#define LC_SHORTEST_WAIT 1000 /* ns */

static inline void
lc_explained_add (LcExplained *explained, guint64 duration)
{
  explained->time += duration;
  explained->waits += duration >= LC_SHORTEST_WAIT;
}

typedef struct
{
  guint64 time;    /* ns */
  guint64 waits;   /* at least: how often it left its processor to wait, less the events that may explain that */
  guint64 blocked; /* ns, explained or not */
} LcUnseen;

/* FALSE: the kernel was not asked, or did not tell. */
gboolean lc_unseen_find (const LcTraceProcess *process, const LcExplained *explained, LcUnseen *unseen);

/* Whether it is more than noise, and more than one part in 20 of the process's life. */
gboolean lc_unseen_matters (const LcTraceProcess *process, const LcUnseen *unseen);

/* The library in which the program is likely to wait unseen, if it has one that is known for that; or NULL. */
const char *lc_unseen_get_library (const LcTrace *trace);

G_END_DECLS

#endif
