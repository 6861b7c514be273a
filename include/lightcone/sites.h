/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics by place in the source: what is done and waited for where, and who is to blame for it. */
#ifndef LIGHTCONE_SITES_H
#define LIGHTCONE_SITES_H

#include "lightcone/compare.h"
#include "lightcone/critical-path.h"
#include "lightcone/history.h"
#include "lightcone/statistics.h"

G_BEGIN_DECLS

/* --- Sites that are not of interest -------------------------------------------------------------------------- */

/* Sites that are taken for a library's, as the author of a program does not want to see them. Each pattern is for the
 * name of a function without its parameters, or the last part of the path of a file or module: `*` stands for any
 * characters, `?` for one. For one thread, and must be freed before the history. */
typedef struct _LcSkippedSites LcSkippedSites;

/* `patterns` ends with NULL, and may be NULL: nothing is skipped. */
LcSkippedSites *lc_skipped_sites_new (LcHistory *history, const char *const *patterns);
void lc_skipped_sites_free (LcSkippedSites *skipped);

/* Whether a pattern matches the site. */
gboolean lc_skipped_sites_has (LcSkippedSites *skipped, const LcHistorySite *site);

/* Gives the site of the innermost frame of a stack (or LC_TRACE_NONE), from there outwards, that is neither a library's
 * nor skipped. If there is none, that of lc_history_get_own_site. */
const LcHistorySite *lc_skipped_sites_get_own (LcSkippedSites *skipped, guint32 stack);

/* Lists the sites of a stack's frames, the innermost first, at most `most` (1 or more): without those that match, and
 * without those of libraries that the process was begun in. If none is left, the own one, which may be NULL. Returns
 * their number. */
guint lc_skipped_sites_list (LcSkippedSites *skipped, guint32 stack, const LcHistorySite **sites, guint most);

/* --- Groups of sites ---------------------------------------------------------------------------------------- */

typedef enum
{
  LC_SITES_BY_SITE, /* a line of the source; without lines a function of a module, or an address in it */
  LC_SITES_BY_FUNCTION,
  LC_SITES_BY_FILE,
  LC_SITES_BY_MODULE,
} LcSitesBy;

/* Groups have numbers, from 0 on, in the order in which they were found. Group 0 is of all that is not known. For one
 * thread, and must be freed before the history. */
typedef struct _LcSiteGroups LcSiteGroups;

LcSiteGroups *lc_site_groups_new (LcHistory *history, LcSitesBy by);
void lc_site_groups_free (LcSiteGroups *groups);

/* Before the first group is found: takes sites that match for a library's, as LcSkippedSites does. */
void lc_site_groups_skip (LcSiteGroups *groups, const char *const *patterns);

/* Finds the group of the own site of a stack (or LC_TRACE_NONE), or makes it. */
guint32 lc_site_groups_find (LcSiteGroups *groups, guint32 stack);

/* Gives the group "(begin)", of which no site is: for what is before the first event of a process. */
guint32 lc_site_groups_get_begin (LcSiteGroups *groups);

/* "put() pipe.cpp:7", "put", "pipe.cpp", or the path of a module; of group 0 "(unknown)". The groups'. */
const char *lc_site_groups_get_name (const LcSiteGroups *groups, guint32 group);

/* Gives what all sites of the group have in common; the rest is NULL, and the line 0. */
LcHistorySite lc_site_groups_get_site (const LcSiteGroups *groups, guint32 group);

/* --- Statistics --------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 group;
  guint32 longest_process;
  guint64 events;
  guint64 time;  /* of the events in total, ns, waiting included */
  guint64 waits; /* number of events that waited */
  guint64 waited;
  guint64 longest;         /* longest wait, ns */
  guint64 longest_ordinal; /* the first event that waited that long, on the lowest process; valid if `waits` is not 0 */
  guint64 made_waits;      /* number of waits of other processes until an event of here */
  guint64 made_wait;       /* how long those waited */
  guint64 whom_waited;     /* of that, in the group that waited most; 0: nobody waited */
  guint32 whom;            /* that group; valid if `made_waits` is not 0 */
  guint64 held;            /* how long objects were held that were taken here */
} LcSiteStatistics;

/* LcSiteStatistics of the groups with events by `waited` + `made_wait`, longest first, then by name, in a new array.
 * Pauses of the recorder itself are left out. Nothing if the history does not say where its events are. */
GArray *lc_statistics_sites (LcHistory *history, guint32 timeline, LcSiteGroups *groups, GCancellable *cancellable,
                             GError **error);

/* Statistics of one group on two sides. A side without events of the group has zeros. */
typedef struct
{
  char *name;     /* of the group */
  char *function; /* that all its sites are in, or NULL */
  LcSiteStatistics sides[2];
} LcComparedSites;

/* LcComparedSites by the difference of `waited` and of `made_wait`, largest first, then by name, in a new array that
 * owns the texts. `skip` is as of lc_site_groups_skip. */
GArray *lc_compare_sites (const LcCompareSide sides[2], LcSitesBy by, const char *const *skip,
                          GCancellable *cancellable, GError **error);

/* --- Blame -------------------------------------------------------------------------------------------------- */

/*
 * A wait is for the last event that the waiting one had to come after. While the process of that event waited itself,
 * it is not to blame: that part of the time goes to what it waited for, and so on. The parts of a wait sum up to it.
 */
typedef struct
{
  guint32 waiter;    /* group, or without groups: stack */
  guint32 blamed;    /* the same; 0, or without groups LC_TRACE_NONE: not known */
  guint32 object;    /* that was waited for, or LC_TRACE_NONE */
  guint64 waits;     /* number of waits with a part here */
  guint64 time;      /* ns */
  guint64 preempted; /* what of that the blamed one had no processor, where switches were recorded */
} LcBlame;

/* LcBlame by time, longest first, then by waiter, blamed and object, in a new array. Of waits that reach out of the
 * time asked for, only the part within it counts; `asked` NULL: all waits. `groups` NULL: stacks. Nothing if the
 * history does not say where its events are. */
GArray *lc_statistics_blame (LcHistory *history, guint32 timeline, const LcWaitsAsked *asked, LcSiteGroups *groups,
                             GCancellable *cancellable, GError **error);

/* The blame on the measured timeline of one history that was found last. A question that is the same is answered
 * without the events; another one takes its place. For any threads. */
typedef struct _LcKeptBlame LcKeptBlame;

LcKeptBlame *lc_kept_blame_new (void);
void lc_kept_blame_free (LcKeptBlame *kept);

/* As lc_statistics_blame without groups. The array may be shared, and must not be changed. */
GArray *lc_kept_blame_find (LcKeptBlame *kept, LcHistory *history, const LcWaitsAsked *asked, GCancellable *cancellable,
                            GError **error);

/* --- Critical path ------------------------------------------------------------------------------------------ */

/* Pieces of the critical path that lead from one group to another on a process. */
typedef struct
{
  LcCriticalPart part;
  guint32 process; /* of a hop: where it leads to */
  guint32 from;    /* computing: of the event before; event: of itself; hop: of what released it */
  guint32 to;      /* computing: of the event after; event: of itself; hop: of what was released */
  guint64 time;    /* ns */
  guint64 visits;  /* number of the pieces */
} LcCriticalSites;

/* For hash tables of pieces: the same part, process, from and to are the same. */
guint lc_critical_sites_hash (gconstpointer piece);
gboolean lc_critical_sites_equal (gconstpointer one, gconstpointer other);

/* LcCriticalSites by time, longest first, in a new array. Their times sum up to the path's length. Before the
 * first event of a process the group is that of the function that it began with, or "(begin)" if it is not known. */
GArray *lc_critical_path_sites (LcCriticalPath *path, LcHistory *history, guint32 timeline, LcSiteGroups *groups,
                                GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcKeptBlame, lc_kept_blame_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSkippedSites, lc_skipped_sites_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSiteGroups, lc_site_groups_free)

G_END_DECLS

#endif
