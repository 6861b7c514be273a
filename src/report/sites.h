/* SPDX-License-Identifier: Apache-2.0 */
/* Places in the source, as reports show them. */
#ifndef LC_REPORT_SITES_H
#define LC_REPORT_SITES_H

#include "lightcone/sites.h"
#include "report/rows.h"

/* The words of --by, in the order of LcSitesBy; ends with NULL. */
extern const char *const lc_sites_by_names[];

/* Why the history does not say where its events are. */
const char *lc_sites_get_reason (LcHistory *history);

/* Tells the user that reason, and what to do: in text for people, else on
 * standard error. One that has no events at all is told so. */
void lc_sites_tell_none (LcHistory *history, LcFormat format);

/* Whether any process of the history has events. */
gboolean lc_sites_has_events (LcHistory *history);

/* Adds a cell: the text of a site or group. In text for people a long function, which may be NULL, is shortened. */
void lc_sites_add_name (LcRows *rows, const char *text, const char *function);

/* Adds five cells: the text of a group, its function, file, line and module. */
void lc_sites_add_group (LcRows *rows, const LcSiteGroups *groups, guint32 group);

/* Adds the same of a stack's own site. */
void lc_sites_add_own (LcRows *rows, LcHistory *history, guint32 stack);

/* Adds an object with function, file, line and module; NULL: null. */
void lc_sites_add_json (LcJson *json, const char *key, const LcHistorySite *site);

/* Adds "site", such an object, and "stack", a list of such objects, the
 * innermost first. */
void lc_sites_add_stack_json (LcJson *json, LcHistory *history, guint32 stack);

/* Gives " in put() pipe.cpp:7", or an empty text if it is not known. Free with g_free. */
char *lc_sites_describe (LcHistory *history, guint32 stack);

#endif
