/* SPDX-License-Identifier: Apache-2.0 */
/* The manual, in a window of its own. */
#include "app/help/help-window.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/help/markdown.h"
#include "app/shown-text.h"

enum
{
  TEXT_WIDTH = 640, /* px of the text; wider pictures are made as narrow */
};

/* The pages of the manual, in the order of the list. */
static const struct
{
  const char *file;
  const char *title;
} pages[] = {
    {"browser.md", N_ ("The browser")},
    {"tutorial.md", N_ ("Tutorial")},
    {"recording.md", N_ ("Recording")},
    {"calibration.md", N_ ("Calibration")},
    {"examples.md", N_ ("Programs to record")},
    {"analysis.md", N_ ("Analysis")},
    {"approximation.md", N_ ("Approximation")},
    {"pictures.md", N_ ("Pictures")},
    {"rules.md", N_ ("Rules")},
    {"format.md", N_ ("Format of a trace")},
};

struct _LcHelpWindow
{
  AdwWindow parent;

  GtkListBox *list;
  GtkScrolledWindow *scrolled;
  GtkBox *content;
  GHashTable *anchors; /* char * -> GtkWidget *, not owned */
  guint page;
};

G_DEFINE_FINAL_TYPE (LcHelpWindow, lc_help_window, ADW_TYPE_WINDOW)

static void show_page (LcHelpWindow *window, const char *page);

/* --- Blocks ------------------------------------------------------------------------------------------------------ */

static gboolean
on_link (GtkLabel *label, const char *target, LcHelpWindow *window)
{
  if (strstr (target, "://") != NULL)
    return FALSE;
  show_page (window, target);
  return TRUE;
}

static GtkWidget *
help_window_make_label (LcHelpWindow *window, const char *markup)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, strstr (markup, "<a ") != NULL);
  g_signal_connect (label, "activate-link", G_CALLBACK (on_link), window);
  return label;
}

static GtkWidget *
help_window_make_heading (LcHelpWindow *window, const LcBlock *block)
{
  static const char *const classes[] = {"title-1", "title-1", "title-2", "title-4"};
  GtkWidget *label = help_window_make_label (window, block->text);

  gtk_widget_add_css_class (label, classes[MIN (block->level, G_N_ELEMENTS (classes) - 1)]);
  gtk_widget_set_margin_top (label, block->level > 1 ? 12 : 0);
  g_hash_table_insert (window->anchors, lc_markdown_dup_anchor (gtk_label_get_text (GTK_LABEL (label))), label);
  return label;
}

static GtkWidget *
make_item (LcHelpWindow *window, const LcBlock *block)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = help_window_make_label (window, block->text);
  GtkWidget *mark = lc_label_new (block->target != NULL ? block->target : "•");

  gtk_widget_set_valign (mark, GTK_ALIGN_START);
  gtk_widget_set_margin_start (mark, 6 + 18 * (int)block->level);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), mark);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static GtkWidget *
make_code (const LcBlock *block)
{
  GtkWidget *label = lc_label_new (block->text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, "monospace");
  gtk_widget_add_css_class (label, "card");
  gtk_widget_add_css_class (label, "code");
  return label;
}

/* Makes a picture as wide as the text, or in its own size if that is narrower. */
static GtkWidget *
make_image (const LcBlock *block)
{
  g_autofree char *resource = g_strconcat (LC_RESOURCES "manual/", block->target, NULL);
  GtkWidget *picture = gtk_picture_new_for_resource (resource);
  GdkPaintable *paintable = gtk_picture_get_paintable (GTK_PICTURE (picture));

  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  gtk_picture_set_alternative_text (GTK_PICTURE (picture), block->text);
  lc_accessible_show (GTK_ACCESSIBLE (picture), GTK_ACCESSIBLE_PROPERTY_LABEL, block->text);
  if (paintable != NULL)
    {
      int width = gdk_paintable_get_intrinsic_width (paintable),
          height = gdk_paintable_get_intrinsic_height (paintable);

      gtk_widget_set_size_request (picture, -1, width > TEXT_WIDTH ? height * TEXT_WIDTH / width : height);
    }
  return picture;
}

/* Adds a row to the table of the block before; a header row starts a new table. */
static GtkWidget *
help_window_add_row (LcHelpWindow *window, GtkWidget *grid, const LcBlock *block, int row)
{
  if (block->level == 0)
    {
      grid = gtk_grid_new ();
      gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
      gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
    }
  for (guint i = 0; i < block->cells->len; i++)
    {
      GtkWidget *label = help_window_make_label (window, g_ptr_array_index (block->cells, i));

      if (block->level == 0)
        gtk_widget_add_css_class (label, "heading");
      gtk_widget_set_valign (label, GTK_ALIGN_BASELINE);
      gtk_widget_set_hexpand (label, i + 1 == block->cells->len);
      gtk_grid_attach (GTK_GRID (grid), label, (int)i, row, 1, 1);
    }
  return grid;
}

static GtkWidget *
help_window_make_block (LcHelpWindow *window, const LcBlock *block)
{
  switch (block->kind)
    {
    case LC_BLOCK_HEADING:
      return help_window_make_heading (window, block);
    case LC_BLOCK_ITEM:
      return make_item (window, block);
    case LC_BLOCK_CODE:
      return make_code (block);
    case LC_BLOCK_IMAGE:
      return make_image (block);
    case LC_BLOCK_PARAGRAPH:
    case LC_BLOCK_ROW:
    default:
      return help_window_make_label (window, block->text);
    }
}

/* --- A page ----------------------------------------------------------------------------------------------------------
 */

static void
help_window_fill (LcHelpWindow *window, const char *text)
{
  g_autoptr (GPtrArray) blocks = lc_markdown_parse (text);
  GtkWidget *child, *grid = NULL;
  int row = 0;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (window->content))) != NULL)
    gtk_box_remove (window->content, child);
  g_hash_table_remove_all (window->anchors);
  for (guint i = 0; i < blocks->len; i++)
    {
      const LcBlock *block = g_ptr_array_index (blocks, i);

      if (block->kind != LC_BLOCK_ROW)
        gtk_box_append (window->content, help_window_make_block (window, block));
      else if (block->level == 0)
        gtk_box_append (window->content, grid = help_window_add_row (window, NULL, block, row = 0));
      else
        help_window_add_row (window, grid, block, ++row);
    }
}

static void
scroll_to (LcHelpWindow *window, const char *anchor)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (window->scrolled);
  GtkWidget *heading = anchor != NULL ? g_hash_table_lookup (window->anchors, anchor) : NULL;
  graphene_point_t place = GRAPHENE_POINT_INIT (0, 0);

  if (heading != NULL && !gtk_widget_compute_point (heading, GTK_WIDGET (window->content), &place, &place))
    return;
  gtk_adjustment_set_value (adjustment, place.y);
}

static gboolean
scroll_later (gpointer data)
{
  LcHelpWindow *window = LC_HELP_WINDOW (data);

  scroll_to (window, g_object_get_data (G_OBJECT (window), "anchor"));
  return G_SOURCE_REMOVE;
}

static void
show_page (LcHelpWindow *window, const char *page)
{
  g_auto (GStrv) parts = g_strsplit (page, "#", 2);
  g_autofree char *resource = NULL;
  g_autoptr (GBytes) bytes = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (g_str_equal (parts[0], pages[i].file) && i != window->page)
      {
        window->page = i;
        resource = g_strconcat (LC_RESOURCES "manual/", pages[i].file, NULL);
        bytes = g_resources_lookup_data (resource, 0, NULL);
        if (bytes != NULL)
          help_window_fill (window, g_bytes_get_data (bytes, NULL));
        gtk_list_box_select_row (window->list, gtk_list_box_get_row_at_index (window->list, (int)i));
      }
  g_object_set_data_full (G_OBJECT (window), "anchor", g_strdup (parts[1]), g_free);
  /* The scroll position can be set only after the page has been laid out. */
  g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, 100, scroll_later, g_object_ref (window), g_object_unref);
}

static void
on_row (GtkListBox *list, GtkListBoxRow *row, LcHelpWindow *window)
{
  if (row != NULL)
    show_page (window, pages[gtk_list_box_row_get_index (row)].file);
}

/* --- The window ------------------------------------------------------------------------------------------------------
 */

static void
lc_help_window_finalize (GObject *object)
{
  g_hash_table_unref (LC_HELP_WINDOW (object)->anchors);
  G_OBJECT_CLASS (lc_help_window_parent_class)->finalize (object);
}

static void
lc_help_window_class_init (LcHelpWindowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = lc_help_window_finalize;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "help-window.ui");
  gtk_widget_class_bind_template_child (widget, LcHelpWindow, list);
  gtk_widget_class_bind_template_child (widget, LcHelpWindow, scrolled);
  gtk_widget_class_bind_template_child (widget, LcHelpWindow, content);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
lc_help_window_init (LcHelpWindow *window)
{
  window->page = G_N_ELEMENTS (pages);
  window->anchors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gtk_widget_init_template (GTK_WIDGET (window));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      GtkWidget *label = lc_label_new (_ (pages[i].title));

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_list_box_append (window->list, label);
    }
  g_signal_connect (window->list, "row-activated", G_CALLBACK (on_row), window);
}

void
lc_help_window_show (GtkApplication *application, const char *page)
{
  LcHelpWindow *window = NULL;

  for (GList *each = gtk_application_get_windows (application); each != NULL; each = each->next)
    if (LC_IS_HELP_WINDOW (each->data))
      window = LC_HELP_WINDOW (each->data);
  if (window == NULL)
    window = g_object_new (LC_TYPE_HELP_WINDOW, "application", application, NULL);
  show_page (window, page);
  gtk_window_present (GTK_WINDOW (window));
}
