/* SPDX-License-Identifier: Apache-2.0 */
/* Marks of processes: their lives, what they held, what they had not ended, and where events are missing. */
#include "lightcone/states.h"
#include "scene-private.h"

enum
{
  MOST_HOLDING = 30000,  /* spans; of more, neighbours closer than a pixel become one */
  MOST_LOOKED_UP = 1024, /* processes whose first and last event are looked up */
};

/* --- Holding --------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcSceneLayout *layout;
  guint number;    /* number of the track */
  guint32 member;  /* has a row of its own */
  GArray *spans;   /* LcHoldingSpan of the process, for all objects */
  guint64 before;  /* discrete time: end of the event before the first one that is shown */
  guint64 held;    /* ns, within the span */
  guint64 running; /* ns between events, within the span, less the next two */
  guint64 preempted;
  guint64 outside;
  gsize absences; /* place of its first mark of being absent */
} Life;

/* Counts the process's events shown that come before an ordinal; with filters, ordinals are not consecutive. */
static guint
scene_lives_count_before (const Life *life, guint64 ordinal)
{
  const LcSceneTrack *track = &life->layout->tracks[life->number];
  const LcHistoryEvent *events = lc_scene_events_of (track, life->member);
  guint low = 0, high = track->members[life->member].n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (events[middle].ordinal < ordinal)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Finds the places of a span of holding in discrete time: from the first event shown in it to the last, or the edge of
 * what is shown if the span goes on beyond. FALSE: no event shown is in it. */
static gboolean
scene_lives_find_places (const Life *life, guint64 first, guint64 last, guint64 *from, guint64 *to)
{
  const LcSceneLayout *layout = life->layout;
  const LcSceneTrack *track = &layout->tracks[life->number];
  const LcSceneMember *member = &track->members[life->member];
  const LcHistoryEvent *events = lc_scene_events_of (track, life->member);
  guint begin = scene_lives_count_before (life, first), end = scene_lives_count_before (life, last);
  gboolean is_last = end < member->n && events[end].ordinal == last;

  if (begin >= end + is_last)
    return FALSE;
  *from = first < events[0].ordinal && !lc_scene_is_filtered (layout) ? layout->query->from
                                                                      : track->places[member->first + begin];
  *to = end == member->n && last < member->events && !lc_scene_is_filtered (layout)
            ? layout->query->to
            : track->places[member->first + end - !is_last];
  return TRUE;
}

/* Finds the places of a span of holding on the axis. FALSE: it is not in what is shown. */
static gboolean
find_holding (const Life *life, const LcHoldingSpan *span, guint64 *from, guint64 *to)
{
  const LcSceneLayout *layout = life->layout;
  const LcSceneTrack *track = &layout->tracks[life->number];

  if (lc_scene_is_physical (layout->query))
    {
      *from = MAX (span->begin, layout->query->from);
      *to = MIN (MIN (span->end, track->members[life->member].end), layout->query->to);
    }
  else if (!scene_lives_find_places (life, span->begin_ordinal,
                                     MIN (span->end_ordinal, track->members[life->member].events), from, to))
    return FALSE;
  return *from <= *to;
}

static gboolean
scene_lives_is_shown (const LcSceneLayout *layout, const LcHoldingSpan *span)
{
  return !layout->query->selection.hide_holding &&
         (layout->filtering.objects == NULL || layout->filtering.objects[span->object]);
}

static void
scene_lives_add_holding (Life *life)
{
  LcSceneLayout *layout = life->layout;

  for (guint i = 0; i < life->spans->len; i++)
    {
      const LcHoldingSpan *span = &g_array_index (life->spans, LcHoldingSpan, i);
      LcMark mark = {.ordinal = span->begin_ordinal,
                     .row = lc_scene_row_of (layout, life->member),
                     .n_rows = 1,
                     .process = span->process,
                     .object = span->object,
                     .kind = LC_MARK_HOLDING,
                     .track = (guint8)life->number};

      if (!scene_lives_is_shown (layout, span) || !find_holding (life, span, &mark.from, &mark.to))
        continue;
      mark.released = mark.from;
      if (lc_scene_is_physical (layout->query))
        mark.holding = mark.to - mark.from;
      g_array_append_val (layout->marks, mark);
    }
}

/* Merges neighbouring marks in a row that have no visible gap between them. Their objects may differ, and then the mark
 * has none. */
static void
merge_holding (LcSceneLayout *layout, guint first)
{
  LcMark *marks = (LcMark *)(void *)layout->marks->data;
  guint n = first;

  if (layout->marks->len - first <= MOST_HOLDING)
    return;
  for (guint i = first; i < layout->marks->len; i++)
    {
      LcMark *last = n > first ? &marks[n - 1] : NULL;

      if (last != NULL && last->kind == LC_MARK_HOLDING && marks[i].kind == LC_MARK_HOLDING &&
          last->row == marks[i].row && last->track == marks[i].track && marks[i].from <= last->to + layout->pixel &&
          marks[i].to <= last->to + layout->pixel)
        {
          last->to = MAX (last->to, marks[i].to);
          last->holding += marks[i].holding;
          last->object = last->object == marks[i].object ? last->object : LC_TRACE_NONE;
        }
      else
        marks[n++] = marks[i];
    }
  g_array_set_size (layout->marks, n);
}

/* --- Time between events ------------------------------------------------------------------------------------------ */

/* Physical time: sums up how long the process ran between events, and how long it held any object, within the span. */
static void
sum_up_in_time (Life *life)
{
  const LcSceneLayout *layout = life->layout;
  const LcSceneTrack *track = &layout->tracks[life->number];
  const LcSceneMember *member = &track->members[life->member];
  guint64 reach = 0;

  life->running = lc_scene_overlap (layout, member->begin, member->end);
  for (gsize i = 0; i < member->n; i++)
    {
      const LcHistoryEvent *event = lc_scene_events_of (track, life->member) + i;

      life->running -= lc_scene_overlap (layout, event->begin, event->end);
    }
  for (guint i = 0; i < life->spans->len; i++)
    {
      const LcHoldingSpan *span = &g_array_index (life->spans, LcHoldingSpan, i);
      guint64 from = MAX (span->begin, reach), to = MIN (span->end, member->end);

      if (to > from)
        life->held += lc_scene_overlap (layout, from, to);
      reach = MAX (reach, to);
    }
}

/* Discrete time: sums up the same for the events that are shown and the gaps before them. */
static void
sum_up_in_places (Life *life)
{
  const LcSceneTrack *track = &life->layout->tracks[life->number];
  const LcSceneMember *member = &track->members[life->member];
  const LcHistoryEvent *events = lc_scene_events_of (track, life->member);
  guint64 held_to = 0, before = life->before;
  guint next = 0;

  for (gsize i = 0; i < member->n; i++)
    {
      for (; next < life->spans->len; next++)
        {
          const LcHoldingSpan *span = &g_array_index (life->spans, LcHoldingSpan, next);

          if (span->begin_ordinal >= events[i].ordinal)
            break;
          held_to = MAX (held_to, span->end_ordinal);
        }
      life->running += events[i].begin - before;
      life->held += events[i].ordinal > 0 && held_to >= events[i].ordinal ? events[i].begin - before : 0;
      life->held += held_to > events[i].ordinal ? events[i].end - events[i].begin : 0;
      before = events[i].end;
    }
}

/* Absences closer than a pixel to each other become one mark, so that there are not more of them than can be seen. */
static void
scene_lives_mark_absence (Life *life, const LcStateSpan *span)
{
  LcSceneLayout *layout = life->layout;
  const guint64 length = span->end - span->begin;
  LcMark *last =
      layout->marks->len > life->absences ? &g_array_index (layout->marks, LcMark, layout->marks->len - 1) : NULL;
  LcMark mark = {.from = span->begin,
                 .to = span->end,
                 .released = span->begin,
                 .went_on = span->begin,
                 .ordinal = span->ordinal,
                 .preempted = span->state == LC_IS_PREEMPTED ? length : 0,
                 .outside = span->state == LC_IS_UNSEEN ? length : 0,
                 .row = lc_scene_row_of (layout, life->member),
                 .n_rows = 1,
                 .process = lc_scene_process_of (layout, life->member),
                 .object = LC_TRACE_NONE,
                 .kind = LC_MARK_ABSENT,
                 .track = (guint8)life->number};

  if (last != NULL && length < layout->pixel && span->begin <= last->to + layout->pixel &&
      last->to - last->from < layout->pixel)
    {
      last->to = mark.to;
      last->preempted += mark.preempted;
      last->outside += mark.outside;
    }
  else
    g_array_append_val (layout->marks, mark);
}

static gboolean
scene_lives_add_absence (const LcStateSpan *span, gpointer data)
{
  Life *life = data;

  if (span->state != LC_IS_PREEMPTED && span->state != LC_IS_UNSEEN)
    return TRUE;
  if (lc_scene_is_physical (life->layout->query))
    scene_lives_mark_absence (life, span);
  if (span->inside)
    return TRUE;
  *(span->state == LC_IS_PREEMPTED ? &life->preempted : &life->outside) += span->end - span->begin;
  life->running -= MIN (life->running, span->end - span->begin);
  return TRUE;
}

/* Takes what the process did not run between the events that are shown off its running. */
static gboolean
scene_lives_add_absences (Life *life, GError **error)
{
  const LcSceneLayout *layout = life->layout;
  const LcSceneTrack *track = &layout->tracks[life->number];
  const LcSceneMember *member = &track->members[life->member];
  const LcHistoryEvent *events = lc_scene_events_of (track, life->member);
  guint32 process = lc_scene_process_of (layout, life->member);
  guint64 from = layout->query->from, to = layout->query->to;

  if (lc_scene_is_filtered (layout) || !lc_history_get_process (layout->history, process)->is_scheduled)
    return TRUE;
  if (!lc_scene_is_physical (layout->query))
    {
      from = life->before;
      to = events[member->n - 1].end;
    }
  life->absences = layout->marks->len;
  return lc_history_visit_states (layout->history, track->timeline, process, from, to, scene_lives_add_absence, life,
                                  layout->cancellable, error);
}

/* Lists what the process held during the part of its time that is shown. FALSE with an error. */
static gboolean
list_holding (Life *life, GError **error)
{
  const LcSceneLayout *layout = life->layout;
  const LcSceneTrack *track = &layout->tracks[life->number];
  const LcSceneMember *member = &track->members[life->member];
  const LcHistoryEvent *events = lc_scene_events_of (track, life->member);
  guint32 process = lc_scene_process_of (layout, life->member);
  LcWindow window = {.timeline = track->timeline,
                     .from = layout->query->from,
                     .to = layout->before,
                     .processes = &process,
                     .n_processes = 1};
  LcHistoryEvent before;

  if (!lc_scene_is_physical (layout->query))
    {
      life->before = events[0].begin;
      if (events[0].ordinal > 0)
        {
          if (!lc_history_get_event (layout->history, track->timeline, process, events[0].ordinal - 1, &before, error))
            return FALSE;
          life->before = before.end;
        }
      window.from = life->before;
      window.to = events[member->n - 1].end + 1;
    }
  return lc_history_list_holding (layout->history, &window, G_MAXSIZE, layout->cancellable, &life->spans, error);
}

/* Adds the time between the events that are shown to the life of the process, since no event has it. */
static gboolean
add_own_time (LcSceneLayout *layout, guint number, guint32 member, guint life_at, GError **error)
{
  const LcSceneTrack *track = &layout->tracks[number];
  Life life = {.layout = layout, .number = number, .member = member};
  gboolean good;
  LcMark *mark;

  if (!lc_scene_is_physical (layout->query) && track->members[member].n == 0)
    return TRUE;
  if (!list_holding (&life, error))
    return FALSE;
  if (!lc_scene_is_filtered (layout))
    (lc_scene_is_physical (layout->query) ? sum_up_in_time : sum_up_in_places) (&life);
  good = scene_lives_add_absences (&life, error);
  mark = &g_array_index (layout->marks, LcMark, life_at);
  mark->running = life.running;
  mark->preempted = life.preempted;
  mark->outside = life.outside;
  mark->holding = life.held;
  if (number == 0)
    lc_scene_add_to_totals (layout->scene, mark);
  if (good)
    scene_lives_add_holding (&life);
  g_array_unref (life.spans);
  return good;
}

/* Does this for all lives whose process has events shown. `lives` is where the lives begin; they are the last marks. */
static gboolean
add_own_times (LcSceneLayout *layout, guint lives, GError **error)
{
  guint end = layout->marks->len;

  for (guint i = lives; i < end; i++)
    {
      const LcMark *mark = &g_array_index (layout->marks, LcMark, i);

      if (lc_scene_has_events (layout, mark->row) &&
          !add_own_time (layout, mark->track, lc_scene_first_of (layout->query, mark->row), i, error))
        return FALSE;
    }
  merge_holding (layout, end);
  return TRUE;
}

/* --- Lives ----------------------------------------------------------------------------------------------------- */

/* Finds the span from a process's first event to its last. */
static gboolean
scene_lives_find_life (const LcSceneLayout *layout, const LcSceneTrack *track, guint32 member, guint64 *from,
                       guint64 *to, GError **error)
{
  const LcSceneMember *of = &track->members[member];
  guint32 process = lc_scene_process_of (layout, member), phase = 0;
  LcHistoryEvent first, last;

  if (lc_scene_is_physical (layout->query))
    {
      *from = of->begin;
      *to = of->end;
      return TRUE;
    }
  if (!lc_history_get_event (layout->history, track->timeline, process, 0, &first, error) ||
      !lc_history_get_event (layout->history, track->timeline, process, of->events - 1, &last, error))
    return FALSE;
  *from = lc_scene_place_of (layout, &first, &phase);
  *to = lc_scene_place_of (layout, &last, &phase);
  return TRUE;
}

static LcMark
begin_mark (const LcSceneLayout *layout, LcMarkKind kind, guint number, guint32 row)
{
  return (LcMark){.row = row,
                  .n_rows = MIN (layout->scene->group, layout->n_rows - row),
                  .process = lc_scene_process_of (layout, lc_scene_first_of (layout->query, row)),
                  .object = LC_TRACE_NONE,
                  .kind = (guint8)kind,
                  .track = (guint8)number};
}

/* Adds one mark for a group of rows. */
static gboolean
add_life (LcSceneLayout *layout, guint number, guint32 first, GError **error)
{
  const LcSceneTrack *track = &layout->tracks[number];
  LcMark mark = begin_mark (layout, LC_MARK_LIFE, number, first);

  mark.from = G_MAXUINT64;
  for (guint32 member = lc_scene_first_of (layout->query, first),
               end = lc_scene_first_of (layout->query, first + mark.n_rows);
       member < end; member++)
    {
      guint64 from, to;

      if (track->members[member].events == 0)
        continue;
      if (g_cancellable_set_error_if_cancelled (layout->cancellable, error) ||
          !scene_lives_find_life (layout, track, member, &from, &to, error))
        return FALSE;
      if (to < layout->query->from || from >= layout->before)
        continue;
      mark.from = mark.released = MIN (mark.from, MAX (from, layout->query->from));
      mark.to = MAX (mark.to, MIN (to, layout->query->to));
    }
  if (mark.from <= mark.to)
    g_array_append_val (layout->marks, mark);
  return TRUE;
}

/* Takes the lives of very many processes in discrete time from their summaries: looking up their events would take
 * long. */
static void
add_lives_of_summaries (LcSceneLayout *layout, guint number)
{
  guint end = layout->marks->len;

  for (guint i = 0, last; i < end; i = last + 1)
    {
      const LcMark *first = &g_array_index (layout->marks, LcMark, i);
      LcMark mark = begin_mark (layout, LC_MARK_LIFE, number, first->row);

      for (last = i; last + 1 < end && g_array_index (layout->marks, LcMark, last + 1).row == first->row;)
        last++;
      mark.from = mark.released = MAX (first->from, layout->query->from);
      mark.to = MIN (g_array_index (layout->marks, LcMark, last).to, layout->query->to);
      g_array_append_val (layout->marks, mark);
    }
}

/* --- Missing events ----------------------------------------------------------------------------------------------- */

/* Finds the end of a process's last event, or the begin of the span if the process has no events. */
static gboolean
scene_lives_find_end (const LcSceneLayout *layout, guint32 member, guint64 *place, GError **error)
{
  guint64 from;

  *place = layout->query->from;
  return layout->tracks[0].members[member].events == 0 ||
         scene_lives_find_life (layout, &layout->tracks[0], member, &from, place, error);
}

/* Finds the place of a pending operation: as long after the process's last event as measured, or before the end of it:
 * a process that is killed ends with an exit, and that contains the operation. */
static gboolean
scene_lives_find_pending (const LcSceneLayout *layout, guint32 member, guint64 *place, GError **error)
{
  const LcHistoryProcess *process = lc_history_get_process (layout->history, lc_scene_process_of (layout, member));

  if (!scene_lives_find_end (layout, member, place, error))
    return FALSE;
  if (!lc_scene_is_physical (layout->query))
    *place += layout->tracks[0].members[member].events > 0;
  else if (layout->tracks[0].members[member].events == 0)
    *place = process->pending.begin;
  else
    *place = *place + process->pending.begin - MIN (*place + process->pending.begin, process->end);
  return TRUE;
}

static void
add_missing (LcSceneLayout *layout, LcMarkKind kind, guint32 member, guint64 from, guint64 to, const LcMark *what)
{
  guint32 row = lc_scene_row_of (layout, member);
  LcMark mark = begin_mark (layout, kind, 0, row - row % layout->scene->group);

  if (from >= layout->before || to < layout->query->from)
    return;
  mark.from = mark.released = from;
  mark.to = to;
  mark.events = what->events;
  mark.ordinal = what->ordinal;
  mark.process = lc_scene_process_of (layout, member);
  mark.object = what->object;
  mark.operation = what->operation;
  g_array_append_val (layout->marks, mark);
}

/* A run that is recorded goes on: so does a process that is in no operation. */
static gboolean
scene_lives_goes_on (const LcSceneLayout *layout, const LcHistoryProcess *process)
{
  return lc_scene_is_physical (layout->query) && layout->tracks[0].timeline == LC_TIMELINE_MEASURED &&
         lc_history_get_until (layout->history) > process->end && process->events > 0 &&
         process->state == LC_STATE_RUNNING && process->pending.operation == LC_TRACE_NONE;
}

static gboolean
add_what_is_missing (LcSceneLayout *layout, guint32 member, GError **error)
{
  const LcHistoryProcess *process = lc_history_get_process (layout->history, lc_scene_process_of (layout, member));
  guint64 place;

  if (process->pending.operation != LC_TRACE_NONE)
    {
      const LcMark pending = {.events = 1,
                              .ordinal = process->events,
                              .object = process->pending.object,
                              .operation = (guint16)process->pending.operation};

      if (!scene_lives_find_pending (layout, member, &place, error))
        return FALSE;
      add_missing (layout, LC_MARK_PENDING, member, place, MAX (place, layout->query->to), &pending);
    }
  if (scene_lives_goes_on (layout, process))
    {
      const LcMark going = {.ordinal = process->events, .object = LC_TRACE_NONE};
      guint64 until = lc_history_get_until (layout->history);

      add_missing (layout, LC_MARK_GOING, member, process->end, until, &going);
    }
  if (process->lost > 0)
    {
      const LcMark lost = {.events = process->lost, .ordinal = process->events, .object = LC_TRACE_NONE};

      if (!scene_lives_find_end (layout, member, &place, error))
        return FALSE;
      add_missing (layout, LC_MARK_LOST, member, place, place, &lost);
    }
  return TRUE;
}

gboolean
lc_scene_add_lives (LcSceneLayout *layout, GError **error)
{
  guint lives = layout->marks->len;
  gboolean many =
      layout->scene->is_summary && layout->n_members > MOST_LOOKED_UP && !lc_scene_is_physical (layout->query);

  if (many)
    add_lives_of_summaries (layout, 0);
  for (guint number = 0; number < layout->n_tracks && !many; number++)
    for (guint32 row = 0; row < layout->n_rows; row += layout->scene->group)
      if (!add_life (layout, number, row, error))
        return FALSE;
  if (!layout->scene->is_summary && !add_own_times (layout, lives, error))
    return FALSE;
  for (guint32 i = 0; i < layout->n_members; i++)
    if (!add_what_is_missing (layout, i, error))
      return FALSE;
  return TRUE;
}
