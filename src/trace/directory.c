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
     {"trace.ini", "clock.ini", ".control", "objects-shared", "objects-#", "symbols-#", "requests-#", "heads-#",
      "packets-#", "history.lightcone"}},
};

/* Held while it is decided who makes the trace; it is there for no longer. */
#define LOCK ".lock"
#define LOCK_TRIES 1000

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

/* What is in there is looked at by itself. */
static gboolean
is_folder (const char *name)
{
  if (g_str_has_prefix (name, LC_PART_PREFIX))
    return TRUE;
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

      inner |= *parts[part].folder == '\0' && g_str_equal (name, LOCK);
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
visit_trace (const char *path, Visit visit, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      if (!visit_folder (path, i, visit, error))
        return FALSE;
    }
  return TRUE;
}

/* Those of several hosts too. */
static gboolean
visit_all (const char *path, Visit visit, GError **error)
{
  g_auto (GStrv) hosts = lc_trace_list_parts (path);

  for (char **host = hosts; *host != NULL; host++)
    {
      g_autofree char *part = g_build_filename (path, *host, NULL);

      if (!visit_trace (part, visit, error))
        return FALSE;
    }
  return visit_trace (path, visit, error);
}

static gboolean
remove_folders (const char *path, gboolean all, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *folder = g_build_filename (path, parts[i].folder, NULL);
      g_autofree char *lock = g_build_filename (path, LOCK, NULL);

      if (*parts[i].folder == '\0' && all)
        unlink (lock);
      if ((*parts[i].folder != '\0' || all) && rmdir (folder) != 0 && errno != ENOENT)
        {
          lc_file_set_error (error, folder, errno);
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
lc_directory_clear (const char *path, gboolean all, GError **error)
{
  g_auto (GStrv) hosts = lc_trace_list_parts (path);

  if (!visit_all (path, check_file, error) || !visit_all (path, remove_file, error))
    return FALSE;
  for (char **host = hosts; *host != NULL; host++)
    {
      g_autofree char *part = g_build_filename (path, *host, NULL);

      if (!remove_folders (part, TRUE, error))
        return FALSE;
    }
  return remove_folders (path, all, error);
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

static gboolean
is_ours (const char *path)
{
  return has_our_metadata (path) || has_our_control (path);
}

gboolean
lc_directory_any_part (const char *path, gboolean (*check) (const char *path))
{
  g_auto (GStrv) hosts = lc_trace_list_parts (path);
  gboolean found = check (path);

  for (char **host = hosts; *host != NULL && !found; host++)
    {
      g_autofree char *part = g_build_filename (path, *host, NULL);

      found = check (part);
    }
  return found;
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

  const char *name;

  if (dir == NULL)
    return FALSE;
  while ((name = g_dir_read_name (dir)) != NULL)
    if (!g_str_equal (name, LOCK))
      return FALSE;
  return TRUE;
}

static gboolean
replace_trace (const char *path, GError **error)
{
  if (!lc_directory_any_part (path, is_ours))
    {
      g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS, "%s: not a trace, so it is not replaced", path);
      return FALSE;
    }
  if (lc_directory_any_part (path, lc_directory_is_busy))
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
lc_directory_take (const char *path, gboolean replace, gboolean *made, GError **error)
{
  *made = mkdir (path, 0777) == 0;
  if (!*made && errno != EEXIST)
    {
      lc_file_set_error (error, path, errno);
      return FALSE;
    }
  return *made || take_directory (path, replace, error);
}

gboolean
lc_directory_prepare (const char *path, gboolean replace, gboolean *made, GError **error)
{
  g_autofree char *streams = g_build_filename (path, "ctf", NULL);

  if (!lc_directory_take (path, replace, made, error))
    return FALSE;
  if (mkdir (streams, 0777) == 0)
    return TRUE;
  lc_file_set_error (error, streams, errno);
  lc_directory_clear (path, *made, NULL);
  return FALSE;
}

/* --- One at a time ------------------------------------------------------------------------------------------------ */

/* -1: errno; the file may be gone again when it has been locked. */
static int
open_lock (const char *path)
{
  g_autofree char *file = g_build_filename (path, LOCK, NULL);
  int fd = open (file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666), result;

  if (fd < 0)
    return -1;
  do
    result = flock (fd, LOCK_EX);
  while (result != 0 && errno == EINTR);
  if (result == 0)
    return fd;
  close (fd);
  return -1;
}

int
lc_directory_lock (const char *path, gboolean *made, GError **error)
{
  int problem = EAGAIN;

  *made = FALSE;
  for (guint i = 0; i < LOCK_TRIES; i++)
    {
      struct stat status;
      int fd;

      if (mkdir (path, 0777) == 0)
        *made = TRUE;
      else if (errno != EEXIST)
        {
          problem = errno;
          break;
        }
      fd = open_lock (path);
      problem = errno;
      if (fd < 0 && problem != ENOENT)
        break;
      if (fd < 0)
        continue;
      if (fstat (fd, &status) == 0 && status.st_nlink > 0)
        return fd;
      close (fd);
    }
  lc_file_set_error (error, path, problem);
  return -1;
}

void
lc_directory_unlock (const char *path, int lock)
{
  g_autofree char *file = g_build_filename (path, LOCK, NULL);
  struct stat ours, there;

  /* When the directory has been removed meanwhile, the file that is there now is somebody else's. */
  if (fstat (lock, &ours) == 0 && lstat (file, &there) == 0 && ours.st_ino == there.st_ino)
    unlink (file);
  close (lock);
}
