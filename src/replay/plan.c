/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the plan of a replay: for each event of a thread, how far its object must be before. */
#include "lightcone/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "plan.h"

#define STEERED \
  (1u << LC_CLASS_MUTEX | 1u << LC_CLASS_CREW | 1u << LC_CLASS_ADVANCE | 1u << LC_CLASS_SEMAPHORE | \
   1u << LC_CLASS_CONDITION | 1u << LC_CLASS_BARRIER | 1u << LC_CLASS_CHANNEL | 1u << LC_CLASS_THREAD)

typedef struct
{
  LcTrace *trace;
  LcReplayPlan *result;
  guint32 instance;      /* the address space */
  const guint64 *limits; /* or NULL */
  struct lc_replay_header header;
  GArray *threads;         /* struct lc_replay_thread */
  GArray *objects;         /* struct lc_replay_object */
  guint32 *thread_of;      /* by process of the trace; LC_REPLAY_NONE: it has no turns */
  guint32 *object_of;      /* by object of the trace */
  guint32 *receiver_of;    /* by object of the trace: of channels, that of their receivers */
  gboolean *is_room;       /* by object of the trace: who waits for a free buffer is chance, and changes nothing */
  gboolean *are_below_mpi; /* by module */
  gboolean is_of_rank;     /* of MPI */
  GHashTable *reads;  /* object of the trace -> GArray of guint32: reads by version, then those of it and all before */
  GHashTable *deaths; /* object of the trace -> GArray of gint64: acquisitions after an owner's death */
  GHashTable *numbered;     /* PlanNumbered: an object of the plan for each number of OpenMP's */
  gboolean knows_cpus;      /* events say where they ran */
  gboolean has_events;      /* other than exits */
  guint32 n_cut, n_pending; /* threads whose history was cut, and those of them that had begun what has turns */
  FILE *file;
} Plan;

/* A number of an object of OpenMP's. */
typedef struct
{
  guint64 number;
  guint32 object; /* of the trace */
  guint32 role;
  guint32 planned; /* object of the plan */
  guint32 steps;   /* how many there are */
} PlanNumbered;

static guint
plan_hash_numbered (gconstpointer data)
{
  const PlanNumbered *numbered = data;

  return (guint)(numbered->number * 2654435761u ^ numbered->object * 40503u ^ numbered->role);
}

static gboolean
plan_equal_numbered (gconstpointer a, gconstpointer b)
{
  const PlanNumbered *one = a, *other = b;

  return one->number == other->number && one->object == other->object && one->role == other->role;
}

static void
plan_clear (Plan *plan)
{
  g_clear_pointer (&plan->numbered, g_hash_table_unref);
  g_clear_pointer (&plan->threads, g_array_unref);
  g_clear_pointer (&plan->objects, g_array_unref);
  g_clear_pointer (&plan->reads, g_hash_table_unref);
  g_clear_pointer (&plan->deaths, g_hash_table_unref);
  g_free (plan->thread_of);
  g_free (plan->object_of);
  g_free (plan->receiver_of);
  g_free (plan->is_room);
  g_free (plan->are_below_mpi);
  if (plan->file != NULL)
    fclose (plan->file);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

/* --- What has turns ------------------------------------------------------------------------------------------ */

/* The classes that the trace says were recorded: older ones do not say it. */
static guint32
plan_recorded_classes (const Plan *plan)
{
  static const char *const names[] = {
#define X(name) name,
      LC_CLASS_NAMES (X)
#undef X
  };
  g_autofree char *list = g_key_file_get_string (lc_trace_get_settings (plan->trace), "trace", "classes", NULL);
  g_auto (GStrv) recorded = g_strsplit (list != NULL ? list : "", ",", -1);
  guint32 classes = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strv_contains ((const char *const *)recorded, names[i]))
      classes |= 1u << i;
  return classes;
}

/* A library can be steered only if it is the only one, and both its regions and its tasks were recorded. */
static enum lc_replay_openmp
plan_find_openmp (const Plan *plan)
{
  const guint32 needed = 1u << LC_CLASS_TEAM | 1u << LC_CLASS_TASK | 1u << LC_CLASS_BARRIER;
  gboolean has_gcc = FALSE, has_clang = FALSE;

  for (guint32 i = 0; i < lc_trace_get_n_modules (plan->trace); i++)
    {
      g_autofree char *name = g_path_get_basename (lc_trace_get_module (plan->trace, i)->path);

      has_clang |= g_str_has_prefix (name, "libomp") || g_str_has_prefix (name, "libiomp");
      has_gcc |= g_str_has_prefix (name, "libgomp");
    }
  if (has_gcc == has_clang || (plan_recorded_classes (plan) & needed) != needed)
    return LC_REPLAY_NO_OPENMP;
  return has_gcc ? LC_REPLAY_GCC_OPENMP : LC_REPLAY_CLANG_OPENMP;
}

static gboolean
plan_is_steered_kind (const Plan *plan, enum lc_class class, enum lc_kind kind)
{
  if (kind == LC_KIND_OPENMP)
    return plan->header.openmp != LC_REPLAY_NO_OPENMP;
  if (kind == LC_KIND_LIBRARY)
    return TRUE;
  if (class == LC_CLASS_ADVANCE) /* of pthread_once */
    return FALSE;
  return kind == LC_KIND_PLAIN || kind == LC_KIND_RECURSIVE || kind == LC_KIND_ERROR_CHECK ||
         kind == LC_KIND_ADAPTIVE || kind == LC_KIND_SPIN;
}

static guint32
plan_steered (const Plan *plan)
{
  return STEERED | (plan->header.openmp != LC_REPLAY_NO_OPENMP ? 1u << LC_CLASS_TEAM | 1u << LC_CLASS_TASK : 0);
}

static enum lc_class
plan_class_of (guint operation)
{
  switch (operation)
    {
#define X(identifier, number, name, class, layout) \
  case number: \
    return LC_CLASS_##class;
      LC_OPERATIONS (X)
#undef X
    default:
      return LC_CLASS_NONE;
    }
}

/* What has no place in the program is the recorder's own, as the section of all `critical` without a name: it is
 * another place in a replay. */
static guint32
plan_module_of (const Plan *plan, const LcTraceObject *object)
{
  g_autofree char *name = NULL;

  if (object->kind != LC_KIND_OPENMP || object->module == LC_TRACE_NONE)
    return object->module;
  name = g_path_get_basename (lc_trace_get_module (plan->trace, object->module)->path);
  return g_str_has_prefix (name, "liblightcone-") ? LC_REPLAY_NONE : object->module;
}

/* An object that address spaces share is used by those that have no turns, too. */
static guint32
plan_add_object (Plan *plan, guint32 object, gboolean is_receiver)
{
  guint32 *number = is_receiver ? &plan->receiver_of[object] : &plan->object_of[object];
  struct lc_replay_object added = {.object = object};
  LcTraceObject described;

  G_STATIC_ASSERT (LC_REPLAY_NONE == LC_TRACE_NONE);
  if (*number != LC_REPLAY_NONE)
    return *number;
  lc_trace_get_object (plan->trace, object, &described);
  if (!plan_is_steered_kind (plan, described.object_class, described.kind) || described.instance == LC_TRACE_NONE)
    return LC_REPLAY_NONE;
  added.object_class = described.object_class;
  added.kind = described.kind;
  added.module = plan_module_of (plan, &described);
  added.offset = described.offset + is_receiver;
  *number = plan->objects->len;
  g_array_append_val (plan->objects, added);
  return *number;
}

/* The first semaphore within a channel of lightcone/record.h is its room: it was made with the channel. */
static void
plan_find_rooms (Plan *plan, guint32 n_objects)
{
  g_autoptr (GHashTable) channels = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  LcTraceObject object;

  plan->is_room = g_new0 (gboolean, MAX (n_objects, 1));
  for (guint32 i = 0; i < n_objects; i++)
    {
      guint64 room;

      lc_trace_get_object (plan->trace, i, &object);
      if (object.kind != LC_KIND_LIBRARY || object.address == 0)
        continue;
      room = object.address + (object.object_class == LC_CLASS_CHANNEL ? LC_CHANNEL_ROOM : 0);
      if (object.object_class == LC_CLASS_CHANNEL)
        g_hash_table_insert (channels, g_memdup2 (&room, sizeof room), GUINT_TO_POINTER (object.instance + 1));
      else if (object.object_class == LC_CLASS_SEMAPHORE &&
               g_hash_table_lookup (channels, &room) == GUINT_TO_POINTER (object.instance + 1))
        plan->is_room[i] = g_hash_table_remove (channels, &room);
    }
}

static gboolean
plan_is_stack_below_mpi (const Plan *plan, guint32 stack)
{
  const guint32 number = stack != LC_TRACE_NONE ? lc_trace_get_stack (plan->trace, stack)->site : LC_TRACE_NONE;
  const guint32 module = number != LC_TRACE_NONE ? lc_trace_get_site (plan->trace, number)->module : LC_TRACE_NONE;

  return module != LC_TRACE_NONE && plan->are_below_mpi[module];
}

/* Whether a library that MPI stands on has called the operation. Once such a call was told as the program's, of the
 * line that led there, so what these libraries have used first has no turns, whoever seems to call. */
static gboolean
plan_is_below_mpi (const Plan *plan, const LcTraceEvent *event)
{
  LcTraceObject object;

  if (!plan->is_of_rank)
    return FALSE;
  if (plan_is_stack_below_mpi (plan, event->stack))
    return TRUE;
  if (event->object == LC_TRACE_NONE)
    return FALSE;
  lc_trace_get_object (plan->trace, event->object, &object);
  return (object.module != LC_TRACE_NONE && plan->are_below_mpi[object.module]) ||
         plan_is_stack_below_mpi (plan, object.stack);
}

/* The reader ends each process with an exit. One that nobody has recorded ran nowhere. */
static gboolean
plan_is_own_exit (const Plan *plan, const LcTraceEvent *event)
{
  return (event->flags & LC_EVENT_CANCELLED) == 0 &&
         (event->cpu != LC_CPU_UNKNOWN || (!plan->knows_cpus && plan->has_events));
}

static gboolean
plan_is_steered (Plan *plan, const LcTraceEvent *event)
{
  enum lc_class class = plan_class_of (event->operation);

  plan->knows_cpus |= event->cpu != LC_CPU_UNKNOWN;
  plan->has_events |= event->operation != LC_EXIT;
  if (event->operation == LC_EXIT)
    return plan_is_own_exit (plan, event);
  if ((plan_steered (plan) >> class & 1) == 0 || plan_is_below_mpi (plan, event))
    return FALSE;
  if (class == LC_CLASS_THREAD)
    return !((event->operation == LC_CREATE || event->operation == LC_CREATE_FAILED || event->operation == LC_START) &&
             (event->flags & LC_EVENT_FORK) != 0);
  return event->object != LC_TRACE_NONE && !plan->is_room[event->object] &&
         plan_add_object (plan, event->object, event->operation == LC_RECV) != LC_REPLAY_NONE;
}

/* Of a number of OpenMP's; an advance of the program's own objects is counted by them. */
static gboolean
plan_is_numbered_step (const LcTraceEvent *event)
{
  switch ((int)event->operation)
    {
    case LC_FORK:
    case LC_TEAM_END:
    case LC_TASK_CREATE:
    case LC_TASK_END:
    case LC_ADVANCE:
      return TRUE;
    default:
      return FALSE;
    }
}

/* --- Objects of OpenMP's ------------------------------------------------------------------------------------- */

/* What of the object has the event's number. 0: nothing, it is the object itself. */
static guint32
plan_role_of (const Plan *plan, const LcTraceEvent *event)
{
  LcTraceObject described;

  switch ((int)event->operation)
    {
    case LC_FORK:
    case LC_TEAM_START:
    case LC_TEAM_END:
    case LC_TEAM_JOIN:
      return LC_FORK;
    case LC_TASK_CREATE:
    case LC_TASK_START:
      return LC_TASK_CREATE;
    case LC_TASK_END:
    case LC_TASK_WAIT:
      return LC_TASK_WAIT;
    case LC_BARRIER:
    case LC_ADVANCE:
    case LC_AWAIT:
      lc_trace_get_object (plan->trace, event->object, &described);
      return described.kind != LC_KIND_OPENMP ? 0 : event->operation == LC_BARRIER ? LC_BARRIER : LC_ADVANCE;
    default:
      return 0;
    }
}

/* NULL: the event is of the object itself. */
static PlanNumbered *
plan_find_numbered (const Plan *plan, const LcTraceEvent *event)
{
  const PlanNumbered key = {(guint64)event->sequence, event->object, plan_role_of (plan, event), 0, 0};

  return key.role != 0 ? g_hash_table_lookup (plan->numbered, &key) : NULL;
}

static void
plan_count_numbered (Plan *plan, const LcTraceEvent *event)
{
  PlanNumbered key = {(guint64)event->sequence, event->object, plan_role_of (plan, event), 0, 0}, *numbered;

  if (key.role == 0)
    return;
  numbered = g_hash_table_lookup (plan->numbered, &key);
  if (numbered == NULL)
    {
      struct lc_replay_object added =
          g_array_index (plan->objects, struct lc_replay_object, plan->object_of[event->object]);

      key.planned = plan->objects->len;
      g_array_append_val (plan->objects, added);
      numbered = g_memdup2 (&key, sizeof key);
      g_hash_table_add (plan->numbered, numbered);
    }
  numbered->steps += plan_is_numbered_step (event);
}

/* How many steps of its number an event comes after: they are fewer where the trace was cut short. Whoever waits for an
 * index that nobody has told goes on when a later one is. */
static gint64
plan_after_numbered (const PlanNumbered *numbered, const LcTraceEvent *event)
{
  switch ((int)event->operation)
    {
    case LC_TEAM_START:
    case LC_TASK_START:
      return 1;
    case LC_TEAM_JOIN:
      return event->value;
    case LC_TASK_WAIT:
      return event->value;
    case LC_AWAIT:
      return (event->flags & LC_EVENT_UNKNOWN) != 0 ? 0 : MIN (numbered->steps, 1);
    default:
      return 0;
    }
}

/* --- Order --------------------------------------------------------------------------------------------------- */

static GArray *
plan_list_of (GHashTable *lists, guint32 object, gsize size)
{
  GArray *list = g_hash_table_lookup (lists, GUINT_TO_POINTER (object));

  if (list == NULL)
    {
      list = g_array_new (FALSE, TRUE, (guint)size);
      g_hash_table_insert (lists, GUINT_TO_POINTER (object), list);
    }
  return list;
}

/* Versions that no file could have room for are damage. */
static void
plan_count_read (Plan *plan, const LcTraceEvent *event)
{
  GArray *reads;

  if (event->sequence < 0 || event->sequence > G_MAXINT32 / 8)
    return;
  reads = plan_list_of (plan->reads, event->object, sizeof (guint32));
  if (reads->len <= event->sequence)
    g_array_set_size (reads, (guint)event->sequence + 1);
  g_array_index (reads, guint32, event->sequence)++;
}

static void
plan_count (Plan *plan, const LcTraceEvent *event)
{
  if (event->operation == LC_READ_END)
    plan_count_read (plan, event);
  else if (event->operation == LC_LOCK && (event->flags & LC_EVENT_OWNER_DIED) != 0)
    {
      GArray *deaths = plan_list_of (plan->deaths, event->object, sizeof (gint64));

      g_array_append_val (deaths, event->sequence);
    }
}

static void
plan_sum_reads (Plan *plan)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, plan->reads);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    for (guint i = 1; i < ((GArray *)value)->len; i++)
      g_array_index ((GArray *)value, guint32, i) += g_array_index ((GArray *)value, guint32, i - 1);
}

/* How many reads there were of versions up to this one. */
static gint64
plan_reads_until (const Plan *plan, guint32 object, gint64 version)
{
  const GArray *reads = g_hash_table_lookup (plan->reads, GUINT_TO_POINTER (object));

  if (reads == NULL || version < 0)
    return 0;
  return g_array_index (reads, guint32, MIN (version, (gint64)reads->len - 1));
}

/* How many acquisitions up to this one had no unlock before, for the owner had died. */
static gint64
plan_deaths_until (const Plan *plan, guint32 object, gint64 sequence)
{
  const GArray *deaths = g_hash_table_lookup (plan->deaths, GUINT_TO_POINTER (object));
  gint64 n = 0;

  for (guint i = 0; deaths != NULL && i < deaths->len; i++)
    n += g_array_index (deaths, gint64, i) <= sequence;
  return n;
}

/* The first tokens of a semaphore are those that it was made with. */
static gint64
plan_posts_until (const Plan *plan, guint32 object, gint64 token)
{
  LcTraceObject described;

  lc_trace_get_object (plan->trace, object, &described);
  return token - (gint64)described.value;
}

static gint64
plan_after (const Plan *plan, const LcTraceEvent *event)
{
  gint64 sequence = event->sequence;

  switch ((int)event->operation)
    {
    case LC_LOCK:
      return sequence - 1 - plan_deaths_until (plan, event->object, sequence);
    case LC_READ_START:
      return sequence + plan_reads_until (plan, event->object, sequence - 1);
    case LC_WRITE_START:
      return sequence - 1 + plan_reads_until (plan, event->object, sequence - 1);
    case LC_POST:
      return plan_posts_until (plan, event->object, sequence) - 1;
    case LC_WAIT:
      return plan_posts_until (plan, event->object, sequence);
    case LC_SIGNAL:
    case LC_BROADCAST:
      return sequence - 1;
    case LC_SEND:
    case LC_SSEND:
    case LC_RECV:
      return sequence;
    case LC_CONDITION_WAIT:
      return (event->flags & LC_EVENT_UNKNOWN) != 0 ? 0 : sequence;
    case LC_BARRIER:
      return sequence * event->value;
    case LC_JOIN:
      return 1;
    default:
      return 0;
    }
}

/* An arrival at a barrier is a step, too, but before the event ends. */
static gboolean
plan_is_step (const LcTraceEvent *event)
{
  switch ((int)event->operation)
    {
    case LC_UNLOCK:
      return event->sequence > 0;
    case LC_READ_END:
    case LC_WRITE_END:
    case LC_POST:
    case LC_SIGNAL:
    case LC_BROADCAST:
    case LC_SEND:
    case LC_SSEND:
    case LC_RECV:
    case LC_EXIT:
      return TRUE;
    default:
      return FALSE;
    }
}

/* What has no call of its own, or that of whoever made the region or the task. */
static gboolean
plan_is_called_elsewhere (const Plan *plan, const LcTraceEvent *event)
{
  LcTraceObject object;

  switch ((int)event->operation)
    {
    case LC_START:
    case LC_EXIT:
    case LC_TEAM_START:
    case LC_TEAM_END:
    case LC_TASK_START:
    case LC_TASK_END:
      return TRUE;
    case LC_READ_START:
    case LC_READ_END:
    case LC_WRITE_START:
    case LC_WRITE_END:
      lc_trace_get_object (plan->trace, event->object, &object);
      return object.kind == LC_KIND_OPENMP;
    default:
      return FALSE;
    }
}

static guint32
plan_site_of (const Plan *plan, const LcTraceEvent *event)
{
  const LcTraceSite *site;
  guint32 number;

  if (event->stack == LC_TRACE_NONE || plan_is_called_elsewhere (plan, event))
    return LC_REPLAY_NONE;
  number = lc_trace_get_stack (plan->trace, event->stack)->site;
  site = number != LC_TRACE_NONE ? lc_trace_get_site (plan->trace, number) : NULL;
  return site != NULL && site->module != LC_TRACE_NONE && !site->is_entry ? number : LC_REPLAY_NONE;
}

static guint32
plan_object_of (const Plan *plan, const LcTraceEvent *event, const PlanNumbered *numbered, guint32 thread)
{
  if (event->operation == LC_RECV)
    return plan->receiver_of[event->object];
  if (numbered != NULL)
    return numbered->planned;
  if (plan_class_of (event->operation) != LC_CLASS_THREAD)
    return plan->object_of[event->object];
  if (event->object >= lc_trace_get_n_processes (plan->trace) || plan->thread_of[event->object] == LC_REPLAY_NONE)
    return thread;
  return plan->thread_of[event->object];
}

static struct lc_replay_event
plan_make_event (const Plan *plan, const LcTraceEvent *event, guint32 thread, guint64 ordinal)
{
  const gint64 value =
      (event->flags & LC_TRACE_EVENT_BYTES) != 0 ? (gint64)MIN (event->bytes, G_MAXINT32) : event->value;
  const gboolean may_have_number = plan->header.openmp != LC_REPLAY_NO_OPENMP && event->object != LC_TRACE_NONE;
  const PlanNumbered *numbered = may_have_number ? plan_find_numbered (plan, event) : NULL;
  gint64 after = numbered != NULL ? plan_after_numbered (numbered, event) : plan_after (plan, event);

  return (struct lc_replay_event){.operation = event->operation,
                                  .flags = event->flags & 0xFF,
                                  .object = plan_object_of (plan, event, numbered, thread),
                                  .site = plan_site_of (plan, event),
                                  .value = (guint32)CLAMP (value, 0, G_MAXINT32),
                                  .after = (guint32)CLAMP (after, 0, G_MAXINT32),
                                  .is_step = numbered != NULL ? plan_is_numbered_step (event) : plan_is_step (event),
                                  .ordinal = ordinal,
                                  .sequence = (guint64)MAX (event->sequence, 0),
                                  .begin = event->begin,
                                  .length = event->end - event->begin,
                                  .detail = event->detail};
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

/* The calls of MPI are in another plan. A message whose channel was never known has no object. */
static gboolean
plan_is_of_mpi (const Plan *plan, const LcTraceEvent *event)
{
  LcTraceObject object;

  if (event->object == LC_TRACE_NONE || plan_class_of (event->operation) == LC_CLASS_THREAD)
    return plan->is_of_rank && event->object == LC_TRACE_NONE;
  lc_trace_get_object (plan->trace, event->object, &object);
  return object.kind == LC_KIND_MPI;
}

static void
plan_count_free (Plan *plan, const LcTraceEvent *event)
{
  enum lc_class class = plan_class_of (event->operation);

  if (plan_is_of_mpi (plan, event) || plan_is_below_mpi (plan, event))
    return;
  if (class == LC_CLASS_MARK || class == LC_CLASS_FUNCTION || class == LC_CLASS_IO || class == LC_CLASS_THREAD)
    return; /* orders nothing, or is not the threads' own */
  if (event->object != LC_TRACE_NONE && plan->is_room[event->object])
    return;
  plan->result->n_free++;
  plan->result->free_classes |= 1u << class;
}

static gboolean
plan_is_limited (const Plan *plan, guint32 process, guint64 ordinal)
{
  return plan->limits != NULL && ordinal >= plan->limits[process];
}

/* Notes what a thread whose history was cut had begun. Which region or task it was of is not known. */
static void
plan_note_pending (Plan *plan, struct lc_replay_thread *thread, guint32 number)
{
  const LcTracePending *pending = &lc_trace_get_process (plan->trace, thread->process)->pending;
  const LcTraceEvent event = {.operation = pending->operation != LC_TRACE_NONE ? pending->operation : LC_NO_OPERATION,
                              .object = pending->object,
                              .stack = LC_TRACE_NONE,
                              .cpu = LC_CPU_UNKNOWN};

  if (event.operation != LC_NO_OPERATION && plan->header.openmp == LC_REPLAY_NO_OPENMP &&
      plan_is_steered (plan, &event))
    thread->pending = (struct lc_replay_event){
        .operation = event.operation, .object = plan_object_of (plan, &event, NULL, number), .site = LC_REPLAY_NONE};
  plan->n_cut++;
  plan->n_pending += thread->pending.operation != LC_NO_OPERATION;
}

static void
plan_survey (Plan *plan, guint32 number)
{
  struct lc_replay_thread *thread = &g_array_index (plan->threads, struct lc_replay_thread, number);
  g_autoptr (LcTraceCursor) cursor = lc_trace_cursor_open (plan->trace, thread->process);
  LcTraceBatch batch;
  gboolean has_exit = FALSE;
  const LcTraceProcess *process;

  while (lc_trace_cursor_next (cursor, &batch))
    for (gsize i = 0; i < batch.n_events; i++)
      {
        if (!plan_is_steered (plan, &batch.events[i]))
          {
            plan_count_free (plan, &batch.events[i]);
            continue;
          }
        has_exit = batch.events[i].operation == LC_EXIT;
        plan_count (plan, &batch.events[i]);
        if (plan->header.openmp != LC_REPLAY_NO_OPENMP && batch.events[i].object != LC_TRACE_NONE)
          plan_count_numbered (plan, &batch.events[i]);
        plan->header.classes |= 1u << plan_class_of (batch.events[i].operation);
        thread->n_events++;
        thread->limit += !plan_is_limited (plan, thread->process, batch.first_ordinal + i);
      }
  process = lc_trace_get_process (plan->trace, thread->process);
  thread->is_cut = !has_exit && process->state != LC_STATE_ENDED;
  if (thread->is_cut)
    plan_note_pending (plan, thread, number);
}

static void
plan_write (Plan *plan, const void *data, gsize size, gsize count)
{
  if (count > 0)
    fwrite (data, size, count, plan->file); /* errors are asked for at the end */
}

static void
plan_write_events (Plan *plan, guint32 number)
{
  const struct lc_replay_thread *thread = &g_array_index (plan->threads, struct lc_replay_thread, number);
  g_autoptr (LcTraceCursor) cursor = lc_trace_cursor_open (plan->trace, thread->process);
  LcTraceBatch batch;

  while (lc_trace_cursor_next (cursor, &batch))
    for (gsize i = 0; i < batch.n_events; i++)
      if (plan_is_steered (plan, &batch.events[i]))
        {
          struct lc_replay_event event = plan_make_event (plan, &batch.events[i], number, batch.first_ordinal + i);

          plan_write (plan, &event, sizeof event, 1);
        }
}

/* Threads come first among the objects; the program's first thread is the first of them. */
static void
plan_find_threads (Plan *plan)
{
  guint32 n = lc_trace_get_n_processes (plan->trace), n_objects = lc_trace_get_n_objects (plan->trace);

  plan->thread_of = g_new (guint32, n);
  plan->object_of = g_new (guint32, MAX (n_objects, 1));
  plan->receiver_of = g_new (guint32, MAX (n_objects, 1));
  for (guint32 i = 0; i < n_objects; i++)
    plan->object_of[i] = plan->receiver_of[i] = LC_REPLAY_NONE;
  plan_find_rooms (plan, n_objects);
  for (guint32 i = 0; i < n; i++)
    {
      const struct lc_replay_thread thread = {.process = i};
      const struct lc_replay_object object = {.object = i, .object_class = LC_CLASS_THREAD, .module = LC_REPLAY_NONE};

      plan->thread_of[i] = LC_REPLAY_NONE;
      if (lc_trace_get_process (plan->trace, i)->instance != plan->instance)
        {
          plan->result->n_elsewhere += !lc_replay_plan_is_replaced (plan->trace, i, plan->instance);
          continue;
        }
      plan->thread_of[i] = plan->threads->len;
      g_array_append_val (plan->threads, thread);
      g_array_append_val (plan->objects, object);
    }
}

/* --- Writing ------------------------------------------------------------------------------------------------- */

static void
plan_write_sites (Plan *plan)
{
  for (guint32 i = 0; i < plan->header.n_sites; i++)
    {
      const LcTraceSite *site = lc_trace_get_site (plan->trace, i);
      const struct lc_replay_site written = {.offset = site->offset, .module = site->module, .site = i};

      plan_write (plan, &written, sizeof written, 1);
    }
  for (guint32 i = 0; i < plan->header.n_modules; i++)
    {
      g_autofree char *name = g_path_get_basename (lc_trace_get_module (plan->trace, i)->path);
      struct lc_replay_module module = {0};

      g_strlcpy (module.name, name, sizeof module.name);
      plan_write (plan, &module, sizeof module, 1);
    }
}

static void
plan_lay_out (Plan *plan)
{
  struct lc_replay_header *header = &plan->header;

  memcpy (header->magic, LC_REPLAY_MAGIC, sizeof header->magic);
  header->version = LC_REPLAY_VERSION;
  header->n_threads = plan->threads->len;
  header->n_objects = plan->objects->len;
  header->n_sites = lc_trace_get_n_sites (plan->trace);
  header->n_modules = lc_trace_get_n_modules (plan->trace);
  for (guint32 i = 0; i < plan->threads->len; i++)
    {
      struct lc_replay_thread *thread = &g_array_index (plan->threads, struct lc_replay_thread, i);

      thread->first = header->n_events;
      thread->is_orphan = i > 0 && lc_trace_get_process (plan->trace, thread->process)->parent == LC_TRACE_NONE;
      header->n_events += thread->n_events;
    }
  header->threads = sizeof *header;
  header->objects = header->threads + header->n_threads * sizeof (struct lc_replay_thread);
  header->sites = header->objects + header->n_objects * sizeof (struct lc_replay_object);
  header->modules = header->sites + header->n_sites * sizeof (struct lc_replay_site);
  header->events = header->modules + header->n_modules * sizeof (struct lc_replay_module);
}

static gboolean
plan_write_all (Plan *plan, const char *path, GError **error)
{
  int file = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  gboolean good;
  int reason;

  plan->file = file >= 0 ? fdopen (file, "w") : NULL;
  good = plan->file != NULL;
  if (good)
    {
      plan_write (plan, &plan->header, sizeof plan->header, 1);
      plan_write (plan, plan->threads->data, sizeof (struct lc_replay_thread), plan->threads->len);
      plan_write (plan, plan->objects->data, sizeof (struct lc_replay_object), plan->objects->len);
      plan_write_sites (plan);
      for (guint32 i = 0; i < plan->threads->len; i++)
        plan_write_events (plan, i);
      good = fflush (plan->file) == 0 && !ferror (plan->file);
    }
  reason = errno;
  if (!good)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (reason), "%s: %s", path, g_strerror (reason));
  return good;
}

/* A class that was recorded and not used must not be used now, either. */
static void
plan_add_classes (Plan *plan)
{
  plan->header.classes |= plan_recorded_classes (plan) & plan_steered (plan);
}

static gboolean
plan_write_instance (LcTrace *trace, guint32 instance, gboolean is_of_rank, const char *path, const guint64 *limits,
                     LcReplayPlan *result, GError **error)
{
  g_auto (Plan)
      plan = {.trace = trace, .instance = instance, .is_of_rank = is_of_rank, .limits = limits, .result = result};

  plan.threads = g_array_new (FALSE, FALSE, sizeof (struct lc_replay_thread));
  plan.objects = g_array_new (FALSE, FALSE, sizeof (struct lc_replay_object));
  plan.reads = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  plan.deaths = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  plan.numbered = g_hash_table_new_full (plan_hash_numbered, plan_equal_numbered, g_free, NULL);
  plan.are_below_mpi = lc_replay_plan_find_below_mpi (trace);
  plan.header.openmp = plan_find_openmp (&plan);
  plan_find_threads (&plan);
  for (guint32 i = 0; i < plan.threads->len; i++)
    plan_survey (&plan, i);
  if (!lc_replay_plan_check_read (trace, error))
    return FALSE;
  plan_add_classes (&plan);
  plan_sum_reads (&plan);
  plan_lay_out (&plan);
  for (guint32 i = 0; i < lc_trace_get_n_processes (trace) && !is_of_rank; i++)
    plan.header.replaced += lc_replay_plan_is_replaced (trace, i, instance);
  result->instance = instance;
  result->n_threads = plan.threads->len;
  result->n_events = plan.header.n_events;
  result->is_cut = plan.n_cut > 0;
  result->is_waiting = plan.n_cut > 0 && plan.n_pending == plan.n_cut;
  return plan_write_all (&plan, path, error) && lc_replay_plan_check_read (trace, error);
}

gboolean
lc_replay_plan_write_rank (LcTrace *trace, guint32 instance, const char *path, LcReplayPlan *result, GError **error)
{
  *result = (LcReplayPlan){0};
  return lc_replay_plan_check (trace, error) && plan_write_instance (trace, instance, TRUE, path, NULL, result, error);
}

gboolean
lc_replay_plan_write (LcTrace *trace, const char *path, const guint64 *limits, LcReplayPlan *result, GError **error)
{
  guint32 first, last;

  *result = (LcReplayPlan){0};
  if (!lc_replay_plan_check (trace, error))
    return FALSE;
  first = lc_trace_get_process (trace, 0)->instance;
  last = lc_replay_plan_find_last_program (trace);
  if (!plan_write_instance (trace, first, FALSE, path, limits, result, error))
    return FALSE;
  if (result->n_events > 0 || last == first)
    return TRUE;
  unlink (path);
  *result = (LcReplayPlan){0};
  return plan_write_instance (trace, last, FALSE, path, limits, result, error);
}

void
lc_replay_plan_begin (struct lc_replay_header *header, enum lc_replay_mode mode_then)
{
  struct lc_replay_thread *threads = lc_replay_plan_threads (header);
  struct lc_replay_object *objects = lc_replay_plan_objects (header);

  header->mode = LC_REPLAY_FOLLOW;
  header->mode_then = mode_then;
  header->program = header->difference = header->is_claimed = header->n_probed = header->n_told = 0;
  header->first = header->came = 0;
  for (guint32 i = 0; i < header->n_threads; i++)
    {
      threads[i].next = 0;
      threads[i].state = LC_REPLAY_UNBORN;
      threads[i].id = 0;
      threads[i].is_pending = 0;
    }
  for (guint32 i = 0; i < header->n_objects; i++)
    {
      objects[i].address = 0;
      objects[i].steps = objects[i].sleepers = 0;
    }
}
