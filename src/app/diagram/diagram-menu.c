/* SPDX-License-Identifier: Apache-2.0 */
/* The context menu for the place under the pointer, or for the selection. */
#include <glib/gi18n.h>

#include "app/debug/debug-actions.h"
#include "app/diagram/diagram-input-private.h"
#include "history/names.h"
#include "trace/quantities.h"

#define MARGIN 4.0

/* The subject of the open menu, stored in the data of its action group. */
typedef struct
{
  LcDiagramInput *input; /* borrowed: the input owns the group */
  guint32 process;       /* or LC_TRACE_NONE */
  gboolean has_part;
  LcMark part; /* part to zoom to */
  char *text;  /* description of the subject, or NULL */
} Subject;

static void
clear_subject (Subject *subject)
{
  g_clear_pointer (&subject->text, g_free);
  subject->process = LC_TRACE_NONE;
  subject->has_part = FALSE;
}

static void
free_subject (gpointer data)
{
  clear_subject (data);
  g_free (data);
}

/* --- Actions ---------------------------------------------------------------------------------------------------------
 */

static void
diagram_menu_zoom_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Subject *subject = data;

  if (subject->has_part)
    lc_diagram_input_show_mark (subject->input, &subject->part);
  else if (lc_session_has_selection (subject->input->session))
    lc_diagram_input_show_event (subject->input, lc_session_get_event (subject->input->session));
}

static void
diagram_menu_copy (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Subject *subject = data;

  if (subject->text != NULL && subject->input->area != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (subject->input->area)), subject->text);
}

static void
diagram_menu_show_only (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Subject *subject = data;

  if (subject->process != LC_TRACE_NONE)
    lc_session_set_processes (subject->input->session, &subject->process, 1);
}

static void
diagram_menu_hide (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Subject *subject = data;
  const LcShown *shown = lc_session_get_shown (subject->input->session);
  g_autofree guint32 *processes = NULL;
  guint32 n = 0;

  if (shown == NULL || subject->process == LC_TRACE_NONE)
    return;
  processes = g_new (guint32, MAX (shown->selection.n_processes, 1));
  for (guint32 i = 0; i < shown->selection.n_processes; i++)
    if (shown->selection.processes[i] != subject->process)
      processes[n++] = shown->selection.processes[i];
  lc_session_set_processes (subject->input->session, processes, n);
}

static void
diagram_menu_fit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  lc_session_fit (((Subject *)data)->input->session);
}

static const GActionEntry entries[] = {
    {.name = "zoom-to", .activate = diagram_menu_zoom_to},
    {.name = "copy", .activate = diagram_menu_copy},
    {.name = "show-only", .activate = diagram_menu_show_only},
    {.name = "hide", .activate = diagram_menu_hide},
    {.name = "fit", .activate = diagram_menu_fit},
};

/* --- The menu
 * ---------------------------------------------------------------------------------------------------------- */

/* Doubles underscores in names, which menus would take for mnemonics. */
static char *
diagram_menu_dup_label (const char *format, const char *name)
{
  g_autofree char *shown = lc_format_text (name);
  g_auto (GStrv) parts = g_strsplit (shown, "_", -1);
  g_autofree char *escaped = g_strjoinv ("__", parts);
  const char *at = strstr (format, "%s");

  return at != NULL ? g_strdup_printf ("%.*s%s%s", (int)(at - format), format, escaped, at + 2) : g_strdup (format);
}

static void
append_section (GMenu *menu, GMenu *section)
{
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  g_object_unref (section);
}

static GMenu *
new_view_section (const Subject *subject, const LcHistoryEvent *event)
{
  GMenu *section = g_menu_new ();

  if (subject->has_part || event != NULL)
    g_menu_append (section, _ ("_Zoom to it"), "diagram.zoom-to");
  g_menu_append (section, _ ("Whole _run"), "diagram.fit");
  return section;
}

static GMenu *
new_event_section (LcDiagramInput *input, const LcHistoryEvent *event)
{
  GMenu *section = g_menu_new ();
  g_autoptr (LcNames) names = lc_names_new (lc_session_get_history (input->session));
  const char *object = lc_names_object (names, event->object);

  g_menu_append (section, _ ("Its _past"), "win.highlight::past");
  g_menu_append (section, _ ("Its _future"), "win.highlight::future");
  g_menu_append (section, _ ("Its past _and future"), "win.highlight::cone");
  g_menu_append (section, _ ("_No highlight"), "win.highlight::none");
  if (object != NULL)
    {
      g_autofree char *label = diagram_menu_dup_label (_ ("_Only what touches %s"), object);

      g_menu_append (section, label, "win.only-object");
    }
  return section;
}

/* If an event of the process is selected, the window's actions are used, because the menu shows their keys. */
static GMenu *
new_process_section (LcDiagramInput *input, guint32 process, gboolean selected)
{
  const LcShown *shown = lc_session_get_shown (input->session);
  const char *name = lc_history_get_process (shown->opened->history, process)->name;
  g_autofree char *hide_label = diagram_menu_dup_label (_ ("_Hide %s"), name);
  g_autofree char *only_label = diagram_menu_dup_label (_ ("Show on_ly %s"), name);
  GMenu *section = g_menu_new ();

  if (shown->selection.n_processes > 1)
    {
      g_menu_append (section, hide_label, selected ? "win.hide-process" : "diagram.hide");
      g_menu_append (section, only_label, selected ? "win.solo-process" : "diagram.show-only");
    }
  if (shown->selection.n_processes < lc_history_get_n_processes (shown->opened->history))
    g_menu_append (section, _ ("_Show all processes"), "win.show-all-processes");
  return section;
}

static GMenu *
new_text_section (const Subject *subject, gboolean has_event)
{
  GMenu *section = g_menu_new ();

  if (subject->text != NULL)
    g_menu_append (section, _ ("_Copy description"), "diagram.copy");
  g_menu_append (section, _ ("Add _bookmark"), "win.bookmark");
  g_menu_append (section, _ ("_Mark…"), "win.mark");
  if (has_event)
    g_menu_append (section, _ ("No_te…"), "win.note");
  return section;
}

/* What would be another run, computed or carried out. */
static GMenu *
new_replay_section (LcDiagramInput *input, const LcHistoryEvent *event)
{
  GMenu *section = g_menu_new ();

  g_menu_append (section, _ ("W_hat if it took another time…"), "win.what-if-any");
  g_menu_append (section,
                 lc_session_has_breakpoint (input->session, event->origin_process, event->origin_ordinal)
                     ? _ ("Remove the br_eakpoint")
                     : _ ("Set a br_eakpoint"),
                 "win.breakpoint");
  g_menu_append (section, _ ("_Debug here"), "win.debug");
  if (lc_debug_can_turn_round (lc_session_get_history (input->session), event))
    g_menu_append (section, _ ("What _if the other had been first?"), "win.turn-round");
  return section;
}

static GMenu *
new_menu (LcDiagramInput *input, const Subject *subject, const LcHistoryEvent *event)
{
  GMenu *menu = g_menu_new ();

  append_section (menu, new_view_section (subject, event));
  if (event != NULL)
    {
      append_section (menu, new_event_section (input, event));
      append_section (menu, new_replay_section (input, event));
    }
  if (subject->process != LC_TRACE_NONE)
    append_section (menu, new_process_section (input, subject->process, event != NULL));
  append_section (menu, new_text_section (subject, event != NULL));
  return menu;
}

/* --- Opening
 * ------------------------------------------------------------------------------------------------------------ */

static guint32
diagram_menu_get_process (LcDiagramInput *input, LcPlace place, const LcPick *pick)
{
  const LcHistoryEvent *event = lc_session_get_event (input->session);
  guint32 row = lc_diagram_input_find_row (input, place), n_processes;

  if (pick != NULL && pick->mark != NULL)
    return pick->mark->process;
  if (pick == NULL && event != NULL)
    return event->process;
  return row != LC_TRACE_NONE ? *lc_shown_get_row (lc_session_get_shown (input->session), row, &n_processes)
                              : LC_TRACE_NONE;
}

/* Returns the text for a pick, or for the selection without one. */
static char *
diagram_menu_dup_text (LcDiagramInput *input, const LcPick *pick, const LcHistoryEvent *event)
{
  const LcScene *scene = lc_diagram_area_get_scene (input->area);
  LcMark mark = {.kind = LC_MARK_EVENT, .n_rows = 1, .object = LC_TRACE_NONE};
  LcPick selected = {.mark = &mark};

  if (scene == NULL || (pick == NULL && event == NULL))
    return NULL;
  if (event != NULL)
    {
      mark.process = event->process;
      mark.ordinal = event->ordinal;
    }
  return lc_scene_dup_text (scene, pick != NULL ? pick : &selected);
}

static void
fill_subject (LcDiagramInput *input, Subject *subject, LcPlace place, const LcPick *pick, const LcHistoryEvent *event)
{
  clear_subject (subject);
  subject->process = diagram_menu_get_process (input, place, pick);
  subject->text = diagram_menu_dup_text (input, pick, event);
  if (pick == NULL || pick->mark == NULL || pick->mark->kind == LC_MARK_LIFE)
    return;
  subject->part = *pick->mark;
  subject->has_part = TRUE;
}

static void
pop_up (LcDiagramInput *input, GMenu *menu, LcPlace place)
{
  GtkWidget *area = GTK_WIDGET (input->area);

  if (input->menu == NULL)
    {
      input->menu = gtk_popover_menu_new_from_model (NULL);
      gtk_widget_set_parent (input->menu, area);
      gtk_popover_set_has_arrow (GTK_POPOVER (input->menu), FALSE);
      gtk_widget_set_halign (input->menu, GTK_ALIGN_START);
    }
  gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (input->menu), G_MENU_MODEL (menu));
  gtk_popover_set_pointing_to (GTK_POPOVER (input->menu),
                               &(GdkRectangle){(int)CLAMP (place.x, 0, gtk_widget_get_width (area)),
                                               (int)CLAMP (place.y, 0, gtk_widget_get_height (area)), 1, 1});
  gtk_popover_popup (GTK_POPOVER (input->menu));
}

void
lc_diagram_input_open_menu (LcDiagramInput *input, LcPlace place, const LcPick *pick)
{
  Subject *subject = g_object_get_data (G_OBJECT (input), "lc-subject");
  const LcHistoryEvent *event;
  g_autoptr (GMenu) menu = NULL;
  LcEventName name;

  if (lc_session_get_shown (input->session) == NULL)
    return;
  /* The actions of the window work on the selection, so the picked event is selected first. */
  if (pick != NULL && lc_diagram_input_find_event (input, pick, &name))
    lc_session_select (input->session, name.process, name.ordinal, FALSE);
  else if (pick != NULL)
    lc_session_clear_selection (input->session);
  event = lc_session_get_event (input->session);
  fill_subject (input, subject, place, pick, event);
  menu = new_menu (input, subject, event);
  pop_up (input, menu, place);
}

static void
diagram_menu_on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  LcDiagramInput *input = LC_DIAGRAM_INPUT (data);
  LcPick pick = {0};

  if (input->area == NULL)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (input->area));
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (!lc_diagram_area_pick (input->area, x, y, MARGIN, &pick))
    pick = (LcPick){0};
  lc_diagram_input_open_menu (input, (LcPlace){x, y}, &pick);
}

void
lc_diagram_input_add_menu (LcDiagramInput *input)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  Subject *subject = g_new0 (Subject, 1);

  subject->input = input;
  subject->process = LC_TRACE_NONE;
  g_object_set_data_full (G_OBJECT (input), "lc-subject", subject, free_subject);
  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), subject);
  gtk_widget_insert_action_group (GTK_WIDGET (input->area), "diagram", G_ACTION_GROUP (group));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (click, "pressed", G_CALLBACK (diagram_menu_on_pressed), input, 0);
  gtk_widget_add_controller (GTK_WIDGET (input->area), GTK_EVENT_CONTROLLER (click));
}
