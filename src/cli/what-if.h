/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone what-if`. */
#ifndef LC_CLI_WHAT_IF_H
#define LC_CLI_WHAT_IF_H

#include "lightcone/approximate.h"
#include "lightcone/critical-path.h"
#include "lightcone/sites.h"
#include "history/names.h"
#include "trace/json.h"

typedef struct
{
  LcHistory *history;
  LcNames *names;
  const char *const *scales;     /* as the user has given them */
  const LcApproximation *before; /* NULL: it is the measured run */
  const LcApproximation *after;
  LcCriticalPath *before_path;
  LcCriticalPath *after_path;
  LcSiteGroups *groups; /* lines */
  GPtrArray *pieces;    /* of the paths, between lines; see lc_what_if_find_pieces */
  gsize limit;          /* lines of a table */
  gboolean json;
} LcWhatIfShow;

/* Finds the pieces of both paths, which lead from line to line; none if the history does not say where its events
 * are. Free with g_ptr_array_unref. */
gboolean lc_what_if_find_pieces (LcWhatIfShow *show, GPtrArray **pieces, GError **error);
void lc_what_if_show_pieces (const LcWhatIfShow *show, LcJson *json);

/* Adds a warning to what-if `after` if a good part of its critical path is waited for by time. FALSE with an error of
 * the history. */
gboolean lc_what_if_warn_of_clocks (LcHistory *history, LcCriticalPath *path, LcApproximation *after, GError **error);

void lc_what_if_show (const LcWhatIfShow *show);

#endif
