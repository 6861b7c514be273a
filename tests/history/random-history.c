/* SPDX-License-Identifier: Apache-2.0 */
/* Makes an execution step by step: each step is an operation that some process could do next. */
#include "random-history.h"

#include <string.h>

enum
{
  OBJECTS = 3, /* of each class */
  TOKENS = 64,
};

/* What the last operations on an object left behind. */
typedef struct
{
  RandomSource last, ends[TOKENS], begins[TOKENS];
  guint n_ends;
  gint64 sequence, taken, posted;
  gint holder; /* process, or -1 */
  guint64 time;
  guint readers;
} Object;

/* An isend or irecv that is not complete. */
typedef struct
{
  guint process;
  int which; /* channel */
  gint64 sequence;
  gboolean sends;
} Request;

/* A collective operation that a process has begun and not finished. */
typedef struct
{
  guint process;
  int which; /* communicator */
  gint64 sequence;
  const char *operation; /* that finishes it */
  GArray *sources;       /* RandomSource */
} Begun;

typedef struct
{
  RandomHistory *history;
  GRand *random;
  guint64 *now; /* by process */
  Object mutexes[OBJECTS], crews[OBJECTS], advances[OBJECTS], semaphores[OBJECTS], barriers[OBJECTS], channels[OBJECTS],
      conditions[OBJECTS], communicators[OBJECTS];
  int *reads;       /* crew that a process reads, or -1 */
  GArray *requests; /* Request */
  GArray *begun;    /* Begun */
} Maker;

static void
event_free (gpointer data)
{
  RandomEvent *event = data;

  g_array_unref (event->sources);
  g_free (event);
}

static void
clear_begun (gpointer data)
{
  g_array_unref (((Begun *)data)->sources);
}

static guint64
source_time (const RandomHistory *history, const RandomSource *source)
{
  const RandomEvent *event = random_history_event (history, source->process, source->ordinal);

  return source->begin ? event->begin : event->end;
}

static RandomEvent *
begin_event (Maker *maker, guint process, const char *operation, const char *prefix, int object, gint64 sequence)
{
  RandomEvent *event = g_new0 (RandomEvent, 1);

  maker->now[process] += (guint64)g_rand_int_range (maker->random, 1, 50);
  event->begin = event->end = maker->now[process];
  event->operation = operation;
  event->sequence = sequence;
  event->sources = g_array_new (FALSE, FALSE, sizeof (RandomSource));
  g_snprintf (event->object, sizeof event->object, "%s%d", prefix, object);
  g_ptr_array_add (maker->history->events[process], event);
  return event;
}

static RandomSource
here (const Maker *maker, guint process, gboolean begin)
{
  return (RandomSource){process, maker->history->events[process]->len - 1, begin};
}

static void
add_source (RandomEvent *event, RandomSource source)
{
  g_array_append_val (event->sources, source);
}

/* It ends when all that it waits for is there, and a little later. */
static void
end_event (Maker *maker, guint process, RandomEvent *event)
{
  guint64 end = event->begin;

  for (guint i = 0; i < event->sources->len; i++)
    end = MAX (end, source_time (maker->history, &g_array_index (event->sources, RandomSource, i)));
  event->end = end + (guint64)g_rand_int_range (maker->random, 0, 10);
  maker->now[process] = event->end;
}

/* The send has waited for who receives it, if that began in time; it may have ended already. */
static void
meet (Maker *maker, RandomSource receiving, RandomEvent *send)
{
  if (send->soft && source_time (maker->history, &receiving) <= send->end)
    add_source (send, receiving);
}

static void
step_mutex (Maker *maker, guint process, int which)
{
  Object *mutex = &maker->mutexes[which];
  RandomEvent *event;

  if (mutex->holder == (gint)process)
    {
      event = begin_event (maker, process, "unlock", "m", which, mutex->sequence);
      end_event (maker, process, event);
      mutex->last = here (maker, process, FALSE);
      mutex->holder = -1;
    }
  else if (mutex->holder < 0)
    {
      event = begin_event (maker, process, "lock", "m", which, ++mutex->sequence);
      if (mutex->sequence > 1)
        add_source (event, mutex->last);
      end_event (maker, process, event);
      mutex->holder = (gint)process;
    }
}

static void
step_write (Maker *maker, guint process, int which)
{
  Object *crew = &maker->crews[which];
  RandomEvent *event;

  if (crew->holder == (gint)process)
    {
      event = begin_event (maker, process, "write-end", "c", which, crew->sequence);
      end_event (maker, process, event);
      crew->last = here (maker, process, FALSE);
      crew->holder = -1;
    }
  else if (crew->holder < 0 && crew->readers == 0)
    {
      event = begin_event (maker, process, "write-start", "c", which, ++crew->sequence);
      for (guint i = 0; i < crew->n_ends; i++)
        add_source (event, crew->ends[i]);
      if (crew->sequence > 1)
        add_source (event, crew->last);
      crew->n_ends = 0;
      end_event (maker, process, event);
      crew->holder = (gint)process;
    }
}

static void
step_read (Maker *maker, guint process, int which)
{
  int reading = maker->reads[process];
  Object *crew = &maker->crews[reading >= 0 ? reading : which];
  RandomEvent *event;

  if (reading >= 0)
    {
      event = begin_event (maker, process, "read-end", "c", reading, crew->sequence);
      end_event (maker, process, event);
      crew->ends[crew->n_ends++] = here (maker, process, FALSE);
      crew->readers--;
      maker->reads[process] = -1;
    }
  else if (crew->holder < 0 && crew->n_ends + crew->readers < TOKENS)
    {
      event = begin_event (maker, process, "read-start", "c", which, crew->sequence);
      if (crew->sequence > 0)
        add_source (event, crew->last);
      end_event (maker, process, event);
      crew->readers++;
      maker->reads[process] = which;
    }
}

/* Gives something that has a number of its own: an advance, a token, a message. */
static void
step_give (Maker *maker, guint process, Object *object, const char *operation, const char *prefix, int which,
           gboolean begin)
{
  RandomEvent *event;

  if (object->posted == TOKENS)
    return;
  event = begin_event (maker, process, operation, prefix, which, object->posted);
  end_event (maker, process, event);
  object->ends[object->posted++] = here (maker, process, begin);
}

/* Messages of one in three channels are long, and sending takes its time. */
static void
step_send (Maker *maker, guint process, int which)
{
  Object *channel = &maker->channels[which];
  RandomEvent *event;

  if (channel->posted == TOKENS)
    return;
  event = begin_event (maker, process, "send", "h", which, channel->posted);
  event->soft = which == 0;
  end_event (maker, process, event);
  if (event->soft)
    maker->now[process] = event->end += event->begin % 128;
  if (channel->posted < channel->taken)
    meet (maker, channel->begins[channel->posted], event);
  channel->ends[channel->posted++] = here (maker, process, TRUE);
}

static void
step_take (Maker *maker, guint process, Object *object, const char *operation, const char *prefix, int which)
{
  RandomEvent *event;

  if (object->taken >= object->posted)
    return;
  event = begin_event (maker, process, operation, prefix, which, object->taken);
  meet (
      maker, here (maker, process, TRUE),
      random_history_event (maker->history, object->ends[object->taken].process, object->ends[object->taken].ordinal));
  add_source (event, object->ends[object->taken++]);
  end_event (maker, process, event);
}

/* Any number of processes may await what was advanced. */
static void
step_await (Maker *maker, guint process, int which)
{
  Object *object = &maker->advances[which];
  gint32 i;
  RandomEvent *event;

  if (object->posted == 0)
    return;
  i = g_rand_int_range (maker->random, 0, (gint32)object->posted);
  event = begin_event (maker, process, "await", "a", which, i);
  add_source (event, object->ends[i]);
  end_event (maker, process, event);
}

/* Nobody leaves before all have come. */
static void
step_group (Maker *maker, Object *object, const char *operation, const char *prefix, int which)
{
  guint n = maker->history->n_processes;
  RandomEvent **events = g_newa (RandomEvent *, n);

  for (guint i = 0; i < n; i++)
    events[i] = begin_event (maker, i, operation, prefix, which, object->sequence);
  object->sequence++;
  for (guint i = 0; i < n; i++)
    {
      events[i]->member = TRUE;
      for (guint j = 0; j < n; j++)
        if (i != j)
          add_source (events[i], here (maker, j, TRUE));
      end_event (maker, i, events[i]);
    }
}

/* All get something from the root, or the root from all. */
static void
step_tree (Maker *maker, Object *object, guint root, const char *const *operations, int which, gboolean from_root)
{
  guint n = maker->history->n_processes;
  RandomEvent **events = g_newa (RandomEvent *, n);

  for (guint i = 0; i < n; i++)
    events[i] = begin_event (maker, i, operations[i != root], "w", which, object->sequence);
  object->sequence++;
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      if (i != j && (from_root ? j == root : i == root))
        add_source (events[i], here (maker, j, TRUE));
  for (guint i = 0; i < n; i++)
    end_event (maker, i, events[i]);
}

static void
step_collective (Maker *maker, guint root, int which)
{
  static const char *const groups[] = {"all-reduce",     "all-gather", "all-to-all",
                                       "reduce-scatter", "scan",       "communicator"};
  static const char *const trees[][2] = {{"broadcast-root", "broadcast-recv"},
                                         {"scatter-root", "scatter"},
                                         {"reduce-root", "reduce"},
                                         {"gather-root", "gather"}};
  int kind = g_rand_int_range (maker->random, 0, G_N_ELEMENTS (groups) + G_N_ELEMENTS (trees));
  Object *object = &maker->communicators[which];

  if (kind < (int)G_N_ELEMENTS (trees))
    step_tree (maker, object, root, trees[kind], which, kind < 2);
  else
    step_group (maker, object, groups[kind - (int)G_N_ELEMENTS (trees)], "w", which);
}

/* Each begins it, and goes on: from which others' begins it gets what it finishes with is known from here on. */
static void
begin_all (Maker *maker, Object *object, guint root, const char *const *operations, int which)
{
  const gboolean from_root = operations[0][1] == 'b' || operations[0][1] == 's', is_tree = operations[1] != NULL;
  const guint n = maker->history->n_processes;

  for (guint i = 0; i < n; i++)
    end_event (maker, i, begin_event (maker, i, operations[is_tree && i != root], "w", which, object->sequence));
  for (guint i = 0; i < n; i++)
    {
      const gboolean sends = is_tree && from_root == (i == root);
      const Begun begun = {i, which, object->sequence,
                           !is_tree    ? "finish-all"
                           : sends     ? "finish-local"
                           : i == root ? "finish-at-root"
                                       : "finish-from-root",
                           g_array_new (FALSE, FALSE, sizeof (RandomSource))};

      for (guint j = 0; j < n && !sends; j++)
        {
          const RandomSource source = here (maker, j, TRUE);

          if (!is_tree || (i != j && (from_root ? j == root : i == root)))
            g_array_append_val (begun.sources, source);
        }
      g_array_append_val (maker->begun, begun);
    }
  object->sequence++;
}

static void
step_begin_all (Maker *maker, guint root, int which)
{
  static const char *const kinds[][2] = {{"ibarrier"},
                                         {"iall-reduce"},
                                         {"iall-to-all"},
                                         {"iscan"},
                                         {"ibroadcast-root", "ibroadcast-recv"},
                                         {"iscatter-root", "iscatter"},
                                         {"ireduce-root", "ireduce"},
                                         {"igather-root", "igather"}};

  begin_all (maker, &maker->communicators[which], root,
             kinds[g_rand_int_range (maker->random, 0, G_N_ELEMENTS (kinds))], which);
}

/* Or tries to, in vain. */
static void
step_finish (Maker *maker)
{
  const guint number =
      maker->begun->len > 0 ? (guint)g_rand_int_range (maker->random, 0, (gint32)maker->begun->len) : 0;
  const Begun *begun = &g_array_index (maker->begun, Begun, number);
  const gboolean fails = g_rand_int_range (maker->random, 0, 4) == 0;
  RandomEvent *event;

  if (maker->begun->len == 0)
    return;
  event = begin_event (maker, begun->process, fails ? "finish-failed" : begun->operation, "w", begun->which,
                       begun->sequence);
  if (!fails)
    g_array_append_vals (event->sources, begun->sources->data, begun->sources->len);
  end_event (maker, begun->process, event);
  if (!fails)
    g_array_remove_index_fast (maker->begun, number);
}

/* Looks for a message, and then receives it. */
static void
step_probe (Maker *maker, guint process, int which)
{
  Object *channel = &maker->channels[which];
  RandomEvent *event;

  if (channel->taken == TOKENS)
    return;
  if (channel->taken >= channel->posted || g_rand_boolean (maker->random))
    end_event (maker, process, begin_event (maker, process, "probe-failed", "h", which, channel->taken));
  if (channel->taken >= channel->posted)
    return;
  event = begin_event (maker, process, "probe", "h", which, channel->taken);
  add_source (event, channel->ends[channel->taken]);
  end_event (maker, process, event);
  step_take (maker, process, channel, "recv", "h", which);
}

static void
step_isend (Maker *maker, guint process, int which)
{
  Object *channel = &maker->channels[which];
  const Request request = {process, which, channel->posted, TRUE};

  if (channel->posted == TOKENS)
    return;
  step_give (maker, process, channel, "isend", "h", which, TRUE);
  g_array_append_val (maker->requests, request);
}

/* It may come before the message is sent. */
static void
step_irecv (Maker *maker, guint process, int which)
{
  Object *channel = &maker->channels[which];
  const Request request = {process, which, channel->taken, FALSE};

  if (channel->taken == TOKENS)
    return;
  end_event (maker, process, begin_event (maker, process, "irecv", "h", which, channel->taken));
  channel->begins[channel->taken] = here (maker, process, TRUE);
  if (channel->taken < channel->posted)
    meet (maker, here (maker, process, TRUE),
          random_history_event (maker->history, channel->ends[channel->taken].process,
                                channel->ends[channel->taken].ordinal));
  channel->taken++;
  g_array_append_val (maker->requests, request);
}

/* Of any request that can end now. */
static void
step_complete (Maker *maker)
{
  guint number =
      maker->requests->len > 0 ? (guint)g_rand_int_range (maker->random, 0, (gint32)maker->requests->len) : 0;
  Request request;
  Object *channel;
  RandomEvent *event;

  if (maker->requests->len == 0)
    return;
  request = g_array_index (maker->requests, Request, number);
  channel = &maker->channels[request.which];
  if (g_rand_boolean (maker->random) || request.sequence >= channel->posted)
    {
      event = begin_event (maker, request.process, "test-failed", "h", request.which, request.sequence);
      end_event (maker, request.process, event);
      return;
    }
  event = begin_event (maker, request.process, "complete", "h", request.which, request.sequence);
  add_source (event, channel->ends[request.sequence]);
  end_event (maker, request.process, event);
  g_array_remove_index_fast (maker->requests, number);
}

/* To an irecv that is there already. */
static void
step_ssend (Maker *maker, guint process, int which)
{
  Object *channel = &maker->channels[which];
  RandomEvent *event;

  if (channel->posted >= channel->taken)
    return;
  event = begin_event (maker, process, which == 1 ? "send" : "ssend", "h", which, channel->posted);
  event->soft = which == 1;
  add_source (event, channel->begins[channel->posted]);
  end_event (maker, process, event);
  channel->ends[channel->posted++] = here (maker, process, TRUE);
}

static void
step_rendezvous (Maker *maker, guint process, int which)
{
  Object *channel = &maker->channels[which];
  guint other = (process + 1) % maker->history->n_processes;
  RandomEvent *send, *receive;

  if (other == process || channel->posted == TOKENS || channel->posted != channel->taken)
    return;
  send = begin_event (maker, process, which == 1 ? "send" : "ssend", "h", which, channel->posted);
  send->soft = which == 1;
  receive = begin_event (maker, other, "recv", "h", which, channel->posted);
  add_source (send, here (maker, other, TRUE));
  add_source (receive, here (maker, process, TRUE));
  end_event (maker, process, send);
  end_event (maker, other, receive);
  channel->ends[channel->posted++] = here (maker, process, TRUE);
  channel->taken++;
}

/* One or all of the others wait, and are woken. */
static void
step_condition (Maker *maker, guint process, int which)
{
  Object *condition = &maker->conditions[which];
  guint n = maker->history->n_processes, woken = g_rand_boolean (maker->random) ? 1 : n - 1;
  RandomEvent **waits = g_newa (RandomEvent *, n), *wake;

  if (n < 2)
    return;
  condition->sequence++;
  for (guint i = 0; i < woken; i++)
    waits[i] = begin_event (maker, (process + 1 + i) % n, "condition-wait", "v", which, condition->sequence);
  wake = begin_event (maker, process, woken == 1 ? "signal" : "broadcast", "v", which, condition->sequence);
  end_event (maker, process, wake);
  for (guint i = 0; i < woken; i++)
    {
      add_source (waits[i], here (maker, process, FALSE));
      end_event (maker, (process + 1 + i) % n, waits[i]);
    }
}

static void
step (Maker *maker)
{
  guint process = (guint)g_rand_int_range (maker->random, 0, (gint32)maker->history->n_processes);
  int which = g_rand_int_range (maker->random, 0, OBJECTS);

  switch (g_rand_int_range (maker->random, 0, 27))
    {
    case 0:
      step_group (maker, &maker->barriers[which], "barrier", "b", which);
      break;
    case 1:
      step_rendezvous (maker, process, which);
      break;
    case 2:
      step_condition (maker, process, which);
      break;
    case 3:
      step_give (maker, process, &maker->advances[which], "advance", "a", which, FALSE);
      break;
    case 4:
      step_await (maker, process, which);
      break;
    case 5:
      step_give (maker, process, &maker->semaphores[which], "post", "s", which, FALSE);
      break;
    case 6:
      step_take (maker, process, &maker->semaphores[which], "wait", "s", which);
      break;
    case 7:
      step_send (maker, process, which);
      break;
    case 8:
      step_take (maker, process, &maker->channels[which], "recv", "h", which);
      break;
    case 9:
    case 10:
      step_read (maker, process, which);
      break;
    case 11:
    case 12:
      step_write (maker, process, which);
      break;
    case 13:
      step_collective (maker, process, which);
      break;
    case 14:
      step_isend (maker, process, which);
      break;
    case 15:
      step_irecv (maker, process, which);
      break;
    case 16:
    case 17:
      step_complete (maker);
      break;
    case 18:
      step_ssend (maker, process, which);
      break;
    case 19:
      step_probe (maker, process, which);
      break;
    case 20:
      step_begin_all (maker, process, which);
      break;
    case 21:
    case 22:
    case 23:
      step_finish (maker);
      break;
    default:
      step_mutex (maker, process, which);
      break;
    }
}

RandomHistory *
random_history_new (guint32 seed, guint n_processes, guint n_steps)
{
  RandomHistory *history = g_new0 (RandomHistory, 1);
  Maker maker = {.history = history, .random = g_rand_new_with_seed (seed)};

  history->n_processes = n_processes;
  history->events = g_new0 (GPtrArray *, n_processes);
  maker.now = g_new0 (guint64, n_processes);
  maker.reads = g_new0 (int, n_processes);
  maker.requests = g_array_new (FALSE, FALSE, sizeof (Request));
  maker.begun = g_array_new (FALSE, FALSE, sizeof (Begun));
  g_array_set_clear_func (maker.begun, clear_begun);
  for (guint i = 0; i < n_processes; i++)
    {
      history->events[i] = g_ptr_array_new_with_free_func (event_free);
      maker.reads[i] = -1;
    }
  for (int i = 0; i < OBJECTS; i++)
    maker.mutexes[i].holder = maker.crews[i].holder = -1;
  for (guint i = 0; i < n_steps; i++)
    step (&maker);
  g_rand_free (maker.random);
  g_free (maker.now);
  g_free (maker.reads);
  g_array_unref (maker.requests);
  g_array_unref (maker.begun);
  return history;
}

void
random_history_free (RandomHistory *history)
{
  for (guint i = 0; i < history->n_processes; i++)
    g_ptr_array_unref (history->events[i]);
  g_free (history->events);
  g_free (history);
}

void
random_history_harden (RandomHistory *history)
{
  for (guint i = 0; i < history->n_processes; i++)
    for (guint k = 0; k < history->events[i]->len; k++)
      {
        RandomEvent *event = random_history_event (history, i, k);

        if (event->soft)
          g_array_set_size (event->sources, 0);
        event->soft = FALSE;
      }
}

RandomEvent *
random_history_event (const RandomHistory *history, guint process, guint ordinal)
{
  return history->events[process]->pdata[ordinal];
}

/* Some processes say where they are, and some of these not always. */
static void
append_place (GString *text, guint process, guint ordinal)
{
  if (process % 3 == 1 && ordinal % 5 != 0)
    g_string_append_printf (text, " at=work%u@work.c:%u", ordinal % 7, ordinal % 11 + 1);
  else if (process % 3 == 2)
    g_string_append_printf (text, " at=put%u@put.c:%u;work@work.c:%u;main", ordinal % 3, ordinal % 4 + 1, process + 1);
  g_string_append_c (text, '\n');
}

void
random_history_write (const RandomHistory *history, const char *directory, guint64 skew, guint32 seed)
{
  GRand *random = g_rand_new_with_seed (seed);

  for (guint i = 0; i < history->n_processes; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%u.events", directory, i);
      g_autoptr (GString) text = g_string_new ("%lightcone-events 1\n");
      g_autoptr (GError) error = NULL;
      guint64 shift = skew > 0 ? (guint64)g_rand_int_range (random, 0, (gint32)skew) : 0;

      for (guint j = 0; j < history->events[i]->len; j++)
        {
          const RandomEvent *event = random_history_event (history, i, j);

          g_string_append_printf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s %s %" G_GINT64_FORMAT "%s",
                                  event->begin + shift, event->end + shift, event->operation, event->object,
                                  event->sequence, event->soft ? " contended=1" : "");
          append_place (text, i, j);
        }
      g_file_set_contents (path, text->str, (gssize)text->len, &error);
      g_assert_no_error (error);
    }
  g_rand_free (random);
}
