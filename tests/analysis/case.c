/* SPDX-License-Identifier: Apache-2.0 */
/* Histories to try an analysis on: made of text, or at random. */
#include "case.h"

#include <glib/gstdio.h>

static Case *
begin (void)
{
  Case *trial = g_new0 (Case, 1);

  trial->directory = g_dir_make_tmp ("lightcone-analysis-XXXXXX", NULL);
  return trial;
}

static Case *
merge (Case *trial)
{
  const LcMergeOptions options = {.again = TRUE};
  g_autoptr (GError) error = NULL;

  trial->history = lc_merge_open (trial->directory, &options, &error);
  g_assert_no_error (error);
  return trial;
}

static void
write_rules (const Case *trial, const char *rules)
{
  g_autofree char *folder = g_build_filename (trial->directory, "rules", NULL);
  g_autofree char *path = g_build_filename (folder, "more.rules", NULL);

  g_assert_cmpint (g_mkdir (folder, 0777), ==, 0);
  g_assert_true (g_file_set_contents (path, rules, -1, NULL));
}

Case *
case_new (const char *const *files, const char *rules)
{
  Case *trial = begin ();

  for (gsize i = 0; files[i] != NULL; i += 2)
    {
      g_autofree char *name = g_strconcat (files[i], ".events", NULL);
      g_autofree char *path = g_build_filename (trial->directory, name, NULL);
      g_autofree char *text = g_strconcat ("%lightcone-events 1\n", files[i + 1], NULL);

      g_assert_true (g_file_set_contents (path, text, -1, NULL));
    }
  if (rules != NULL)
    write_rules (trial, rules);
  return merge (trial);
}

Case *
case_new_random (const RandomHistory *random, guint64 skew, guint32 seed)
{
  Case *trial = begin ();

  random_history_write (random, trial->directory, skew, seed);
  return merge (trial);
}

void
case_remove_folder (const char *folder)
{
  GDir *entries = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (entries)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        case_remove_folder (path);
      else
        g_unlink (path);
    }
  g_dir_close (entries);
  g_rmdir (folder);
}

void
case_free (Case *trial)
{
  lc_history_free (trial->history);
  case_remove_folder (trial->directory);
  g_free (trial->directory);
  g_free (trial);
}
