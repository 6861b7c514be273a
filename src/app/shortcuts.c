/* SPDX-License-Identifier: Apache-2.0 */
/* Every key of the browser: what it does, for the application and for the window that lists them. */
#include "app/shortcuts.h"

#include <glib/gi18n.h>

static const LcShortcut shortcuts[] = {
    {"app.open", "<Control>o", N_ ("General"), N_ ("Open a trace")},
    {"app.quit", "<Control>q", N_ ("General"), N_ ("Quit")},
    {"win.close", "<Control>w", N_ ("General"), N_ ("Close the window")},
    {"win.side::left", "F9", N_ ("General"), N_ ("Show or hide what is shown of the history")},
    {"win.side::right", "<Shift>F9", N_ ("General"), N_ ("Show or hide the inspector")},
    {"win.side::bottom", "<Control>F9", N_ ("General"), N_ ("Show or hide the plots")},
    {"win.time::physical", "<Control>1", N_ ("Time"), N_ ("Physical time")},
    {"win.time::logical", "<Control>2", N_ ("Time"), N_ ("Logical time")},
    {"win.time::phase", "<Control>3", N_ ("Time"), N_ ("Phase time")},
    {"win.orientation", "<Control>r", N_ ("Time"), N_ ("Turn the diagram")},
    {"win.measured", "<Control>m", N_ ("Timelines"), N_ ("Back to what was measured")},
    {"win.back", "<Alt>Left", N_ ("Selection"), N_ ("The event that was selected before")},
    {"win.forward", "<Alt>Right", N_ ("Selection"), N_ ("The event that was selected after that")},
};

const LcShortcut *
lc_shortcuts_get (gsize *n_shortcuts)
{
  *n_shortcuts = G_N_ELEMENTS (shortcuts);
  return shortcuts;
}

void
lc_shortcuts_install (GtkApplication *application)
{
  for (gsize i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    {
      g_auto (GStrv) keys = g_strsplit (shortcuts[i].accelerator, " ", -1);

      if (shortcuts[i].action != NULL)
        gtk_application_set_accels_for_action (application, shortcuts[i].action, (const char *const *)keys);
    }
}
