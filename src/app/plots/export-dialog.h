/* SPDX-License-Identifier: Apache-2.0 */
/* The dialog that writes a picture as a file: what of, what kind, how large; the same as lightcone export. */
#ifndef LC_APP_EXPORT_DIALOG_H
#define LC_APP_EXPORT_DIALOG_H

#include <adwaita.h>

#include "app/session/session.h"

#define LC_TYPE_EXPORT_DIALOG (lc_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LcExportDialog, lc_export_dialog, LC, EXPORT_DIALOG, AdwWindow)

/* Over its window, which keeps what is chosen for the next time. `view` NULL, then `measure` and `whole` do not matter:
 * as the last time. What the session shows now is what is written. */
void lc_export_dialog_present (GtkWindow *window, LcSession *session, const char *view, const char *measure,
                               gboolean whole);

/* win.export, of a browser's window. */
void lc_export_dialog_install_actions (GtkWidgetClass *class);

#endif
