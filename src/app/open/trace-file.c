/* SPDX-License-Identifier: Apache-2.0 */
/* Files that lead to a trace: those that lie in its folder. */
#include "app/open/trace-file.h"

/* Names of files that lie in the folder of a trace itself. */
static const char *const names[] = {"trace.ini", "history.lightcone", "marks.lightcone", NULL};

static gboolean
trace_file_is_of_trace (const char *path, const char *name)
{
  return (g_str_has_suffix (name, ".events") || g_strv_contains (names, name)) &&
         !g_file_test (path, G_FILE_TEST_IS_DIR);
}

GFile *
lc_trace_file_find_folder (GFile *file)
{
  g_autofree char *path = g_file_get_path (file), *name = g_file_get_basename (file);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *its_name = folder != NULL ? g_file_get_basename (folder) : NULL;

  if (path == NULL || folder == NULL)
    return g_object_ref (file);
  if (trace_file_is_of_trace (path, name))
    return g_object_ref (folder);
  /* The binary files of a recorded trace are in a folder of their own within it. */
  if (g_str_equal (its_name, "ctf") && !g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      GFile *trace = g_file_get_parent (folder);

      return trace != NULL ? trace : g_object_ref (file);
    }
  return g_object_ref (file);
}
