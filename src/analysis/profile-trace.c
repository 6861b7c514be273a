/* SPDX-License-Identifier: Apache-2.0 */
/* The profile of a trace: compensates the recorded events as a profiler would, beside the approximation of the same
 * run. */
#include <string.h>

#include "lightcone/approximate.h"
#include "lightcone/compensation.h"
#include "lightcone/profile.h"
#include "lightcone/sweep.h"

enum
{
  MOST_PATHS = 65534, /* of a process: as many as a profiled thread has */
};

/* In place of a path's number: there are too many, or the caller has none. */
#define NO_PATH (LC_PROFILE_NO_CALLER - 1)

/* A region or function that has been entered, or the process as a whole. */
typedef struct
{
  LcProfileRoutine *routine; /* NULL: the process as a whole */
  guint path;                /* its number, or NO_PATH */
  gint64 begin[LC_PROFILE_N_WAYS];
  gint64 inner[LC_PROFILE_N_WAYS];
} Frame;

typedef struct
{
  struct lc_compensator self;
  LcProfileProcess *process;
  LcProfileRoutine **operations; /* by number; NULL: not seen yet */
  GHashTable *regions;           /* object -> LcProfileRoutine */
  GHashTable *paths;             /* guint64, what is called and the caller's path -> number of the path */
  GArray *frames;                /* Frame */
  gint64 begin[LC_PROFILE_N_WAYS];
  gint64 end[LC_PROFILE_N_WAYS]; /* end of the last event */
  gint64 after;                  /* overhead after it, which has not been added yet */
  gint64 ready;                  /* 0: the process is no rank */
} Timeline;

typedef struct
{
  LcSweepVisitor visitor;
  LcTrace *trace;
  const LcCosts *costs;
  LcHistoryWalk *walk;
  LcProfile *profile;
  Timeline *timelines;
  guint32 n_timelines;
  GError *error;
} Profiler;

static gint64
profile_trace_cost (const LcCost *value)
{
  return (gint64)(value->value + 0.5);
}

/* Costs are means. As in the approximations, no more than the time that there is can be overhead. */
static void
profile_trace_add_overhead (Timeline *timeline, gint64 overhead, gint64 time)
{
  lc_compensation_add (&timeline->self, CLAMP (overhead, 0, MAX (time, 0)));
}

/* --- Compensation ------------------------------------------------------------------------------------------ */

/* Sets a measured time in the three ways that a profiler knows on the spot. */
static void
profile_trace_set_times (const Timeline *timeline, guint64 time, gint64 times[LC_PROFILE_N_WAYS])
{
  times[LC_PROFILE_UNCOMPENSATED] = (gint64)time;
  times[LC_PROFILE_LOCALLY] = (gint64)time - timeline->self.overhead;
  times[LC_PROFILE_IN_PARALLEL] = (gint64)time - lc_compensation_delay (&timeline->self);
}

/* Finds when the last of the points that the event waited for was there, and when that would have been without
 * instrumentation. FALSE: the event waited for no point. */
static gboolean
find_arrival (const LcSweepStep *step, gint64 *there, gint64 *bare)
{
  const LcSweepPoint *points = step->group != NULL ? step->group->members : step->arcs;
  gsize n_points = step->group != NULL ? step->group->n_members : step->n_arcs;

  *there = *bare = G_MININT64;
  for (gsize i = 0; i < n_points; i++)
    {
      gint64 time = (gint64)points[i].time, delay = (gint64)points[i].carried[0];

      *there = MAX (*there, time);
      *bare = MAX (*bare, time - delay);
    }
  return n_points > 0;
}

/* Waiting lasts until the release, as everywhere. Who has waited goes on later than who need not: what an event takes
 * longer than one that need not wait comes with the waiting, and would not have been without it. */
static void
profile_trace_compensate (Timeline *timeline, const LcSweepStep *step, const LcOperationCosts *costs,
                          gint64 waited[LC_PROFILE_N_WAYS])
{
  gint64 begin = (gint64)step->event->begin, bare_begin = begin - lc_compensation_delay (&timeline->self);
  gint64 last, bare, there;

  waited[LC_PROFILE_UNCOMPENSATED] = waited[LC_PROFILE_LOCALLY] = waited[LC_PROFILE_IN_PARALLEL] = (gint64)step->waited;
  if (!find_arrival (step, &last, &bare))
    return;
  /* Otherwise it has waited for nobody that is known. */
  if (last > begin || step->waited == 0)
    waited[LC_PROFILE_IN_PARALLEL] = MAX (0, bare - bare_begin);
  there = last;
  if (last > begin)
    there = MAX (begin,
                 (gint64)step->event->end - profile_trace_cost (&costs->inside) - profile_trace_cost (&costs->nowait));
  lc_compensation_wait (&timeline->self, begin, there, bare > bare_begin ? bare + (there - last) : bare);
}

/* --- Routines ---------------------------------------------------------------------------------------------- */

static LcProfileRoutine *
profile_trace_find_operation (Profiler *profiler, Timeline *timeline, guint16 operation)
{
  LcProfileRoutine **place = &timeline->operations[operation];

  if (*place == NULL)
    *place = lc_profile_process_add (timeline->process, lc_trace_get_operation (profiler->trace, operation)->name,
                                     "operation");
  return *place;
}

static LcProfileRoutine *
find_region (Profiler *profiler, Timeline *timeline, guint32 object)
{
  LcProfileRoutine *routine = g_hash_table_lookup (timeline->regions, GUINT_TO_POINTER (object));
  g_autofree char *name = NULL;

  if (routine != NULL)
    return routine;
  name = lc_trace_dup_object_name (profiler->trace, object);
  routine = lc_profile_process_add (timeline->process, name, "region");
  g_hash_table_insert (timeline->regions, GUINT_TO_POINTER (object), routine);
  return routine;
}

/* A path ends with an operation, or with the object of a region. */
#define PATH_OF_OPERATION(operation) ((guint64)(operation))
#define PATH_OF_REGION(object) (G_GUINT64_CONSTANT (1) << 32 | (object))

static Frame *
profile_trace_innermost (Timeline *timeline)
{
  return timeline->frames->len > 0 ? &g_array_index (timeline->frames, Frame, timeline->frames->len - 1) : NULL;
}

/* Finds the path of what is called now, which is a part of `routine`. NULL: it has none. */
static LcProfileRoutine *
profile_trace_find_path (Timeline *timeline, guint64 called, const LcProfileRoutine *routine, guint *number)
{
  const Frame *innermost = profile_trace_innermost (timeline);
  guint caller = innermost != NULL ? innermost->path : LC_PROFILE_NO_CALLER;
  guint64 key = called << 31 | (innermost != NULL ? caller + 1u : 0);
  gpointer found;

  *number = NO_PATH;
  if (caller == NO_PATH)
    return NULL;
  if (g_hash_table_lookup_extended (timeline->paths, &key, NULL, &found))
    {
      *number = GPOINTER_TO_UINT (found);
      return g_ptr_array_index (timeline->process->paths, *number);
    }
  if (g_hash_table_size (timeline->paths) == MOST_PATHS)
    return NULL;
  *number = g_hash_table_size (timeline->paths);
  g_hash_table_insert (timeline->paths, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (*number));
  return lc_profile_process_add_path (timeline->process, caller, routine->name, routine->kind);
}

/* Inclusive time counts the outermost activation only. */
static gboolean
profile_trace_is_open (const Timeline *timeline, const LcProfileRoutine *routine)
{
  for (guint i = 0; i < timeline->frames->len; i++)
    if (g_array_index (timeline->frames, Frame, i).routine == routine)
      return TRUE;
  return FALSE;
}

static void
profile_trace_enter (Timeline *timeline, guint32 object, LcProfileRoutine *routine,
                     const gint64 times[LC_PROFILE_N_WAYS])
{
  Frame frame = {.routine = routine};

  profile_trace_find_path (timeline, PATH_OF_REGION (object), routine, &frame.path);
  memcpy (frame.begin, times, sizeof frame.begin);
  g_array_append_val (timeline->frames, frame);
}

static void
profile_trace_leave_path (Timeline *timeline, const Frame *frame, const gint64 times[LC_PROFILE_N_WAYS])
{
  LcProfileRoutine *path;

  if (frame->path == NO_PATH)
    {
      timeline->process->calls_without_path++;
      return;
    }
  path = g_ptr_array_index (timeline->process->paths, frame->path);
  path->calls++;
  for (guint way = 0; way < LC_PROFILE_N_WAYS; way++)
    {
      path->inclusive[way] += times[way] - frame->begin[way];
      path->exclusive[way] += times[way] - frame->begin[way] - frame->inner[way];
    }
}

static void
profile_trace_leave (Timeline *timeline, const gint64 times[LC_PROFILE_N_WAYS])
{
  Frame frame = *profile_trace_innermost (timeline), *outer;

  g_array_set_size (timeline->frames, timeline->frames->len - 1);
  frame.routine->calls++;
  outer = profile_trace_innermost (timeline);
  for (guint way = 0; way < LC_PROFILE_N_WAYS; way++)
    {
      gint64 spent = times[way] - frame.begin[way];

      if (!profile_trace_is_open (timeline, frame.routine))
        frame.routine->inclusive[way] += spent;
      frame.routine->exclusive[way] += spent - frame.inner[way];
      if (outer != NULL)
        outer->inner[way] += spent;
    }
  profile_trace_leave_path (timeline, &frame, times);
}

static void
profile_trace_add_call (LcProfileRoutine *routine, const gint64 begin[LC_PROFILE_N_WAYS],
                        const gint64 end[LC_PROFILE_N_WAYS], const gint64 waited[LC_PROFILE_N_WAYS])
{
  routine->calls++;
  for (guint way = 0; way < LC_PROFILE_N_WAYS; way++)
    {
      routine->inclusive[way] += end[way] - begin[way];
      routine->exclusive[way] += end[way] - begin[way];
      routine->waiting[way] += waited[way];
    }
}

static void
profile_trace_add_operation (Profiler *profiler, Timeline *timeline, guint16 operation,
                             const gint64 end[LC_PROFILE_N_WAYS], const gint64 waited[LC_PROFILE_N_WAYS])
{
  LcProfileRoutine *routine = profile_trace_find_operation (profiler, timeline, operation);
  guint number;
  LcProfileRoutine *path = profile_trace_find_path (timeline, PATH_OF_OPERATION (operation), routine, &number);
  Frame *outer = profile_trace_innermost (timeline);

  profile_trace_add_call (routine, timeline->begin, end, waited);
  if (path != NULL)
    profile_trace_add_call (path, timeline->begin, end, waited);
  else
    timeline->process->calls_without_path++;
  for (guint way = 0; outer != NULL && way < LC_PROFILE_N_WAYS; way++)
    outer->inner[way] += end[way] - timeline->begin[way];
}

/* --- The sweep --------------------------------------------------------------------------------------------- */

static void
visit_begin (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Profiler *profiler = (Profiler *)(void *)visitor;
  Timeline *timeline = &profiler->timelines[step->process];

  if (step->carried == NULL)
    return;
  profile_trace_add_overhead (
      timeline, timeline->after + profile_trace_cost (&profiler->costs->operations[step->event->operation].before),
      (gint64)step->event->begin - timeline->end[LC_PROFILE_UNCOMPENSATED]);
  timeline->after = 0;
  profile_trace_set_times (timeline, step->event->begin, timeline->begin);
  *step->carried = (guint64)lc_compensation_delay (&timeline->self);
}

static void
profile_trace_add_event (Profiler *profiler, Timeline *timeline, const LcSweepStep *step,
                         const gint64 end[LC_PROFILE_N_WAYS], const gint64 waited[LC_PROFILE_N_WAYS])
{
  const LcTraceEvent *event = step->event;

  for (guint way = 0; way < LC_PROFILE_N_WAYS; way++)
    timeline->end[way] = end[way];
  if (event->operation == LC_ENTER && event->object != LC_TRACE_NONE)
    profile_trace_enter (timeline, event->object, find_region (profiler, timeline, event->object), end);
  else if (event->operation == LC_LEAVE && event->object != LC_TRACE_NONE)
    {
      const LcProfileRoutine *routine = find_region (profiler, timeline, event->object);

      while (profile_trace_is_open (timeline, routine) && profile_trace_innermost (timeline)->routine != routine)
        profile_trace_leave (timeline, end);
      if (profile_trace_is_open (timeline, routine))
        profile_trace_leave (timeline, end);
    }
  else
    profile_trace_add_operation (profiler, timeline, event->operation, end, waited);
}

static void
visit_end (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Profiler *profiler = (Profiler *)(void *)visitor;
  Timeline *timeline = &profiler->timelines[step->process];
  const LcOperationCosts *costs = &profiler->costs->operations[step->event->operation];
  gint64 end[LC_PROFILE_N_WAYS] = {0}, waited[LC_PROFILE_N_WAYS] = {0};
  LcHistoryEvent approximated = {0};

  if (profiler->error != NULL ||
      !lc_history_walk_get (profiler->walk, step->process, step->ordinal, &approximated, NULL, &profiler->error))
    return;
  profile_trace_compensate (timeline, step, costs, waited);
  profile_trace_add_overhead (timeline, profile_trace_cost (&costs->inside),
                              (gint64)(step->event->end - step->event->begin));
  profile_trace_set_times (timeline, step->event->end, end);
  timeline->begin[LC_PROFILE_APPROXIMATED] = (gint64)approximated.begin;
  end[LC_PROFILE_APPROXIMATED] = (gint64)approximated.end;
  waited[LC_PROFILE_APPROXIMATED] = (gint64)approximated.waited;
  if (step->carried != NULL)
    *step->carried = (guint64)lc_compensation_delay (&timeline->self);
  profile_trace_add_event (profiler, timeline, step, end, waited);
  timeline->process->messages += step->event->flags & LC_TRACE_EVENT_BYTES ? 1 : 0;
  timeline->after = profile_trace_cost (&costs->after);
}

static void
begin_timelines (Profiler *profiler)
{
  profiler->n_timelines = lc_trace_get_n_processes (profiler->trace);
  profiler->timelines = g_new0 (Timeline, profiler->n_timelines);
  for (guint32 i = 0; i < profiler->n_timelines; i++)
    {
      const LcTraceProcess *process = lc_trace_get_process (profiler->trace, i);
      Timeline *timeline = &profiler->timelines[i];

      timeline->ready = process->ready > 0 ? (gint64)MAX (process->ready, lc_trace_get_kept_from (profiler->trace)) : 0;
      timeline->process = lc_profile_add_process (profiler->profile, process->name);
      timeline->process->rank = i;
      g_free (timeline->process->host);
      timeline->process->host = g_strdup (process->host != NULL ? process->host : "");
      timeline->operations = g_new0 (LcProfileRoutine *, lc_trace_get_n_operations (profiler->trace));
      timeline->regions = g_hash_table_new (NULL, NULL);
      timeline->paths = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      timeline->frames = g_array_new (FALSE, TRUE, sizeof (Frame));
    }
}

/* Routines that were never left end with their process. */
static void
end_timelines (Profiler *profiler)
{
  for (guint32 i = 0; i < profiler->n_timelines; i++)
    {
      Timeline *timeline = &profiler->timelines[i];

      while (timeline->frames->len > 0)
        profile_trace_leave (timeline, timeline->end);
      for (guint way = 0; way < LC_PROFILE_N_WAYS; way++)
        timeline->process->total[way] = MAX (timeline->end[way] - timeline->ready, 0);
      lc_compensation_add (&timeline->self, timeline->after);
      timeline->process->overhead = timeline->self.overhead;
      timeline->process->delay = lc_compensation_delay (&timeline->self);
      g_free (timeline->operations);
      g_hash_table_unref (timeline->regions);
      g_hash_table_unref (timeline->paths);
      g_array_unref (timeline->frames);
    }
  g_free (profiler->timelines);
}

static gboolean
profile_trace_run (Profiler *profiler, const LcRules *rules, GError **error)
{
  LcSweepVisitor *visitors[] = {&profiler->visitor, NULL};
  LcSweepResult result;
  gboolean good;

  begin_timelines (profiler);
  good = lc_sweep_run (profiler->trace, rules, visitors, NULL, NULL, &result, error);
  lc_sweep_result_clear (&result);
  end_timelines (profiler);
  if (profiler->error == NULL)
    return good;
  if (good)
    g_propagate_error (error, profiler->error);
  else
    g_error_free (profiler->error);
  return FALSE;
}

LcProfile *
lc_profile_of_trace (const char *directory, const char *const *settings, GError **error)
{
  const LcApproximateOptions options = {.model = LC_MODEL_EVENT, .settings = settings};
  g_autoptr (LcApproximation) approximation = lc_approximate (directory, &options, error);
  g_autofree char *path = approximation != NULL ? lc_merge_dup_path (directory) : NULL;
  g_autoptr (LcHistory) history = path != NULL ? lc_history_open (path, error) : NULL;
  g_autoptr (LcRules) rules = history != NULL ? lc_merge_load_rules (directory, NULL, error) : NULL;
  g_autoptr (LcTrace) trace = rules != NULL ? lc_trace_open (directory, error) : NULL;
  g_autoptr (LcProfile) profile = lc_profile_new (directory, (1u << LC_PROFILE_N_WAYS) - 1);
  Profiler profiler = {.visitor = {visit_begin, visit_end}, .trace = trace, .profile = profile};
  gboolean good;

  if (trace == NULL)
    return NULL;
  profiler.costs = approximation->costs;
  profiler.walk = lc_history_walk_new (history, approximation->timeline, LC_WALK_TIMES, NULL, error);
  if (profiler.walk == NULL)
    return NULL;
  good = profile_trace_run (&profiler, rules, error);
  lc_history_walk_free (profiler.walk);
  if (!good)
    return NULL;
  lc_profile_sort (profile);
  return g_steal_pointer (&profile);
}

LcProfile *
lc_profile_open (const char *path, const char *const *settings, GError **error)
{
  return g_file_test (path, G_FILE_TEST_IS_DIR) ? lc_profile_of_trace (path, settings, error)
                                                : lc_profile_load (path, error);
}
