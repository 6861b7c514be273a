/* SPDX-License-Identifier: Apache-2.0 */
/* Highlights: marks and arcs in the past or the future of an event, and those in neither. */
#include "lightcone/causality.h"
#include "scene-private.h"

/* The boundaries of past and future by process; NULL: not asked for. */
typedef struct
{
  LcSceneLayout *layout;
  const guint64 *past;   /* number of events in the past */
  const guint64 *future; /* the first event in the future */
} Cone;

/* The event is named as on the measured timeline. */
static guint16
scene_highlight_flags_of (const Cone *cone, guint32 process, guint64 ordinal)
{
  const LcHighlight *highlight = &cone->layout->query->selection.highlight;
  guint16 flags = 0;

  if (cone->past != NULL && ordinal < cone->past[process])
    flags |= LC_MARK_IN_PAST;
  if (cone->future != NULL && cone->future[process] != LC_CAUSALITY_NEVER && ordinal >= cone->future[process])
    flags |= LC_MARK_IN_FUTURE;
  if (process == highlight->process && ordinal == highlight->ordinal)
    flags |= LC_MARK_CHOSEN;
  return flags != 0 ? flags : LC_MARK_DIM;
}

/* --- Events ---------------------------------------------------------------------------------------------------- */

/* The event is named as on a track. If the track has names of its own, only events that are shown have a known measured
 * name; others get no flags. */
static guint16
flags_on_track (const Cone *cone, guint number, guint32 process, guint64 ordinal)
{
  const LcSceneTrack *track = &cone->layout->tracks[number];
  const LcHistoryEvent *event;

  if (!track->own)
    return scene_highlight_flags_of (cone, process, ordinal);
  event = lc_scene_find_event (cone->layout, track, process, ordinal);
  return event != NULL ? scene_highlight_flags_of (cone, event->origin_process, event->origin_ordinal) : 0;
}

static void
scene_highlight_flag_marks (const Cone *cone)
{
  static const LcMarkKind kinds[] = {LC_MARK_HOLDING, LC_MARK_EVENT, LC_MARK_BOUNDS, LC_MARK_PENDING};
  LcScene *scene = cone->layout->scene;

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (gsize i = scene->kinds[kinds[k]]; i < scene->kinds[kinds[k] + 1]; i++)
      scene->marks[i].flags |=
          flags_on_track (cone, scene->marks[i].track, scene->marks[i].process, scene->marks[i].ordinal);
}

/* An arc is highlighted if it leads into the past or out of an event in the future; other arcs are dim. */
static void
flag_arcs (const Cone *cone)
{
  const LcSceneLayout *layout = cone->layout;

  for (guint i = 0; i < layout->arcs->len; i++)
    {
      LcSceneArc *arc = &g_array_index (layout->arcs, LcSceneArc, i);
      guint16 from = flags_on_track (cone, 0, arc->from_process, arc->from_ordinal);
      guint16 to = flags_on_track (cone, arc->kind == LC_SCENE_ARC_LINK, arc->to_process, arc->to_ordinal);
      guint16 flags = (to & LC_MARK_IN_PAST) | (from & LC_MARK_IN_FUTURE);

      if (flags != 0)
        flags |= (from | to) & LC_MARK_CHOSEN;
      arc->flags |= flags != 0 ? flags : LC_MARK_DIM;
    }
}

/* --- Summaries ------------------------------------------------------------------------------------------------- */

/* The places where the events of a process next to a boundary end. */
typedef struct
{
  guint64 before; /* end of the last event before it */
  guint64 after;  /* end of the first event after it */
  gboolean any_before;
  gboolean any_after;
} Boundary;

static gboolean
scene_highlight_find_end (const Cone *cone, guint number, guint32 process, guint64 ordinal, guint64 *place,
                          GError **error)
{
  const LcSceneLayout *layout = cone->layout;
  LcHistoryEvent event;
  guint32 phase = 0;

  if (!lc_history_get_event (layout->history, layout->tracks[number].timeline, process, ordinal, &event, error))
    return FALSE;
  *place = lc_scene_is_physical (layout->query) ? event.end : lc_scene_place_of (layout, &event, &phase);
  return TRUE;
}

static gboolean
find_boundary (const Cone *cone, guint number, guint32 member, guint64 ordinal, Boundary *boundary, GError **error)
{
  guint64 events = cone->layout->tracks[number].members[member].events;
  guint32 process = lc_scene_process_of (cone->layout, member);

  *boundary = (Boundary){.any_before = ordinal > 0 && events > 0, .any_after = ordinal < events};
  if (g_cancellable_set_error_if_cancelled (cone->layout->cancellable, error))
    return FALSE;
  if (boundary->any_before &&
      !scene_highlight_find_end (cone, number, process, MIN (ordinal, events) - 1, &boundary->before, error))
    return FALSE;
  return !boundary->any_after || scene_highlight_find_end (cone, number, process, ordinal, &boundary->after, error);
}

/* Whether all events that end in a mark, or none of them, are before the boundary. */
static gboolean
is_all_before (const Boundary *boundary, const LcMark *mark)
{
  return !boundary->any_after || mark->to <= boundary->after;
}

static gboolean
is_all_after (const Boundary *boundary, const LcMark *mark)
{
  return !boundary->any_before || mark->from > boundary->before;
}

static void
flag_summary (const Cone *cone, const Boundary *past, const Boundary *future, LcMark *mark)
{
  const LcSceneQuery *query = cone->layout->query;
  gboolean no_past = TRUE, no_future = TRUE;

  for (guint32 i = lc_scene_first_of (query, mark->row); i < lc_scene_first_of (query, mark->row + mark->n_rows); i++)
    {
      no_past = no_past && (past == NULL || is_all_after (&past[i], mark));
      no_future = no_future && (future == NULL || is_all_before (&future[i], mark));
    }
  mark->flags |= no_past ? 0 : LC_MARK_IN_PAST;
  mark->flags |= no_future ? 0 : LC_MARK_IN_FUTURE;
  mark->flags |= no_past && no_future ? LC_MARK_DIM : 0;
}

/* Flags the summary that contains the chosen event. */
static gboolean
flag_chosen (const Cone *cone, guint number, GError **error)
{
  const LcHighlight *highlight = &cone->layout->query->selection.highlight;
  LcScene *scene = cone->layout->scene;
  guint32 row = cone->layout->rows[highlight->process];
  LcMark *marks;
  gsize n;
  guint64 place;

  if (row == LC_TRACE_NONE)
    return TRUE;
  if (!scene_highlight_find_end (cone, number, highlight->process, highlight->ordinal, &place, error))
    return FALSE;
  marks = lc_scene_get_row_marks (scene, LC_MARK_SUMMARY, number, row - row % scene->group, &n);
  for (gsize i = 0; i < n; i++)
    if (marks[i].from <= place && place < marks[i].to)
      marks[i].flags = (marks[i].flags & ~LC_MARK_DIM) | LC_MARK_CHOSEN;
  return TRUE;
}

static gboolean
scene_highlight_flag_summaries (const Cone *cone, guint number, GError **error)
{
  LcSceneLayout *layout = cone->layout;
  LcScene *scene = layout->scene;
  g_autofree Boundary *past = cone->past != NULL ? g_new0 (Boundary, MAX (layout->n_members, 1)) : NULL;
  g_autofree Boundary *future = cone->future != NULL ? g_new0 (Boundary, MAX (layout->n_members, 1)) : NULL;

  for (guint32 i = 0; i < layout->n_members; i++)
    {
      guint32 process = lc_scene_process_of (layout, i);

      if (lc_scene_has_events (layout, lc_scene_row_of (layout, i)))
        continue;
      if ((past != NULL && !find_boundary (cone, number, i, cone->past[process], &past[i], error)) ||
          (future != NULL && !find_boundary (cone, number, i, cone->future[process], &future[i], error)))
        return FALSE;
    }
  for (gsize i = scene->kinds[LC_MARK_SUMMARY]; i < scene->kinds[LC_MARK_SUMMARY + 1]; i++)
    if (scene->marks[i].track == number)
      flag_summary (cone, past, future, &scene->marks[i]);
  return flag_chosen (cone, number, error);
}

/* --- All highlights ----------------------------------------------------------------------------------------------- */

/* Computes past and future unless the query has them. `past` and `future` are set to what the caller must free. */
static gboolean
scene_highlight_find_cone (Cone *cone, guint64 **past, guint64 **future, GError **error)
{
  const LcSceneLayout *layout = cone->layout;
  const LcHighlight *highlight = &layout->query->selection.highlight;
  gboolean has_past = highlight->kind != LC_HIGHLIGHT_FUTURE, has_future = highlight->kind != LC_HIGHLIGHT_PAST;

  if (has_past && highlight->past == NULL)
    *past = lc_causality_past (layout->history, highlight->process, highlight->ordinal, layout->cancellable, error);
  if (has_past)
    cone->past = highlight->past != NULL ? highlight->past : *past;
  if (has_past && cone->past == NULL)
    return FALSE;
  if (has_future && highlight->future == NULL)
    *future = lc_causality_future (layout->history, highlight->process, highlight->ordinal, layout->cancellable, error);
  if (has_future)
    cone->future = highlight->future != NULL ? highlight->future : *future;
  return !has_future || cone->future != NULL;
}

/* Checks that the chosen event exists, which computing its past and future would do too. */
static gboolean
check_chosen (const LcSceneLayout *layout, GError **error)
{
  const LcHighlight *highlight = &layout->query->selection.highlight;
  LcHistoryEvent event;

  return lc_history_get_event (layout->history, LC_TIMELINE_MEASURED, highlight->process, highlight->ordinal, &event,
                               error);
}

static gboolean
apply_cone (const Cone *cone, GError **error)
{
  scene_highlight_flag_marks (cone);
  flag_arcs (cone);
  if (cone->layout->scene->kinds[LC_MARK_SUMMARY] == cone->layout->scene->kinds[LC_MARK_SUMMARY + 1])
    return TRUE;
  for (guint number = 0; number < cone->layout->n_tracks; number++)
    if (!cone->layout->tracks[number].own && !scene_highlight_flag_summaries (cone, number, error))
      return FALSE;
  return TRUE;
}

gboolean
lc_scene_highlight (LcSceneLayout *layout, GError **error)
{
  Cone cone = {.layout = layout};
  g_autofree guint64 *past = NULL, *future = NULL;

  if (layout->query->selection.highlight.kind == LC_HIGHLIGHT_NONE)
    return TRUE;
  if (layout->query->selection.highlight.kind == LC_HIGHLIGHT_CRITICAL_PATH)
    return lc_scene_highlight_path (layout, error);
  return check_chosen (layout, error) && scene_highlight_find_cone (&cone, &past, &future, error) &&
         apply_cone (&cone, error);
}
