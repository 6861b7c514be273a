/* SPDX-License-Identifier: Apache-2.0 */
/* The pane for SQL: a query, or a table that needs none, and its result. */
#include "app/tables/sql-panel.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/names.h"
#include "app/shell.h"
#include "app/shown-text.h"
#include "app/tables/sql-editor.h"
#include "app/tables/sql-result.h"
#include "app/tables/table-link.h"
#include "app/tables/table-report.h"
#include "app/tables/table-result.h"
#include "app/tables/table-view.h"
#include "trace/quantities.h"

enum
{
  TICK = 200, /* ms between two looks at the clock */
};

struct _LcSqlPanel
{
  GtkBox parent;

  LcSession *session;
  GtkWidget *run;
  GtkWidget *stop;
  GtkMenuButton *examples;
  GtkMenuButton *tables;
  GtkSpinner *spinner;
  GtkLabel *state;
  GtkSearchEntry *filter;
  GtkBox *buttons;
  GtkPaned *halves;
  GtkStack *pages;
  GtkLabel *problem;
  LcSqlEditor *editor;
  LcTableView *table;

  LcJob *running;
  LcJob *making;    /* a table that needs no query */
  LcJob *arranging; /* sorting and filtering */
  LcJob *listing;   /* words to complete */
  LcResult *result; /* NULL: none yet */
  const char *name; /* of the file for it */
  gint column;      /* that it is sorted by; -1: as it came */
  gboolean descending;
  gint64 since;
  gint64 took; /* us */
  guint timer;
};

G_DEFINE_FINAL_TYPE (LcSqlPanel, lc_sql_panel, GTK_TYPE_BOX)

/* Queries to begin with. The names of their columns make links. */
static const struct
{
  const char *title;
  const char *sql;
} examples[] = {
    {N_ ("The longest waits"), "SELECT process, ordinal, operation, object, begin, waited\n"
                               "FROM event\nWHERE waited > 0\nORDER BY waited DESC\nLIMIT 1000;"},
    {N_ ("What was waited for"), "SELECT id AS object, name, class, events, waited, held\n"
                                 "FROM object\nORDER BY waited DESC\nLIMIT 1000;"},
    {N_ ("The states of each process"), "SELECT p.id AS process, p.name, s.state, sum (s.\"end\" - s.\"begin\") AS ns\n"
                                        "FROM state s JOIN process p ON p.id = s.process\n"
                                        "GROUP BY p.id, s.state\nORDER BY p.id, ns DESC;"},
    {N_ ("Lines that wait"), "SELECT s.function, s.file, s.line, count (*) AS events, sum (e.waited) AS waited\n"
                             "FROM event e JOIN site s ON s.id = e.site\n"
                             "GROUP BY s.id\nORDER BY waited DESC\nLIMIT 1000;"},
    {N_ ("What was held longest"), "SELECT process, object, begin_ordinal, \"begin\", \"end\" - \"begin\" AS held\n"
                                   "FROM span\nORDER BY held DESC\nLIMIT 1000;"},
    {N_ ("Who makes whom wait"), "SELECT a.from_process, a.to_process, count (*) AS arcs, sum (e.waited) AS waited\n"
                                 "FROM arc a JOIN event e ON e.process = a.to_process AND e.ordinal = a.to_ordinal\n"
                                 "WHERE a.kind = 'data' AND a.from_process <> a.to_process\n"
                                 "GROUP BY 1, 2\nORDER BY waited DESC;"},
    {N_ ("Operations"),
     "SELECT o.name, o.class, sum (t.events) AS events, sum (t.time) AS ns, sum (t.waited) AS waited\n"
     "FROM operation_total t JOIN operation o ON o.id = t.operation\n"
     "GROUP BY o.id\nORDER BY ns DESC;"},
};

/* --- The result -------------------------------------------------------------------------------------------------- */

/* The title stands before the number of rows; the tooltip has all that is said. */
static void
sql_panel_show_words (LcSqlPanel *panel, const char *rows)
{
  const GString *sentences = panel->result->sentences;
  g_autofree char *all = NULL, *line = NULL, *title = g_strndup (sentences->str, strcspn (sentences->str, "\n"));

  all = g_strconcat (sentences->str, sentences->len > 0 ? "\n" : "", rows, NULL);
  line = title[0] != '\0' ? g_strdup_printf (_ ("%s: %s"), title, rows) : g_strdup (rows);
  lc_label_show (panel->state, line);
  lc_tooltip_show (GTK_WIDGET (panel->state), all);
}

static void
sql_panel_show_state (LcSqlPanel *panel, guint64 listed)
{
  g_autofree char *rows = lc_format_count (listed), *all = lc_format_count (panel->result->n_rows);
  g_autofree char *took = lc_format_duration ((guint64)panel->took * 1000), *text = NULL;

  if (listed < panel->result->n_rows)
    text = g_strdup_printf (_ ("%s of %s rows, in %s"), rows, all, took);
  else if (panel->result->more > 0)
    text = g_strdup_printf (_ ("the first %s rows, in %s"), rows, took);
  else
    text = g_strdup_printf (ngettext ("%s row, in %s", "%s rows, in %s", (gulong)listed), rows, took);
  sql_panel_show_words (panel, text);
}

static void
sql_panel_on_arranged (gpointer owner, gpointer result, const GError *error)
{
  LcSqlPanel *panel = owner;
  LcTableSource *source = result;

  if (source == NULL)
    return;
  lc_table_view_show (panel->table, source);
  lc_table_view_show_order (panel->table, panel->column >= 0 ? (guint)panel->column : G_MAXUINT, panel->descending);
  sql_panel_show_state (panel, source->n_rows);
  gtk_stack_set_visible_child_name (panel->pages, "table");
  lc_table_source_unref (source);
}

static void
sql_panel_arrange (LcSqlPanel *panel)
{
  LcTableResultAsked *asked;

  if (panel->result == NULL)
    return;
  asked = g_new (LcTableResultAsked, 1);
  *asked = (LcTableResultAsked){.result = lc_result_ref (panel->result),
                                .filter = g_strdup (gtk_editable_get_text (GTK_EDITABLE (panel->filter))),
                                .column = panel->column,
                                .descending = panel->descending};
  lc_job_start (panel->arranging, lc_table_result_new, asked, lc_table_result_asked_free);
}

static void
sql_panel_on_sorted (LcSqlPanel *panel, guint column, gboolean descending)
{
  panel->column = (gint)column;
  panel->descending = descending;
  sql_panel_arrange (panel);
}

static void
sql_panel_on_activated (LcSqlPanel *panel, guint position)
{
  GListModel *model = G_LIST_MODEL (lc_table_view_get_model (panel->table));
  g_autoptr (LcTableRow) row = g_list_model_get_item (model, position);

  if (row != NULL)
    lc_table_link_follow (panel->session, lc_table_row_get_link (row));
}

static void
sql_panel_forget_result (LcSqlPanel *panel)
{
  lc_job_stop (panel->arranging);
  g_clear_pointer (&panel->result, lc_result_unref);
  panel->column = -1;
  panel->descending = FALSE;
  gtk_editable_set_text (GTK_EDITABLE (panel->filter), "");
  lc_table_view_show (panel->table, NULL);
}

/* --- Running ----------------------------------------------------------------------------------------------------- */

static gboolean
sql_panel_tick (gpointer data)
{
  LcSqlPanel *panel = data;
  guint seconds = (guint)((g_get_monotonic_time () - panel->since) / G_USEC_PER_SEC);
  g_autofree char *text = g_strdup_printf (_ ("Running for %u s"), seconds);

  lc_label_show (panel->state, text);
  return G_SOURCE_CONTINUE;
}

static void
sql_panel_set_busy (LcSqlPanel *panel, gboolean busy)
{
  g_clear_handle_id (&panel->timer, g_source_remove);
  gtk_widget_set_sensitive (panel->stop, busy);
  gtk_spinner_set_spinning (panel->spinner, busy);
  lc_label_show (panel->state, "");
  if (!busy)
    return;
  panel->since = g_get_monotonic_time ();
  panel->timer = g_timeout_add (TICK, sql_panel_tick, panel);
}

static void
sql_panel_tell (LcSqlPanel *panel, const char *problem)
{
  lc_label_show (panel->problem, problem);
  gtk_stack_set_visible_child_name (panel->pages, "problem");
}

static void
sql_panel_take (LcSqlPanel *panel, LcResult *result, const char *name)
{
  panel->result = result;
  panel->name = name;
  sql_panel_arrange (panel);
}

static void
sql_panel_on_answer (gpointer owner, gpointer result, const GError *error)
{
  LcSqlPanel *panel = owner;
  LcSqlAnswer *answer = result;

  panel->took = g_get_monotonic_time () - panel->since;
  sql_panel_set_busy (panel, FALSE);
  sql_panel_forget_result (panel);
  if (answer == NULL || answer->problem != NULL)
    {
      sql_panel_tell (panel, answer != NULL ? answer->problem : error->message);
      if (answer != NULL && answer->place >= 0)
        lc_sql_editor_go_to (panel->editor, answer->place);
    }
  else if (answer->result == NULL)
    sql_panel_tell (panel, _ ("There is no statement to run."));
  else
    sql_panel_take (panel, lc_result_ref (answer->result), "query.csv");
  g_clear_pointer (&answer, lc_sql_answer_free);
}

static void
sql_panel_on_made (gpointer owner, gpointer result, const GError *error)
{
  LcSqlPanel *panel = owner;

  panel->took = g_get_monotonic_time () - panel->since;
  sql_panel_set_busy (panel, FALSE);
  sql_panel_forget_result (panel);
  if (result == NULL)
    sql_panel_tell (panel, error->message);
  else
    sql_panel_take (panel, result, "table.csv");
}

static void
sql_panel_run (LcSqlPanel *panel)
{
  LcHistory *history = lc_session_get_history (panel->session);
  g_autofree char *text = lc_sql_editor_dup_text (panel->editor);

  if (history == NULL)
    {
      sql_panel_tell (panel, _ ("Open a trace first."));
      return;
    }
  lc_sql_editor_keep (panel->editor, text);
  lc_job_stop (panel->making);
  sql_panel_set_busy (panel, TRUE);
  lc_job_start (panel->running, lc_sql_query_run, lc_sql_query_new (lc_history_get_path (history), text),
                lc_sql_query_free);
}

static void
sql_panel_stop (LcSqlPanel *panel)
{
  if (!lc_job_is_running (panel->running) && !lc_job_is_running (panel->making))
    return;
  lc_job_stop (panel->running);
  lc_job_stop (panel->making);
  sql_panel_set_busy (panel, FALSE);
  sql_panel_tell (panel, _ ("Stopped."));
}

/* --- Controls ---------------------------------------------------------------------------------------------------- */

static void
sql_panel_on_words (LcSqlPanel *panel, const char *words)
{
  lc_label_show (panel->state, words);
  lc_tooltip_show (GTK_WIDGET (panel->state), words);
}

static void
sql_panel_on_listed (gpointer owner, gpointer result, const GError *error)
{
  LcSqlPanel *panel = owner;

  if (result != NULL)
    lc_sql_editor_set_words (panel->editor, result);
}

static void
sql_panel_on_example (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LcSqlPanel *panel = data;

  lc_sql_editor_set_text (panel->editor, examples[g_variant_get_uint32 (parameter)].sql);
  gtk_widget_grab_focus (GTK_WIDGET (panel->editor));
  sql_panel_run (panel);
}

static void
sql_panel_on_table (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LcSqlPanel *panel = data;
  LcShown *shown = (LcShown *)lc_session_get_shown (panel->session);
  const LcStatistics *what = &lc_statistics_table[g_variant_get_uint32 (parameter)];

  if (shown == NULL)
    {
      sql_panel_tell (panel, _ ("Open a trace first."));
      return;
    }
  lc_job_stop (panel->running);
  sql_panel_set_busy (panel, TRUE);
  lc_job_start (panel->making, lc_table_report_make, lc_table_report_asked_new (shown, what, LC_SQL_MOST_ROWS),
                lc_table_report_asked_free);
}

static void
sql_panel_stop_filter (LcSqlPanel *panel)
{
  gtk_editable_set_text (GTK_EDITABLE (panel->filter), "");
  gtk_widget_grab_focus (GTK_WIDGET (panel->table));
}

static void
sql_panel_on_copy (LcSqlPanel *panel)
{
  lc_table_view_copy (panel->table);
}

static void
sql_panel_on_save (LcSqlPanel *panel)
{
  lc_table_view_save (panel->table, panel->name);
}

static void
sql_panel_on_changed (LcSession *session, guint what, LcSqlPanel *panel)
{
  LcHistory *history = lc_session_get_history (session);

  if ((what & LC_CHANGED_HISTORY) == 0)
    return;
  lc_job_stop (panel->running);
  lc_job_stop (panel->making);
  sql_panel_set_busy (panel, FALSE);
  sql_panel_forget_result (panel);
  gtk_stack_set_visible_child_name (panel->pages, "empty");
  if (history != NULL)
    lc_job_start (panel->listing, lc_sql_list_words, g_strdup (lc_history_get_path (history)), g_free);
}

/* --- The panel --------------------------------------------------------------------------------------------------- */

static gboolean
lc_sql_panel_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (LC_SQL_PANEL (widget)->editor));
}

static void
lc_sql_panel_dispose (GObject *object)
{
  LcSqlPanel *panel = LC_SQL_PANEL (object);

  g_clear_handle_id (&panel->timer, g_source_remove);
  g_clear_pointer (&panel->running, lc_job_free);
  g_clear_pointer (&panel->making, lc_job_free);
  g_clear_pointer (&panel->arranging, lc_job_free);
  g_clear_pointer (&panel->listing, lc_job_free);
  g_clear_pointer (&panel->result, lc_result_unref);
  g_clear_object (&panel->session);
  G_OBJECT_CLASS (lc_sql_panel_parent_class)->dispose (object);
}

static void
lc_sql_panel_class_init (LcSqlPanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_sql_panel_dispose;
  widget->grab_focus = lc_sql_panel_grab_focus;
  g_type_ensure (LC_TYPE_SQL_EDITOR);
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "sql-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcSqlPanel, run);
  gtk_widget_class_bind_template_child (widget, LcSqlPanel, stop);
  gtk_widget_class_bind_template_child (widget, LcSqlPanel, examples);
  gtk_widget_class_bind_template_child (widget, LcSqlPanel, tables);
  gtk_widget_class_bind_template_child (widget, LcSqlPanel, spinner);
  gtk_widget_class_bind_template_child (widget, LcSqlPanel, state);
  gtk_widget_class_bind_template_child (widget, LcSqlPanel, filter);
  gtk_widget_class_bind_template_child (widget, LcSqlPanel, buttons);
  gtk_widget_class_bind_template_child (widget, LcSqlPanel, halves);
  gtk_widget_class_bind_template_child (widget, LcSqlPanel, pages);
  gtk_widget_class_bind_template_child (widget, LcSqlPanel, problem);
  gtk_widget_class_bind_template_child (widget, LcSqlPanel, editor);
  gtk_widget_class_bind_template_callback (widget, sql_panel_run);
  gtk_widget_class_bind_template_callback (widget, sql_panel_stop);
  gtk_widget_class_bind_template_callback (widget, sql_panel_arrange);
  gtk_widget_class_bind_template_callback (widget, sql_panel_stop_filter);
  gtk_widget_class_bind_template_callback (widget, sql_panel_on_words);
  gtk_widget_class_bind_template_callback (widget, sql_panel_on_copy);
  gtk_widget_class_bind_template_callback (widget, sql_panel_on_save);
}

static void
sql_panel_add_to_menu (GMenu *menu, const char *title, const char *action, guint number)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (title, NULL);

  g_menu_item_set_action_and_target (item, action, "u", number);
  g_menu_append_item (menu, item);
}

static void
sql_panel_add_menus (LcSqlPanel *panel)
{
  static const GActionEntry entries[] = {
      {.name = "example", .activate = sql_panel_on_example, .parameter_type = "u"},
      {.name = "table", .activate = sql_panel_on_table, .parameter_type = "u"},
  };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GMenu) menu = g_menu_new (), tables = g_menu_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), panel);
  gtk_widget_insert_action_group (GTK_WIDGET (panel), "sql", G_ACTION_GROUP (group));
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    sql_panel_add_to_menu (menu, _ (examples[i].title), "sql.example", i);
  for (guint i = 0; lc_statistics_table[i].name != NULL; i++)
    sql_panel_add_to_menu (tables, _ (lc_statistics_table[i].title), "sql.table", i);
  gtk_menu_button_set_menu_model (panel->examples, G_MENU_MODEL (menu));
  gtk_menu_button_set_menu_model (panel->tables, G_MENU_MODEL (tables));
}

static void
lc_sql_panel_init (LcSqlPanel *panel)
{
  panel->column = -1;
  gtk_widget_init_template (GTK_WIDGET (panel));
  panel->running = lc_job_new (panel, sql_panel_on_answer, NULL, lc_sql_answer_free);
  panel->making = lc_job_new (panel, sql_panel_on_made, NULL, (GDestroyNotify)lc_result_unref);
  panel->arranging = lc_job_new (panel, sql_panel_on_arranged, NULL, (GDestroyNotify)lc_table_source_unref);
  panel->listing = lc_job_new (panel, sql_panel_on_listed, NULL, (GDestroyNotify)g_strfreev);
  sql_panel_add_menus (panel);
}

GtkWidget *
lc_sql_panel_new (LcSession *session)
{
  LcSqlPanel *panel = g_object_new (LC_TYPE_SQL_PANEL, NULL);

  panel->session = g_object_ref (session);
  panel->table = lc_table_view_new (session, _ ("Result of the query"));
  gtk_stack_add_named (panel->pages, GTK_WIDGET (panel->table), "table");
  gtk_box_prepend (panel->buttons, lc_table_view_new_columns_button (panel->table));
  g_signal_connect_object (panel->table, "sorted", G_CALLBACK (sql_panel_on_sorted), panel, G_CONNECT_SWAPPED);
  g_signal_connect_object (panel->table, "activated", G_CALLBACK (sql_panel_on_activated), panel, G_CONNECT_SWAPPED);
  gtk_search_entry_set_key_capture_widget (panel->filter, GTK_WIDGET (panel->table));
  g_signal_connect_object (session, "changed", G_CALLBACK (sql_panel_on_changed), panel, 0);
  sql_panel_on_changed (session, LC_CHANGED_ALL, panel);
  return GTK_WIDGET (panel);
}

/* --- The action -------------------------------------------------------------------------------------------------- */

static void
sql_panel_switch (GtkWidget *widget, const char *name, GVariant *parameter)
{
  lc_shell_switch_bottom (LC_SHELL (widget), "sql");
}

void
lc_sql_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.sql", NULL, sql_panel_switch);
}
