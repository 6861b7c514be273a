/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and removes trace directories. What is not known to be part of a trace is never touched. */
#include "directory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf-metadata.h"
#include "files.h"
#include "lightcone/control.h"
#include "lightcone/trace.h"

#define METADATA_LIMIT (1u << 20)

/* The folders of a trace; "" is the trace itself. A name that ends with '#' is any with a number there. */
static const struct
{
  const char *folder;
  const char *files[12];
} parts[] = {
    {"ctf", {"metadata", "process-#"}},
    {"snapshots", {"#"}},
    {"",
     {"trace.ini", ".control", "objects-shared", "objects-#", "symbols-#", "heads-#", "packets-#",
      "history.lightcone"}},
};

static gboolean
is_number (const char *text)
{
  return *text != '\0' && strspn (text, "0123456789") == strlen (text);
}

/* The name itself, or what a program that was killed while it replaced the file has left. */
static gboolean
matches (const char *name, const char *pattern)
{
  gsize length = strlen (pattern);

  if (pattern[length - 1] == '#')
    return strncmp (name, pattern, length - 1) == 0 && is_number (name + length - 1);
  if (strncmp (name, pattern, length) != 0)
    return FALSE;
  name += length;
  return *name == '\0' ||
         (*name == '.' && strlen (name) == 7 && strspn (name + 1, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS) == 6) ||
         g_str_equal (name, "-journal") || g_str_equal (name, "-wal") || g_str_equal (name, "-shm");
}

static gboolean
is_file_of (guint part, const char *name)
{
  for (guint i = 0; parts[part].files[i] != NULL; i++)
    {
      if (matches (name, parts[part].files[i]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_folder (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      if (*parts[i].folder != '\0' && g_str_equal (name, parts[i].folder))
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_mode (const char *path, mode_t mode)
{
  struct stat status;

  return lstat (path, &status) == 0 && (status.st_mode & S_IFMT) == mode;
}

typedef gboolean (*Visit) (const char *path, gboolean known, GError **error);

/* Calls `visit` for every file of one folder. A folder that is not there has none. */
static gboolean
visit_folder (const char *path, guint part, Visit visit, GError **error)
{
  g_autofree char *folder = g_build_filename (path, parts[part].folder, NULL);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (!has_mode (folder, S_IFDIR))
    return TRUE;
  dir = g_dir_open (folder, 0, error);
  if (dir == NULL)
    return FALSE;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (folder, name, NULL);
      gboolean inner = *parts[part].folder == '\0' && is_folder (name) && has_mode (file, S_IFDIR);

      if (!inner && !visit (file, is_file_of (part, name) && has_mode (file, S_IFREG), error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_file (const char *path, gboolean known, GError **error)
{
  if (!known)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS, "%s: not a part of a trace, so nothing is removed",
                 path);
  return known;
}

static gboolean
remove_file (const char *path, gboolean known, GError **error)
{
  if (!known || unlink (path) == 0)
    return TRUE;
  lc_file_set_error (error, path, errno);
  return FALSE;
}

static gboolean
visit_all (const char *path, Visit visit, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      if (!visit_folder (path, i, visit, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
lc_directory_clear (const char *path, gboolean all, GError **error)
{
  if (!visit_all (path, check_file, error) || !visit_all (path, remove_file, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *folder = g_build_filename (path, parts[i].folder, NULL);

      if ((*parts[i].folder != '\0' || all) && rmdir (folder) != 0 && errno != ENOENT)
        {
          lc_file_set_error (error, folder, errno);
          return FALSE;
        }
    }
  return TRUE;
}

/* --- Whose it is -------------------------------------------------------------------------------------------------- */

static gboolean
has_our_metadata (const char *path)
{
  g_autofree char *file = g_build_filename (path, "ctf", "metadata", NULL);
  g_auto (LcMapped) mapped = {NULL};
  g_auto (LcCtfDescription) description = {{0}};
  guint64 format;

  return lc_file_map (file, METADATA_LIMIT, &mapped, NULL) && mapped.size > 0 &&
         (lc_ctf_metadata_read ((const char *)mapped.bytes, mapped.size, &description, &format) & LC_CTF_HAS_TRACER);
}

static gboolean
has_our_control (const char *path)
{
  g_autofree char *file = g_build_filename (path, ".control", NULL);
  g_auto (LcMapped) mapped = {NULL};

  return lc_file_map (file, sizeof (struct lc_control), &mapped, NULL) && mapped.size == sizeof (struct lc_control) &&
         memcmp (mapped.bytes, "LCCONTRL", 8) == 0;
}

gboolean
lc_directory_is_busy (const char *path)
{
  g_autofree char *file = g_build_filename (path, ".control", NULL);
  int fd = open (file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  gboolean busy;

  if (fd < 0)
    return FALSE;
  busy = flock (fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close (fd);
  return busy;
}

static gboolean
is_empty (const char *path, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, error);

  return dir != NULL && g_dir_read_name (dir) == NULL;
}

static gboolean
replace_trace (const char *path, GError **error)
{
  if (!has_our_metadata (path) && !has_our_control (path))
    {
      g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS, "%s: not a trace, so it is not replaced", path);
      return FALSE;
    }
  if (lc_directory_is_busy (path))
    {
      g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_BUSY, "%s: another recording is writing to it", path);
      return FALSE;
    }
  return lc_directory_clear (path, FALSE, error);
}

static gboolean
take_directory (const char *path, gboolean replace, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (is_empty (path, &problem))
    return TRUE;
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  if (replace)
    return replace_trace (path, error);
  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS, "%s: there is something in this directory", path);
  return FALSE;
}

gboolean
lc_directory_prepare (const char *path, gboolean replace, gboolean *made, GError **error)
{
  g_autofree char *streams = g_build_filename (path, "ctf", NULL);

  *made = mkdir (path, 0777) == 0;
  if (!*made && errno != EEXIST)
    {
      lc_file_set_error (error, path, errno);
      return FALSE;
    }
  if (!*made && !take_directory (path, replace, error))
    return FALSE;
  if (mkdir (streams, 0777) == 0)
    return TRUE;
  lc_file_set_error (error, streams, errno);
  lc_directory_clear (path, *made, NULL);
  return FALSE;
}
