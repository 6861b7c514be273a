/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the variables at addresses, and their members, in debugging information. */
#ifndef LC_WHERE_VARIABLES_H
#define LC_WHERE_VARIABLES_H

#include <elfutils/libdw.h>
#include <glib.h>

#include "where/symbol-table.h"

typedef struct _LcVariables LcVariables;

/* Both must live as long. */
LcVariables *lc_variables_new (LcCodeFile *file, const LcSymbolTable *symbols);
void lc_variables_free (LcVariables *variables);

/* Returns the name of what is at an address: "stats", "pool.queues[2].m"; "pool+40" if no member is known there. NULL:
 * not known. Free the result. */
char *lc_variables_dup_name (const LcVariables *variables, guint64 address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcVariables, lc_variables_free)

#endif
