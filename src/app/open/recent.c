/* SPDX-License-Identifier: Apache-2.0 */
/* Recently opened traces, kept in the desktop's list of recent files. */
#include "app/open/recent.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#define APPLICATION "Lightcone"

enum
{
  IN_MENU = 10,
  MOST = 30,
};

static void
free_recent (gpointer data)
{
  LcRecent *recent = data;

  g_free (recent->path);
  g_free (recent->title);
  g_free (recent->parent);
  g_free (recent);
}

void
lc_recent_add (const char *directory)
{
  static char group[] = "Lightcone", command[] = "lightcone-browser %f", name[] = APPLICATION,
              type[] = "inode/directory";
  char *groups[] = {group, NULL};
  const GtkRecentData data = {.mime_type = type, .app_name = name, .app_exec = command, .groups = groups};
  g_autofree char *uri = g_filename_to_uri (directory, NULL, NULL);

  if (uri != NULL)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

void
lc_recent_remove (const char *directory)
{
  g_autofree char *uri = g_filename_to_uri (directory, NULL, NULL);

  if (uri != NULL)
    gtk_recent_manager_remove_item (gtk_recent_manager_get_default (), uri, NULL);
}

/* Abbreviates the home folder as "~". */
static char *
dup_shown_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *shown = g_filename_display_name (folder);
  const char *home = g_get_home_dir ();
  gsize length = strlen (home);

  if (strncmp (shown, home, length) == 0 && (shown[length] == '/' || shown[length] == '\0'))
    return g_strconcat ("~", shown + length, NULL);
  return g_steal_pointer (&shown);
}

static LcRecent *
recent_new (GtkRecentInfo *info)
{
  g_autofree char *path = g_filename_from_uri (gtk_recent_info_get_uri (info), NULL, NULL);
  LcRecent *recent;

  if (path == NULL || !gtk_recent_info_has_application (info, APPLICATION))
    return NULL;
  recent = g_new0 (LcRecent, 1);
  recent->title = g_filename_display_basename (path);
  recent->parent = dup_shown_folder (path);
  recent->visited = g_date_time_to_unix (gtk_recent_info_get_modified (info));
  recent->path = g_steal_pointer (&path);
  return recent;
}

static int
recent_compare (gconstpointer a, gconstpointer b)
{
  const LcRecent *one = *(const LcRecent *const *)a, *other = *(const LcRecent *const *)b;

  return one->visited != other->visited ? (one->visited < other->visited ? 1 : -1) : strcmp (one->path, other->path);
}

GPtrArray *
lc_recent_list (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (free_recent);
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());

  for (GList *at = items; at != NULL; at = at->next)
    {
      LcRecent *recent = recent_new (at->data);

      if (recent != NULL)
        g_ptr_array_add (list, recent);
    }
  g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
  g_ptr_array_sort (list, recent_compare);
  if (list->len > MOST)
    g_ptr_array_set_size (list, MOST);
  return list;
}

static guint64
recent_measure (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint64 bytes = 0;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      GStatBuf status;

      if (g_stat (path, &status) == 0 && S_ISREG (status.st_mode))
        bytes += (guint64)status.st_size;
    }
  return bytes;
}

void
lc_recent_look (LcRecent *recent)
{
  g_autofree char *streams = g_build_filename (recent->path, "ctf", NULL);

  recent->missing = !g_file_test (recent->path, G_FILE_TEST_IS_DIR);
  if (!recent->missing)
    recent->bytes = recent_measure (recent->path) + recent_measure (streams);
}

/* Names the folder of a trace as well if another recent trace has the same title. */
static char *
recent_dup_label (const GPtrArray *list, const LcRecent *recent)
{
  g_autofree char *parent = g_path_get_dirname (recent->path), *shown = g_filename_display_name (parent);
  g_autofree char *both = g_strdup_printf (_ ("%s in %s"), recent->title, shown);
  guint n_same = 0;

  for (guint i = 0; i < list->len; i++)
    n_same += g_str_equal (((const LcRecent *)g_ptr_array_index (list, i))->title, recent->title);
  return g_strdup (n_same > 1 ? both : recent->title);
}

/* Fills the menu with the recent traces that still exist. */
static void
fill_menu (GtkRecentManager *manager, GMenu *menu)
{
  g_autoptr (GPtrArray) list = lc_recent_list ();

  g_menu_remove_all (menu);
  for (guint i = list->len; i-- > 0;)
    if (!g_file_test (((const LcRecent *)g_ptr_array_index (list, i))->path, G_FILE_TEST_IS_DIR))
      g_ptr_array_remove_index (list, i);
  if (list->len > IN_MENU)
    g_ptr_array_set_size (list, IN_MENU);
  for (guint i = 0; i < list->len; i++)
    {
      g_autofree char *title = recent_dup_label (list, g_ptr_array_index (list, i));
      const LcRecent *recent = g_ptr_array_index (list, i);
      g_auto (GStrv) parts = g_strsplit (title, "_", -1);
      g_autofree char *label = g_strjoinv ("__", parts); /* underscores would be taken for mnemonics */
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target_value (item, "win.open-named", g_variant_new_bytestring (recent->path));
      g_menu_append_item (menu, item);
    }
}

GMenuModel *
lc_recent_get_menu (void)
{
  static GMenu *menu;

  if (menu == NULL)
    {
      GtkRecentManager *manager = gtk_recent_manager_get_default ();

      menu = g_menu_new ();
      g_signal_connect (manager, "changed", G_CALLBACK (fill_menu), menu);
      fill_menu (manager, menu);
    }
  return G_MENU_MODEL (menu);
}
