/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the steps of a run from its history, and keeps as many of them as there is room for. */
/*
 * Reading an event from the history takes longer than simulating it. Simulations that go on side by side are at about
 * the same part of the run, so each part is read once for all of them, and of a short run all parts are kept. Memory
 * does not grow with the run but for a pointer and a time for each part.
 */
#include "predict-program.h"

#include "preempted.h"
#include "work-parts.h"

enum
{
  STEPS = 512,           /* of a part; as many events as a block of the history has */
  MOST_BYTES = 32 << 20, /* of all parts that are kept */
};

/* Steps of one process, one after the other. */
typedef struct
{
  guint32 process;
  guint64 number;
  gboolean is_used; /* since the queue was last gone through */
  guint n_steps;
  LcPredictStep *steps;
  LcPredictWait *waits;
  gsize bytes;
} ProgramPart;

typedef struct
{
  guint64 birth;
  guint64 n_steps;
  ProgramPart **parts; /* by number; NULL: not kept */
  guint64 next;        /* the part that comes after the one made last, ... */
  guint64 last_end;    /* ... and the end of the last event before it, on the timeline */
} ProgramProcess;

/* A barrier, or another event that all its members have to begin. */
typedef struct
{
  gint64 sequence;
  guint32 object;
  guint32 number;
} ProgramGroup;

struct _LcPredictProgram
{
  LcHistory *history;
  LcHistoryWalk *walk;
  LcPreempted *preempted;
  ProgramProcess *processes;
  guint32 n_processes;
  guint64 n_steps;
  GHashTable *groups; /* ProgramGroup */
  GArray *members;    /* guint: number of members, by number of the group */
  GQueue kept;        /* ProgramPart; those unused for long are near the head */
  gsize bytes;
  GArray *steps; /* LcPredictStep, of the part that is being made */
  GArray *waits; /* LcPredictWait */
  gboolean rests;
};

/* --- Groups ----------------------------------------------------------------------------------------------------- */

static guint
program_hash_group (gconstpointer key)
{
  const ProgramGroup *group = key;

  return (guint)group->sequence * 2654435761U + group->object;
}

static gboolean
program_same_group (gconstpointer a, gconstpointer b)
{
  const ProgramGroup *of_a = a, *of_b = b;

  return of_a->object == of_b->object && of_a->sequence == of_b->sequence;
}

static gboolean
program_count_member (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  LcPredictProgram *program = data;
  const ProgramGroup key = {event->sequence, event->object, program->members->len};
  const ProgramGroup *group;
  const guint none = 0;

  if (!(event->flags & LC_HISTORY_EVENT_GROUP))
    return TRUE;
  group = g_hash_table_lookup (program->groups, &key);
  if (group == NULL)
    {
      g_hash_table_add (program->groups, g_memdup2 (&key, sizeof key));
      g_array_append_val (program->members, none);
      group = &key;
    }
  g_array_index (program->members, guint, group->number)++;
  return TRUE;
}

static guint32
program_find_group (const LcPredictProgram *program, const LcHistoryEvent *event)
{
  const ProgramGroup key = {.sequence = event->sequence, .object = event->object};
  const ProgramGroup *group = NULL;

  if (event->flags & LC_HISTORY_EVENT_GROUP)
    group = g_hash_table_lookup (program->groups, &key);
  return group != NULL ? group->number : LC_TRACE_NONE;
}

/* --- The parts that are kept ------------------------------------------------------------------------------------ */

static void
program_free_part (LcPredictProgram *program, ProgramPart *part)
{
  program->processes[part->process].parts[part->number] = NULL;
  program->bytes -= part->bytes;
  g_free (part->steps);
  g_free (part->waits);
  g_free (part);
}

/* A part that was used since it was last at the head of the queue gets another turn. */
static void
program_make_room (LcPredictProgram *program)
{
  while (program->bytes > MOST_BYTES && program->kept.length > 1)
    {
      ProgramPart *part = g_queue_pop_head (&program->kept);

      if (!part->is_used)
        {
          program_free_part (program, part);
          continue;
        }
      part->is_used = FALSE;
      g_queue_push_tail (&program->kept, part);
    }
}

static ProgramPart *
program_keep_part (LcPredictProgram *program, guint32 process, guint64 number)
{
  ProgramPart *part = g_new0 (ProgramPart, 1);

  part->process = process;
  part->number = number;
  part->n_steps = program->steps->len;
  part->steps = g_memdup2 (program->steps->data, program->steps->len * sizeof (LcPredictStep));
  part->waits = g_memdup2 (program->waits->data, program->waits->len * sizeof (LcPredictWait));
  part->bytes =
      sizeof *part + program->steps->len * sizeof (LcPredictStep) + program->waits->len * sizeof (LcPredictWait);
  program->processes[process].parts[number] = part;
  program->bytes += part->bytes;
  program_make_room (program);
  g_queue_push_tail (&program->kept, part);
  return part;
}

/* --- Making a part ---------------------------------------------------------------------------------------------- */

/* Gives the time from what the first event waited for to its begin: a thread had to be made. */
static gboolean
program_get_launch (LcPredictProgram *program, const LcHistoryEvent *event, const LcHistoryArcEnd *arc, guint64 *launch,
                    GError **error)
{
  guint64 made;

  *launch = 0;
  if (event->ordinal > 0 || event->n_arcs == 0)
    return TRUE;
  if (!lc_history_walk_get_time (program->walk, arc->process, arc->ordinal, arc->point, &made, error))
    return FALSE;
  *launch = event->begin > made ? event->begin - made : 0;
  return TRUE;
}

static void
program_add_waits (LcPredictProgram *program, const LcHistoryEvent *event, const LcHistoryArcEnd *arcs,
                   LcPredictStep *step)
{
  step->first_wait = program->waits->len;
  for (guint32 i = 0; i < event->n_arcs && !(event->flags & LC_HISTORY_EVENT_GROUP); i++)
    {
      const LcPredictWait wait = {2 * arcs[i].ordinal + (arcs[i].point == LC_POINT_END), arcs[i].process};

      if (wait.process < program->n_processes && wait.process != event->process &&
          arcs[i].ordinal < program->processes[wait.process].n_steps)
        g_array_append_val (program->waits, wait);
    }
  step->n_waits = program->waits->len - step->first_wait;
}

static gboolean
program_add_step (LcPredictProgram *program, guint32 process, guint64 ordinal, guint64 *last_end, GError **error)
{
  LcPredictStep step = {0};
  const LcHistoryArcEnd *arcs;
  LcHistoryEvent event;
  LcWorkParts parts;
  guint64 preempted, launch;

  if (!lc_history_walk_get (program->walk, process, ordinal, &event, &arcs, error))
    return FALSE;
  step.group = program_find_group (program, &event);
  step.has_arcs = event.n_arcs > 0;
  parts = lc_work_parts_of (&event, event.n_arcs > 0 || event.flags & LC_HISTORY_EVENT_GROUP);
  program_add_waits (program, &event, arcs, &step);
  if (!program_get_launch (program, &event, arcs, &launch, error) ||
      !lc_preempted_sum (program->preempted, process, *last_end, event.begin, &preempted, error))
    return FALSE;
  step.gap = event.begin > *last_end ? event.begin - *last_end : 0;
  step.gap -= MIN (step.gap, preempted);
  step.rest = parts.rest;
  step.own = parts.own + launch;
  program->rests |= step.rest > 0;
  *last_end = event.end;
  g_array_append_val (program->steps, step);
  return TRUE;
}

/* Gives the end of the last event before a part. */
static gboolean
program_find_last_end (LcPredictProgram *program, guint32 process, guint64 number, guint64 *end, GError **error)
{
  const ProgramProcess *of = &program->processes[process];

  *end = number == 0 ? of->birth : of->last_end;
  return number == 0 || number == of->next ||
         lc_history_walk_get_time (program->walk, process, number * STEPS - 1, LC_POINT_END, end, error);
}

static ProgramPart *
program_make_part (LcPredictProgram *program, guint32 process, guint64 number, GError **error)
{
  ProgramProcess *of = &program->processes[process];
  const guint64 end = MIN (of->n_steps, (number + 1) * STEPS);
  guint64 last_end;

  g_array_set_size (program->steps, 0);
  g_array_set_size (program->waits, 0);
  if (!program_find_last_end (program, process, number, &last_end, error))
    return NULL;
  for (guint64 ordinal = number * STEPS; ordinal < end; ordinal++)
    if (!program_add_step (program, process, ordinal, &last_end, error))
      return NULL;
  of->next = number + 1;
  of->last_end = last_end;
  return program_keep_part (program, process, number);
}

/* --- All of it -------------------------------------------------------------------------------------------------- */

static gboolean
program_set_process (LcPredictProgram *program, guint32 process, guint32 timeline, GError **error)
{
  ProgramProcess *of = &program->processes[process];

  if (!lc_history_count_events (program->history, timeline, process, &of->n_steps, error))
    return FALSE;
  of->parts = g_new0 (ProgramPart *, of->n_steps / STEPS + 1);
  program->n_steps += of->n_steps;
  return TRUE;
}

static gboolean
program_count_groups (LcPredictProgram *program, guint32 timeline, GCancellable *cancellable, GError **error)
{
  const guint32 n_operations = lc_history_get_n_operations (program->history);
  g_autofree gboolean *all = g_new (gboolean, n_operations + 1);

  for (guint32 i = 0; i < n_operations; i++)
    all[i] = TRUE;
  for (guint32 i = 0; i < program->n_processes; i++)
    if (!lc_history_visit_operations (program->history, timeline, i, all, program_count_member, program, cancellable,
                                      error))
      return FALSE;
  return TRUE;
}

LcPredictProgram *
lc_predict_program_new (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcPredictProgram) program = g_new0 (LcPredictProgram, 1);
  const guint32 n = program->n_processes = lc_history_get_n_processes (history);
  g_autofree guint64 *begins = g_new0 (guint64, n + 1), *ends = g_new0 (guint64, n + 1);

  program->history = history;
  program->processes = g_new0 (ProgramProcess, n + 1);
  program->groups = g_hash_table_new_full (program_hash_group, program_same_group, g_free, NULL);
  program->members = g_array_new (FALSE, FALSE, sizeof (guint));
  program->steps = g_array_new (FALSE, FALSE, sizeof (LcPredictStep));
  program->waits = g_array_new (FALSE, FALSE, sizeof (LcPredictWait));
  g_queue_init (&program->kept);
  program->preempted = lc_preempted_new (history, timeline, cancellable);
  program->walk = lc_history_walk_new (history, timeline, LC_WALK_ARCS, cancellable, error);
  if (program->walk == NULL || !lc_history_get_process_spans (history, timeline, begins, ends, error))
    return NULL;
  for (guint32 i = 0; i < n; i++)
    {
      program->processes[i].birth = begins[i];
      if (!program_set_process (program, i, timeline, error))
        return NULL;
    }
  return program_count_groups (program, timeline, cancellable, error) ? g_steal_pointer (&program) : NULL;
}

void
lc_predict_program_free (LcPredictProgram *program)
{
  ProgramPart *part;

  if (program == NULL)
    return;
  while ((part = g_queue_pop_head (&program->kept)) != NULL)
    program_free_part (program, part);
  for (guint32 i = 0; i < program->n_processes; i++)
    g_free (program->processes[i].parts);
  g_free (program->processes);
  g_hash_table_unref (program->groups);
  g_array_unref (program->members);
  g_array_unref (program->steps);
  g_array_unref (program->waits);
  lc_history_walk_free (program->walk);
  lc_preempted_free (program->preempted);
  g_free (program);
}

guint64
lc_predict_program_count_steps (const LcPredictProgram *program, guint32 process)
{
  return program->processes[process].n_steps;
}

guint64
lc_predict_program_count_all (const LcPredictProgram *program)
{
  return program->n_steps;
}

guint64
lc_predict_program_get_birth (const LcPredictProgram *program, guint32 process)
{
  return program->processes[process].birth;
}

guint
lc_predict_program_count_members (const LcPredictProgram *program, guint32 group)
{
  return g_array_index (program->members, guint, group);
}

gboolean
lc_predict_program_rests (const LcPredictProgram *program)
{
  return program->rests;
}

const LcPredictStep *
lc_predict_program_get (LcPredictProgram *program, guint32 process, guint64 ordinal, const LcPredictWait **waits,
                        GError **error)
{
  ProgramPart *part = program->processes[process].parts[ordinal / STEPS];
  const LcPredictStep *step;

  if (part == NULL)
    part = program_make_part (program, process, ordinal / STEPS, error);
  if (part == NULL)
    return NULL;
  part->is_used = TRUE;
  step = &part->steps[ordinal % STEPS];
  *waits = step->n_waits > 0 ? &part->waits[step->first_wait] : NULL;
  return step;
}
