/* SPDX-License-Identifier: Apache-2.0 */
/* The window as features see it: panels, dialogs and actions ask this interface, and do not know the window itself. */
#ifndef LC_APP_SHELL_H
#define LC_APP_SHELL_H

#include <adwaita.h>

#include "app/session/session.h"

#define LC_TYPE_SHELL (lc_shell_get_type ())
G_DECLARE_INTERFACE (LcShell, lc_shell, LC, SHELL, GtkWidget)

struct _LcShellInterface
{
  GTypeInterface parent;

  LcSession *(*get_session) (LcShell *shell);
  void (*add_toast) (LcShell *shell, AdwToast *toast);
  void (*show_panel) (LcShell *shell, const char *name);
  GtkWidget *(*get_panel) (LcShell *shell, const char *name);
};

/* Returns the session of the window, which holds it. */
LcSession *lc_shell_get_session (LcShell *shell);

/* Shows a sentence for a few seconds. */
void lc_shell_tell (LcShell *shell, const char *text);

/* Shows a toast that may have a button; takes ownership of it. */
void lc_shell_add_toast (LcShell *shell, AdwToast *toast);

/* Opens the side with the panel `name`, shows the panel, and moves the keyboard focus to it. */
void lc_shell_show_panel (LcShell *shell, const char *name);

/* Shows a panel of the bottom side, or the plots again if it is there already; without a history nothing. */
void lc_shell_switch_bottom (LcShell *shell, const char *name);

/* Returns NULL if no panel has that name. */
GtkWidget *lc_shell_get_panel (LcShell *shell, const char *name);

#endif
