/* SPDX-License-Identifier: Apache-2.0 */
/* The space-time diagram as a view: its query to the history, and its axes, legend and notes. */
#include "draw/diagram/diagram-private.h"

#include <glib/gi18n-lib.h>

#include "draw/diagram/diagram-legend.h"
#include "draw/diagram/diagram-marked.h"
#include "draw/views/view.h"
#include "trace/quantities.h"

#define MARGIN_ALONG 110 /* pixels that axes and titles take, about */
#define MOST_OF_NAMES 0.25
#define MOST_ARCS 250 /* in physical time, where most arcs are long */
#define MOST_DISCRETE_ARCS 500
#define MOST_MARKS 30000 /* if each mark is painted; cells may stand for more */
#define PHASES_DOWN 92.0
#define PHASES_RIGHT 16.0

typedef struct
{
  LcScene *scene;
  LcDiagramMarked *marked; /* or NULL */
  LcOrientation orientation;
  LcDiagramStyle style;
  guint32 hidden;
  LcRectangle whole;
  char *timelines[2]; /* names; NULL: there is no second one */

  /* look_through sets these: the things that appear. */
  gsize kinds[LC_MARKS];
  gsize n_passing;   /* arcs with neither end in the part shown */
  guint64 summed_up; /* events in summaries */
} Model;

/* --- Query -------------------------------------------------------------------------------------------------------- */

gboolean
lc_view_has_pending (LcHistory *history)
{
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (lc_history_get_process (history, i)->pending.operation != LC_TRACE_NONE)
      return TRUE;
  return FALSE;
}

/* Whether pending operations must be shown after the last event. If the whole run is to be shown, the scene finds how
 * far. */
static gboolean
view_space_time_goes_on (const LcViewContext *context)
{
  const LcPictureOptions *options = &context->options;
  guint64 from, to;

  return options->selection.time != LC_SCENE_PHASE &&
         options->selection.n_processes == lc_history_get_n_processes (context->history) &&
         lc_view_has_pending (context->history) &&
         lc_picture_find_span (context->history, options, &from, &to, NULL, NULL) && options->from == from &&
         options->to == to;
}

static void
set_query (const LcViewContext *context, LcSceneQuery *query)
{
  const LcPictureOptions *options = &context->options;
  gboolean down = options->orientation == LC_ORIENTATION_DOWN;
  double width = MAX (context->whole.width - MARGIN_ALONG, 1), height = MAX (context->whole.height - MARGIN_ALONG, 1);

  lc_scene_query_init (query);
  query->timeline = options->timelines[0];
  if (options->n_timelines > 1 && options->selection.time == LC_SCENE_PHYSICAL)
    query->beside = options->timelines[1];
  query->phases = context->phases;
  query->from = options->from;
  query->to = options->to;
  query->selection = options->selection;
  query->most_arcs = options->selection.time == LC_SCENE_PHYSICAL ? MOST_ARCS : MOST_DISCRETE_ARCS;
  if (view_space_time_goes_on (context))
    query->from = query->to = 0;
  query->length = (guint)(down ? height : width);
  query->breadth = (guint)(down ? width : height);
  if (query->breadth >= LC_DIAGRAM_CELL_SUMMARY * (query->selection.row_ends != NULL ? query->selection.n_row_ends
                                                                                     : query->selection.n_processes))
    query->most_marks = MOST_MARKS;
}

static void
view_space_time_look_through (Model *model)
{
  gsize n_marks, n_arcs;
  const LcMark *marks = lc_scene_get_marks (model->scene, &n_marks);
  const LcSceneArc *arcs = lc_scene_get_arcs (model->scene, &n_arcs);
  LcDiagramView view;

  lc_diagram_view_init (&view, model->scene, model->whole, model->orientation);
  for (gsize i = 0; i < n_marks; i++)
    {
      model->kinds[marks[i].kind]++;
      if (marks[i].kind == LC_MARK_SUMMARY)
        model->summed_up += marks[i].events;
    }
  for (gsize i = 0; i < n_arcs; i++)
    model->n_passing += lc_diagram_passes (&view, &arcs[i]);
}

static char *
dup_timeline (const LcViewContext *context, guint32 number)
{
  for (guint i = 0; i < context->timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = context->timelines->pdata[i];

      if (timeline->id == number)
        return lc_format_text (timeline->id == LC_TIMELINE_MEASURED ? _ ("measured") : timeline->name);
    }
  return NULL;
}

static void
view_space_time_free_model (gpointer data)
{
  Model *model = data;

  lc_diagram_marked_free (model->marked);
  lc_scene_free (model->scene);
  g_free (model->timelines[0]);
  g_free (model->timelines[1]);
  g_free (model);
}

static gpointer
view_space_time_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  Model *model;
  LcSceneQuery query;
  LcScene *scene;

  set_query (context, &query);
  scene = lc_scene_new (context->history, &query, cancellable, error);
  if (scene == NULL)
    return NULL;
  model = g_new0 (Model, 1);
  model->scene = scene;
  model->orientation = context->options.orientation;
  model->style = context->options.style;
  model->hidden = context->options.selection.hidden;
  model->whole = context->whole;
  view_space_time_look_through (model);
  if (context->options.marks != NULL)
    {
      model->marked = lc_diagram_marked_new (scene, context->options.marks, context->options.hidden_marks, error);
      if (model->marked == NULL)
        {
          view_space_time_free_model (model);
          return NULL;
        }
    }
  model->timelines[0] = dup_timeline (context, query.timeline);
  if (query.beside != LC_TRACE_NONE)
    model->timelines[1] = dup_timeline (context, query.beside);
  return model;
}

/* --- The legend ------------------------------------------------------------------------------------------------------
 */

static void
describe_entries (const Model *model, const LcDiagramView *view, LcFrame *frame, LcCanvas *canvas)
{
  g_autoptr (GArray) entries = lc_diagram_list_entries (model->scene, view, canvas);

  for (guint i = 0; i < entries->len; i++)
    {
      const LcDiagramEntry *entry = &g_array_index (entries, LcDiagramEntry, i);

      if (!lc_diagram_hides (view, entry->kind))
        lc_frame_add_sample (frame, entry->text, &entry->sample);
    }
}

/* A picture says what has been left out of it. */
static void
note_left_out (const LcDiagramView *view, LcFrame *frame)
{
  g_autofree char *names = lc_diagram_dup_left_out (view->hidden);
  g_autofree char *note = NULL;

  if (names == NULL)
    return;
  note = g_strdup_printf (_ ("Left out: %s."), names);
  lc_frame_add_note (frame, note);
}

/* --- Notes on sums ------------------------------------------------------------------------------------------------ */

static void
take_note (LcFrame *frame, char *text)
{
  lc_frame_add_note (frame, text);
  g_free (text);
}

/* Gives "12 events", "less than 1 event". */
static char *
dup_average (guint64 events, gsize n_summaries)
{
  guint64 average = (events + n_summaries / 2) / n_summaries;
  g_autofree char *count = lc_format_count (average);

  if (events < n_summaries)
    return g_strdup (_ ("less than 1 event"));
  return g_strdup_printf (ngettext ("%s event", "%s events", average), count);
}

static void
note_summaries (const Model *model, LcFrame *frame, gboolean cells)
{
  const LcMark *marks;
  gsize n_marks;
  guint64 longest = 0;
  guint32 most = 1;

  marks = lc_scene_get_marks_of (model->scene, LC_MARK_SUMMARY, 0, LC_TRACE_NONE, &n_marks);
  for (gsize i = 0; i < n_marks; i++)
    {
      longest = MAX (longest, marks[i].to - marks[i].from);
      most = MAX (most, lc_scene_count_processes (model->scene, &marks[i]));
    }
  if (n_marks == 0)
    return;

  g_autofree char *events = dup_average (model->summed_up, n_marks);
  gboolean physical = lc_scene_get_query (model->scene)->selection.time == LC_SCENE_PHYSICAL;
  g_autofree char *length = physical ? lc_format_duration (longest) : lc_format_count (longest);
  g_autofree char *of =
      physical
          ? g_strdup_printf (ngettext ("%s of %u process", "%s of %u processes", most), length, most)
          : g_strdup_printf (ngettext ("%s layers of %u process", "%s layers of %u processes", most), length, most);

  if (cells)
    take_note (frame, g_strdup_printf (_ ("Each cell sums up %s: %s on average."), of, events));
  else
    take_note (frame, g_strdup_printf (_ ("Each bar sums up %s, divided by how much of it was running and waiting: "
                                          "%s on average."),
                                       of, events));
}

static void
note_tracks (const Model *model, LcFrame *frame)
{
  const char *first = model->timelines[0], *second = model->timelines[1];

  if (second == NULL)
    return;
  if (model->orientation == LC_ORIENTATION_DOWN)
    take_note (frame, g_strdup_printf (_ ("Of each process, at the left: %s; at the right: %s."), first, second));
  else
    take_note (frame, g_strdup_printf (_ ("Of each process, above: %s; below: %s."), first, second));
}

static void
note_arcs (const Model *model, const LcDiagramView *view, LcFrame *frame, gboolean cells)
{
  static const LcSceneArcKind kinds[] = {LC_SCENE_ARC_DATA, LC_SCENE_ARC_ORDER, LC_SCENE_ARC_GROUP};
  gsize n_drawn = 0, n_hidden = 0;
  guint n_parts;
  gboolean uncounted = FALSE;
  const guint32 *counts = lc_scene_get_arc_density (model->scene, &n_parts, &uncounted);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gsize hidden;
      g_autoptr (GArray) drawn = lc_diagram_list_arcs (model->scene, view, kinds[i], &hidden);

      n_drawn += kinds[i] != LC_SCENE_ARC_GROUP ? drawn->len + hidden : 0;
      n_hidden += hidden;
    }

  g_autofree char *shown = lc_format_count (n_drawn), *hidden = lc_format_count (n_hidden);
  g_autofree char *passing = lc_format_count (model->n_passing);

  if (n_drawn > 0 && counts != NULL && !cells)
    take_note (frame, g_strdup_printf (_ ("Of the arcs, the %s that cost most waiting are drawn; shades between the "
                                          "processes say how many others there are."),
                                       shown));
  else if (n_drawn > 0 && (counts != NULL || uncounted))
    take_note (frame,
               g_strdup_printf (_ ("Of all arcs, only %s that cost most waiting or are longest are drawn."), shown));
  if (n_hidden > 0)
    take_note (frame, g_strdup_printf (ngettext ("%s arc lies on another one, and is drawn as one with it.",
                                                 "%s arcs lie on others, and are drawn as one with them.", n_hidden),
                                       hidden));
  if (model->n_passing > 0)
    take_note (frame, g_strdup_printf (ngettext ("%s arc goes on before and after this part, and is not drawn.",
                                                 "%s arcs go on before and after this part, and are not drawn.",
                                                 model->n_passing),
                                       passing));
}

static void
note_names (const Model *model, LcFrame *frame, LcCanvas *canvas, const LcDiagramView *view)
{
  guint32 step = lc_diagram_get_name_step (model->scene, view, canvas);

  if (step > 1 && lc_scene_get_n_rows (model->scene) > step)
    take_note (frame, g_strdup_printf (_ ("One of %u processes is named."), step));
}

/* --- Describing
 * -------------------------------------------------------------------------------------------------------- */

static void
set_axis (const Model *model, LcFrame *frame)
{
  static const char *const titles[] = {
      [LC_SCENE_PHYSICAL] = N_ ("Time"), [LC_SCENE_LOGICAL] = N_ ("Layer"), [LC_SCENE_PHASE] = N_ ("Phase time")};
  const LcSceneQuery *query = lc_scene_get_query (model->scene);
  gboolean physical = query->selection.time == LC_SCENE_PHYSICAL, down = model->orientation == LC_ORIENTATION_DOWN;
  double from = (double)query->from, to = (double)MAX (query->to, query->from + 1);
  LcAxisScale along = {.title = _ (titles[query->selection.time]),
                       .kind = physical ? LC_SCALE_TIME : LC_SCALE_COUNT,
                       .from = down ? to : from,
                       .to = down ? from : to,
                       .grid = physical};

  if (down)
    lc_frame_set_y (frame, &along);
  else
    lc_frame_set_x (frame, &along);
}

/* The part of the area that the names of phases take, at the end of the rows. */
static double
room_for_phases (const Model *model)
{
  if (lc_scene_get_query (model->scene)->phases == NULL)
    return 0;
  return model->orientation == LC_ORIENTATION_DOWN ? PHASES_DOWN : PHASES_RIGHT;
}

static void
init_view (const Model *model, LcDiagramView *view, LcRectangle area)
{
  if (model->orientation == LC_ORIENTATION_DOWN)
    area.width = MAX (area.width - room_for_phases (model), 1);
  else
    area.height = MAX (area.height - room_for_phases (model), 1);
  lc_diagram_view_init (view, model->scene, area, model->orientation);
  view->style = model->style;
  view->hidden = model->hidden;
}

static void
view_space_time_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  Model *model = data;
  gboolean down = model->orientation == LC_ORIENTATION_DOWN, cells;
  LcDiagramView view;
  double room;

  set_axis (model, frame);
  init_view (model, &view, lc_frame_measure (frame, canvas, model->whole));
  room = lc_diagram_measure_names (model->scene, &view, canvas,
                                   MOST_OF_NAMES * (down ? model->whole.height : model->whole.width));
  lc_frame_set_margins (frame, down ? 0 : room, down ? room : 0);
  init_view (model, &view, lc_frame_measure (frame, canvas, model->whole));
  cells = lc_diagram_has_cells (model->scene, &view);
  describe_entries (model, &view, frame, canvas);
  if (model->marked != NULL)
    lc_diagram_marked_describe (model->marked, frame, canvas);
  note_tracks (model, frame);
  note_summaries (model, frame, cells);
  note_arcs (model, &view, frame, cells);
  if (lc_scene_get_query (model->scene)->selection.lowest != LC_TRACE_NONE && model->kinds[LC_MARK_BOUNDS] == 0)
    lc_frame_add_note (frame, _ ("Bounds are shown only where single events are: show a shorter part of the run."));
  if (lc_scene_get_query (model->scene)->selection.coloring != NULL && (model->kinds[LC_MARK_EVENT] == 0 || cells))
    lc_frame_add_note (frame, _ ("Functions have colours only where single events are: show a shorter part of the run, "
                                 "or fewer processes."));
  note_names (model, frame, canvas, &view);
  note_left_out (&view, frame);
}

/* --- Painting
 * ------------------------------------------------------------------------------------------------------------ */

static void
view_space_time_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  Model *model = data;
  gboolean down = model->orientation == LC_ORIENTATION_DOWN;
  double phases = room_for_phases (model), room;
  LcRectangle names = area, strip = area;
  LcDiagramView view;

  init_view (model, &view, area);
  room = lc_diagram_measure_names (model->scene, &view, canvas,
                                   MOST_OF_NAMES * (down ? model->whole.height : model->whole.width));
  if (down)
    {
      names = (LcRectangle){area.x, area.y - room, area.width, room};
      strip = (LcRectangle){area.x + area.width - phases, area.y, phases, area.height};
    }
  else
    {
      names = (LcRectangle){area.x - room, area.y, room, area.height};
      strip = (LcRectangle){area.x, area.y + area.height - phases, area.width, phases};
    }
  lc_diagram_paint (model->scene, &view, canvas);
  if (model->marked != NULL)
    lc_diagram_marked_paint (model->marked, &view, canvas);
  lc_diagram_paint_names (model->scene, &view, canvas, names);
  if (phases > 0)
    lc_diagram_paint_phase_names (model->scene, &view, canvas, strip);
}

static char *
view_space_time_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  Model *model = data;
  LcDiagramView view;
  LcPick pick;

  init_view (model, &view, area);
  return lc_diagram_pick (model->scene, &view, place, margin, &pick) ? lc_scene_dup_text (model->scene, &pick) : NULL;
}

static char *
view_space_time_tell (gpointer data)
{
  Model *model = data;
  LcSceneTotals totals;

  lc_scene_get_totals (model->scene, &totals);

  g_autofree char *events = lc_format_count (totals.events);
  g_autofree char *running = lc_format_duration (totals.running);
  g_autofree char *waiting = lc_format_duration (totals.waiting);
  guint32 n = 0;

  for (guint32 row = 0; row < lc_scene_get_n_rows (model->scene); row++)
    n += lc_scene_get_n_processes (model->scene, row);
  return g_strdup_printf (ngettext ("%u process with %s events, which ran for %s and waited for %s.",
                                    "%u processes with %s events, which ran for %s and waited for %s together.", n),
                          n, events, running, waiting);
}

static const LcScene *
get_scene (gpointer data, LcRectangle area, LcDiagramView *view)
{
  Model *model = data;

  init_view (model, view, area);
  return model->scene;
}

const LcView lc_view_space_time = {
    .info = {.name = "space-time",
             .title = N_ ("Space-time diagram"),
             .summary = N_ ("What each process did, when, and who had to wait for whom."),
             .traits = LC_VIEW_TIMES | LC_VIEW_ORIENTATION | LC_VIEW_FILTERS | LC_VIEW_HIGHLIGHT | LC_VIEW_TIMELINES |
                       LC_VIEW_SPAN | LC_VIEW_BOUNDS | LC_VIEW_ROWS | LC_VIEW_KINDS | LC_VIEW_COLORING | LC_VIEW_STYLE},
    .gather = view_space_time_gather,
    .describe = view_space_time_describe,
    .paint = view_space_time_paint,
    .text_at = view_space_time_text_at,
    .tell = view_space_time_tell,
    .free = view_space_time_free_model,
    .get_scene = get_scene,
};
