/* SPDX-License-Identifier: Apache-2.0 */
/* Every key of the browser: what it does, for the application and for the window that lists them. */
#ifndef LC_APP_SHORTCUTS_H
#define LC_APP_SHORTCUTS_H

#include <gtk/gtk.h>

typedef struct
{
  const char *action;      /* with its target: "win.time::logical"; NULL: the diagram itself listens to the keys */
  const char *accelerator; /* several: separated by spaces */
  const char *group;       /* to be translated, as the title */
  const char *title;
} LcShortcut;

const LcShortcut *lc_shortcuts_get (gsize *n_shortcuts);

/* Gives the application the keys of all actions but letters. */
void lc_shortcuts_install (GtkApplication *application);

/* Gives a window the letters of its actions. They come after what has the focus: where text is typed they are text. */
void lc_shortcuts_add_letters (GtkWidget *window);

#endif
