/* SPDX-License-Identifier: Apache-2.0 */
/* The row of an entry in the filter panel. */
#include "app/filters/filter-row.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

struct _LcFilterRow
{
  GtkWidget parent;

  GtkWidget *tick;
  GtkWidget *name;
  GtkWidget *detail;
  GtkWidget *time;
  GtkWidget *events;

  LcFilterModel *model;
  const LcFilterKind *kind;
  LcFilterItem *item;
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (LcFilterRow, lc_filter_row, GTK_TYPE_WIDGET)

static guint ticked_signal;

static void
on_ticked (LcFilterRow *row)
{
  if (!row->filling && row->item != NULL)
    g_signal_emit (row, ticked_signal, 0, row->item->number,
                   gtk_check_button_get_active (GTK_CHECK_BUTTON (row->tick)));
}

static void
show_state (LcFilterRow *row)
{
  LcFilterState state;

  if (row->item == NULL || row->item->entries != lc_filter_model_get_entries (row->model))
    return;
  state = lc_filter_model_get_state (row->model, row->item->number);
  row->filling = TRUE;
  gtk_check_button_set_active (GTK_CHECK_BUTTON (row->tick), state != LC_FILTER_OFF);
  gtk_check_button_set_inconsistent (GTK_CHECK_BUTTON (row->tick), state == LC_FILTER_PARTLY);
  row->filling = FALSE;
}

static char *
dup_tick_label (const LcFilterKind *kind, const LcFilterEntry *entry)
{
  g_autoptr (GString) label = g_string_new (entry->heading ? _ ("Show all of %s") : _ (kind->tick));

  g_string_replace (label, "%s", entry->name, 1);
  return g_strdup (label->str);
}

void
lc_filter_row_set_item (LcFilterRow *row, LcFilterItem *item)
{
  g_autofree char *time = NULL, *events = NULL, *hint = NULL, *label = NULL;
  const LcFilterEntry *entry;

  g_set_object (&row->item, item);
  if (item == NULL)
    return;
  entry = lc_filter_item_get_entry (item);
  time = entry->time > 0 ? lc_format_duration (entry->time) : g_strdup ("");
  events = lc_format_count (entry->events);
  hint = g_strdup_printf (_ ("%s, %s\n%s events\n%s: %s"), entry->name, entry->detail != NULL ? entry->detail : "",
                          events, _ (row->kind->time_title), *time != '\0' ? time : "0");
  label = dup_tick_label (row->kind, entry);
  gtk_widget_set_sensitive (row->tick, !entry->fixed);
  lc_label_show (GTK_LABEL (row->name), entry->name);
  lc_label_show (GTK_LABEL (row->detail), row->kind->sort == LC_FILTER_SORT_NONE ? "" : entry->detail);
  lc_label_show (GTK_LABEL (row->time), time);
  lc_label_show (GTK_LABEL (row->events), events);
  lc_tooltip_show (GTK_WIDGET (row), hint);
  lc_accessible_show (GTK_ACCESSIBLE (row->tick), GTK_ACCESSIBLE_PROPERTY_LABEL, label);
  gtk_widget_set_margin_start (row->tick, !entry->heading && entry->group > 0 ? 16 : 0);
  if (entry->heading)
    gtk_widget_add_css_class (GTK_WIDGET (row), "heading");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (row), "heading");
  show_state (row);
}

LcFilterItem *
lc_filter_row_get_item (LcFilterRow *row)
{
  return row->item;
}

static void
lc_filter_row_dispose (GObject *object)
{
  LcFilterRow *row = LC_FILTER_ROW (object);
  GtkWidget *child;

  lc_filter_row_set_item (row, NULL);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (row))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&row->model);
  G_OBJECT_CLASS (lc_filter_row_parent_class)->dispose (object);
}

static void
lc_filter_row_class_init (LcFilterRowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_filter_row_dispose;
  ticked_signal = g_signal_new ("ticked", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_BOOLEAN);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget, "filterrow");
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "filter-row.ui");
  gtk_widget_class_bind_template_child (widget, LcFilterRow, tick);
  gtk_widget_class_bind_template_child (widget, LcFilterRow, name);
  gtk_widget_class_bind_template_child (widget, LcFilterRow, detail);
  gtk_widget_class_bind_template_child (widget, LcFilterRow, time);
  gtk_widget_class_bind_template_child (widget, LcFilterRow, events);
  gtk_widget_class_bind_template_callback (widget, on_ticked);
}

static void
lc_filter_row_init (LcFilterRow *row)
{
  gtk_widget_init_template (GTK_WIDGET (row));
}

GtkWidget *
lc_filter_row_new (LcFilterModel *model, const LcFilterKind *kind)
{
  LcFilterRow *row = g_object_new (LC_TYPE_FILTER_ROW, NULL);

  row->model = g_object_ref (model);
  row->kind = kind;
  gtk_widget_set_visible (row->tick, kind->read != NULL);
  g_signal_connect_object (model, "states-changed", G_CALLBACK (show_state), row, G_CONNECT_SWAPPED);
  return GTK_WIDGET (row);
}
