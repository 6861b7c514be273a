/* SPDX-License-Identifier: Apache-2.0 */
/* The page that records a program: a form, and then the program's output. */
#include "app/open/record-page.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/open/record-form.h"
#include "app/settings.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

#define PATIENCE 5 /* s after which a program that was asked to end can be killed */

enum
{
  MOST_PRINTED = 1 << 20, /* characters kept of the output: the last ones */
};

struct _LcRecordPage
{
  AdwBin parent;

  GtkStack *stack;
  GtkEditable *program;
  GtkEditable *arguments;
  GtkEditable *folder;
  GtkEditable *environment;
  GtkEditable *trace;
  GtkSwitch *replace;
  GtkLabel *wrong;
  GtkWidget *record;
  GtkWidget *choose_program;
  GtkWidget *choose_folder;

  GtkSpinner *spinner;
  GtkLabel *title;
  GtkLabel *elapsed;
  GtkButton *stop;
  GtkWidget *again;
  GtkButton *show;
  GtkScrolledWindow *scrolled;
  GtkTextView *output;

  char *proposed;   /* proposed path of the trace, which follows the program until the user changes it */
  LcRecordRun *run; /* the current run, or the last one */
  guint ticking;
  gint64 asked; /* time at which the program was asked to end; 0: not asked */
};

enum
{
  BEGUN,
  ENDED,
  FAILED,
  RECORDED,
  SIGNALS,
};

static guint signals[SIGNALS];

static const char *const signal_names[SIGNALS] = {"begun", "ended", "failed", "recorded"};

G_DEFINE_FINAL_TYPE (LcRecordPage, lc_record_page, ADW_TYPE_BIN)

/* --- The form ------------------------------------------------------------------------------------------------------
 */

/* The settings that keep the entries, in the order of get_kept. */
static const char *const kept[] = {"record-program", "record-arguments", "record-folder", "record-environment"};

static GtkEditable *
get_kept (LcRecordPage *page, gsize number)
{
  GtkEditable *const entries[] = {page->program, page->arguments, page->folder, page->environment};

  return entries[number];
}

static void
record_page_load (LcRecordPage *page)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      g_autofree char *text = lc_settings_dup_string (kept[i], "");

      gtk_editable_set_text (get_kept (page, i), text);
    }
  if (*gtk_editable_get_text (page->folder) == '\0')
    {
      g_autofree char *here = g_get_current_dir ();

      gtk_editable_set_text (page->folder, here);
    }
}

static void
record_page_save (LcRecordPage *page)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kept); i++)
    lc_settings_set_string (kept[i], gtk_editable_get_text (get_kept (page, i)));
}

static void
record_page_propose (LcRecordPage *page)
{
  const char *program = gtk_editable_get_text (page->program), *now = gtk_editable_get_text (page->trace);
  gboolean own = *now != '\0' && g_strcmp0 (now, page->proposed) != 0;
  char *proposed;

  gtk_widget_set_sensitive (page->record, *program != '\0');
  if (own)
    return;
  proposed = *program != '\0' ? lc_record_form_propose (program, gtk_editable_get_text (page->folder)) : g_strdup ("");
  g_free (page->proposed);
  page->proposed = proposed;
  gtk_editable_set_text (page->trace, proposed);
}

static void
show_wrong (LcRecordPage *page, const char *text)
{
  lc_label_show (page->wrong, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (page->wrong), text != NULL);
}

static void
record_page_on_chosen (GtkNativeDialog *chooser, int response, GtkEditable *entry)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  if (file != NULL)
    path = g_file_get_path (file);
  if (path != NULL)
    gtk_editable_set_text (entry, path);
  g_object_unref (chooser);
}

static void
record_page_choose (GtkWidget *button, LcRecordPage *page)
{
  gboolean program = button == page->choose_program;
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
      program ? _ ("Choose the program") : _ ("Choose the working folder"),
      GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (page))),
      program ? GTK_FILE_CHOOSER_ACTION_OPEN : GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Choose"), _ ("_Cancel"));

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (record_page_on_chosen),
                           program ? page->program : page->folder, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- The run -------------------------------------------------------------------------------------------------------
 */

static gboolean
is_at_bottom (LcRecordPage *page)
{
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment (page->scrolled);

  return gtk_adjustment_get_value (place) + gtk_adjustment_get_page_size (place) >=
         gtk_adjustment_get_upper (place) - 40;
}

/* Scrolls along with the output, unless the user has scrolled up. */
static void
record_page_print (LcRecordRun *run, const char *text, LcRecordPage *page)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (page->output);
  gboolean follow = is_at_bottom (page);
  GtkTextIter end, keep;
  int length;

  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert (buffer, &end, text, -1);
  length = gtk_text_buffer_get_char_count (buffer);
  if (length > MOST_PRINTED)
    {
      gtk_text_buffer_get_start_iter (buffer, &end);
      gtk_text_buffer_get_iter_at_offset (buffer, &keep, length - MOST_PRINTED);
      gtk_text_buffer_delete (buffer, &end, &keep);
    }
  if (!follow)
    return;
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_move_mark_by_name (buffer, "end", &end);
  gtk_text_view_scroll_mark_onscreen (page->output, gtk_text_buffer_get_mark (buffer, "end"));
}

/* Shows the exact duration of a finished run, and only tenths of seconds of a running one. */
static void
show_time (LcRecordPage *page)
{
  gint64 duration = lc_record_run_get_duration (page->run), step = G_TIME_SPAN_SECOND / 10;
  g_autofree char *time = NULL;

  if (lc_record_page_is_running (page))
    duration = MAX (duration / step, 1) * step;
  time = lc_format_duration ((guint64)duration * 1000);
  lc_label_show (page->elapsed, time);
}

static gboolean
record_page_tick (gpointer data)
{
  LcRecordPage *page = data;

  show_time (page);
  if (page->asked != 0 && g_get_monotonic_time () - page->asked > PATIENCE * G_TIME_SPAN_SECOND)
    {
      gtk_button_set_label (page->stop, _ ("_Kill it"));
      lc_tooltip_show (GTK_WIDGET (page->stop), _ ("It was asked to end, and goes on"));
      gtk_widget_add_css_class (GTK_WIDGET (page->stop), "destructive-action");
      gtk_widget_set_sensitive (GTK_WIDGET (page->stop), TRUE);
    }
  return G_SOURCE_CONTINUE;
}

static void
record_page_stop_ticking (LcRecordPage *page)
{
  if (page->ticking != 0)
    g_source_remove (page->ticking);
  page->ticking = 0;
}

gboolean
lc_record_page_stop (LcRecordPage *page)
{
  if (page->asked != 0)
    return FALSE;
  page->asked = g_get_monotonic_time ();
  gtk_widget_set_sensitive (GTK_WIDGET (page->stop), FALSE);
  lc_record_run_interrupt (page->run);
  return TRUE;
}

static void
record_page_on_stop (LcRecordPage *page)
{
  if (!lc_record_page_stop (page))
    lc_record_run_kill (page->run);
}

void
lc_record_page_offer_run (LcRecordPage *page)
{
  gtk_button_set_label (page->show, _ ("_Show the run"));
  lc_accessible_show (GTK_ACCESSIBLE (page->show), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Show the run"));
  gtk_widget_set_visible (GTK_WIDGET (page->show), TRUE);
}

static gboolean
has_trace (LcRecordPage *page)
{
  g_autofree char *metadata = g_build_filename (lc_record_run_get_trace (page->run), "ctf", "metadata", NULL);

  return g_file_test (metadata, G_FILE_TEST_EXISTS);
}

static void
record_page_open_trace (LcRecordPage *page)
{
  if (!lc_record_page_is_running (page))
    gtk_stack_set_visible_child_name (page->stack, "form");
  g_signal_emit (page, signals[RECORDED], 0, lc_record_run_get_trace (page->run));
}

/* Opens the trace at once if the program ended well or was asked to end; otherwise the user should read the output
 * first. */
static void
on_ended (LcRecordRun *run, LcRecordPage *page)
{
  g_autofree char *how = lc_record_run_dup_end (run);
  gboolean there = has_trace (page);

  record_page_stop_ticking (page);
  show_time (page);
  gtk_spinner_stop (page->spinner);
  lc_label_show (page->title, how);
  gtk_widget_set_visible (GTK_WIDGET (page->stop), FALSE);
  gtk_widget_set_visible (page->again, TRUE);
  gtk_button_set_label (page->show, _ ("_Open the trace"));
  lc_accessible_show (GTK_ACCESSIBLE (page->show), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Open the trace"));
  gtk_widget_set_visible (GTK_WIDGET (page->show), there);
  g_signal_emit (page, signals[ENDED], 0, lc_record_run_get_trace (run));
  if (there && (lc_record_run_is_good (run) || page->asked != 0))
    record_page_open_trace (page);
  else
    {
      g_signal_emit (page, signals[FAILED], 0, lc_record_run_get_trace (run));
      gtk_widget_grab_focus (there ? GTK_WIDGET (page->show) : page->again);
    }
}

static void
show_run (LcRecordPage *page, const char *program)
{
  g_autofree char *name = g_path_get_basename (program), *title = g_strdup_printf (_ ("Recording %s"), name);

  page->asked = 0;
  lc_label_show (page->title, title);
  lc_label_show (page->elapsed, "");
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (page->output), "", -1);
  gtk_button_set_label (page->stop, _ ("_Stop"));
  lc_tooltip_show (GTK_WIDGET (page->stop), NULL);
  gtk_widget_remove_css_class (GTK_WIDGET (page->stop), "destructive-action");
  gtk_widget_set_sensitive (GTK_WIDGET (page->stop), TRUE);
  gtk_widget_set_visible (GTK_WIDGET (page->stop), TRUE);
  gtk_widget_set_visible (page->again, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (page->show), FALSE);
  gtk_spinner_start (page->spinner);
  gtk_stack_set_visible_child_name (page->stack, "run");
  gtk_widget_grab_focus (GTK_WIDGET (page->stop));
  page->ticking = g_timeout_add (100, record_page_tick, page);
}

static void
forget_run (LcRecordPage *page)
{
  if (page->run != NULL)
    g_signal_handlers_disconnect_by_data (page->run, page);
  g_clear_object (&page->run);
}

static gboolean
record_page_start (LcRecordPage *page, LcRecordForm *form, GError **error)
{
  LcRecordWish wish;

  if (!lc_record_form_fill (form, gtk_editable_get_text (page->program), gtk_editable_get_text (page->arguments),
                            gtk_editable_get_text (page->folder), gtk_editable_get_text (page->environment),
                            gtk_editable_get_text (page->trace), error))
    return FALSE;
  wish = (LcRecordWish){.program = form->program,
                        .arguments = (const char *const *)form->arguments,
                        .environment = (const char *const *)form->environment,
                        .folder = form->folder,
                        .trace = form->trace,
                        .replace = gtk_switch_get_active (page->replace)};
  page->run = lc_record_run_start (&wish, error);
  return page->run != NULL;
}

static void
record_page_record (LcRecordPage *page)
{
  g_autoptr (GError) error = NULL;
  LcRecordForm form = {NULL};

  if (lc_record_page_is_running (page) || !gtk_widget_get_sensitive (page->record))
    return;
  forget_run (page);
  show_wrong (page, NULL);
  if (record_page_start (page, &form, &error))
    {
      record_page_save (page);
      g_signal_connect (page->run, "printed", G_CALLBACK (record_page_print), page);
      g_signal_connect (page->run, "ended", G_CALLBACK (on_ended), page);
      show_run (page, form.program);
      g_signal_emit (page, signals[BEGUN], 0, lc_record_run_get_trace (page->run));
    }
  else
    show_wrong (page, error->message);
  lc_record_form_clear (&form);
}

static void
record_page_go_back (LcRecordPage *page)
{
  gtk_stack_set_visible_child_name (page->stack, "form");
  gtk_widget_grab_focus (GTK_WIDGET (page));
  record_page_propose (page);
}

gboolean
lc_record_page_is_running (LcRecordPage *page)
{
  return page->ticking != 0;
}

/* --- The page ------------------------------------------------------------------------------------------------------
 */

static gboolean
lc_record_page_grab_focus (GtkWidget *widget)
{
  LcRecordPage *page = LC_RECORD_PAGE (widget);

  if (lc_record_page_is_running (page))
    return gtk_widget_grab_focus (GTK_WIDGET (page->stop));
  return gtk_widget_grab_focus (GTK_WIDGET (gtk_editable_get_delegate (page->program)));
}

/* Interrupts the program when the window is closed. */
static void
lc_record_page_dispose (GObject *object)
{
  LcRecordPage *page = LC_RECORD_PAGE (object);

  if (lc_record_page_is_running (page))
    lc_record_run_interrupt (page->run);
  record_page_stop_ticking (page);
  forget_run (page);
  g_clear_pointer (&page->proposed, g_free);
  G_OBJECT_CLASS (lc_record_page_parent_class)->dispose (object);
}

static void
record_page_bind_children (GtkWidgetClass *widget)
{
  static const struct
  {
    const char *name;
    gssize offset;
  } children[] = {
      {"stack", G_STRUCT_OFFSET (LcRecordPage, stack)},
      {"program", G_STRUCT_OFFSET (LcRecordPage, program)},
      {"arguments", G_STRUCT_OFFSET (LcRecordPage, arguments)},
      {"folder", G_STRUCT_OFFSET (LcRecordPage, folder)},
      {"environment", G_STRUCT_OFFSET (LcRecordPage, environment)},
      {"trace", G_STRUCT_OFFSET (LcRecordPage, trace)},
      {"replace", G_STRUCT_OFFSET (LcRecordPage, replace)},
      {"wrong", G_STRUCT_OFFSET (LcRecordPage, wrong)},
      {"record", G_STRUCT_OFFSET (LcRecordPage, record)},
      {"choose_program", G_STRUCT_OFFSET (LcRecordPage, choose_program)},
      {"choose_folder", G_STRUCT_OFFSET (LcRecordPage, choose_folder)},
      {"spinner", G_STRUCT_OFFSET (LcRecordPage, spinner)},
      {"title", G_STRUCT_OFFSET (LcRecordPage, title)},
      {"elapsed", G_STRUCT_OFFSET (LcRecordPage, elapsed)},
      {"stop", G_STRUCT_OFFSET (LcRecordPage, stop)},
      {"again", G_STRUCT_OFFSET (LcRecordPage, again)},
      {"show", G_STRUCT_OFFSET (LcRecordPage, show)},
      {"scrolled", G_STRUCT_OFFSET (LcRecordPage, scrolled)},
      {"output", G_STRUCT_OFFSET (LcRecordPage, output)},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (children); i++)
    gtk_widget_class_bind_template_child_full (widget, children[i].name, FALSE, children[i].offset);
}

static void
lc_record_page_class_init (LcRecordPageClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_record_page_dispose;
  widget->grab_focus = lc_record_page_grab_focus;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "record-page.ui");
  record_page_bind_children (widget);
  for (guint i = 0; i < SIGNALS; i++)
    signals[i] = g_signal_new (signal_names[i], G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
lc_record_page_init (LcRecordPage *page)
{
  GtkTextBuffer *buffer;
  GtkTextIter end;

  gtk_widget_init_template (GTK_WIDGET (page));
  buffer = gtk_text_view_get_buffer (page->output);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_create_mark (buffer, "end", &end, FALSE);
  record_page_load (page);
  record_page_propose (page);
  g_signal_connect_swapped (page->program, "changed", G_CALLBACK (record_page_propose), page);
  g_signal_connect_swapped (page->folder, "changed", G_CALLBACK (record_page_propose), page);
  g_signal_connect (page->choose_program, "clicked", G_CALLBACK (record_page_choose), page);
  g_signal_connect (page->choose_folder, "clicked", G_CALLBACK (record_page_choose), page);
  g_signal_connect_swapped (page->record, "clicked", G_CALLBACK (record_page_record), page);
  g_signal_connect_swapped (page->stop, "clicked", G_CALLBACK (record_page_on_stop), page);
  g_signal_connect_swapped (page->again, "clicked", G_CALLBACK (record_page_go_back), page);
  g_signal_connect_swapped (page->show, "clicked", G_CALLBACK (record_page_open_trace), page);
  for (gsize i = 0; i < G_N_ELEMENTS (kept); i++)
    g_signal_connect_swapped (get_kept (page, i), "entry-activated", G_CALLBACK (record_page_record), page);
  g_signal_connect_swapped (page->trace, "entry-activated", G_CALLBACK (record_page_record), page);
}

GtkWidget *
lc_record_page_new (void)
{
  return g_object_new (LC_TYPE_RECORD_PAGE, NULL);
}
