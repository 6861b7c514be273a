/* SPDX-License-Identifier: Apache-2.0 */
/* Runs with inputs of several sizes: the amounts of their parts. */
#include "sizes-private.h"
#include "work-parts.h"

static void
sizes_free_class (gpointer data)
{
  LcSizesClass *class = data;

  g_hash_table_unref (class->parts);
  g_free (class->name);
  g_free (class);
}

static void
sizes_free_part (gpointer data)
{
  LcSizesPart *part = data;

  g_free (part->processes);
  g_free (part->operation);
  g_free (part->class_name);
  g_free (part->site);
  g_array_unref (part->amounts);
  g_free (part);
}

static void
sizes_clear_run (gpointer data)
{
  g_array_unref (((LcSizesRun *)data)->predicted);
}

LcSizes *
lc_sizes_new (const guint32 *processors, guint n_processors, guint64 quantum)
{
  LcSizes *sizes = g_new0 (LcSizes, 1);
  const guint32 one = 1;

  sizes->processors = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (sizes->processors, one);
  if (n_processors > 0)
    g_array_append_vals (sizes->processors, processors, n_processors);
  sizes->quantum = quantum;
  sizes->runs = g_array_new (FALSE, FALSE, sizeof (LcSizesRun));
  g_array_set_clear_func (sizes->runs, sizes_clear_run);
  sizes->parts = g_ptr_array_new_with_free_func (sizes_free_part);
  sizes->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return sizes;
}

void
lc_sizes_free (LcSizes *sizes)
{
  if (sizes == NULL)
    return;
  g_array_unref (sizes->processors);
  g_array_unref (sizes->runs);
  g_ptr_array_unref (sizes->parts);
  g_hash_table_unref (sizes->by_key);
  g_free (sizes);
}

/* --- Parts ------------------------------------------------------------------------------------------------------ */

/* Rank 3 thread 12 and rank 0 thread 1 are both "rank * thread *". Free with g_free. */
static char *
sizes_name_class (const char *name)
{
  GString *text = g_string_new (NULL);

  for (const char *c = name; *c != '\0'; c++)
    if (!g_ascii_isdigit (*c))
      g_string_append_c (text, *c);
    else if (c == name || !g_ascii_isdigit (c[-1]))
      g_string_append_c (text, '*');
  return g_string_free (text, FALSE);
}

static LcSizesClass *
sizes_find_class (LcSizesAdding *adding, guint32 process)
{
  g_autofree char *name = NULL;
  LcSizesClass *class;

  if (adding->classed[process] != NULL)
    return adding->classed[process];
  name = sizes_name_class (lc_history_get_process (adding->history, process)->name);
  class = g_hash_table_lookup (adding->classes, name);
  if (class == NULL)
    {
      class = g_new0 (LcSizesClass, 1);
      class->name = g_steal_pointer (&name);
      class->parts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      g_hash_table_insert (adding->classes, class->name, class);
    }
  adding->classed[process] = class;
  return class;
}

static LcSizesPart *
sizes_find_part (LcSizesAdding *adding, const LcSizesClass *class, const LcHistoryEvent *event, guint32 group)
{
  const LcHistoryOperation *operation = lc_history_get_operation (adding->history, event->operation);
  const char *name = operation != NULL ? operation->name : "", *kind = operation != NULL ? operation->class_name : "";
  const char *site = group == 0 ? NULL : lc_site_groups_get_name (adding->groups, group);
  g_autofree char *key = g_strjoin ("\n", class->name, name, kind, site != NULL ? site : "", NULL);
  LcSizesPart *part = g_hash_table_lookup (adding->sizes->by_key, key);

  if (part != NULL)
    return part;
  part = g_new0 (LcSizesPart, 1);
  part->processes = g_strdup (class->name);
  part->operation = g_strdup (name);
  part->class_name = g_strdup (kind);
  part->site = g_strdup (site);
  part->amounts = g_array_new (FALSE, TRUE, sizeof (LcSizesAmount));
  g_ptr_array_add (adding->sizes->parts, part);
  g_hash_table_insert (adding->sizes->by_key, g_steal_pointer (&key), part);
  return part;
}

/* The run that is being added comes after all that have been. */
LcSizesAmount *
lc_sizes_get_amount (LcSizesAdding *adding, const LcHistoryEvent *event)
{
  const guint32 group = lc_site_groups_find (adding->groups, event->stack);
  const guint64 key = (guint64)event->operation << 32 | group;
  LcSizesClass *class = sizes_find_class (adding, event->process);
  LcSizesPart *part = g_hash_table_lookup (class->parts, &key);
  const guint run = adding->sizes->runs->len;

  if (part == NULL)
    {
      part = sizes_find_part (adding, class, event, group);
      g_hash_table_insert (class->parts, g_memdup2 (&key, sizeof key), part);
    }
  if (part->amounts->len <= run)
    g_array_set_size (part->amounts, run + 1);
  return &g_array_index (part->amounts, LcSizesAmount, run);
}

/* --- Events ----------------------------------------------------------------------------------------------------- */

/* A thread that another one has made computes from then on, any other process from when on it is followed. */
static gboolean
sizes_find_start (LcSizesAdding *adding, const LcHistoryEvent *event, const LcHistoryArcEnd *arcs)
{
  if (event->ordinal > 0 || event->n_arcs == 0)
    return TRUE;
  return lc_history_walk_get_time (adding->walk, arcs->process, arcs->ordinal, arcs->point, &adding->last_end,
                                   &adding->error);
}

static gboolean
sizes_add_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  LcSizesAdding *adding = data;
  LcSizesAmount *amount = lc_sizes_get_amount (adding, event);
  const LcWorkParts parts = lc_work_parts_of (event, event->n_arcs > 0 || (event->flags & LC_HISTORY_EVENT_GROUP));
  guint64 gap, preempted = 0;

  if (!sizes_find_start (adding, event, arcs))
    return FALSE;
  gap = event->begin > adding->last_end ? event->begin - adding->last_end : 0;
  if ((event->ordinal > 0 || event->n_arcs == 0) &&
      !lc_preempted_sum (adding->preempted, event->process, adding->last_end, event->begin, &preempted, &adding->error))
    return FALSE;
  amount->events++;
  amount->computing += gap - MIN (gap, preempted) + parts.own;
  amount->waiting += parts.waited + parts.rest;
  adding->last_end = event->end;
  return TRUE;
}

static gboolean
sizes_add_processes (LcSizesAdding *adding, GCancellable *cancellable)
{
  const guint32 n = lc_history_get_n_processes (adding->history);
  g_autofree guint64 *begins = g_new0 (guint64, n + 1), *ends = g_new0 (guint64, n + 1);

  if (!lc_history_get_process_spans (adding->history, adding->timeline, begins, ends, &adding->error))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      adding->last_end = begins[i];
      if (!lc_history_visit (adding->history, adding->timeline, i, 0, G_MAXUINT64, sizes_add_event, adding, cancellable,
                             &adding->error) ||
          adding->error != NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
sizes_add_events (LcSizes *sizes, LcHistory *history, guint32 timeline, guint64 span, GCancellable *cancellable,
                  GError **error)
{
  g_autofree LcSizesClass **classed = g_new0 (LcSizesClass *, lc_history_get_n_processes (history) + 1);
  g_autoptr (GHashTable) classes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, sizes_free_class);
  g_autoptr (LcHistoryWalk) walk = NULL;
  g_autoptr (LcSiteGroups) groups = NULL;
  g_autoptr (LcPreempted) preempted = lc_preempted_new (history, timeline, cancellable);
  LcSizesAdding adding = {.sizes = sizes,
                          .history = history,
                          .timeline = timeline,
                          .preempted = preempted,
                          .classes = classes,
                          .classed = classed};

  if (!lc_history_read_places (history, error) ||
      (walk = lc_history_walk_new (history, timeline, LC_WALK_ARCS, cancellable, error)) == NULL)
    return FALSE;
  adding.walk = walk;
  adding.groups = groups = lc_site_groups_new (history, LC_SITES_BY_SITE);
  if (sizes_add_processes (&adding, cancellable) && lc_sizes_add_path (&adding, span, cancellable))
    return TRUE;
  g_propagate_error (error, adding.error);
  return FALSE;
}

gboolean
lc_sizes_add (LcSizes *sizes, double size, LcHistory *history, guint32 timeline, GCancellable *cancellable,
              GError **error)
{
  const LcPredictOptions how = {.timeline = timeline,
                                .processors = &g_array_index (sizes->processors, guint32, 0),
                                .n_processors = sizes->processors->len,
                                .quantum = sizes->quantum,
                                .cancellable = cancellable};
  g_autoptr (LcPrediction) prediction = NULL;
  LcSizesRun run = {.size = size};

  g_return_val_if_fail (size >= 1, FALSE);
  prediction = lc_predict (history, &how, error);
  if (prediction == NULL || !sizes_add_events (sizes, history, timeline, prediction->span, cancellable, error))
    return FALSE;
  run.processes = prediction->processes;
  run.total = prediction->total;
  run.work = prediction->work;
  run.span = prediction->span;
  run.rests = prediction->rests;
  run.predicted = g_array_ref (prediction->predicted);
  g_array_append_val (sizes->runs, run);
  for (guint i = 0; i < sizes->parts->len; i++)
    g_array_set_size (((LcSizesPart *)g_ptr_array_index (sizes->parts, i))->amounts, sizes->runs->len);
  return TRUE;
}
