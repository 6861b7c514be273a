/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a further timeline into a history file, as an approximation does. */
#ifndef ADD_TIMELINE_H
#define ADD_TIMELINE_H

#include "lightcone/timeline.h"
#include "model.h"

/* With the times that the model has, by a sweep of the trace; in place of one that has the name already. */
gboolean add_timeline (const char *path, const char *directory, const Model *model, const char *name, guint32 *number,
                       GError **error);

/* With all that the model has. */
gboolean add_own_timeline (const char *path, const char *directory, const Model *model, const char *name,
                           guint32 *number, GError **error);

#endif
