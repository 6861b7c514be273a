/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a run that its program has marked: one pass over the marks of each process gives spans of ordinals. */
#include "lightcone/inside.h"

#include <string.h>

typedef struct
{
  guint64 first; /* ordinals, both included */
  guint64 last;
} Span;

struct _LcInside
{
  LcHistory *history;
  guint32 n_regions;
  guint32 n_tags;
  guint32 *regions;
  gint64 *tags;

  /* The result. */
  GMutex lock;
  GArray *spans; /* Span, by process and ordinal, without overlaps; NULL: not searched yet */
  guint *firsts; /* by process: index of its first span; one more entry than processes */
};

/* The state of the pass, at one process. */
typedef struct
{
  const LcInside *inside;
  guint32 enter; /* operations; LC_TRACE_NONE: the trace has none */
  guint32 leave;
  guint32 tag;
  gboolean *wanted; /* by object */
  GArray *entered;  /* guint32: objects, the innermost last */
  guint n_wanted;   /* how many of `entered` are wanted */
  gboolean tagged;  /* the process's last tag has one of the values */
  GArray *spans;
  gboolean open; /* the last span is still open */
  LcHistoryWalk *walk;
  GError *error;
} Pass;

/* --- The marks asked for ----------------------------------------------------------------------------------------- */

LcInside *
lc_inside_new (LcHistory *history, const guint32 *regions, guint32 n_regions, const gint64 *tags, guint32 n_tags)
{
  LcInside *inside = g_atomic_rc_box_new0 (LcInside);

  inside->history = history;
  inside->n_regions = n_regions;
  inside->n_tags = n_tags;
  inside->regions = g_memdup2 (regions, sizeof *regions * n_regions);
  inside->tags = g_memdup2 (tags, sizeof *tags * n_tags);
  g_mutex_init (&inside->lock);
  return inside;
}

LcInside *
lc_inside_ref (LcInside *inside)
{
  return g_atomic_rc_box_acquire (inside);
}

static void
inside_clear (LcInside *inside)
{
  g_free (inside->regions);
  g_free (inside->tags);
  g_free (inside->firsts);
  g_clear_pointer (&inside->spans, g_array_unref);
  g_mutex_clear (&inside->lock);
}

void
lc_inside_unref (LcInside *inside)
{
  g_atomic_rc_box_release_full (inside, (GDestroyNotify)inside_clear);
}

const guint32 *
lc_inside_get_regions (const LcInside *inside, guint32 *n_regions)
{
  *n_regions = inside->n_regions;
  return inside->regions;
}

const gint64 *
lc_inside_get_tags (const LcInside *inside, guint32 *n_tags)
{
  *n_tags = inside->n_tags;
  return inside->tags;
}

gboolean
lc_inside_equal (const LcInside *a, const LcInside *b)
{
  if (a == b || a == NULL || b == NULL)
    return a == b;
  return a->n_regions == b->n_regions && a->n_tags == b->n_tags &&
         (a->n_regions == 0 || memcmp (a->regions, b->regions, sizeof *a->regions * a->n_regions) == 0) &&
         (a->n_tags == 0 || memcmp (a->tags, b->tags, sizeof *a->tags * a->n_tags) == 0);
}

/* --- Searching --------------------------------------------------------------------------------------------------- */

static guint32
inside_find_operation (LcHistory *history, const char *name)
{
  for (guint32 i = 0; i < lc_history_get_n_operations (history); i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      if (operation != NULL && g_strcmp0 (operation->class_name, "mark") == 0 && strcmp (operation->name, name) == 0)
        return i;
    }
  return LC_TRACE_NONE;
}

static void
leave_region (Pass *pass, guint32 object)
{
  guint depth = pass->entered->len;

  while (depth > 0 && g_array_index (pass->entered, guint32, depth - 1) != object)
    depth--;
  if (depth == 0)
    return;
  for (guint i = depth - 1; i < pass->entered->len; i++)
    pass->n_wanted -= pass->wanted[g_array_index (pass->entered, guint32, i)] != FALSE;
  g_array_set_size (pass->entered, depth - 1);
}

static gboolean
read_tag (Pass *pass, const LcHistoryEvent *mark)
{
  LcHistoryEvent event;

  if (!lc_history_walk_get (pass->walk, mark->process, mark->ordinal, &event, NULL, &pass->error))
    return FALSE;
  pass->tagged = FALSE;
  for (guint32 i = 0; i < pass->inside->n_tags && (event.flags & LC_TRACE_EVENT_VALUE) != 0 && !pass->tagged; i++)
    pass->tagged = pass->inside->tags[i] == event.value;
  return TRUE;
}

/* Begins a span at this ordinal, or reopens the previous one if that has just ended. */
static void
begin_span (Pass *pass, guint first_of_process, guint64 ordinal)
{
  Span span = {ordinal, G_MAXUINT64};
  Span *before = pass->spans->len > first_of_process ? &g_array_index (pass->spans, Span, pass->spans->len - 1) : NULL;

  pass->open = TRUE;
  if (before != NULL && before->last + 1 >= ordinal)
    before->last = G_MAXUINT64;
  else
    g_array_append_val (pass->spans, span);
}

/* Ends the open span. An event that leaves a region is in the span; a tag that replaces another one is not. */
static void
end_span (Pass *pass, guint64 last)
{
  Span *span = &g_array_index (pass->spans, Span, pass->spans->len - 1);

  pass->open = FALSE;
  span->last = MAX (span->first, last);
}

typedef struct
{
  Pass *pass;
  guint first_span; /* index of the process's first span */
} Marks;

static gboolean
visit_mark (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  const Marks *marks = data;
  Pass *pass = marks->pass;
  gboolean is_leave = event->operation == pass->leave;

  if (event->operation == pass->tag && !read_tag (pass, event))
    return FALSE;
  if (event->operation == pass->enter && event->object != LC_TRACE_NONE)
    {
      g_array_append_val (pass->entered, event->object);
      pass->n_wanted += pass->wanted[event->object] != FALSE;
    }
  else if (is_leave && event->object != LC_TRACE_NONE)
    leave_region (pass, event->object);
  if (!pass->open && (pass->n_wanted > 0 || pass->tagged))
    begin_span (pass, marks->first_span, event->ordinal);
  else if (pass->open && pass->n_wanted == 0 && !pass->tagged)
    end_span (pass, is_leave ? event->ordinal : event->ordinal - 1);
  return TRUE;
}

static gboolean
inside_look_through (Pass *pass, guint32 process, const gboolean *operations, GCancellable *cancellable, GError **error)
{
  Marks marks = {pass, pass->spans->len};

  g_array_set_size (pass->entered, 0);
  pass->n_wanted = 0;
  pass->tagged = pass->open = FALSE;
  if (!lc_history_visit_operations (pass->inside->history, LC_TIMELINE_MEASURED, process, operations, visit_mark,
                                    &marks, cancellable, error))
    return FALSE;
  if (pass->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&pass->error));
  return FALSE;
}

static gboolean *
list_marks (const Pass *pass)
{
  gboolean *operations = g_new0 (gboolean, lc_history_get_n_operations (pass->inside->history) + 1);

  for (guint i = 0; i < 2; i++)
    {
      guint32 edge = i == 0 ? pass->enter : pass->leave;

      if (edge != LC_TRACE_NONE && pass->inside->n_regions > 0)
        operations[edge] = TRUE;
    }
  if (pass->tag != LC_TRACE_NONE && pass->inside->n_tags > 0)
    operations[pass->tag] = TRUE;
  return operations;
}

static gboolean *
list_wanted (const LcInside *inside)
{
  guint32 n = lc_history_get_n_objects (inside->history);
  gboolean *wanted = g_new0 (gboolean, MAX (n, 1));

  for (guint32 i = 0; i < inside->n_regions; i++)
    if (inside->regions[i] < n)
      wanted[inside->regions[i]] = TRUE;
  return wanted;
}

static gboolean
inside_look (LcInside *inside, GCancellable *cancellable, GError **error)
{
  LcHistory *history = inside->history;
  guint32 n = lc_history_get_n_processes (history);
  g_autofree gboolean *wanted = list_wanted (inside);
  g_autoptr (GArray) entered = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (Span));
  g_autoptr (LcHistoryWalk) walk = lc_history_walk_new (history, LC_TIMELINE_MEASURED, LC_WALK_ALL, cancellable, error);
  g_autofree guint *firsts = g_new0 (guint, (gsize)n + 1);
  Pass pass = {.inside = inside,
               .enter = inside_find_operation (history, "enter"),
               .leave = inside_find_operation (history, "leave"),
               .tag = inside_find_operation (history, "tag"),
               .wanted = wanted,
               .entered = entered,
               .spans = spans,
               .walk = walk};
  g_autofree gboolean *operations = list_marks (&pass);

  if (walk == NULL)
    return FALSE;
  for (guint32 process = 0; process < n; process++)
    {
      if (!inside_look_through (&pass, process, operations, cancellable, error))
        return FALSE;
      firsts[process + 1] = spans->len;
    }
  inside->firsts = g_steal_pointer (&firsts);
  inside->spans = g_steal_pointer (&spans);
  return TRUE;
}

gboolean
lc_inside_find (LcInside *inside, GCancellable *cancellable, GError **error)
{
  gboolean found;

  g_mutex_lock (&inside->lock);
  found = inside->spans != NULL || inside_look (inside, cancellable, error);
  g_mutex_unlock (&inside->lock);
  return found;
}

/* --- The spans --------------------------------------------------------------------------------------------------- */

static const Span *
get_spans (const LcInside *inside, guint32 process, guint *n)
{
  guint first = inside->firsts[process];

  *n = inside->firsts[process + 1] - first;
  return (const Span *)(const void *)inside->spans->data + first;
}

gboolean
lc_inside_has (const LcInside *inside, const LcHistoryEvent *event)
{
  guint low = 0, high;
  const Span *spans = get_spans (inside, event->origin_process, &high);

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (event->origin_ordinal > spans[middle].last)
        low = middle + 1;
      else if (event->origin_ordinal < spans[middle].first)
        high = middle;
      else
        return TRUE;
    }
  return FALSE;
}

void
lc_inside_narrow (const LcInside *inside, guint32 process, guint64 *first, guint64 *last)
{
  guint n;
  const Span *spans = get_spans (inside, process, &n);

  if (n == 0)
    {
      *last = *first;
      return;
    }
  *first = MAX (*first, spans[0].first);
  if (spans[n - 1].last < G_MAXUINT64)
    *last = MIN (*last, spans[n - 1].last + 1);
  *last = MAX (*first, *last);
}

/* --- Regions ----------------------------------------------------------------------------------------------------- */

static gboolean
note_region (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  if (event->object != LC_TRACE_NONE)
    ((gboolean *)data)[event->object] = TRUE;
  return TRUE;
}

GArray *
lc_inside_list_regions (LcHistory *history, GCancellable *cancellable, GError **error)
{
  guint32 enter = inside_find_operation (history, "enter"), n = lc_history_get_n_objects (history);
  g_autofree gboolean *operations = g_new0 (gboolean, lc_history_get_n_operations (history) + 1);
  g_autofree gboolean *entered = g_new0 (gboolean, MAX (n, 1));
  GArray *regions;

  if (enter != LC_TRACE_NONE)
    operations[enter] = TRUE;
  for (guint32 i = 0; enter != LC_TRACE_NONE && i < lc_history_get_n_processes (history); i++)
    if (!lc_history_visit_operations (history, LC_TIMELINE_MEASURED, i, operations, note_region, entered, cancellable,
                                      error))
      return NULL;
  regions = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < n; i++)
    if (entered[i])
      g_array_append_val (regions, i);
  return regions;
}
