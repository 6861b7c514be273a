/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the recorder's libraries, which programs are started with. */
#include "find-library.h"

#include <glib/gi18n.h>
#include <string.h>

#define LIBRARY "liblightcone-record.so"

/* Gives the library of this name beside this program in the folder of the build; NULL if this is an installed program.
 */
static char *
built_library (const char *name)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "..", "record", name, NULL) : NULL;

  return path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_canonicalize_filename (path, NULL) : NULL;
}

char *
lc_find_library (GError **error)
{
  const char *given = g_getenv (LC_LIBRARY_ENVIRONMENT);
  g_autofree char *path =
      given != NULL && given[0] != '\0' ? g_canonicalize_filename (given, NULL) : built_library (LIBRARY);

  if (path == NULL)
    path = g_build_filename (LC_LIBRARY_FOLDER, LIBRARY, NULL);
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                   _ ("%s: the recorder is not there (%s can say where it is)"), path, LC_LIBRARY_ENVIRONMENT);
      return NULL;
    }
  /* The dynamic linker takes these characters as separators, or replaces them. */
  if (strpbrk (path, ": $") != NULL)
    {
      g_set_error (
          error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
          _ ("%s: no program can load the recorder from a place with a space, colon or dollar sign in its name"), path);
      return NULL;
    }
  return g_steal_pointer (&path);
}

char *
lc_find_mpi_library (const char *recorder, const char *purpose, const char *name, GError **error)
{
  static const char *const folders[] = {".", "../mpi"};
  g_autofree char *file = g_strdup_printf ("liblightcone-%s-%s.so", purpose, name);
  g_autofree char *folder = g_path_get_dirname (recorder);

  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *relative = g_build_filename (folder, folders[i], file, NULL);
      g_autofree char *path = g_canonicalize_filename (relative, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
               _ ("%s: there is no library for this MPI here (it was not there when Lightcone was built)"), file);
  return NULL;
}

static char *
library_beside_recorder (const char *name, GError **error)
{
  g_autofree char *recorder = lc_find_library (error);
  g_autofree char *folder = recorder != NULL ? g_path_get_dirname (recorder) : NULL;
  g_autofree char *path = folder != NULL ? g_build_filename (folder, name, NULL) : NULL;

  if (path == NULL || g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&path);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("%s: this library of Lightcone is not there"), path);
  return NULL;
}

char *
lc_find_replay_library (GError **error)
{
  return library_beside_recorder ("liblightcone-replay.so", error);
}

char *
lc_find_inputs_library (GError **error)
{
  return library_beside_recorder ("liblightcone-inputs.so", error);
}

char *
lc_find_schedule_library (GError **error)
{
  return library_beside_recorder ("liblightcone-schedule.so", error);
}

char *
lc_find_blocks_library (GError **error)
{
  static const char name[] = "liblightcone-blocks.a";
  g_autofree char *path = built_library (name);

  if (path == NULL)
    path = g_build_filename (LC_LIBRARY_FOLDER, name, NULL);
  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&path);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("%s: this library of Lightcone is not there"), path);
  return NULL;
}
