/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a window that has nothing open: what can be done, and the traces that were opened lately. */
#ifndef LC_APP_WELCOME_H
#define LC_APP_WELCOME_H

#include <adwaita.h>

#define LC_TYPE_WELCOME (lc_welcome_get_type ())
G_DECLARE_FINAL_TYPE (LcWelcome, lc_welcome, LC, WELCOME, AdwBin)

GtkWidget *lc_welcome_new (void);

#endif
