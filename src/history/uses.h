/* SPDX-License-Identifier: Apache-2.0 */
/* Names of objects that nobody saw being made: after a line that is the same in every run. */
#ifndef LC_HISTORY_USES_H
#define LC_HISTORY_USES_H

#include "lightcone/where.h"

/*
 * Who uses such an object first differs between runs, and so would its name; which lines use it does not, in a program
 * that does the same each time. Of the lines of each object a few are noted: those with the lowest addresses.
 */
typedef struct _LcUses LcUses;

LcUses *lc_uses_new (LcTrace *trace);
void lc_uses_free (LcUses *uses);

/* Notes an event; an operation, object or stack that the trace does not have is ignored. */
void lc_uses_add (LcUses *uses, guint32 process, guint32 operation, guint32 object, guint32 stack);

/* When all events have been noted: names such objects, and sets the order in which objects of one name are numbered. */
void lc_uses_name (const LcUses *uses, LcTrace *trace, LcWhere *where);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcUses, lc_uses_free)

#endif
