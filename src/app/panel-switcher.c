/* SPDX-License-Identifier: Apache-2.0 */
/* The switcher above the panels of a side: words, and how much there is to see where that is known. */
#include "app/panel-switcher.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/inspect/problems.h"
#include "app/shown-text.h"
#include "app/wrap-box.h"
#include "trace/quantities.h"

/* A tab belongs to its button, and the button to the switcher. */
typedef struct
{
  const LcPanel *panel;
  GtkStack *stack;
  GtkStackPage *page;
  GtkWidget *button;
  GtkWidget *badge;
} PanelTab;

static void
panel_tab_on_toggled (GtkToggleButton *button, PanelTab *tab)
{
  if (gtk_toggle_button_get_active (button))
    gtk_stack_set_visible_child_name (tab->stack, tab->panel->name);
}

static void
panel_tab_follow (GtkStack *stack, GParamSpec *pspec, GtkWidget *button)
{
  const PanelTab *tab = g_object_get_data (G_OBJECT (button), "lc-tab");
  gboolean chosen = g_strcmp0 (gtk_stack_get_visible_child_name (stack), tab->panel->name) == 0;

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), chosen);
  gtk_accessible_update_state (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_STATE_SELECTED, chosen, -1);
}

/* The tooltip says in words what the badge counts. */
static void
panel_tab_count (GtkWidget *button, LcSession *session)
{
  const PanelTab *tab = g_object_get_data (G_OBJECT (button), "lc-tab");
  guint64 count = tab->panel->count != NULL ? tab->panel->count (session) : 0;
  g_autofree char *number = lc_format_count (count), *text = NULL;

  if (count > 0)
    text = g_strdup_printf ("%s: %s", _ (tab->panel->title), number);
  gtk_widget_set_visible (tab->badge, count > 0);
  lc_label_show (GTK_LABEL (tab->badge), number);
  lc_tooltip_show (button, text != NULL                                        ? text
                           : strcmp (tab->panel->word, tab->panel->title) != 0 ? _ (tab->panel->title)
                                                                               : NULL);
}

static void
panel_switcher_count (GtkWidget *switcher, LcSession *session)
{
  for (GtkWidget *button = gtk_widget_get_first_child (switcher); button != NULL;
       button = gtk_widget_get_next_sibling (button))
    panel_tab_count (button, session);
}

static void
panel_switcher_on_changed (LcSession *session, guint what, GtkWidget *switcher)
{
  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_BOOKMARKS | LC_CHANGED_MARKS)) != 0)
    panel_switcher_count (switcher, session);
}

static void
panel_switcher_on_problems (LcProblems *problems, GtkWidget *switcher)
{
  panel_switcher_count (switcher, g_object_get_data (G_OBJECT (switcher), "lc-session"));
}

static GtkWidget *
panel_switcher_add (GtkWidget *switcher, GtkStack *stack, const LcPanel *panel)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  PanelTab *tab = g_new (PanelTab, 1);

  *tab = (PanelTab){.panel = panel,
                    .stack = stack,
                    .page = gtk_stack_get_page (stack, gtk_stack_get_child_by_name (stack, panel->name)),
                    .button = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "accessible-role", GTK_ACCESSIBLE_ROLE_TAB,
                                            "focus-on-click", FALSE, NULL),
                    .badge = lc_label_new ("")};
  gtk_box_append (GTK_BOX (box), lc_label_new (_ (panel->word)));
  gtk_box_append (GTK_BOX (box), tab->badge);
  gtk_widget_add_css_class (tab->badge, "badge");
  if (panel->warns)
    gtk_widget_add_css_class (tab->badge, "warning-badge");
  gtk_button_set_child (GTK_BUTTON (tab->button), box);
  gtk_button_set_has_frame (GTK_BUTTON (tab->button), FALSE);
  lc_accessible_show (GTK_ACCESSIBLE (tab->button), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (panel->title));
  g_object_set_data_full (G_OBJECT (tab->button), "lc-tab", tab, g_free);
  g_object_bind_property (tab->page, "visible", tab->button, "visible", G_BINDING_SYNC_CREATE);
  g_signal_connect (tab->button, "toggled", G_CALLBACK (panel_tab_on_toggled), tab);
  g_signal_connect_object (stack, "notify::visible-child", G_CALLBACK (panel_tab_follow), tab->button, 0);
  gtk_widget_set_parent (tab->button, switcher);
  return tab->button;
}

GtkWidget *
lc_panel_switcher_new (GtkStack *stack, LcSession *session)
{
  GtkWidget *switcher = lc_wrap_box_new ("panelswitcher", GTK_ACCESSIBLE_ROLE_TAB_LIST), *first = NULL;
  gsize n_panels;
  const LcPanel *panels = lc_panels_get (&n_panels);

  for (gsize i = 0; i < n_panels; i++)
    if (gtk_stack_get_child_by_name (stack, panels[i].name) != NULL)
      {
        GtkWidget *button = panel_switcher_add (switcher, stack, &panels[i]);

        if (first != NULL)
          gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), GTK_TOGGLE_BUTTON (first));
        else
          first = button;
        panel_tab_follow (stack, NULL, button);
      }
  g_object_set_data_full (G_OBJECT (switcher), "lc-session", g_object_ref (session), g_object_unref);
  g_signal_connect_object (session, "changed", G_CALLBACK (panel_switcher_on_changed), switcher, 0);
  g_signal_connect_object (lc_problems_of (session), "changed", G_CALLBACK (panel_switcher_on_problems), switcher, 0);
  panel_switcher_count (switcher, session);
  return switcher;
}
