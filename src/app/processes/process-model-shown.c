/* SPDX-License-Identifier: Apache-2.0 */
/* The list of processes: the shown ones, and moving processes within the list. */
#include <string.h>

#include "app/processes/process-model-private.h"

static guint32
process_model_shown_get_process (const LcProcessModel *model, guint place)
{
  return g_array_index (model->order, guint32, place);
}

static void
process_model_shown_tick (LcProcessModel *model, guint32 process, gboolean ticked)
{
  LcProcessItem *item = _lc_process_model_get_item (model, process);
  guint n_shown = ticked ? 1 : 0;

  if (item->n_shown == n_shown)
    return;
  item->n_shown = n_shown;
  lc_process_item_changed (item);
}

/* Marks, by process, those that are among the items or belong to a heading among them. */
static gboolean *
find_meant (const LcProcessModel *model, const GPtrArray *items)
{
  gboolean *meant = g_new0 (gboolean, MAX (model->items->len, 1));

  for (guint i = 0; i < items->len; i++)
    {
      const LcProcessItem *item = g_ptr_array_index (items, i);

      if (!lc_process_item_is_heading (item))
        meant[item->process] = TRUE;
      else
        for (guint32 process = 0; process < model->items->len; process++)
          meant[process] |= _lc_process_model_get_item (model, process)->group == item->group;
    }
  return meant;
}

/* Shows the ticked processes, and forgets the processes shown before a solo. */
static void
tick_all (LcProcessModel *model, const gboolean *ticked)
{
  for (guint32 process = 0; process < model->items->len; process++)
    process_model_shown_tick (model, process, ticked[process]);
  g_clear_pointer (&model->unsoloed, g_free);
  _lc_process_model_update (model);
}

static gboolean *
dup_ticked (const LcProcessModel *model)
{
  gboolean *ticked = g_new0 (gboolean, MAX (model->items->len, 1));

  for (guint32 process = 0; process < model->items->len; process++)
    ticked[process] = _lc_process_model_get_item (model, process)->n_shown > 0;
  return ticked;
}

void
lc_process_model_set_ticked (LcProcessModel *model, const GPtrArray *items, gboolean ticked)
{
  g_autofree gboolean *meant = find_meant (model, items), *after = dup_ticked (model);

  for (guint32 process = 0; process < model->items->len; process++)
    if (meant[process])
      after[process] = ticked;
  tick_all (model, after);
}

void
lc_process_model_tick_all (LcProcessModel *model, gboolean ticked)
{
  g_autofree gboolean *after = g_new (gboolean, MAX (model->items->len, 1));

  for (guint32 process = 0; process < model->items->len; process++)
    after[process] = ticked;
  tick_all (model, after);
}

void
lc_process_model_invert (LcProcessModel *model)
{
  g_autofree gboolean *after = dup_ticked (model);

  for (guint32 process = 0; process < model->items->len; process++)
    after[process] = !after[process];
  tick_all (model, after);
}

void
lc_process_model_solo (LcProcessModel *model, const GPtrArray *items)
{
  g_autofree gboolean *meant = find_meant (model, items), *before = dup_ticked (model);
  g_autofree gboolean *unsoloed = g_steal_pointer (&model->unsoloed);

  if (memcmp (meant, before, sizeof *meant * model->items->len) != 0)
    {
      tick_all (model, meant);
      model->unsoloed = unsoloed != NULL ? g_steal_pointer (&unsoloed) : g_steal_pointer (&before);
    }
  else if (unsoloed != NULL)
    tick_all (model, unsoloed);
  else
    lc_process_model_tick_all (model, TRUE);
}

gboolean
lc_process_model_tick_found (LcProcessModel *model)
{
  g_autofree gboolean *after = g_new (gboolean, MAX (model->items->len, 1));
  gboolean any = FALSE;

  for (guint32 process = 0; process < model->items->len; process++)
    {
      after[process] = _lc_process_model_fits (model, _lc_process_model_get_item (model, process));
      any |= after[process];
    }
  if (any)
    tick_all (model, after);
  return any;
}

void
lc_process_model_set_collapsed (LcProcessModel *model, LcProcessItem *heading, gboolean collapsed)
{
  heading->collapsed = collapsed;
  _lc_process_model_update (model);
}

void
lc_process_model_collapse_all (LcProcessModel *model, gboolean collapsed)
{
  for (guint i = 0; model->headings != NULL && i < model->headings->len; i++)
    ((LcProcessItem *)g_ptr_array_index (model->headings, i))->collapsed = collapsed;
  _lc_process_model_update (model);
}

guint32
lc_process_model_get_n_shown (const LcProcessModel *model)
{
  guint32 n = 0;

  for (guint32 process = 0; process < model->items->len; process++)
    n += _lc_process_model_get_item (model, process)->n_shown;
  return n;
}

/* --- Places ------------------------------------------------------------------------------------------------------ */

static void
move_headings (LcProcessModel *model, guint from, guint to)
{
  LcProcessItem *heading = g_ptr_array_steal_index (model->headings, from);

  g_ptr_array_insert (model->headings, (int)to, heading);
  for (guint i = 0; i < model->items->len; i++)
    {
      LcProcessItem *item = _lc_process_model_get_item (model, i);

      if (item->group == from)
        item->group = to;
      else if (from < to && item->group > from && item->group <= to)
        item->group--;
      else if (to < from && item->group >= to && item->group < from)
        item->group++;
    }
  for (guint i = 0; i < model->headings->len; i++)
    ((LcProcessItem *)g_ptr_array_index (model->headings, i))->group = i;
}

/* Moves the process at `from` to `to`; those in between move by one place. */
static void
move_one (LcProcessModel *model, guint from, guint to)
{
  guint32 process = process_model_shown_get_process (model, from);

  g_array_remove_index (model->order, from);
  g_array_insert_val (model->order, to, process);
}

static gboolean
same_group (const LcProcessModel *model, guint a, guint b)
{
  return _lc_process_model_get_item (model, process_model_shown_get_process (model, a))->group ==
         _lc_process_model_get_item (model, process_model_shown_get_process (model, b))->group;
}

/* Moves processes by one place. Adjacent ones stay adjacent, and stop together at the end of their group. */
static gboolean
move_processes (LcProcessModel *model, const gboolean *meant, int by)
{
  guint n = model->order->len;
  gboolean moved = FALSE;

  for (guint i = 1; i < n; i++)
    {
      guint place = by < 0 ? i : n - 1 - i, other = place + (guint)by;

      if (!meant[process_model_shown_get_process (model, place)] ||
          meant[process_model_shown_get_process (model, other)] || !same_group (model, place, other))
        continue;
      move_one (model, place, other);
      moved = TRUE;
    }
  return moved;
}

gboolean
lc_process_model_move (LcProcessModel *model, const GPtrArray *items, int by)
{
  const LcProcessItem *first = items->len > 0 ? g_ptr_array_index (items, 0) : NULL;
  gboolean moved = FALSE;

  if (first != NULL && lc_process_item_is_heading (first))
    {
      gint64 to = (gint64)first->group + by;

      moved = to >= 0 && to < model->headings->len;
      if (moved)
        move_headings (model, first->group, (guint)to);
    }
  else if (first != NULL)
    {
      g_autofree gboolean *meant = find_meant (model, items);

      moved = move_processes (model, meant, by);
    }
  if (!moved)
    return FALSE;
  model->sort = LC_PROCESS_SORT_OWN;
  _lc_process_model_update (model);
  return TRUE;
}

static void
gather_at (LcProcessModel *model, const gboolean *meant, guint32 target, gboolean after)
{
  GArray *order = g_array_sized_new (FALSE, FALSE, sizeof (guint32), model->order->len);
  GArray *moving = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < model->order->len; i++)
    if (meant[process_model_shown_get_process (model, i)])
      g_array_append_val (moving, g_array_index (model->order, guint32, i));
  for (guint i = 0; i < model->order->len; i++)
    {
      guint32 process = process_model_shown_get_process (model, i);

      if (process == target && !after)
        g_array_append_vals (order, moving->data, moving->len);
      if (!meant[process])
        g_array_append_val (order, process);
      if (process == target && after)
        g_array_append_vals (order, moving->data, moving->len);
    }
  g_array_unref (moving);
  g_array_unref (model->order);
  model->order = order;
}

void
lc_process_model_move_to (LcProcessModel *model, const GPtrArray *items, LcProcessItem *target, gboolean after)
{
  const LcProcessItem *first = items->len > 0 ? g_ptr_array_index (items, 0) : NULL;

  if (first == NULL || first == target)
    return;
  if (lc_process_item_is_heading (first))
    {
      guint to = target->group;

      if (after && to < first->group)
        to++;
      else if (!after && to > first->group)
        to--;
      if (to == first->group)
        return;
      move_headings (model, first->group, to);
    }
  else if (!lc_process_item_is_heading (target))
    {
      g_autofree gboolean *meant = find_meant (model, items);

      gather_at (model, meant, target->process, after);
    }
  model->sort = LC_PROCESS_SORT_OWN;
  _lc_process_model_update (model);
}

/* --- Exchange with the shown choices ----------------------------------------------------------------------------- */

static gboolean
is_collapsed (const LcProcessModel *model, const LcProcessItem *item)
{
  return model->headings != NULL &&
         ((const LcProcessItem *)g_ptr_array_index (model->headings, item->group))->collapsed;
}

void
lc_process_model_fill (const LcProcessModel *model, LcShown *shown)
{
  g_autoptr (GArray) processes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 none = 0, group = LC_TRACE_NONE;

  for (guint i = 0; i < model->order->len; i++)
    {
      guint32 process = process_model_shown_get_process (model, i);
      const LcProcessItem *item = _lc_process_model_get_item (model, process);

      if (item->n_shown == 0)
        continue;
      if (ends->len > 0 && is_collapsed (model, item) && item->group == group)
        g_array_index (ends, guint32, ends->len - 1)++;
      else
        {
          guint32 end = processes->len + 1;

          g_array_append_val (ends, end);
        }
      g_array_append_val (processes, process);
      group = item->group;
    }
  lc_shown_set_processes (shown, processes->len > 0 ? (gconstpointer)processes->data : &none, processes->len);
  if (ends->len < processes->len)
    lc_shown_set_row_ends (shown, (gconstpointer)ends->data, ends->len);
}

/* Takes over the order of the shown processes; each hidden process stays behind the one it was behind. */
static void
adopt_order (LcProcessModel *model, const LcShown *shown)
{
  GArray *order = g_array_sized_new (FALSE, FALSE, sizeof (guint32), model->order->len);
  g_autofree guint *places = g_new0 (guint, MAX (model->order->len, 1));
  guint i = 0;

  for (guint place = 0; place < model->order->len; place++)
    places[process_model_shown_get_process (model, place)] = place;
  for (; i < model->order->len &&
         _lc_process_model_get_item (model, process_model_shown_get_process (model, i))->n_shown == 0;
       i++)
    g_array_append_val (order, g_array_index (model->order, guint32, i));
  for (guint32 row = 0; row < shown->selection.n_processes; row++)
    {
      guint place = places[shown->selection.processes[row]];

      do
        g_array_append_val (order, g_array_index (model->order, guint32, place));
      while (++place < model->order->len &&
             _lc_process_model_get_item (model, process_model_shown_get_process (model, place))->n_shown == 0);
    }
  g_array_unref (model->order);
  model->order = order;
}

static gboolean
has_order (const LcProcessModel *model, const LcShown *shown)
{
  guint32 row = 0;

  for (guint i = 0; i < model->order->len; i++)
    {
      guint32 process = process_model_shown_get_process (model, i);

      if (_lc_process_model_get_item (model, process)->n_shown == 0)
        continue;
      if (row == shown->selection.n_processes || shown->selection.processes[row] != process)
        return FALSE;
      row++;
    }
  return row == shown->selection.n_processes;
}

/* Takes over which groups are collapsed. A group with at most one shown process looks the same both ways, and is left
 * as it is. */
static void
adopt_collapsed (LcProcessModel *model, const LcShown *shown)
{
  g_autofree guint *n_rows = g_new0 (guint, model->headings->len + 1),
                   *n_shown = g_new0 (guint, model->headings->len + 1);

  for (guint32 row = 0; row < lc_shown_get_n_rows (shown); row++)
    {
      guint32 n;
      const guint32 *processes = lc_shown_get_row (shown, row, &n);

      for (guint32 i = 0; i < n; i++)
        {
          guint32 group = _lc_process_model_get_item (model, processes[i])->group;

          n_rows[group] += i == 0;
          n_shown[group]++;
        }
    }
  for (guint i = 0; i < model->headings->len; i++)
    if (n_shown[i] > 1)
      ((LcProcessItem *)g_ptr_array_index (model->headings, i))->collapsed = n_rows[i] == 1;
}

void
lc_process_model_follow (LcProcessModel *model, const LcShown *shown)
{
  g_autofree gboolean *ticked = g_new0 (gboolean, MAX (model->items->len, 1)), *before = dup_ticked (model);

  for (guint32 i = 0; i < shown->selection.n_processes; i++)
    ticked[shown->selection.processes[i]] = TRUE;
  for (guint32 process = 0; process < model->items->len; process++)
    process_model_shown_tick (model, process, ticked[process]);
  if (memcmp (ticked, before, sizeof *ticked * model->items->len) != 0)
    g_clear_pointer (&model->unsoloed, g_free);
  if (!has_order (model, shown))
    {
      adopt_order (model, shown);
      model->sort = LC_PROCESS_SORT_OWN;
    }
  if (model->headings != NULL)
    adopt_collapsed (model, shown);
  _lc_process_model_update (model);
}
