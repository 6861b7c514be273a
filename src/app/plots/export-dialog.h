/* SPDX-License-Identifier: Apache-2.0 */
/* The dialog that writes a picture to a file, with the same choices as `lightcone export`. */
#ifndef LC_APP_EXPORT_DIALOG_H
#define LC_APP_EXPORT_DIALOG_H

#include <adwaita.h>

#include "app/session/session.h"

#define LC_TYPE_EXPORT_DIALOG (lc_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LcExportDialog, lc_export_dialog, LC, EXPORT_DIALOG, AdwWindow)

/* Shows the dialog over its window, which keeps the choices for the next time. `view` NULL: uses the last choices, and
 * ignores `measure` and `whole`. The file will show what the session shows now. */
void lc_export_dialog_present (GtkWindow *window, LcSession *session, const char *view, const char *measure,
                               const char *frame, gboolean whole);

/* Adds win.export to the class of a browser's window. */
void lc_export_dialog_install_actions (GtkWidgetClass *class);

#endif
