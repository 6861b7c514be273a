/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a further timeline into a history file, as an approximation does. */
#ifndef ADD_TIMELINE_H
#define ADD_TIMELINE_H

#include "model.h"

/* With the times that the model has; in place of one that has the number already. */
void add_timeline (const char *path, const Model *model, guint32 number, const char *name);

#endif
