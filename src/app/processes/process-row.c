/* SPDX-License-Identifier: Apache-2.0 */
/* The row of an item in the list of processes. */
#include "app/processes/process-row.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

struct _LcProcessRow
{
  GtkWidget parent;

  GtkWidget *turn;
  GtkWidget *tick;
  GtkWidget *name;
  GtkWidget *marked;
  GtkWidget *events;
  GtkWidget *bar;
  GtkWidget *share;

  LcProcessItem *item;
  gulong handler;
  gboolean filling; /* signals of the widgets do not come from the user */
};

G_DEFINE_FINAL_TYPE (LcProcessRow, lc_process_row, GTK_TYPE_WIDGET)

enum
{
  TICKED,
  TURNED,
  CHOSEN,
  SIGNALS,
};

static guint signals[SIGNALS];

static void
process_row_on_ticked (LcProcessRow *row)
{
  if (!row->filling && row->item != NULL)
    g_signal_emit (row, signals[TICKED], 0, gtk_check_button_get_active (GTK_CHECK_BUTTON (row->tick)));
}

static void
process_row_on_turned (LcProcessRow *row)
{
  if (!row->filling && row->item != NULL)
    g_signal_emit (row, signals[TURNED], 0);
}

static void
on_clicked (GtkGestureClick *click, int n_press, double x, double y, LcProcessRow *row)
{
  if (n_press == 1 && row->item != NULL)
    g_signal_emit (row, signals[CHOSEN], 0);
}

static char *
dup_hint (const LcProcessItem *item)
{
  g_autofree char *events = lc_format_count (item->events), *waiting = lc_format_duration (item->waiting);
  g_autofree char *span = lc_format_duration (item->span);
  g_autoptr (GString) hint = g_string_new (item->name);

  if (item->host != NULL)
    g_string_append_printf (hint, "\n%s", item->host);
  g_string_append_printf (hint, _ ("\n%s events"), events);
  if (item->known)
    g_string_append_printf (hint, _ ("\nwaited %s of %s"), waiting, span);
  return g_string_free (g_steal_pointer (&hint), FALSE);
}

static void
fill_numbers (LcProcessRow *row)
{
  const LcProcessItem *item = row->item;
  double share = lc_process_item_get_share (item);
  g_autofree char *events = lc_format_count (item->events);
  g_autofree char *percent = share >= 0 ? g_strdup_printf ("%.0f %%", share * 100) : g_strdup ("");

  lc_label_show (GTK_LABEL (row->events), events);
  lc_label_show (GTK_LABEL (row->share), percent);
  gtk_level_bar_set_value (GTK_LEVEL_BAR (row->bar), CLAMP (share, 0, 1));
  gtk_widget_set_opacity (row->bar, share >= 0 ? 1 : 0);
}

static void
fill_name (LcProcessRow *row)
{
  const LcProcessItem *item = row->item;
  gboolean heading = lc_process_item_is_heading (item);
  g_autofree char *hint = dup_hint (item);
  g_autofree char *tick_name = g_strdup_printf (_ ("Show %s"), item->name);

  lc_label_show (GTK_LABEL (row->name), item->name);
  lc_tooltip_show (GTK_WIDGET (row), hint);
  lc_accessible_show (GTK_ACCESSIBLE (row->tick), GTK_ACCESSIBLE_PROPERTY_LABEL, tick_name);
  gtk_widget_set_visible (row->turn, heading);
  gtk_widget_set_margin_start (row->tick, !heading && item->group != LC_TRACE_NONE ? 22 : 0);
  gtk_button_set_icon_name (GTK_BUTTON (row->turn), item->collapsed ? "pan-end-symbolic" : "pan-down-symbolic");
  lc_tooltip_show (row->turn, item->collapsed ? _ ("Show each process for itself") : _ ("Show them as one row"));
}

static void
set_class (GtkWidget *widget, const char *class, gboolean has)
{
  if (has)
    gtk_widget_add_css_class (widget, class);
  else
    gtk_widget_remove_css_class (widget, class);
}

static void
process_row_fill (LcProcessRow *row)
{
  const LcProcessItem *item = row->item;

  row->filling = TRUE;
  fill_name (row);
  fill_numbers (row);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (row->tick), item->n_shown > 0);
  gtk_check_button_set_inconsistent (GTK_CHECK_BUTTON (row->tick),
                                     item->n_shown > 0 && item->n_shown < item->n_members);
  set_class (GTK_WIDGET (row), "heading", lc_process_item_is_heading (item));
  set_class (GTK_WIDGET (row), "hidden-process", item->n_shown == 0);
  gtk_widget_set_visible (row->marked, item->marked);
  row->filling = FALSE;
}

void
lc_process_row_set_item (LcProcessRow *row, LcProcessItem *item)
{
  if (row->item != NULL)
    g_clear_signal_handler (&row->handler, row->item);
  g_set_object (&row->item, item);
  if (item == NULL)
    return;
  row->handler = g_signal_connect_swapped (item, "changed", G_CALLBACK (process_row_fill), row);
  process_row_fill (row);
}

LcProcessItem *
lc_process_row_get_item (LcProcessRow *row)
{
  return row->item;
}

static void
lc_process_row_dispose (GObject *object)
{
  LcProcessRow *row = LC_PROCESS_ROW (object);
  GtkWidget *child;

  lc_process_row_set_item (row, NULL);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (row))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (lc_process_row_parent_class)->dispose (object);
}

static void
lc_process_row_class_init (LcProcessRowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_process_row_dispose;
  signals[TICKED] =
      g_signal_new ("ticked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[TURNED] = g_signal_new ("turned", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CHOSEN] = g_signal_new ("chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget, "processrow");
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "process-row.ui");
  gtk_widget_class_bind_template_child (widget, LcProcessRow, turn);
  gtk_widget_class_bind_template_child (widget, LcProcessRow, tick);
  gtk_widget_class_bind_template_child (widget, LcProcessRow, name);
  gtk_widget_class_bind_template_child (widget, LcProcessRow, marked);
  gtk_widget_class_bind_template_child (widget, LcProcessRow, events);
  gtk_widget_class_bind_template_child (widget, LcProcessRow, bar);
  gtk_widget_class_bind_template_child (widget, LcProcessRow, share);
  gtk_widget_class_bind_template_callback (widget, process_row_on_ticked);
  gtk_widget_class_bind_template_callback (widget, process_row_on_turned);
  gtk_widget_class_bind_template_callback (widget, on_clicked);
}

static void
lc_process_row_init (LcProcessRow *row)
{
  gtk_widget_init_template (GTK_WIDGET (row));
  /* The bar shows a share, so low and high values need no special colours. */
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (row->bar), GTK_LEVEL_BAR_OFFSET_LOW);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (row->bar), GTK_LEVEL_BAR_OFFSET_HIGH);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (row->bar), GTK_LEVEL_BAR_OFFSET_FULL);
}

GtkWidget *
lc_process_row_new (void)
{
  return g_object_new (LC_TYPE_PROCESS_ROW, NULL);
}
