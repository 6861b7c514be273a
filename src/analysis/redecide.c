/* SPDX-License-Identifier: Apache-2.0 */
/* Directs a sweep in the order of approximated time, and decides again what can be decided. */
#include "redecide-private.h"

#include <glib/gi18n-lib.h>

#include "approximation-warning.h"
#include "trace/quantities.h"

enum
{
  ATTEMPTS = 3, /* stalled sweeps after which nothing is decided any more */
};

/* What has become of a process's wish for a lock that can be barged into. */
typedef enum
{
  WISH_NEW,
  WISH_ASLEEP, /* until the lock is given back */
  WISH_WAKING, /* it looks at the lock again at `granted` */
} Wish;

/* A process of the sweep. */
typedef struct
{
  LcSweepNext given; /* its present event, as measured */
  guint64 key;
  guint32 object;   /* it waits for work from this object; LC_TRACE_NONE: for none */
  gboolean present; /* it has a present event */
  Wish wish;
  guint64 granted;
  GArray *numbers; /* Number: turns of the locks that it holds */
} Process;

typedef struct
{
  guint32 object;
  gint64 number;
  gboolean aside; /* out of turn: an attempt whose outcome would have been another one */
} Number;

/* A turn on an object and the process that has it, as measured or as decided, until the other is seen too. */
typedef struct
{
  guint32 object;
  guint32 process;
  gint64 number;
  gboolean measured;
} Turn;

typedef struct
{
  guint64 decisions;
  guint64 changed;
} Count;

/* The state of an object in one sweep. */
typedef struct
{
  gint64 next;
  gboolean moved;       /* the event of the previous turn had another turn when measured */
  gint64 free;          /* tokens that nobody has; a lock is one */
  gint64 woken;         /* processes of those that have waited that are on the way */
  guint32 giver;        /* who gave the last one back */
  GQueue waiting;       /* processes that wait, as pointers */
  gint64 drawn;         /* number of the next token to take; `next` is that of the next to add */
  guint64 readers;      /* of a crew: those that read now, or have been let in */
  guint64 reads;        /* of the present version, from its write on */
  gboolean reads_moved; /* one of these read another version when measured */
  gboolean writing;
  GQueue reading; /* processes that wait until they may read, as pointers */
  Count turns;    /* of a lock, or messages of a channel */
  guint64 failed; /* attempts that failed, and would not have */
  guint64 had;    /* attempts that did not fail, and would have */
  Count pieces;
} Decided;

struct _LcRedecide
{
  LcSweepDirector director;
  LcHistory *history;
  LcBlindPolicy blind;
  LcSurvey *survey;
  GCancellable *cancellable;
  guint32 n_processes;
  guint n_attempts;

  /* State of one sweep. */
  LcRedecideClock clock;
  LcHistoryWalk *walk;
  LcStreams *streams;
  LcMailboxes *mailboxes;
  Process *processes;
  Decided *decided; /* by object */
  GHashTable *turns;
  GArray *woken;  /* guint32: processes to wake */
  gboolean stuck; /* the sweep is failing: all processes are held */
  GError *error;
};

/* --- Turns ------------------------------------------------------------------------------------------------------- */

static guint
hash_turn (gconstpointer data)
{
  const Turn *turn = data;

  return turn->object * 16777619u + (guint)turn->number * 2654435761u;
}

static gboolean
same_turn (gconstpointer a, gconstpointer b)
{
  const Turn *one = a, *other = b;

  return one->object == other->object && one->number == other->number;
}

static void
note_turn (LcRedecide *redecide, guint32 object, gint64 number, guint32 process, gboolean measured)
{
  const Turn turn = {object, process, number, measured};
  const Turn *other = g_hash_table_lookup (redecide->turns, &turn);

  if (other == NULL)
    g_hash_table_add (redecide->turns, g_memdup2 (&turn, sizeof turn));
  else
    {
      redecide->decided[object].turns.changed += other->process != process;
      g_hash_table_remove (redecide->turns, &turn);
    }
}

/* --- The next event ---------------------------------------------------------------------------------------------- */

static void
redecide_wake (LcRedecide *redecide, guint32 process)
{
  g_array_append_val (redecide->woken, process);
}

static void
redecide_fail (LcRedecide *redecide, guint32 object)
{
  if (object != LC_TRACE_NONE)
    redecide->survey->objects[object].flags |= LC_OBJECT_KEPT;
  redecide->stuck = TRUE;
}

/* Takes the next piece of work for a process, as soon as it is known. */
static LcSweepVerdict
take_work (LcRedecide *redecide, guint32 number)
{
  Process *process = &redecide->processes[number];
  LcSurveyed *object = &redecide->survey->objects[process->object];
  gboolean movable;
  guint32 origin = lc_pieces_take (object->pieces, number, &movable);

  if (origin == LC_TRACE_NONE)
    return LC_SWEEP_HELD;
  if (!lc_streams_take (redecide->streams, number, origin, process->object))
    {
      redecide_fail (redecide, process->object);
      return LC_SWEEP_HELD;
    }
  redecide->decided[process->object].pieces.decisions += movable;
  redecide->decided[process->object].pieces.changed += origin != number;
  if (lc_pieces_has_news (object->pieces))
    for (guint32 i = 0; i < redecide->n_processes; i++)
      if (i != number && redecide->processes[i].object == process->object)
        redecide_wake (redecide, i);
  process->object = LC_TRACE_NONE;
  return LC_SWEEP_GO;
}

static guint64
get_waited (LcRedecide *redecide, const LcSweepNext *given)
{
  const gboolean waits =
      redecide->survey->roles[given->event.operation].waits || given->event.flags & LC_EVENT_CONTENDED;
  LcHistoryEvent event;

  if (!waits || redecide->error != NULL)
    return 0;
  if (!lc_history_walk_get (redecide->walk, given->origin_process, given->origin_ordinal, &event, NULL,
                            &redecide->error))
    {
      redecide_fail (redecide, LC_TRACE_NONE);
      return 0;
    }
  return event.waited;
}

static LcSweepVerdict
redecide_next (LcSweepDirector *director, guint32 number, LcSweepNext *given)
{
  LcRedecide *redecide = (LcRedecide *)director;
  Process *process = &redecide->processes[number];

  process->present = FALSE;
  for (;;)
    {
      if (redecide->stuck || (process->object != LC_TRACE_NONE && take_work (redecide, number) == LC_SWEEP_HELD))
        return LC_SWEEP_HELD;
      if (lc_streams_next (redecide->streams, number, given, &process->object))
        break;
      if (process->object == LC_TRACE_NONE)
        return LC_SWEEP_OVER;
    }
  given->waited = get_waited (redecide, given);
  process->given = *given;
  process->present = TRUE;
  process->wish = WISH_NEW;
  return LC_SWEEP_GO;
}

static guint64
redecide_when (LcSweepDirector *director, guint32 number)
{
  LcRedecide *redecide = (LcRedecide *)director;

  redecide->processes[number].key = redecide->clock.get_begin (redecide->clock.data, number);
  return redecide->processes[number].key;
}

/* --- Decisions --------------------------------------------------------------------------------------------------- */

/* After the largest number comes the least, as a trace may begin at any number. */
static gint64
redecide_take_number (Decided *decided)
{
  const gint64 number = decided->next;

  decided->next = (gint64)((guint64)number + 1);
  return number;
}

/* The first process to come gets the next turn. */
static void
decide_turn (LcRedecide *redecide, guint32 process, LcSweepNext *given)
{
  Decided *decided = &redecide->decided[given->event.object];
  const Number number = {given->event.object, redecide_take_number (decided), FALSE};
  gboolean moved;

  decided->turns.decisions++;
  if (number.number != given->event.sequence || process != given->origin_process)
    {
      note_turn (redecide, given->event.object, number.number, process, FALSE);
      note_turn (redecide, given->event.object, given->event.sequence, given->origin_process, TRUE);
    }
  moved = number.number != given->event.sequence;
  given->decided = moved || decided->moved;
  decided->moved = moved;
  given->event.sequence = number.number;
  g_array_append_val (redecide->processes[process].numbers, number);
}

/* The first to come gets the next token. It may have been another's when measured, or was added by another. */
static void
decide_token (LcRedecide *redecide, guint32 process, LcSweepNext *given)
{
  Decided *decided = &redecide->decided[given->event.object];
  const gint64 number = decided->drawn;

  decided->drawn = (gint64)((guint64)number + 1);
  decided->turns.decisions++;
  if (number != given->event.sequence || process != given->origin_process)
    {
      note_turn (redecide, given->event.object, number, process, FALSE);
      note_turn (redecide, given->event.object, given->event.sequence, given->origin_process, TRUE);
    }
  given->decided = number != given->event.sequence || decided->moved;
  given->event.sequence = number;
}

static void
add_token (Decided *decided, LcSweepNext *given)
{
  const gint64 number = redecide_take_number (decided);

  decided->moved |= number != given->event.sequence;
  given->event.sequence = number;
}

/* Whoever writes comes after all that have read the version before. */
static void
decide_write (LcRedecide *redecide, guint32 process, LcSweepNext *given)
{
  Decided *decided = &redecide->decided[given->event.object];
  const gboolean other_readers = decided->reads_moved || (given->event.flags & LC_TRACE_EVENT_VALUE &&
                                                          (guint64)given->event.value != decided->reads);

  decide_turn (redecide, process, given);
  given->decided |= other_readers;
  given->event.value = (gint64)decided->reads;
  given->event.flags |= LC_TRACE_EVENT_VALUE;
  given->counted = TRUE;
  decided->reads = 0;
  decided->reads_moved = FALSE;
  decided->writing = TRUE;
}

/* A process that reads gets the present version, and shares it with others. */
static void
decide_read (LcRedecide *redecide, guint32 process, LcSweepNext *given)
{
  Decided *decided = &redecide->decided[given->event.object];
  const Number number = {given->event.object, (gint64)((guint64)decided->next - 1), FALSE};
  const gboolean moved = number.number != given->event.sequence;

  decided->turns.decisions++;
  decided->reads++;
  decided->reads_moved |= moved;
  given->decided = moved || decided->moved;
  decided->turns.changed += given->decided;
  given->event.sequence = number.number;
  g_array_append_val (redecide->processes[process].numbers, number);
}

static void
decide_one (LcRedecide *redecide, guint32 number, LcSweepNext *given)
{
  const LcRole *role = &redecide->survey->roles[given->event.operation];

  redecide->decided[given->event.object].free--;
  if (role->draws)
    decide_token (redecide, number, given);
  else if (role->writes)
    decide_write (redecide, number, given);
  else
    decide_turn (redecide, number, given);
}

/*
 * What is free is had by whoever is there first. Who waits for it has to wake up first, and another may have
 * taken it by then: so it is decided again when it is awake.
 */
static LcSweepVerdict
decide_barged (LcRedecide *redecide, guint32 number, LcSweepNext *given, guint64 *later)
{
  Process *process = &redecide->processes[number];
  Decided *decided = &redecide->decided[given->event.object];

  if (process->wish == WISH_ASLEEP)
    {
      process->wish = WISH_WAKING;
      process->granted = redecide->clock.get_grant (redecide->clock.data, number, given, decided->giver);
      process->key = *later = MAX (process->key, process->granted);
      return LC_SWEEP_LATER;
    }
  decided->woken -= process->wish == WISH_WAKING;
  if (decided->free > 0)
    {
      given->granted = process->wish == WISH_WAKING ? process->granted : 0;
      decide_one (redecide, number, given);
      return LC_SWEEP_GO;
    }
  if (process->wish == WISH_WAKING)
    g_queue_push_head (&decided->waiting, GUINT_TO_POINTER (number));
  else
    g_queue_push_tail (&decided->waiting, GUINT_TO_POINTER (number));
  process->wish = WISH_ASLEEP;
  return LC_SWEEP_HELD;
}

/* Whether a free object is had by whoever is there first. */
static gboolean
redecide_is_barged (const LcRedecide *redecide, const LcTraceEvent *event)
{
  return !(redecide->survey->objects[event->object].flags & LC_OBJECT_FAIR) &&
         redecide->clock.is_barged (redecide->clock.data, event->operation);
}

/* The first of several readers takes the crew for all of them. */
static void
admit_reader (Decided *decided)
{
  if (decided->readers++ == 0)
    decided->free--;
}

/*
 * Who comes to read waits only for one that writes, not for others that wait to write: a read-write lock prefers
 * readers. The one that writes lets in all that wait to read, so that nobody is there before them.
 */
static LcSweepVerdict
redecide_read (LcRedecide *redecide, guint32 number, LcSweepNext *given)
{
  Process *process = &redecide->processes[number];
  Decided *decided = &redecide->decided[given->event.object];

  if (process->wish == WISH_ASLEEP)
    given->granted = redecide->clock.get_grant (redecide->clock.data, number, given, decided->giver);
  else if (decided->writing && redecide_is_barged (redecide, &given->event))
    {
      g_queue_push_tail (&decided->reading, GUINT_TO_POINTER (number));
      process->wish = WISH_ASLEEP;
      return LC_SWEEP_HELD;
    }
  else
    admit_reader (decided);
  decide_read (redecide, number, given);
  return LC_SWEEP_GO;
}

static LcSweepVerdict
redecide_take (LcRedecide *redecide, guint32 number, LcSweepNext *given, guint64 *later)
{
  if (redecide_is_barged (redecide, &given->event))
    return decide_barged (redecide, number, given, later);
  decide_one (redecide, number, given);
  return LC_SWEEP_GO;
}

/* Wakes the process that has waited longest, unless there is one on the way for each that is free. */
static void
wake_next (LcRedecide *redecide, Decided *decided, guint32 giver)
{
  decided->free++;
  decided->giver = giver;
  if (decided->woken >= decided->free || g_queue_is_empty (&decided->waiting))
    return;
  decided->woken++;
  redecide_wake (redecide, GPOINTER_TO_UINT (g_queue_pop_head (&decided->waiting)));
}

static void
end_write (LcRedecide *redecide, guint32 process, Decided *decided)
{
  const guint n_readers = g_queue_get_length (&decided->reading);

  for (guint i = 0; i < n_readers; i++)
    {
      admit_reader (decided);
      redecide_wake (redecide, GPOINTER_TO_UINT (g_queue_pop_head (&decided->reading)));
    }
  decided->writing = FALSE;
  wake_next (redecide, decided, process);
}

static void
end_read (LcRedecide *redecide, guint32 process, Decided *decided)
{
  if (--decided->readers == 0)
    wake_next (redecide, decided, process);
}

/* The event has no turn: it comes after no other, and no other after it. */
static void
set_aside (LcSweepNext *given)
{
  given->event.flags = (guint16)((given->event.flags & ~LC_TRACE_EVENT_SEQUENCE) | LC_EVENT_UNKNOWN);
  given->decided = TRUE;
}

/* Takes the turn that the process has for this object off its list. */
static Number
drop_number (LcRedecide *redecide, guint32 process, const LcTraceEvent *event)
{
  GArray *numbers = redecide->processes[process].numbers;
  Number number = {event->object, event->sequence, FALSE};

  for (guint i = numbers->len; i > 0; i--)
    if (g_array_index (numbers, Number, i - 1).object == event->object)
      {
        number = g_array_index (numbers, Number, i - 1);
        g_array_remove_index (numbers, i - 1);
        break;
      }
  return number;
}

/* Gives back the turn that the process has. */
static void
end_turn (LcRedecide *redecide, guint32 process, LcSweepNext *given)
{
  const LcRole *role = &redecide->survey->roles[given->event.operation];
  Decided *decided = &redecide->decided[given->event.object];
  const Number number = drop_number (redecide, process, &given->event);

  given->event.sequence = number.number;
  if (number.aside)
    set_aside (given);
  else if (role->ends_write)
    end_write (redecide, process, decided);
  else if (role->ends_read)
    end_read (redecide, process, decided);
  else
    wake_next (redecide, decided, process);
}

/* --- Attempts ---------------------------------------------------------------------------------------------------- */

/* Whether who comes now, with this operation or in vain, would not have to wait. */
static gboolean
redecide_is_free (const Decided *decided, guint16 operation)
{
  return operation == LC_READ_START || operation == LC_READ_FAILED ? !decided->writing : decided->free > 0;
}

/*
 * An attempt keeps its outcome, as nobody knows what the program would have done after another one. If it would fail
 * now, it has no turn: it waits for nobody, and nobody for it. TRUE: it is such an attempt, and nothing is left to
 * decide.
 */
static gboolean
redecide_try (LcRedecide *redecide, guint32 process, LcSweepNext *given)
{
  LcTraceEvent *event = &given->event;
  const LcRole *role = &redecide->survey->roles[event->operation];
  Decided *decided = &redecide->decided[event->object];
  const gboolean is_free = redecide_is_free (decided, event->operation);
  const Number number = {event->object, event->sequence, TRUE};

  if (role->fails)
    decided->failed +=
        is_free && (event->flags & 0xff) == 0; /* others ended for another reason, as time that was over */
  else if (lc_trace_is_tried (event->operation, event->flags) && !is_free)
    {
      decided->had++;
      if (!role->draws)
        g_array_append_val (redecide->processes[process].numbers, number);
      set_aside (given);
    }
  else
    return FALSE;
  return TRUE;
}

/* --- Work and messages ------------------------------------------------------------------------------------------- */

static void
redecide_count (Decided *decided, LcSweepNext *given)
{
  gint64 number = redecide_take_number (decided);

  given->decided = number != given->event.sequence;
  given->event.sequence = number;
}

static void
redecide_post (LcRedecide *redecide, guint32 process, const LcTraceEvent *event)
{
  guint32 receiver = redecide->survey->objects[event->object].receiver, woken;
  LcPostedMessage message = {0, event->bytes, event->sequence, event->object, process};

  message.arrival = redecide->clock.get_arrival (redecide->clock.data, process, receiver, event->bytes,
                                                 redecide->clock.get_begin (redecide->clock.data, process));
  woken = lc_mailboxes_post (redecide->mailboxes, &message);
  if (woken != LC_TRACE_NONE)
    redecide_wake (redecide, woken);
}

static LcSweepVerdict
redecide_receive (LcRedecide *redecide, guint32 number, LcSweepNext *given, guint64 *later)
{
  Process *process = &redecide->processes[number];
  guint64 begin = redecide->clock.get_begin (redecide->clock.data, number);
  Decided *decided = &redecide->decided[given->event.object];
  LcTraceEvent *event = &given->event;
  LcPostedMessage message;
  LcSweepVerdict verdict =
      lc_mailboxes_take (redecide->mailboxes, redecide->blind, event->object, begin, process->key, &message, later);

  if (verdict == LC_SWEEP_LATER)
    process->key = *later;
  if (verdict != LC_SWEEP_GO)
    return verdict;
  given->decided = message.object != event->object || message.sequence != event->sequence;
  decided->turns.decisions++;
  decided->turns.changed += given->decided;
  event->object = message.object;
  event->sequence = message.sequence;
  event->peer = message.sender;
  if (event->flags & LC_TRACE_EVENT_BYTES)
    event->bytes = message.bytes;
  return LC_SWEEP_GO;
}

static LcSweepVerdict
redecide_decide (LcSweepDirector *director, guint32 number, LcSweepNext *given, guint64 *later)
{
  LcRedecide *redecide = (LcRedecide *)director;
  const LcSurvey *survey = redecide->survey;
  const LcRole *role = &survey->roles[given->event.operation];
  guint32 object = given->event.object;

  if (redecide->stuck)
    return LC_SWEEP_HELD;
  if (object == LC_TRACE_NONE ||
      ((lc_survey_is_open (survey, object, LC_OBJECT_LOCK) || lc_survey_is_open (survey, object, LC_OBJECT_POOL)) &&
       redecide_try (redecide, number, given)))
    return LC_SWEEP_GO;
  if (role->reads && lc_survey_is_open (survey, object, LC_OBJECT_CREW))
    return redecide_read (redecide, number, given);
  if ((role->takes && lc_survey_is_open (survey, object, LC_OBJECT_LOCK)) ||
      (role->writes && lc_survey_is_open (survey, object, LC_OBJECT_CREW)) ||
      (role->draws && lc_survey_is_open (survey, object, LC_OBJECT_POOL)))
    return redecide_take (redecide, number, given, later);
  if (role->adds && lc_survey_is_open (survey, object, LC_OBJECT_POOL))
    {
      add_token (&redecide->decided[object], given);
      wake_next (redecide, &redecide->decided[object], number);
    }
  else if ((role->gives && lc_survey_is_open (survey, object, LC_OBJECT_LOCK)) ||
           ((role->ends_read || role->ends_write) && lc_survey_is_open (survey, object, LC_OBJECT_CREW)))
    end_turn (redecide, number, given);
  else if (role->counts && role->hands_out && lc_survey_is_open (survey, object, LC_OBJECT_WORK))
    redecide_count (&redecide->decided[object], given);
  else if (role->receives && given->event.flags & LC_TRACE_EVENT_BLIND &&
           lc_survey_is_open (survey, object, LC_OBJECT_BLIND))
    return redecide_receive (redecide, number, given, later);
  else if (role->sends && lc_survey_is_open (survey, object, LC_OBJECT_BLIND))
    redecide_post (redecide, number, &given->event);
  return LC_SWEEP_GO;
}

static guint32
redecide_woken (LcSweepDirector *director)
{
  LcRedecide *redecide = (LcRedecide *)director;
  guint32 process;

  if (redecide->woken->len == 0)
    return LC_TRACE_NONE;
  process = g_array_index (redecide->woken, guint32, 0);
  g_array_remove_index (redecide->woken, 0);
  return process;
}

/* --- Stalls ------------------------------------------------------------------------------------------------------ */

/* The object that a waiting process is about stays as measured in the next sweep. TRUE: there was one to keep. */
static gboolean
keep_what_it_waits_for (LcRedecide *redecide, guint32 number)
{
  const Process *process = &redecide->processes[number];
  LcSurvey *survey = redecide->survey;
  guint32 object = process->present ? process->given.event.object : process->object;
  gboolean found = FALSE;

  if (object != LC_TRACE_NONE && survey->objects[object].flags & LC_OBJECT_DECIDED &&
      !(survey->objects[object].flags & LC_OBJECT_KEPT))
    {
      survey->objects[object].flags |= LC_OBJECT_KEPT;
      found = TRUE;
    }
  return found;
}

/* Keeps all such objects as measured. Channels that share a mailbox must stay together, and so must all work once a
 * piece has gone to a wrong process. */
static void
keep_all (LcSurvey *survey, guint32 what)
{
  for (guint32 i = 0; i < survey->n_objects; i++)
    if (survey->objects[i].flags & what)
      survey->objects[i].flags |= LC_OBJECT_KEPT;
}

static void
keep_some (LcRedecide *redecide, const gboolean *is_stuck)
{
  gboolean found = FALSE, moved = FALSE;

  for (guint32 i = 0; i < redecide->n_processes; i++)
    {
      const Process *process = &redecide->processes[i];

      if (!is_stuck[i])
        continue;
      found |= keep_what_it_waits_for (redecide, i);
      moved |= process->present && process->given.origin_process != i;
    }
  if (moved || !found)
    keep_all (redecide->survey, LC_OBJECT_WORK);
  if (redecide->n_attempts >= ATTEMPTS || (!moved && !found))
    keep_all (redecide->survey, LC_OBJECT_DECIDED);
}

static guint32
redecide_stalled (LcSweepDirector *director, const gboolean *is_stuck, guint32 first)
{
  LcRedecide *redecide = (LcRedecide *)director;

  if (!redecide->stuck && !lc_redecide_is_needed (redecide))
    return first;
  for (guint32 i = 0; i < redecide->n_processes && !redecide->stuck; i++)
    {
      const Process *process = &redecide->processes[i];

      if (is_stuck[i] && process->present &&
          lc_survey_is_trouble (redecide->survey, process->given.origin_process, process->given.origin_ordinal))
        return i;
    }
  if (!redecide->stuck)
    keep_some (redecide, is_stuck);
  else if (redecide->n_attempts >= ATTEMPTS)
    keep_all (redecide->survey, LC_OBJECT_DECIDED);
  return LC_TRACE_NONE;
}

/* --- Life cycle -------------------------------------------------------------------------------------------------- */

LcRedecide *
lc_redecide_new (LcTrace *trace, const LcRules *rules, LcHistory *history, LcModel model, LcBlindPolicy blind,
                 GCancellable *cancellable, GError **error)
{
  LcSurvey *survey = lc_survey_new (trace, rules, model, blind, cancellable, error);
  LcRedecide *redecide;

  if (survey == NULL)
    return NULL;
  redecide = g_new0 (LcRedecide, 1);
  redecide->director =
      (LcSweepDirector){redecide_next, redecide_when, redecide_decide, redecide_woken, redecide_stalled};
  redecide->history = history;
  redecide->blind = blind;
  redecide->survey = survey;
  redecide->cancellable = cancellable;
  redecide->n_processes = lc_trace_get_n_processes (trace);
  redecide->decided = g_new0 (Decided, MAX (survey->n_objects, 1));
  redecide->woken = g_array_new (FALSE, FALSE, sizeof (guint32));
  redecide->turns = g_hash_table_new_full (hash_turn, same_turn, g_free, NULL);
  redecide->processes = g_new0 (Process, MAX (redecide->n_processes, 1));
  for (guint32 i = 0; i < redecide->n_processes; i++)
    redecide->processes[i].numbers = g_array_new (FALSE, FALSE, sizeof (Number));
  return redecide;
}

static void
end_sweep (LcRedecide *redecide)
{
  g_clear_pointer (&redecide->walk, lc_history_walk_free);
  g_clear_pointer (&redecide->streams, lc_streams_free);
  g_clear_pointer (&redecide->mailboxes, lc_mailboxes_free);
  g_hash_table_remove_all (redecide->turns);
  g_array_set_size (redecide->woken, 0);
  for (guint32 i = 0; i < redecide->survey->n_objects; i++)
    {
      g_queue_clear (&redecide->decided[i].waiting);
      g_queue_clear (&redecide->decided[i].reading);
    }
  g_clear_error (&redecide->error);
}

void
lc_redecide_free (LcRedecide *redecide)
{
  if (redecide == NULL)
    return;
  end_sweep (redecide);
  for (guint32 i = 0; i < redecide->n_processes; i++)
    g_array_unref (redecide->processes[i].numbers);
  g_free (redecide->processes);
  g_hash_table_unref (redecide->turns);
  g_array_unref (redecide->woken);
  g_free (redecide->decided);
  lc_survey_free (redecide->survey);
  g_free (redecide);
}

gboolean
lc_redecide_is_needed (const LcRedecide *redecide)
{
  const LcSurvey *survey = redecide->survey;

  for (guint32 i = 0; i < survey->n_objects; i++)
    if (survey->objects[i].flags & LC_OBJECT_DECIDED && !(survey->objects[i].flags & LC_OBJECT_KEPT))
      return TRUE;
  return FALSE;
}

gboolean
lc_redecide_depends_on_time (const LcRedecide *redecide)
{
  const LcSurvey *survey = redecide->survey;

  for (guint32 i = 0; i < survey->n_objects; i++)
    if (!(survey->objects[i].flags & LC_OBJECT_KEPT) &&
        (survey->objects[i].flags & LC_OBJECT_WORK || (survey->objects[i].flags & (LC_OBJECT_LOCK | LC_OBJECT_POOL) &&
                                                       survey->objects[i].flags & LC_OBJECT_BY_MANY)))
      return TRUE;
  return FALSE;
}

LcSweepDirector *
lc_redecide_start (LcRedecide *redecide, const LcRedecideClock *clock, GError **error)
{
  end_sweep (redecide);
  redecide->walk =
      lc_history_walk_new (redecide->history, LC_TIMELINE_MEASURED, LC_WALK_TIMES, redecide->cancellable, error);
  if (redecide->walk == NULL)
    return NULL;
  redecide->n_attempts++;
  redecide->stuck = FALSE;
  redecide->clock = *clock;
  redecide->streams = lc_streams_new (redecide->survey);
  redecide->mailboxes = lc_mailboxes_new (redecide->survey);
  for (guint32 i = 0; i < redecide->n_processes; i++)
    {
      redecide->processes[i].object = LC_TRACE_NONE;
      redecide->processes[i].present = FALSE;
      g_array_set_size (redecide->processes[i].numbers, 0);
    }
  for (guint32 i = 0; i < redecide->survey->n_objects; i++)
    {
      const LcSurveyed *object = &redecide->survey->objects[i];

      redecide->decided[i] = (Decided){.next = object->numbers.first, .drawn = object->draws.first, .free = 1};
      if (object->flags & LC_OBJECT_CREW && object->numbers.count == 0)
        redecide->decided[i].next = (gint64)((guint64)object->draws.first + 1);
      if (object->flags & LC_OBJECT_POOL)
        redecide->decided[i].free =
            object->numbers.count > 0 ? object->numbers.first - object->draws.first : (gint64)object->draws.count;
      if (object->pieces != NULL)
        lc_pieces_rewind (object->pieces, redecide->n_processes);
    }
  return &redecide->director;
}

gboolean
lc_redecide_finish (LcRedecide *redecide, GError **error)
{
  gboolean good = redecide->error == NULL;

  if (!good)
    g_propagate_error (error, g_steal_pointer (&redecide->error));
  end_sweep (redecide);
  return good;
}

static void
redecide_report (LcApproximation *approximation, guint32 object, gboolean work, gboolean kept, const Count *count)
{
  const LcDecided decided = {object, work, kept, count->decisions, count->changed};

  g_array_append_val (approximation->decided, decided);
}

static void
warn_of_attempts (const LcRedecide *redecide, LcApproximation *approximation)
{
  guint64 n_failed = 0, n_had = 0;
  g_autofree char *all = NULL, *failed = NULL, *had = NULL;

  for (guint32 i = 0; i < redecide->survey->n_objects; i++)
    {
      n_failed += redecide->decided[i].failed;
      n_had += redecide->decided[i].had;
    }
  if (n_failed + n_had == 0)
    return;
  all = lc_format_count (n_failed + n_had);
  failed = lc_format_count (n_failed);
  had = lc_format_count (n_had);
  lc_approximation_warn (
      approximation, "attempts",
      _ ("Attempts to get a lock or a token that would have ended otherwise: %s (%s that failed, %s that "
         "did not). What the program would have done then is not known, so the measured outcomes stay, "
         "and wait for nobody"),
      all, failed, had);
}

void
lc_redecide_report (const LcRedecide *redecide, LcApproximation *approximation)
{
  guint n_kept = 0;

  warn_of_attempts (redecide, approximation);

  for (guint32 i = 0; i < redecide->survey->n_objects; i++)
    {
      guint32 flags = redecide->survey->objects[i].flags;
      gboolean kept = (flags & LC_OBJECT_KEPT) != 0;

      if (flags & (LC_OBJECT_LOCK | LC_OBJECT_POOL | LC_OBJECT_BLIND))
        redecide_report (approximation, i, FALSE, kept, &redecide->decided[i].turns);
      if (flags & LC_OBJECT_WORK)
        redecide_report (approximation, i, TRUE, kept, &redecide->decided[i].pieces);
      n_kept += kept && flags & LC_OBJECT_DECIDED;
    }
  if (n_kept > 0)
    lc_approximation_warn (
        approximation, "undecided",
        g_dngettext (GETTEXT_PACKAGE, "%u object stays as measured: to decide it again could end in a deadlock",
                     "%u objects stay as measured: to decide them again could end in a deadlock", n_kept),
        n_kept);
}
