/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the child whose end an event has waited for: the event has its number in the system, which others may have had
 * before, and have again. */
#include "ctf.h"

typedef struct
{
  guint32 pid;
  guint32 index;     /* of the first thread of one of its programs */
  guint32 parent;    /* number in the system of who made it; 0: not known */
  gboolean has_exit; /* its end is an event */
} Child;

static int
children_compare (gconstpointer a, gconstpointer b)
{
  const Child *left = a, *right = b;

  if (left->pid != right->pid)
    return left->pid < right->pid ? -1 : 1;
  return left->index < right->index ? -1 : left->index > right->index;
}

/* A process that executes another program stays the child of who made it. */
static guint32
children_find_parent (const LcTrace *trace, const LcTraceProcess *process)
{
  const guint32 pid = process->pid;

  for (guint steps = trace->processes->len; process->parent != LC_TRACE_NONE && steps > 0; steps--)
    {
      process = &g_array_index (trace->processes, LcTraceProcess, process->parent);
      if (process->pid != pid)
        return process->pid;
    }
  return 0;
}

/* The end of who was killed while it waited is known when all others have ended, so nobody can come after that. Where
 * the process has not told its end itself, that is when it was last seen. Events of threads may not be recorded. */
static gboolean
children_has_exit (const LcTrace *trace, guint32 index)
{
  const LcCtf *ctf = trace->data;
  const LcTraceProcess *process = &g_array_index (trace->processes, LcTraceProcess, index);
  const LcCtfStream *stream = &g_array_index (ctf->by_process, LcCtfStream, index);
  LcPacketEvents events;

  if (stream->tells_exit)
    return process->account.is_own && process->pending.operation == LC_TRACE_NONE;
  if (process->state != LC_STATE_ENDED)
    return FALSE;
  lc_ctf_read_last_events (ctf, stream, &events);
  return events.last_operation == LC_EXIT;
}

/* Finds when the last thread of each address space ended. */
static GHashTable *
children_find_ends (const LcTrace *trace)
{
  GHashTable *ends = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  for (guint32 i = 0; i < trace->processes->len; i++)
    {
      const LcTraceProcess *process = &g_array_index (trace->processes, LcTraceProcess, i);
      guint64 *end = g_hash_table_lookup (ends, GUINT_TO_POINTER (process->instance));

      if (end == NULL)
        g_hash_table_insert (ends, GUINT_TO_POINTER (process->instance), end = g_new0 (guint64, 1));
      *end = MAX (*end, process->end);
    }
  return ends;
}

/* A first thread that others outlive is not what the parent waits for. */
static gboolean
children_is_last (GHashTable *ends, const LcTraceProcess *process)
{
  const guint64 *end = g_hash_table_lookup (ends, GUINT_TO_POINTER (process->instance));

  return end != NULL && *end <= process->end;
}

void
lc_ctf_find_children (LcTrace *trace)
{
  LcCtf *ctf = trace->data;
  g_autoptr (GHashTable) ends = children_find_ends (trace);
  guint32 first = LC_TRACE_NONE;

  ctf->children = g_array_new (FALSE, FALSE, sizeof (Child));
  for (guint32 i = 0; i < trace->processes->len; i++)
    {
      const LcTraceProcess *process = &g_array_index (trace->processes, LcTraceProcess, i);

      first = first == LC_TRACE_NONE ? process->pid : first;
      if (process->pid == 0 || process->pid != process->thread || process->pid == first)
        continue;
      g_array_append_val (ctf->children, ((Child){process->pid, i, children_find_parent (trace, process),
                                                  children_is_last (ends, process) && children_has_exit (trace, i)}));
    }
  g_array_sort (ctf->children, children_compare);
}

/* Returns the last of the programs that the child has executed until then; NULL: it was not recorded. */
static const Child *
children_find (const LcTrace *trace, guint32 pid, guint64 until)
{
  const LcCtf *ctf = trace->data;
  const Child *found = NULL;
  guint low = 0, high = ctf->children->len;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (g_array_index (ctf->children, Child, middle).pid < pid)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < ctf->children->len; low++)
    {
      const Child *child = &g_array_index (ctf->children, Child, low);

      if (child->pid != pid || g_array_index (trace->processes, LcTraceProcess, child->index).begin > until)
        break;
      found = child;
    }
  return found;
}

guint32
lc_ctf_find_child (const LcTrace *trace, guint32 parent, const LcTraceEvent *event)
{
  const Child *child =
      event->value > 0 && event->value <= G_MAXINT32 ? children_find (trace, (guint32)event->value, event->end) : NULL;

  /* A child that has stopped, or goes on, ends later. */
  if (child == NULL || !child->has_exit ||
      g_array_index (trace->processes, LcTraceProcess, child->index).end > event->end)
    return LC_TRACE_NONE;
  if (child->parent != 0 && child->parent != g_array_index (trace->processes, LcTraceProcess, parent).pid)
    return LC_TRACE_NONE;
  return child->index;
}
