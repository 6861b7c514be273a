/* SPDX-License-Identifier: Apache-2.0 */
/* Many events at once: batches for folds, and columns as typed vectors. No Scheme is called while the history is being
 * read, so that whatever a script does in between leaves nothing open. */
#include <string.h>

#include "script-private.h"

/* What a fold wants to see of a process. */
typedef struct
{
  guint64 from; /* ns; events that touch what is from here to before `to` */
  guint64 to;
  const gboolean *operations; /* by number; NULL: all */
  guint32 object;             /* LC_TRACE_NONE: all */
  const LcInside *inside;     /* NULL: all */
} Filter;

static gboolean
folds_want (const Filter *filter, const LcHistoryEvent *event)
{
  return event->end >= filter->from && (filter->operations == NULL || filter->operations[event->operation]) &&
         (filter->object == LC_TRACE_NONE || event->object == filter->object) &&
         (filter->inside == NULL || lc_inside_has (filter->inside, event));
}

/* Finds the events in some regions, by number; those that were asked for last are known, as a fold asks for each batch.
 */
static const LcInside *
folds_find_inside (SCM list)
{
  LcScriptHistory *history = lc_script.current;
  gsize n = scm_to_size_t (scm_length (list)), i = 0;
  guint32 *regions = scm_gc_malloc_pointerless (MAX (n, 1) * sizeof *regions, "regions");
  GError *error = NULL;
  LcInside *inside;

  for (; scm_is_pair (list); list = scm_cdr (list))
    regions[i++] = lc_script_to_u32 (scm_car (list));
  inside = lc_inside_new (history->history, regions, (guint32)n, NULL, 0);
  if (lc_inside_equal (inside, history->inside))
    {
      lc_inside_unref (inside);
      return history->inside;
    }
  if (!lc_inside_find (inside, lc_script.cancellable, &error))
    {
      lc_inside_unref (inside);
      lc_script_throw (error);
    }
  g_clear_pointer (&history->inside, lc_inside_unref);
  history->inside = inside;
  return inside;
}

/* Reads the filter of a list: from, to, operations (a list of numbers, or #f), object (or #f), regions (a list of
 * numbers, or #f). The operations are in garbage-collected memory, as errors may be thrown past it. */
static Filter
folds_read_filter (SCM list)
{
  SCM operations = scm_caddr (list), object = scm_cadddr (list), regions = scm_list_ref (list, scm_from_int (4));
  guint32 n = lc_history_get_n_operations (lc_script.current->history);
  Filter filter = {.from = lc_script_to_u64 (scm_car (list)),
                   .to = lc_script_to_u64 (scm_cadr (list)),
                   .object = scm_is_true (object) ? lc_script_to_u32 (object) : LC_TRACE_NONE};

  if (scm_is_true (regions))
    filter.inside = folds_find_inside (regions);
  if (scm_is_false (operations))
    return filter;
  gboolean *wanted = scm_gc_malloc_pointerless (MAX (n, 1) * sizeof (gboolean), "operations");

  memset (wanted, 0, MAX (n, 1) * sizeof (gboolean));
  for (; scm_is_pair (operations); operations = scm_cdr (operations))
    wanted[scm_to_unsigned_integer (scm_car (operations), 0, n - 1)] = TRUE;
  filter.operations = wanted;
  return filter;
}

/* Finds the first event that a filter may want; `first` or a later one. */
static guint64
folds_find_first (const Filter *filter, guint32 process, guint64 first, guint64 last)
{
  LcHistory *history = lc_script.current->history;
  LcHistoryEvent event;
  GError *error = NULL;

  if (filter->from == 0 || first >= last)
    return first;
  if (!lc_history_find_event_at (history, lc_script.timeline, process, filter->from, &event, &error))
    lc_script_throw (error);
  while (event.ordinal > first && event.end >= filter->from)
    {
      /* Events that end at that very moment are more than one if they take no time. */
      if (!lc_history_get_event (history, lc_script.timeline, process, event.ordinal - 1, &event, &error))
        lc_script_throw (error);
    }
  return MAX (first, event.ordinal);
}

/* --- Batches of ordinals ------------------------------------------------------------------------------------------ */

typedef struct
{
  Filter filter;
  guint64 *ordinals;
  gsize room;
  gsize n;
  guint64 next; /* where the next batch begins */
} Batch;

static gboolean
folds_add_ordinal (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Batch *batch = data;

  if (event->begin >= batch->filter.to)
    {
      batch->next = G_MAXUINT64;
      return FALSE;
    }
  if (batch->n == batch->room)
    return FALSE;
  batch->next = event->ordinal + 1;
  if (folds_want (&batch->filter, event))
    batch->ordinals[batch->n++] = event->ordinal;
  return TRUE;
}

/* Fills a u64vector with ordinals from `first` to before `last`. Gives their number, and where to go on. */
static SCM
folds_fill (SCM vector, SCM process, SCM first, SCM last, SCM filter)
{
  LcScriptHistory *history = lc_script_get ();
  guint32 number = lc_script_to_u32 (process);
  guint64 end = lc_script_to_u64 (last);
  Batch batch = {.filter = folds_read_filter (filter)};
  scm_t_array_handle handle;
  GError *error = NULL;
  gboolean good;

  batch.next = folds_find_first (&batch.filter, number, lc_script_to_u64 (first), end);
  batch.ordinals = scm_u64vector_writable_elements (vector, &handle, &batch.room, NULL);
  good = batch.next >= end || lc_history_visit (history->history, lc_script.timeline, number, batch.next, end,
                                                folds_add_ordinal, &batch, lc_script.cancellable, &error);
  scm_array_handle_release (&handle);
  if (!good)
    lc_script_throw (error);
  return scm_cons (scm_from_size_t (batch.n), scm_from_uint64 (MIN (batch.next, end)));
}

/* --- The events of an object -------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 process;
  guint64 ordinal;
} Name;

static gboolean
folds_add_name (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Name name = {event->process, event->ordinal};

  g_array_append_val ((GArray *)data, name);
  return TRUE;
}

static int
folds_compare_names (gconstpointer a, gconstpointer b)
{
  const Name *one = a, *other = b;

  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  return one->ordinal < other->ordinal ? -1 : one->ordinal > other->ordinal;
}

/* A u64vector of process and ordinal of each event of an object, in order. */
static SCM
folds_list_object (SCM object)
{
  LcScriptHistory *history = lc_script_get ();
  guint32 number = lc_script_to_u32 (object);
  GArray *names = g_array_new (FALSE, FALSE, sizeof (Name));
  GError *error = NULL;
  gsize n;

  if (!lc_history_visit_object (history->history, lc_script.timeline, number, folds_add_name, names,
                                lc_script.cancellable, &error))
    {
      g_array_unref (names);
      lc_script_throw (error);
    }
  g_array_sort (names, folds_compare_names);
  n = names->len;
  if (n == 0)
    {
      g_array_unref (names);
      return scm_make_u64vector (SCM_INUM0, SCM_INUM0);
    }
  return scm_take_u64vector ((uint64_t *)(void *)g_array_free (names, FALSE), 2 * n);
}

/* --- Arcs --------------------------------------------------------------------------------------------------------- */

enum
{
  ARC_WORDS = 8,
};

typedef struct
{
  Filter filter;
  guint64 *words; /* of arcs: from process, from ordinal, from point, to ordinal, object, rule, to time, is basis */
  gsize room;     /* in words */
  gsize n;
  guint64 next;
} ArcBatch;

static gboolean
folds_add_arcs (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  ArcBatch *batch = data;

  if (event->begin >= batch->filter.to)
    {
      batch->next = G_MAXUINT64;
      return FALSE;
    }
  if (!folds_want (&batch->filter, event))
    {
      batch->next = event->ordinal + 1;
      return TRUE;
    }
  /* An empty batch that is not the last asks for more room. */
  if (batch->n + (gsize)event->n_arcs * ARC_WORDS > batch->room)
    return FALSE;
  batch->next = event->ordinal + 1;
  for (guint32 i = 0; i < event->n_arcs; i++)
    {
      guint64 *at = batch->words + batch->n;

      at[0] = arcs[i].process;
      at[1] = arcs[i].ordinal;
      at[2] = arcs[i].point;
      at[3] = event->ordinal;
      at[4] = event->object;
      at[5] = arcs[i].rule;
      at[6] = event->end;
      at[7] = event->basis == (gint)i;
      batch->n += ARC_WORDS;
    }
  return TRUE;
}

/* Fills a u64vector with the arcs that end at events from `first` to before `last`. */
static SCM
folds_fill_arcs (SCM vector, SCM process, SCM first, SCM last, SCM filter)
{
  LcScriptHistory *history = lc_script_get ();
  guint32 number = lc_script_to_u32 (process);
  guint64 end = lc_script_to_u64 (last);
  ArcBatch batch = {.filter = folds_read_filter (filter)};
  scm_t_array_handle handle;
  GError *error = NULL;
  gboolean good;

  batch.next = folds_find_first (&batch.filter, number, lc_script_to_u64 (first), end);
  batch.words = scm_u64vector_writable_elements (vector, &handle, &batch.room, NULL);
  good = batch.next >= end || lc_history_visit (history->history, lc_script.timeline, number, batch.next, end,
                                                folds_add_arcs, &batch, lc_script.cancellable, &error);
  scm_array_handle_release (&handle);
  if (!good)
    lc_script_throw (error);
  return scm_cons (scm_from_size_t (batch.n / ARC_WORDS), scm_from_uint64 (MIN (batch.next, end)));
}

/* The rules by number: lists of name and kind. */
static SCM
folds_list_rules (void)
{
  LcHistory *history = lc_script_get ()->history;
  SCM list = SCM_EOL;

  for (guint32 i = lc_history_get_n_rules (history); i-- > 0;)
    {
      const LcHistoryRule *rule = lc_history_get_rule (history, i);

      list = scm_cons (scm_cons (lc_script_from_text (rule->name),
                                 scm_from_utf8_symbol (rule->kind == LC_ARC_ORDER ? "order" : "data")),
                       list);
    }
  return scm_vector (list);
}

/* --- Columns ------------------------------------------------------------------------------------------------------ */

typedef enum
{
  COLUMN_ORDINAL,
  COLUMN_BEGIN,
  COLUMN_END,
  COLUMN_DURATION,
  COLUMN_WAITED,
  COLUMN_LAYER,
  COLUMN_BYTES,
  COLUMN_OPERATION,
  COLUMN_OBJECT,
  COLUMN_PEER,
  COLUMN_CPU,
  COLUMN_SEQUENCE,
  COLUMN_VALUE,
} Column;

static const char *const column_names[] = {"ordinal",   "begin",  "end",  "duration", "waited",   "layer", "bytes",
                                           "operation", "object", "peer", "cpu",      "sequence", "value"};

typedef struct
{
  Filter filter;
  const Column *columns;
  guint n_columns;
  GArray **values; /* of guint64 each */
} Columns;

/* What is not known of an event is -1. */
static guint64
folds_get_column (const LcHistoryEvent *event, Column column)
{
  switch (column)
    {
    case COLUMN_ORDINAL:
      return event->ordinal;
    case COLUMN_BEGIN:
      return event->begin;
    case COLUMN_END:
      return event->end;
    case COLUMN_DURATION:
      return event->end - event->begin;
    case COLUMN_WAITED:
      return event->waited;
    case COLUMN_LAYER:
      return event->layer;
    case COLUMN_BYTES:
      return event->flags & LC_TRACE_EVENT_BYTES ? event->bytes : G_MAXUINT64;
    case COLUMN_OPERATION:
      return event->operation;
    case COLUMN_OBJECT:
      return event->object != LC_TRACE_NONE ? event->object : G_MAXUINT64;
    case COLUMN_PEER:
      return event->peer != LC_TRACE_NONE ? event->peer : G_MAXUINT64;
    case COLUMN_CPU:
      return event->cpu != LC_CPU_UNKNOWN ? event->cpu : G_MAXUINT64;
    case COLUMN_SEQUENCE:
      return event->flags & LC_TRACE_EVENT_SEQUENCE ? (guint64)event->sequence : G_MAXUINT64;
    case COLUMN_VALUE:
      return event->flags & LC_TRACE_EVENT_VALUE ? (guint64)event->value : G_MAXUINT64;
    default:
      return 0;
    }
}

static gboolean
folds_add_columns (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Columns *columns = data;

  if (event->begin >= columns->filter.to)
    return FALSE;
  if (folds_want (&columns->filter, event))
    for (guint i = 0; i < columns->n_columns; i++)
      {
        guint64 value = folds_get_column (event, columns->columns[i]);

        g_array_append_val (columns->values[i], value);
      }
  return TRUE;
}

static SCM
folds_take_column (GArray *values)
{
  gsize n = values->len;

  if (n > 0)
    return scm_take_s64vector ((int64_t *)(void *)g_array_free (values, FALSE), n);
  g_array_unref (values);
  return scm_make_s64vector (SCM_INUM0, SCM_INUM0);
}

/* A list of s64vectors, one for each column that is named, of the events of a process. */
static SCM
folds_get_columns (SCM names, SCM process, SCM filter)
{
  LcScriptHistory *history = lc_script_get ();
  guint32 number = lc_script_to_u32 (process);
  Column wanted[G_N_ELEMENTS (column_names)];
  GArray *values[G_N_ELEMENTS (column_names)];
  Columns columns = {.filter = folds_read_filter (filter), .columns = wanted, .values = values};
  GError *error = NULL;
  guint64 first;
  gboolean good;
  SCM list = SCM_EOL;

  for (; scm_is_pair (names) && columns.n_columns < G_N_ELEMENTS (wanted); names = scm_cdr (names))
    wanted[columns.n_columns++] = (Column)scm_to_unsigned_integer (scm_car (names), 0, COLUMN_VALUE);
  first = folds_find_first (&columns.filter, number, 0, G_MAXUINT64);
  for (guint i = 0; i < columns.n_columns; i++)
    values[i] = g_array_new (FALSE, FALSE, sizeof (guint64));
  good = lc_history_visit (history->history, lc_script.timeline, number, first, G_MAXUINT64, folds_add_columns,
                           &columns, lc_script.cancellable, &error);
  for (guint i = columns.n_columns; i-- > 0;)
    list = scm_cons (folds_take_column (values[i]), list);
  if (!good)
    lc_script_throw (error);
  return list;
}

static SCM
folds_list_columns (void)
{
  SCM list = SCM_EOL;

  for (gsize i = G_N_ELEMENTS (column_names); i-- > 0;)
    list = scm_cons (scm_from_utf8_symbol (column_names[i]), list);
  return list;
}

/* The numbers of the objects that are entered. */
static SCM
folds_list_regions (void)
{
  GError *error = NULL;
  GArray *regions = lc_inside_list_regions (lc_script_get ()->history, lc_script.cancellable, &error);
  SCM list = SCM_EOL;

  if (regions == NULL)
    lc_script_throw (error);
  for (guint i = regions->len; i-- > 0;)
    list = scm_cons (scm_from_uint32 (g_array_index (regions, guint32, i)), list);
  g_array_unref (regions);
  return list;
}

void
lc_script_init_folds (void)
{
  static const LcScriptProcedure procedures[] = {
      {"%fill-ordinals!", 5, 0, (scm_t_subr)folds_fill},       {"%fill-arcs!", 5, 0, (scm_t_subr)folds_fill_arcs},
      {"%object-events", 1, 0, (scm_t_subr)folds_list_object}, {"%rules", 0, 0, (scm_t_subr)folds_list_rules},
      {"%regions", 0, 0, (scm_t_subr)folds_list_regions},      {"%columns", 3, 0, (scm_t_subr)folds_get_columns},
      {"%column-names", 0, 0, (scm_t_subr)folds_list_columns},
  };

  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}
