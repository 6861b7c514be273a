/* SPDX-License-Identifier: Apache-2.0 */
/* The diagram's area: threads lay out and paint pictures; the last picture is moved and stretched until a newer one has
 * come, so that the main thread never waits. */
#include "app/diagram/diagram-area.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/diagram/outline.h"
#include "app/diagram/shots.h"
#include "app/diagram/stop-marks.h"
#include "app/theme.h"
#include "app/settings.h"

enum
{
  JUMP_TIME = 200, /* ms */
  FADE_TIME = 120,
  CHANGE_TIME = 300, /* of a change to another axis */
  GOES_ON = 150,     /* ms: spans that change again within this time are being dragged */
};

/* Smaller moves and zooms, as shares of the view, are followed at once, without an animation. */
#define SMALL_MOVE 0.6
#define SMALL_ZOOM 1.7

struct _LcDiagramArea
{
  GtkWidget parent;

  LcSession *session;
  LcShots *shots;
  LcStopMarks *stops;

  /* The part in view, which follows the session's span. */
  LcSpan span;
  LcSpan jump_from;
  gint64 span_changed;
  AdwAnimation *jump;
  AdwAnimation *fade;   /* from the picture before */
  double progress;      /* of the fade */
  LcTimeChange *change; /* replaces the fade; NULL: none */

  gboolean has_band;
  graphene_rect_t band;
  LcMark hover_mark; /* the picked mark or arc, as `hovers` says */
  LcSceneArc hover_arc;
  enum
  {
    HOVERS_NOTHING,
    HOVERS_MARK,
    HOVERS_ARC,
  } hovers;
};

G_DEFINE_FINAL_TYPE (LcDiagramArea, lc_diagram_area, GTK_TYPE_WIDGET)

enum
{
  MOVED,
  SIGNALS,
};

static guint signals[SIGNALS];

/* --- The view ---------------------------------------------------------------------------------------------------- */

gboolean
lc_diagram_area_get_view (LcDiagramArea *area, LcDiagramView *view)
{
  const LcShown *shown = lc_session_get_shown (area->session);
  int width = gtk_widget_get_width (GTK_WIDGET (area)), height = gtk_widget_get_height (GTK_WIDGET (area));

  if (shown == NULL)
    return FALSE;
  *view = (LcDiagramView){.area = {0, 0, MAX (width, 1), MAX (height, 1)},
                          .orientation = shown->orientation,
                          .from = area->span.from,
                          .to = area->span.to,
                          .first_row = area->span.first_row,
                          .last_row = area->span.last_row,
                          .time = shown->selection.time,
                          .n_tracks = 1,
                          .style = lc_shown_get_style (),
                          .hidden = shown->selection.hidden};
  if (shown->beside != LC_TRACE_NONE && shown->selection.time == LC_SCENE_PHYSICAL &&
      lc_session_get_share (area->session) < 0)
    view->n_tracks = 2;
  return TRUE;
}

const LcScene *
lc_diagram_area_get_scene (LcDiagramArea *area)
{
  return lc_session_get_shown (area->session) != NULL ? lc_shots_get_scene (area->shots) : NULL;
}

gboolean
lc_diagram_area_pick (LcDiagramArea *area, double x, double y, double margin, LcPick *pick)
{
  return lc_shots_pick (area->shots, (LcPlace){x, y}, margin, pick);
}

gboolean
lc_diagram_area_is_sharp (LcDiagramArea *area)
{
  return lc_shots_are_sharp (area->shots);
}

/* Asks for the picture of the current view unless it is there or on its way. */
static void
diagram_area_look (LcDiagramArea *area)
{
  LcShown *shown = lc_session_get_shown (area->session);
  LcShotSubject subject = {.shown = shown,
                           .theme = lc_theme_of (GTK_WIDGET (area)),
                           .style = lc_shown_get_style (),
                           .share = lc_session_get_share (area->session),
                           .text_scale = lc_theme_get_text_scale (),
                           .pixels = gtk_widget_get_scale_factor (GTK_WIDGET (area))};
  LcSpan whole;

  lc_session_get_whole (area->session, &whole);
  if (shown == NULL || lc_shown_get_n_rows (shown) == 0)
    lc_shots_look (area->shots, NULL, NULL);
  else if (gtk_widget_get_width (GTK_WIDGET (area)) > 0 && gtk_widget_get_height (GTK_WIDGET (area)) > 0 &&
           (shown->selection.time != LC_SCENE_PHASE || shown->phases != NULL) &&
           lc_diagram_area_get_view (area, &subject.view))
    lc_shots_look (area->shots, &subject, &whole);
}

static void
diagram_area_move (LcDiagramArea *area)
{
  diagram_area_look (area);
  g_signal_emit (area, signals[MOVED], 0);
  gtk_widget_queue_draw (GTK_WIDGET (area));
}

/* --- Following the session --------------------------------------------------------------------------------------- */

static gboolean
is_jump (double from, double to, double new_from, double new_to)
{
  double length = to - from, new_length = new_to - new_from, longer = MAX (length, new_length);

  return MAX (length / new_length, new_length / length) > SMALL_ZOOM ||
         fabs (new_from + new_to - from - to) / 2 > SMALL_MOVE * longer;
}

/* Interpolates so that the length changes by the same factor in each step, and the edges move evenly with the
 * length. */
static void
diagram_area_interpolate (double from, double to, double new_from, double new_to, double progress, double *at_from,
                          double *at_to)
{
  double length = to - from, new_length = new_to - new_from, share = progress;

  if (fabs (new_length / length - 1) > 1e-3)
    share = (length * pow (new_length / length, progress) - length) / (new_length - length);
  *at_from = from + (new_from - from) * share;
  *at_to = to + (new_to - to) * share;
}

static void
on_jump (double progress, LcDiagramArea *area)
{
  const LcSpan *from = &area->jump_from;
  LcSpan to;

  lc_session_get_span (area->session, &to);
  diagram_area_interpolate (from->from, from->to, to.from, to.to, progress, &area->span.from, &area->span.to);
  diagram_area_interpolate (from->first_row, from->last_row, to.first_row, to.last_row, progress, &area->span.first_row,
                            &area->span.last_row);
  if (progress >= 1)
    area->span = to;
  diagram_area_move (area);
}

static void
diagram_area_follow (LcDiagramArea *area, gboolean at_once)
{
  gint64 now = g_get_monotonic_time ();
  gboolean goes_on = now - area->span_changed < GOES_ON * 1000;
  LcSpan to;

  area->span_changed = now;
  lc_session_get_span (area->session, &to);
  at_once = at_once || goes_on || !gtk_widget_get_mapped (GTK_WIDGET (area)) ||
            !(is_jump (area->span.from, area->span.to, to.from, to.to) ||
              is_jump (area->span.first_row, area->span.last_row, to.first_row, to.last_row));
  adw_animation_pause (area->jump);
  if (at_once)
    {
      area->span = to;
      diagram_area_move (area);
      return;
    }
  area->jump_from = area->span;
  adw_animation_reset (area->jump);
  adw_animation_play (area->jump);
}

static void
diagram_area_on_changed (LcSession *session, guint what, LcDiagramArea *area)
{
  if (what & LC_CHANGED_PICTURE)
    area->hovers = HOVERS_NOTHING;
  lc_stop_marks_follow (area->stops, what);
  if (what & (LC_CHANGED_PICTURE | LC_CHANGED_SPAN))
    diagram_area_follow (
        area, (what & (LC_CHANGED_HISTORY | LC_CHANGED_TIME | LC_CHANGED_ORIENTATION | LC_CHANGED_ROWS)) != 0);
  else if (what &
           (LC_CHANGED_SELECTION | LC_CHANGED_HEAD | LC_CHANGED_HITS | LC_CHANGED_BREAKPOINTS | LC_CHANGED_STOPS))
    gtk_widget_queue_draw (GTK_WIDGET (area));
}

/* --- News of the shots ------------------------------------------------------------------------------------------- */

static void
on_arrived (gpointer data)
{
  LcDiagramArea *area = data;

  g_signal_emit (area, signals[MOVED], 0);
  gtk_widget_queue_draw (GTK_WIDGET (area));
}

static void
on_fade (double progress, LcDiagramArea *area)
{
  area->progress = progress;
  if (progress >= 1)
    g_clear_pointer (&area->change, lc_time_change_free);
  gtk_widget_queue_draw (GTK_WIDGET (area));
}

/* Starts an animation that moves events to another axis or timeline. FALSE: the new picture fades in instead. */
static gboolean
begin_change (LcDiagramArea *area)
{
  LcTimeChangeSide before, now;

  g_clear_pointer (&area->change, lc_time_change_free);
  if (!lc_settings_get_boolean ("animations", TRUE) || !lc_shots_get_sides (area->shots, &before, &now) ||
      (before.shown->selection.time == now.shown->selection.time && before.shown->timeline == now.shown->timeline))
    return FALSE;
  area->change = lc_time_change_new (&before, &now, lc_theme_of (GTK_WIDGET (area)),
                                     gtk_widget_get_scale_factor (GTK_WIDGET (area)),
                                     (void (*) (gpointer))gtk_widget_queue_draw, area);
  return area->change != NULL;
}

/* Tells whether only the share between two timelines has changed: then the slider should be followed without a fade. */
static gboolean
is_same_shown (LcDiagramArea *area)
{
  LcTimeChangeSide before, now;

  return lc_shots_get_sides (area->shots, &before, &now) && before.shown == now.shown;
}

static void
diagram_area_on_turned (gpointer data)
{
  LcDiagramArea *area = data;

  area->progress = 0;
  adw_animation_reset (area->fade);
  if (is_same_shown (area))
    {
      adw_animation_skip (area->fade);
      return;
    }
  adw_timed_animation_set_duration (ADW_TIMED_ANIMATION (area->fade), begin_change (area) ? CHANGE_TIME : FADE_TIME);
  adw_animation_play (area->fade);
}

static void
on_failed (const GError *error, gpointer data)
{
  lc_session_tell (LC_DIAGRAM_AREA (data)->session, error->message);
}

/* --- Drawing ----------------------------------------------------------------------------------------------------- */

static void
draw_selection (LcDiagramArea *area, GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view)
{
  const LcHistoryEvent *event = lc_session_get_event (area->session);
  LcMark mark = {.kind = LC_MARK_EVENT, .n_rows = 1};
  double from, to;

  if (event == NULL || !lc_session_get_place (area->session, event, &from, &to))
    return;
  mark.row = lc_shown_find_row (lc_session_get_shown (area->session), event->process);
  if (mark.row == LC_TRACE_NONE)
    return;
  mark.from = (guint64)MAX (from, 0);
  mark.to = view->time == LC_SCENE_PHYSICAL ? (guint64)MAX (to, from) : mark.from;
  lc_outline_selection (snapshot, theme, view, &mark);
}

static void
draw_above (LcDiagramArea *area, GtkSnapshot *snapshot, LcTheme theme)
{
  LcDiagramView view;
  double from, to;

  if (!lc_diagram_area_get_view (area, &view))
    return;
  if (area->hovers == HOVERS_MARK)
    lc_outline_hover (snapshot, theme, &view, &area->hover_mark);
  else if (area->hovers == HOVERS_ARC)
    lc_outline_arc (snapshot, theme, &view, &area->hover_arc);
  if (lc_session_get_head (area->session, &from, &to))
    lc_outline_head (snapshot, theme, &view, from, to);
  lc_outline_hits (snapshot, theme, &view, lc_session_get_shown (area->session), lc_session_get_hits (area->session));
  draw_selection (area, snapshot, theme, &view);
  lc_stop_marks_draw (area->stops, snapshot, theme, &view);
  if (area->has_band)
    lc_outline_band (snapshot, theme, &area->band);
}

static gboolean
shows_nothing (const LcScene *scene)
{
  gsize n_events, n_summaries;

  lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n_events);
  lc_scene_get_marks_of (scene, LC_MARK_SUMMARY, 0, LC_TRACE_NONE, &n_summaries);
  return n_events + n_summaries == 0;
}

/* Draws the words that stand in for a missing picture, or explain an empty one. */
static void
draw_words (LcDiagramArea *area, GtkSnapshot *snapshot, LcTheme theme)
{
  const LcShown *shown = lc_session_get_shown (area->session);
  const LcScene *scene = lc_diagram_area_get_scene (area);
  GtkWidget *widget = GTK_WIDGET (area);

  if (shown == NULL)
    lc_outline_words (snapshot, widget, theme, _ ("No trace is open"),
                      _ ("Open the folder of a trace to see its run."));
  else if (lc_shown_get_n_rows (shown) == 0)
    lc_outline_words (snapshot, widget, theme, _ ("All processes are hidden"),
                      _ ("Tick some of them in the list of processes."));
  else if (shown->selection.time == LC_SCENE_PHASE && shown->phases == NULL)
    lc_outline_words (snapshot, widget, theme, _ ("Finding the phases…"),
                      _ ("All events are looked at once for that."));
  else if (scene != NULL && shows_nothing (scene) && lc_filters_are_set (&shown->selection.filters))
    lc_outline_words (snapshot, widget, theme, _ ("No event here passes the filters"),
                      _ ("Zoom out, or choose more operations and objects."));
}

static void
lc_diagram_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  LcDiagramArea *area = LC_DIAGRAM_AREA (widget);
  LcTheme theme = lc_theme_of (widget);
  GdkRGBA panel = lc_theme_get_color (theme, LC_INK_PANEL);
  graphene_rect_t bounds =
      GRAPHENE_RECT_INIT (0, 0, (float)gtk_widget_get_width (widget), (float)gtk_widget_get_height (widget));

  gtk_snapshot_push_clip (snapshot, &bounds);
  gtk_snapshot_append_color (snapshot, &panel, &bounds);
  if (area->change == NULL || !lc_time_change_draw (area->change, area->progress, snapshot))
    lc_shots_draw (area->shots, snapshot, gtk_native_get_renderer (gtk_widget_get_native (widget)),
                   area->change != NULL ? 0 : area->progress);
  if (area->change == NULL && lc_diagram_area_get_scene (area) != NULL)
    draw_above (area, snapshot, theme);
  draw_words (area, snapshot, theme);
  gtk_snapshot_pop (snapshot);
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

void
lc_diagram_area_set_band (LcDiagramArea *area, const graphene_rect_t *band)
{
  if (band == NULL && !area->has_band)
    return;
  area->has_band = band != NULL;
  if (band != NULL)
    graphene_rect_normalize_r (band, &area->band);
  gtk_widget_queue_draw (GTK_WIDGET (area));
}

void
lc_diagram_area_set_hover (LcDiagramArea *area, const LcPick *pick)
{
  gboolean hovered = area->hovers != HOVERS_NOTHING;

  area->hovers = HOVERS_NOTHING;
  if (pick != NULL && pick->mark != NULL)
    {
      area->hovers = HOVERS_MARK;
      area->hover_mark = *pick->mark;
    }
  else if (pick != NULL && pick->arc != NULL)
    {
      area->hovers = HOVERS_ARC;
      area->hover_arc = *pick->arc;
    }
  if (hovered || area->hovers != HOVERS_NOTHING)
    gtk_widget_queue_draw (GTK_WIDGET (area));
}

static void
lc_diagram_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  LcDiagramArea *area = LC_DIAGRAM_AREA (widget);

  diagram_area_look (area);
  g_signal_emit (area, signals[MOVED], 0);
}

static void
lc_diagram_area_dispose (GObject *object)
{
  LcDiagramArea *area = LC_DIAGRAM_AREA (object);

  if (area->jump != NULL)
    adw_animation_pause (area->jump);
  if (area->fade != NULL)
    adw_animation_pause (area->fade);
  g_clear_object (&area->jump);
  g_clear_object (&area->fade);
  g_clear_pointer (&area->change, lc_time_change_free);
  g_clear_pointer (&area->shots, lc_shots_free);
  g_clear_pointer (&area->stops, lc_stop_marks_free);
  g_clear_object (&area->session);
  G_OBJECT_CLASS (lc_diagram_area_parent_class)->dispose (object);
}

static void
lc_diagram_area_class_init (LcDiagramAreaClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_diagram_area_dispose;
  widget->snapshot = lc_diagram_area_snapshot;
  widget->size_allocate = lc_diagram_area_size_allocate;
  gtk_widget_class_set_css_name (widget, "diagram");
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  signals[MOVED] =
      g_signal_new ("moved", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static AdwAnimation *
make_animation (LcDiagramArea *area, guint time, AdwAnimationTargetFunc step)
{
  return adw_timed_animation_new (GTK_WIDGET (area), 0, 1, time, adw_callback_animation_target_new (step, area, NULL));
}

static void
lc_diagram_area_init (LcDiagramArea *area)
{
  static const LcShotsEvents events = {.arrived = on_arrived, .turned = diagram_area_on_turned, .failed = on_failed};

  gtk_widget_set_hexpand (GTK_WIDGET (area), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (area), TRUE);
  area->shots = lc_shots_new (&events, area);
  area->jump = make_animation (area, JUMP_TIME, (AdwAnimationTargetFunc)on_jump);
  area->fade = make_animation (area, FADE_TIME, (AdwAnimationTargetFunc)on_fade);
  g_signal_connect (area, "notify::scale-factor", G_CALLBACK (diagram_area_move), NULL);
}

GtkWidget *
lc_diagram_area_new (LcSession *session)
{
  LcDiagramArea *area = g_object_new (LC_TYPE_DIAGRAM_AREA, NULL);

  area->session = g_object_ref (session);
  area->stops = lc_stop_marks_new (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (diagram_area_on_changed), area, 0);
  lc_theme_watch (area, G_CALLBACK (diagram_area_move));
  if (lc_settings_get () != NULL)
    g_signal_connect_object (lc_settings_get (), "changed::diagram-style", G_CALLBACK (diagram_area_move), area,
                             G_CONNECT_SWAPPED);
  diagram_area_follow (area, TRUE);
  return GTK_WIDGET (area);
}
