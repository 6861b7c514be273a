/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that have begun and are completed later, by process, object and sequence number. */
#ifndef LC_ANALYSIS_POSTED_H
#define LC_ANALYSIS_POSTED_H

#include "lightcone/rules.h"

typedef struct
{
  LcPosts kind;
  guint32 process;
  guint32 object;
  gint64 sequence;
  gint64 begin;  /* by the formulas */
  gint64 placed; /* on the timeline */
  gint64 measured_begin;
} LcPostedOperation;

typedef struct _LcPosted LcPosted;

LcPosted *lc_posted_new (void);
void lc_posted_free (LcPosted *posted);

void lc_posted_add (LcPosted *posted, const LcPostedOperation *operation);

/* Removes a posted operation; if a send and a receive have the same key, the send first. FALSE: there is none. */
gboolean lc_posted_take (LcPosted *posted, guint32 process, guint32 object, gint64 sequence,
                         LcPostedOperation *operation);

#endif
