/* SPDX-License-Identifier: Apache-2.0 */
/* A column view, whose rows may have others below them. */
#include "app/plots/profile-table.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

enum
{
  LEAST_HEIGHT = 120, /* px: the titles and four rows */
  OPENED = 24,        /* rows of a tree that are shown at first, at most */
};

/* The columns, in this order. Times are compensated, but for the last two. */
typedef enum
{
  COLUMN_NAME,
  COLUMN_CALLS,
  COLUMN_INCLUSIVE,
  COLUMN_EXCLUSIVE,
  COLUMN_WAITING,
  COLUMN_MEASURED_INCLUSIVE,
  COLUMN_MEASURED_EXCLUSIVE,
  COLUMNS,
} Column;

/* --- A row ------------------------------------------------------------------------------------------------------- */

#define PROFILE_TYPE_ROW (profile_row_get_type ())
G_DECLARE_FINAL_TYPE (ProfileRow, profile_row, PROFILE, ROW, GObject)

struct _ProfileRow
{
  GObject parent;

  const char *name;
  guint64 calls;
  gint64 times[COLUMNS]; /* ns, of the columns that are times */

  const LcProfileProcess *process; /* of a tree */
  guint path;                      /* LC_PROFILE_NO_CALLER: the process as a whole */
};

G_DEFINE_FINAL_TYPE (ProfileRow, profile_row, G_TYPE_OBJECT)

static void
profile_row_class_init (ProfileRowClass *class)
{
}

static void
profile_row_init (ProfileRow *row)
{
}

/* A file may contain any numbers. */
static void
profile_row_add_time (ProfileRow *row, Column column, gint64 time)
{
  if (__builtin_add_overflow (row->times[column], time, &row->times[column]))
    row->times[column] = time > 0 ? G_MAXINT64 : -G_MAXINT64;
}

static void
profile_row_add (ProfileRow *row, const LcProfileRoutine *routine, LcProfileWay best)
{
  row->calls += routine->calls;
  profile_row_add_time (row, COLUMN_INCLUSIVE, routine->inclusive[best]);
  profile_row_add_time (row, COLUMN_EXCLUSIVE, routine->exclusive[best]);
  profile_row_add_time (row, COLUMN_WAITING, routine->waiting[best]);
  profile_row_add_time (row, COLUMN_MEASURED_INCLUSIVE, routine->inclusive[LC_PROFILE_UNCOMPENSATED]);
  profile_row_add_time (row, COLUMN_MEASURED_EXCLUSIVE, routine->exclusive[LC_PROFILE_UNCOMPENSATED]);
}

static char *
profile_row_dup_text (const ProfileRow *row, Column column)
{
  gboolean is_process = row->process != NULL && row->path == LC_PROFILE_NO_CALLER;

  if (column == COLUMN_NAME)
    return row->name[0] != '\0' ? lc_format_text (row->name) : g_strdup (_ ("(other routines)"));
  if (is_process && column != COLUMN_INCLUSIVE && column != COLUMN_MEASURED_INCLUSIVE)
    return g_strdup ("");
  if (column == COLUMN_CALLS)
    return lc_format_count (row->calls);
  return row->times[column] < 0 ? lc_format_change (row->times[column])
                                : lc_format_duration ((guint64)row->times[column]);
}

/* --- Models ------------------------------------------------------------------------------------------------------ */

struct _LcProfileTable
{
  GtkWidget parent;

  GtkColumnView *view;
  GtkColumnViewColumn *columns[COLUMNS];
  const LcProfile *profile;
  LcProfileWay best;
};

G_DEFINE_FINAL_TYPE (LcProfileTable, lc_profile_table, GTK_TYPE_WIDGET)

static void
profile_table_add_process (GHashTable *rows, GListStore *list, const LcProfileProcess *process, LcProfileWay best)
{
  for (guint i = 0; i < process->routines->len; i++)
    {
      const LcProfileRoutine *routine = process->routines->pdata[i];
      ProfileRow *row = g_hash_table_lookup (rows, routine->name);

      if (row == NULL)
        {
          row = g_object_new (PROFILE_TYPE_ROW, NULL);
          row->name = routine->name;
          g_hash_table_insert (rows, (char *)routine->name, row);
          g_list_store_append (list, row);
          g_object_unref (row);
        }
      profile_row_add (row, routine, best);
    }
}

static int
profile_table_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const ProfileRow *first = a, *second = b;
  gint64 left = first->times[COLUMN_EXCLUSIVE], right = second->times[COLUMN_EXCLUSIVE];

  return left != right ? (left < right ? 1 : -1) : g_strcmp0 (first->name, second->name);
}

static GListModel *
profile_table_make_routines (LcProfileTable *table, guint process)
{
  g_autoptr (GHashTable) rows = g_hash_table_new (g_str_hash, g_str_equal);
  GListStore *list = g_list_store_new (PROFILE_TYPE_ROW);

  for (guint i = 0; i < table->profile->processes->len; i++)
    if (process == G_MAXUINT || process == i)
      profile_table_add_process (rows, list, table->profile->processes->pdata[i], table->best);
  g_list_store_sort (list, profile_table_compare, NULL);
  return G_LIST_MODEL (list);
}

/* Lists what a path has called, or the outermost paths of a process. */
static GListStore *
profile_table_make_callees (const LcProfileTable *table, const LcProfileProcess *process, guint caller)
{
  GListStore *list = g_list_store_new (PROFILE_TYPE_ROW);
  guint first = caller == LC_PROFILE_NO_CALLER ? 0 : caller + 1;

  for (guint i = first; process->paths != NULL && i < process->paths->len; i++)
    {
      const LcProfileRoutine *path = process->paths->pdata[i];
      g_autoptr (ProfileRow) row = NULL;

      /* The first path that a caller before this one has called ends its callees. */
      if (caller != LC_PROFILE_NO_CALLER && (path->caller == LC_PROFILE_NO_CALLER || path->caller < caller))
        break;
      if (path->caller != caller)
        continue;
      row = g_object_new (PROFILE_TYPE_ROW, NULL);
      row->name = path->name;
      row->process = process;
      row->path = i;
      profile_row_add (row, path, table->best);
      g_list_store_append (list, row);
    }
  return list;
}

static GListModel *
profile_table_open_row (gpointer item, gpointer data)
{
  const ProfileRow *row = item;
  GListStore *list = row->process != NULL ? profile_table_make_callees (data, row->process, row->path) : NULL;

  if (list != NULL && g_list_model_get_n_items (G_LIST_MODEL (list)) == 0)
    g_clear_object (&list);
  return (GListModel *)list;
}

static GListModel *
profile_table_make_roots (LcProfileTable *table, guint process)
{
  const GPtrArray *processes = table->profile->processes;
  GListStore *list;

  if (process < processes->len)
    return G_LIST_MODEL (profile_table_make_callees (table, processes->pdata[process], LC_PROFILE_NO_CALLER));
  list = g_list_store_new (PROFILE_TYPE_ROW);
  for (guint i = 0; i < processes->len; i++)
    {
      g_autoptr (ProfileRow) row = g_object_new (PROFILE_TYPE_ROW, NULL);

      row->process = processes->pdata[i];
      row->name = row->process->name;
      row->path = LC_PROFILE_NO_CALLER;
      row->times[COLUMN_INCLUSIVE] = row->process->total[table->best];
      row->times[COLUMN_MEASURED_INCLUSIVE] = row->process->total[LC_PROFILE_UNCOMPENSATED];
      g_list_store_append (list, row);
    }
  return G_LIST_MODEL (list);
}

/* Opens the rows, from above, as long as there is room for what they have called. */
static void
profile_table_open_first (GtkTreeListModel *tree)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (tree)); i++)
    {
      g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_row (tree, i);

      if (g_list_model_get_n_items (G_LIST_MODEL (tree)) >= OPENED)
        return;
      gtk_tree_list_row_set_expanded (row, TRUE);
    }
}

void
lc_profile_table_show (LcProfileTable *table, const LcProfile *profile, guint process, gboolean by_path)
{
  g_autoptr (GtkNoSelection) selection = NULL;
  GtkTreeListModel *tree;

  table->profile = profile;
  table->best = lc_profile_get_best_way (profile);
  tree = gtk_tree_list_model_new (by_path ? profile_table_make_roots (table, process)
                                          : profile_table_make_routines (table, process),
                                  FALSE, FALSE, profile_table_open_row, table, NULL);
  if (by_path)
    profile_table_open_first (tree);
  for (Column column = COLUMN_MEASURED_INCLUSIVE; column < COLUMNS; column++)
    gtk_column_view_column_set_visible (table->columns[column], (profile->ways >> LC_PROFILE_UNCOMPENSATED & 1) != 0);
  gtk_column_view_column_set_title (table->columns[COLUMN_NAME], by_path ? _ ("Call path") : _ ("Routine"));
  selection = gtk_no_selection_new (G_LIST_MODEL (tree));
  gtk_column_view_set_model (table->view, GTK_SELECTION_MODEL (selection));
}

/* --- Cells ------------------------------------------------------------------------------------------------------- */

static void
profile_table_set_up (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  GtkWidget *label = lc_label_new (""), *expander;

  gtk_label_set_xalign (GTK_LABEL (label), GPOINTER_TO_UINT (column) == COLUMN_NAME ? 0 : 1);
  if (GPOINTER_TO_UINT (column) != COLUMN_NAME)
    {
      gtk_widget_add_css_class (label, "numeric");
      gtk_list_item_set_child (item, label);
      return;
    }
  /* Long names must not push the numbers out of the window. */
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (label, TRUE);
  expander = gtk_tree_expander_new ();
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), label);
  gtk_list_item_set_child (item, expander);
}

static void
profile_table_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  GtkWidget *child = gtk_list_item_get_child (item), *label = child;
  GtkTreeListRow *place = gtk_list_item_get_item (item);
  g_autoptr (ProfileRow) row = gtk_tree_list_row_get_item (place);
  g_autofree char *text = profile_row_dup_text (row, GPOINTER_TO_UINT (column));

  if (GTK_IS_TREE_EXPANDER (child))
    {
      /* Routines have nothing below them, and need no room for an arrow. */
      gtk_tree_expander_set_indent_for_icon (GTK_TREE_EXPANDER (child), row->process != NULL);
      gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (child), place);
      label = gtk_tree_expander_get_child (GTK_TREE_EXPANDER (child));
      lc_tooltip_show (label, text);
    }
  lc_label_show (GTK_LABEL (label), text);
}

static void
profile_table_unbind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *child = gtk_list_item_get_child (item);

  if (GTK_IS_TREE_EXPANDER (child))
    gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (child), NULL);
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static GtkColumnViewColumn *
profile_table_add_column (LcProfileTable *table, Column column)
{
  static const char *const titles[COLUMNS] = {
      [COLUMN_NAME] = N_ ("Routine"),
      [COLUMN_CALLS] = N_ ("Calls"),
      [COLUMN_INCLUSIVE] = N_ ("Inclusive"),
      [COLUMN_EXCLUSIVE] = N_ ("Exclusive"),
      [COLUMN_WAITING] = N_ ("Waiting"),
      [COLUMN_MEASURED_INCLUSIVE] = N_ ("Inclusive, measured"),
      [COLUMN_MEASURED_EXCLUSIVE] = N_ ("Exclusive, measured"),
  };
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *shown = gtk_column_view_column_new (_ (titles[column]), factory);

  g_signal_connect (factory, "setup", G_CALLBACK (profile_table_set_up), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "bind", G_CALLBACK (profile_table_bind), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "unbind", G_CALLBACK (profile_table_unbind), NULL);
  gtk_column_view_column_set_resizable (shown, TRUE);
  gtk_column_view_column_set_expand (shown, column == COLUMN_NAME);
  gtk_column_view_append_column (table->view, shown);
  g_object_unref (shown);
  return shown;
}

static void
lc_profile_table_dispose (GObject *object)
{
  LcProfileTable *table = LC_PROFILE_TABLE (object);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (table));

  /* The tree asks this table for what is below its rows. */
  if (table->view != NULL)
    gtk_column_view_set_model (table->view, NULL);
  table->view = NULL;
  if (child != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (lc_profile_table_parent_class)->dispose (object);
}

static void
lc_profile_table_class_init (LcProfileTableClass *class)
{
  G_OBJECT_CLASS (class)->dispose = lc_profile_table_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
lc_profile_table_init (LcProfileTable *table)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  table->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  for (Column column = COLUMN_NAME; column < COLUMNS; column++)
    table->columns[column] = profile_table_add_column (table, column);
  gtk_widget_add_css_class (GTK_WIDGET (table->view), "data-table");
  lc_accessible_show (GTK_ACCESSIBLE (table->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Routines"));
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), LEAST_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (table->view));
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_widget_set_parent (scrolled, GTK_WIDGET (table));
}
