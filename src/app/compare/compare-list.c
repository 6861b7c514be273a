/* SPDX-License-Identifier: Apache-2.0 */
/* The differences between two runs: a summary, where order differs first, and where time differs most. */
#include "app/compare/compare-list.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/compare/compare-found.h"
#include "app/job.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

struct _LcCompareList
{
  GtkBox parent;

  GtkLabel *first_end;
  GtkLabel *second_end;
  GtkLabel *ratio;
  GtkLabel *both;
  GtkLabel *alone;
  GtkLabel *missing;
  GtkWidget *summary;
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
set_duration (GtkLabel *label, guint64 ns)
{
  g_autofree char *text = lc_format_duration (ns);

  lc_label_show (label, text);
}

static void
set_count (GtkLabel *label, guint64 count)
{
  g_autofree char *text = lc_format_count (count);

  lc_label_show (label, text);
}

static void
set_counts (GtkLabel *label, guint64 first, guint64 second)
{
  g_autofree char *of_first = lc_format_count (first), *of_second = lc_format_count (second);
  /* TRANSLATORS: how many in the run A, and how many in the run B. */
  g_autofree char *text = g_strdup_printf (_ ("A: %s, B: %s"), of_first, of_second);

  lc_label_show (label, text);
}

static void
compare_list_show_summary (LcCompareList *list, const LcComparison *comparison)
{
  g_autofree char *ratio = comparison->ends[0] > 0
                               ? g_strdup_printf ("%.3g", (double)comparison->ends[1] / (double)comparison->ends[0])
                               : g_strdup ("–");

  set_duration (list->first_end, comparison->ends[0]);
  set_duration (list->second_end, comparison->ends[1]);
  lc_label_show (list->ratio, ratio);
  set_count (list->both, comparison->n_pairs);
  set_counts (list->alone, comparison->n_alone[0], comparison->n_alone[1]);
  set_counts (list->missing, comparison->n_missing[0], comparison->n_missing[1]);
}

static void
show_notes (LcCompareList *list, const LcCompareFound *found)
{
  g_autofree char *differing = lc_format_count (found->comparison->n_differing);
  g_autofree char *shown = lc_format_count (found->order->len);
  g_autofree char *objects = lc_format_count (found->comparison->n_objects);
  g_autofree char *times = lc_format_count (found->times->len);
  g_autofree char *of_order =
      found->order->len < found->comparison->n_differing
          ? g_strdup_printf (_ ("The first %s of %s objects whose order differs"), shown, differing)
          : g_strdup_printf (ngettext ("%s of %s object in another order", "%s of %s objects in another order",
                                       found->comparison->n_objects),
                             differing, objects);
  g_autofree char *of_times =
      found->times->len == LC_COMPARE_MOST
          ? g_strdup_printf (_ ("The %s events that differ most"), times)
          : g_strdup_printf (ngettext ("%s event takes another time", "%s events take another time", found->times->len),
                             times);

  lc_label_show (list->order_note, of_order);
  lc_label_show (list->times_note, of_times);
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
  show_notes (list, list->found);
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
  gtk_widget_class_bind_template_child (widget, LcCompareList, first_end);
  gtk_widget_class_bind_template_child (widget, LcCompareList, second_end);
  gtk_widget_class_bind_template_child (widget, LcCompareList, ratio);
  gtk_widget_class_bind_template_child (widget, LcCompareList, both);
  gtk_widget_class_bind_template_child (widget, LcCompareList, alone);
  gtk_widget_class_bind_template_child (widget, LcCompareList, missing);
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
