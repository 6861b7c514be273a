/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the panel of processes know of each other. */
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
  LcJob *waiting; /* finds out who waits how long */
  char *sort;     /* as the action is told it */
  char *grouping;
  gboolean descending;
  gboolean telling; /* the session is being told: it is not to be followed */
};

/* Rows: what is in them, and what can be dragged where. */
GtkListItemFactory *_lc_process_panel_create_rows (LcProcessPanel *panel);

/* LcProcessItem that are selected in the list, in a new array that holds them. */
GPtrArray *_lc_process_panel_get_selected (LcProcessPanel *panel);

/* Those that a row stands for: itself, or all that are selected if it is one of them. */
GPtrArray *_lc_process_panel_get_meant (LcProcessPanel *panel, LcProcessItem *item);
void _lc_process_panel_select (LcProcessPanel *panel, const GPtrArray *items);

/* The model has been changed: so is what is shown. */
void _lc_process_panel_tell (LcProcessPanel *panel);

/* Scrolls the diagram to a process, or the first one of a group. */
void _lc_process_panel_reveal (LcProcessPanel *panel, const LcProcessItem *item);

void _lc_process_panel_install_actions (GtkWidgetClass *class);
gboolean _lc_process_panel_on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
                                   LcProcessPanel *panel);

#endif
