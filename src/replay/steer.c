/* SPDX-License-Identifier: Apache-2.0 */
/* Steers a plan into a state of the program that was not in the recorded run: who gets a lock next is changed for it.
 */
/*
 * Some threads are to stop before an event. What each thread has to do for that is found by going back from there: all
 * that an event waits for by anything but locks. Who is then within a lock goes on until it gives it back, unless it is
 * one of those who stop. Locks are taken in the recorded order, but last by those who keep them.
 */
#include "lightcone/replay.h"

typedef struct
{
  guint32 thread;
  guint32 after;
  guint64 index; /* among the thread's events */
  gboolean is_closed;
} SteerPlace;

typedef struct
{
  struct lc_replay_thread *threads;
  struct lc_replay_object *objects;
  struct lc_replay_event *events;
  guint32 n_threads, n_objects;
  guint64 *limits;      /* by thread: how many of its events are to be done */
  guint64 *seen;        /* by thread: how many of these have been asked what they wait for */
  gboolean *is_stopped; /* by thread */
  SteerPlace *creators; /* by thread: the event that made it; thread LC_REPLAY_NONE: none */
  GArray **steps;       /* by object: SteerPlace that make a step, in order */
  guint *needed;        /* by object: how many of `steps` are needed */
  SteerPlace held;      /* the section that comes right after `passed`, in the order of their lock; */
  SteerPlace passed;    /* thread LC_REPLAY_NONE: none does */
  gboolean is_impossible;
} Steering;

static struct lc_replay_event *
steer_event (const Steering *steering, guint32 thread, guint64 index)
{
  return &steering->events[steering->threads[thread].first + index];
}

static gboolean
steer_is_lock (const Steering *steering, const struct lc_replay_event *event)
{
  const guint32 object_class = steering->objects[event->object].object_class;

  return object_class == LC_CLASS_MUTEX || object_class == LC_CLASS_CREW;
}

static gboolean
steer_takes (const struct lc_replay_event *event)
{
  return event->operation == LC_LOCK || event->operation == LC_READ_START || event->operation == LC_WRITE_START;
}

static gboolean
steer_gives (const struct lc_replay_event *event)
{
  return event->is_step &&
         (event->operation == LC_UNLOCK || event->operation == LC_READ_END || event->operation == LC_WRITE_END);
}

static int
steer_compare_places (gconstpointer a, gconstpointer b)
{
  const SteerPlace *one = a, *other = b;

  return (one->after > other->after) - (one->after < other->after);
}

/* --- What has to be done -------------------------------------------------------------------------------------- */

static void
steer_find_places (Steering *steering)
{
  for (guint32 i = 0; i < steering->n_threads; i++)
    for (guint64 k = 0; k < steering->threads[i].n_events; k++)
      {
        const struct lc_replay_event *event = steer_event (steering, i, k);
        const SteerPlace place = {i, event->after, k, FALSE};

        if (event->operation == LC_CREATE && event->object < steering->n_threads && event->object != i)
          steering->creators[event->object] = place;
        else if (!steer_is_lock (steering, event) && (event->is_step || event->operation == LC_BARRIER))
          g_array_append_val (steering->steps[event->object], place);
      }
  for (guint32 i = 0; i < steering->n_objects; i++)
    g_array_sort (steering->steps[i], steer_compare_places);
}

static void
steer_need (Steering *steering, guint32 thread, guint64 index)
{
  if (index < steering->limits[thread])
    return;
  if (steering->is_stopped[thread])
    steering->is_impossible = TRUE;
  else
    steering->limits[thread] = index + 1;
}

/* Needs the steps that the event waits for; of a barrier, those of its own generation too. */
static void
steer_need_before (Steering *steering, const struct lc_replay_event *event)
{
  const guint64 bound = (guint64)event->after + (event->operation == LC_BARRIER);
  const GArray *steps = steering->steps[event->object];
  guint *needed = &steering->needed[event->object];

  if (event->operation == LC_CREATE && event->object < steering->n_threads &&
      steering->threads[event->object].n_events > 0)
    steer_need (steering, event->object, 0);
  if (steer_is_lock (steering, event))
    return;
  for (; *needed < steps->len && g_array_index (steps, SteerPlace, *needed).after < bound; (*needed)++)
    steer_need (steering, g_array_index (steps, SteerPlace, *needed).thread,
                g_array_index (steps, SteerPlace, *needed).index);
}

static gboolean
steer_close (Steering *steering)
{
  gboolean moved = FALSE;

  for (guint32 i = 0; i < steering->n_threads && !steering->is_impossible; i++)
    {
      if (steering->seen[i] < steering->limits[i] && steering->creators[i].thread != LC_REPLAY_NONE)
        steer_need (steering, steering->creators[i].thread, steering->creators[i].index);
      for (; steering->seen[i] < steering->limits[i] && !steering->is_impossible; steering->seen[i]++)
        {
          steer_need_before (steering, steer_event (steering, i, steering->seen[i]));
          moved = TRUE;
        }
    }
  return moved;
}

/* Nobody but those who are to stop there stops within a lock, if it ever comes out. */
static gboolean
steer_leave_locks (Steering *steering)
{
  gboolean moved = FALSE;

  for (guint32 i = 0; i < steering->n_threads; i++)
    {
      gint64 depth = 0;

      for (guint64 k = 0; k < steering->threads[i].n_events && !steering->is_stopped[i]; k++)
        {
          const struct lc_replay_event *event = steer_event (steering, i, k);

          if (k >= steering->limits[i] && depth <= 0)
            break;
          depth += steer_takes (event) - steer_gives (event);
          if (k < steering->limits[i] || depth > 0)
            continue;
          steering->limits[i] = k + 1;
          moved = TRUE;
        }
    }
  return moved;
}

/* --- The order of locks --------------------------------------------------------------------------------------- */

/* Notes the times for which a thread has locks: open ones are not given back. */
static void
steer_find_sections (const Steering *steering, guint32 thread, GArray **sections)
{
  for (guint64 k = 0; k < steering->limits[thread]; k++)
    {
      const struct lc_replay_event *event = steer_event (steering, thread, k);
      GArray *of = sections[event->object];
      const SteerPlace place = {thread, event->after, k, FALSE};

      if (!steer_is_lock (steering, event))
        continue;
      if (steer_takes (event))
        g_array_append_val (of, place);
      for (guint i = of->len; i > 0 && steer_gives (event); i--)
        {
          SteerPlace *open = &g_array_index (of, SteerPlace, i - 1);

          if (open->thread != thread || open->is_closed)
            continue;
          open->is_closed = TRUE;
          break;
        }
    }
}

static SteerPlace *
steer_find_section (GArray *sections, const SteerPlace *place)
{
  for (guint i = 0; i < sections->len; i++)
    if (g_array_index (sections, SteerPlace, i).thread == place->thread &&
        g_array_index (sections, SteerPlace, i).index == place->index)
      return &g_array_index (sections, SteerPlace, i);
  return NULL;
}

static void
steer_hold_back (const Steering *steering, GArray *sections)
{
  SteerPlace *held = steer_find_section (sections, &steering->held);
  const SteerPlace *passed = steer_find_section (sections, &steering->passed);
  guint32 after;

  if (held == NULL || passed == NULL)
    return;
  after = passed->after;
  for (guint i = 0; i < sections->len; i++)
    g_array_index (sections, SteerPlace, i).after += g_array_index (sections, SteerPlace, i).after > after;
  held->after = after + 1;
}

/* A lock is taken when those who come before have given it back. Readers of one version do not wait for each other. */
static void
steer_order_sections (Steering *steering, GArray *sections)
{
  guint32 n_closed = 0, before = 0;

  if (steering->held.thread != LC_REPLAY_NONE)
    steer_hold_back (steering, sections);
  g_array_sort (sections, steer_compare_places);
  for (guint i = 0; i < sections->len; i++)
    n_closed += g_array_index (sections, SteerPlace, i).is_closed;
  for (guint i = 0, n; i < sections->len; i += n)
    {
      guint32 closed = 0;

      for (n = 0; i + n < sections->len &&
                  g_array_index (sections, SteerPlace, i + n).after == g_array_index (sections, SteerPlace, i).after;
           n++)
        {
          const SteerPlace *section = &g_array_index (sections, SteerPlace, i + n);

          steer_event (steering, section->thread, section->index)->after = section->is_closed ? before : n_closed;
          closed += section->is_closed;
        }
      before += closed;
    }
}

static void
steer_order_locks (Steering *steering)
{
  GArray **sections = g_new (GArray *, steering->n_objects + 1);

  for (guint32 i = 0; i < steering->n_objects; i++)
    sections[i] = g_array_new (FALSE, FALSE, sizeof (SteerPlace));
  for (guint32 i = 0; i < steering->n_threads; i++)
    steer_find_sections (steering, i, sections);
  for (guint32 i = 0; i < steering->n_objects; i++)
    {
      steer_order_sections (steering, sections[i]);
      g_array_unref (sections[i]);
    }
  g_free (sections);
}

/* --- Trying --------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 *next;         /* by thread */
  guint32 *steps;        /* by object */
  gboolean *is_made;     /* by thread */
  gboolean *has_arrived; /* by thread: at the barrier that is its next event */
} SteerTrial;

/* Does a thread's next event, if it could be done. */
static gboolean
steer_try_event (const Steering *steering, SteerTrial *trial, guint32 thread)
{
  const struct lc_replay_event *event = steer_event (steering, thread, trial->next[thread]);
  guint32 *steps = &trial->steps[event->object];
  const gboolean is_barrier = event->operation == LC_BARRIER;

  if (*steps < event->after)
    return FALSE;
  if (is_barrier && !trial->has_arrived[thread])
    {
      trial->has_arrived[thread] = TRUE;
      (*steps)++;
    }
  if (is_barrier && *steps < event->after + event->value)
    return FALSE;
  trial->has_arrived[thread] = FALSE;
  *steps += event->is_step && !is_barrier;
  if (event->operation == LC_CREATE && event->object < steering->n_threads)
    trial->is_made[event->object] = TRUE;
  trial->next[thread]++;
  return TRUE;
}

/* How far the threads can come, one after the other, as the new turns say: by thread, at most to its limit. Free it
 * with g_free. */
static guint64 *
steer_try (const Steering *steering)
{
  const guint n = MAX (steering->n_threads, 1);
  guint64 *next = g_new0 (guint64, n);
  g_autofree guint32 *steps = g_new0 (guint32, steering->n_objects + 1);
  g_autofree gboolean *is_made = g_new0 (gboolean, n), *has_arrived = g_new0 (gboolean, n);
  SteerTrial trial = {next, steps, is_made, has_arrived};
  gboolean moved = TRUE;

  for (guint32 i = 0; i < steering->n_threads; i++)
    is_made[i] = steering->creators[i].thread == LC_REPLAY_NONE;
  while (moved)
    {
      moved = FALSE;
      for (guint32 i = 0; i < steering->n_threads; i++)
        while (is_made[i] && next[i] < steering->limits[i])
          {
            const gboolean had_arrived = has_arrived[i], is_done = steer_try_event (steering, &trial, i);

            moved = moved || is_done || has_arrived[i] != had_arrived;
            if (!is_done)
              break;
          }
    }
  return next;
}

static gboolean
steer_can_reach_limits (const Steering *steering)
{
  g_autofree guint64 *next = steer_try (steering);
  gboolean all = TRUE;

  for (guint32 i = 0; i < steering->n_threads; i++)
    all = all && next[i] == steering->limits[i];
  return all;
}

/* --- All ------------------------------------------------------------------------------------------------------ */

static gboolean
steer_find_event (const Steering *steering, const LcReplayStop *stop, guint32 *thread, guint64 *index)
{
  for (*thread = 0; *thread < steering->n_threads; (*thread)++)
    for (*index = 0;
         steering->threads[*thread].process == stop->process && *index < steering->threads[*thread].n_events;
         (*index)++)
      if (steer_event (steering, *thread, *index)->ordinal == stop->ordinal)
        return TRUE;
  return FALSE;
}

static gboolean
steer_stop (Steering *steering, const LcReplayStop *stop)
{
  guint32 thread;
  guint64 index;

  if (!steer_find_event (steering, stop, &thread, &index))
    return FALSE;
  steering->limits[thread] = index;
  steering->is_stopped[thread] = TRUE;
  return TRUE;
}

/* The event that a thread stops before is its last one, whose turn never comes. */
static void
steer_cut (Steering *steering)
{
  for (guint32 i = 0; i < steering->n_threads; i++)
    {
      struct lc_replay_thread *thread = &steering->threads[i];

      if (steering->is_stopped[i])
        steer_event (steering, i, steering->limits[i]++)->after = G_MAXUINT32;
      thread->n_events = thread->limit = steering->limits[i];
      thread->is_cut = TRUE;
    }
}

static gboolean
steer_find (Steering *steering, const LcReplayStop *stops, guint n_stops, const LcReplayStop *need)
{
  guint32 thread;
  guint64 index;

  for (guint i = 0; i < n_stops; i++)
    if (!steer_stop (steering, &stops[i]))
      return FALSE;
  if (need != NULL && !steer_find_event (steering, need, &thread, &index))
    return FALSE;
  if (need != NULL)
    steer_need (steering, thread, index);
  steer_find_places (steering);
  do
    while (steer_close (steering))
      ;
  while (!steering->is_impossible && steer_leave_locks (steering));
  if (steering->is_impossible)
    return FALSE;
  steer_order_locks (steering);
  if (!steer_can_reach_limits (steering))
    return FALSE;
  steer_cut (steering);
  return TRUE;
}

static void
steering_begin (Steering *steering, struct lc_replay_header *header)
{
  *steering = (Steering){.threads = lc_replay_plan_threads (header),
                         .objects = lc_replay_plan_objects (header),
                         .events = (struct lc_replay_event *)(void *)((char *)header + header->events),
                         .n_threads = header->n_threads,
                         .n_objects = header->n_objects,
                         .held.thread = LC_REPLAY_NONE,
                         .passed.thread = LC_REPLAY_NONE};
  steering->limits = g_new0 (guint64, steering->n_threads + 1);
  steering->seen = g_new0 (guint64, steering->n_threads + 1);
  steering->is_stopped = g_new0 (gboolean, steering->n_threads + 1);
  steering->creators = g_new0 (SteerPlace, steering->n_threads + 1);
  steering->steps = g_new (GArray *, steering->n_objects + 1);
  steering->needed = g_new0 (guint, steering->n_objects + 1);
  for (guint32 i = 0; i < steering->n_threads; i++)
    steering->creators[i].thread = LC_REPLAY_NONE;
  for (guint32 i = 0; i < steering->n_objects; i++)
    steering->steps[i] = g_array_new (FALSE, FALSE, sizeof (SteerPlace));
}

static void
steering_end (Steering *steering)
{
  for (guint32 i = 0; i < steering->n_objects; i++)
    g_array_unref (steering->steps[i]);
  g_free (steering->limits);
  g_free (steering->seen);
  g_free (steering->is_stopped);
  g_free (steering->creators);
  g_free (steering->steps);
  g_free (steering->needed);
}

gboolean
lc_replay_plan_steer (struct lc_replay_header *header, const LcReplayStop *stops, guint n_stops,
                      const LcReplayStop *need)
{
  Steering steering;
  gboolean found;

  steering_begin (&steering, header);
  found = steer_find (&steering, stops, n_stops, need);
  header->is_steered = found;
  steering_end (&steering);
  return found;
}

static gboolean
steer_turn_round (Steering *steering, const LcReplayStop *first, const LcReplayStop *second)
{
  SteerPlace *held = &steering->held, *passed = &steering->passed;
  const struct lc_replay_event *one, *other;
  g_autofree guint64 *reached = NULL;

  if (!steer_find_event (steering, first, &held->thread, &held->index) ||
      !steer_find_event (steering, second, &passed->thread, &passed->index))
    return FALSE;
  one = steer_event (steering, held->thread, held->index);
  other = steer_event (steering, passed->thread, passed->index);
  if (one->object != other->object || !steer_takes (one) || !steer_takes (other))
    return FALSE;
  for (guint32 i = 0; i < steering->n_threads; i++)
    steering->limits[i] = steering->threads[i].n_events;
  steer_find_places (steering);
  steer_order_locks (steering);
  reached = steer_try (steering);
  return reached[passed->thread] > passed->index;
}

gboolean
lc_replay_plan_turn_round (struct lc_replay_header *header, const LcReplayStop *first, const LcReplayStop *second)
{
  Steering steering;
  gboolean found;

  steering_begin (&steering, header);
  found = steer_turn_round (&steering, first, second);
  header->is_steered = found;
  steering_end (&steering);
  return found;
}
