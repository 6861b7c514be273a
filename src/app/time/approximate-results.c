/* SPDX-License-Identifier: Apache-2.0 */
/* The results of an approximation: the numbers that `lightcone approximate` prints. */
#include "app/time/approximate-results.h"

#include <glib/gi18n.h>

#include "app/shown-text.h"
#include "trace/quantities.h"

static void
take_row (AdwPreferencesGroup *group, const char *title, char *value)
{
  GtkWidget *row = adw_action_row_new (), *label = lc_label_new (value);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "numeric");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  adw_preferences_group_add (group, row);
  g_free (value);
}

static void
add_warning (AdwPreferencesGroup *group, const char *warning)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *text = lc_format_text (warning), *escaped = lc_shown_dup_markup (text);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Warning"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), escaped);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("dialog-warning-symbolic"));
  adw_preferences_group_add (group, row);
}

static char *
dup_ratio (const LcApproximation *approximation)
{
  if (approximation->approximated_total == 0)
    return g_strdup ("–");
  return g_strdup_printf ("%.2f", (double)approximation->measured_total / (double)approximation->approximated_total);
}

static char *
dup_moved (const LcApproximation *approximation)
{
  g_autofree char *moved = lc_format_count (approximation->moved);
  g_autofree char *events = lc_format_count (approximation->events);

  return g_strdup_printf (_ ("%s of %s events"), moved, events);
}

static char *
dup_interval (const LcApproximation *approximation)
{
  g_autofree char *low = lc_format_duration (approximation->low), *high = lc_format_duration (approximation->high);

  return g_strdup_printf (_ ("%s to %s"), low, high);
}

GtkWidget *
lc_approximate_results_new (const LcApproximation *approximation)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  g_autofree char *title = g_strdup_printf (ngettext ("Timeline %s", "Timelines %s", 1), approximation->name);
  g_autofree char *escaped = lc_shown_dup_markup (title);

  adw_preferences_group_set_title (group, escaped);
  for (guint i = 0; approximation->warnings != NULL && i < approximation->warnings->len; i++)
    add_warning (group, approximation->warnings->pdata[i]);
  take_row (group, _ ("Model"), g_strdup (lc_model_get_name (approximation->model)));
  take_row (group, _ ("Measured"), lc_format_duration (approximation->measured_total));
  take_row (group, _ ("Approximated"), lc_format_duration (approximation->approximated_total));
  if (approximation->low != LC_TRACE_UNKNOWN && approximation->low != approximation->high)
    take_row (group, _ ("At least, at most"), dup_interval (approximation));
  if (approximation->kept)
    take_row (group, _ ("The model cannot improve on it"), g_strdup (_ ("the measured run is kept")));
  take_row (group, _ ("Measured / approximated"), dup_ratio (approximation));
  take_row (group, _ ("Instrumentation removed"), lc_format_duration (approximation->removed));
  take_row (group, _ ("Moved"), dup_moved (approximation));
  take_row (group, _ ("Wait longer"), lc_format_count (approximation->gained));
  take_row (group, _ ("Wait shorter"), lc_format_count (approximation->lost));
  take_row (group, _ ("In another order"), lc_format_count (approximation->reordered));
  if (approximation->clamped > 0)
    take_row (group, _ ("Less time than instrumentation"), lc_format_count (approximation->clamped));
  return GTK_WIDGET (group);
}
