/* SPDX-License-Identifier: Apache-2.0 */
/* The banner above the diagram that reports problems of the trace. */
#include "app/inspect/problems-banner.h"

#include <glib/gi18n.h>

#include "app/inspect/problems.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

static void
problems_banner_refresh (GtkInfoBar *banner, LcProblems *problems)
{
  guint64 wrong = lc_problems_get_n_wrong (problems);
  g_autofree char *count = lc_format_count (wrong);
  g_autofree char *text =
      g_strdup_printf (ngettext ("%s problem in this trace", "%s problems in this trace", wrong), count);
  const LcListed *deadlock = lc_problems_get_deadlock (problems);

  lc_label_show (g_object_get_data (G_OBJECT (banner), "text"), deadlock != NULL ? deadlock->hint : text);
  gtk_info_bar_set_revealed (banner, wrong > 0 && g_object_get_data (G_OBJECT (banner), "closed") == NULL);
  gtk_widget_set_visible (GTK_WIDGET (banner), gtk_info_bar_get_revealed (banner));
}

static void
problems_banner_on_response (GtkInfoBar *banner, int response, LcProblems *problems)
{
  const LcListed *deadlock = lc_problems_get_deadlock (problems);

  if (response == GTK_RESPONSE_OK)
    gtk_widget_activate_action (GTK_WIDGET (banner), "win.problems", NULL);
  if (response == GTK_RESPONSE_OK && deadlock != NULL)
    lc_problems_go_to (problems, deadlock);
  g_object_set_data (G_OBJECT (banner), "closed", GINT_TO_POINTER (TRUE));
  problems_banner_refresh (banner, problems);
}

static void
problems_banner_on_changed (LcSession *session, guint what, GtkInfoBar *banner)
{
  if ((what & LC_CHANGED_HISTORY) == 0)
    return;
  g_object_set_data (G_OBJECT (banner), "closed", NULL);
  problems_banner_refresh (banner, lc_problems_of (session));
}

GtkWidget *
lc_problems_banner_new (LcSession *session)
{
  GtkWidget *banner = gtk_info_bar_new (), *label = gtk_label_new (NULL);
  LcProblems *problems = lc_problems_of (session);

  gtk_info_bar_set_message_type (GTK_INFO_BAR (banner), GTK_MESSAGE_WARNING);
  gtk_info_bar_set_show_close_button (GTK_INFO_BAR (banner), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_info_bar_add_child (GTK_INFO_BAR (banner), label);
  gtk_info_bar_add_button (GTK_INFO_BAR (banner), _ ("_Show"), GTK_RESPONSE_OK);
  g_object_set_data (G_OBJECT (banner), "text", label);
  g_signal_connect_object (session, "changed", G_CALLBACK (problems_banner_on_changed), banner, 0);
  g_signal_connect_object (problems, "changed", G_CALLBACK (problems_banner_refresh), banner, G_CONNECT_SWAPPED);
  g_signal_connect_object (banner, "response", G_CALLBACK (problems_banner_on_response), problems, 0);
  problems_banner_refresh (GTK_INFO_BAR (banner), problems);
  return banner;
}
