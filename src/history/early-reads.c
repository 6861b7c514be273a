/* SPDX-License-Identifier: Apache-2.0 */
/* Finds events that read a version of their object from before the first version that any event made. */
#include "lightcone/early-reads.h"

#include <string.h>

/* The effect of an operation on the versions of its object. */
typedef struct
{
  gboolean reads, makes;
  gint64 first; /* the first version that is made */
} Effect;

typedef struct
{
  guint32 process;
  guint64 ordinal;
} Writer;

typedef struct
{
  LcSweepVisitor visitor;
  LcTrace *trace;
  Effect *effects;     /* by operation */
  GHashTable *reads;   /* object and process -> LcEarlyRead */
  GHashTable *writers; /* object -> Writer of the first version */
} EarlyReads;

static gboolean
is_judged (const EarlyReads *early, guint32 object)
{
  LcTraceObject described;

  lc_trace_get_object (early->trace, object, &described);
  return described.address == 0 || described.kind == LC_KIND_LIBRARY;
}

static void
note_read (EarlyReads *early, const LcSweepStep *step)
{
  const gint64 key = (gint64)step->event->object << 32 | step->process;
  LcEarlyRead *read = g_hash_table_lookup (early->reads, &key);

  if (read == NULL)
    {
      const LcEarlyRead new = {step->event->object,    step->process,
                               step->event->operation, step->event->sequence,
                               step->ordinal,          0,
                               LC_TRACE_NONE,          0};

      read = g_memdup2 (&new, sizeof new);
      g_hash_table_insert (early->reads, g_memdup2 (&key, sizeof key), read);
    }
  read->count++;
}

static void
early_reads_visit (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  EarlyReads *early = (EarlyReads *)visitor;
  const LcTraceEvent *event = step->event;
  const Effect *effect = &early->effects[event->operation];

  if (event->object == LC_TRACE_NONE || !(event->flags & LC_TRACE_EVENT_SEQUENCE))
    return;
  if (effect->makes && event->sequence == effect->first &&
      !g_hash_table_contains (early->writers, GUINT_TO_POINTER (event->object)))
    {
      const Writer writer = {step->process, step->ordinal};

      g_hash_table_insert (early->writers, GUINT_TO_POINTER (event->object), g_memdup2 (&writer, sizeof writer));
    }
  if (effect->reads && event->sequence < effect->first && is_judged (early, event->object))
    note_read (early, step);
}

/* In a data arc between equal sequence numbers, the event at `to` reads the version that the event at `from` makes. */
static void
early_reads_add_arc (EarlyReads *early, const LcRules *rules, const LcArcRule *arc)
{
  gint64 first = lc_rules_get_class (rules, arc->class_name)->first;

  if (arc->kind != LC_ARC_DATA || arc->step != 0 || arc->counted || first <= 0)
    return;
  for (guint32 i = 0; i < lc_trace_get_n_operations (early->trace); i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (early->trace, i);
      gboolean reads = operation != NULL && strcmp (operation->name, arc->to) == 0;
      gboolean makes = operation != NULL && strcmp (operation->name, arc->from) == 0;

      if (!reads && !makes)
        continue;
      early->effects[i].first = first;
      early->effects[i].reads |= reads;
      early->effects[i].makes |= makes;
    }
}

LcSweepVisitor *
lc_early_reads_new (LcTrace *trace, const LcRules *rules)
{
  EarlyReads *early = g_new0 (EarlyReads, 1);
  const GPtrArray *arcs = lc_rules_get_arcs (rules);

  early->visitor.end = early_reads_visit;
  early->trace = trace;
  early->effects = g_new0 (Effect, MAX (lc_trace_get_n_operations (trace), 1));
  early->reads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  early->writers = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint i = 0; i < arcs->len; i++)
    early_reads_add_arc (early, rules, arcs->pdata[i]);
  return &early->visitor;
}

void
lc_early_reads_free (LcSweepVisitor *visitor)
{
  EarlyReads *early = (EarlyReads *)visitor;

  g_free (early->effects);
  g_hash_table_unref (early->reads);
  g_hash_table_unref (early->writers);
  g_free (early);
}

static gint
early_reads_compare (gconstpointer a, gconstpointer b)
{
  const LcEarlyRead *x = a, *y = b;

  if (x->object != y->object)
    return x->object < y->object ? -1 : 1;
  return x->process < y->process ? -1 : x->process > y->process;
}

GArray *
lc_early_reads_list (LcSweepVisitor *visitor)
{
  EarlyReads *early = (EarlyReads *)visitor;
  GArray *list = g_array_new (FALSE, FALSE, sizeof (LcEarlyRead));
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, early->reads);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      LcEarlyRead read = *(LcEarlyRead *)value;
      const Writer *writer = g_hash_table_lookup (early->writers, GUINT_TO_POINTER (read.object));

      if (writer == NULL)
        continue;
      read.writer = writer->process;
      read.writer_ordinal = writer->ordinal;
      g_array_append_val (list, read);
    }
  g_array_sort (list, early_reads_compare);
  return list;
}
