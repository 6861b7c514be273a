/* SPDX-License-Identifier: Apache-2.0 */
/* The switch for the kind of time and the orientation in the header bar. */
#include "app/time/time-switch.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/names.h"
#include "app/shown-text.h"
#include "app/time/time-phases.h"

struct _LcTimeSwitch
{
  GtkBox parent;

  LcSession *session;
  GtkMenuButton *kinds;
  GtkMenuButton *phases;
  GtkSpinner *spinner;
};

G_DEFINE_FINAL_TYPE (LcTimeSwitch, lc_time_switch, GTK_TYPE_BOX)

/* With little room, a menu button with the name of the shown kind replaces the three buttons. */
static void
name_kind (LcTimeSwitch *self, LcSceneTime time)
{
  const char *const names[] = {[LC_SCENE_PHYSICAL] = C_ ("time", "Physical"),
                               [LC_SCENE_LOGICAL] = C_ ("time", "Logical"),
                               [LC_SCENE_PHASE] = C_ ("time", "Phase")};

  gtk_menu_button_set_label (self->kinds, names[time]);
}

static void
time_switch_on_changed (LcSession *session, guint what, LcTimeSwitch *self)
{
  const LcShown *shown = lc_session_get_shown (session);
  gboolean finding = shown != NULL && shown->selection.time == LC_SCENE_PHASE && shown->phases == NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->spinner), finding);
  gtk_spinner_set_spinning (self->spinner, finding);
  gtk_widget_set_sensitive (GTK_WIDGET (self->phases), shown != NULL);
  name_kind (self, shown != NULL ? shown->selection.time : LC_SCENE_PHYSICAL);
}

static void
lc_time_switch_dispose (GObject *object)
{
  g_clear_object (&LC_TIME_SWITCH (object)->session);
  G_OBJECT_CLASS (lc_time_switch_parent_class)->dispose (object);
}

static void
lc_time_switch_class_init (LcTimeSwitchClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_time_switch_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "time-switch.ui");
  gtk_widget_class_bind_template_child (widget, LcTimeSwitch, kinds);
  gtk_widget_class_bind_template_child (widget, LcTimeSwitch, phases);
  gtk_widget_class_bind_template_child (widget, LcTimeSwitch, spinner);
}

static void
lc_time_switch_init (LcTimeSwitch *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  lc_accessible_show (GTK_ACCESSIBLE (self->kinds), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Kind of time"));
}

GtkWidget *
lc_time_switch_new (LcSession *session)
{
  LcTimeSwitch *self = g_object_new (LC_TYPE_TIME_SWITCH, NULL);

  self->session = g_object_ref (session);
  gtk_menu_button_set_popover (self->phases, lc_time_phases_new (session));
  g_signal_connect_object (session, "changed", G_CALLBACK (time_switch_on_changed), self, 0);
  time_switch_on_changed (session, LC_CHANGED_ALL, self);
  return GTK_WIDGET (self);
}
