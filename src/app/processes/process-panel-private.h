/* SPDX-License-Identifier: Apache-2.0 */
/* Internals shared by the files of the process panel. */
#ifndef LC_APP_PROCESS_PANEL_PRIVATE_H
#define LC_APP_PROCESS_PANEL_PRIVATE_H

#include "app/job.h"
#include "app/processes/process-model.h"
#include "app/processes/process-panel.h"

struct _LcProcessPanel
{
  GtkWidget parent;

  GtkSearchEntry *entry;
  GtkRevealer *found;
  GtkButton *show_found;
  GtkStack *stack;
  GtkListView *list;
  GtkPopoverMenu *menu;
  GtkLabel *summary;

  LcSession *session;
  LcProcessModel *model;
  GtkSelectionModel *selection;
  LcJob *waiting; /* finds out how long each process waits */
  char *sort;     /* name of the order, as in the action's state */
  char *grouping;
  gboolean descending;
  gboolean telling; /* the panel is changing the session, and must not follow that change */
};

/* Makes the factory of the rows, which also handles dragging. */
GtkListItemFactory *_lc_process_panel_create_rows (LcProcessPanel *panel);

/* Returns the selected LcProcessItem in a new array that holds them. */
GPtrArray *_lc_process_panel_get_selected (LcProcessPanel *panel);

/* Returns the items that an action on a row applies to: all selected ones if the row is selected, else the row's
 * own. */
GPtrArray *_lc_process_panel_get_meant (LcProcessPanel *panel, LcProcessItem *item);
void _lc_process_panel_select (LcProcessPanel *panel, const GPtrArray *items);

/* Writes the changed model to the session. */
void _lc_process_panel_tell (LcProcessPanel *panel);

/* Scrolls the diagram to a process, or to the first one of a group. */
void _lc_process_panel_reveal (LcProcessPanel *panel, const LcProcessItem *item);

void _lc_process_panel_install_actions (GtkWidgetClass *class);
gboolean _lc_process_panel_on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
                                   LcProcessPanel *panel);

#endif
