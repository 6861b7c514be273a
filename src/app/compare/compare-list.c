/* SPDX-License-Identifier: Apache-2.0 */
/* The differences between two runs: a summary, where order differs first, and where time differs most. */
#include "app/compare/compare-list.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/compare/compare-found.h"
#include "app/job.h"
#include "app/shown-text.h"
#include "report/comparison.h"

struct _LcCompareList
{
  GtkBox parent;

  GtkWidget *summary;
  GtkGrid *facts;
  GtkProgressBar *progress;
  GtkLabel *failure;
  GtkStack *pages;
  GtkStack *order_page;
  GtkStack *times_page;
  GtkBox *order_box;
  GtkBox *times_box;
  GtkLabel *order_note;
  GtkLabel *times_note;

  GListStore *order;
  GListStore *times;
  LcJob *job;
  LcCompareFound *found; /* NULL: not found yet */
  LcComparePair *pair;   /* borrowed */
};

G_DEFINE_FINAL_TYPE (LcCompareList, lc_compare_list, GTK_TYPE_BOX)

/* --- Results ----------------------------------------------------------------------------------------------------- */

static void
compare_list_put (LcCompareList *list, int column, int row, const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (NULL);

  lc_label_show (GTK_LABEL (label), text);
  gtk_label_set_xalign (GTK_LABEL (label), (float)column);
  gtk_widget_add_css_class (label, class);
  if (column == 0)
    {
      gtk_widget_set_hexpand (label, TRUE);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
    }
  gtk_grid_attach (list->facts, label, column, row, 1, 1);
}

static void
compare_list_show_summary (LcCompareList *list, const LcComparison *comparison)
{
  g_autoptr (GPtrArray) facts = lc_comparison_list_facts (comparison);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (list->facts))) != NULL)
    gtk_grid_remove (list->facts, child);
  for (guint i = 0; i < facts->len; i++)
    {
      const LcFact *fact = facts->pdata[i];

      compare_list_put (list, 0, (int)i, fact->label, "dim-label");
      compare_list_put (list, 1, (int)i, fact->value, "numeric");
    }
}

static void
show_notes (LcCompareList *list, const LcComparison *comparison)
{
  g_autofree char *order = lc_comparison_dup_order_note (comparison);
  g_autofree char *times = lc_comparison_dup_times_note (comparison, LC_COMPARE_MOST);

  lc_label_show (list->order_note, order);
  lc_label_show (list->times_note, times);
}

static void
compare_list_show_failure (LcCompareList *list, const char *text)
{
  lc_label_show (list->failure, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (list->failure), text != NULL);
}

static void
compare_list_on_found (gpointer owner, gpointer result, const GError *error)
{
  LcCompareList *list = owner;

  gtk_widget_set_visible (GTK_WIDGET (list->progress), FALSE);
  if (result == NULL)
    {
      compare_list_show_failure (list, error->message);
      return;
    }
  lc_compare_found_free (list->found);
  list->found = result;
  compare_list_show_summary (list, list->found->comparison);
  show_notes (list, list->found->comparison);
  lc_listed_fill (list->order, list->found->order);
  lc_listed_fill (list->times, list->found->times);
  gtk_stack_set_visible_child_name (list->order_page, list->found->order->len > 0 ? "list" : "empty");
  gtk_stack_set_visible_child_name (list->times_page, list->found->times->len > 0 ? "list" : "empty");
  gtk_widget_set_visible (list->summary, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (list->pages), TRUE);
}

static void
show_progress (gpointer owner, double fraction)
{
  gtk_progress_bar_set_fraction (LC_COMPARE_LIST (owner)->progress, fraction);
}

/* --- Going to a pair --------------------------------------------------------------------------------------------- */

static void
compare_list_go_to (LcCompareList *list, const GArray *pairs, LcListed *listed)
{
  const LcComparedPair *pair = &g_array_index (pairs, LcComparedPair, listed->number);
  g_autofree char *text = g_strdelimit (lc_listed_dup_text (listed), "\n", ' ');
  LcEventName events[2];

  for (guint side = 0; side < 2; side++)
    events[side] = (LcEventName){.process = pair->events[side].process, .ordinal = pair->events[side].ordinal};
  if (list->pair != NULL)
    lc_compare_pair_select (list->pair, events, text);
}

static void
go_to_order (gpointer owner, LcListed *listed)
{
  LcCompareList *list = owner;

  compare_list_go_to (list, list->found->comparison->order, listed);
}

static void
compare_list_go_to_time (gpointer owner, LcListed *listed)
{
  LcCompareList *list = owner;

  compare_list_go_to (list, list->found->comparison->times, listed);
}

/* --- The widget ----------------------------------------------------------------------------------------------------
 */

void
lc_compare_list_start (LcCompareList *list, LcSession *const sessions[2], LcComparePair *pair)
{
  list->pair = pair;
  compare_list_show_failure (list, NULL);
  gtk_progress_bar_set_fraction (list->progress, 0);
  gtk_widget_set_visible (GTK_WIDGET (list->progress), TRUE);
  lc_job_start (list->job, lc_compare_find, lc_compare_ask (sessions), lc_compare_asked_free);
}

void
lc_compare_list_stop (LcCompareList *list)
{
  lc_job_stop (list->job);
  list->pair = NULL;
}

static void
lc_compare_list_dispose (GObject *object)
{
  LcCompareList *list = LC_COMPARE_LIST (object);

  g_clear_pointer (&list->job, lc_job_free);
  g_clear_pointer (&list->found, lc_compare_found_free);
  g_clear_object (&list->order);
  g_clear_object (&list->times);
  G_OBJECT_CLASS (lc_compare_list_parent_class)->dispose (object);
}

static void
lc_compare_list_class_init (LcCompareListClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_compare_list_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "compare-list.ui");
  gtk_widget_class_bind_template_child (widget, LcCompareList, facts);
  gtk_widget_class_bind_template_child (widget, LcCompareList, summary);
  gtk_widget_class_bind_template_child (widget, LcCompareList, progress);
  gtk_widget_class_bind_template_child (widget, LcCompareList, failure);
  gtk_widget_class_bind_template_child (widget, LcCompareList, pages);
  gtk_widget_class_bind_template_child (widget, LcCompareList, order_page);
  gtk_widget_class_bind_template_child (widget, LcCompareList, times_page);
  gtk_widget_class_bind_template_child (widget, LcCompareList, order_box);
  gtk_widget_class_bind_template_child (widget, LcCompareList, times_box);
  gtk_widget_class_bind_template_child (widget, LcCompareList, order_note);
  gtk_widget_class_bind_template_child (widget, LcCompareList, times_note);
}

static void
lc_compare_list_init (LcCompareList *list)
{
  list->order = g_list_store_new (LC_TYPE_LISTED);
  list->times = g_list_store_new (LC_TYPE_LISTED);
  list->job = lc_job_new (list, compare_list_on_found, show_progress, lc_compare_found_free);
  gtk_widget_init_template (GTK_WIDGET (list));
  gtk_box_append (list->order_box, lc_listed_view_new (g_object_ref (G_LIST_MODEL (list->order)),
                                                       _ ("Where order differs first"), go_to_order, list));
  gtk_box_append (list->times_box, lc_listed_view_new (g_object_ref (G_LIST_MODEL (list->times)),
                                                       _ ("Where time differs most"), compare_list_go_to_time, list));
}

GtkWidget *
lc_compare_list_new (void)
{
  return g_object_new (LC_TYPE_COMPARE_LIST, NULL);
}
