/* SPDX-License-Identifier: Apache-2.0 */
/* An item of the list of processes: a process, or the heading of a group. */
#include "app/processes/process-item.h"

#include "trace/quantities.h"

G_DEFINE_FINAL_TYPE (LcProcessItem, lc_process_item, G_TYPE_OBJECT)

static guint changed_signal;

static void
lc_process_item_finalize (GObject *object)
{
  LcProcessItem *item = LC_PROCESS_ITEM (object);

  g_free (item->name);
  g_free (item->host);
  g_free (item->name_key);
  g_free (item->folded);
  G_OBJECT_CLASS (lc_process_item_parent_class)->finalize (object);
}

static void
lc_process_item_class_init (LcProcessItemClass *class)
{
  G_OBJECT_CLASS (class)->finalize = lc_process_item_finalize;
  changed_signal =
      g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lc_process_item_init (LcProcessItem *item)
{
  item->process = item->group = LC_TRACE_NONE;
}

static LcProcessItem *
new_item (const char *name)
{
  LcProcessItem *item = g_object_new (LC_TYPE_PROCESS_ITEM, NULL);

  item->name = lc_format_text (name);
  item->name_key = g_utf8_collate_key_for_filename (item->name, -1);
  return item;
}

LcProcessItem *
lc_process_item_new (const LcHistoryProcess *process)
{
  LcProcessItem *item = new_item (process->name);
  g_autofree char *both = NULL;

  item->process = process->id;
  item->host = process->host != NULL ? lc_format_text (process->host) : NULL;
  both = g_strjoin ("\n", item->name, item->host, NULL);
  item->folded = g_utf8_casefold (both, -1);
  item->events = process->events;
  item->begin = process->begin;
  item->n_members = item->n_shown = 1;
  return item;
}

LcProcessItem *
lc_process_item_new_heading (guint32 group, const char *name)
{
  LcProcessItem *item = new_item (name);

  item->group = group;
  item->folded = g_utf8_casefold (item->name, -1);
  return item;
}

gboolean
lc_process_item_is_heading (const LcProcessItem *item)
{
  return item->process == LC_TRACE_NONE;
}

double
lc_process_item_get_share (const LcProcessItem *item)
{
  if (!item->known)
    return -1;
  return item->span > 0 ? (double)item->waiting / (double)item->span : 0;
}

void
lc_process_item_changed (LcProcessItem *item)
{
  g_signal_emit (item, changed_signal, 0);
}
