/* SPDX-License-Identifier: Apache-2.0 */
/* What `lightcone info` knows of a trace, and the two ways of showing it. */
#ifndef LC_CLI_INFO_H
#define LC_CLI_INFO_H

#include "lightcone/statistics.h"
#include "lightcone/trace.h"
#include "recover.h"

/* Of the events that can be read. Without any, begin and end are 0. */
typedef struct
{
  guint64 events;
  guint64 begin; /* of the first, ns */
  guint64 end;   /* of the last */
} LcInfoEvents;

typedef struct
{
  const char *name; /* NULL: not known */
  guint64 count;
} LcInfoCount;

typedef struct
{
  const LcTrace *trace;
  const char *path; /* as the user has named it */
  LcRecoverState state;
  LcInfoEvents all;
  LcInfoEvents *processes; /* by process */
  guint64 *operations;     /* events, by operation */
  GArray *classes;         /* LcInfoCount: objects, by the names of their classes */
  LcTraceLost lost;
  guint64 problems;           /* besides notes */
  guint ranks;                /* of MPI that recorded; 0: no MPI */
  guint hosts;                /* of all processes; 0: not known */
  gboolean unaligned;         /* clocks of some hosts have not been compared with the others' */
  LcParallelism *parallelism; /* NULL: not known */
  guint64 waiting;            /* of all processes together; known if parallelism is */
  GPtrArray *timelines;       /* LcHistoryTimeline; NULL: not known */
} LcInfo;

/* Reads all events of the trace. It, and `path`, must live as long as `info`. */
void lc_info_init (LcInfo *info, LcTrace *trace, const char *path, LcRecoverState state);
void lc_info_clear (LcInfo *info);

/* What only the history knows; nothing if it cannot be read. */
void lc_info_add_history (LcInfo *info, LcHistory *history);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcInfo, lc_info_clear)

/* What trace.ini says about the recording: "title", "command", "started" ...; NULL: nothing. */
char *lc_info_dup_setting (const LcInfo *info, const char *key);

/* How far the ranks are from each other, as trace.ini says it, or NULL. */
char *lc_info_dup_topology (const LcInfo *info);

/* Programs that were not recorded, since they ran as another user than the trace is of. */
guint lc_info_get_strangers (const LcInfo *info);

/* Closed, and nothing was lost. */
gboolean lc_info_is_complete (const LcInfo *info);

char *lc_info_to_text (const LcInfo *info);
char *lc_info_to_json (const LcInfo *info);

#endif
