/* SPDX-License-Identifier: Apache-2.0 */
/* The costs that an approximation will use, with their sources, and entries to override them. */
#include "app/time/approximate-costs.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/job.h"
#include "app/shown-text.h"
#include "app/time/approximate-settings.h"

struct _LcApproximateCosts
{
  GtkBox parent;

  LcOpened *opened;
  LcJob *reading;           /* NULL: the widget has gone */
  LcCostSettings *settings; /* NULL: not found yet */
  GPtrArray *rows;          /* Row */
  AdwPreferencesGroup *group;
  AdwActionRow *state;
  GtkSpinner *spinner;
  GtkEntry *scales;
  GtkLabel *scales_error;
};

G_DEFINE_FINAL_TYPE (LcApproximateCosts, lc_approximate_costs, GTK_TYPE_BOX)

enum
{
  CHANGED,
  SIGNALS,
};

static guint signals[SIGNALS];

typedef struct
{
  LcApproximateCosts *costs;
  const LcCostSetting *setting;
  GtkEntry *entry;
  GtkLabel *error;
  gboolean good;
} Row;

/* --- One setting ---------------------------------------------------------------------------------------------------
 */

/* Returns "section.key=value", or NULL if the setting is unchanged. */
static char *
dup_setting (const Row *row)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (row->entry));
  g_autofree char *value = g_strstrip (g_strdup (text));

  if (g_str_equal (value, row->setting->value) || value[0] == '\0')
    return NULL;
  return g_strdup_printf ("%s.%s=%s", row->setting->section, row->setting->key, value);
}

static void
approximate_costs_tell (GtkEntry *entry, GtkLabel *label, const char *error)
{
  lc_label_show (label, error != NULL ? error : "");
  gtk_widget_set_visible (GTK_WIDGET (label), error != NULL);
  gtk_accessible_update_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
                               error != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  if (error != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (entry), "error");
}

static void
on_edited (GtkEntry *entry, Row *row)
{
  const LcCostSettings *settings = row->costs->settings;
  g_autofree char *setting = dup_setting (row);
  const char *const list[] = {setting, NULL};
  g_autoptr (GError) error = NULL;
  g_autoptr (LcCosts) costs = lc_costs_new (settings->trace, settings->rules, list, &error);

  row->good = costs != NULL;
  approximate_costs_tell (entry, row->error, error != NULL ? error->message : NULL);
  g_signal_emit (row->costs, signals[CHANGED], 0);
}

static GtkWidget *
approximate_costs_make_label (const char *text, const char *class_name)
{
  GtkWidget *label = lc_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  if (class_name != NULL)
    gtk_widget_add_css_class (label, class_name);
  return label;
}

/* Makes a row: the name at the left, the value with its source at the right, and errors below. */
static GtkWidget *
approximate_costs_make_row (LcApproximateCosts *self, const LcCostSetting *setting)
{
  GtkWidget *grid = gtk_grid_new (), *name, *label, *source;
  Row *row = g_new0 (Row, 1);

  *row = (Row){self, setting, GTK_ENTRY (gtk_entry_new ()), GTK_LABEL (approximate_costs_make_label (NULL, "error")),
               TRUE};
  g_ptr_array_add (self->rows, row);
  name = approximate_costs_make_label (setting->key[0] == '*' ? _ ("all others") : setting->key, NULL);
  label = approximate_costs_make_label (setting->label, "caption");
  source = approximate_costs_make_label (setting->source, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (source, "dim-label");
  gtk_widget_set_hexpand (name, TRUE);
  lc_tooltip_show (source, setting->how);
  gtk_editable_set_text (GTK_EDITABLE (row->entry), setting->value);
  gtk_editable_set_width_chars (GTK_EDITABLE (row->entry), 18);
  gtk_editable_set_alignment (GTK_EDITABLE (row->entry), 1);
  gtk_widget_set_valign (GTK_WIDGET (row->entry), GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (GTK_WIDGET (row->entry), "numeric");
  lc_tooltip_show (GTK_WIDGET (row->entry), setting->label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, setting->key,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, setting->label, -1);
  gtk_widget_set_visible (GTK_WIDGET (row->error), FALSE);
  gtk_label_set_width_chars (GTK_LABEL (source), 11);
  gtk_widget_add_css_class (grid, "cost-row");
  gtk_grid_attach (GTK_GRID (grid), name, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), label, 0, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), source, 1, 0, 1, 2);
  gtk_grid_attach (GTK_GRID (grid), GTK_WIDGET (row->entry), 2, 0, 1, 2);
  gtk_grid_attach (GTK_GRID (grid), GTK_WIDGET (row->error), 0, 2, 3, 1);
  g_signal_connect (row->entry, "changed", G_CALLBACK (on_edited), row);
  return grid;
}

static void
approximate_costs_add_rows (LcApproximateCosts *self, const char *title, gboolean overhead)
{
  GtkWidget *expander = adw_expander_row_new ();
  g_autofree char *sources = lc_cost_settings_dup_sources (self->settings, overhead ? "overhead" : "cost");
  guint n = 0;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (expander), title);
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (expander), sources);
  for (guint i = 0; i < self->settings->settings->len; i++)
    {
      const LcCostSetting *setting = g_ptr_array_index (self->settings->settings, i);
      GtkWidget *row;

      if (g_str_equal (setting->section, "overhead") != overhead)
        continue;
      row = gtk_list_box_row_new ();
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
      gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), approximate_costs_make_row (self, setting));
      adw_expander_row_add_row (ADW_EXPANDER_ROW (expander), row);
      n++;
    }
  if (n > 0)
    adw_preferences_group_add (self->group, expander);
  else
    g_object_unref (g_object_ref_sink (expander));
}

/* --- What if -------------------------------------------------------------------------------------------------------
 */

static void
approximate_costs_clear_scale (gpointer scale)
{
  lc_scale_clear (scale);
}

GArray *
lc_approximate_costs_get_scales (LcApproximateCosts *self)
{
  g_auto (GStrv) parts = g_strsplit (gtk_editable_get_text (GTK_EDITABLE (self->scales)), ";", -1);
  g_autoptr (GArray) scales = g_array_new (FALSE, FALSE, sizeof (LcScale));
  g_autoptr (GError) error = NULL;

  g_array_set_clear_func (scales, approximate_costs_clear_scale);
  for (guint i = 0; parts[i] != NULL && self->settings != NULL && error == NULL; i++)
    {
      const char *text = g_strstrip (parts[i]);
      LcScale scale;

      if (text[0] != '\0' && lc_scale_parse (self->settings->trace, self->opened->history, text, &scale, &error))
        g_array_append_val (scales, scale);
    }
  approximate_costs_tell (self->scales, self->scales_error, error != NULL ? error->message : NULL);
  return error == NULL && scales->len > 0 ? g_steal_pointer (&scales) : NULL;
}

static void
on_scales (GtkEntry *entry, LcApproximateCosts *self)
{
  GArray *scales = lc_approximate_costs_get_scales (self); /* shows an error in the scales, if there is one */

  g_clear_pointer (&scales, g_array_unref);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
add_scales (LcApproximateCosts *self)
{
  GtkWidget *grid = gtk_grid_new (), *row = adw_preferences_row_new ();
  GtkWidget *name = approximate_costs_make_label (_ ("What if"), NULL);
  GtkWidget *label = approximate_costs_make_label (
      _ ("NAME=FACTOR; …: an operation, an object, a region, a line (pipe.cpp:7), a function "
         "or communication would take so many times as long"),
      "caption");

  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (grid, "cost-row");
  gtk_widget_set_hexpand (name, TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->scales), 24);
  gtk_widget_set_valign (GTK_WIDGET (self->scales), GTK_ALIGN_CENTER);
  gtk_entry_set_placeholder_text (self->scales, "lock=0.5");
  lc_accessible_show (GTK_ACCESSIBLE (self->scales), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("What if"));
  gtk_widget_set_visible (GTK_WIDGET (self->scales_error), FALSE);
  gtk_grid_attach (GTK_GRID (grid), name, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), label, 0, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), GTK_WIDGET (self->scales), 1, 0, 1, 2);
  gtk_grid_attach (GTK_GRID (grid), GTK_WIDGET (self->scales_error), 0, 2, 2, 1);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), grid);
  adw_preferences_group_add (self->group, row);
  g_signal_connect (self->scales, "changed", G_CALLBACK (on_scales), self);
}

/* --- All settings ------------------------------------------------------------------------------------------------ */

gboolean
lc_approximate_costs_are_good (LcApproximateCosts *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (!((const Row *)self->rows->pdata[i])->good)
      return FALSE;
  return !gtk_widget_get_visible (GTK_WIDGET (self->scales_error));
}

char **
lc_approximate_costs_dup_settings (LcApproximateCosts *self)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new ();

  for (guint i = 0; i < self->rows->len; i++)
    {
      char *setting = dup_setting (self->rows->pdata[i]);

      if (setting != NULL)
        g_ptr_array_add (list, setting);
    }
  g_ptr_array_add (list, NULL);
  return (char **)g_ptr_array_free (g_steal_pointer (&list), FALSE);
}

static gpointer
approximate_costs_work (gpointer opened, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  return lc_cost_settings_new (opened, cancellable, error);
}

static void
approximate_costs_done (gpointer owner, gpointer settings, const GError *error)
{
  LcApproximateCosts *self = LC_APPROXIMATE_COSTS (owner);

  gtk_spinner_stop (self->spinner);
  if (settings == NULL)
    {
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->state), _ ("The costs cannot be read"));
      adw_action_row_set_subtitle (self->state, error->message);
      return;
    }
  self->settings = settings;
  adw_preferences_group_remove (self->group, GTK_WIDGET (self->state));
  approximate_costs_add_rows (self, _ ("Instrumentation"), TRUE);
  approximate_costs_add_rows (self, _ ("Operations"), FALSE);
  add_scales (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
lc_approximate_costs_dispose (GObject *object)
{
  g_clear_pointer (&LC_APPROXIMATE_COSTS (object)->reading, lc_job_free);
  G_OBJECT_CLASS (lc_approximate_costs_parent_class)->dispose (object);
}

static void
lc_approximate_costs_finalize (GObject *object)
{
  LcApproximateCosts *self = LC_APPROXIMATE_COSTS (object);

  lc_opened_unref (self->opened);
  g_object_unref (self->scales);
  g_object_unref (self->scales_error);
  g_ptr_array_unref (self->rows);
  g_clear_pointer (&self->settings, lc_cost_settings_free);
  G_OBJECT_CLASS (lc_approximate_costs_parent_class)->finalize (object);
}

static void
lc_approximate_costs_class_init (LcApproximateCostsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = lc_approximate_costs_dispose;
  G_OBJECT_CLASS (class)->finalize = lc_approximate_costs_finalize;
  signals[CHANGED] =
      g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lc_approximate_costs_init (LcApproximateCosts *self)
{
  self->reading = lc_job_new (self, approximate_costs_done, NULL, (GDestroyNotify)lc_cost_settings_free);
  self->rows = g_ptr_array_new_with_free_func (g_free);
  self->group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  self->state = ADW_ACTION_ROW (adw_action_row_new ());
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  self->scales = g_object_ref_sink (GTK_ENTRY (gtk_entry_new ()));
  self->scales_error = g_object_ref_sink (GTK_LABEL (approximate_costs_make_label (NULL, "error")));
  adw_preferences_group_set_title (self->group, _ ("Costs"));
  adw_preferences_group_set_description (
      self->group, _ ("What the recording and the operations took: from trace.ini, where the recorder wrote what it "
                      "had measured of itself, or estimated from the trace. They can be changed for this timeline."));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->state), _ ("Looking for the costs…"));
  adw_action_row_add_suffix (self->state, GTK_WIDGET (self->spinner));
  adw_preferences_group_add (self->group, GTK_WIDGET (self->state));
  gtk_spinner_start (self->spinner);
  gtk_widget_set_hexpand (GTK_WIDGET (self->group), TRUE);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->group));
}

GtkWidget *
lc_approximate_costs_new (LcOpened *opened)
{
  LcApproximateCosts *self = g_object_new (LC_TYPE_APPROXIMATE_COSTS, NULL);

  self->opened = lc_opened_ref (opened);
  lc_job_start (self->reading, approximate_costs_work, lc_opened_ref (opened), (GDestroyNotify)lc_opened_unref);
  return GTK_WIDGET (self);
}
