/* SPDX-License-Identifier: Apache-2.0 */
/* The dialog that approximates timelines: a model, costs, and the results. */
#include "app/time/approximate-dialog.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/names.h"
#include "app/button-names.h"
#include "app/shortcuts.h"
#include "app/shown-text.h"
#include "app/time/approximate-costs.h"
#include "app/time/approximate-results.h"
#include "app/time/approximate-run.h"
#include "trace/quantities.h"

#define LC_TYPE_APPROXIMATE_DIALOG (lc_approximate_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LcApproximateDialog, lc_approximate_dialog, LC, APPROXIMATE_DIALOG, AdwWindow)

enum
{
  CHOICES = LC_MODEL_AUTO + 1,
};

struct _LcApproximateDialog
{
  AdwWindow parent;

  GtkStack *pages;
  AdwPreferencesPage *choices;
  AdwPreferencesGroup *models;
  AdwEntryRow *name;
  AdwComboRow *blind;
  GtkLabel *name_error;
  GtkButton *start;
  GtkProgressBar *progress;
  GtkLabel *state;
  AdwStatusPage *failed;
  AdwPreferencesPage *results;
  GtkCheckButton *checks[CHOICES]; /* by model */
  LcApproximateCosts *costs;

  LcSession *session;
  LcOpened *opened; /* history for which timelines are made */
  LcApproximateRun *run;
  gboolean bounds; /* the run is for bounds */
};

G_DEFINE_FINAL_TYPE (LcApproximateDialog, lc_approximate_dialog, ADW_TYPE_WINDOW)

static const char *const model_texts[CHOICES] = {
    [LC_MODEL_AUTO] = N_ (
        "liberal if time decides who gets something next, and recording may have changed that; else event. The one to "
        "begin with."),
    [LC_MODEL_TIME] =
        N_ ("Takes instrumentation off each process on its own. Quick; for processes that hardly wait for "
            "each other."),
    [LC_MODEL_EVENT] = N_ ("Each event follows from those that it had to come after, in the order that was measured."),
    [LC_MODEL_LIBERAL] =
        N_ ("As event, but who gets a lock, a token, a message or work next is decided again. For programs "
            "whose order depends on time."),
    [LC_MODEL_OPTIMISTIC] = N_ (
        "As event, with messages that take no time: no message can have come earlier, in the order that was measured."),
    [LC_MODEL_PESSIMISTIC] =
        N_ ("As event, with messages that take as long as they can have taken, in the order that was measured."),
};

/* --- Choices -------------------------------------------------------------------------------------------------------
 */

static LcModel
get_model (LcApproximateDialog *self)
{
  for (guint i = 0; i < CHOICES; i++)
    if (gtk_check_button_get_active (self->checks[i]))
      return (LcModel)i;
  return LC_MODEL_AUTO;
}

/* Returns NULL if the name is valid. */
static const char *
approximate_dialog_check_name (LcApproximateDialog *self)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (self->name));

  if (g_str_equal (name, "measured"))
    return _ ("A new timeline cannot be called “measured”: any other name will do.");
  return NULL;
}

static void
update_choices (LcApproximateDialog *self)
{
  const char *error = approximate_dialog_check_name (self);

  lc_label_show (self->name_error, error != NULL ? error : "");
  gtk_widget_set_visible (GTK_WIDGET (self->name_error), error != NULL);
  if (error != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self->name), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->name), "error");
  gtk_widget_set_sensitive (GTK_WIDGET (self->start), error == NULL && lc_approximate_costs_are_good (self->costs));
}

static void
approximate_dialog_add_model (LcApproximateDialog *self, LcModel model)
{
  GtkWidget *row = adw_action_row_new (), *check = gtk_check_button_new ();

  self->checks[model] = GTK_CHECK_BUTTON (check);
  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  gtk_check_button_set_group (self->checks[model], model != LC_MODEL_AUTO ? self->checks[LC_MODEL_AUTO] : NULL);
  gtk_check_button_set_active (self->checks[model], model == LC_MODEL_AUTO);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), lc_model_get_name (model));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _ (model_texts[model]));
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
  adw_preferences_group_add (self->models, row);
}

/* The default of the command comes first, and is the default here. */
static void
add_models (LcApproximateDialog *self)
{
  approximate_dialog_add_model (self, LC_MODEL_AUTO);
  for (guint i = 0; i < LC_MODEL_AUTO; i++)
    approximate_dialog_add_model (self, (LcModel)i);
}

/* --- Running -------------------------------------------------------------------------------------------------------
 */

static void
approximate_dialog_on_tick (gpointer owner, double fraction)
{
  LcApproximateDialog *self = owner;
  LcApproximateState state;
  g_autofree char *events = NULL, *text = NULL;

  lc_approximate_run_get_state (self->run, &state);
  events = lc_format_count (state.events);
  gtk_progress_bar_set_fraction (self->progress, CLAMP (state.fraction, 0, 1));
  if (state.seconds_left >= 1)
    {
      g_autofree char *left = lc_format_duration ((guint64)ceil (state.seconds_left) * 1000000000);

      text = g_strdup_printf (_ ("%.0f %%, %s events, %s left"), floor (state.fraction * 100), events, left);
    }
  else
    text = g_strdup_printf (_ ("%.0f %%, %s events"), floor (state.fraction * 100), events);
  lc_label_show (self->state, text);
}

static guint32
find_model (LcApproximateDialog *self, LcModel model)
{
  GPtrArray *timelines = lc_session_get_timelines (self->session);

  for (guint i = 0; i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = g_ptr_array_index (timelines, i);

      if (g_str_equal (timeline->name, lc_model_get_name (model)))
        return timeline->id;
    }
  return LC_TRACE_NONE;
}

/* Shows the new timeline beside the measured one, or the bounds around the shown one. */
static void
approximate_dialog_show (LcApproximateDialog *self, const GPtrArray *made)
{
  const LcShown *shown;

  if (lc_session_get_opened (self->session) != self->opened)
    return;
  lc_session_begin (self->session);
  lc_session_reload_timelines (self->session);
  shown = lc_session_get_shown (self->session);
  if (self->bounds)
    lc_session_set_timelines (self->session, shown->timeline, shown->beside, find_model (self, LC_MODEL_OPTIMISTIC),
                              find_model (self, LC_MODEL_PESSIMISTIC));
  else
    lc_session_set_timelines (self->session, ((const LcApproximation *)made->pdata[0])->timeline, LC_TIMELINE_MEASURED,
                              shown->selection.lowest, shown->selection.highest);
  lc_session_end (self->session);
}

static void
show_error (LcApproximateDialog *self, const GError *error)
{
  g_autofree char *text = NULL, *escaped = NULL;

  if (error->domain == LC_COSTS_ERROR)
    text = g_strdup_printf ("%s\n\n%s", error->message, _ ("Go back, and change the setting."));
  else
    text = g_strdup_printf ("%s\n\n%s", error->message,
                            _ ("Nothing was changed: the timelines are as they were. If the trace has changed since it "
                               "was opened, open it again."));
  escaped = lc_shown_dup_markup (text);
  adw_status_page_set_description (self->failed, escaped);
  gtk_stack_set_visible_child_name (self->pages, "failed");
}

static void
clear_results (LcApproximateDialog *self)
{
  GtkWidget *results = adw_preferences_page_new ();
  GtkStackPage *page;

  gtk_stack_remove (self->pages, GTK_WIDGET (self->results));
  self->results = ADW_PREFERENCES_PAGE (results);
  page = gtk_stack_add_named (self->pages, results, "results");
  g_object_set (page, "title", _ ("Results"), NULL);
}

static void
approximate_dialog_on_done (gpointer owner, gpointer result, const GError *error)
{
  LcApproximateDialog *self = owner;
  g_autoptr (GPtrArray) made = result;

  g_clear_pointer (&self->run, lc_approximate_run_free);
  if (made == NULL && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      if (self->bounds)
        gtk_window_close (GTK_WINDOW (self));
      else
        gtk_stack_set_visible_child_name (self->pages, "choices");
      return;
    }
  if (made == NULL)
    {
      show_error (self, error);
      return;
    }
  clear_results (self);
  for (guint i = 0; i < made->len; i++)
    adw_preferences_page_add (self->results, ADW_PREFERENCES_GROUP (lc_approximate_results_new (made->pdata[i])));
  gtk_stack_set_visible_child_name (self->pages, "results");
  approximate_dialog_show (self, made);
}

static void
approximate_dialog_start (LcApproximateDialog *self, LcApproximateWish *wish)
{
  gtk_stack_set_visible_child_name (self->pages, "running");
  self->run = lc_approximate_run_new (self->opened, wish, approximate_dialog_on_done, approximate_dialog_on_tick, self);
  approximate_dialog_on_tick (self, 0);
}

static void
on_start (GtkButton *button, LcApproximateDialog *self)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (self->name));
  LcApproximateWish wish = {.models = {get_model (self)},
                            .n_models = 1,
                            .blind = (LcBlindPolicy)adw_combo_row_get_selected (self->blind),
                            .name = name[0] != '\0' ? g_strdup (name) : NULL,
                            .settings = lc_approximate_costs_dup_settings (self->costs),
                            .scales = lc_approximate_costs_get_scales (self->costs)};

  approximate_dialog_start (self, &wish);
}

static void
approximate_dialog_on_cancel (GtkButton *button, LcApproximateDialog *self)
{
  lc_label_show (self->state, _ ("Cancelling…"));
  if (self->run != NULL)
    lc_approximate_run_cancel (self->run);
}

static void
on_back (GtkButton *button, LcApproximateDialog *self)
{
  gtk_stack_set_visible_child_name (self->pages, "choices");
}

/* Shows the buttons of the current page. */
static void
approximate_dialog_on_page (LcApproximateDialog *self)
{
  const char *page = gtk_stack_get_visible_child_name (self->pages);

  gtk_widget_set_visible (GTK_WIDGET (self->start), g_strcmp0 (page, "choices") == 0);
  if (g_strcmp0 (page, "choices") == 0)
    gtk_window_set_default_widget (GTK_WINDOW (self), GTK_WIDGET (self->start));
}

/* --- The dialog ----------------------------------------------------------------------------------------------------
 */

static void
lc_approximate_dialog_dispose (GObject *object)
{
  LcApproximateDialog *self = LC_APPROXIMATE_DIALOG (object);

  g_clear_pointer (&self->run, lc_approximate_run_free);
  g_clear_pointer (&self->opened, lc_opened_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (lc_approximate_dialog_parent_class)->dispose (object);
}

static void
lc_approximate_dialog_class_init (LcApproximateDialogClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_approximate_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "approximate-dialog.ui");
  gtk_widget_class_bind_template_child (widget, LcApproximateDialog, pages);
  gtk_widget_class_bind_template_child (widget, LcApproximateDialog, choices);
  gtk_widget_class_bind_template_child (widget, LcApproximateDialog, models);
  gtk_widget_class_bind_template_child (widget, LcApproximateDialog, name);
  gtk_widget_class_bind_template_child (widget, LcApproximateDialog, blind);
  gtk_widget_class_bind_template_child (widget, LcApproximateDialog, name_error);
  gtk_widget_class_bind_template_child (widget, LcApproximateDialog, start);
  gtk_widget_class_bind_template_child (widget, LcApproximateDialog, progress);
  gtk_widget_class_bind_template_child (widget, LcApproximateDialog, state);
  gtk_widget_class_bind_template_child (widget, LcApproximateDialog, failed);
  gtk_widget_class_bind_template_child (widget, LcApproximateDialog, results);
  gtk_widget_class_bind_template_callback (widget, on_start);
  gtk_widget_class_bind_template_callback (widget, approximate_dialog_on_cancel);
  gtk_widget_class_bind_template_callback (widget, on_back);
  gtk_widget_class_bind_template_callback (widget, approximate_dialog_on_page);
  gtk_widget_class_bind_template_callback (widget, update_choices);
  lc_shortcuts_bind_dialog (widget);
}

static void
lc_approximate_dialog_init (LcApproximateDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  add_models (self);
}

static LcApproximateDialog *
make_dialog (GtkWindow *parent, LcSession *session)
{
  LcApproximateDialog *self = g_object_new (LC_TYPE_APPROXIMATE_DIALOG, "transient-for", parent, NULL);
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  self->session = g_object_ref (session);
  self->opened = lc_opened_ref (lc_session_get_opened (session));
  self->costs = LC_APPROXIMATE_COSTS (lc_approximate_costs_new (self->opened));
  adw_preferences_group_add (group, GTK_WIDGET (self->costs));
  adw_preferences_page_add (self->choices, group);
  g_signal_connect_object (self->costs, "changed", G_CALLBACK (update_choices), self, G_CONNECT_SWAPPED);
  approximate_dialog_on_page (self);
  lc_name_buttons (GTK_WIDGET (self));
  return self;
}

void
lc_approximate_dialog_show (GtkWindow *parent, LcSession *session)
{
  const LcOpened *opened = lc_session_get_opened (session);

  if (opened != NULL && opened->temporary == NULL)
    gtk_window_present (GTK_WINDOW (make_dialog (parent, session)));
}

void
lc_approximate_dialog_make_bounds (GtkWindow *parent, LcSession *session)
{
  static const LcModel bounds[] = {LC_MODEL_OPTIMISTIC, LC_MODEL_PESSIMISTIC};
  const LcOpened *opened = lc_session_get_opened (session);
  LcApproximateDialog *self;
  LcApproximateWish wish = {0};

  if (opened == NULL || opened->temporary != NULL)
    return;
  self = make_dialog (parent, session);
  self->bounds = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++)
    if (find_model (self, bounds[i]) == LC_TRACE_NONE)
      wish.models[wish.n_models++] = bounds[i];
  lc_window_show_title (GTK_WINDOW (self), _ ("Bounds"));
  gtk_window_present (GTK_WINDOW (self));
  approximate_dialog_start (self, &wish);
}
