/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of plots: all views except the diagram, for what the diagram shows. */
#include "app/plots/plots-panel.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/names.h"
#include "app/plots/export-dialog.h"
#include "app/plots/flame-bar.h"
#include "app/plots/picture-area.h"
#include "app/scripts/script-list.h"
#include "app/shown-text.h"
#include "app/theme.h"

#define CLICK 4.0  /* px that the pointer may move in a click */
#define MARGIN 6.0 /* px around the pointer in which spots are found */

enum
{
  FIRST_VIEW = 1, /* view 0 is the diagram */
};

/* The views with a tab, and their short titles. */
static const struct
{
  const char *view;
  const char *title;
} favourites[] = {
    {"parallelism", N_ ("Parallelism")},
    {"waiting", N_ ("Waiting")},
    {"waiting-history", N_ ("Waits")},
    {"communication", N_ ("Communication")},
};

struct _LcPlotsPanel
{
  GtkWidget parent;

  LcSession *session;

  /* Children of the template. */
  GtkWidget *contents;
  GtkWidget *bar;
  GtkWidget *squeezer;
  GtkBox *tabs;
  GtkDropDown *views;
  GtkDropDown *measures;
  GtkToggleButton *in_view;
  GtkWidget *part;
  LcPictureArea *area;
  LcFlameBar *frames;
  GtkWidget *trust; /* asks whether the scripts of the trace may be loaded */

  GtkToggleButton *tab_buttons[G_N_ELEMENTS (favourites)];
  const LcViewInfo *view;
  GPtrArray *infos; /* LcViewInfo of the listed views: Lightcone's own, then those of scripts for this trace */
  guint n_own;
  guint *chosen;    /* chosen amount, by number of Lightcone's own views */
  double drag_from; /* in the direction of time, in coordinates of the picture */
  gboolean dragging;
  gboolean at_side; /* as of the session */
};

G_DEFINE_FINAL_TYPE (LcPlotsPanel, lc_plots_panel, GTK_TYPE_WIDGET)

static gboolean
is_whole (LcPlotsPanel *panel)
{
  return (panel->view->traits & LC_VIEW_SPAN) == 0 || !gtk_toggle_button_get_active (panel->in_view);
}

/* Returns the chosen amount of the view. Views of scripts have none. */
static guint *
get_chosen (LcPlotsPanel *panel)
{
  return &panel->chosen[MIN (gtk_drop_down_get_selected (panel->views), panel->n_own - 1)];
}

static const char *
get_measure (LcPlotsPanel *panel)
{
  guint chosen = panel->view->n_amounts > 0 ? *get_chosen (panel) : 0;

  return chosen > 0 ? panel->view->amounts[chosen].measure : NULL;
}

/* --- The picture ------------------------------------------------------------------------------------------------- */

/* Gives where the plot begins and how long it is, in the direction of time. */
static void
plots_panel_get_length (const LcPicture *picture, double *begin, double *length)
{
  LcRectangle plot;

  lc_picture_get_area (picture, &plot);
  *begin = lc_picture_is_turned (picture) ? plot.y : plot.x;
  *length = lc_picture_is_turned (picture) ? plot.height : plot.width;
}

static double
plots_panel_get_along (const LcPicture *picture, LcPlace place)
{
  return picture != NULL && lc_picture_is_turned (picture) ? place.y : place.x;
}

/* Marks the part in view in a plot of the whole run. */
static void
mark_span (LcPlotsPanel *panel)
{
  LcPicture *picture = lc_picture_area_get_picture (panel->area);
  const LcShown *shown = lc_session_get_shown (panel->session);
  double begin, length;
  guint64 from, to;
  LcSpan span;

  if (panel->dragging)
    return;
  lc_session_get_span (panel->session, &span);
  if (picture == NULL || shown == NULL || shown->selection.time != LC_SCENE_PHYSICAL || !is_whole (panel) ||
      !lc_picture_get_time (picture, &from, &to) || (span.from <= (double)from && span.to >= (double)to))
    {
      lc_picture_area_mark (panel->area, 0, 0);
      return;
    }
  plots_panel_get_length (picture, &begin, &length);
  lc_picture_area_mark (panel->area, begin + (span.from - (double)from) / (double)(to - from) * length,
                        begin + (span.to - (double)from) / (double)(to - from) * length);
}

/* Gives the place of the picture in the paned that it shares with the diagram. FALSE: it has none yet. */
static gboolean
plots_panel_find_place (LcPlotsPanel *panel, graphene_rect_t *place, int *height)
{
  GtkWidget *shared = gtk_widget_get_ancestor (GTK_WIDGET (panel), GTK_TYPE_PANED);

  if (shared == NULL || !gtk_widget_compute_bounds (GTK_WIDGET (panel->area), shared, place))
    return FALSE;
  *height = gtk_widget_get_height (shared);
  return TRUE;
}

static void
plots_panel_update (LcPlotsPanel *panel)
{
  LcPictureRequest *request;
  graphene_rect_t place;
  int height;

  if (lc_session_get_shown (panel->session) == NULL)
    {
      lc_picture_area_show (panel->area, NULL);
      return;
    }
  request = lc_picture_request_new (panel->session, panel->view->name, is_whole (panel));
  request->measure = get_measure (panel);
  lc_picture_request_set_title (request, ""); /* the panel shows the title itself */
  if ((panel->view->traits & LC_VIEW_FRAME) != 0)
    lc_picture_request_set_frame (request, lc_flame_bar_get_path (panel->frames));
  request->theme = lc_theme_of (GTK_WIDGET (panel));
  request->text_scale = lc_theme_get_text_scale ();
  if (plots_panel_find_place (panel, &place, &height))
    lc_picture_request_line_up (request, panel->session, request->turned ? place.origin.y : place.origin.x);
  lc_picture_area_show (panel->area, request);
  mark_span (panel);
}

/* --- At the side of the diagram ----------------------------------------------------------------------------------- */

/* What is chosen may be cut where the plots are at the side of the diagram. */
static void
plots_panel_set_up_chosen (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child (item, label);
}

static void
plots_panel_bind_chosen (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkStringObject *title = gtk_list_item_get_item (item);

  lc_label_show (GTK_LABEL (gtk_list_item_get_child (item)), gtk_string_object_get_string (title));
}

static void
plots_panel_let_shrink (GtkDropDown *choice, gboolean may_shrink)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  GtkListItemFactory *usual = g_object_get_data (G_OBJECT (choice), "lc-usual");

  if (usual == NULL)
    g_object_set_data_full (G_OBJECT (choice), "lc-usual", usual = g_object_ref (gtk_drop_down_get_factory (choice)),
                            g_object_unref);
  if (!may_shrink)
    {
      gtk_drop_down_set_factory (choice, usual);
      return;
    }
  g_signal_connect (factory, "setup", G_CALLBACK (plots_panel_set_up_chosen), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (plots_panel_bind_chosen), NULL);
  gtk_drop_down_set_factory (choice, factory);
}

/* There the bar stands below the plot, so that time begins where the diagram's does, in two rows and without tabs. */
static void
plots_panel_order (LcPlotsPanel *panel)
{
  gboolean at_side = lc_session_are_plots_at_side (panel->session);

  if (at_side == panel->at_side)
    return;
  panel->at_side = at_side;
  gtk_box_reorder_child_after (GTK_BOX (panel->contents), panel->bar, at_side ? GTK_WIDGET (panel->frames) : NULL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (panel->bar),
                                  at_side ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_visible (panel->squeezer, !at_side);
  plots_panel_let_shrink (panel->views, at_side);
  plots_panel_let_shrink (panel->measures, at_side);
}

/* Tells the window how much of the side is below the plot, and asks for a picture that fits its place. */
static void
plots_panel_on_placed (LcPlotsPanel *panel)
{
  graphene_rect_t place;
  int height;

  if (panel->session == NULL || !plots_panel_find_place (panel, &place, &height))
    return;
  if (lc_session_are_plots_at_side (panel->session))
    lc_session_set_room_below_plots (panel->session, height - (int)(place.origin.y + place.size.height));
  plots_panel_update (panel);
}

static void
plots_panel_on_changed (LcSession *session, guint what, LcPlotsPanel *panel)
{
  if ((what & LC_CHANGED_HISTORY) != 0)
    lc_flame_bar_forget (panel->frames);
  if ((what & LC_CHANGED_RULER) != 0)
    plots_panel_order (panel);
  if ((what & lc_picture_request_get_changes (panel->view->name, is_whole (panel))) != 0)
    plots_panel_update (panel);
  else if ((what & LC_CHANGED_SPAN) != 0)
    mark_span (panel);
}

/* --- Choosing a view --------------------------------------------------------------------------------------------- */

void
lc_plots_panel_show (LcPlotsPanel *panel, const char *view)
{
  for (guint i = 0; i < panel->infos->len; i++)
    if (g_str_equal (((const LcViewInfo *)panel->infos->pdata[i])->name, view))
      gtk_drop_down_set_selected (panel->views, i);
}

static void
on_measure (LcPlotsPanel *panel)
{
  guint selected = gtk_drop_down_get_selected (panel->measures);

  if (selected >= panel->view->n_amounts || selected == *get_chosen (panel))
    return;
  *get_chosen (panel) = selected;
  lc_flame_bar_forget (panel->frames);
  if (panel->session != NULL)
    plots_panel_update (panel);
}

static void
plots_panel_fill_measures (LcPlotsPanel *panel)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  guint chosen = panel->view->n_amounts > 0 ? *get_chosen (panel) : 0;

  for (guint i = 0; i < panel->view->n_amounts; i++)
    gtk_string_list_append (titles, _ (panel->view->amounts[i].title));
  g_signal_handlers_block_by_func (panel->measures, on_measure, panel);
  gtk_drop_down_set_model (panel->measures, G_LIST_MODEL (titles));
  gtk_drop_down_set_selected (panel->measures, chosen);
  g_signal_handlers_unblock_by_func (panel->measures, on_measure, panel);
  gtk_widget_set_visible (GTK_WIDGET (panel->measures), panel->view->n_amounts > 0);
  lc_tooltip_show (GTK_WIDGET (panel->measures),
                   (panel->view->traits & LC_VIEW_LAYOUT) != 0 ? _ ("Layout") : _ ("Amount"));
}

static void
on_view (LcPlotsPanel *panel)
{
  guint selected = gtk_drop_down_get_selected (panel->views);

  if (selected >= panel->infos->len)
    return;
  panel->view = panel->infos->pdata[selected];
  for (guint i = 0; i < G_N_ELEMENTS (favourites); i++)
    gtk_toggle_button_set_active (panel->tab_buttons[i], g_str_equal (favourites[i].view, panel->view->name));
  plots_panel_fill_measures (panel);
  lc_flame_bar_set_shown (panel->frames, (panel->view->traits & LC_VIEW_FRAME) != 0);
  gtk_widget_set_sensitive (panel->part, (panel->view->traits & LC_VIEW_SPAN) != 0);
  lc_tooltip_show (panel->part,
                   (panel->view->traits & LC_VIEW_SPAN) != 0 ? NULL : _ ("This plot is always of the whole run"));
  lc_accessible_show (GTK_ACCESSIBLE (panel->area), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (panel->view->title));
  if (panel->session != NULL)
    plots_panel_update (panel);
}

/* The tab of the shown view stays pressed if it is clicked again. */
static void
on_tab (GtkToggleButton *button, LcPlotsPanel *panel)
{
  for (guint i = 0; i < G_N_ELEMENTS (favourites); i++)
    if (panel->tab_buttons[i] == button && gtk_toggle_button_get_active (button))
      lc_plots_panel_show (panel, favourites[i].view);
    else if (panel->tab_buttons[i] == button && g_str_equal (favourites[i].view, panel->view->name))
      gtk_toggle_button_set_active (button, TRUE);
}

static void
fill_tabs (LcPlotsPanel *panel)
{
  for (guint i = 0; i < G_N_ELEMENTS (favourites); i++)
    {
      GtkWidget *button = gtk_toggle_button_new_with_label (_ (favourites[i].title));

      lc_tooltip_show (button, _ (lc_views_find (favourites[i].view)->summary));
      gtk_box_append (panel->tabs, button);
      panel->tab_buttons[i] = GTK_TOGGLE_BUTTON (button);
      g_signal_connect_object (button, "toggled", G_CALLBACK (on_tab), panel, 0);
    }
}

static void
set_up_item (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_list_item_set_child (item, label);
}

static void
bind_item (GtkSignalListItemFactory *factory, GtkListItem *item, LcPlotsPanel *panel)
{
  guint position = gtk_list_item_get_position (item);
  const LcViewInfo *view = position < panel->infos->len ? panel->infos->pdata[position] : panel->view;
  GtkWidget *label = gtk_list_item_get_child (item);

  lc_label_show (GTK_LABEL (label), _ (view->title));
  lc_tooltip_show (label, _ (view->summary));
}

static void
fill_views (LcPlotsPanel *panel)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  gsize n_views;
  const LcViewInfo *infos = lc_views_get (&n_views);

  for (gsize i = FIRST_VIEW; i < n_views; i++)
    if ((infos[i].traits & LC_VIEW_SHEET) == 0)
      {
        g_ptr_array_add (panel->infos, (gpointer)&infos[i]);
        gtk_string_list_append (titles, _ (infos[i].title));
      }
  panel->n_own = panel->infos->len;
  panel->chosen = g_new0 (guint, panel->n_own);
  g_signal_connect (factory, "setup", G_CALLBACK (set_up_item), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_item), panel);
  gtk_drop_down_set_model (panel->views, G_LIST_MODEL (titles));
  gtk_drop_down_set_list_factory (panel->views, factory);
}

/* Lists other views of scripts. The shown one stays if it is still there, and is made again: its script may be another
 * one. */
static void
plots_panel_on_scripts (LcScriptList *list, LcPlotsPanel *panel)
{
  GtkStringList *titles = GTK_STRING_LIST (gtk_drop_down_get_model (panel->views));
  const GPtrArray *entries = lc_script_list_get_entries (list);
  const LcViewInfo *shown = panel->view;
  guint selected = 0;

  g_signal_handlers_block_by_func (panel->views, on_view, panel);
  gtk_string_list_splice (titles, panel->n_own, panel->infos->len - panel->n_own, NULL);
  g_ptr_array_set_size (panel->infos, (gint)panel->n_own);
  for (guint i = 0; i < entries->len; i++)
    {
      const LcScriptEntry *entry = entries->pdata[i];
      const LcViewInfo *info = g_str_equal (entry->kind, "view") ? lc_views_find (entry->name) : NULL;

      if (info != NULL)
        {
          g_ptr_array_add (panel->infos, (gpointer)info);
          gtk_string_list_append (titles, info->title);
        }
    }
  for (guint i = 0; i < panel->infos->len; i++)
    if (g_str_equal (((const LcViewInfo *)panel->infos->pdata[i])->name, shown->name))
      selected = i;
  gtk_drop_down_set_selected (panel->views, selected);
  g_signal_handlers_unblock_by_func (panel->views, on_view, panel);
  if ((shown->traits & LC_VIEW_SHEET) != 0)
    on_view (panel);
  gtk_widget_set_visible (panel->trust, lc_script_list_is_untrusted (list));
}

static void
on_part (LcPlotsPanel *panel)
{
  if (panel->session != NULL)
    plots_panel_update (panel);
}

/* --- From the plot to the diagram -----------------------------------------------------------------------------------
 */

static gboolean
plots_panel_on_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, LcPlotsPanel *panel)
{
  LcPicture *picture = lc_picture_area_get_picture (panel->area);
  g_autofree char *text = NULL;

  if (picture == NULL || keyboard)
    return FALSE;
  text = lc_picture_dup_text_at (picture, lc_picture_area_get_place (panel->area, x, y), MARGIN);
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){x, y, 1, 1});
  return TRUE;
}

/* Finds an event of the process at the clicked time, or at the begin of the view. */
static gboolean
plots_panel_find_event (LcPlotsPanel *panel, const LcPictureSpot *spot, guint64 *ordinal)
{
  const LcShown *shown = lc_session_get_shown (panel->session);
  LcHistory *history = lc_session_get_history (panel->session);
  LcHistoryEvent event = {.ordinal = 0};
  gboolean found = TRUE;
  LcSpan span;

  *ordinal = spot->ordinal;
  if (spot->ordinal != LC_PICTURE_NO_EVENT)
    return TRUE;
  lc_session_get_span (panel->session, &span);
  if (spot->has_time)
    found = lc_history_find_event_at (history, shown->timeline, spot->process, spot->time, &event, NULL);
  else if (shown->selection.time == LC_SCENE_PHYSICAL)
    found = lc_history_find_event_at (history, shown->timeline, spot->process,
                                      (guint64)MAX ((span.from + span.to) / 2, 0), &event, NULL);
  else if (shown->selection.time == LC_SCENE_LOGICAL)
    found = lc_history_find_event_at_layer (history, shown->timeline, spot->process,
                                            (guint64)MAX ((span.from + span.to) / 2, 1), &event, NULL);
  *ordinal = event.ordinal;
  return found;
}

/* Moves the diagram to the clicked time if it is not in view. */
static void
plots_panel_go_to_time (LcPlotsPanel *panel, double time)
{
  LcSpan span;
  double length;

  if (lc_session_get_shown (panel->session)->selection.time != LC_SCENE_PHYSICAL)
    return;
  lc_session_get_span (panel->session, &span);
  length = span.to - span.from;
  if (time >= span.from && time <= span.to)
    return;
  span.from = time - length / 2;
  span.to = span.from + length;
  lc_session_set_span (panel->session, &span, TRUE);
}

static void
plots_panel_click (LcPlotsPanel *panel, LcPlace place)
{
  LcPicture *picture = lc_picture_area_get_picture (panel->area);
  LcPictureSpot spot;
  guint64 ordinal;

  if ((panel->view->traits & LC_VIEW_FRAME) != 0)
    lc_flame_bar_click (panel->frames, place);
  if (picture == NULL || !lc_picture_find_at (picture, place, &spot))
    return;
  if (spot.process != LC_TRACE_NONE && plots_panel_find_event (panel, &spot, &ordinal))
    lc_session_select (panel->session, spot.process, ordinal, TRUE);
  else if (spot.has_time)
    plots_panel_go_to_time (panel, (double)spot.time);
}

static void
plots_panel_on_drag_begin (GtkGestureDrag *gesture, double x, double y, LcPlotsPanel *panel)
{
  panel->drag_from =
      plots_panel_get_along (lc_picture_area_get_picture (panel->area), lc_picture_area_get_place (panel->area, x, y));
  panel->dragging = FALSE;
  gtk_widget_grab_focus (GTK_WIDGET (panel->area));
}

/* Returns the place of the pointer on the picture. FALSE: the pointer has not moved. */
static gboolean
get_drag (GtkGestureDrag *gesture, LcPlotsPanel *panel, LcPlace *place)
{
  double x, y, across = 0, down = 0;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  gtk_gesture_drag_get_offset (gesture, &across, &down);
  *place = lc_picture_area_get_place (panel->area, x + across, y + down);
  return fabs (across) >= CLICK || fabs (down) >= CLICK;
}

static void
plots_panel_on_drag_update (GtkGestureDrag *gesture, double across, double down, LcPlotsPanel *panel)
{
  LcPicture *picture = lc_picture_area_get_picture (panel->area);
  guint64 from, to;
  LcPlace place;
  double along;

  if (picture == NULL || !lc_picture_get_time (picture, &from, &to) ||
      (!get_drag (gesture, panel, &place) && !panel->dragging))
    return;
  panel->dragging = TRUE;
  along = plots_panel_get_along (picture, place);
  lc_picture_area_mark (panel->area, MIN (panel->drag_from, along), MAX (panel->drag_from, along));
}

static void
plots_panel_zoom_to (LcPlotsPanel *panel, LcPicture *picture, double from, double to)
{
  LcSpan span;
  double first, length;
  guint64 begin, end;

  if (lc_session_get_shown (panel->session)->selection.time != LC_SCENE_PHYSICAL)
    {
      lc_session_tell (panel->session, _ ("The plot is in physical time: switch the diagram to it to zoom in here."));
      return;
    }
  lc_session_get_span (panel->session, &span);
  plots_panel_get_length (picture, &first, &length);
  lc_picture_get_time (picture, &begin, &end);
  from = CLAMP ((from - first) / length, 0, 1);
  to = CLAMP ((to - first) / length, 0, 1);
  if (from >= to)
    return;
  span.from = (double)begin + from * (double)(end - begin);
  span.to = (double)begin + to * (double)(end - begin);
  lc_session_set_span (panel->session, &span, TRUE);
}

static void
on_drag_end (GtkGestureDrag *gesture, double across, double down, LcPlotsPanel *panel)
{
  LcPicture *picture = lc_picture_area_get_picture (panel->area);
  gboolean moved, was_dragging = panel->dragging;
  double along;
  LcPlace place;

  moved = get_drag (gesture, panel, &place);
  panel->dragging = FALSE;
  if (picture == NULL)
    return;
  along = plots_panel_get_along (picture, place);
  if (was_dragging)
    plots_panel_zoom_to (panel, picture, MIN (panel->drag_from, along), MAX (panel->drag_from, along));
  else if (!moved)
    plots_panel_click (panel, place);
  mark_span (panel);
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, LcPlotsPanel *panel)
{
  panel->dragging = FALSE;
  mark_span (panel);
}

static void
on_export (LcPlotsPanel *panel)
{
  lc_export_dialog_present (
      GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (panel))), panel->session, panel->view->name, get_measure (panel),
      (panel->view->traits & LC_VIEW_FRAME) != 0 ? lc_flame_bar_get_path (panel->frames) : NULL, is_whole (panel));
}

/* --- Scripts of the trace ----------------------------------------------------------------------------------------- */

static void
plots_panel_on_trusted (AdwMessageDialog *dialog, const char *response, LcPlotsPanel *panel)
{
  if (g_str_equal (response, "load") && panel->session != NULL)
    lc_script_list_trust (lc_script_list_of (panel->session));
}

static void
plots_panel_on_trust (LcPlotsPanel *panel)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (panel))),
                                              _ ("Load the scripts of this trace?"), NULL);

  adw_message_dialog_set_body (
      ADW_MESSAGE_DIALOG (dialog),
      _ ("The folder “scripts” of the trace has programs that define views and commands. They can do all that you can: "
         "load them only if you know who made the trace. They are loaded again as long as they stay as they are."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "load", _ ("_Load"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "load", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (plots_panel_on_trusted), panel, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* --- The type ---------------------------------------------------------------------------------------------------- */

static void
lc_plots_panel_dispose (GObject *object)
{
  LcPlotsPanel *panel = LC_PLOTS_PANEL (object);

  g_clear_pointer (&panel->contents, gtk_widget_unparent);
  g_clear_pointer (&panel->chosen, g_free);
  g_clear_pointer (&panel->infos, g_ptr_array_unref);
  g_clear_object (&panel->session);
  G_OBJECT_CLASS (lc_plots_panel_parent_class)->dispose (object);
}

static void
lc_plots_panel_class_init (LcPlotsPanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_plots_panel_dispose;
  g_type_ensure (LC_TYPE_PICTURE_AREA);
  g_type_ensure (LC_TYPE_FLAME_BAR);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget, "plots");
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "plots-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcPlotsPanel, contents);
  gtk_widget_class_bind_template_child (widget, LcPlotsPanel, bar);
  gtk_widget_class_bind_template_child (widget, LcPlotsPanel, squeezer);
  gtk_widget_class_bind_template_child (widget, LcPlotsPanel, tabs);
  gtk_widget_class_bind_template_child (widget, LcPlotsPanel, views);
  gtk_widget_class_bind_template_child (widget, LcPlotsPanel, measures);
  gtk_widget_class_bind_template_child (widget, LcPlotsPanel, in_view);
  gtk_widget_class_bind_template_child (widget, LcPlotsPanel, part);
  gtk_widget_class_bind_template_child (widget, LcPlotsPanel, area);
  gtk_widget_class_bind_template_child (widget, LcPlotsPanel, frames);
  gtk_widget_class_bind_template_child (widget, LcPlotsPanel, trust);
  gtk_widget_class_bind_template_callback (widget, plots_panel_on_trust);
  gtk_widget_class_bind_template_callback (widget, plots_panel_on_placed);
  gtk_widget_class_bind_template_callback (widget, on_part);
  gtk_widget_class_bind_template_callback (widget, on_export);
  gtk_widget_class_bind_template_callback (widget, plots_panel_on_tooltip);
  gtk_widget_class_bind_template_callback (widget, plots_panel_on_drag_begin);
  gtk_widget_class_bind_template_callback (widget, plots_panel_on_drag_update);
  gtk_widget_class_bind_template_callback (widget, on_drag_end);
  gtk_widget_class_bind_template_callback (widget, on_drag_cancel);
  gtk_widget_class_bind_template_callback (widget, mark_span);
}

static void
lc_plots_panel_init (LcPlotsPanel *panel)
{
  gtk_widget_init_template (GTK_WIDGET (panel));
  panel->infos = g_ptr_array_new ();
  lc_flame_bar_set_area (panel->frames, panel->area);
  fill_tabs (panel);
  fill_views (panel);
  g_signal_connect_object (panel->measures, "notify::selected", G_CALLBACK (on_measure), panel, G_CONNECT_SWAPPED);
  on_view (panel);
  g_signal_connect_object (panel->views, "notify::selected", G_CALLBACK (on_view), panel, G_CONNECT_SWAPPED);
}

GtkWidget *
lc_plots_panel_new (LcSession *session)
{
  LcPlotsPanel *panel = g_object_new (LC_TYPE_PLOTS_PANEL, NULL);

  panel->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (plots_panel_on_changed), panel, 0);
  lc_theme_watch (panel, G_CALLBACK (plots_panel_update));
  g_signal_connect_object (lc_script_list_of (session), "changed", G_CALLBACK (plots_panel_on_scripts), panel, 0);
  plots_panel_order (panel);
  plots_panel_update (panel);
  return GTK_WIDGET (panel);
}
