/* SPDX-License-Identifier: Apache-2.0 */
/* Lets a recorder that is in the program, too, record a replay: its events are those of the plan. */
/*
 * The recorder's wrappers are behind those of the replay. The making and the end of threads, and all that has no turns,
 * it records by itself. The thread is suspended for it in the other operations, and tells their events when it has done
 * them: numbers of tokens, of wake-ups and of attempts are then the recorded ones. Where the order is another one,
 * locks have numbers of their own, and the recorder goes on by itself when threads become free.
 */
#include "replay.h"

enum
{
  REPLAY_RECORDER = 8, /* the first version that has all that is needed here */
};

const struct lc_hooks *lc_replay_recorder;

/* A recorder that only looks for programs of MPI records no class. */
void
lc_replay_record_begin (void)
{
  const struct lc_hooks *hooks = lc_replay_find_recorder ();

  if (hooks != NULL && hooks->version >= REPLAY_RECORDER && *hooks->classes != 0)
    lc_replay_recorder = hooks;
}

void
lc_replay_record_suspend (struct lc_suspension *suspension)
{
  if (lc_replay_recorder != NULL)
    lc_replay_recorder->suspend (suspension);
}

void
lc_replay_record_resume (const struct lc_suspension *suspension)
{
  if (lc_replay_recorder != NULL)
    lc_replay_recorder->resume (suspension);
}

/* A thread that has no stream yet would get none while it is suspended: any call gives it one. After its end, which may
 * have come for the recorder, it would count as lost. */
void
lc_replay_record_enter (struct lc_replayed *self)
{
  if (lc_replay_recorder == NULL)
    return;
  if (!self->has_stream)
    lc_replay_recorder->name_process (NULL);
  self->has_stream = true;
  lc_replay_record_suspend (&self->suspension);
}

void
lc_replay_record_leave (struct lc_replayed *self)
{
  lc_replay_record_resume (&self->suspension);
  self->suspension.is_outermost = false;
}

/* Ranks count their threads together: numbers are given as they come. */
void
lc_replay_record_make (const struct lc_replayed *child, const void *function)
{
  const uint32_t n = lc_replay_count_threads ();

  if (lc_replay_recorder != NULL && lc_replay_is_of_rank ())
    lc_replay_recorder->make (LC_NO_PROCESS, 0, function);
  else if (lc_replay_recorder != NULL)
    lc_replay_recorder->make (child->thread->process, lc_replay_thread (n - 1)->thread->process + 1, function);
}

/* An object of lightcone/record.h has its record since it was made. */
static uint32_t
replay_record_object (const struct lc_replay_object *object)
{
  const enum lc_class class = (enum lc_class)object->object_class;
  const void *address = (const void *)(uintptr_t)object->address;
  const struct lc_replay_place *place;

  if (object->kind == LC_KIND_SPIN || object->kind == LC_KIND_OPENMP)
    return lc_replay_recorder->place (class, (enum lc_kind)object->kind, address);
  if (object->kind != LC_KIND_LIBRARY)
    return lc_replay_recorder->place (class, LC_KIND_PLAIN, address);
  place = lc_replay_place (address, class);
  return place != NULL ? place->record : 0;
}

static bool
replay_record_has_length (uint16_t operation)
{
  switch (operation)
    {
    case LC_UNLOCK:
    case LC_READ_END:
    case LC_WRITE_END:
    case LC_ADVANCE:
    case LC_POST:
    case LC_SIGNAL:
    case LC_BROADCAST:
    case LC_FORK:
    case LC_TEAM_END:
    case LC_TASK_CREATE:
    case LC_TASK_END:
      return false;
    default:
      return true;
    }
}

void
lc_replay_record (const struct lc_replayed *self, const struct lc_replay_event *event)
{
  const struct lc_replay_object *object = lc_replay_object (event->object);
  struct lc_finished finished;

  if (lc_replay_recorder == NULL || object->object_class == LC_CLASS_THREAD)
    return;
  finished = (struct lc_finished){
      .operation = event->operation,
      .flags = (uint8_t)event->flags,
      .sequence = event->sequence,
      .value = event->value,
      .bytes = object->object_class == LC_CLASS_CHANNEL ? event->value : 0,
      .begin = replay_record_has_length (event->operation) ? self->began : 0,
  };
  if (lc_replay_is_steered () && object->kind != LC_KIND_LIBRARY)
    {
      lc_replay_recorder->carry_on (&finished, (enum lc_kind)object->kind, (const void *)(uintptr_t)object->address);
      return;
    }
  finished.object = replay_record_object (object);
  if (event->detail != 0)
    lc_replay_recorder->append_detailed (&finished, event->detail);
  else
    lc_replay_recorder->append (&finished);
}

void
lc_replay_record_freed (const struct lc_replayed *self, const void *condition)
{
  struct lc_finished finished = {
      .operation = LC_CONDITION_WAIT, .flags = LC_EVENT_UNKNOWN | LC_EVENT_CONTENDED, .begin = self->began};

  if (lc_replay_recorder == NULL)
    return;
  finished.object = lc_replay_recorder->place (LC_CLASS_CONDITION, LC_KIND_PLAIN, condition);
  lc_replay_recorder->append (&finished);
}
