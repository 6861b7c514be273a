/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a history's processes, operations and objects. */
#ifndef LC_HISTORY_NAMES_H
#define LC_HISTORY_NAMES_H

#include "lightcone/history.h"

/* Caches the objects that were asked for. May be used by several threads at once. */
typedef struct _LcNames LcNames;

LcNames *lc_names_new (LcHistory *history);
void lc_names_free (LcNames *names);
LcHistory *lc_names_get_history (const LcNames *names);

/* NULL for LC_TRACE_NONE, and for names that cannot be read. The texts belong to `names`. */
const char *lc_names_process (LcNames *names, guint32 process);
const char *lc_names_operation (LcNames *names, guint32 operation);
const char *lc_names_operation_class (LcNames *names, guint32 operation);
/* Whether the operation is a collective or a barrier: the value of such an event is the number of members. */
gboolean lc_names_is_together (LcNames *names, guint32 operation);

/* Whether the value of such an event counts failed attempts in a row. */
gboolean lc_names_is_try (LcNames *names, guint32 operation);
const char *lc_names_object (LcNames *names, guint32 object);
const char *lc_names_object_class (LcNames *names, guint32 object);

/* Names that nobody has given begin with the class: "condition 2", "mutex at pigz+0x11000 34". Returns the rest of such
 * a name, so that the class is not said twice, or all of another one. */
const char *lc_names_skip_class (const char *name, const char *class_name);

/* Gives the name of an object in a few letters, where what it is can be seen: without the place in the source that it
 * is named for ("mutex 34"), its folders, and the scopes around it. Free with g_free. */
char *lc_names_dup_short (const char *name, const char *class_name);
/* Formats a point of time with as many digits as the whole run needs. Free with g_free. */
char *lc_history_dup_moment (const LcHistory *history, guint64 ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcNames, lc_names_free)

#endif
