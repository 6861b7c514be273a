/* SPDX-License-Identifier: Apache-2.0 */
/* The progress of opening a trace: a page while nothing else can be shown, and a bar above the beginning of the run. */
#include "app/open/opening-view.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/shown-text.h"

/* --- The page ---------------------------------------------------------------------------------------------------- */

struct _LcOpeningPage
{
  AdwBin parent;

  AdwStatusPage *status;
  GtkProgressBar *bar;
  GtkLabel *progress;
};

G_DEFINE_FINAL_TYPE (LcOpeningPage, lc_opening_page, ADW_TYPE_BIN)

static void
lc_opening_page_class_init (LcOpeningPageClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "opening-page.ui");
  gtk_widget_class_bind_template_child (widget, LcOpeningPage, status);
  gtk_widget_class_bind_template_child (widget, LcOpeningPage, bar);
  gtk_widget_class_bind_template_child (widget, LcOpeningPage, progress);
}

static void
lc_opening_page_init (LcOpeningPage *page)
{
  gtk_widget_init_template (GTK_WIDGET (page));
}

GtkWidget *
lc_opening_page_new (void)
{
  return g_object_new (LC_TYPE_OPENING_PAGE, NULL);
}

void
lc_opening_page_set_title (LcOpeningPage *page, const char *title)
{
  g_autofree char *text = g_strdup_printf (_ ("Opening %s"), title);
  g_autofree char *escaped = lc_shown_dup_markup (text);

  adw_status_page_set_title (page->status, escaped);
  gtk_progress_bar_set_fraction (page->bar, 0);
  lc_label_show (page->progress, "");
}

void
lc_opening_page_update (LcOpeningPage *page, LcOpening *opening)
{
  g_autofree char *progress = lc_opening_dup_progress (opening);

  gtk_progress_bar_set_fraction (page->bar, lc_opening_get_fraction (opening));
  lc_label_show (page->progress, progress);
}

/* --- The bar ----------------------------------------------------------------------------------------------------- */

struct _LcOpeningBar
{
  GtkBox parent;

  GtkLabel *text;
  GtkProgressBar *bar;
  GtkButton *cancel;
};

G_DEFINE_FINAL_TYPE (LcOpeningBar, lc_opening_bar, GTK_TYPE_BOX)

static void
lc_opening_bar_class_init (LcOpeningBarClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "opening-bar.ui");
  gtk_widget_class_bind_template_child (widget, LcOpeningBar, text);
  gtk_widget_class_bind_template_child (widget, LcOpeningBar, bar);
  gtk_widget_class_bind_template_child (widget, LcOpeningBar, cancel);
}

static void
lc_opening_bar_init (LcOpeningBar *bar)
{
  gtk_widget_init_template (GTK_WIDGET (bar));
}

GtkWidget *
lc_opening_bar_new (void)
{
  return g_object_new (LC_TYPE_OPENING_BAR, NULL);
}

static void
label_button (GtkButton *button, const char *label, const char *action)
{
  gtk_button_set_label (button, label);
  gtk_accessible_reset_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL); /* its label names it */
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
}

/* Formats a share as "0.3 %" or "12 %". */
static char *
opening_view_dup_share (double share)
{
  return share < 0.01 ? g_strdup_printf (_ ("%.1f %%"), share * 100) : g_strdup_printf (_ ("%.0f %%"), share * 100);
}

void
lc_opening_bar_update (LcOpeningBar *bar, LcOpening *opening, double seen)
{
  g_autofree char *share = opening_view_dup_share (seen), *left = lc_opening_dup_time_left (opening);
  g_autofree char *text =
      left != NULL ? g_strdup_printf (_ ("The first %s of the run: the rest is being merged, %s"), share, left)
                   : g_strdup_printf (_ ("The first %s of the run: the rest is being merged"), share);

  lc_label_show (bar->text, text);
  gtk_progress_bar_set_fraction (bar->bar, lc_opening_get_fraction (opening));
  gtk_widget_set_visible (GTK_WIDGET (bar->bar), TRUE);
  label_button (bar->cancel, _ ("_Cancel"), "win.cancel-opening");
}

void
lc_opening_bar_set_stopped (LcOpeningBar *bar, double seen)
{
  g_autofree char *share = opening_view_dup_share (seen);
  g_autofree char *text = g_strdup_printf (_ ("Only the first %s of the run: the rest has not been merged"), share);

  lc_label_show (bar->text, text);
  gtk_widget_set_visible (GTK_WIDGET (bar->bar), FALSE);
  label_button (bar->cancel, _ ("_Merge the rest"), "win.refresh");
  lc_tooltip_show (GTK_WIDGET (bar->cancel), NULL);
}
