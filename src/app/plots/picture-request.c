/* SPDX-License-Identifier: Apache-2.0 */
/* A request for a picture: the shown choices, a view, and a part of the run. */
#include "app/plots/picture-request.h"

#include <glib/gi18n.h>
#include <math.h>

LcPictureRequest *
lc_picture_request_new (LcSession *session, const char *view, gboolean whole)
{
  LcPictureRequest *request = g_new0 (LcPictureRequest, 1);
  LcPictureOptions usual;
  LcSpan all;

  lc_picture_options_init (&usual);
  request->shown = lc_shown_ref (lc_session_get_shown (session));
  request->view = view;
  request->whole = whole;
  lc_session_get_span (session, &request->span);
  lc_session_get_whole (session, &all);
  request->all = request->span.from <= all.from && request->span.to >= all.to;
  request->share = CLAMP ((request->span.to - request->span.from) / (all.to - all.from), 0, 1);
  request->theme = usual.theme;
  request->style = lc_shown_get_style ();
  request->text_scale = 1;
  request->turned = lc_session_are_plots_at_side (session);
  request->width = usual.width;
  request->height = usual.height;
  return request;
}

LcPictureRequest *
lc_picture_request_copy (const LcPictureRequest *request)
{
  LcPictureRequest *copy = g_memdup2 (request, sizeof *request);

  lc_shown_ref (copy->shown);
  copy->title = g_strdup (request->title);
  copy->frame = g_strdup (request->frame);
  return copy;
}

void
lc_picture_request_free (LcPictureRequest *request)
{
  if (request == NULL)
    return;
  lc_shown_unref (request->shown);
  g_free (request->title);
  g_free (request->frame);
  g_free (request);
}

void
lc_picture_request_set_title (LcPictureRequest *request, const char *title)
{
  char *copy = g_strdup (title);

  g_free (request->title);
  request->title = copy;
}

void
lc_picture_request_set_frame (LcPictureRequest *request, const char *frame)
{
  char *copy = g_strdup (frame);

  g_free (request->frame);
  request->frame = copy;
}

void
lc_picture_request_line_up (LcPictureRequest *request, LcSession *session, double before)
{
  LcTimePlace *place = &request->place;
  gboolean down = request->shown->orientation == LC_ORIENTATION_DOWN;
  LcSpan span = request->span;

  *place = (LcTimePlace){.begin = 0};
  if (request->shown->selection.time != LC_SCENE_PHYSICAL || down != request->turned)
    return;
  if (request->whole)
    lc_session_get_whole (session, &span);
  lc_session_get_ruler (session, &place->begin, &place->end);
  place->begin -= before;
  place->end -= before;
  place->from = span.from;
  place->to = span.to;
}

static gboolean
has_same_place (const LcTimePlace *a, const LcTimePlace *b)
{
  return a->begin == b->begin && a->end == b->end && a->from == b->from && a->to == b->to;
}

static gboolean
has_same_part (const LcPictureRequest *a, const LcPictureRequest *b)
{
  return a->whole || (a->span.from == b->span.from && a->span.to == b->span.to &&
                      a->span.first_row == b->span.first_row && a->span.last_row == b->span.last_row);
}

gboolean
lc_picture_request_equal (const LcPictureRequest *a, const LcPictureRequest *b)
{
  return a->shown == b->shown && g_strcmp0 (a->view, b->view) == 0 && g_strcmp0 (a->measure, b->measure) == 0 &&
         g_strcmp0 (a->frame, b->frame) == 0 && a->whole == b->whole && has_same_part (a, b) &&
         g_strcmp0 (a->title, b->title) == 0 && a->theme == b->theme && a->style == b->style && a->width == b->width &&
         a->height == b->height && a->text_scale == b->text_scale && a->turned == b->turned &&
         has_same_place (&a->place, &b->place);
}

guint
lc_picture_request_get_changes (const char *view, gboolean whole)
{
  guint traits = lc_views_find (view)->traits;
  guint changes = LC_CHANGED_HISTORY | LC_CHANGED_TIMELINE | LC_CHANGED_RULER;

  if ((traits & LC_VIEW_SPAN) != 0 && !whole)
    changes |= LC_CHANGED_SPAN | LC_CHANGED_TIME;
  if ((traits & LC_VIEW_ALL_PROCESSES) == 0)
    changes |= LC_CHANGED_ROWS;
  if ((traits & LC_VIEW_ALL_TIMELINES) != 0)
    changes |= LC_CHANGED_TIMELINES;
  if ((traits & LC_VIEW_PHASES) != 0)
    changes |= LC_CHANGED_FOUND;
  if ((traits & LC_VIEW_FILTERS) != 0)
    changes |= LC_CHANGED_FILTER;
  if ((traits & LC_VIEW_TIMES) != 0)
    changes |= LC_CHANGED_PICTURE;
  return changes;
}

guint64
lc_picture_request_estimate_events (const LcPictureRequest *request)
{
  guint traits = lc_views_find (request->view)->traits;
  guint64 events = lc_history_get_n_events (request->shown->opened->history);

  if ((traits & (LC_VIEW_TIMES | LC_VIEW_ACTUAL)) != 0)
    return 0; /* such views use summaries or the lengths of timelines */
  return request->whole || (traits & LC_VIEW_SPAN) == 0 ? events : (guint64)(request->share * (double)events);
}

/* --- The part ---------------------------------------------------------------------------------------------------- */

/* Finds the physical time of a range of layers: from the first begin to the last end of their events. */
static gboolean
find_time_of_layers (const LcShown *shown, guint64 from, guint64 to, LcPictureOptions *options, GError **error)
{
  LcHistory *history = shown->opened->history;
  guint64 begin = G_MAXUINT64, end = 0;

  for (guint32 i = 0; i < shown->selection.n_processes; i++)
    {
      LcHistoryEvent first, last;
      guint64 events;

      if (!lc_history_count_events (history, shown->timeline, shown->selection.processes[i], &events, error))
        return FALSE;
      if (events == 0)
        continue;
      if (!lc_history_find_event_at_layer (history, shown->timeline, shown->selection.processes[i], from, &first,
                                           error) ||
          !lc_history_find_event_at_layer (history, shown->timeline, shown->selection.processes[i], to - 1, &last,
                                           error))
        return FALSE;
      if (last.layer < from || first.layer >= to)
        continue;
      begin = MIN (begin, first.layer >= from ? first.begin : first.end);
      end = MAX (end, last.end);
    }
  options->from = MIN (begin, end);
  options->to = MAX (end, options->from + 1);
  return TRUE;
}

static void
find_time_of_phases (const LcShown *shown, guint64 from, guint64 to, LcPictureOptions *options)
{
  const LcPhases *phases = lc_kept_get (shown->phases);
  guint64 begin = G_MAXUINT64, end = 0;

  for (guint32 i = 0; i < lc_phases_get_n (phases); i++)
    {
      const LcPhase *phase = lc_phases_get (phases, i);
      guint64 after = i + 1 < lc_phases_get_n (phases) ? lc_phases_get (phases, i + 1)->position
                                                       : lc_phases_get_n_positions (phases);

      if (phase->events == 0 || phase->position >= to || after <= from)
        continue;
      begin = MIN (begin, phase->begin);
      end = MAX (end, phase->end);
    }
  options->from = MIN (begin, end);
  options->to = end;
}

/* Widens the part to whole phases, because parts of a phase cannot be named. */
static void
widen_to_phases (const LcPhases *phases, LcPictureOptions *options)
{
  guint64 from = 0, to = lc_phases_get_n_positions (phases);

  for (guint32 i = 0; i < lc_phases_get_n (phases); i++)
    {
      guint64 position = lc_phases_get (phases, i)->position;

      if (position <= options->from)
        from = position;
      if (position >= options->to)
        to = MIN (to, position);
    }
  options->from = from;
  options->to = MAX (to, from + 1);
}

static gboolean
picture_request_fill_span (const LcPictureRequest *request, guint traits, LcPictureOptions *options, GError **error)
{
  const LcShown *shown = request->shown;
  guint64 from = (guint64)MAX (floor (request->span.from), 0), to = (guint64)MAX (ceil (request->span.to), 1);

  if (request->whole || request->all || (traits & LC_VIEW_SPAN) == 0)
    return TRUE;
  if (request->place.begin < request->place.end && to > from + 3)
    { /* what lines up does not reach beyond the diagram */
      from = (guint64)ceil (MAX (request->span.from, 0));
      to = (guint64)floor (request->span.to);
    }
  options->from = from;
  options->to = MAX (to, from + 1);
  if (shown->selection.time == LC_SCENE_PHASE && shown->phases == NULL)
    options->from = options->to = 0;
  else if (shown->selection.time == LC_SCENE_PHASE && (traits & LC_VIEW_TIMES) != 0)
    widen_to_phases (lc_kept_get (shown->phases), options);
  else if (shown->selection.time == LC_SCENE_PHASE)
    find_time_of_phases (shown, from, options->to, options);
  else if (shown->selection.time == LC_SCENE_LOGICAL && (traits & LC_VIEW_TIMES) == 0)
    return find_time_of_layers (shown, from, options->to, options, error);
  return TRUE;
}

/* Fills in the rows of a diagram that are in view. */
static void
fill_rows (const LcPictureRequest *request, LcPictureOptions *options, LcPictureNumbers *numbers)
{
  const LcShown *shown = request->shown;
  guint32 n_rows = lc_shown_get_n_rows (shown), n;
  guint32 first = (guint32)CLAMP (floor (request->span.first_row + 0.001), 0, n_rows);
  guint32 last = (guint32)CLAMP (ceil (request->span.last_row - 0.001), first, n_rows);

  if (first >= last)
    return;
  options->selection.processes = lc_shown_get_row (shown, first, &n);
  options->selection.n_processes = last - first;
  if (shown->selection.row_ends == NULL)
    return;
  options->selection.n_processes =
      shown->selection.row_ends[last - 1] - (guint32)(options->selection.processes - shown->selection.processes);
  numbers->row_ends = g_new (guint32, last - first);
  for (guint32 i = first; i < last; i++)
    numbers->row_ends[i - first] =
        shown->selection.row_ends[i] - (guint32)(options->selection.processes - shown->selection.processes);
  options->selection.row_ends = numbers->row_ends;
  options->selection.n_row_ends = last - first;
}

gboolean
lc_picture_request_fill (const LcPictureRequest *request, LcPictureOptions *options, LcPictureNumbers *numbers,
                         GError **error)
{
  const LcViewInfo *view = lc_views_find (request->view);

  *numbers = (LcPictureNumbers){.row_ends = NULL};
  lc_shown_fill_options (request->shown, options, numbers->timelines);
  options->view = request->view;
  options->measure = request->measure;
  options->frame = request->frame;
  options->title = request->title;
  options->theme = request->theme;
  options->style = request->style;
  options->width = request->width;
  options->height = request->height;
  options->place = request->place;
  if ((view->traits & LC_VIEW_OVER_TIME) != 0)
    options->orientation = request->turned ? LC_ORIENTATION_DOWN : LC_ORIENTATION_RIGHT;
  if ((view->traits & LC_VIEW_ALL_TIMELINES) != 0)
    options->n_timelines = 0;
  if (request->shown->selection.n_processes == 0 && (view->traits & LC_VIEW_ALL_PROCESSES) == 0)
    {
      g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
                   _ ("all processes are hidden: show some of them again"));
      return FALSE;
    }
  if (!request->whole && (view->traits & LC_VIEW_TIMES) != 0)
    fill_rows (request, options, numbers);
  return picture_request_fill_span (request, view->traits, options, error);
}

void
lc_picture_numbers_clear (LcPictureNumbers *numbers)
{
  g_clear_pointer (&numbers->row_ends, g_free);
}

LcPicture *
lc_picture_request_make (const LcPictureRequest *request, GCancellable *cancellable, GError **error)
{
  LcPictureOptions options;
  g_auto (LcPictureNumbers) numbers = {.row_ends = NULL};

  if (!lc_picture_request_fill (request, &options, &numbers, error))
    return NULL;
  return lc_picture_new (request->shown->opened->history, &options, cancellable, error);
}
