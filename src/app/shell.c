/* SPDX-License-Identifier: Apache-2.0 */
/* The window as features see it: panels, dialogs and actions ask this interface, and do not know the window itself. */
#include "app/shell.h"

#include "app/shown-text.h"

G_DEFINE_INTERFACE (LcShell, lc_shell, GTK_TYPE_WIDGET)

static void
lc_shell_default_init (LcShellInterface *interface)
{
}

LcSession *
lc_shell_get_session (LcShell *shell)
{
  return LC_SHELL_GET_IFACE (shell)->get_session (shell);
}

void
lc_shell_add_toast (LcShell *shell, AdwToast *toast)
{
  LC_SHELL_GET_IFACE (shell)->add_toast (shell, toast);
}

void
lc_shell_tell (LcShell *shell, const char *text)
{
  g_autofree char *escaped = lc_shown_dup_markup (text);

  lc_shell_add_toast (shell, adw_toast_new (escaped));
}

void
lc_shell_show_panel (LcShell *shell, const char *name)
{
  LC_SHELL_GET_IFACE (shell)->show_panel (shell, name);
}

GtkWidget *
lc_shell_get_panel (LcShell *shell, const char *name)
{
  return LC_SHELL_GET_IFACE (shell)->get_panel (shell, name);
}

void
lc_shell_switch_bottom (LcShell *shell, const char *name)
{
  GtkWidget *panel;

  if (lc_session_get_history (lc_shell_get_session (shell)) == NULL)
    return;
  panel = lc_shell_get_panel (shell, name);
  if (gtk_widget_get_mapped (panel))
    lc_shell_show_panel (shell, "plots");
  else
    {
      lc_shell_show_panel (shell, name);
      gtk_widget_grab_focus (panel);
    }
}
