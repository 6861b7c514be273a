/* SPDX-License-Identifier: Apache-2.0 */
/* The list model of a page of the filter panel. Only the visible ones of many entries become objects. */
#include "app/filters/filter-model.h"

struct _LcFilterModel
{
  GObject parent;

  GPtrArray *entries; /* of LcFilterEntry, or NULL */
  GArray *found;      /* of guint32, or NULL */
  guint8 *states;     /* of all entries */
};

static void filter_model_init_list_model (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE (LcFilterItem, lc_filter_item, G_TYPE_OBJECT)
G_DEFINE_FINAL_TYPE_WITH_CODE (LcFilterModel, lc_filter_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, filter_model_init_list_model))

static guint states_changed;

/* --- Items ------------------------------------------------------------------------------------------------------- */

static void
lc_filter_item_finalize (GObject *object)
{
  g_ptr_array_unref (LC_FILTER_ITEM (object)->entries);
  G_OBJECT_CLASS (lc_filter_item_parent_class)->finalize (object);
}

static void
lc_filter_item_class_init (LcFilterItemClass *class)
{
  G_OBJECT_CLASS (class)->finalize = lc_filter_item_finalize;
}

static void
lc_filter_item_init (LcFilterItem *item)
{
}

const LcFilterEntry *
lc_filter_item_get_entry (const LcFilterItem *item)
{
  return g_ptr_array_index (item->entries, item->number);
}

/* --- The list model ---------------------------------------------------------------------------------------------- */

static GType
filter_model_get_item_type (GListModel *list)
{
  return LC_TYPE_FILTER_ITEM;
}

static guint
filter_model_get_n_items (GListModel *list)
{
  LcFilterModel *model = LC_FILTER_MODEL (list);

  return model->found != NULL ? model->found->len : 0;
}

static gpointer
filter_model_get_item (GListModel *list, guint place)
{
  LcFilterModel *model = LC_FILTER_MODEL (list);
  LcFilterItem *item;

  if (place >= filter_model_get_n_items (list))
    return NULL;
  item = g_object_new (LC_TYPE_FILTER_ITEM, NULL);
  item->entries = g_ptr_array_ref (model->entries);
  item->number = g_array_index (model->found, guint32, place);
  return item;
}

static void
filter_model_init_list_model (GListModelInterface *interface)
{
  interface->get_item_type = filter_model_get_item_type;
  interface->get_n_items = filter_model_get_n_items;
  interface->get_item = filter_model_get_item;
}

static void
lc_filter_model_finalize (GObject *object)
{
  LcFilterModel *model = LC_FILTER_MODEL (object);

  g_clear_pointer (&model->entries, g_ptr_array_unref);
  g_clear_pointer (&model->found, g_array_unref);
  g_free (model->states);
  G_OBJECT_CLASS (lc_filter_model_parent_class)->finalize (object);
}

static void
lc_filter_model_class_init (LcFilterModelClass *class)
{
  G_OBJECT_CLASS (class)->finalize = lc_filter_model_finalize;
  states_changed = g_signal_new ("states-changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
lc_filter_model_init (LcFilterModel *model)
{
}

LcFilterModel *
lc_filter_model_new (void)
{
  return g_object_new (LC_TYPE_FILTER_MODEL, NULL);
}

void
lc_filter_model_set (LcFilterModel *model, GPtrArray *entries, GArray *found)
{
  guint before = filter_model_get_n_items (G_LIST_MODEL (model));

  if (entries != model->entries)
    {
      g_clear_pointer (&model->entries, g_ptr_array_unref);
      g_free (model->states);
      model->entries = entries != NULL ? g_ptr_array_ref (entries) : NULL;
      model->states = g_new0 (guint8, entries != NULL ? MAX (entries->len, 1) : 1);
    }
  g_clear_pointer (&model->found, g_array_unref);
  model->found = found != NULL ? g_array_ref (found) : NULL;
  g_list_model_items_changed (G_LIST_MODEL (model), 0, before, filter_model_get_n_items (G_LIST_MODEL (model)));
}

GPtrArray *
lc_filter_model_get_entries (LcFilterModel *model)
{
  return model->entries;
}

/* --- Ticks ------------------------------------------------------------------------------------------------------- */

LcFilterState
lc_filter_model_get_state (LcFilterModel *model, guint32 number)
{
  return model->states[number];
}

guint8 *
lc_filter_model_get_states (LcFilterModel *model)
{
  return model->states;
}

void
lc_filter_model_states_changed (LcFilterModel *model)
{
  LcFilterState state;

  for (guint i = 0; model->entries != NULL && i < model->entries->len; i++)
    {
      const LcFilterEntry *heading = g_ptr_array_index (model->entries, i);
      gboolean any = FALSE, all = TRUE;

      if (!heading->heading)
        continue;
      for (guint j = i + 1; j < model->entries->len; j++)
        if (((const LcFilterEntry *)g_ptr_array_index (model->entries, j))->group == heading->group)
          {
            any |= model->states[j] == LC_FILTER_ON;
            all &= model->states[j] == LC_FILTER_ON;
          }
      state = all ? LC_FILTER_ON : any ? LC_FILTER_PARTLY : LC_FILTER_OFF;
      model->states[i] = (guint8)state;
    }
  g_signal_emit (model, states_changed, 0);
}

void
lc_filter_model_tick (LcFilterModel *model, guint32 number, gboolean ticked)
{
  const LcFilterEntry *entry = g_ptr_array_index (model->entries, number);

  for (guint i = 0; i < model->entries->len; i++)
    if (i == number ||
        (entry->heading && ((const LcFilterEntry *)g_ptr_array_index (model->entries, i))->group == entry->group))
      model->states[i] = ticked ? LC_FILTER_ON : LC_FILTER_OFF;
  lc_filter_model_states_changed (model);
}

void
lc_filter_model_tick_listed (LcFilterModel *model, gboolean ticked)
{
  for (guint i = 0; model->found != NULL && i < model->found->len; i++)
    model->states[g_array_index (model->found, guint32, i)] = ticked ? LC_FILTER_ON : LC_FILTER_OFF;
  lc_filter_model_states_changed (model);
}
