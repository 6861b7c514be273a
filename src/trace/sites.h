/* SPDX-License-Identifier: Apache-2.0 */
/* The modules, sites and stacks of a trace: those that are equal are one. */
#ifndef LC_TRACE_SITES_H
#define LC_TRACE_SITES_H

#include "lightcone/trace.h"

typedef struct _LcSites LcSites;

LcSites *lc_sites_new (void);
void lc_sites_free (LcSites *sites);

/* These return the number of an equal one that is already there, or add a copy with copies of its strings. What they
 * refer to must be there; so the parent of a stack has a lower number. `build_id` may be NULL. */
guint32 lc_sites_add_module (LcSites *sites, const char *path, const char *build_id);
guint32 lc_sites_add_site (LcSites *sites, const LcTraceSite *site);
guint32 lc_sites_add_stack (LcSites *sites, const LcTraceStack *stack);

/* Copies modules, sites and stacks of another trace, and returns an array: stack there -> stack here. `modules` is
 * the same for modules. Free both with g_free. */
guint32 *lc_sites_copy (LcSites *sites, const LcSites *others, guint32 **modules);

guint32 lc_sites_count_modules (const LcSites *sites);
guint32 lc_sites_count_sites (const LcSites *sites);
guint32 lc_sites_count_stacks (const LcSites *sites);

/* Good until another one is added. */
const LcTraceModule *lc_sites_get_module (const LcSites *sites, guint32 module);
const LcTraceSite *lc_sites_get_site (const LcSites *sites, guint32 site);
const LcTraceStack *lc_sites_get_stack (const LcSites *sites, guint32 stack);

#endif
