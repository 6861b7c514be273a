/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of the critical path: its length, its shares, and steps along it. */
#include "app/inspect/path-panel.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/job.h"
#include "app/pane.h"
#include "app/inspect/path-bar.h"
#include "app/inspect/path-keeper.h"
#include "app/shown-text.h"
#include "app/theme.h"
#include "report/critical-path.h"
#include "report/facts.h"
#include "trace/quantities.h"

struct _LcPathPanel
{
  GtkBox parent;

  LcSession *session;
  LcPathKeeper *keeper; /* belongs to the session */
  GtkStack *pages;
  GtkLabel *timeline;
  GtkGrid *summary;
  GtkLabel *doubt;
  GtkBox *bar_box;
  GtkDropDown *kind;
  GtkBox *list_box;
  GtkLabel *place;
  LcPathBar *bar;

  GListStore *shares;
  LcPathDetails *details;
  LcKept *path; /* path that the panel shows, or NULL */
  LcPane *pane;
  LcJob *details_job;
  LcJob *longest_job;
};

G_DEFINE_FINAL_TYPE (LcPathPanel, lc_path_panel, GTK_TYPE_BOX)

/* --- The summary ------------------------------------------------------------------------------------------------- */

static void
draw_sample (GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer data)
{
  LcColor color = lc_palette_get_color (lc_theme_of (GTK_WIDGET (area)), GPOINTER_TO_UINT (data));

  cairo_set_source_rgba (cairo, color.red, color.green, color.blue, color.alpha);
  cairo_paint (cairo);
}

static void
path_panel_put (LcPathPanel *panel, int column, int row, const char *text, gboolean number)
{
  GtkWidget *label = lc_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), number ? 1 : 0);
  gtk_label_set_wrap (GTK_LABEL (label), !number);
  gtk_widget_add_css_class (label, number ? "numeric" : "dim-label");
  gtk_widget_set_hexpand (label, !number);
  gtk_grid_attach (panel->summary, label, column, row, 1, 1);
}

static void
put_sample (LcPathPanel *panel, int row, LcCriticalPart part)
{
  GtkWidget *sample = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (sample), 10);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (sample), 10);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (sample), draw_sample, GUINT_TO_POINTER (lc_path_bar_get_ink (part)),
                                  NULL);
  gtk_widget_set_valign (sample, GTK_ALIGN_CENTER);
  gtk_grid_attach (panel->summary, sample, 0, row, 1, 1);
}

static void
path_panel_show_summary (LcPathPanel *panel)
{
  g_autoptr (GPtrArray) facts = lc_critical_path_list_facts (lc_critical_path_get_summary (lc_kept_get (panel->path)));
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (panel->summary))) != NULL)
    gtk_grid_remove (panel->summary, child);
  for (guint i = 0; i < facts->len; i++)
    {
      const LcFact *fact = facts->pdata[i];

      path_panel_put (panel, 1, (int)i, fact->label, FALSE);
      path_panel_put (panel, 2, (int)i, fact->value, TRUE);
      if (i > 0 && fact->share != NULL)
        path_panel_put (panel, 3, (int)i, fact->share, TRUE);
    }
  for (LcCriticalPart part = LC_CRITICAL_COMPUTING; part <= LC_CRITICAL_HOP; part++)
    put_sample (panel, (int)part + 1, part);
}

static void
show_place (LcPathPanel *panel)
{
  gsize n_stays = 0, stay = lc_path_keeper_get_stay (panel->keeper);
  g_autofree char *text = NULL, *number = NULL, *all = NULL;

  if (panel->path != NULL)
    lc_critical_path_get_stays (lc_kept_get (panel->path), &n_stays);
  all = lc_format_count (n_stays);
  number = lc_format_count (stay + 1);
  text = stay < n_stays ? g_strdup_printf (_ ("Stay %s of %s"), number, all)
                        : g_strdup_printf (ngettext ("%s stay", "%s stays", n_stays), all);
  lc_label_show (panel->place, text);
}

/* --- Shares ------------------------------------------------------------------------------------------------------ */

static void
path_panel_show_shares (LcPathPanel *panel)
{
  guint kind = gtk_drop_down_get_selected (panel->kind);

  if (panel->details != NULL && kind < LC_PATH_SHARES && panel->details->shares[kind] != NULL)
    lc_listed_fill (panel->shares, panel->details->shares[kind]);
  else
    g_list_store_remove_all (panel->shares);
}

static void
on_share (gpointer owner, LcListed *listed)
{
  LcPathPanel *panel = owner;

  if (panel->path != NULL)
    lc_job_start (panel->longest_job, lc_path_longest_find,
                  lc_path_asked_new (lc_session_get_opened (panel->session), panel->path,
                                     gtk_drop_down_get_selected (panel->kind), (guint32)listed->number),
                  lc_path_asked_free);
}

static void
on_longest (gpointer owner, gpointer result, const GError *error)
{
  LcPathPanel *panel = owner;
  g_autofree LcPathPart *part = result;

  if (part == NULL)
    lc_session_tell (panel->session, error->message);
  else if (part->process == LC_TRACE_NONE)
    lc_session_tell (panel->session, _ ("The path is in it, but does not enter it: there is no event to go to."));
  else
    lc_path_reveal (panel->session, part->process, part->begin, part->end,
                    part->event.process != LC_TRACE_NONE ? &part->event : NULL);
}

static void
on_kind (LcPathPanel *panel)
{
  path_panel_show_shares (panel);
}

/* --- Results ----------------------------------------------------------------------------------------------------- */

static void
on_details (gpointer owner, gpointer result, const GError *error)
{
  LcPathPanel *panel = owner;

  if (result == NULL)
    {
      lc_session_tell (panel->session, error->message);
      return;
    }
  panel->details = result;
  lc_path_bar_set (panel->bar, panel->details);
  lc_label_show (panel->doubt, panel->details->doubt != NULL ? panel->details->doubt : "");
  gtk_widget_set_visible (GTK_WIDGET (panel->doubt), panel->details->doubt != NULL);
  path_panel_show_shares (panel);
}

static void
take_path (LcPathPanel *panel)
{
  LcKept *path = lc_path_keeper_get_path (panel->keeper);

  if (path != panel->path)
    {
      lc_job_stop (panel->details_job);
      lc_job_stop (panel->longest_job);
      lc_path_bar_set (panel->bar, NULL);
      gtk_widget_set_visible (GTK_WIDGET (panel->doubt), FALSE);
      g_clear_pointer (&panel->details, lc_path_details_free);
      g_clear_pointer (&panel->path, lc_kept_unref);
      panel->path = path != NULL ? lc_kept_ref (path) : NULL;
      path_panel_show_shares (panel);
      gtk_stack_set_visible_child_name (panel->pages, path != NULL ? "path" : "working");
      if (path != NULL)
        {
          path_panel_show_summary (panel);
          lc_job_start (panel->details_job, lc_path_details_new,
                        lc_path_asked_new (lc_session_get_opened (panel->session), path, 0, 0), lc_path_asked_free);
        }
    }
  show_place (panel);
}

/* A trace that does not say where its events are has no shares of places. */
static void
path_panel_offer_places (LcPathPanel *panel)
{
  LcHistory *history = lc_session_get_history (panel->session);
  GtkStringList *kinds = GTK_STRING_LIST (gtk_drop_down_get_model (panel->kind));
  gboolean wanted = history != NULL && lc_history_get_n_sites (history) > 0;
  gboolean offered = g_list_model_get_n_items (G_LIST_MODEL (kinds)) > LC_PATH_PLACES;

  if (wanted && !offered)
    gtk_string_list_append (kinds, _ ("Places"));
  else if (offered && !wanted)
    gtk_string_list_remove (kinds, LC_PATH_PLACES);
}

/* The path is searched for only while the panel is visible. */
static void
path_panel_look (gpointer owner)
{
  LcPathPanel *panel = owner;
  const LcShown *shown = lc_session_get_shown (panel->session);
  const char *name = shown != NULL ? lc_session_get_timeline_title (panel->session, shown->timeline) : NULL;
  g_autofree char *timeline = lc_format_text (name);

  lc_label_show (panel->timeline, timeline);
  lc_tooltip_show (GTK_WIDGET (panel->timeline), timeline);
  path_panel_offer_places (panel);
  lc_path_keeper_want (panel->keeper);
  take_path (panel);
}

static void
path_panel_on_kept (LcPathPanel *panel)
{
  lc_pane_spoil (panel->pane);
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
lc_path_panel_dispose (GObject *object)
{
  LcPathPanel *panel = LC_PATH_PANEL (object);

  g_clear_pointer (&panel->pane, lc_pane_free);
  g_clear_pointer (&panel->details_job, lc_job_free);
  g_clear_pointer (&panel->longest_job, lc_job_free);
  if (panel->bar != NULL)
    lc_path_bar_set (panel->bar, NULL);
  panel->bar = NULL;
  g_clear_pointer (&panel->details, lc_path_details_free);
  g_clear_pointer (&panel->path, lc_kept_unref);
  g_clear_object (&panel->shares);
  g_clear_object (&panel->session);
  G_OBJECT_CLASS (lc_path_panel_parent_class)->dispose (object);
}

static void
lc_path_panel_class_init (LcPathPanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_path_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "path-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcPathPanel, pages);
  gtk_widget_class_bind_template_child (widget, LcPathPanel, timeline);
  gtk_widget_class_bind_template_child (widget, LcPathPanel, summary);
  gtk_widget_class_bind_template_child (widget, LcPathPanel, doubt);
  gtk_widget_class_bind_template_child (widget, LcPathPanel, bar_box);
  gtk_widget_class_bind_template_child (widget, LcPathPanel, kind);
  gtk_widget_class_bind_template_child (widget, LcPathPanel, list_box);
  gtk_widget_class_bind_template_child (widget, LcPathPanel, place);
  gtk_widget_class_bind_template_callback (widget, on_kind);
}

static void
lc_path_panel_init (LcPathPanel *panel)
{
  panel->shares = g_list_store_new (LC_TYPE_LISTED);
  panel->details_job = lc_job_new (panel, on_details, NULL, lc_path_details_free);
  panel->longest_job = lc_job_new (panel, on_longest, NULL, g_free);
  gtk_widget_init_template (GTK_WIDGET (panel));
}

GtkWidget *
lc_path_panel_new (LcSession *session)
{
  LcPathPanel *panel = g_object_new (LC_TYPE_PATH_PANEL, NULL);

  panel->session = g_object_ref (session);
  panel->keeper = lc_path_keeper_of (session);
  panel->bar = LC_PATH_BAR (lc_path_bar_new (session));
  gtk_box_append (panel->bar_box, GTK_WIDGET (panel->bar));
  gtk_box_append (panel->list_box, lc_listed_view_new (g_object_ref (G_LIST_MODEL (panel->shares)),
                                                       _ ("Shares of the critical path"), on_share, panel));
  panel->pane = lc_pane_new (panel, session,
                             LC_CHANGED_HISTORY | LC_CHANGED_TIMELINE | LC_CHANGED_TIMELINES | LC_CHANGED_HIGHLIGHT |
                                 LC_CHANGED_FOUND,
                             path_panel_look);
  g_signal_connect_object (panel->keeper, "changed", G_CALLBACK (path_panel_on_kept), panel, G_CONNECT_SWAPPED);
  return GTK_WIDGET (panel);
}
