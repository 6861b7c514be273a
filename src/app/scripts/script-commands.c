/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that scripts define, in the menu of a browser's window. */
#include "app/scripts/script-commands.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/scripts/script-list.h"
#include "app/scripts/script-process.h"

#define DATA "lc-script-commands"

/* Lives as long as the window. */
typedef struct
{
  GtkApplicationWindow *window;
  LcSession *session;
  GMenu *section;
  GSimpleAction *stop;
  LcJob *job; /* the command that runs */
} ScriptCommands;

static void
script_commands_free (gpointer data)
{
  ScriptCommands *commands = data;

  lc_job_free (commands->job);
  g_object_unref (commands->section);
  g_object_unref (commands->session);
  g_object_unref (commands->stop);
  g_free (commands);
}

/* --- Running ------------------------------------------------------------------------------------------------------ */

static void
script_commands_on_ran (gpointer owner, gpointer result, const GError *error)
{
  ScriptCommands *commands = owner;
  g_autoptr (LcScriptSaid) said = result;

  g_simple_action_set_enabled (commands->stop, FALSE);
  if (error != NULL)
    lc_session_tell (commands->session, error->message);
  else if (said->complaint[0] != '\0')
    lc_session_tell (commands->session, said->complaint);
  else
    lc_session_tell (commands->session,
                     said->output[0] != '\0' ? g_strstrip (said->output) : _ ("The command has ended."));
}

/* Adds an option with a number, both of which the array frees. */
static void
script_commands_say (GPtrArray *words, const char *option, double position)
{
  g_ptr_array_add (words, g_strdup (option));
  g_ptr_array_add (words, g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64)CLAMP (round (position), 0, 9e18)));
}

/* Gives the arguments of lightcone that run a command on what is shown. */
static GPtrArray *
script_commands_list_words (ScriptCommands *commands, const char *name)
{
  const LcShown *shown = lc_session_get_shown (commands->session);
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  LcEventName selection;
  LcSpan span;

  g_ptr_array_add (words, g_strdup ("script"));
  g_ptr_array_add (words, g_strdup (lc_session_get_opened (commands->session)->directory));
  g_ptr_array_add (words, g_strdup ("--command"));
  g_ptr_array_add (words, g_strdup (name));
  g_ptr_array_add (words, g_strdup ("--timeline"));
  g_ptr_array_add (words, g_strdup (lc_session_get_timeline_name (commands->session, shown->timeline)));
  lc_session_get_selection (commands->session, &selection);
  if (lc_session_has_selection (commands->session))
    {
      g_ptr_array_add (words, g_strdup ("--selection"));
      g_ptr_array_add (words, g_strdup_printf ("%u:%" G_GUINT64_FORMAT, selection.process, selection.ordinal));
    }
  if (shown->selection.time == LC_SCENE_PHYSICAL)
    {
      lc_session_get_span (commands->session, &span);
      script_commands_say (words, "--from", span.from);
      script_commands_say (words, "--to", span.to);
    }
  g_ptr_array_add (words, NULL);
  return words;
}

/* Whether a script defines it for this window's trace: the key may be of another window's. */
static gboolean
script_commands_has (ScriptCommands *commands, const char *name)
{
  const GPtrArray *entries = lc_script_list_get_entries (lc_script_list_of (commands->session));

  for (guint i = 0; i < entries->len; i++)
    {
      const LcScriptEntry *entry = entries->pdata[i];

      if (g_str_equal (entry->kind, "command") && g_str_equal (entry->name, name))
        return lc_session_get_shown (commands->session) != NULL;
    }
  return FALSE;
}

static void
script_commands_run (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ScriptCommands *commands = data;
  const char *name = g_variant_get_string (parameter, NULL);
  g_autoptr (GPtrArray) words = NULL;

  if (!script_commands_has (commands, name))
    return;
  if (lc_job_is_running (commands->job))
    {
      lc_session_tell (commands->session, _ ("A command is still running: the menu can stop it."));
      return;
    }
  words = script_commands_list_words (commands, name);
  g_simple_action_set_enabled (commands->stop, TRUE);
  lc_job_start (commands->job, lc_script_process_work, g_strdupv ((char **)words->pdata), (GDestroyNotify)g_strfreev);
}

static void
script_commands_on_stop (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ScriptCommands *commands = data;

  lc_job_stop (commands->job);
  g_simple_action_set_enabled (commands->stop, FALSE);
  lc_session_tell (commands->session, _ ("The command was stopped."));
}

/* --- The menu ----------------------------------------------------------------------------------------------------- */

/* Keys that are taken, or that may be meant as text, are left alone. */
static gboolean
script_commands_is_free (GtkApplication *application, const char *key, const char *action)
{
  g_auto (GStrv) taken = NULL;
  GdkModifierType modifiers;
  guint value;

  if (!gtk_accelerator_parse (key, &value, &modifiers) || value == 0)
    return FALSE;
  if ((modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) == 0 && gdk_keyval_to_unicode (value) != 0)
    return FALSE;
  taken = gtk_application_get_actions_for_accel (application, key);
  return taken[0] == NULL || (taken[1] == NULL && g_str_equal (taken[0], action));
}

static void
script_commands_set_key (ScriptCommands *commands, const LcScriptEntry *entry)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (commands->window));
  g_autofree char *action = g_action_print_detailed_name ("win.script-command", g_variant_new_string (entry->name));
  const char *const keys[] = {entry->key, NULL};

  if (entry->key[0] == '\0' || application == NULL)
    return;
  if (script_commands_is_free (application, entry->key, action))
    gtk_application_set_accels_for_action (application, action, keys);
  else
    {
      g_autofree char *text = g_strdup_printf (_ ("The key %s of the command %s is taken, or none for a command."),
                                               entry->key, entry->name);

      lc_session_tell (commands->session, text);
    }
}

/* The underscores of a name are no mnemonics. */
static char *
script_commands_dup_label (const LcScriptEntry *entry)
{
  g_auto (GStrv) parts = g_strsplit (entry->title[0] != '\0' ? entry->title : entry->name, "_", -1);

  return g_strjoinv ("__", parts);
}

static void
script_commands_fill (LcScriptList *list, GtkApplicationWindow *window)
{
  ScriptCommands *commands = g_object_get_data (G_OBJECT (window), DATA);
  const GPtrArray *entries = lc_script_list_get_entries (list);
  g_autoptr (GMenuItem) stop = g_menu_item_new (_ ("Stop the command"), "win.stop-script-command");

  g_menu_remove_all (commands->section);
  for (guint i = 0; i < entries->len; i++)
    {
      const LcScriptEntry *entry = entries->pdata[i];
      g_autoptr (GMenuItem) item = NULL;
      g_autofree char *label = NULL;

      if (!g_str_equal (entry->kind, "command"))
        continue;
      label = script_commands_dup_label (entry);
      item = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (item, "win.script-command", "s", entry->name);
      g_menu_append_item (commands->section, item);
      script_commands_set_key (commands, entry);
    }
  g_menu_item_set_attribute (stop, "hidden-when", "s", "action-disabled");
  g_menu_append_item (commands->section, stop);
}

static void
script_commands_merge_again (LcScriptList *list, GtkApplicationWindow *window)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.refresh", NULL);
}

void
lc_script_commands_add (GtkApplicationWindow *window, GMenu *section, LcSession *session)
{
  static const GActionEntry actions[] = {
      {.name = "script-command", .activate = script_commands_run, .parameter_type = "s"},
      {.name = "stop-script-command", .activate = script_commands_on_stop}};
  ScriptCommands *commands = g_new0 (ScriptCommands, 1);

  commands->window = window;
  commands->session = g_object_ref (session);
  commands->section = g_object_ref (section);
  commands->job = lc_job_new (commands, script_commands_on_ran, NULL, (GDestroyNotify)lc_script_said_free);
  g_action_map_add_action_entries (G_ACTION_MAP (window), actions, G_N_ELEMENTS (actions), commands);
  commands->stop =
      g_object_ref (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (window), "stop-script-command")));
  g_simple_action_set_enabled (commands->stop, FALSE);
  g_object_set_data_full (G_OBJECT (window), DATA, commands, script_commands_free);
  g_signal_connect_object (lc_script_list_of (session), "changed", G_CALLBACK (script_commands_fill), window, 0);
  g_signal_connect_object (lc_script_list_of (session), "outdated", G_CALLBACK (script_commands_merge_again), window,
                           0);
  script_commands_fill (lc_script_list_of (session), window);
}
