/* SPDX-License-Identifier: Apache-2.0 */
/* The page of an empty window: what the user can do, the recently opened traces, and samples. */
#include "app/open/welcome.h"

#include <glib/gi18n.h>

#include "app/help/help-window.h"
#include "app/job.h"
#include "app/names.h"
#include "app/open/recent.h"
#include "app/open/samples.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

enum
{
  SHORT = 2, /* characters */
};

struct _LcWelcome
{
  AdwBin parent;

  GtkButton *open;
  GtkWidget *group;
  GtkListBox *list;
  GtkWidget *sample_group;
  GtkListBox *sample_list;
  guint filling; /* idle source that fills the list; 0: none */
  LcJob *looking;
};

G_DEFINE_FINAL_TYPE (LcWelcome, lc_welcome, ADW_TYPE_BIN)

/* --- A row ------------------------------------------------------------------------------------------------------- */

static char *
dup_when (gint64 when)
{
  g_autoptr (GDateTime) then = g_date_time_new_from_unix_local (when), now = g_date_time_new_now_local ();
  int days;

  if (then == NULL)
    return g_strdup ("");
  days = (int)(g_date_time_difference (now, then) / G_TIME_SPAN_DAY);
  if (days < 1 && g_date_time_get_day_of_month (now) == g_date_time_get_day_of_month (then))
    return g_date_time_format (then, _ ("today, %R"));
  return days < 7 ? g_date_time_format (then, _ ("%A, %R")) : g_date_time_format (then, _ ("%-d %B %Y"));
}

static void
remove_row (GtkButton *button, LcWelcome *welcome)
{
  lc_recent_remove (g_object_get_data (G_OBJECT (button), "path"));
}

static GtkWidget *
make_remove_button (LcWelcome *welcome, const LcRecent *recent)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");
  g_autofree char *name = g_strdup_printf (_ ("Remove %s from this list"), recent->title);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  lc_tooltip_show (button, _ ("Remove from this list"));
  lc_accessible_show (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name);
  g_object_set_data_full (G_OBJECT (button), "path", g_strdup (recent->path), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (remove_row), welcome);
  return button;
}

static void
set_subtitle (AdwActionRow *row, const LcRecent *recent, gboolean looked)
{
  g_autofree char *when = dup_when (recent->visited), *bytes = lc_format_bytes (recent->bytes), *text = NULL;
  g_autofree char *escaped = NULL;

  if (looked && recent->missing)
    text = g_strdup_printf (_ ("%s · not there any more"), recent->parent);
  else if (looked)
    text = g_strdup_printf (_ ("%s · %s · %s"), recent->parent, when, bytes);
  else
    text = g_strdup_printf (_ ("%s · %s"), recent->parent, when);
  escaped = lc_shown_dup_markup (text);
  adw_action_row_set_subtitle (row, escaped);
}

static GtkWidget *
welcome_make_row (LcWelcome *welcome, const LcRecent *recent)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *title = lc_shown_dup_markup (recent->title);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  /* GTK complains of a label that may be cut and is narrower than the ellipsis. */
  if (g_utf8_strlen (recent->title, -1) > SHORT)
    adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  set_subtitle (ADW_ACTION_ROW (row), recent, FALSE);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), make_remove_button (welcome, recent));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (row), g_variant_new_bytestring (recent->path));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-named");
  return row;
}

/* --- Looking at the disk ----------------------------------------------------------------------------------------- */

static gpointer
welcome_look (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  GPtrArray *list = data;

  for (guint i = 0; i < list->len; i++)
    lc_recent_look (g_ptr_array_index (list, i));
  return g_ptr_array_ref (list);
}

static void
on_looked (gpointer owner, gpointer result, const GError *error)
{
  LcWelcome *welcome = owner;
  g_autoptr (GPtrArray) list = result;

  for (guint i = 0; i < list->len; i++)
    {
      const LcRecent *recent = g_ptr_array_index (list, i);
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (welcome->list, (int)i);

      set_subtitle (ADW_ACTION_ROW (row), recent, TRUE);
      if (!recent->missing)
        continue;
      gtk_widget_add_css_class (GTK_WIDGET (row), "missing");
      gtk_actionable_set_action_name (GTK_ACTIONABLE (row), NULL);
      gtk_list_box_row_set_activatable (row, FALSE);
    }
}

static gboolean
welcome_fill (gpointer data)
{
  LcWelcome *welcome = data;
  GPtrArray *list = lc_recent_list ();
  GtkListBoxRow *row;

  welcome->filling = 0;
  while ((row = gtk_list_box_get_row_at_index (welcome->list, 0)) != NULL)
    gtk_list_box_remove (welcome->list, GTK_WIDGET (row));
  for (guint i = 0; i < list->len; i++)
    gtk_list_box_append (welcome->list, welcome_make_row (welcome, g_ptr_array_index (list, i)));
  gtk_widget_set_visible (welcome->group, list->len > 0);
  lc_job_start (welcome->looking, welcome_look, list, (GDestroyNotify)g_ptr_array_unref);
  return G_SOURCE_REMOVE;
}

static void
fill_soon (LcWelcome *welcome)
{
  if (welcome->filling == 0)
    welcome->filling = g_idle_add (welcome_fill, welcome);
}

/* --- Samples ----------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_sample_row (const LcSample *sample)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), sample->title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), sample->text);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (row), g_variant_new_bytestring (sample->path));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-named");
  return row;
}

static void
fill_samples (LcWelcome *welcome)
{
  g_autoptr (GPtrArray) samples = lc_samples_find ();

  for (guint i = 0; i < samples->len; i++)
    gtk_list_box_append (welcome->sample_list, make_sample_row (g_ptr_array_index (samples, i)));
  gtk_widget_set_visible (welcome->sample_group, samples->len > 0);
}

static void
show_tutorial (LcWelcome *welcome)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (welcome));

  lc_help_window_show (gtk_window_get_application (GTK_WINDOW (root)), "tutorial.md");
}

/* --- The page ---------------------------------------------------------------------------------------------------- */

static void
lc_welcome_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (lc_welcome_parent_class)->map (widget);
  fill_soon (LC_WELCOME (widget));
}

static gboolean
lc_welcome_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (LC_WELCOME (widget)->open));
}

static void
lc_welcome_dispose (GObject *object)
{
  LcWelcome *welcome = LC_WELCOME (object);

  if (welcome->filling != 0)
    g_source_remove (welcome->filling);
  welcome->filling = 0;
  g_clear_pointer (&welcome->looking, lc_job_free);
  G_OBJECT_CLASS (lc_welcome_parent_class)->dispose (object);
}

static void
lc_welcome_class_init (LcWelcomeClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_welcome_dispose;
  widget->map = lc_welcome_map;
  widget->grab_focus = lc_welcome_grab_focus;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "welcome.ui");
  gtk_widget_class_bind_template_child (widget, LcWelcome, open);
  gtk_widget_class_bind_template_child (widget, LcWelcome, group);
  gtk_widget_class_bind_template_child (widget, LcWelcome, list);
  gtk_widget_class_bind_template_child (widget, LcWelcome, sample_group);
  gtk_widget_class_bind_template_child (widget, LcWelcome, sample_list);
  gtk_widget_class_bind_template_callback (widget, show_tutorial);
}

static void
lc_welcome_init (LcWelcome *welcome)
{
  gtk_widget_init_template (GTK_WIDGET (welcome));
  fill_samples (welcome);
  welcome->looking = lc_job_new (welcome, on_looked, NULL, (GDestroyNotify)g_ptr_array_unref);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (fill_soon), welcome,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
lc_welcome_new (void)
{
  return g_object_new (LC_TYPE_WELCOME, NULL);
}
