/* SPDX-License-Identifier: Apache-2.0 */
/* What the critical path is made of. */
#ifndef LC_REPORT_CRITICAL_PATH_H
#define LC_REPORT_CRITICAL_PATH_H

#include "history/names.h"
#include "lightcone/sites.h"
#include "report/rows.h"

typedef struct
{
  const char *timeline_name;
  guint32 timeline;
  LcFormat format;
  gboolean events; /* the path itself, instead of its shares */
  gboolean sites;  /* its pieces by site, instead of its shares */
  LcSitesBy by;
  const char *const *skip; /* of `sites`: those to take for a library's; or NULL */
  gsize limit;             /* lines of each table */
} LcCriticalPathAsked;

/* Shows the shares of the path, its events, or its pieces; as JSON the shares and what else is asked for. FALSE with an
 * error if they cannot be read. */
gboolean lc_critical_path_show (LcCriticalPath *path, LcHistory *history, const LcCriticalPathAsked *asked,
                                GError **error);

/* Gives its summary, as LcFact: the length, its parts in the order of LcCriticalPart, how much of them the
 * processes did not go on, by why, if there is any, and counts. */
GPtrArray *lc_critical_path_list_facts (const LcCriticalSummary *summary);

/* Says why the path may not tell what made the run so long: it ends with a process that was blocked to its end, or much
 * of it are times in which a process did not go on, and no other process is why. A sentence on each line. NULL: it
 * does. Free with g_free. */
char *lc_critical_path_dup_doubt (const LcCriticalSummary *summary, LcNames *names);

/* Gives the name of a part of the path: "computing" for programs, "between events" for people. */
const char *lc_critical_part_name (LcCriticalPart part, LcFormat format);

/* Gives the key of a kind of shares: "process" and so on. */
const char *lc_critical_share_key (LcCriticalShareKind kind);

/* Gives the name of a share's owner. Time that belongs to nothing has a name only for people. */
const char *lc_critical_share_name (LcNames *names, LcCriticalShareKind kind, guint32 id, LcFormat format);
const char *lc_critical_share_class (LcNames *names, LcCriticalShareKind kind, guint32 id);

#endif
