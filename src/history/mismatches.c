/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the operations with which the members of a communicator come to each of its collective operations. */
#include "history/mismatches.h"

#include <string.h>

enum
{
  MOST_OPEN = 4096, /* operations to which not all members have come: members that are not recorded never do */
};

typedef struct
{
  guint32 object;
  gint64 sequence;
} MeetingKey;

/* An operation to which some members have come. */
typedef struct
{
  MeetingKey key;
  guint32 n;
  guint32 process; /* who came first */
  guint32 operation;
  guint64 ordinal;
} Meeting;

typedef struct
{
  LcSweepVisitor visitor;
  LcTrace *trace;
  guint8 *kinds;        /* by operation; 0: it is none of these */
  GHashTable *meetings; /* MeetingKey -> Meeting */
  GHashTable *places;   /* object and process -> place in `found`, and one more */
  GArray *found;        /* LcMismatch */
} Mismatches;

static guint
mismatches_hash_key (gconstpointer data)
{
  const MeetingKey *key = data;

  return (guint)((guint64)key->sequence * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) >> 32) ^ key->object;
}

static gboolean
mismatches_equal_keys (gconstpointer a, gconstpointer b)
{
  const MeetingKey *x = a, *y = b;

  return x->object == y->object && x->sequence == y->sequence;
}

/* The two sides of an operation with a root are one kind. */
static guint8
mismatches_find_kind (const char *name)
{
  static const char *const kinds[] = {"broadcast",   "scatter",     "reduce",  "gather",          "all-reduce",
                                      "all-gather",  "all-to-all",  "scan",    "reduce-scatter",  "communicator",
                                      "ibroadcast",  "iscatter",    "ireduce", "igather",         "iall-reduce",
                                      "iall-gather", "iall-to-all", "iscan",   "ireduce-scatter", "ibarrier"};
  const gboolean is_side = g_str_has_suffix (name, "-root") || g_str_has_suffix (name, "-recv");
  const gsize length = strlen (name) - (is_side ? strlen ("-root") : 0);

  for (guint8 i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strlen (kinds[i]) == length && strncmp (kinds[i], name, length) == 0)
      return i + 1;
  return 0;
}

static void
mismatches_tell (Mismatches *mismatches, const Meeting *meeting, const Meeting *comes)
{
  const gint64 key = (gint64)comes->key.object << 32 | comes->process;
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (mismatches->places, &key));

  if (place == 0)
    {
      const LcMismatch new = {
          .object = comes->key.object,
          .process = comes->process,
          .operation = comes->operation,
          .sequence = comes->key.sequence,
          .ordinal = comes->ordinal,
          .other = meeting->process,
          .other_ordinal = meeting->ordinal,
          .other_operation = meeting->operation,
      };

      g_array_append_val (mismatches->found, new);
      place = mismatches->found->len;
      g_hash_table_insert (mismatches->places, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (place));
    }
  g_array_index (mismatches->found, LcMismatch, place - 1).count++;
}

/* Gives the operation that the member has come to; it is a new one if this is the first. */
static Meeting *
mismatches_come (Mismatches *mismatches, const Meeting *comes)
{
  Meeting *meeting = g_hash_table_lookup (mismatches->meetings, &comes->key);

  if (meeting == NULL)
    {
      if (g_hash_table_size (mismatches->meetings) >= MOST_OPEN)
        g_hash_table_remove_all (mismatches->meetings);
      meeting = g_memdup2 (comes, sizeof *comes);
      g_hash_table_insert (mismatches->meetings, &meeting->key, meeting);
    }
  if (mismatches->kinds[comes->operation] != mismatches->kinds[meeting->operation])
    mismatches_tell (mismatches, meeting, comes);
  meeting->n++;
  return meeting;
}

static void
mismatches_visit (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Mismatches *mismatches = (Mismatches *)visitor;
  const LcTraceEvent *event = step->event;
  const Meeting comes = {{event->object, event->sequence}, 0, step->process, event->operation, step->ordinal};

  if (mismatches->kinds[event->operation] == 0 || event->object == LC_TRACE_NONE ||
      !(event->flags & LC_TRACE_EVENT_SEQUENCE) || !(event->flags & LC_TRACE_EVENT_VALUE) || event->value <= 1)
    return;
  if (mismatches_come (mismatches, &comes)->n >= (guint64)event->value)
    g_hash_table_remove (mismatches->meetings, &comes.key);
}

/* A member may have begun an operation that never ended. The first one of a communicator has no number yet. */
static void
mismatches_add_pending (Mismatches *mismatches)
{
  for (guint32 i = 0; i < lc_trace_get_n_processes (mismatches->trace); i++)
    {
      const LcTracePending *pending = &lc_trace_get_process (mismatches->trace, i)->pending;
      const guint64 events = lc_trace_count_events (mismatches->trace, i);

      if (pending->operation != LC_TRACE_NONE && mismatches->kinds[pending->operation] != 0 &&
          pending->object != LC_TRACE_NONE && events > 0)
        mismatches_come (mismatches, &(const Meeting){{pending->object, pending->has_sequence ? pending->sequence : 0},
                                                      0,
                                                      i,
                                                      pending->operation,
                                                      events - 1});
    }
}

LcSweepVisitor *
lc_mismatches_new (LcTrace *trace)
{
  const guint32 n = lc_trace_get_n_operations (trace);
  g_autofree guint8 *kinds = g_new0 (guint8, MAX (n, 1));
  gboolean has_any = FALSE;
  Mismatches *mismatches;

  for (guint32 i = 0; i < n; i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, i);

      if (operation != NULL && g_strcmp0 (operation->class_name, "collective") == 0)
        kinds[i] = mismatches_find_kind (operation->name);
      has_any = has_any || kinds[i] != 0;
    }
  if (!has_any)
    return NULL;
  mismatches = g_new0 (Mismatches, 1);
  mismatches->visitor.end = mismatches_visit;
  mismatches->trace = trace;
  mismatches->kinds = g_steal_pointer (&kinds);
  mismatches->meetings = g_hash_table_new_full (mismatches_hash_key, mismatches_equal_keys, NULL, g_free);
  mismatches->places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  mismatches->found = g_array_new (FALSE, FALSE, sizeof (LcMismatch));
  return &mismatches->visitor;
}

void
lc_mismatches_free (LcSweepVisitor *visitor)
{
  Mismatches *mismatches = (Mismatches *)visitor;

  if (mismatches == NULL)
    return;
  g_free (mismatches->kinds);
  g_hash_table_unref (mismatches->meetings);
  g_hash_table_unref (mismatches->places);
  g_array_unref (mismatches->found);
  g_free (mismatches);
}

GArray *
lc_mismatches_list (LcSweepVisitor *visitor, gboolean cut)
{
  Mismatches *mismatches = (Mismatches *)visitor;

  if (mismatches == NULL)
    return g_array_new (FALSE, FALSE, sizeof (LcMismatch));
  if (!cut)
    mismatches_add_pending (mismatches);
  return g_array_ref (mismatches->found);
}
