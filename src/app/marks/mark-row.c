/* SPDX-License-Identifier: Apache-2.0 */
/* The row of a set of marks: whether it is shown, how it looks, how many there are, and what can be done with it. */
#include "app/marks/mark-row.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/shell.h"
#include "app/shown-text.h"
#include "app/theme.h"
#include "draw/diagram/diagram-marked.h"
#include "trace/quantities.h"

struct _LcMarkRow
{
  GtkListBoxRow parent;

  LcSession *session;
  GtkCheckButton *check;
  GtkDrawingArea *swatch;
  GtkLabel *title;
  GtkLabel *count;
  LcMarkSet set;
  char *name; /* a copy, as the set points into the marks */
  guint at;   /* 1 + the number within the set of the mark that was gone to last; 0: none */
  gboolean setting;
};

G_DEFINE_FINAL_TYPE (LcMarkRow, lc_mark_row, GTK_TYPE_LIST_BOX_ROW)

/* --- What it shows ----------------------------------------------------------------------------------------------- */

static void
mark_row_draw_swatch (GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer data)
{
  const LcMarkRow *row = data;
  LcTheme theme = lc_theme_of (GTK_WIDGET (area));
  LcFill fill = lc_diagram_marked_get_fill (theme, row->set.number);
  g_autoptr (LcCanvas) canvas = lc_theme_new_canvas (cairo, theme);
  const LcRectangle box = {0.5, 0.5, width - 1, height - 1};
  const double right = box.x + box.width, bottom = box.y + box.height;
  const LcLine frame[] = {{box.x, box.y, right, box.y},
                          {right, box.y, right, bottom},
                          {right, bottom, box.x, bottom},
                          {box.x, bottom, box.x, box.y}};

  lc_canvas_rectangles (canvas, fill, &box, 1);
  lc_canvas_lines (canvas, (LcStroke){.color = fill.color, .width = 1.5}, frame, G_N_ELEMENTS (frame));
}

static char *
mark_row_dup_count (const LcMarkSet *set)
{
  g_autofree char *n_events = lc_format_count (set->n_events), *n_spans = lc_format_count (set->n_spans);
  g_autofree char *events = g_strdup_printf (ngettext ("%s event", "%s events", set->n_events), n_events);
  g_autofree char *spans = g_strdup_printf (ngettext ("%s span", "%s spans", set->n_spans), n_spans);

  if (set->n_spans == 0)
    return g_steal_pointer (&events);
  if (set->n_events == 0)
    return g_steal_pointer (&spans);
  return g_strdup_printf (_ ("%s, %s"), events, spans);
}

void
lc_mark_row_set (LcMarkRow *row, const LcMarkSet *set)
{
  g_autofree char *count = mark_row_dup_count (set), *label = NULL;
  gboolean hidden = lc_session_is_hidden (row->session, set->name);

  if (g_strcmp0 (row->name, set->name) != 0)
    {
      g_free (row->name);
      row->name = g_strdup (set->name);
      row->at = 0;
    }
  row->set = *set;
  row->set.name = row->name;
  lc_label_show (row->title, row->name);
  lc_label_show (row->count, count);
  lc_tooltip_show (GTK_WIDGET (row), row->name);
  label = g_strdup_printf (_ ("Show %s in the diagram"), row->name);
  lc_accessible_show (GTK_ACCESSIBLE (row->check), GTK_ACCESSIBLE_PROPERTY_LABEL, label);
  lc_tooltip_show (GTK_WIDGET (row->check), label);
  row->setting = TRUE;
  gtk_check_button_set_active (row->check, !hidden);
  row->setting = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (row->swatch));
}

/* --- What it does ------------------------------------------------------------------------------------------------ */

static void
mark_row_on_toggled (GtkCheckButton *check, LcMarkRow *row)
{
  if (!row->setting)
    lc_session_set_hidden (row->session, row->name, !gtk_check_button_get_active (check));
}

void
lc_mark_row_step (LcMarkRow *row, gboolean backwards)
{
  guint n = row->set.n_events + row->set.n_spans;

  if (n == 0)
    return;
  if (backwards)
    row->at = row->at <= 1 ? n : row->at - 1;
  else
    row->at = row->at >= n ? 1 : row->at + 1;
  lc_mark_go_to (row->session, row->set.first + row->at - 1);
}

static void
mark_row_on_next (GtkButton *button, LcMarkRow *row)
{
  lc_mark_row_step (row, FALSE);
}

static void
mark_row_on_previous (GtkButton *button, LcMarkRow *row)
{
  lc_mark_row_step (row, TRUE);
}

static void
mark_row_on_zoom (GtkButton *button, LcMarkRow *row)
{
  lc_mark_set_zoom (row->session, &row->set);
}

/* --- Removing ---------------------------------------------------------------------------------------------------- */

/* What was removed, for as long as it can be brought back. */
typedef struct
{
  LcSession *session;
  LcOpened *opened;
  char *name;
  GArray *marks;
} Removed;

static void
mark_row_free_removed (gpointer data, GClosure *closure)
{
  Removed *removed = data;

  g_object_unref (removed->session);
  lc_opened_unref (removed->opened);
  g_array_unref (removed->marks);
  g_free (removed->name);
  g_free (removed);
}

static void
mark_row_on_undo (AdwToast *toast, Removed *removed)
{
  if (lc_session_get_opened (removed->session) == removed->opened)
    lc_session_add_marks (removed->session, (const LcUserMark *)(const void *)removed->marks->data,
                          removed->marks->len);
}

static void
mark_row_on_remove (GtkButton *button, LcMarkRow *row)
{
  const LcMarks *marks = lc_session_get_marks (row->session);
  guint n = row->set.n_events + row->set.n_spans;
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (row));
  Removed *removed;
  AdwToast *toast;

  if (marks == NULL || row->set.first + n > marks->marks->len)
    return;
  removed = g_new0 (Removed, 1);
  *removed = (Removed){g_object_ref (row->session), lc_opened_ref (lc_session_get_opened (row->session)),
                       g_strdup (row->name), g_array_sized_new (FALSE, FALSE, sizeof (LcUserMark), n)};
  g_array_append_vals (removed->marks, &g_array_index (marks->marks, LcUserMark, row->set.first), n);
  for (guint i = 0; i < n; i++)
    g_array_index (removed->marks, LcUserMark, i).name = removed->name;
  g_autofree char *text = g_strdup_printf (_ ("The marks “%s” were removed"), row->name);
  g_autofree char *escaped = lc_shown_dup_markup (text);

  toast = adw_toast_new (escaped);
  adw_toast_set_button_label (toast, _ ("_Undo"));
  lc_session_remove_marks (row->session, (const LcUserMark *)(const void *)removed->marks->data, n);
  g_signal_connect_data (toast, "button-clicked", G_CALLBACK (mark_row_on_undo), removed, mark_row_free_removed, 0);
  if (LC_IS_SHELL (window))
    lc_shell_add_toast (LC_SHELL (window), toast);
  else
    g_object_unref (toast);
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
lc_mark_row_dispose (GObject *object)
{
  g_clear_object (&LC_MARK_ROW (object)->session);
  G_OBJECT_CLASS (lc_mark_row_parent_class)->dispose (object);
}

static void
lc_mark_row_finalize (GObject *object)
{
  g_free (LC_MARK_ROW (object)->name);
  G_OBJECT_CLASS (lc_mark_row_parent_class)->finalize (object);
}

static void
lc_mark_row_class_init (LcMarkRowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_mark_row_dispose;
  G_OBJECT_CLASS (class)->finalize = lc_mark_row_finalize;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "mark-row.ui");
  gtk_widget_class_bind_template_child (widget, LcMarkRow, check);
  gtk_widget_class_bind_template_child (widget, LcMarkRow, swatch);
  gtk_widget_class_bind_template_child (widget, LcMarkRow, title);
  gtk_widget_class_bind_template_child (widget, LcMarkRow, count);
  gtk_widget_class_bind_template_callback (widget, mark_row_on_toggled);
  gtk_widget_class_bind_template_callback (widget, mark_row_on_next);
  gtk_widget_class_bind_template_callback (widget, mark_row_on_previous);
  gtk_widget_class_bind_template_callback (widget, mark_row_on_zoom);
  gtk_widget_class_bind_template_callback (widget, mark_row_on_remove);
}

static void
lc_mark_row_init (LcMarkRow *row)
{
  gtk_widget_init_template (GTK_WIDGET (row));
  gtk_drawing_area_set_draw_func (row->swatch, mark_row_draw_swatch, row, NULL);
}

GtkWidget *
lc_mark_row_new (LcSession *session)
{
  LcMarkRow *row = g_object_new (LC_TYPE_MARK_ROW, NULL);

  row->session = g_object_ref (session);
  return GTK_WIDGET (row);
}
