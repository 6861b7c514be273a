/* SPDX-License-Identifier: Apache-2.0 */
/* The results of an approximation: the numbers that `lightcone approximate` prints. */
#include "app/time/approximate-results.h"

#include <glib/gi18n.h>

#include "app/shown-text.h"
#include "report/approximation.h"
#include "report/facts.h"
#include "trace/quantities.h"

enum
{
  MOST_IN_LINE = 36, /* characters of a value */
};

static void
add_fact (AdwPreferencesGroup *group, const LcFact *fact)
{
  GtkWidget *row = adw_action_row_new (), *label = lc_label_new (fact->value != NULL ? fact->value : "–");

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), fact->label);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_RIGHT);
  gtk_label_set_width_chars (GTK_LABEL (label),
                             MIN ((int)g_utf8_strlen (gtk_label_get_text (GTK_LABEL (label)), -1), MOST_IN_LINE));
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "numeric");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  adw_preferences_group_add (group, row);
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

GtkWidget *
lc_approximate_results_new (const LcApproximation *approximation)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  g_autoptr (GPtrArray) facts = lc_approximation_list_facts (approximation);
  g_autofree char *title = g_strdup_printf (ngettext ("Timeline %s", "Timelines %s", 1), approximation->name);
  g_autofree char *escaped = lc_shown_dup_markup (title);

  adw_preferences_group_set_title (group, escaped);
  for (guint i = 0; approximation->warnings != NULL && i < approximation->warnings->len; i++)
    add_warning (group, approximation->warnings->pdata[i]);
  for (guint i = 0; i < facts->len; i++)
    add_fact (group, facts->pdata[i]);
  return GTK_WIDGET (group);
}
