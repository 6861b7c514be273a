/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the lists in panels: an event, a share or a problem, each with the place that it leads to. */
#include "app/session/listed.h"

#include "app/shown-text.h"

G_DEFINE_FINAL_TYPE (LcListed, lc_listed, G_TYPE_OBJECT)

static void
lc_listed_finalize (GObject *object)
{
  LcListed *listed = LC_LISTED (object);

  g_free (listed->title);
  g_free (listed->detail);
  g_free (listed->amount);
  g_free (listed->place);
  g_free (listed->exact);
  g_free (listed->hint);
  g_clear_pointer (&listed->inner, g_array_unref);
  G_OBJECT_CLASS (lc_listed_parent_class)->finalize (object);
}

static void
lc_listed_class_init (LcListedClass *class)
{
  G_OBJECT_CLASS (class)->finalize = lc_listed_finalize;
}

static void
lc_listed_init (LcListed *listed)
{
  listed->share = -1;
  listed->event.process = LC_TRACE_NONE;
}

LcListed *
lc_listed_new (char *title, char *detail, char *amount)
{
  LcListed *listed = g_object_new (LC_TYPE_LISTED, NULL);

  listed->title = title;
  listed->detail = detail;
  listed->amount = amount;
  return listed;
}

char *
lc_listed_dup_text (const LcListed *listed)
{
  GString *text = g_string_new (listed->title);

  if (listed->amount != NULL)
    g_string_append_printf (text, ", %s", listed->amount);
  if (listed->detail != NULL)
    g_string_append_printf (text, ", %s", listed->detail);
  if (listed->place != NULL)
    g_string_append_printf (text, ", %s", listed->place);
  return g_string_free (text, FALSE);
}

void
lc_listed_fill (GListStore *store, GPtrArray *listed)
{
  g_list_store_splice (store, 0, g_list_model_get_n_items (G_LIST_MODEL (store)), listed->pdata, listed->len);
}

/* --- A row ------------------------------------------------------------------------------------------------------- */

#define LC_TYPE_LISTED_ROW (lc_listed_row_get_type ())
G_DECLARE_FINAL_TYPE (LcListedRow, lc_listed_row, LC, LISTED_ROW, GtkBox)

struct _LcListedRow
{
  GtkBox parent;

  GtkWidget *icon;
  GtkLabel *title;
  GtkLabel *place;
  GtkLabel *detail;
  GtkLabel *amount;
  double share;
};

G_DEFINE_FINAL_TYPE (LcListedRow, lc_listed_row, GTK_TYPE_BOX)

static void
lc_listed_row_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  LcListedRow *row = LC_LISTED_ROW (widget);
  double width = gtk_widget_get_width (widget), length = width * CLAMP (row->share, 0, 1);
  gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  graphene_rect_t bar =
      GRAPHENE_RECT_INIT (rtl ? (float)(width - length) : 0, gtk_widget_get_height (widget) + 1, (float)length, 2);
  GdkRGBA color;

  if (row->share > 0 && gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "accent_color", &color))
    gtk_snapshot_append_color (snapshot, &color, &bar);
  GTK_WIDGET_CLASS (lc_listed_row_parent_class)->snapshot (widget, snapshot);
}

static void
lc_listed_row_class_init (LcListedRowClass *class)
{
  GTK_WIDGET_CLASS (class)->snapshot = lc_listed_row_snapshot;
}

static GtkLabel *
listed_add_label (GtkWidget *box, const char *const *classes)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_css_classes (label, (const char **)classes);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static void
lc_listed_row_init (LcListedRow *row)
{
  static const char *const plain[] = {NULL}, *const small[] = {"dim-label", "caption", "numeric", NULL},
                           *const place[] = {"caption", NULL}, *const number[] = {"numeric", NULL};
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_set_spacing (GTK_BOX (row), 6);
  gtk_widget_add_css_class (GTK_WIDGET (row), "listed");
  row->icon = gtk_image_new ();
  gtk_box_append (GTK_BOX (row), row->icon);
  row->title = listed_add_label (texts, plain);
  row->place = listed_add_label (texts, place);
  gtk_label_set_ellipsize (row->place, PANGO_ELLIPSIZE_MIDDLE); /* the line is at the end */
  row->detail = listed_add_label (texts, small);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (texts, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (row), texts);
  row->amount = listed_add_label (GTK_WIDGET (row), number);
  gtk_label_set_ellipsize (row->amount, PANGO_ELLIPSIZE_NONE);
  gtk_label_set_xalign (row->amount, 1);
}

GtkWidget *
lc_listed_row_new (void)
{
  return g_object_new (LC_TYPE_LISTED_ROW, NULL);
}

static void
set_label (GtkLabel *label, const char *text)
{
  lc_label_show (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL);
}

static void
set_lines (GtkLabel *label, int lines)
{
  gtk_label_set_wrap (label, lines > 1);
  gtk_label_set_wrap_mode (label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (label, lines);
}

void
lc_listed_row_set (GtkWidget *widget, const LcListed *listed)
{
  LcListedRow *row = LC_LISTED_ROW (widget);
  g_autofree char *text = lc_listed_dup_text (listed);
  g_autoptr (GString) whole = g_string_new (listed->title);

  if (listed->place != NULL)
    g_string_append_printf (whole, "\n%s", listed->place);
  if (listed->detail != NULL)
    g_string_append_printf (whole, "\n%s", listed->detail);
  if (listed->exact != NULL)
    g_string_append_printf (whole, "\n%s", listed->exact);
  gtk_widget_set_visible (row->icon, listed->icon != NULL);
  if (listed->icon != NULL)
    gtk_image_set_from_icon_name (GTK_IMAGE (row->icon), listed->icon);
  set_label (row->title, listed->title);
  set_label (row->place, listed->place);
  set_label (row->detail, listed->detail);
  set_lines (row->title, listed->wraps ? 4 : 1);
  set_lines (row->detail, listed->wraps ? 4 : 1);
  set_label (row->amount, listed->amount);
  row->share = listed->share;
  lc_tooltip_show (widget, listed->hint != NULL ? listed->hint : whole->str);
  lc_accessible_show (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, text);
  gtk_widget_queue_draw (widget);
}

/* --- A row to click ---------------------------------------------------------------------------------------------- */

static void
select_event (GtkButton *button, LcSession *session)
{
  const LcListed *listed = g_object_get_data (G_OBJECT (button), "listed");

  lc_session_select (session, listed->event.process, listed->event.ordinal, TRUE);
}

GtkWidget *
lc_listed_button_new (LcSession *session, LcListed *listed)
{
  GtkWidget *row = lc_listed_row_new (), *button;
  g_autofree char *text = lc_listed_dup_text (listed);

  lc_listed_row_set (row, listed);
  if (listed->event.process == LC_TRACE_NONE)
    return row;
  button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (button), row);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "link-row");
  g_object_set_data_full (G_OBJECT (button), "listed", g_object_ref (listed), g_object_unref);
  g_signal_connect_object (button, "clicked", G_CALLBACK (select_event), session, 0);
  lc_accessible_show (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text);
  return button;
}

/* --- A list ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  LcListedChosen chosen;
  gpointer owner;
} Choosing;

/* The menu of a list's rows, in the data of the list. */
typedef struct
{
  LcListedMenu menu;
  gpointer owner;
} ListedMenu;

static void
listed_pop_up (GtkWidget *row, double x, double y)
{
  GtkWidget *list = gtk_widget_get_ancestor (row, GTK_TYPE_LIST_VIEW);
  const ListedMenu *menu = list != NULL ? g_object_get_data (G_OBJECT (list), "menu") : NULL;
  LcListed *listed = g_object_get_data (G_OBJECT (row), "listed");

  if (menu != NULL && listed != NULL)
    menu->menu (menu->owner, listed, row, x, y);
}

static void
listed_on_menu (GtkGestureClick *click, int n_press, double x, double y, GtkWidget *row)
{
  listed_pop_up (row, x, y);
}

static gboolean
listed_on_menu_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, GtkWidget *list)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (list));
  GtkWidget *row = focus != NULL && gtk_widget_is_ancestor (focus, list) ? gtk_widget_get_first_child (focus) : NULL;

  if (key != GDK_KEY_Menu || row == NULL)
    return FALSE;
  listed_pop_up (row, 24, 12);
  return TRUE;
}

void
lc_listed_view_set_menu (GtkWidget *view, LcListedMenu menu, gpointer owner)
{
  GtkWidget *list = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (view));
  GtkEventController *keys = gtk_event_controller_key_new ();
  ListedMenu *kept = g_new (ListedMenu, 1);

  *kept = (ListedMenu){menu, owner};
  g_object_set_data_full (G_OBJECT (list), "menu", kept, g_free);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (listed_on_menu_key), list, 0);
  gtk_widget_add_controller (list, keys);
}

/* Returns the row's widget of an item, which is in an expander if the list is a tree. */
static GtkWidget *
listed_get_row (GtkListItem *item)
{
  GtkWidget *child = gtk_list_item_get_child (item);

  return GTK_IS_TREE_EXPANDER (child) ? gtk_tree_expander_get_child (GTK_TREE_EXPANDER (child)) : child;
}

/* Takes the item of a list's model, which is a row of a tree if the list is one. Returns what it is to show. */
static LcListed *
listed_unwrap (gpointer item)
{
  LcListed *listed;

  if (!GTK_IS_TREE_LIST_ROW (item))
    return item;
  listed = gtk_tree_list_row_get_item (item);
  g_object_unref (item);
  return listed;
}

static void
listed_set_up (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer is_tree)
{
  GtkWidget *row = lc_listed_row_new (), *expander;
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (click, "pressed", G_CALLBACK (listed_on_menu), row, 0);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (click));
  if (!is_tree)
    {
      gtk_list_item_set_child (item, row);
      return;
    }
  expander = gtk_tree_expander_new ();
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), row);
  gtk_list_item_set_child (item, expander);
}

static void
listed_bind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *row = listed_get_row (item), *expander = gtk_list_item_get_child (item);
  g_autoptr (LcListed) listed = listed_unwrap (g_object_ref (gtk_list_item_get_item (item)));

  if (GTK_IS_TREE_EXPANDER (expander))
    {
      GtkTreeListRow *place = gtk_list_item_get_item (item);

      /* A row that is not within another one, and has none, needs no room for an arrow. */
      gtk_tree_expander_set_indent_for_icon (GTK_TREE_EXPANDER (expander),
                                             listed->inner != NULL || gtk_tree_list_row_get_depth (place) > 0);
      gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (expander), place);
    }
  g_object_set_data_full (G_OBJECT (row), "listed", g_object_ref (listed), g_object_unref);
  lc_listed_row_set (row, listed);
}

static void
listed_unbind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *expander = gtk_list_item_get_child (item);

  if (GTK_IS_TREE_EXPANDER (expander))
    gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (expander), NULL);
}

static void
listed_activate (GtkListView *list, guint position, Choosing *choosing)
{
  GListModel *model = G_LIST_MODEL (gtk_list_view_get_model (list));
  gpointer item = g_list_model_get_item (model, position);
  g_autoptr (LcListed) listed = item != NULL ? listed_unwrap (item) : NULL;

  if (listed != NULL)
    choosing->chosen (choosing->owner, listed);
}

static void
free_choosing (gpointer data, GClosure *closure)
{
  g_free (data);
}

static GtkWidget *
listed_make_view (GListModel *model, gboolean is_tree, const char *name, LcListedChosen chosen, gpointer owner)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *list, *scrolled = gtk_scrolled_window_new ();
  Choosing *choosing = g_new (Choosing, 1);

  *choosing = (Choosing){chosen, owner};
  g_signal_connect (factory, "setup", G_CALLBACK (listed_set_up), GINT_TO_POINTER (is_tree));
  g_signal_connect (factory, "bind", G_CALLBACK (listed_bind), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (listed_unbind), NULL);
  list = gtk_list_view_new (GTK_SELECTION_MODEL (gtk_no_selection_new (model)), factory);
  gtk_list_view_set_single_click_activate (GTK_LIST_VIEW (list), TRUE);
  gtk_widget_add_css_class (list, "listing");
  lc_accessible_show (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, name);
  g_signal_connect_data (list, "activate", G_CALLBACK (listed_activate), choosing, free_choosing, 0);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

GtkWidget *
lc_listed_view_new (GListModel *model, const char *name, LcListedChosen chosen, gpointer owner)
{
  return listed_make_view (model, FALSE, name, chosen, owner);
}

/* --- A tree ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  LcListedOpen open;
  gpointer owner;
} Opening;

static GListModel *
listed_open (gpointer item, gpointer data)
{
  const Opening *opening = data;
  LcListed *listed = item;
  g_autoptr (GPtrArray) rows = listed->inner != NULL ? opening->open (opening->owner, listed) : NULL;
  GListStore *store;

  if (rows == NULL)
    return NULL;
  store = g_list_store_new (LC_TYPE_LISTED);
  lc_listed_fill (store, rows);
  return G_LIST_MODEL (store);
}

GtkWidget *
lc_listed_tree_new (GListModel *model, const char *name, LcListedOpen open, LcListedChosen chosen, gpointer owner)
{
  Opening *opening = g_new (Opening, 1);

  *opening = (Opening){open, owner};
  return listed_make_view (G_LIST_MODEL (gtk_tree_list_model_new (model, FALSE, FALSE, listed_open, opening, g_free)),
                           TRUE, name, chosen, owner);
}
