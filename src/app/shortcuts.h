/* SPDX-License-Identifier: Apache-2.0 */
/* The table of keyboard shortcuts, for the application and for the window that lists them. */
#ifndef LC_APP_SHORTCUTS_H
#define LC_APP_SHORTCUTS_H

#include <gtk/gtk.h>

typedef struct
{
  const char *action;      /* with its target: "win.time::logical"; NULL: the diagram itself handles the keys */
  const char *accelerator; /* separated by spaces if there are several */
  const char *group;       /* to be translated, like the title */
  const char *title;
} LcShortcut;

const LcShortcut *lc_shortcuts_get (gsize *n_shortcuts);

/* Registers the keys of all actions except letters. */
void lc_shortcuts_install (GtkApplication *application);

/* Registers the letters for a window. The focused widget comes first, so letters can be typed into text entries. */
void lc_shortcuts_add_letters (GtkWidget *window);

/* Gives dialogs of a class the keys that all have: Escape closes the dialog, Control-Q ends the browser. A dialog is no
 * window of the application, whose keys it therefore does not know. */
void lc_shortcuts_bind_dialog (GtkWidgetClass *class);

#endif
