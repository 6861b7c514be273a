/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the tables of modules, sites and stacks, and the names that they give. */
#ifndef LC_HISTORY_DESCRIBE_PLACES_H
#define LC_HISTORY_DESCRIBE_PLACES_H

#include "database.h"
#include "lightcone/where.h"

gboolean lc_describe_places (LcDatabase *database, LcTrace *trace, const LcWhere *where, GError **error);

/* The names of objects, or of processes, as new strings: those of the trace, but where something is told of where they
 * are. No two of a class are the same. */
GPtrArray *lc_describe_name_objects (LcTrace *trace, const LcWhere *where, const GPtrArray *processes);
GPtrArray *lc_describe_name_processes (LcTrace *trace, const LcWhere *where);

/* How the table `stack` tells enum lc_site_kind. FALSE: it does not. */
const char *lc_site_kind_name (enum lc_site_kind kind);
gboolean lc_site_kind_find (const char *name, enum lc_site_kind *kind);

#endif
