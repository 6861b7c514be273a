/* SPDX-License-Identifier: Apache-2.0 */
/* The made-up program: in each round some work with locks, then messages and tokens for the neighbours, then barriers.
 */
#include "simulation.h"

#include <math.h>
#include <string.h>

#include "queue.h"

enum
{
  ROUND = 40,        /* events of a process, about */
  GROUP_ROUNDS = 12, /* between barriers of a group */
  ALL_ROUNDS = 96,   /* between barriers of all */
  LEFT_ROUNDS = 3,   /* between messages to the left */
  TOKEN_ROUNDS = 2,
};

/* What a process does next. */
typedef enum
{
  CREATE, /* process 0 only, as JOIN */
  START,
  WORK,
  GIVE,
  TAKE_LEFT,
  TAKE_RIGHT,
  TAKE_TOKEN,
  MEET_GROUP,
  MEET_ALL,
  NEXT_ROUND,
  EXIT,
  JOIN,
  ENDED,
} Place;

typedef enum
{
  GOES_ON,
  PARKED,
} Outcome;

typedef struct
{
  TraceStream *stream;
  guint64 now;
  guint64 round;
  guint64 fixed;  /* events outside of the rounds */
  guint64 share;  /* events in them */
  guint64 target; /* events at the end of this round's work */
  guint32 number;
  guint32 next; /* process 0: which it creates or joins */
  guint32 pace; /* of 256: how long its work takes */
  Place place;
  gboolean waits; /* parked in what `place` says */
} Process;

typedef struct
{
  guint64 free_at;
  guint64 sequence;
} Mutex;

typedef struct
{
  guint64 written; /* the end of the last write */
  guint64 read;    /* the end of the last read of this version */
  guint64 version;
  guint64 readers; /* of this version */
} Crew;

/* A channel, or a semaphore: who takes waits for what was given. */
typedef struct
{
  guint64 given, taken;
  guint64 ready[PIPE_LENGTH]; /* when the taker can have it */
  guint32 bytes[PIPE_LENGTH];
} Pipe;

typedef struct
{
  guint64 generation;
  guint64 last; /* when the last one came */
  guint32 came;
  guint32 members;
  guint32 first;
} Barrier;

typedef struct
{
  const Objects *objects;
  Process *processes;
  guint32 n_processes;
  guint64 rounds;
  Queue *queue;
  Mutex *hot, *cold;
  Crew *crews;
  Barrier *groups;
  Barrier all;
  Pipe *pipes;
  guint64 random;
  guint16 spread[256]; /* of 256: an exponential distribution */
} Simulation;

/* --- Chance ------------------------------------------------------------------------------------------------- */

static inline guint64
draw (Simulation *simulation)
{
  guint64 z = simulation->random += G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  return z ^ (z >> 29);
}

/* Below `limit`, from 32 bits of chance. */
static inline guint32
below (guint64 bits, guint32 limit)
{
  return (guint32)(((bits & G_MAXUINT32) * limit) >> 32);
}

/* A length of time with that mean, from 8 bits of chance. */
static inline guint64
lasting (const Simulation *simulation, guint64 bits, guint32 mean)
{
  return (simulation->spread[bits & 255] * mean >> 8) + 1;
}

static void
init_spread (Simulation *simulation)
{
  for (guint i = 0; i < G_N_ELEMENTS (simulation->spread); i++)
    simulation->spread[i] = (guint16)(-256 * log ((256 - i - 0.5) / 256));
}

/* --- Work --------------------------------------------------------------------------------------------------- */

static inline guint64
sequence_and_value (guint64 sequence, guint64 value)
{
  return sequence | value << LC_SEQUENCE_BITS;
}

static void
use_mutex (Simulation *simulation, Process *process, guint64 chance)
{
  const Objects *objects = simulation->objects;
  gboolean is_hot = (chance >> 6 & 7) < 3;
  guint32 half = below (chance >> 32, 1u << 16);
  guint32 which = is_hot ? below ((guint64)half * half, objects->n_hot) : below (chance >> 32, objects->n_cold);
  Mutex *mutex = is_hot ? &simulation->hot[which] : &simulation->cold[which];
  guint32 object = is_hot ? objects->hot[which] : objects->cold[which];
  gboolean waits = mutex->free_at > process->now;
  guint64 end = waits ? mutex->free_at + lasting (simulation, chance >> 8, 250) : process->now + 18;
  guint64 word = sequence_and_value (++mutex->sequence, 0);

  trace_stream_sync (process->stream, LC_LOCK, object, word, process->now, end, waits ? LC_EVENT_CONTENDED : 0);
  mutex->free_at = end + lasting (simulation, chance >> 16, 160);
  if ((chance >> 24 & 3) == 0)
    trace_stream_mark (process->stream, LC_TAG, (guint32)mutex->sequence & 255, end + (mutex->free_at - end) / 2);
  process->now = mutex->free_at;
  trace_stream_sync (process->stream, LC_UNLOCK, object, word, process->now, process->now, 0);
}

static void
read_crew (Simulation *simulation, Process *process, Crew *crew, guint32 object, guint64 chance)
{
  gboolean waits = crew->written > process->now;
  guint64 end = waits ? crew->written + 120 : process->now + 20;
  guint64 word = sequence_and_value (crew->version, 0);

  trace_stream_sync (process->stream, LC_READ_START, object, word, process->now, end, waits ? LC_EVENT_CONTENDED : 0);
  crew->readers++;
  process->now = end + lasting (simulation, chance >> 8, 300);
  crew->read = MAX (crew->read, process->now);
  trace_stream_sync (process->stream, LC_READ_END, object, word, process->now, process->now, 0);
}

static void
write_crew (Simulation *simulation, Process *process, Crew *crew, guint32 object, guint64 chance)
{
  guint64 free_at = MAX (crew->written, crew->read), word;
  gboolean waits = free_at > process->now;
  guint64 end = waits ? free_at + 150 : process->now + 25;

  word = sequence_and_value (++crew->version, MIN (crew->readers, LC_VALUE_MAX));
  trace_stream_sync (process->stream, LC_WRITE_START, object, word, process->now, end, waits ? LC_EVENT_CONTENDED : 0);
  crew->readers = 0;
  process->now = crew->written = end + lasting (simulation, chance >> 8, 200);
  word = sequence_and_value (crew->version, 0);
  trace_stream_sync (process->stream, LC_WRITE_END, object, word, process->now, process->now, 0);
}

/* One to three events, and the time to the next. */
static void
work (Simulation *simulation, Process *process)
{
  guint64 chance = draw (simulation);
  guint kind = chance & 63;
  guint32 which = below (chance >> 32, simulation->objects->n_crews);

  if (kind < 40)
    use_mutex (simulation, process, chance);
  else if (kind < 49)
    read_crew (simulation, process, &simulation->crews[which], simulation->objects->crews[which], chance);
  else if (kind < 51)
    write_crew (simulation, process, &simulation->crews[which], simulation->objects->crews[which], chance);
  else
    trace_stream_mark (process->stream, LC_TAG, kind, process->now);
  process->now += lasting (simulation, chance >> 48, 1100) * process->pace >> 8;
}

/* --- Messages and tokens -------------------------------------------------------------------------------------- */

/* The pipe from `process` is the pipe of that number. */
static guint32
pipe_of (guint32 process, guint which)
{
  return process * PIPES + which;
}

static void
take (Simulation *simulation, Process *process, guint32 number)
{
  Pipe *from = &simulation->pipes[number];
  guint64 n = from->taken++, ready = from->ready[n % PIPE_LENGTH];
  gboolean waits = ready > process->now;
  guint64 end = MAX (ready, process->now) + (waits ? 180 : 60);

  if (number % PIPES == TOKENS)
    trace_stream_sync (process->stream, LC_WAIT, simulation->objects->pipes[number], sequence_and_value (n + 1, 0),
                       process->now, end, waits ? LC_EVENT_CONTENDED : 0);
  else
    trace_stream_sync (process->stream, LC_RECV, simulation->objects->pipes[number],
                       n | (guint64)from->bytes[n % PIPE_LENGTH] << 32, process->now, end,
                       waits ? LC_EVENT_CONTENDED : 0);
  process->now = end + 40;
  process->place++;
}

/* Whoever waits for it gets it. */
static void
give (Simulation *simulation, guint32 number, guint64 ready, guint32 bytes, guint32 taker, Place place)
{
  Pipe *to = &simulation->pipes[number];
  Process *process = &simulation->processes[taker];

  to->ready[to->given % PIPE_LENGTH] = ready;
  to->bytes[to->given++ % PIPE_LENGTH] = bytes;
  if (!process->waits || process->place != place)
    return;
  process->waits = FALSE;
  take (simulation, process, number);
  queue_add (simulation->queue, process->now, taker);
}

static void
send_message (Simulation *simulation, Process *process, guint which, guint32 taker, Place place)
{
  guint64 chance = draw (simulation);
  guint32 bytes = (64u << (chance & 7)) + below (chance >> 32, 64), number = pipe_of (process->number, which);
  guint64 end = process->now + 120 + bytes / 16;

  trace_stream_sync (process->stream, LC_SEND, simulation->objects->pipes[number],
                     simulation->pipes[number].given | (guint64)bytes << 32, process->now, end, 0);
  process->now = end + 50;
  give (simulation, number, end + lasting (simulation, chance >> 8, 600), bytes, taker, place);
}

static void
give_all (Simulation *simulation, Process *process)
{
  const guint32 n = simulation->n_processes;
  guint32 right = (process->number + 1) % n, left = (process->number + n - 1) % n;
  guint32 tokens = pipe_of (process->number, TOKENS);

  send_message (simulation, process, TO_RIGHT, right, TAKE_LEFT);
  if (process->round % LEFT_ROUNDS == 0)
    send_message (simulation, process, TO_LEFT, left, TAKE_RIGHT);
  if (process->round % TOKEN_ROUNDS == 0)
    {
      trace_stream_sync (process->stream, LC_POST, simulation->objects->pipes[tokens],
                         sequence_and_value (simulation->pipes[tokens].given + 1, 0), process->now, process->now, 0);
      give (simulation, tokens, process->now, 0, right, TAKE_TOKEN);
      process->now += 80;
    }
}

/* `giver` is the neighbour whose pipe it is; only every so many rounds there is something in it. */
static Outcome
take_from (Simulation *simulation, Process *process, guint32 giver, guint which, guint rounds)
{
  guint32 number = pipe_of (giver % simulation->n_processes, which);

  if (process->round % rounds != 0)
    {
      process->place++;
      return GOES_ON;
    }
  if (simulation->pipes[number].taken < simulation->pipes[number].given)
    {
      take (simulation, process, number);
      return GOES_ON;
    }
  process->waits = TRUE;
  return PARKED;
}

/* --- Barriers ------------------------------------------------------------------------------------------------- */

/* They leave one after another. */
static void
leave (Simulation *simulation, Barrier *barrier, guint32 object, Process *last)
{
  guint64 word = sequence_and_value (barrier->generation, barrier->members);

  for (guint32 i = 0; i < barrier->members; i++)
    {
      Process *process = &simulation->processes[barrier->first + i];
      guint64 end = barrier->last + 90 + 25 * ((i + barrier->generation) % barrier->members);

      trace_stream_sync (process->stream, LC_BARRIER, object, word, process->now, end,
                         process->now < barrier->last ? LC_EVENT_CONTENDED : 0);
      process->now = end + 30;
      process->place++;
      process->pace = 160 + below (draw (simulation), 224);
      if (process != last)
        queue_add (simulation->queue, process->now, process->number);
    }
  barrier->generation++;
  barrier->came = 0;
  barrier->last = 0;
}

static Outcome
meet (Simulation *simulation, Process *process, Barrier *barrier, guint32 object, guint rounds)
{
  if ((process->round + 1) % rounds != 0)
    {
      process->place++;
      return GOES_ON;
    }
  barrier->last = MAX (barrier->last, process->now);
  if (++barrier->came < barrier->members)
    return PARKED;
  leave (simulation, barrier, object, process);
  return GOES_ON;
}

/* --- Processes ------------------------------------------------------------------------------------------------ */

/* The events of a round besides its work. */
static guint64
besides (guint64 round)
{
  return 4 + (round % LEFT_ROUNDS == 0 ? 2 : 0) + (round % TOKEN_ROUNDS == 0 ? 2 : 0) +
         ((round + 1) % GROUP_ROUNDS == 0) + ((round + 1) % ALL_ROUNDS == 0);
}

static void
begin_round (Simulation *simulation, Process *process)
{
  guint64 before = process->number == 0 ? simulation->n_processes - 1 : 1;

  trace_stream_mark (process->stream, LC_ENTER, simulation->objects->region, process->now);
  process->target = before + process->share / simulation->rounds * (process->round + 1) + 1 - besides (process->round);
  if (process->round + 1 == simulation->rounds)
    process->target += process->share % simulation->rounds;
  process->now += 30;
  process->place = WORK;
}

static void
do_work (Simulation *simulation, Process *process)
{
  guint64 left = process->target > process->stream->events ? process->target - process->stream->events : 0;

  if (left >= 3)
    {
      work (simulation, process);
      return;
    }
  for (; left > 0; left--)
    {
      trace_stream_mark (process->stream, LC_TAG, 0, process->now);
      process->now += 100;
    }
  process->place = GIVE;
}

static void
end_round (Simulation *simulation, Process *process)
{
  trace_stream_mark (process->stream, LC_LEAVE, simulation->objects->region, process->now);
  process->now += 200;
  if (++process->round < simulation->rounds)
    begin_round (simulation, process);
  else
    process->place = process->number == 0 ? JOIN : EXIT;
}

static void
create (Simulation *simulation, Process *process)
{
  Process *child;

  if (process->next == simulation->n_processes)
    {
      process->next = 1;
      begin_round (simulation, process);
      return;
    }
  child = &simulation->processes[process->next++];
  trace_stream_sync (process->stream, LC_CREATE, child->number, 0, process->now, process->now, 0);
  child->now = process->now + 9000 + lasting (simulation, draw (simulation), 3000);
  queue_add (simulation->queue, child->now, child->number);
  process->now += 8000;
}

static void
start (Simulation *simulation, Process *process)
{
  trace_stream_sync (process->stream, LC_START, process->number, 0, process->now, process->now, 0);
  process->now += 500;
  begin_round (simulation, process);
}

static void
end_process (Process *process)
{
  process->place = ENDED;
  trace_stream_flush (process->stream, TRUE);
}

static Outcome
join (Simulation *simulation, Process *process)
{
  Process *child;
  guint64 end;

  if (process->next == simulation->n_processes)
    {
      end_process (process);
      return PARKED;
    }
  child = &simulation->processes[process->next];
  process->waits = child->place != ENDED;
  if (process->waits)
    return PARKED;
  end = MAX (process->now, child->now + 2000) + 300;
  trace_stream_sync (process->stream, LC_JOIN, child->number, 0, process->now, end,
                     child->now > process->now ? LC_EVENT_CONTENDED : 0);
  process->now = end + 100;
  process->next++;
  return GOES_ON;
}

static Outcome
leave_program (Simulation *simulation, Process *process)
{
  Process *first = &simulation->processes[0];

  trace_stream_sync (process->stream, LC_EXIT, process->number, 0, process->now, process->now, 0);
  end_process (process);
  if (first->place == JOIN && first->waits && first->next == process->number)
    {
      first->waits = FALSE;
      queue_add (simulation->queue, process->now, 0);
    }
  return PARKED;
}

static Outcome
step (Simulation *simulation, Process *process)
{
  const guint32 before = process->number + simulation->n_processes - 1, after = process->number + 1;

  switch (process->place)
    {
    case CREATE:
      create (simulation, process);
      break;
    case START:
      start (simulation, process);
      break;
    case WORK:
      do_work (simulation, process);
      break;
    case GIVE:
      give_all (simulation, process);
      process->place = TAKE_LEFT;
      break;
    case TAKE_LEFT:
      return take_from (simulation, process, before, TO_RIGHT, 1);
    case TAKE_RIGHT:
      return take_from (simulation, process, after, TO_LEFT, LEFT_ROUNDS);
    case TAKE_TOKEN:
      return take_from (simulation, process, before, TOKENS, TOKEN_ROUNDS);
    case MEET_GROUP:
      return meet (simulation, process, &simulation->groups[process->number / GROUP],
                   simulation->objects->groups[process->number / GROUP], GROUP_ROUNDS);
    case MEET_ALL:
      return meet (simulation, process, &simulation->all, simulation->objects->all, ALL_ROUNDS);
    case NEXT_ROUND:
      end_round (simulation, process);
      break;
    case EXIT:
      return leave_program (simulation, process);
    case JOIN:
      return join (simulation, process);
    case ENDED:
    default:
      return PARKED;
    }
  return GOES_ON;
}

static void
go (Simulation *simulation)
{
  guint32 number;

  while (queue_take (simulation->queue, &number))
    {
      Process *process = &simulation->processes[number];
      Outcome outcome;

      /* The next event of whoever is first in any case. */
      do
        outcome = step (simulation, process);
      while (outcome == GOES_ON && process->now <= queue_first (simulation->queue));
      if (outcome == GOES_ON)
        queue_add (simulation->queue, process->now, number);
    }
}

/* --- All of it ------------------------------------------------------------------------------------------------ */

void
objects_init (Objects *objects, guint32 n_processes)
{
  *objects = (Objects){.n_hot = MAX (3, n_processes / 8),
                       .n_cold = n_processes * 4,
                       .n_crews = MAX (2, n_processes / 8),
                       .n_groups = (n_processes + GROUP - 1) / GROUP};
  objects->hot = g_new (guint32, objects->n_hot);
  objects->cold = g_new (guint32, objects->n_cold);
  objects->crews = g_new (guint32, objects->n_crews);
  objects->groups = g_new (guint32, objects->n_groups);
  objects->pipes = g_new (guint32, (gsize)n_processes * PIPES);
}

void
objects_clear (Objects *objects)
{
  g_free (objects->hot);
  g_free (objects->cold);
  g_free (objects->crews);
  g_free (objects->groups);
  g_free (objects->pipes);
}

static guint64
events_outside (guint32 n_processes)
{
  return 4 * ((guint64)n_processes - 1);
}

guint64
simulation_least (guint32 n_processes)
{
  return events_outside (n_processes) + (guint64)n_processes * 16;
}

static void
init_processes (Simulation *simulation, TraceStream *streams, guint64 n_events)
{
  const guint32 n = simulation->n_processes;
  guint64 inside = n_events - events_outside (n);

  for (guint32 i = 0; i < n; i++)
    {
      Process *process = &simulation->processes[i];

      process->stream = &streams[i];
      process->number = i;
      process->share = inside / n + (i < inside % n);
      process->pace = 160 + below (draw (simulation), 224);
      process->place = i == 0 ? CREATE : START;
      process->next = 1;
    }
  simulation->rounds = MAX (1, inside / n / ROUND);
  simulation->processes[0].now = 1000;
  queue_add (simulation->queue, 1000, 0);
}

void
simulation_run (const Objects *objects, TraceStream *streams, guint32 n_processes, guint64 n_events, guint64 seed)
{
  Simulation simulation = {
      .objects = objects,
      .n_processes = n_processes,
      .random = seed * G_GUINT64_CONSTANT (0xD1342543DE82EF95),
      .queue = queue_new (n_processes),
      .processes = g_new0 (Process, n_processes),
      .hot = g_new0 (Mutex, objects->n_hot),
      .cold = g_new0 (Mutex, objects->n_cold),
      .crews = g_new0 (Crew, objects->n_crews),
      .groups = g_new0 (Barrier, objects->n_groups),
      .pipes = g_new0 (Pipe, (gsize)n_processes * PIPES),
      .all = {.members = n_processes},
  };

  init_spread (&simulation);
  for (guint32 i = 0; i < objects->n_groups; i++)
    {
      simulation.groups[i].first = i * GROUP;
      simulation.groups[i].members = MIN (GROUP, n_processes - i * GROUP);
    }
  init_processes (&simulation, streams, n_events);
  go (&simulation);
  queue_free (simulation.queue);
  g_free (simulation.processes);
  g_free (simulation.hot);
  g_free (simulation.cold);
  g_free (simulation.crews);
  g_free (simulation.groups);
  g_free (simulation.pipes);
}
