/* SPDX-License-Identifier: Apache-2.0 */
/* The panel that plays a run over the process graph. */
#include "app/play/graph-panel.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/names.h"
#include "app/shell.h"
#include "app/play/graph-area.h"
#include "app/play/player.h"
#include "app/plots/export-choices.h"
#include "app/plots/export-dialog.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

enum
{
  USUAL_FRAMES = 100, /* of a picture that moves: ten seconds */
};

struct _LcGraphPanel
{
  GtkBox parent;

  LcSession *session;
  LcPlayer *player;
  LcGraphArea *area;
  GtkBox *place;
  GtkLabel *state;
  GtkAdjustment *position;
  GtkButton *backward;
  GtkButton *play;
  GtkButton *forward;
  GtkButton *stop;
  GtkButton *export;
  GtkToggleButton *loop;
  GtkDropDown *time;
  GtkDropDown *speed;
  GtkDropDown *layout;
  guint tick; /* 0: the player is paused */
  gint64 last_tick;
  gboolean updating; /* the controls are being set from the session, not by the user */
};

G_DEFINE_FINAL_TYPE (LcGraphPanel, lc_graph_panel, GTK_TYPE_BOX)

/* In the order of the drop-down. */
static const LcSceneTime times[] = {LC_SCENE_PHYSICAL, LC_SCENE_LOGICAL, LC_SCENE_PHASE};

/* --- Texts ------------------------------------------------------------------------------------------------------- */

static char *
dup_moment (LcGraphPanel *panel)
{
  const LcShown *shown = lc_session_get_shown (panel->session);
  g_autofree char *begin = NULL, *end = NULL;
  const LcPhases *phases;
  double from, to;
  LcSpan span;

  lc_session_get_span (panel->session, &span);
  if (!lc_session_get_head (panel->session, &from, &to))
    return g_strdup (_ ("All that is in view"));
  phases = lc_kept_get (shown->phases);
  if (shown->selection.time == LC_SCENE_PHASE && phases != NULL)
    {
      guint32 phase = 0;

      while (phase + 1 < lc_phases_get_n (phases) && (double)lc_phases_get (phases, phase + 1)->position <= from)
        phase++;
      return g_strdup_printf (_ ("Phase %s"), lc_phase_get_title (lc_phases_get (phases, phase)));
    }
  if (shown->selection.time == LC_SCENE_LOGICAL)
    {
      LcSpan whole;

      lc_session_get_whole (panel->session, &whole);
      begin = lc_format_count ((guint64)from);
      end = lc_format_count ((guint64)whole.to - 1);
      return g_strdup_printf (_ ("Layer %s of %s"), begin, end);
    }
  begin = lc_format_moment ((guint64)from, (guint64)(span.to - span.from));
  return g_strdup_printf (_ ("At %s"), begin);
}

static void
tell_state (LcGraphPanel *panel)
{
  const LcShown *shown = lc_session_get_shown (panel->session);
  g_autofree char *moment = NULL, *text = NULL, *all = NULL;
  LcGraphCounts counts;

  if (shown == NULL || !lc_graph_area_get_counts (panel->area, &counts))
    return;
  moment = dup_moment (panel);
  text = lc_graph_counts_dup_text (&counts, shown->selection.time, "\n");
  all = g_strjoin ("\n", moment, text, NULL);
  lc_label_show (panel->state, all);
  lc_accessible_show (GTK_ACCESSIBLE (panel->area), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, all);
}

/* --- Playing -------------------------------------------------------------------------------------------------------
 */

static gboolean
graph_panel_on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  LcGraphPanel *panel = LC_GRAPH_PANEL (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock);

  /* A long pause between two frames does not skip a part of the run that nobody has seen. */
  lc_player_advance (panel->player, MIN ((double)(now - panel->last_tick) / G_USEC_PER_SEC, 0.1));
  panel->last_tick = now;
  return G_SOURCE_CONTINUE;
}

static void
on_player_changed (LcPlayer *player, LcGraphPanel *panel)
{
  gboolean playing = lc_player_is_playing (player);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (panel));

  gtk_button_set_icon_name (panel->play, playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  lc_tooltip_show (GTK_WIDGET (panel->play), playing ? _ ("Pause") : _ ("Play"));
  if (playing && panel->tick == 0 && clock != NULL)
    {
      panel->last_tick = gdk_frame_clock_get_frame_time (clock);
      panel->tick = gtk_widget_add_tick_callback (GTK_WIDGET (panel), graph_panel_on_tick, NULL, NULL);
    }
  else if (!playing && panel->tick != 0)
    {
      gtk_widget_remove_tick_callback (GTK_WIDGET (panel), panel->tick);
      panel->tick = 0;
    }
}

static void
on_play (LcGraphPanel *panel)
{
  if (lc_player_is_playing (panel->player))
    lc_player_pause (panel->player);
  else
    lc_player_play (panel->player);
}

static void
on_backward (LcGraphPanel *panel)
{
  lc_player_pause (panel->player);
  lc_player_step (panel->player, -1);
}

static void
on_forward (LcGraphPanel *panel)
{
  lc_player_pause (panel->player);
  lc_player_step (panel->player, 1);
}

static void
graph_panel_on_stop (LcGraphPanel *panel)
{
  lc_player_stop (panel->player);
}

/* The file moves, too, as long as nobody has chosen otherwise. */
static void
graph_panel_on_export (LcGraphPanel *panel)
{
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (panel)));
  const LcViewInfo *view = lc_views_find ("graph");
  LcExportChoices *choices = lc_export_choices_get (window);
  const guint layout = gtk_drop_down_get_selected (panel->layout);

  if (lc_session_get_shown (panel->session) == NULL || layout >= view->n_amounts)
    return;
  if (choices->n_frames <= 1)
    choices->n_frames = USUAL_FRAMES;
  lc_export_dialog_present (window, panel->session, view->name, view->amounts[layout].measure, NULL, FALSE);
}

static void
on_loop (GtkToggleButton *button, GParamSpec *property, LcGraphPanel *panel)
{
  lc_player_set_loop (panel->player, gtk_toggle_button_get_active (button));
}

static void
on_time (GtkDropDown *drop_down, GParamSpec *property, LcGraphPanel *panel)
{
  guint chosen = gtk_drop_down_get_selected (drop_down);

  if (!panel->updating && chosen < G_N_ELEMENTS (times))
    lc_session_set_time (panel->session, times[chosen]);
}

static void
on_speed (GtkDropDown *drop_down, GParamSpec *property, LcGraphPanel *panel)
{
  lc_player_set_speed (panel->player, pow (4, (double)gtk_drop_down_get_selected (drop_down) - 2));
}

static void
on_layout (GtkDropDown *drop_down, GParamSpec *property, LcGraphPanel *panel)
{
  guint chosen = gtk_drop_down_get_selected (drop_down);

  if (chosen < LC_GRAPH_LAYOUTS)
    lc_graph_area_set_layout (panel->area, chosen);
}

static void
on_position (GtkAdjustment *adjustment, LcGraphPanel *panel)
{
  if (!panel->updating)
    lc_player_set_share (panel->player, gtk_adjustment_get_value (adjustment));
}

static void
graph_panel_on_changed (LcSession *session, guint what, LcGraphPanel *panel)
{
  const LcShown *shown = lc_session_get_shown (session);

  gtk_widget_set_sensitive (GTK_WIDGET (panel), shown != NULL);
  if (shown == NULL)
    return;
  panel->updating = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    if (times[i] == shown->selection.time)
      gtk_drop_down_set_selected (panel->time, i);
  if ((what & (LC_CHANGED_HEAD | LC_CHANGED_HISTORY)) != 0)
    gtk_adjustment_set_value (panel->position, lc_player_get_share (panel->player));
  panel->updating = FALSE;
}

/* --- The panel -----------------------------------------------------------------------------------------------------
 */

static void
lc_graph_panel_unmap (GtkWidget *widget)
{
  lc_player_pause (LC_GRAPH_PANEL (widget)->player);
  GTK_WIDGET_CLASS (lc_graph_panel_parent_class)->unmap (widget);
}

static void
lc_graph_panel_dispose (GObject *object)
{
  LcGraphPanel *panel = LC_GRAPH_PANEL (object);

  g_clear_object (&panel->player);
  g_clear_object (&panel->session);
  G_OBJECT_CLASS (lc_graph_panel_parent_class)->dispose (object);
}

static void
lc_graph_panel_class_init (LcGraphPanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_graph_panel_dispose;
  widget->unmap = lc_graph_panel_unmap;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "graph-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcGraphPanel, place);
  gtk_widget_class_bind_template_child (widget, LcGraphPanel, state);
  gtk_widget_class_bind_template_child (widget, LcGraphPanel, position);
  gtk_widget_class_bind_template_child (widget, LcGraphPanel, backward);
  gtk_widget_class_bind_template_child (widget, LcGraphPanel, play);
  gtk_widget_class_bind_template_child (widget, LcGraphPanel, forward);
  gtk_widget_class_bind_template_child (widget, LcGraphPanel, stop);
  gtk_widget_class_bind_template_child (widget, LcGraphPanel, export);
  gtk_widget_class_bind_template_child (widget, LcGraphPanel, loop);
  gtk_widget_class_bind_template_child (widget, LcGraphPanel, time);
  gtk_widget_class_bind_template_child (widget, LcGraphPanel, speed);
  gtk_widget_class_bind_template_child (widget, LcGraphPanel, layout);
}

static void
lc_graph_panel_init (LcGraphPanel *panel)
{
  gtk_widget_init_template (GTK_WIDGET (panel));
}

static void
connect_controls (LcGraphPanel *panel)
{
  g_signal_connect_swapped (panel->play, "clicked", G_CALLBACK (on_play), panel);
  g_signal_connect_swapped (panel->backward, "clicked", G_CALLBACK (on_backward), panel);
  g_signal_connect_swapped (panel->forward, "clicked", G_CALLBACK (on_forward), panel);
  g_signal_connect_swapped (panel->stop, "clicked", G_CALLBACK (graph_panel_on_stop), panel);
  g_signal_connect_swapped (panel->export, "clicked", G_CALLBACK (graph_panel_on_export), panel);
  g_signal_connect (panel->loop, "notify::active", G_CALLBACK (on_loop), panel);
  g_signal_connect (panel->time, "notify::selected", G_CALLBACK (on_time), panel);
  g_signal_connect (panel->speed, "notify::selected", G_CALLBACK (on_speed), panel);
  g_signal_connect (panel->layout, "notify::selected", G_CALLBACK (on_layout), panel);
  g_signal_connect (panel->position, "value-changed", G_CALLBACK (on_position), panel);
}

GtkWidget *
lc_graph_panel_new (LcSession *session)
{
  LcGraphPanel *panel = g_object_new (LC_TYPE_GRAPH_PANEL, NULL);

  panel->session = g_object_ref (session);
  panel->player = lc_player_new (session);
  panel->area = LC_GRAPH_AREA (lc_graph_area_new (session));
  gtk_widget_set_size_request (GTK_WIDGET (panel->area), 200, 200);
  gtk_box_append (panel->place, GTK_WIDGET (panel->area));
  connect_controls (panel);
  g_signal_connect_object (panel->player, "changed", G_CALLBACK (on_player_changed), panel, 0);
  g_signal_connect_object (panel->area, "painted", G_CALLBACK (tell_state), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "changed", G_CALLBACK (graph_panel_on_changed), panel, 0);
  graph_panel_on_changed (session, LC_CHANGED_ALL, panel);
  return GTK_WIDGET (panel);
}

/* --- Actions ----------------------------------------------------------------------------------------------------- */

/* Plays only while the panel is visible, so starting shows the panel first. */
static void
graph_panel_act (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcShell *shell = LC_SHELL (widget);
  LcGraphPanel *panel = LC_GRAPH_PANEL (lc_shell_get_panel (shell, "graph"));

  if (lc_session_get_shown (panel->session) == NULL)
    return;
  if (g_str_equal (name, "win.stop"))
    {
      graph_panel_on_stop (panel);
      return;
    }
  if (!gtk_widget_get_mapped (GTK_WIDGET (panel)))
    lc_shell_show_panel (shell, "graph");
  if (g_str_equal (name, "win.play"))
    on_play (panel);
  else if (g_str_equal (name, "win.step-forward"))
    on_forward (panel);
  else
    on_backward (panel);
}

void
lc_graph_install_actions (GtkWidgetClass *class)
{
  static const char *const names[] = {"win.play", "win.step-forward", "win.step-backward", "win.stop"};

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    gtk_widget_class_install_action (class, names[i], NULL, graph_panel_act);
}
