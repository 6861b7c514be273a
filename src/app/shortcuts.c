/* SPDX-License-Identifier: Apache-2.0 */
/* The table of keyboard shortcuts, for the application and for the window that lists them. */
#include "app/shortcuts.h"

#include <glib/gi18n.h>

static const LcShortcut shortcuts[] = {
    {"win.open", "<Control>o", N_ ("General"), N_ ("Open a trace")},
    {"win.open-file", "<Control><Alt>o", N_ ("General"), N_ ("Open a profile, or a file of a trace")},
    {"win.record", "<Control><Shift>r", N_ ("General"), N_ ("Record a program")},
    {"win.compare", "<Control><Shift>o", N_ ("General"), N_ ("Compare with another trace")},
    {"win.refresh", "F5", N_ ("General"), N_ ("Read the trace again")},
    {"win.follow", "<Control>End", N_ ("General"), N_ ("Follow the end of a run that is being recorded")},
    {"app.new-window", "<Control>n", N_ ("General"), N_ ("New window")},
    {"win.show-help-overlay", "<Control>question", N_ ("General"), N_ ("Keyboard shortcuts")},
    {"app.help", "F1", N_ ("General"), N_ ("Help")},
    {"app.preferences", "<Control>comma", N_ ("General"), N_ ("Preferences")},
    {"app.quit", "<Control>q", N_ ("General"), N_ ("Quit")},
    {"win.export", "<Control>e", N_ ("General"), N_ ("Export a picture")},
    {"win.copy-picture", "<Control><Shift>c", N_ ("General"), N_ ("Copy the picture of the diagram")},
    {"win.close", "<Control>w", N_ ("General"), N_ ("Close the window")},
    {"win.left-side", "F9", N_ ("General"), N_ ("Show or hide what is shown of the history")},
    {"win.right-side", "<Shift>F9", N_ ("General"), N_ ("Show or hide the inspector")},
    {"win.bottom-side", "<Control>F9", N_ ("General"), N_ ("Show or hide the plots")},
    {"win.legend", "<Control><Shift>l", N_ ("General"), N_ ("Show or hide the legend")},
    {"win.events", "<Control><Shift>e", N_ ("General"), N_ ("Show the table of events, or the plots again")},
    {"win.sql", "<Control><Shift>s", N_ ("General"), N_ ("Show the pane for SQL, or the plots again")},
#ifdef LC_HAVE_SCRIPT
    {"win.console", "<Control>k", N_ ("General"), N_ ("Show the console, or the plots again")},
#endif
    {"win.time::physical", "<Control>1", N_ ("Time"), N_ ("Physical time")},
    {"win.time::logical", "<Control>2", N_ ("Time"), N_ ("Logical time")},
    {"win.time::phase", "<Control>3", N_ ("Time"), N_ ("Phase time")},
    {"win.orientation", "<Control>r", N_ ("Time"), N_ ("Turn the diagram")},
    {"win.measured", "<Control>m", N_ ("Timelines"), N_ ("Back to what was measured")},
    {"win.approximate", "<Control>t", N_ ("Timelines"), N_ ("Approximate the run without the measurement")},
    {"win.what-if-any", "<Control><Shift>t", N_ ("Timelines"), N_ ("What if something took another time")},
    {"win.beside", "<Control>b", N_ ("Timelines"), N_ ("Approximated and measured beside each other")},
    {"win.bounds", "<Control><Shift>b", N_ ("Timelines"), N_ ("Between which times each event ends")},
    {"win.apart", "<Control><Shift>m", N_ ("Timelines"), N_ ("Each timeline on its own half, or both as one picture")},
    {"win.share-more", "<Alt>period", N_ ("Timelines"), N_ ("One step from measured to approximated")},
    {"win.share-less", "<Alt>comma", N_ ("Timelines"), N_ ("One step from approximated to measured")},
    {"win.highlight::critical-path", "c", N_ ("Highlights"), N_ ("The critical path")},
    {"win.highlight::past", "p", N_ ("Highlights"), N_ ("The past of the selected event")},
    {"win.highlight::future", "f", N_ ("Highlights"), N_ ("The future of the selected event")},
    {"win.highlight::cone", "b", N_ ("Highlights"), N_ ("Both, and what is concurrent with it")},
    {"win.path-previous", "bracketleft", N_ ("Highlights"), N_ ("The stay before on the critical path")},
    {"win.path-next", "bracketright", N_ ("Highlights"), N_ ("The next stay on the critical path")},
    {"win.play", "<Control>space", N_ ("Play"), N_ ("Play the run over the process graph, or pause")},
    {"win.step-forward", "<Control>bracketright", N_ ("Play"), N_ ("One step on")},
    {"win.step-backward", "<Control>bracketleft", N_ ("Play"), N_ ("One step back")},
    {"win.stop", "<Control><Shift>space", N_ ("Play"), N_ ("Stop playing")},
    {"win.bookmark", "<Control>d", N_ ("Selection"), N_ ("Add a bookmark")},
    {"win.mark", "m", N_ ("Selection"), N_ ("Mark the selected event, or the time in view")},
    {"win.note", "<Control><Shift>d", N_ ("Selection"), N_ ("Write a note on the selected event")},
    {"win.breakpoint", "s", N_ ("Selection"), N_ ("Set a breakpoint on the selected event, or remove it")},
    {"win.debug", "g", N_ ("Selection"), N_ ("Run the program again up to the selected event, in gdb")},
    {"win.turn-round", "x", N_ ("Selection"), N_ ("What if the other had been first")},
    {"win.back", "<Alt>Left", N_ ("Selection"), N_ ("The event that was selected before")},
    {"win.forward", "<Alt>Right", N_ ("Selection"), N_ ("The event that was selected after that")},
    {"win.debugger", "<Control><Shift>k", N_ ("Debugger"), N_ ("Show the debugger, or the plots again")},
    {"win.debug-next", "F6", N_ ("Debugger"), N_ ("The next event of the process of the selected event")},
    {"win.debug-here", "<Shift>F8", N_ ("Debugger"), N_ ("On to the selected event")},
    {"win.debug-finish", "F7", N_ ("Debugger"), N_ ("All others go on as far as they can")},
    {"win.debug-go", "F8", N_ ("Debugger"), N_ ("On to the next breakpoint")},
    {"win.debug-interrupt", "<Shift>F6", N_ ("Debugger"), N_ ("Stop the program where it is")},
    {"win.debug-end", "<Control>F2", N_ ("Debugger"), N_ ("End gdb and the program")},
    {"win.search", "<Control>f", N_ ("Search"), N_ ("Find events")},
    {"win.search-next", "<Control>g F3", N_ ("Search"), N_ ("The next event found")},
    {"win.search-previous", "<Control><Shift>g <Shift>F3", N_ ("Search"), N_ ("The event found before it")},
    {"win.hide-process", "<Control>h", N_ ("What is shown"), N_ ("Hide the process of the selected event")},
    {"win.solo-process", "<Control><Shift>h", N_ ("What is shown"),
     N_ ("Show only the process of the selected event, or all")},
    {"win.show-all-processes", "<Control>u", N_ ("What is shown"), N_ ("Show all processes")},
    {"win.only-object", "<Control>j", N_ ("What is shown"), N_ ("Show only what touches the selected event’s object")},
    {"win.clear-filters", "<Control><Shift>u", N_ ("What is shown"), N_ ("Show all events")},
    {NULL, "Left Right Up Down", N_ ("Diagram"), N_ ("Move what is in view")},
    {NULL, "Page_Up Page_Down", N_ ("Diagram"), N_ ("Move by a page of time")},
    {NULL, "Home End", N_ ("Diagram"), N_ ("To the begin or the end of the run")},
    {NULL, "plus minus <Control>Up <Control>Down", N_ ("Diagram"), N_ ("Zoom in time")},
    {NULL, "<Shift>Up <Shift>Down", N_ ("Diagram"), N_ ("Zoom across processes")},
    {NULL, "0", N_ ("Diagram"), N_ ("The whole run")},
    {NULL, "Return", N_ ("Diagram"), N_ ("Zoom to the selected event")},
    {NULL, "Escape", N_ ("Diagram"), N_ ("One step back")},
    {NULL, "Menu <Shift>F10", N_ ("Diagram"), N_ ("Menu of the selected event")},
    {NULL, "period n", N_ ("Diagram"), N_ ("The next event of the process")},
    {NULL, "comma <Shift>n", N_ ("Diagram"), N_ ("The event of the process before it")},
    {NULL, "j k", N_ ("Diagram"), N_ ("The nearest event on the next row, or the row before")},
    {NULL, "h l", N_ ("Diagram"), N_ ("Along the longest arc into the event, or out of it")},
};

const LcShortcut *
lc_shortcuts_get (gsize *n_shortcuts)
{
  *n_shortcuts = G_N_ELEMENTS (shortcuts);
  return shortcuts;
}

/* A letter without a modifier may be meant as text. */
static gboolean
is_letter (const char *key)
{
  GdkModifierType modifiers;
  guint value;

  return gtk_accelerator_parse (key, &value, &modifiers) && (modifiers & ~GDK_SHIFT_MASK) == 0 &&
         g_unichar_isgraph (gdk_keyval_to_unicode (value));
}

void
lc_shortcuts_install (GtkApplication *application)
{
  for (gsize i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    {
      g_auto (GStrv) keys = g_strsplit (shortcuts[i].accelerator, " ", -1);

      if (shortcuts[i].action != NULL && !is_letter (keys[0]))
        gtk_application_set_accels_for_action (application, shortcuts[i].action, (const char *const *)keys);
    }
}

static void
add_letter (GtkShortcutController *controller, const char *key, const char *detailed_action)
{
  GtkShortcut *shortcut = gtk_shortcut_new (gtk_shortcut_trigger_parse_string (key), NULL);
  g_autoptr (GVariant) target = NULL;
  g_autofree char *action = NULL;

  if (g_action_parse_detailed_name (detailed_action, &action, &target, NULL))
    {
      gtk_shortcut_set_action (shortcut, gtk_named_action_new (action));
      gtk_shortcut_set_arguments (shortcut, target);
    }
  gtk_shortcut_controller_add_shortcut (controller, shortcut);
}

void
lc_shortcuts_add_letters (GtkWidget *window)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    {
      g_auto (GStrv) keys = g_strsplit (shortcuts[i].accelerator, " ", -1);

      if (shortcuts[i].action == NULL || !is_letter (keys[0]))
        continue;
      for (guint j = 0; keys[j] != NULL; j++)
        add_letter (GTK_SHORTCUT_CONTROLLER (controller), keys[j], shortcuts[i].action);
    }
  gtk_widget_add_controller (window, controller);
}

static gboolean
shortcuts_on_quit (gpointer data)
{
  GApplication *application = g_application_get_default ();

  if (application != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (application), "quit", NULL);
  return G_SOURCE_REMOVE;
}

static gboolean
shortcuts_quit (GtkWidget *dialog, GVariant *arguments, gpointer data)
{
  /* Later, because the dialog is gone then: none outlives the window that it belongs to. */
  gtk_window_close (GTK_WINDOW (dialog));
  g_idle_add (shortcuts_on_quit, NULL);
  return TRUE;
}

void
lc_shortcuts_bind_dialog (GtkWidgetClass *class)
{
  gtk_widget_class_add_binding_action (class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_add_binding (class, GDK_KEY_q, GDK_CONTROL_MASK, shortcuts_quit, NULL);
}
