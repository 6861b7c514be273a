/* SPDX-License-Identifier: Apache-2.0 */
/* The page of an empty window: what the user can do, and the recently opened traces. */
#ifndef LC_APP_WELCOME_H
#define LC_APP_WELCOME_H

#include <adwaita.h>

#define LC_TYPE_WELCOME (lc_welcome_get_type ())
G_DECLARE_FINAL_TYPE (LcWelcome, lc_welcome, LC, WELCOME, AdwBin)

GtkWidget *lc_welcome_new (void);

#endif
