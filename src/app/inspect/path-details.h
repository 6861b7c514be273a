/* SPDX-License-Identifier: Apache-2.0 */
/* What the panel of the critical path shows of it: lists of shares, and what it did in each part of the time. */
#ifndef LC_APP_PATH_DETAILS_H
#define LC_APP_PATH_DETAILS_H

#include "app/session/listed.h"
#include "lightcone/critical-path.h"

enum
{
  LC_PATH_BINS = 512,
};

/* ns in each part of the time, by LcCriticalPart. */
typedef struct
{
  guint64 parts[LC_CRITICAL_HOP + 1];
} LcPathBin;

typedef struct
{
  LcPathBin bins[LC_PATH_BINS];
  GPtrArray *shares[LC_CRITICAL_SHARES]; /* LcListed; `number` is the id */
} LcPathDetails;

typedef struct
{
  LcOpened *opened;
  LcKept *path;
  LcCriticalShareKind kind; /* lc_path_longest_find: of this share */
  guint32 id;
} LcPathAsked;

LcPathAsked *lc_path_asked_new (LcOpened *opened, LcKept *path, LcCriticalShareKind kind, guint32 id);
void lc_path_asked_free (gpointer asked);

/* As LcJobWork: LcPathDetails. */
gpointer lc_path_details_new (gpointer asked, gint *done, GCancellable *cancellable, GError **error);
void lc_path_details_free (gpointer details);

/* A part of the path. */
typedef struct
{
  guint32 process; /* LC_TRACE_NONE: there is none */
  guint64 begin;
  guint64 end;
  LcEventName event; /* process LC_TRACE_NONE: it is between events */
} LcPathPart;

/* As LcJobWork: the longest part of a share, an LcPathPart to free with g_free; of a region, where it is entered. */
gpointer lc_path_longest_find (gpointer asked, gint *done, GCancellable *cancellable, GError **error);

#endif
