/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal of a debugged program, where Lightcone was built without VTE: one of the desktop. */
#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/debug/debug-terminal.h"
#include "app/debug/terminal.h"

gboolean
lc_debug_terminal_is_inside (void)
{
  return FALSE;
}

GtkWidget *
lc_debug_terminal_new (LcSession *session, const char *question, const char *const *command, LcDebugTerminalEnded ended,
                       gpointer owner)
{
  GtkWidget *page = adw_status_page_new ();

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "utilities-terminal-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (page), _ ("gdb runs in a terminal of its own"));
  gtk_widget_add_css_class (page, "compact");
  lc_terminal_run (session, question, command);
  return page;
}

/* Its user ends it. */
void
lc_debug_terminal_end (GtkWidget *terminal)
{
}
