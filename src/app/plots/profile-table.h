/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a profile: its routines, or its call paths as a tree. */
#ifndef LC_APP_PROFILE_TABLE_H
#define LC_APP_PROFILE_TABLE_H

#include <gtk/gtk.h>

#include "lightcone/profile.h"

#define LC_TYPE_PROFILE_TABLE (lc_profile_table_get_type ())
G_DECLARE_FINAL_TYPE (LcProfileTable, lc_profile_table, LC, PROFILE_TABLE, GtkWidget)

/* Shows the routines of a process, or with G_MAXUINT of all processes together; or the call paths, below their
 * processes if these are all. The profile must outlive what is shown. */
void lc_profile_table_show (LcProfileTable *table, const LcProfile *profile, guint process, gboolean by_path);

#endif
