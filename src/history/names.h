/* SPDX-License-Identifier: Apache-2.0 */
/* What processes, operations and objects of a history are called. */
#ifndef LC_HISTORY_NAMES_H
#define LC_HISTORY_NAMES_H

#include "lightcone/history.h"

/* Remembers the objects that it has been asked for. Any thread may ask, also at once. */
typedef struct _LcNames LcNames;

LcNames *lc_names_new (LcHistory *history);
void lc_names_free (LcNames *names);

/* NULL for LC_TRACE_NONE, and for what cannot be read. They belong to `names`. */
const char *lc_names_process (LcNames *names, guint32 process);
const char *lc_names_operation (LcNames *names, guint32 operation);
const char *lc_names_operation_class (LcNames *names, guint32 operation);
/* Of collective operations and barriers: the value of an event of theirs is how many take part. */
gboolean lc_names_is_together (LcNames *names, guint32 operation);

/* Whether the value of such an event says how many attempts in a row failed. */
gboolean lc_names_is_try (LcNames *names, guint32 operation);
const char *lc_names_object (LcNames *names, guint32 object);
const char *lc_names_object_class (LcNames *names, guint32 object);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcNames, lc_names_free)

#endif
