/* SPDX-License-Identifier: Apache-2.0 */
/* The dialog for a what-if: a factor to drag, the length that the run would have, and a timeline to keep it. */
#include "app/time/what-if-dialog.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/names.h"
#include "app/button-names.h"
#include "app/shortcuts.h"
#include "app/shown-text.h"
#include "app/time/approximate-run.h"
#include "app/time/what-if-trial.h"
#include "trace/quantities.h"

#define LC_TYPE_WHAT_IF_DIALOG (lc_what_if_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LcWhatIfDialog, lc_what_if_dialog, LC, WHAT_IF_DIALOG, AdwWindow)

struct _LcWhatIfDialog
{
  AdwWindow parent;

  GtkButton *keep;
  GtkProgressBar *progress;
  GtkWidget *content;
  GtkDropDown *subjects;
  GtkEntry *what;
  GtkLabel *explanation;
  GtkAdjustment *factor;
  GtkScale *scale;
  GtkLevelBar *measured_bar;
  GtkLevelBar *found_bar;
  GtkLabel *measured;
  GtkLabel *found;
  GtkLabel *change;
  GtkLabel *model;
  GtkBox *warnings;
  GtkEntry *name;
  GtkLabel *name_note;

  LcSession *session;
  LcOpened *opened;
  GPtrArray *choices; /* LcWhatIfSubject, in the order of the drop-down; the last one is typed */
  LcWhatIfTrial *trial;
  LcWhatIfAnswer *answer; /* to the newest question; or NULL */
  gboolean names_itself;  /* the user has not typed a name */
  LcApproximateRun *run;  /* makes the timeline; or NULL */
};

G_DEFINE_FINAL_TYPE (LcWhatIfDialog, lc_what_if_dialog, ADW_TYPE_WINDOW)

static LcWhatIfSubject *
what_if_dialog_get_subject (LcWhatIfDialog *self)
{
  const guint chosen = gtk_drop_down_get_selected (self->subjects);

  return self->choices->pdata[MIN (chosen, self->choices->len - 1)];
}

/* --- The name ------------------------------------------------------------------------------------------------------
 */

static const LcHistoryTimeline *
what_if_dialog_find_timeline (LcWhatIfDialog *self, const char *name)
{
  GPtrArray *timelines = lc_session_get_timelines (self->session);

  for (guint i = 0; timelines != NULL && i < timelines->len; i++)
    if (g_str_equal (((const LcHistoryTimeline *)timelines->pdata[i])->name, name))
      return timelines->pdata[i];
  return NULL;
}

/* Returns what is wrong with the name, or NULL. */
static const char *
what_if_dialog_check_name (LcWhatIfDialog *self, const char *name)
{
  GPtrArray *timelines = lc_session_get_timelines (self->session);
  LcModel model;

  if (name[0] == '\0')
    return _ ("A timeline needs a name.");
  if (g_str_equal (name, "measured") || lc_model_parse (name, &model) ||
      (timelines != NULL && !lc_what_if_may_be_called (timelines, name)))
    return _ ("An approximation has this name: a what-if needs another one.");
  return NULL;
}

static void
what_if_dialog_update (LcWhatIfDialog *self)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (self->name));
  const LcWhatIfSubject *subject = what_if_dialog_get_subject (self);
  const gboolean asks = subject->name[0] != '\0' || subject->place != NULL;
  const char *error = asks ? what_if_dialog_check_name (self, name) : NULL, *note = error;

  if (asks && error == NULL && what_if_dialog_find_timeline (self, name) != NULL)
    note = _ ("Replaces the what-if of this name.");
  lc_label_show (self->name_note, note != NULL ? note : "");
  gtk_widget_set_visible (GTK_WIDGET (self->name_note), note != NULL);
  if (error != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self->name), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->name), "error");
  gtk_widget_set_sensitive (GTK_WIDGET (self->keep), error == NULL && self->answer != NULL && self->run == NULL);
}

static void
what_if_dialog_on_name (LcWhatIfDialog *self)
{
  self->names_itself = FALSE;
  what_if_dialog_update (self);
}

/* The name follows the question until the user types another one. */
static void
what_if_dialog_name (LcWhatIfDialog *self)
{
  const LcWhatIfSubject *subject = what_if_dialog_get_subject (self);
  const LcScale scale = {.name = subject->name[0] != '\0' ? subject->name : subject->place,
                         .factor = gtk_adjustment_get_value (self->factor)};
  g_autofree char *name = NULL;

  if (!self->names_itself || scale.name == NULL)
    return;
  name = lc_what_if_dup_name (&scale, 1);
  gtk_editable_set_text (GTK_EDITABLE (self->name), name);
  self->names_itself = TRUE;
}

/* --- Answers -------------------------------------------------------------------------------------------------------
 */

static void
what_if_dialog_clear_warnings (LcWhatIfDialog *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->warnings))) != NULL)
    gtk_box_remove (self->warnings, child);
}

static void
what_if_dialog_warn (LcWhatIfDialog *self, const char *text)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = lc_label_new (text);
  GtkWidget *icon = gtk_image_new_from_icon_name ("dialog-warning-symbolic");

  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption");
  gtk_box_append (GTK_BOX (row), icon);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (self->warnings, row);
}

static char *
what_if_dialog_dup_change (const LcApproximation *found)
{
  const guint64 before = found->measured_total, after = found->approximated_total;
  const guint64 difference = before > after ? before - after : after - before;
  const double percent = before > 0 ? 100 * (double)difference / (double)before : 0;
  g_autofree char *amount = lc_format_duration (difference);

  if (difference == 0)
    return g_strdup (_ ("The run takes as long as it did"));
  return before > after ? g_strdup_printf (_ ("%s shorter (%.1f %%)"), amount, percent)
                        : g_strdup_printf (_ ("%s longer (%.1f %%)"), amount, percent);
}

/* Names the model, and what the other one finds. */
static char *
what_if_dialog_dup_model (const LcApproximation *found)
{
  g_autofree char *low = lc_format_duration (found->low), *high = lc_format_duration (found->high);
  const char *text = found->model == LC_MODEL_LIBERAL
                         ? _ ("Model liberal: who gets something next is decided again")
                         : _ ("Model event: everything happens in the order that was measured");

  if (found->low == LC_TRACE_UNKNOWN || g_str_equal (low, high))
    return g_strdup (text);
  return g_strdup_printf (_ ("%s. By the other model too: %s to %s"), text, low, high);
}

static void
what_if_dialog_show (LcWhatIfDialog *self, const LcApproximation *found)
{
  const double most = (double)MAX (MAX (found->measured_total, found->approximated_total), 1);
  g_autofree char *measured = lc_format_duration (found->measured_total), *spoken = NULL;
  g_autofree char *after = lc_format_duration (found->approximated_total);
  g_autofree char *change = what_if_dialog_dup_change (found), *model = what_if_dialog_dup_model (found);

  gtk_level_bar_set_value (self->measured_bar, (double)found->measured_total / most);
  gtk_level_bar_set_value (self->found_bar, (double)found->approximated_total / most);
  lc_label_show (self->measured, measured);
  lc_label_show (self->found, after);
  lc_label_show (self->change, change);
  lc_label_show (self->model, model);
  spoken = g_strdup_printf (_ ("New length: %s"), after);
  lc_accessible_show (GTK_ACCESSIBLE (self->found), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken);
  what_if_dialog_clear_warnings (self);
  for (guint i = 0; i < found->warnings->len; i++)
    what_if_dialog_warn (self, found->warnings->pdata[i]);
}

static void
what_if_dialog_forget (LcWhatIfDialog *self)
{
  g_clear_pointer (&self->answer, lc_what_if_answer_free);
  what_if_dialog_update (self);
}

static void
what_if_dialog_show_nothing (LcWhatIfDialog *self, const char *error)
{
  gtk_level_bar_set_value (self->measured_bar, 0);
  gtk_level_bar_set_value (self->found_bar, 0);
  lc_label_show (self->measured, "");
  lc_label_show (self->found, "");
  lc_label_show (self->change, "");
  lc_label_show (self->model, "");
  what_if_dialog_clear_warnings (self);
  if (error != NULL)
    what_if_dialog_warn (self, error);
}

static void
what_if_dialog_on_answer (gpointer owner, LcWhatIfAnswer *answer, const GError *error)
{
  LcWhatIfDialog *self = owner;
  const gboolean is_newest = !lc_what_if_trial_is_busy (self->trial);

  g_clear_pointer (&self->answer, lc_what_if_answer_free);
  if (answer != NULL)
    what_if_dialog_show (self, answer->approximation);
  else
    what_if_dialog_show_nothing (self, error->message);
  if (is_newest)
    {
      gtk_widget_set_opacity (GTK_WIDGET (self->progress), 0);
      self->answer = answer;
    }
  else
    lc_what_if_answer_free (answer);
  what_if_dialog_update (self);
}

static void
what_if_dialog_on_tick (gpointer owner, double fraction)
{
  LcWhatIfDialog *self = owner;

  gtk_progress_bar_set_fraction (self->progress, CLAMP (fraction, 0, 1));
  gtk_widget_set_opacity (GTK_WIDGET (self->progress), 1);
}

/* --- Questions -----------------------------------------------------------------------------------------------------
 */

static void
what_if_dialog_ask (LcWhatIfDialog *self)
{
  const LcWhatIfSubject *subject = what_if_dialog_get_subject (self);

  if (self->trial == NULL || self->run != NULL)
    return;
  what_if_dialog_name (self);
  what_if_dialog_forget (self);
  if (subject->name[0] == '\0' && subject->place == NULL)
    {
      lc_what_if_trial_stop (self->trial);
      gtk_widget_set_opacity (GTK_WIDGET (self->progress), 0);
      what_if_dialog_show_nothing (self, NULL);
      return;
    }
  lc_what_if_trial_ask (self->trial, subject, gtk_adjustment_get_value (self->factor));
}

static void
what_if_dialog_on_factor (LcWhatIfDialog *self)
{
  const double value = gtk_adjustment_get_value (self->factor), rounded = round (value * 100) / 100;

  if (value != rounded)
    gtk_adjustment_set_value (self->factor, rounded);
  else
    what_if_dialog_ask (self);
}

static void
what_if_dialog_on_what (LcWhatIfDialog *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->what))));

  LcWhatIfSubject *typed = self->choices->pdata[self->choices->len - 1];

  g_clear_pointer (&typed->place, g_free);
  if (text[0] != '\0')
    typed->place = g_steal_pointer (&text);
  what_if_dialog_ask (self);
}

static const char *
what_if_dialog_explain (const LcWhatIfSubject *subject)
{
  if (subject->name[0] == '\0')
    return _ ("An operation, an object, a region, a line, a function, a process, or communication");
  switch (subject->kind)
    {
    case LC_SCALE_REGION:
      return _ ("All that is done inside it takes so many times as long. Who waits for others still does.");
    case LC_SCALE_PLACE:
      return _ ("What the process does between two events takes so many times as long if this line calls one of them, "
                "and so do the events. Who waits for others still does.");
    case LC_SCALE_PROCESS:
      return _ ("All that the process does itself takes so many times as long. Who waits for others still does.");
    case LC_SCALE_OPERATION:
    case LC_SCALE_OBJECT:
    case LC_SCALE_COMMUNICATION:
    default:
      return _ ("What its events take themselves is multiplied. Waiting for others still follows from the others.");
    }
}

static void
what_if_dialog_on_subject (LcWhatIfDialog *self)
{
  const LcWhatIfSubject *subject = what_if_dialog_get_subject (self);

  lc_label_show (self->explanation, what_if_dialog_explain (subject));
  gtk_widget_set_visible (GTK_WIDGET (self->what), subject->name[0] == '\0');
  what_if_dialog_ask (self);
}

/* --- Keeping it ----------------------------------------------------------------------------------------------------
 */

static void
what_if_dialog_stop (LcWhatIfDialog *self)
{
  g_clear_pointer (&self->run, lc_approximate_run_free);
  gtk_widget_set_sensitive (self->content, TRUE);
  gtk_widget_set_opacity (GTK_WIDGET (self->progress), 0);
}

static void
what_if_dialog_on_kept (gpointer owner, gpointer result, const GError *error)
{
  LcWhatIfDialog *self = owner;
  g_autoptr (GPtrArray) made = result;
  const LcShown *shown = lc_session_get_shown (self->session);

  what_if_dialog_stop (self);
  if (made == NULL)
    {
      what_if_dialog_show_nothing (self, error->message);
      what_if_dialog_update (self);
      return;
    }
  if (lc_session_get_opened (self->session) == self->opened)
    {
      lc_session_begin (self->session);
      lc_session_reload_timelines (self->session);
      lc_session_set_timelines (self->session, ((const LcApproximation *)made->pdata[0])->timeline,
                                LC_TIMELINE_MEASURED, shown->selection.lowest, shown->selection.highest);
      lc_session_end (self->session);
    }
  gtk_window_close (GTK_WINDOW (self));
}

static void
what_if_dialog_clear_scale (gpointer scale)
{
  lc_scale_clear (scale);
}

static void
what_if_dialog_on_keep (LcWhatIfDialog *self)
{
  LcApproximateWish wish = {.models = {LC_MODEL_AUTO}, .n_models = 1, .keep_measurement = TRUE};

  if (self->answer == NULL)
    return;
  wish.name = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->name)));
  wish.scales = g_array_new (FALSE, FALSE, sizeof (LcScale));
  g_array_set_clear_func (wish.scales, what_if_dialog_clear_scale);
  g_array_append_val (wish.scales, self->answer->scale);
  self->answer->scale = (LcScale){0};
  what_if_dialog_forget (self);
  gtk_widget_set_sensitive (self->content, FALSE);
  self->run = lc_approximate_run_new (self->opened, &wish, what_if_dialog_on_kept, what_if_dialog_on_tick, self);
  what_if_dialog_update (self);
}

/* --- The dialog ----------------------------------------------------------------------------------------------------
 */

static void
lc_what_if_dialog_dispose (GObject *object)
{
  LcWhatIfDialog *self = LC_WHAT_IF_DIALOG (object);

  g_clear_pointer (&self->run, lc_approximate_run_free);
  g_clear_pointer (&self->trial, lc_what_if_trial_free);
  g_clear_pointer (&self->answer, lc_what_if_answer_free);
  g_clear_pointer (&self->choices, g_ptr_array_unref);
  g_clear_pointer (&self->opened, lc_opened_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (lc_what_if_dialog_parent_class)->dispose (object);
}

static void
lc_what_if_dialog_class_init (LcWhatIfDialogClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_what_if_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "what-if-dialog.ui");
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, keep);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, progress);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, content);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, subjects);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, what);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, explanation);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, factor);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, scale);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, measured_bar);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, found_bar);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, measured);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, found);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, change);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, model);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, warnings);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, name);
  gtk_widget_class_bind_template_child (widget, LcWhatIfDialog, name_note);
  gtk_widget_class_bind_template_callback (widget, what_if_dialog_on_keep);
  gtk_widget_class_bind_template_callback (widget, what_if_dialog_on_what);
  gtk_widget_class_bind_template_callback (widget, what_if_dialog_on_factor);
  gtk_widget_class_bind_template_callback (widget, what_if_dialog_on_name);
  lc_shortcuts_bind_dialog (widget);
}

static void
lc_what_if_dialog_init (LcWhatIfDialog *self)
{
  static const char *const offsets[] = {GTK_LEVEL_BAR_OFFSET_LOW, GTK_LEVEL_BAR_OFFSET_HIGH, GTK_LEVEL_BAR_OFFSET_FULL};

  self->names_itself = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < G_N_ELEMENTS (offsets); i++)
    {
      gtk_level_bar_remove_offset_value (self->measured_bar, offsets[i]);
      gtk_level_bar_remove_offset_value (self->found_bar, offsets[i]);
    }
  for (guint i = 0; i <= 4; i++)
    {
      g_autofree char *text = g_strdup_printf ("%.1f", i / 2.0);

      gtk_scale_add_mark (self->scale, i / 2.0, GTK_POS_BOTTOM, text);
    }
}

/* The last choice is what the user types. */
static void
what_if_dialog_set_choices (LcWhatIfDialog *self, GPtrArray *subjects)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  self->choices = subjects;
  for (guint i = 0; i < subjects->len; i++)
    gtk_string_list_take (titles, lc_what_if_subject_dup_title (subjects->pdata[i]));
  gtk_string_list_append (titles, _ ("Something else…"));
  g_ptr_array_add (subjects, lc_what_if_subject_new (LC_SCALE_OPERATION, LC_TRACE_NONE, "", NULL));
  gtk_drop_down_set_model (self->subjects, G_LIST_MODEL (titles));
  gtk_widget_set_visible (GTK_WIDGET (self->subjects), subjects->len > 1);
}

void
lc_what_if_dialog_show (GtkWindow *parent, LcSession *session, GPtrArray *subjects)
{
  LcOpened *opened = lc_session_get_opened (session);
  LcWhatIfDialog *self;

  if (opened == NULL || opened->temporary != NULL)
    {
      g_ptr_array_unref (subjects);
      return;
    }
  self = g_object_new (LC_TYPE_WHAT_IF_DIALOG, "transient-for", parent, NULL);
  self->session = g_object_ref (session);
  self->opened = lc_opened_ref (opened);
  what_if_dialog_set_choices (self, subjects);
  gtk_window_set_default_widget (GTK_WINDOW (self), GTK_WIDGET (self->keep));
  lc_name_buttons (GTK_WIDGET (self));
  self->trial = lc_what_if_trial_new (self->opened, self, what_if_dialog_on_answer, what_if_dialog_on_tick);
  g_signal_connect_object (self->subjects, "notify::selected", G_CALLBACK (what_if_dialog_on_subject), self,
                           G_CONNECT_SWAPPED);
  what_if_dialog_on_subject (self);
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (subjects->len > 1 ? GTK_WIDGET (self->scale) : GTK_WIDGET (self->what));
}
