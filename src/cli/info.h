/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of `lightcone info`, and the two ways of showing them. */
#ifndef LC_CLI_INFO_H
#define LC_CLI_INFO_H

#include "lightcone/statistics.h"
#include "lightcone/trace.h"
#include "lightcone/unseen.h"
#include "recover.h"

/* The events that can be read. Without events, begin and end are 0. */
typedef struct
{
  guint64 events;
  guint64 begin; /* begin of the first event, ns */
  guint64 end;   /* end of the last event */
  LcExplained explained;
} LcInfoEvents;

typedef struct
{
  const char *name; /* NULL: unknown */
  guint64 count;
} LcInfoCount;

/* When processes were off their processors. */
typedef struct
{
  guint32 processes;          /* of which that was recorded; 0: of none */
  guint64 absences;           /* how often they were */
  guint64 preempted, blocked; /* ns */
} LcInfoSwitches;

typedef struct
{
  const LcTrace *trace;
  const char *path; /* as the user has named it */
  LcRecoverState state;
  LcInfoEvents all;
  LcInfoEvents *processes; /* by process */
  guint64 *operations;     /* number of events, by operation */
  GArray *classes;         /* LcInfoCount: number of objects, by the name of their class */
  LcTraceLost lost;
  LcInfoSwitches switches;
  guint64 problems;           /* without notes */
  guint64 wrong_times;        /* those of the problems that are times which cannot be right */
  guint ranks;                /* MPI ranks that were recorded; 0: no MPI */
  guint hosts;                /* hosts of all processes; 0: unknown */
  gboolean unaligned;         /* the clocks of some hosts have not been compared with the others' */
  LcParallelism *parallelism; /* NULL: unknown */
  guint64 waiting;            /* sum over all processes; valid if `parallelism` is known, as the next four */
  guint64 woken, preempted, outside;
  guint64 alive;        /* all states together */
  GPtrArray *timelines; /* LcHistoryTimeline; NULL: unknown */
  guint32 sites;        /* places in the code that the trace knows */
  guint32 stacks;       /* places with what called them */
  GPtrArray *modules;   /* LcHistoryModule; NULL: unknown */
} LcInfo;

/* Reads all events of the trace. The trace and `path` must live as long as `info`. */
void lc_info_init (LcInfo *info, LcTrace *trace, const char *path, LcRecoverState state);
void lc_info_clear (LcInfo *info);

/* Adds what only the history knows; nothing if it cannot be read. */
void lc_info_add_history (LcInfo *info, LcHistory *history);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcInfo, lc_info_clear)

/* Gives a setting of the recording from trace.ini, such as "title", "command", "started"; NULL: not set. */
char *lc_info_dup_setting (const LcInfo *info, const char *key);

/* Gives why switches of all or some processes were not recorded, as trace.ini says it; NULL: they were, or nobody
 * tried. */
char *lc_info_dup_no_switches (const LcInfo *info);

/* Gives the topology of the ranks, as trace.ini has it, or NULL. */
char *lc_info_dup_topology (const LcInfo *info);

/* Gives the number of programs that were not recorded because they ran as another user than the trace's owner. */
guint lc_info_get_strangers (const LcInfo *info);

/* Sums what is known of all processes; FALSE: nothing is known of any. `blocked` and `time` are sums of all. */
gboolean lc_info_find_unseen (const LcInfo *info, LcUnseen *sum);

/* Whether the trace is closed and no events were lost. */
gboolean lc_info_is_complete (const LcInfo *info);

char *lc_info_to_text (const LcInfo *info);
char *lc_info_to_json (const LcInfo *info);

#endif
