/* SPDX-License-Identifier: Apache-2.0 */
/* Finds neighbours in the order of an object, and whether they could have gone the other way. */
/*
 * The pass goes from the last layer to the first. When the later of two neighbours in this order is looked at, the
 * other one has been seen; the future of its end then tells whether it had to come before the other's begin.
 */
#include "lightcone/races.h"

#include <string.h>

#include "futures.h"
#include "history/names.h"

/* What an operation is to races. */
typedef enum
{
  RACE_ROLE_NONE,
  RACE_ROLE_LINE,      /* takes one of a line of things, which are numbered */
  RACE_ROLE_SHARED,    /* begins to read */
  RACE_ROLE_EXCLUSIVE, /* begins to write */
  RACE_ROLE_WAKE_UP,
  RACE_ROLE_SIGNAL,
  RACE_ROLE_RECEIVE,
} RaceRole;

typedef struct
{
  RaceRole role;
  LcRaceKind kind;
  gint64 first;        /* least sequence number */
  const char *objects; /* of work: a pattern for the names of objects */
} RaceOperation;

/* An event whose neighbours have not all been seen. */
typedef struct
{
  gint64 sequence; /* with `object`, the key */
  guint32 object;
  gboolean has_lower, has_upper; /* these neighbours have been seen, or there are none */
  gboolean has_signal;           /* of who was woken: the signal has been seen ... */
  gboolean is_free;              /* ... and was not before the next one's begin */
  gboolean is_signalled;         /* by a signal, that is, not by a broadcast */
  LcRaceEvent event;
} RaceOpen;

typedef struct
{
  gboolean has_writer;
  LcRaceEvent writer; /* the first one after what is being looked at */
  GArray *readers;    /* LcRaceEvent: of each process, the first one after the writer that is looked for */
} RaceCrew;

/* The messages from any sender that one process receives with one tag. */
typedef struct
{
  gboolean has_next;
  LcRaceEvent next; /* the receive after what is being looked at */
} RaceBox;

typedef struct
{
  LcHistory *history;
  LcNames *names;
  RaceOperation *operations;
  guint32 n_operations;
  guint32 n_rules;
  gboolean *is_signal;  /* by rule of the history: from a signal to who is woken */
  gboolean *is_message; /* by rule of the history: from a send to a receive */
  GHashTable *open;     /* RaceOpen, by object and sequence */
  GHashTable *crews;    /* object -> RaceCrew */
  GHashTable *boxes;    /* "RECEIVER:TAG" -> RaceBox */
  GHashTable *box_of;   /* channel -> RaceBox, borrowed */
  const LcEventFuture *at;
  LcRaceVisit visit;
  gpointer data;
} RacePass;

const char *
lc_race_kind_name (LcRaceKind kind)
{
  static const char *const names[LC_RACE_KINDS] = {"lock", "crew", "token", "wake-up", "work", "message"};

  return names[kind];
}

guint64
lc_race_pair_get_apart (const LcRacePair *pair)
{
  const guint64 asked = pair->kind == LC_RACE_MESSAGE ? pair->second.end : pair->second.begin;

  return asked > pair->first.end ? asked - pair->first.end : 0;
}

/* --- Pairs --------------------------------------------------------------------------------------------------- */

static LcRaceEvent
race_event (const LcEventFuture *at)
{
  return (LcRaceEvent){.ordinal = at->event.ordinal,
                       .begin = at->event.begin,
                       .end = at->event.end,
                       .slack = at->slack,
                       .sequence = at->event.sequence,
                       .process = at->event.process,
                       .stack = at->event.stack,
                       .operation = at->event.operation,
                       .from_process = LC_TRACE_NONE};
}

/* Whether the event that is being looked at ends before that one begins, in every execution with the same arcs. */
static gboolean
race_is_before (const RacePass *pass, guint32 process, guint64 ordinal)
{
  return pass->at->after[process] <= lc_future_begin_of (ordinal);
}

static void
race_pair (RacePass *pass, LcRaceKind kind, const LcRaceEvent *first, const LcRaceEvent *second, gboolean is_free)
{
  const LcRacePair pair = {kind, pass->at->event.object, *first, *second, is_free};

  if (first->process != second->process)
    pass->visit (&pair, pass->data);
}

static guint
race_hash_open (gconstpointer key)
{
  const RaceOpen *open = key;

  return (guint)open->sequence * 2654435761U ^ open->object;
}

static gboolean
race_equal_open (gconstpointer a, gconstpointer b)
{
  const RaceOpen *one = a, *other = b;

  return one->object == other->object && one->sequence == other->sequence;
}

static RaceOpen *
race_find_open (const RacePass *pass, gint64 sequence)
{
  const RaceOpen key = {.sequence = sequence, .object = pass->at->event.object};

  return g_hash_table_lookup (pass->open, &key);
}

static RaceOpen *
race_add_open (RacePass *pass, const LcRaceEvent *event)
{
  RaceOpen *open = g_new0 (RaceOpen, 1);

  open->sequence = event->sequence;
  open->object = pass->at->event.object;
  open->event = *event;
  g_hash_table_replace (pass->open, open, open);
  return open;
}

static void
race_drop_open (RacePass *pass, RaceOpen *open)
{
  if (open->has_lower && open->has_upper)
    g_hash_table_remove (pass->open, open);
}

/* A lock's next acquisition is always seen before it; the next token may have been taken earlier. */
static void
race_visit_line (RacePass *pass, const RaceOperation *operation)
{
  const LcRaceEvent event = race_event (pass->at);
  const gboolean is_lock = operation->kind == LC_RACE_LOCK;
  RaceOpen *upper = event.sequence < G_MAXINT64 ? race_find_open (pass, event.sequence + 1) : NULL;
  RaceOpen *lower = event.sequence > G_MININT64 ? race_find_open (pass, event.sequence - 1) : NULL;
  const gboolean has_upper = upper != NULL || is_lock;
  const gboolean has_lower = lower != NULL || event.sequence <= operation->first;

  if (upper != NULL)
    {
      race_pair (pass, operation->kind, &event, &upper->event,
                 !race_is_before (pass, upper->event.process, upper->event.ordinal));
      upper->has_lower = TRUE;
      race_drop_open (pass, upper);
    }
  if (lower != NULL)
    {
      race_pair (pass, operation->kind, &lower->event, &event,
                 !race_is_before (pass, lower->event.process, lower->event.ordinal));
      lower->has_upper = TRUE;
      race_drop_open (pass, lower);
    }
  if (!has_upper || !has_lower)
    {
      RaceOpen *open = race_add_open (pass, &event);

      open->has_upper = has_upper;
      open->has_lower = has_lower;
    }
}

/* --- Readers and writers ------------------------------------------------------------------------------------- */

static void
race_free_crew (gpointer data)
{
  RaceCrew *crew = data;

  g_array_unref (crew->readers);
  g_free (crew);
}

static RaceCrew *
race_find_crew (RacePass *pass)
{
  const gpointer object = GUINT_TO_POINTER (pass->at->event.object);
  RaceCrew *crew = g_hash_table_lookup (pass->crews, object);

  if (crew == NULL)
    {
      crew = g_new0 (RaceCrew, 1);
      crew->readers = g_array_new (FALSE, FALSE, sizeof (LcRaceEvent));
      g_hash_table_insert (pass->crews, object, crew);
    }
  return crew;
}

/* Of the reads of one version by one process, the last is next to the writer after them, the first to the one before.
 */
static void
race_visit_shared (RacePass *pass)
{
  RaceCrew *crew = race_find_crew (pass);
  const LcRaceEvent event = race_event (pass->at);

  for (guint i = 0; i < crew->readers->len; i++)
    if (g_array_index (crew->readers, LcRaceEvent, i).process == event.process)
      {
        LcRaceEvent *reader = &g_array_index (crew->readers, LcRaceEvent, i);
        const gboolean is_same = reader->sequence == event.sequence;

        *reader = event;
        if (is_same)
          return;
        g_array_remove_index_fast (crew->readers, i);
        break;
      }
  g_array_append_val (crew->readers, event);
  if (crew->has_writer && crew->writer.sequence - 1 == event.sequence)
    race_pair (pass, LC_RACE_CREW, &event, &crew->writer,
               !race_is_before (pass, crew->writer.process, crew->writer.ordinal));
}

static void
race_visit_exclusive (RacePass *pass)
{
  RaceCrew *crew = race_find_crew (pass);
  const LcRaceEvent event = race_event (pass->at);
  gboolean has_readers = FALSE;

  for (guint i = 0; i < crew->readers->len; i++)
    {
      const LcRaceEvent *reader = &g_array_index (crew->readers, LcRaceEvent, i);

      if (reader->sequence != event.sequence)
        continue;
      race_pair (pass, LC_RACE_CREW, &event, reader, !race_is_before (pass, reader->process, reader->ordinal));
      has_readers = TRUE;
    }
  if (!has_readers && crew->has_writer && crew->writer.sequence - 1 == event.sequence)
    race_pair (pass, LC_RACE_CREW, &event, &crew->writer,
               !race_is_before (pass, crew->writer.process, crew->writer.ordinal));
  g_array_set_size (crew->readers, 0);
  crew->writer = event;
  crew->has_writer = TRUE;
}

/* --- Wake-ups ------------------------------------------------------------------------------------------------ */

/* The pair of two who were woken is known when both and the signal of the first have been seen. */
static void
race_pair_woken (RacePass *pass, RaceOpen *lower, RaceOpen *upper)
{
  race_pair (pass, LC_RACE_WAKE_UP, &lower->event, &upper->event, lower->is_free);
  lower->has_upper = upper->has_lower = TRUE;
  race_drop_open (pass, upper);
  race_drop_open (pass, lower);
}

/* A broadcast wakes all, so what it does is no choice; but one of them may have been the other choice of a signal. */
static void
race_visit_woken (RacePass *pass)
{
  LcRaceEvent event = race_event (pass->at);
  gboolean is_signalled = FALSE;
  RaceOpen *open, *lower, *upper;

  if (race_find_open (pass, event.sequence) != NULL)
    return;
  for (guint32 i = 0; i < pass->at->event.n_arcs; i++)
    if (pass->at->arcs[i].rule < pass->n_rules && pass->is_signal[pass->at->arcs[i].rule])
      {
        is_signalled = TRUE;
        event.from_process = pass->at->arcs[i].process;
        event.from_ordinal = pass->at->arcs[i].ordinal;
      }
  open = race_add_open (pass, &event);
  open->is_signalled = is_signalled;
  open->has_upper = !is_signalled;
  lower = race_find_open (pass, event.sequence - 1);
  upper = race_find_open (pass, event.sequence + 1);
  if (upper != NULL && !is_signalled)
    {
      upper->has_lower = TRUE;
      race_drop_open (pass, upper);
    }
  open->has_lower = event.sequence <= 1 || (lower != NULL && !lower->is_signalled);
  if (lower != NULL && lower->has_signal)
    race_pair_woken (pass, lower, open); /* the signal is in a higher layer: it was not before this event's begin */
  else
    race_drop_open (pass, open);
}

static void
race_visit_signal (RacePass *pass)
{
  RaceOpen *open = race_find_open (pass, pass->at->event.sequence);
  RaceOpen *upper;

  if (open == NULL || open->has_signal)
    return;
  open->has_signal = TRUE;
  upper = race_find_open (pass, pass->at->event.sequence + 1);
  open->is_free = upper == NULL || !race_is_before (pass, upper->event.process, upper->event.ordinal);
  if (upper != NULL)
    race_pair_woken (pass, open, upper);
}

/* --- Messages ------------------------------------------------------------------------------------------------ */

/* A receive from any sender asks for a tag, which is what a channel's name says after its ranks. */
static RaceBox *
race_find_box (RacePass *pass)
{
  const gpointer object = GUINT_TO_POINTER (pass->at->event.object);
  RaceBox *box = g_hash_table_lookup (pass->box_of, object);
  const char *name, *colon;
  g_autofree char *key = NULL;

  if (box != NULL)
    return box;
  name = lc_names_object (pass->names, pass->at->event.object);
  colon = name != NULL ? strchr (name, ':') : NULL;
  key = g_strdup_printf ("%u:%s", pass->at->event.process, colon != NULL ? colon + 1 : "");
  box = g_hash_table_lookup (pass->boxes, key);
  if (box == NULL)
    {
      box = g_new0 (RaceBox, 1);
      g_hash_table_insert (pass->boxes, g_steal_pointer (&key), box);
    }
  g_hash_table_insert (pass->box_of, object, box);
  return box;
}

static void
race_visit_receive (RacePass *pass)
{
  LcRaceEvent event = race_event (pass->at);
  RaceBox *box;

  for (guint32 i = 0; i < pass->at->event.n_arcs; i++)
    if (pass->at->arcs[i].rule < pass->n_rules && pass->is_message[pass->at->arcs[i].rule])
      {
        event.from_process = pass->at->arcs[i].process;
        event.from_ordinal = pass->at->arcs[i].ordinal;
      }
  if (event.from_process == LC_TRACE_NONE)
    return;
  box = race_find_box (pass);
  if (box->has_next && box->next.process == event.process && box->next.from_process != event.from_process)
    {
      const LcRacePair pair = {LC_RACE_MESSAGE, pass->at->event.object, event, box->next,
                               !race_is_before (pass, box->next.from_process, box->next.from_ordinal)};

      pass->visit (&pair, pass->data);
    }
  box->next = event;
  box->has_next = TRUE;
}

/* --- The pass ------------------------------------------------------------------------------------------------ */

static RaceOperation *
race_find_operation (const RacePass *pass, const char *class_name, const char *name)
{
  for (guint32 i = 0; i < pass->n_operations; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (pass->history, i);

      if (operation != NULL && g_strcmp0 (operation->name, name) == 0 &&
          g_strcmp0 (operation->class_name, class_name) == 0)
        return &pass->operations[i];
    }
  return NULL;
}

static void
race_set_role (RacePass *pass, const char *class_name, const char *name, RaceOperation role)
{
  RaceOperation *operation = name != NULL ? race_find_operation (pass, class_name, name) : NULL;

  if (operation != NULL && operation->role == RACE_ROLE_NONE)
    *operation = role;
}

/* Gives the operation that takes what this one gives back, or NULL. */
static const char *
race_find_taker (const LcClassRule *rule, const char *giver)
{
  for (gsize i = 0; rule->holding != NULL && rule->holding[i] != NULL && rule->holding[i + 1] != NULL; i += 2)
    if (strcmp (rule->holding[i + 1], giver) == 0)
      return rule->holding[i];
  return NULL;
}

/* What counts those that give back is alone, and what they give back is shared: such rules come first. */
static void
race_read_arcs (RacePass *pass, const LcRules *rules, gboolean counted)
{
  const GPtrArray *arcs = lc_rules_get_arcs (rules);

  for (guint i = 0; i < arcs->len; i++)
    {
      const LcArcRule *arc = arcs->pdata[i];
      const LcClassRule *rule = lc_rules_get_class (rules, arc->class_name);
      const LcRaceKind kind = rule->holding != NULL ? LC_RACE_LOCK : LC_RACE_TOKEN;

      if (!arc->decided || arc->counted != counted)
        continue;
      if (counted)
        {
          race_set_role (pass, arc->class_name, race_find_taker (rule, arc->from), (RaceOperation){RACE_ROLE_SHARED});
          race_set_role (pass, arc->class_name, arc->to, (RaceOperation){RACE_ROLE_EXCLUSIVE});
        }
      else
        race_set_role (pass, arc->class_name, arc->to,
                       (RaceOperation){RACE_ROLE_LINE, kind, kind == LC_RACE_LOCK ? rule->first : G_MININT64, NULL});
    }
}

static void
race_read_rules (RacePass *pass, const LcRules *rules)
{
  const GPtrArray *works = lc_rules_get_works (rules);
  const guint32 n_rules = lc_history_get_n_rules (pass->history);

  race_read_arcs (pass, rules, TRUE);
  race_read_arcs (pass, rules, FALSE);
  for (guint i = 0; i < works->len; i++)
    {
      const LcWorkRule *work = works->pdata[i];

      race_set_role (pass, work->class_name, work->operation,
                     (RaceOperation){RACE_ROLE_LINE, LC_RACE_WORK, G_MININT64, work->object});
    }
  race_set_role (pass, "condition", "condition-wait", (RaceOperation){RACE_ROLE_WAKE_UP});
  race_set_role (pass, "condition", "signal", (RaceOperation){RACE_ROLE_SIGNAL});
  race_set_role (pass, "channel", "recv", (RaceOperation){RACE_ROLE_RECEIVE});
  race_set_role (pass, "channel", "complete", (RaceOperation){RACE_ROLE_RECEIVE});
  race_set_role (pass, "channel", "probe", (RaceOperation){RACE_ROLE_RECEIVE});
  pass->n_rules = n_rules;
  pass->is_signal = g_new0 (gboolean, MAX (n_rules, 1));
  pass->is_message = g_new0 (gboolean, MAX (n_rules, 1));
  for (guint32 i = 0; i < n_rules; i++)
    {
      const LcHistoryRule *rule = lc_history_get_rule (pass->history, i);

      pass->is_signal[i] = strcmp (rule->name, "signal to condition-wait") == 0;
      pass->is_message[i] = g_strcmp0 (rule->class_name, "channel") == 0 && rule->from_point == LC_POINT_BEGIN &&
                            (rule->kind == LC_ARC_DATA || g_str_has_suffix (rule->name, " to probe"));
    }
}

static gboolean
race_takes_work (const RacePass *pass, const RaceOperation *operation)
{
  return operation->objects == NULL || strcmp (operation->objects, "*") == 0 ||
         g_pattern_match_simple (operation->objects, lc_names_object (pass->names, pass->at->event.object));
}

static void
race_look_at (RacePass *pass)
{
  const LcHistoryEvent *event = &pass->at->event;
  const RaceOperation *operation = event->operation < pass->n_operations ? &pass->operations[event->operation] : NULL;

  if (operation == NULL || operation->role == RACE_ROLE_NONE || event->object == LC_TRACE_NONE ||
      !(event->flags & LC_TRACE_EVENT_SEQUENCE))
    return;
  switch (operation->role)
    {
    case RACE_ROLE_LINE:
      if (race_takes_work (pass, operation))
        race_visit_line (pass, operation);
      break;
    case RACE_ROLE_SHARED:
      race_visit_shared (pass);
      break;
    case RACE_ROLE_EXCLUSIVE:
      race_visit_exclusive (pass);
      break;
    case RACE_ROLE_WAKE_UP:
      race_visit_woken (pass);
      break;
    case RACE_ROLE_SIGNAL:
      race_visit_signal (pass);
      break;
    case RACE_ROLE_RECEIVE:
      if (event->flags & LC_TRACE_EVENT_BLIND)
        race_visit_receive (pass);
      break;
    case RACE_ROLE_NONE:
    default:
      break;
    }
}

gboolean
lc_races_visit (LcHistory *history, const LcRules *rules, LcRaceVisit visit, gpointer data, GCancellable *cancellable,
                GError **error)
{
  g_autoptr (LcFutures) futures = lc_futures_new (history, NULL, cancellable, error);
  RacePass pass = {.history = history, .visit = visit, .data = data};
  gboolean done = futures != NULL;

  if (!done)
    return FALSE;
  pass.names = lc_names_new (history);
  pass.n_operations = lc_history_get_n_operations (history);
  pass.operations = g_new0 (RaceOperation, MAX (pass.n_operations, 1));
  pass.open = g_hash_table_new_full (race_hash_open, race_equal_open, g_free, NULL);
  pass.crews = g_hash_table_new_full (NULL, NULL, NULL, race_free_crew);
  pass.boxes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  pass.box_of = g_hash_table_new (NULL, NULL);
  race_read_rules (&pass, rules);
  while ((done = lc_futures_next (futures, &pass.at, error)) && pass.at != NULL)
    race_look_at (&pass);
  g_hash_table_unref (pass.box_of);
  g_hash_table_unref (pass.boxes);
  g_hash_table_unref (pass.crews);
  g_hash_table_unref (pass.open);
  g_free (pass.is_message);
  g_free (pass.is_signal);
  g_free (pass.operations);
  lc_names_free (pass.names);
  return done;
}
