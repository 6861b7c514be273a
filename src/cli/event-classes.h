/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the classes of events to record, as the user gives them. */
#ifndef LC_CLI_EVENT_CLASSES_H
#define LC_CLI_EVENT_CLASSES_H

#include <glib.h>

/*
 * "mutex,barrier" chooses these; "-function,-mark" chooses all but these; the list is read from left to right. NULL
 * chooses all. An unknown name is G_OPTION_ERROR_BAD_VALUE, with a list of the known ones.
 */
gboolean lc_event_classes_parse (const char *list, guint32 *classes, GError **error);

#endif
