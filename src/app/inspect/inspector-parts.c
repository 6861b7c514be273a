/* SPDX-License-Identifier: Apache-2.0 */
/* The widgets of the inspector's reports, made anew for each report. */
#include "app/inspect/inspector-parts.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/inspect/place-view.h"
#include "app/marks/event-marks.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

enum
{
  FIRST_LISTED = 50, /* rows of a list; the rest is shown in a window */
  SHORT = 24,        /* characters; a shorter text, such as a number with its unit, is never cut */
};

/* --- Texts ------------------------------------------------------------------------------------------------------- */

static GtkWidget *
inspector_parts_add_label (GtkBox *box, const char *text, const char *class)
{
  GtkWidget *label = lc_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 30);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  gtk_box_append (box, label);
  return label;
}

static GtkBox *
inspector_parts_add_section (GtkBox *box, const char *title)
{
  GtkWidget *section = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  if (title != NULL)
    {
      GtkWidget *label = inspector_parts_add_label (GTK_BOX (section), title, "heading");

      gtk_accessible_update_relation (GTK_ACCESSIBLE (section), GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL, -1);
    }
  gtk_box_append (box, section);
  return GTK_BOX (section);
}

static GtkWidget *
inspector_parts_put_text (GtkGrid *grid, const char *text, int column, int row, const char *const *classes, float align)
{
  GtkWidget *label = lc_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), align);
  if (align > 0 && g_utf8_strlen (text, -1) > SHORT)
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_wrap (GTK_LABEL (label), align <= 0); /* labels must be readable in any language */
  gtk_widget_set_css_classes (label, (const char **)classes);
  gtk_grid_attach (grid, label, column, row, 1, 1);
  return label;
}

static const char *const dim[] = {"dim-label", NULL}, *const number[] = {"numeric", NULL},
                         *const head[] = {"dim-label", "caption", NULL},
                         *const shown_head[] = {"caption-heading", NULL},
                         *const small_number[] = {"numeric", "caption", NULL};

static void
inspector_parts_add_facts (GtkBox *box, const GPtrArray *facts)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  for (guint i = 0; i < facts->len; i++)
    {
      const LcFact *fact = facts->pdata[i];
      GtkWidget *value;

      inspector_parts_put_text (GTK_GRID (grid), fact->label, 0, (int)i, dim, 0);
      value = inspector_parts_put_text (GTK_GRID (grid), fact->value, 1, (int)i, number, 1);
      gtk_widget_set_hexpand (value, TRUE);
      gtk_label_set_selectable (GTK_LABEL (value), TRUE);
      gtk_widget_set_can_focus (value, FALSE);
      lc_tooltip_show (value, fact->hint != NULL ? fact->hint : fact->value);
    }
  gtk_box_append (box, grid);
}

/* --- Lists ------------------------------------------------------------------------------------------------------- */

/* Shows the rest of a list in a window. */
static void
inspector_parts_follow (gpointer owner, LcListed *listed)
{
  lc_session_select (LC_SESSION (owner), listed->event.process, listed->event.ordinal, TRUE);
}

static void
close_with_escape (GtkWidget *window)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (controller),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, controller);
}

static void
inspector_parts_show_all (GtkButton *button, LcSession *session)
{
  GPtrArray *list = g_object_get_data (G_OBJECT (button), "list");
  const char *title = g_object_get_data (G_OBJECT (button), "title");
  GListStore *store = g_list_store_new (LC_TYPE_LISTED);
  GtkWidget *window = adw_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *bar = adw_header_bar_new (), *view;

  lc_listed_fill (store, list);
  view = lc_listed_view_new (G_LIST_MODEL (store), title, inspector_parts_follow, session);
  g_object_set_data_full (G_OBJECT (window), "session", g_object_ref (session), g_object_unref);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), view);
  lc_window_show_title (GTK_WINDOW (window), title);
  gtk_window_set_default_size (GTK_WINDOW (window), 420, 560);
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (button))));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  adw_window_set_content (ADW_WINDOW (window), box);
  close_with_escape (window);
  gtk_window_present (GTK_WINDOW (window));
}

static void
add_more (GtkBox *box, LcSession *session, const char *title, GPtrArray *list)
{
  g_autofree char *count = lc_format_count (list->len - FIRST_LISTED);
  g_autofree char *text = g_strdup_printf (_ ("%s more…"), count);
  GtkWidget *button = gtk_button_new_with_label (text);

  gtk_widget_add_css_class (button, "flat");
  g_object_set_data_full (G_OBJECT (button), "list", g_ptr_array_ref (list), (GDestroyNotify)g_ptr_array_unref);
  g_object_set_data_full (G_OBJECT (button), "title", g_strdup (title), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (inspector_parts_show_all), session, 0);
  gtk_box_append (box, button);
}

static void
add_list (GtkBox *box, LcSession *session, const char *title, GPtrArray *list)
{
  GtkBox *section;

  if (list->len == 0)
    return;
  section = inspector_parts_add_section (box, title);
  for (guint i = 0; i < MIN (list->len, FIRST_LISTED); i++)
    gtk_box_append (section, lc_listed_button_new (session, list->pdata[i]));
  if (list->len > FIRST_LISTED)
    add_more (section, session, title, list);
}

/* --- Timelines --------------------------------------------------------------------------------------------------- */

/* Adds a column for a timeline; the table scrolls if the columns do not fit. */
static void
add_column (GtkGrid *grid, int column, const LcReportTimes *times)
{
  const char *const cells[] = {times->begin, times->end, times->waited, times->change};
  GtkWidget *name = inspector_parts_put_text (grid, times->name, column, 0, times->shown ? shown_head : head, 1);

  lc_tooltip_show (name, times->name);
  gtk_widget_set_hexpand (name, TRUE);
  for (int i = 0; i < (int)G_N_ELEMENTS (cells); i++)
    gtk_label_set_ellipsize (
        GTK_LABEL (inspector_parts_put_text (grid, cells[i] != NULL ? cells[i] : "–", column, 1 + i, small_number, 1)),
        PANGO_ELLIPSIZE_NONE);
}

static void
inspector_parts_add_times (GtkBox *box, const GPtrArray *all)
{
  static const char *const labels[] = {N_ ("Begin"), N_ ("End"), N_ ("Waited"), N_ ("End moved")};
  GtkWidget *grid, *scrolled;

  if (all->len == 0)
    return;
  grid = gtk_grid_new ();
  scrolled = gtk_scrolled_window_new ();
  gtk_grid_set_column_spacing (GTK_GRID (grid), 9);
  inspector_parts_put_text (GTK_GRID (grid), _ ("ns"), 0, 0, head, 0);
  for (int i = 0; i < (int)G_N_ELEMENTS (labels); i++)
    gtk_label_set_ellipsize (GTK_LABEL (inspector_parts_put_text (GTK_GRID (grid), _ (labels[i]), 0, 1 + i, head, 0)),
                             PANGO_ELLIPSIZE_NONE);
  for (guint i = 0; i < all->len; i++)
    add_column (GTK_GRID (grid), 1 + (int)i, all->pdata[i]);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), grid);
  gtk_box_append (inspector_parts_add_section (box, _ ("Measured and approximated")), scrolled);
}

/* --- An event ---------------------------------------------------------------------------------------------------- */

/* Adds a button whose label is cut if it is long, so that the side panel does not become wider. */
static void
add_action (GtkBox *box, const char *text, const char *hint, const char *action)
{
  GtkWidget *button = gtk_button_new (), *label = lc_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_widget_add_css_class (button, "text-button");
  lc_tooltip_show (button, hint);
  lc_accessible_show (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_set_margin_top (button, 4);
  gtk_box_append (box, button);
}

static void
inspector_parts_add_object (GtkBox *box, LcSession *session, const LcEventReport *report)
{
  GtkBox *section;

  if (report->object == NULL)
    return;
  section = inspector_parts_add_section (box, _ ("Its object"));
  inspector_parts_add_label (section, report->object, NULL);
  inspector_parts_add_facts (section, report->about);
  add_action (section, _ ("Only this object"), _ ("Show only what touches the selected event’s object"),
              "win.only-object");
  add_list (box, session, _ ("Events of the same number"), report->members);
}

static void
inspector_parts_add_pending (GtkBox *box, LcSession *session, const LcEventReport *report)
{
  GtkBox *section;

  if (report->pending == NULL)
    return;
  section = inspector_parts_add_section (box, _ ("What never ended"));
  inspector_parts_add_label (section, report->pending, NULL);
  inspector_parts_add_label (section, report->pending_begin, "numeric");
  if (report->pending_place != NULL)
    gtk_box_append (section, lc_place_view_new (session, report->pending_place, FALSE));
}

void
lc_inspector_add_event (GtkBox *box, LcSession *session, const LcEventReport *report)
{
  GtkBox *section = inspector_parts_add_section (box, NULL);

  inspector_parts_add_label (section, report->title, "title-4");
  inspector_parts_add_label (section, report->process, "dim-label");
  inspector_parts_add_facts (inspector_parts_add_section (box, NULL), report->facts);
  gtk_box_append (box, lc_event_marks_new (session, &report->event));
  if (report->place != NULL)
    gtk_box_append (inspector_parts_add_section (box, _ ("Called in")),
                    lc_place_view_new (session, report->place, TRUE));
  section = inspector_parts_add_section (box, _ ("Waiting"));
  inspector_parts_add_label (section, report->waiting, "numeric");
  if (report->released != NULL)
    gtk_box_append (section, lc_listed_button_new (session, report->released));
  if (report->other_place != NULL)
    {
      inspector_parts_add_label (section, _ ("That was called in"), "dim-label");
      gtk_box_append (section, lc_place_view_new (session, report->other_place, FALSE));
    }
  if (report->holders->len > 0)
    inspector_parts_add_facts (inspector_parts_add_section (box, _ ("Held meanwhile by")), report->holders);
  inspector_parts_add_pending (box, session, report);
  inspector_parts_add_times (box, report->times);
  if (report->why_title != NULL)
    inspector_parts_add_facts (inspector_parts_add_section (box, report->why_title), report->why);
  add_list (box, session, _ ("Before it"), report->before);
  add_list (box, session, _ ("After it"), report->after);
  inspector_parts_add_object (box, session, report);
}

void
lc_inspector_add_history (GtkBox *box, const GPtrArray *facts)
{
  GtkBox *section = inspector_parts_add_section (box, NULL);

  inspector_parts_add_label (section, _ ("No event is selected"), "title-4");
  inspector_parts_add_label (
      section,
      _ ("Click an event in the diagram, or move to it with the arrow keys: here stands all that is known of "
         "it, with links to what it waited for and what waited for it."),
      "dim-label");
  if (facts != NULL)
    inspector_parts_add_facts (inspector_parts_add_section (box, _ ("The whole run")), facts);
}

void
lc_inspector_add_relation (GtkBox *box, LcSession *session, const LcRelationReport *report)
{
  GtkBox *section = inspector_parts_add_section (box, _ ("Compared with the pinned event"));

  gtk_box_append (section, lc_listed_button_new (session, report->pinned));
  inspector_parts_add_label (section, report->relation, NULL);
  inspector_parts_add_label (section, report->between, "numeric");
}
