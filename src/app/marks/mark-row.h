/* SPDX-License-Identifier: Apache-2.0 */
/* The row of a set of marks: whether it is shown, how it looks, how many there are, and what can be done with it. */
#ifndef LC_APP_MARK_ROW_H
#define LC_APP_MARK_ROW_H

#include <gtk/gtk.h>

#include "app/marks/mark-sets.h"

#define LC_TYPE_MARK_ROW (lc_mark_row_get_type ())
G_DECLARE_FINAL_TYPE (LcMarkRow, lc_mark_row, LC, MARK_ROW, GtkListBoxRow)

GtkWidget *lc_mark_row_new (LcSession *session);
void lc_mark_row_set (LcMarkRow *row, const LcMarkSet *set);

/* Goes to the next mark of the set, or the one before. */
void lc_mark_row_step (LcMarkRow *row, gboolean backwards);

#endif
