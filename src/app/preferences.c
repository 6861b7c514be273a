/* SPDX-License-Identifier: Apache-2.0 */
/* The window with the user's preferences: each is a setting that other files look up when they need it. */
#include "app/preferences.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/button-names.h"
#include "app/scripts/script-process.h"
#include "app/session/state.h"
#include "app/settings.h"
#include "app/shown-text.h"

#define LC_TYPE_PREFERENCES (lc_preferences_get_type ())
G_DECLARE_FINAL_TYPE (LcPreferences, lc_preferences, LC, PREFERENCES, AdwPreferencesWindow)

struct _LcPreferences
{
  AdwPreferencesWindow parent;

  GtkWidget *not_kept;
  GtkWidget *style;
  GtkWidget *diagram_style;
  GtkWidget *animations;
  GtkWidget *tips;
  GtkWidget *time;
  GtkWidget *orientation;
  GtkWidget *wheel;
  GtkWidget *keep_up;
  GtkWidget *scripts;
  GtkWidget *script_memory;
  GtkWidget *script_seconds;
  GtkWidget *editor;
  GtkWidget *terminal;
  GtkWidget *keep_state;
};

G_DEFINE_FINAL_TYPE (LcPreferences, lc_preferences, ADW_TYPE_PREFERENCES_WINDOW)

static void
on_forget (LcPreferences *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (!lc_state_forget_all (&error))
    text = lc_shown_dup_markup (error->message);
  adw_preferences_window_add_toast (ADW_PREFERENCES_WINDOW (self),
                                    adw_toast_new (text != NULL ? text : _ ("Nothing is kept of any trace any more")));
}

static void
lc_preferences_class_init (LcPreferencesClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "preferences.ui");
  gtk_widget_class_bind_template_child (widget, LcPreferences, not_kept);
  gtk_widget_class_bind_template_child (widget, LcPreferences, style);
  gtk_widget_class_bind_template_child (widget, LcPreferences, diagram_style);
  gtk_widget_class_bind_template_child (widget, LcPreferences, animations);
  gtk_widget_class_bind_template_child (widget, LcPreferences, tips);
  gtk_widget_class_bind_template_child (widget, LcPreferences, time);
  gtk_widget_class_bind_template_child (widget, LcPreferences, orientation);
  gtk_widget_class_bind_template_child (widget, LcPreferences, wheel);
  gtk_widget_class_bind_template_child (widget, LcPreferences, keep_up);
  gtk_widget_class_bind_template_child (widget, LcPreferences, scripts);
  gtk_widget_class_bind_template_child (widget, LcPreferences, script_memory);
  gtk_widget_class_bind_template_child (widget, LcPreferences, script_seconds);
  gtk_widget_class_bind_template_child (widget, LcPreferences, editor);
  gtk_widget_class_bind_template_child (widget, LcPreferences, terminal);
  gtk_widget_class_bind_template_child (widget, LcPreferences, keep_state);
  gtk_widget_class_bind_template_callback (widget, on_forget);
}

/* The number of a choice is its value in the enumeration that the setting is about. */
static void
bind_all (LcPreferences *self)
{
  const struct
  {
    const char *key;
    GtkWidget *widget;
    const char *property;
  } bound[] = {
      {"style", self->style, "selected"},
      {"diagram-style", self->diagram_style, "selected"},
      {"animations", self->animations, "active"},
      {"diagram-tips", self->tips, "active"},
      {"new-time", self->time, "selected"},
      {"new-orientation", self->orientation, "selected"},
      {"wheel", self->wheel, "selected"},
      {"keep-up", self->keep_up, "active"},
      {"console-memory", self->script_memory, "value"},
      {"console-seconds", self->script_seconds, "value"},
      {"editor", self->editor, "text"},
      {"terminal", self->terminal, "text"},
      {"keep-state", self->keep_state, "active"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bound); i++)
    {
      gtk_widget_set_sensitive (bound[i].widget, lc_settings_get () != NULL);
      lc_settings_bind (bound[i].key, bound[i].widget, bound[i].property);
    }
}

static void
lc_preferences_init (LcPreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_visible (self->not_kept, lc_settings_get () == NULL);
  gtk_widget_set_visible (self->scripts, lc_script_process_is_possible ());
  bind_all (self);
  lc_name_buttons (GTK_WIDGET (self));
}

static void
apply_style (void)
{
  static const AdwColorScheme schemes[] = {ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_LIGHT,
                                           ADW_COLOR_SCHEME_FORCE_DARK};
  guint style = lc_settings_get_choice ("style", 0);

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      schemes[MIN (style, G_N_ELEMENTS (schemes) - 1)]);
}

void
lc_preferences_start (void)
{
  apply_style ();
  if (lc_settings_get () != NULL)
    g_signal_connect (lc_settings_get (), "changed::style", G_CALLBACK (apply_style), NULL);
}

void
lc_preferences_show (GtkWindow *parent)
{
  gtk_window_present (g_object_new (LC_TYPE_PREFERENCES, "transient-for", parent, NULL));
}
