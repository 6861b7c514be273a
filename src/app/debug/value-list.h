/* SPDX-License-Identifier: Apache-2.0 */
/* The list of the session's expressions, with what they were at the last stop. */
#ifndef LC_APP_VALUE_LIST_H
#define LC_APP_VALUE_LIST_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* Makes a list that holds the session: each row has an expression, its value and a button that removes both. */
GtkWidget *lc_value_list_new (LcSession *session);

/* Shows the value of an expression, or why it has none. */
void lc_value_list_show (GtkWidget *list, const char *expression, const char *text, gboolean failed);

/* Shows that the values are no longer those of the program. */
void lc_value_list_fade (GtkWidget *list);

#endif
