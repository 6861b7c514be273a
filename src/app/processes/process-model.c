/* SPDX-License-Identifier: Apache-2.0 */
/* The list of processes of a history: its items, its order, and its groups. */
#include "app/processes/process-model-private.h"

#include <string.h>

#include "lightcone/groups.h"

static void process_model_init_list_model (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (LcProcessModel, lc_process_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, process_model_init_list_model))

static void
lc_process_model_finalize (GObject *object)
{
  LcProcessModel *model = LC_PROCESS_MODEL (object);

  g_ptr_array_unref (model->items);
  g_array_unref (model->order);
  g_clear_pointer (&model->headings, g_ptr_array_unref);
  g_ptr_array_unref (model->listed);
  g_free (model->text);
  g_free (model->folded);
  g_free (model->unsoloed);
  G_OBJECT_CLASS (lc_process_model_parent_class)->finalize (object);
}

static void
lc_process_model_class_init (LcProcessModelClass *class)
{
  G_OBJECT_CLASS (class)->finalize = lc_process_model_finalize;
}

static void
lc_process_model_init (LcProcessModel *model)
{
  model->items = g_ptr_array_new_with_free_func (g_object_unref);
  model->order = g_array_new (FALSE, FALSE, sizeof (guint32));
  model->listed = g_ptr_array_new_with_free_func (g_object_unref);
  model->sort = LC_PROCESS_SORT_NUMBER;
}

LcProcessModel *
lc_process_model_new (void)
{
  return g_object_new (LC_TYPE_PROCESS_MODEL, NULL);
}

LcProcessItem *
_lc_process_model_get_item (const LcProcessModel *model, guint32 process)
{
  return g_ptr_array_index (model->items, process);
}

/* --- The list model ---------------------------------------------------------------------------------------------- */

static GType
process_model_get_item_type (GListModel *list)
{
  return LC_TYPE_PROCESS_ITEM;
}

static guint
process_model_get_n_items (GListModel *list)
{
  return LC_PROCESS_MODEL (list)->listed->len;
}

static gpointer
process_model_get_item (GListModel *list, guint place)
{
  LcProcessModel *model = LC_PROCESS_MODEL (list);

  return place < model->listed->len ? g_object_ref (g_ptr_array_index (model->listed, place)) : NULL;
}

static void
process_model_init_list_model (GListModelInterface *interface)
{
  interface->get_item_type = process_model_get_item_type;
  interface->get_n_items = process_model_get_n_items;
  interface->get_item = process_model_get_item;
}

/* Replaces the listed items by one change that covers the first to the last difference. */
static void
process_model_list (LcProcessModel *model, GPtrArray *listed)
{
  g_autoptr (GPtrArray) before = model->listed;
  guint least = MIN (before->len, listed->len), first = 0, last = 0;

  model->listed = listed;
  while (first < least && before->pdata[first] == listed->pdata[first])
    first++;
  while (last < least - first && before->pdata[before->len - 1 - last] == listed->pdata[listed->len - 1 - last])
    last++;
  if (before->len != listed->len || first < least)
    g_list_model_items_changed (G_LIST_MODEL (model), first, before->len - first - last, listed->len - first - last);
}

/* --- Listed items ------------------------------------------------------------------------------------------------ */

gboolean
_lc_process_model_fits (const LcProcessModel *model, const LcProcessItem *item)
{
  const LcProcessItem *heading;

  if (model->folded == NULL || strstr (item->folded, model->folded) != NULL)
    return TRUE;
  heading = model->headings != NULL ? g_ptr_array_index (model->headings, item->group) : NULL;
  return heading != NULL && strstr (heading->folded, model->folded) != NULL;
}

static void
process_model_relist (LcProcessModel *model)
{
  GPtrArray *listed = g_ptr_array_new_with_free_func (g_object_unref);
  guint32 group = LC_TRACE_NONE;

  for (guint i = 0; i < model->order->len; i++)
    {
      LcProcessItem *item = _lc_process_model_get_item (model, g_array_index (model->order, guint32, i));
      LcProcessItem *heading = model->headings != NULL ? g_ptr_array_index (model->headings, item->group) : NULL;

      if (!_lc_process_model_fits (model, item))
        continue;
      if (heading != NULL && item->group != group)
        g_ptr_array_add (listed, g_object_ref (heading));
      group = item->group;
      if (heading == NULL || !heading->collapsed || model->folded != NULL)
        g_ptr_array_add (listed, g_object_ref (item));
    }
  process_model_list (model, listed);
}

/* --- Groups ------------------------------------------------------------------------------------------------------ */

/* Brings the members of each group together: groups in their own order, members in their previous order. */
static void
bring_together (LcProcessModel *model)
{
  GArray *order = g_array_sized_new (FALSE, FALSE, sizeof (guint32), model->order->len);
  g_autofree guint *starts = g_new0 (guint, model->headings->len + 1);

  for (guint i = 0; i < model->order->len; i++)
    starts[_lc_process_model_get_item (model, g_array_index (model->order, guint32, i))->group + 1]++;
  for (guint i = 0; i < model->headings->len; i++)
    starts[i + 1] += starts[i];
  g_array_set_size (order, model->order->len);
  for (guint i = 0; i < model->order->len; i++)
    {
      guint32 process = g_array_index (model->order, guint32, i);

      g_array_index (order, guint32, starts[_lc_process_model_get_item (model, process)->group]++) = process;
    }
  g_array_unref (model->order);
  model->order = order;
}

static void
count_members (LcProcessModel *model)
{
  for (guint i = 0; i < model->headings->len; i++)
    {
      LcProcessItem *heading = g_ptr_array_index (model->headings, i);

      heading->n_members = heading->n_shown = 0;
      heading->events = heading->span = heading->waiting = 0;
      heading->known = TRUE;
      heading->marked = FALSE;
    }
  for (guint i = 0; i < model->items->len; i++)
    {
      const LcProcessItem *item = g_ptr_array_index (model->items, i);
      LcProcessItem *heading = g_ptr_array_index (model->headings, item->group);

      heading->n_members++;
      heading->n_shown += item->n_shown;
      heading->events += item->events;
      heading->span += item->span;
      heading->waiting += item->waiting;
      heading->known &= item->known;
      heading->marked |= item->marked && heading->collapsed;
    }
  for (guint i = 0; i < model->headings->len; i++)
    lc_process_item_changed (g_ptr_array_index (model->headings, i));
}

void
_lc_process_model_update (LcProcessModel *model)
{
  if (model->headings != NULL)
    {
      bring_together (model);
      count_members (model);
    }
  process_model_relist (model);
}

static void
add_heading (LcProcessModel *model, const LcGroups *groups, guint32 group)
{
  guint32 first = group > 0 ? groups->row_ends[group - 1] : 0;

  g_ptr_array_add (model->headings, lc_process_item_new_heading (group, groups->names[group]));
  for (guint32 i = first; i < groups->row_ends[group]; i++)
    _lc_process_model_get_item (model, groups->processes[i])->group = group;
}

void
lc_process_model_group (LcProcessModel *model, LcProcessGrouping grouping)
{
  g_autoptr (LcGroups) groups = NULL;

  model->grouping = grouping;
  g_clear_pointer (&model->headings, g_ptr_array_unref);
  for (guint i = 0; i < model->items->len; i++)
    _lc_process_model_get_item (model, i)->group = LC_TRACE_NONE;
  if (grouping != LC_PROCESS_GROUPING_NONE && model->history != NULL)
    {
      groups = grouping == LC_PROCESS_GROUPING_HOST ? lc_groups_by_host (model->history, NULL, 0)
                                                    : lc_groups_by_prefix (model->history, NULL, 0);
      model->headings = g_ptr_array_new_with_free_func (g_object_unref);
      for (guint32 group = 0; group < groups->n_groups; group++)
        add_heading (model, groups, group);
    }
  _lc_process_model_resort (model);
}

/* --- Order ------------------------------------------------------------------------------------------------------- */

static int
process_model_compare_numbers (guint64 a, guint64 b)
{
  return a < b ? -1 : a > b;
}

static int
process_model_compare_shares (double a, double b)
{
  return a < b ? -1 : a > b;
}

static int
process_model_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const LcProcessModel *model = data;
  const LcProcessItem *first = _lc_process_model_get_item (model, *(const guint32 *)a);
  const LcProcessItem *second = _lc_process_model_get_item (model, *(const guint32 *)b);
  int order = 0;

  switch (model->sort)
    {
    case LC_PROCESS_SORT_OWN:
    case LC_PROCESS_SORT_NUMBER:
      break;
    case LC_PROCESS_SORT_NAME:
      order = strcmp (first->name_key, second->name_key);
      break;
    case LC_PROCESS_SORT_WAITING:
      order = process_model_compare_shares (lc_process_item_get_share (first), lc_process_item_get_share (second));
      break;
    case LC_PROCESS_SORT_BEGIN:
      order = process_model_compare_numbers (first->begin, second->begin);
      break;
    case LC_PROCESS_SORT_EVENTS:
      order = process_model_compare_numbers (first->events, second->events);
      break;
    }
  if (order == 0)
    order = process_model_compare_numbers (first->process, second->process);
  return model->descending ? -order : order;
}

void
_lc_process_model_resort (LcProcessModel *model)
{
  if (model->sort != LC_PROCESS_SORT_OWN)
    g_array_sort_with_data (model->order, process_model_compare, model);
  _lc_process_model_update (model);
}

void
lc_process_model_sort (LcProcessModel *model, LcProcessSort sort, gboolean descending)
{
  model->sort = sort;
  model->descending = descending;
  _lc_process_model_resort (model);
}

LcProcessSort
lc_process_model_get_sort (const LcProcessModel *model)
{
  return model->sort;
}

/* --- The history ------------------------------------------------------------------------------------------------- */

void
lc_process_model_set_history (LcProcessModel *model, const LcHistory *history)
{
  guint32 n = history != NULL ? lc_history_get_n_processes (history) : 0;

  model->history = history;
  g_clear_pointer (&model->unsoloed, g_free);
  g_clear_pointer (&model->headings, g_ptr_array_unref);
  g_ptr_array_set_size (model->items, 0);
  g_array_set_size (model->order, 0);
  for (guint32 i = 0; i < n; i++)
    {
      g_ptr_array_add (model->items, lc_process_item_new (lc_history_get_process (history, i)));
      g_array_append_val (model->order, i);
    }
  if (model->sort == LC_PROCESS_SORT_OWN)
    model->sort = LC_PROCESS_SORT_NUMBER;
  lc_process_model_group (model, model->grouping);
}

void
lc_process_model_set_waiting (LcProcessModel *model, const GArray *waiting)
{
  for (guint i = 0; i < model->items->len; i++)
    {
      LcProcessItem *item = _lc_process_model_get_item (model, i);

      item->known = waiting != NULL && i < waiting->len;
      item->span = item->known ? g_array_index (waiting, LcWaitingStatistics, i).span : 0;
      item->waiting = item->known ? g_array_index (waiting, LcWaitingStatistics, i).waiting : 0;
      lc_process_item_changed (item);
    }
  if (model->sort == LC_PROCESS_SORT_WAITING && waiting != NULL)
    _lc_process_model_resort (model);
  else
    _lc_process_model_update (model);
}

void
lc_process_model_set_text (LcProcessModel *model, const char *text)
{
  g_autofree char *clean = g_strstrip (g_strdup (text != NULL ? text : ""));

  g_free (model->text);
  g_free (model->folded);
  model->folded = *clean != '\0' ? g_utf8_casefold (clean, -1) : NULL;
  model->text = g_steal_pointer (&clean);
  process_model_relist (model);
}

const char *
lc_process_model_get_text (const LcProcessModel *model)
{
  return model->text != NULL ? model->text : "";
}

void
lc_process_model_mark (LcProcessModel *model, guint32 process)
{
  for (guint i = 0; i < model->items->len; i++)
    {
      LcProcessItem *item = _lc_process_model_get_item (model, i);

      if (item->marked == (i == process))
        continue;
      item->marked = i == process;
      lc_process_item_changed (item);
    }
  if (model->headings != NULL)
    count_members (model);
}

gboolean
lc_process_model_is_of (const LcProcessModel *model, guint32 process, const LcProcessItem *item)
{
  if (lc_process_item_is_heading (item))
    return _lc_process_model_get_item (model, process)->group == item->group;
  return item->process == process;
}

gboolean
lc_process_model_find (const LcProcessModel *model, guint32 process, guint *place)
{
  if (process >= model->items->len)
    return FALSE;
  return g_ptr_array_find (model->listed, _lc_process_model_get_item (model, process), place);
}
