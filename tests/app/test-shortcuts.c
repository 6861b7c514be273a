/* SPDX-License-Identifier: Apache-2.0 */
/* The table of keys: each is one that GTK knows, and none does two things. */
#include <gtk/gtk.h>

#include "app/shortcuts.h"

static void
test_keys_are_unique (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gsize n_shortcuts;
  const LcShortcut *shortcuts = lc_shortcuts_get (&n_shortcuts);

  g_assert_cmpuint (n_shortcuts, >, 0);
  for (gsize i = 0; i < n_shortcuts; i++)
    {
      g_auto (GStrv) keys = g_strsplit (shortcuts[i].accelerator, " ", -1);

      for (guint j = 0; keys[j] != NULL; j++)
        {
          GdkModifierType modifiers;
          guint key;
          char *name;

          if (!gtk_accelerator_parse (keys[j], &key, &modifiers))
            g_error ("%s: “%s” is no key", shortcuts[i].title, keys[j]);
          name = gtk_accelerator_name (key, modifiers);
          if (g_hash_table_contains (seen, name))
            g_error ("%s: “%s” does something else already: %s", shortcuts[i].title, keys[j],
                     (const char *)g_hash_table_lookup (seen, name));
          g_hash_table_insert (seen, name, (gpointer)shortcuts[i].title);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shortcuts/keys-are-unique", test_keys_are_unique);
  return g_test_run ();
}
