/* SPDX-License-Identifier: Apache-2.0 */
/* Which classes of events shall be recorded, as the user says it. */
#ifndef LC_CLI_EVENT_CLASSES_H
#define LC_CLI_EVENT_CLASSES_H

#include <glib.h>

/*
 * "mutex,barrier": these; "-function,-mark": all but these; a list is read from left to right. NULL: all.
 * G_OPTION_ERROR_BAD_VALUE for a name that is none, with the list of those that are.
 */
gboolean lc_event_classes_parse (const char *list, guint32 *classes, GError **error);

#endif
