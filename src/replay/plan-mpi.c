/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the plan of a replay of an MPI program: what each rank did, and which message it got. */
#include "lightcone/replay-mpi.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plan.h"
#include "trace/operations.h"

#define ORDERING \
  (1u << LC_CLASS_MUTEX | 1u << LC_CLASS_CREW | 1u << LC_CLASS_ADVANCE | 1u << LC_CLASS_SEMAPHORE | \
   1u << LC_CLASS_CONDITION | 1u << LC_CLASS_BARRIER | 1u << LC_CLASS_CHANNEL | 1u << LC_CLASS_FUTEX | \
   1u << LC_CLASS_TEAM | 1u << LC_CLASS_TASK)

typedef struct
{
  LcTrace *trace;
  LcReplayMpiPlan *result;
  struct lc_replay_mpi_header header;
  GArray *ranks;      /* struct lc_replay_mpi_rank */
  GArray *objects;    /* struct lc_replay_mpi_object */
  guint32 *object_of; /* by object of the trace: its number among these, or LC_REPLAY_NONE */
  gboolean *is_mpi;   /* by object of the trace */
  FILE *file;
} MpiPlan;

static void
mpi_plan_clear (MpiPlan *plan)
{
  g_clear_pointer (&plan->ranks, g_array_unref);
  g_clear_pointer (&plan->objects, g_array_unref);
  g_free (plan->object_of);
  g_free (plan->is_mpi);
  if (plan->file != NULL)
    fclose (plan->file);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MpiPlan, mpi_plan_clear)

/* --- Objects -------------------------------------------------------------------------------------------------- */

static int
mpi_plan_compare (gconstpointer a, gconstpointer b)
{
  const struct lc_replay_mpi_object *first = a, *second = b;

  if (first->object_class != second->object_class)
    return first->object_class < second->object_class ? -1 : 1;
  return strcmp (first->name, second->name);
}

/* Reads the sender and the tag from "0>3:7" or "0>3:7@world.1". */
static void
mpi_plan_read_channel (struct lc_replay_mpi_object *object)
{
  guint from, to;
  int tag, length = 0;

  if (object->object_class != LC_CLASS_CHANNEL || sscanf (object->name, "%u>%u:%d%n", &from, &to, &tag, &length) != 3)
    return;
  object->is_message = object->name[length] == '\0' || object->name[length] == '@';
  object->from = from;
  object->tag = tag;
}

static void
mpi_plan_find_objects (MpiPlan *plan)
{
  const guint32 n = lc_trace_get_n_objects (plan->trace);

  plan->object_of = g_new (guint32, MAX (n, 1));
  plan->is_mpi = g_new0 (gboolean, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    {
      struct lc_replay_mpi_object added = {.object = i};
      LcTraceObject object;

      plan->object_of[i] = LC_REPLAY_NONE;
      lc_trace_get_object (plan->trace, i, &object);
      if (object.kind != LC_KIND_MPI || object.name == NULL)
        continue;
      plan->is_mpi[i] = TRUE;
      if (strlen (object.name) >= sizeof added.name)
        continue;
      g_strlcpy (added.name, object.name, sizeof added.name);
      added.object_class = object.object_class;
      mpi_plan_read_channel (&added);
      g_array_append_val (plan->objects, added);
    }
  g_array_sort (plan->objects, mpi_plan_compare);
  for (guint32 i = 0; i < plan->objects->len; i++)
    plan->object_of[g_array_index (plan->objects, struct lc_replay_mpi_object, i).object] = i;
}

/* --- Events --------------------------------------------------------------------------------------------------- */

/* Messages whose channel was never known are those of operations that only MPI has. Nothing of class io has a turn. */
static gboolean
mpi_plan_has (const MpiPlan *plan, const LcTraceEvent *event)
{
  const enum lc_class class = lc_operations[event->operation].operation_class;

  if (class == LC_CLASS_IO)
    return FALSE;
  if (event->object != LC_TRACE_NONE && class != LC_CLASS_THREAD)
    return plan->object_of[event->object] != LC_REPLAY_NONE;
  switch ((int)event->operation)
    {
    case LC_RECV:
    case LC_IRECV:
    case LC_COMPLETE:
    case LC_TEST_FAILED:
    case LC_PROBE:
    case LC_PROBE_FAILED:
      return TRUE;
    default:
      return FALSE;
    }
}

/* All events of one call but the first take no time. */
static gboolean
mpi_plan_is_joined (const LcTraceEvent *event, guint64 end)
{
  return event->begin == end && event->end == end;
}

/* Other calls begin later than the one before has ended. */
static guint16
mpi_plan_get_flags (const LcTraceEvent *event, guint64 end)
{
  return (mpi_plan_is_joined (event, end) ? LC_REPLAY_MPI_JOINED : 0) |
         (event->begin == end ? LC_REPLAY_MPI_SAME_CALL : 0) |
         ((event->flags & LC_TRACE_EVENT_BLIND) != 0 ? LC_REPLAY_MPI_BLIND : 0);
}

static void
mpi_plan_count_free (MpiPlan *plan, const LcTraceEvent *event)
{
  const enum lc_class class = lc_operations[event->operation].operation_class;

  if (event->object != LC_TRACE_NONE && class != LC_CLASS_THREAD && plan->is_mpi[event->object])
    return;
  if ((ORDERING >> class & 1) == 0)
    return;
  plan->result->n_free++;
  plan->result->free_classes |= 1u << class;
}

static gboolean
mpi_plan_is_window (const LcTraceEvent *event)
{
  return event->operation == LC_PUT || event->operation == LC_GET || event->operation == LC_ACCUMULATE ||
         lc_operations[event->operation].operation_class == LC_CLASS_CREW;
}

/* Counts what a process has of MPI. */
static guint64
mpi_plan_survey (MpiPlan *plan, guint32 process)
{
  g_autoptr (LcTraceCursor) cursor = lc_trace_cursor_open (plan->trace, process);
  guint64 n = 0;
  LcTraceBatch batch;

  while (lc_trace_cursor_next (cursor, &batch))
    for (gsize i = 0; i < batch.n_events; i++)
      if (mpi_plan_has (plan, &batch.events[i]))
        {
          n++;
          plan->result->n_windows += mpi_plan_is_window (&batch.events[i]);
        }
      else
        mpi_plan_count_free (plan, &batch.events[i]);
  return n;
}

static void
mpi_plan_write (MpiPlan *plan, const void *data, gsize size, gsize count)
{
  if (count > 0)
    fwrite (data, size, count, plan->file); /* errors are asked for at the end */
}

static guint64
mpi_plan_count_tries (const LcTraceEvent *event)
{
  const gboolean is_row = lc_operation_counts_tests (event->operation) && (event->flags & LC_EVENT_CONTENDED) != 0;

  return is_row && (event->flags & LC_TRACE_EVENT_VALUE) != 0 ? (guint64)MAX (event->value, 1) : 1;
}

static void
mpi_plan_write_events (MpiPlan *plan, const struct lc_replay_mpi_rank *rank)
{
  g_autoptr (LcTraceCursor) cursor = NULL;
  guint64 end = G_MAXUINT64;
  LcTraceBatch batch;

  if (rank->n_events == 0)
    return;
  cursor = lc_trace_cursor_open (plan->trace, rank->process);
  while (lc_trace_cursor_next (cursor, &batch))
    for (gsize i = 0; i < batch.n_events; i++)
      {
        const LcTraceEvent *event = &batch.events[i];
        const struct lc_replay_mpi_event written = {
            .operation = event->operation,
            .flags = mpi_plan_get_flags (event, end),
            .object = event->object != LC_TRACE_NONE ? plan->object_of[event->object] : LC_REPLAY_NONE,
            .sequence = (guint64)event->sequence,
            .ordinal = batch.first_ordinal + i,
            .tries = mpi_plan_count_tries (event)};

        end = event->end;
        if (mpi_plan_has (plan, event))
          mpi_plan_write (plan, &written, sizeof written, 1);
      }
}

/* --- Ranks ---------------------------------------------------------------------------------------------------- */

static guint32
mpi_plan_get_rank (const MpiPlan *plan, guint32 process)
{
  const guint32 rank = lc_trace_get_process (plan->trace, process)->rank;

  return rank <= G_MAXINT32 / 1024 ? rank : LC_TRACE_NONE;
}

static struct lc_replay_mpi_rank
mpi_plan_make_rank (const MpiPlan *plan, guint32 process, guint32 number, guint64 n_events)
{
  return (struct lc_replay_mpi_rank){.process = process,
                                     .number = number,
                                     .n_events = n_events,
                                     .is_cut = lc_trace_get_process (plan->trace, process)->state != LC_STATE_ENDED};
}

/* The first thread that has used MPI is the rank, or the first one at all. */
static void
mpi_plan_set_rank (MpiPlan *plan, guint32 process, guint32 number, guint64 n_events)
{
  static const struct lc_replay_mpi_rank nobody = {.process = LC_REPLAY_NONE};
  struct lc_replay_mpi_rank *rank;

  while (plan->ranks->len <= number)
    g_array_append_val (plan->ranks, nobody);
  rank = &g_array_index (plan->ranks, struct lc_replay_mpi_rank, number);
  if (rank->process == LC_REPLAY_NONE || (rank->n_events == 0 && n_events > 0))
    *rank = mpi_plan_make_rank (plan, process, number, n_events);
}

/* Each thread of a rank has a history, perhaps an empty one, if several of them have used MPI. */
static void
mpi_plan_add_threads (MpiPlan *plan, const guint64 *n_events)
{
  g_autofree guint32 *users = g_new0 (guint32, plan->ranks->len + 1);

  for (guint32 i = 0; i < lc_trace_get_n_processes (plan->trace); i++)
    if (mpi_plan_get_rank (plan, i) != LC_TRACE_NONE)
      users[mpi_plan_get_rank (plan, i)] += n_events[i] > 0;
  for (guint32 i = 0; i < lc_trace_get_n_processes (plan->trace); i++)
    {
      const guint32 number = mpi_plan_get_rank (plan, i);
      struct lc_replay_mpi_rank added;

      if (number == LC_TRACE_NONE || users[number] < 2 ||
          g_array_index (plan->ranks, struct lc_replay_mpi_rank, number).process == i)
        continue;
      added = mpi_plan_make_rank (plan, i, number, n_events[i]);
      g_array_append_val (plan->ranks, added);
    }
}

static void
mpi_plan_find_ranks (MpiPlan *plan)
{
  const guint32 n = lc_trace_get_n_processes (plan->trace);
  g_autofree guint64 *n_events = g_new0 (guint64, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    {
      n_events[i] = mpi_plan_survey (plan, i);
      if (mpi_plan_get_rank (plan, i) != LC_TRACE_NONE)
        mpi_plan_set_rank (plan, i, mpi_plan_get_rank (plan, i), n_events[i]);
    }
  plan->header.n_numbers = plan->ranks->len;
  mpi_plan_add_threads (plan, n_events);
  for (guint32 i = 0; i < plan->ranks->len; i++)
    {
      struct lc_replay_mpi_rank *rank = &g_array_index (plan->ranks, struct lc_replay_mpi_rank, i);

      rank->first = plan->header.n_events;
      plan->header.n_events += rank->n_events;
      plan->result->is_cut |= rank->is_cut;
    }
}

gboolean
lc_replay_mpi_has_ranks (LcTrace *trace)
{
  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    if (lc_trace_get_process (trace, i)->rank != LC_TRACE_NONE)
      return TRUE;
  return FALSE;
}

/* --- Writing -------------------------------------------------------------------------------------------------- */

static void
mpi_plan_lay_out (MpiPlan *plan)
{
  struct lc_replay_mpi_header *header = &plan->header;

  memcpy (header->magic, LC_REPLAY_MPI_MAGIC, sizeof header->magic);
  header->version = LC_REPLAY_MPI_VERSION;
  header->n_ranks = plan->ranks->len;
  header->n_objects = plan->objects->len;
  header->ranks = sizeof *header;
  header->objects = header->ranks + header->n_ranks * sizeof (struct lc_replay_mpi_rank);
  header->events = header->objects + header->n_objects * sizeof (struct lc_replay_mpi_object);
  header->events += -header->events % sizeof (guint64);
}

static gboolean
mpi_plan_write_all (MpiPlan *plan, const char *path, GError **error)
{
  static const char padding[sizeof (guint64)];
  const struct lc_replay_mpi_header *header = &plan->header;
  int file = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), reason;
  gboolean good;

  plan->file = file >= 0 ? fdopen (file, "w") : NULL;
  good = plan->file != NULL;
  if (good)
    {
      mpi_plan_write (plan, header, sizeof *header, 1);
      mpi_plan_write (plan, plan->ranks->data, sizeof (struct lc_replay_mpi_rank), plan->ranks->len);
      mpi_plan_write (plan, plan->objects->data, sizeof (struct lc_replay_mpi_object), plan->objects->len);
      mpi_plan_write (plan, padding,
                      header->events - header->objects - header->n_objects * sizeof (struct lc_replay_mpi_object), 1);
      for (guint32 i = 0; i < plan->ranks->len; i++)
        mpi_plan_write_events (plan, &g_array_index (plan->ranks, struct lc_replay_mpi_rank, i));
      good = fflush (plan->file) == 0 && !ferror (plan->file);
    }
  reason = errno;
  if (!good)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (reason), "%s: %s", path, g_strerror (reason));
  return good;
}

gboolean
lc_replay_mpi_plan_write (LcTrace *trace, const char *path, LcReplayMpiPlan *result, GError **error)
{
  g_auto (MpiPlan) plan = {.trace = trace, .result = result};

  *result = (LcReplayMpiPlan){0};
  if (!lc_replay_plan_check (trace, error))
    return FALSE;
  plan.ranks = g_array_new (FALSE, FALSE, sizeof (struct lc_replay_mpi_rank));
  plan.objects = g_array_new (FALSE, FALSE, sizeof (struct lc_replay_mpi_object));
  mpi_plan_find_objects (&plan);
  mpi_plan_find_ranks (&plan);
  if (!lc_replay_plan_check_read (trace, error))
    return FALSE;
  mpi_plan_lay_out (&plan);
  result->n_ranks = plan.header.n_numbers;
  result->n_events = plan.header.n_events;
  return mpi_plan_write_all (&plan, path, error) && lc_replay_plan_check_read (trace, error);
}

struct lc_replay_mpi_header *
lc_replay_mpi_plan_map (const char *path, GError **error)
{
  int file = open (path, O_RDWR | O_CLOEXEC), reason;
  struct lc_replay_mpi_header *plan = MAP_FAILED;
  struct stat status;

  if (file >= 0 && fstat (file, &status) == 0)
    plan = mmap (NULL, (gsize)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  reason = errno;
  if (plan == MAP_FAILED)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (reason), "%s: %s", path, g_strerror (reason));
  if (file >= 0)
    close (file);
  return plan != MAP_FAILED ? plan : NULL;
}

void
lc_replay_mpi_plan_begin (struct lc_replay_mpi_header *header, enum lc_replay_mode mode_then)
{
  struct lc_replay_mpi_rank *ranks = lc_replay_mpi_ranks (header);

  header->mode = LC_REPLAY_FOLLOW;
  header->mode_then = mode_then;
  header->differs = 0;
  memset (header->worlds, 0, sizeof header->worlds);
  for (guint32 i = 0; i < header->n_ranks; i++)
    {
      ranks[i].next = ranks[i].calls = 0;
      ranks[i].limit = G_MAXUINT64;
      ranks[i].state = LC_REPLAY_MPI_UNBORN;
      ranks[i].pid = ranks[i].thread = ranks[i].is_leaving = 0;
      ranks[i].difference = ranks[i].suspected = LC_REPLAY_SAME;
    }
}
