/* SPDX-License-Identifier: Apache-2.0 */
/* `lightcone open`: starts the browser, which is another program because it needs a desktop's libraries. */
#include <errno.h>
#include <glib/gi18n.h>
#include <unistd.h>

#include "command.h"

#define BROWSER "lightcone-browser"

static gboolean follow, new_instance;

static const GOptionEntry options[] = {
    {"follow", 0, 0, G_OPTION_ARG_NONE, &follow,
     N_ ("Show a trace as it is being recorded, in a browser of its own; wait for it if it is not there yet"), NULL},
    {"new-instance", 0, 0, G_OPTION_ARG_NONE, &new_instance,
     N_ ("Start a browser of its own beside one that is running"), NULL},
    {NULL},
};

static const LcCommandLine line = {
    .name = "open",
    .arguments = N_ ("[DIR...]"),
    .description = N_ ("Shows traces in the browser, one window for each. lightcone DIR does the same."),
    .options = options,
    .n_arguments = 0,
    .n_optional = G_MAXINT,
};

static char *
take_if_there (char *path)
{
  if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR))
    return path;
  g_free (path);
  return NULL;
}

/* Finds the browser beside this program, where it was built, or where it is installed. */
static char *
find_browser (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (program != NULL ? program : ".");
  char *found = NULL;

  if (program != NULL)
    found = take_if_there (g_build_filename (folder, BROWSER, NULL));
  if (program != NULL && found == NULL)
    found = take_if_there (g_build_filename (folder, "..", "app", BROWSER, NULL));
  if (found == NULL)
    found = take_if_there (g_build_filename (LC_BIN_FOLDER, BROWSER, NULL));
  if (found == NULL)
    found = take_if_there (g_build_filename (LC_LIBEXEC_FOLDER, BROWSER, NULL));
  return found;
}

static gboolean
has_display (void)
{
  static const char *const names[] = {"DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"};

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *value = g_getenv (names[i]);

      if (value != NULL && *value != '\0')
        return TRUE;
    }
  return FALSE;
}

static int
open_run (const char *browser, char **directories)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  g_ptr_array_add (words, (gpointer)browser);
  if (follow)
    g_ptr_array_add (words, (gpointer) "--follow");
  if (new_instance)
    g_ptr_array_add (words, (gpointer) "--new-instance");
  g_ptr_array_add (words, (gpointer) "--");
  for (gsize i = 0; directories[i] != NULL; i++)
    g_ptr_array_add (words, directories[i]);
  g_ptr_array_add (words, NULL);
  execv (browser, (char **)words->pdata);
  lc_complain ("%s: %s", browser, g_strerror (errno));
  return LC_EXIT_UNUSABLE;
}

int
lc_cmd_open (int argc, char **argv)
{
  g_autofree char *browser = NULL;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  browser = find_browser ();
  if (browser == NULL)
    {
      lc_complain (_ ("open: the browser is not installed: it is the package lightcone-browser, or Lightcone was built "
                      "without it (lightcone export draws every view into a file)"));
      return LC_EXIT_UNUSABLE;
    }
  if (!has_display ())
    {
      lc_complain (_ ("open: there is no display to open a window on (lightcone export draws every view into a file "
                      "without one)"));
      return LC_EXIT_UNUSABLE;
    }
  return open_run (browser, argv + 1);
}
