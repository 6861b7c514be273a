/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the path panel: lists of shares, and the activities of the path in each part of its time. */
#ifndef LC_APP_PATH_DETAILS_H
#define LC_APP_PATH_DETAILS_H

#include "app/session/listed.h"
#include "lightcone/critical-path.h"

enum
{
  LC_PATH_BINS = 512,
  LC_PATH_PLACES = LC_CRITICAL_SHARES, /* a further LcCriticalShareKind, where the history has places */
  LC_PATH_SHARES,
};

/* ns of each LcCriticalPart in one bin of the time. */
typedef struct
{
  guint64 parts[LC_CRITICAL_HOP + 1];
} LcPathBin;

typedef struct
{
  LcPathBin bins[LC_PATH_BINS];
  GPtrArray *shares[LC_PATH_SHARES]; /* LcListed, whose `number` is the id of the share */
  char *doubt;                       /* says why it may not tell what made the run so long, or NULL */
} LcPathDetails;

typedef struct
{
  LcOpened *opened;
  LcKept *path;
  guint kind; /* LcCriticalShareKind or LC_PATH_PLACES: the share for lc_path_longest_find */
  guint32 id;
} LcPathAsked;

LcPathAsked *lc_path_asked_new (LcOpened *opened, LcKept *path, guint kind, guint32 id);
void lc_path_asked_free (gpointer asked);

/* An LcJobWork that returns an LcPathDetails. */
gpointer lc_path_details_new (gpointer asked, gint *done, GCancellable *cancellable, GError **error);
void lc_path_details_free (gpointer details);

/* A stretch of the path on one process. */
typedef struct
{
  guint32 process; /* LC_TRACE_NONE: there is no such stretch */
  guint64 begin;
  guint64 end;
  LcEventName event; /* process LC_TRACE_NONE: between events */
} LcPathPart;

/* An LcJobWork that returns the longest stretch of a share as an LcPathPart, to be freed with g_free; for a region, the
 * place where it is entered. */
gpointer lc_path_longest_find (gpointer asked, gint *done, GCancellable *cancellable, GError **error);

#endif
