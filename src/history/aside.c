/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a file beside its place and renames it: readers see the old file, none, or the complete new one. */
#include "aside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)

enum
{
  RANDOM = 6, /* letters and digits after the name and a dot */
  TRIES = 100,
  PIECE = 1 << 20, /* bytes copied at once */
};

struct _LcAside
{
  char *path;  /* final place */
  char *aside; /* path while it is made; NULL: there is nothing to remove */
  int fd;      /* holds the lock */
};

static void
set_error (GError **error, const char *path, int code)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
}

/* --- Leftovers --------------------------------------------------------------------------------------------------- */

static gboolean
is_leftover (const char *name, const char *of)
{
  gsize length = strlen (of);

  return strncmp (name, of, length) == 0 && name[length] == '.' && strlen (name) == length + 1 + RANDOM &&
         strspn (name + length + 1, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS) == RANDOM;
}

/* Whether `path` still names this file: another process may have removed or replaced it before our lock. */
static gboolean
aside_is_named (int fd, const char *path)
{
  struct stat of_fd, of_path;

  return fstat (fd, &of_fd) == 0 && lstat (path, &of_path) == 0 && of_fd.st_dev == of_path.st_dev &&
         of_fd.st_ino == of_path.st_ino;
}

static void
remove_unless_locked (const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);

  if (fd < 0)
    return;
  if (flock (fd, LOCK_EX | LOCK_NB) == 0 && aside_is_named (fd, path))
    unlink (path);
  close (fd);
}

static void
remove_leftovers (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *other;

  while (dir != NULL && (other = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *found = g_build_filename (folder, other, NULL);

      if (is_leftover (other, name))
        remove_unless_locked (found);
    }
}

/* --- The file ---------------------------------------------------------------------------------------------------- */

/* Gives the file to those who may read its folder, and nobody else may write to it, whatever the umask is, or readers
 * would not trust it. */
static void
aside_set_mode (const LcAside *aside)
{
  g_autofree char *folder = g_path_get_dirname (aside->path);
  struct stat status;

  if (stat (folder, &status) == 0)
    fchmod (aside->fd, S_IRUSR | S_IWUSR | (status.st_mode & (S_IRGRP | S_IROTH)));
}

/* Only the owner may write to the file. Another process may take
 * the file for a leftover and remove it before we have locked it; then we try again. */
static gboolean
aside_make (LcAside *aside, GError **error)
{
  for (int i = 0; i < TRIES; i++)
    {
      aside->aside = g_strconcat (aside->path, ".XXXXXX", NULL);
      aside->fd = g_mkstemp_full (aside->aside, O_RDWR | O_CLOEXEC, 0600);
      if (aside->fd < 0)
        {
          set_error (error, aside->path, errno);
          g_clear_pointer (&aside->aside, g_free);
          return FALSE;
        }
      aside_set_mode (aside);
      if (flock (aside->fd, LOCK_EX | LOCK_NB) == 0 && aside_is_named (aside->fd, aside->aside))
        return TRUE;
      close (aside->fd);
      g_clear_pointer (&aside->aside, g_free);
      aside->fd = -1;
    }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY, "%s: somebody removes what is made here", aside->path);
  return FALSE;
}

LcAside *
lc_aside_new (const char *path, GError **error)
{
  g_autoptr (LcAside) aside = g_new0 (LcAside, 1);

  aside->path = g_strdup (path);
  aside->fd = -1;
  remove_leftovers (path);
  return aside_make (aside, error) ? g_steal_pointer (&aside) : NULL;
}

void
lc_aside_free (LcAside *aside)
{
  if (aside->aside != NULL)
    unlink (aside->aside);
  if (aside->fd >= 0)
    close (aside->fd);
  g_free (aside->aside);
  g_free (aside->path);
  g_free (aside);
}

const char *
lc_aside_get_path (const LcAside *aside)
{
  return aside->aside;
}

int
lc_aside_get_descriptor (const LcAside *aside)
{
  return aside->fd;
}

/* --- Copying ----------------------------------------------------------------------------------------------------- */

/* Copies by hand on file systems without copy_file_range. */
static gssize
aside_copy_piece (int from, int to, goffset at, gsize size)
{
  g_autofree char *bytes = g_malloc (PIECE);
  ssize_t got = pread (from, bytes, MIN (size, PIECE), at);
  ssize_t put = 0;

  while (got > 0 && put < got)
    {
      ssize_t now = pwrite (to, bytes + put, (size_t)(got - put), at + put);

      if (now < 0)
        return -1;
      put += now;
    }
  return got;
}

static gboolean
aside_copy_bytes (int from, int to, goffset size)
{
  gboolean by_system = TRUE;

  for (goffset at = 0; at < size;)
    {
      off_t in = at, out = at;
      gssize copied = by_system ? copy_file_range (from, &in, to, &out, (size_t)(size - at), 0)
                                : aside_copy_piece (from, to, at, (gsize)(size - at));

      if (copied > 0)
        at += copied;
      else if (by_system)
        by_system = FALSE;
      else if (copied == 0 || errno != EINTR)
        {
          errno = copied == 0 ? EIO : errno;
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
lc_aside_copy (LcAside *aside, const LcHistoryFile *file, GError **error)
{
  const struct stat *of = &file->status;

  if (!aside_copy_bytes (file->fd, aside->fd, of->st_size))
    {
      set_error (error, aside->aside, errno);
      return FALSE;
    }
  if (of->st_uid != geteuid () && fchown (aside->fd, of->st_uid, of->st_gid) != 0)
    g_debug ("%s: %s", aside->aside, g_strerror (errno));
  fchmod (aside->fd, of->st_mode & 0644);
  return TRUE;
}

/* --- Publishing -------------------------------------------------------------------------------------------------- */

/* Other SQLite programs would apply a journal of the old file to the new one. The old file is removed first: its
 * journal means nothing without it, but the old file without its journal may be half changed. */
static void
remove_journals (const char *path)
{
  for (gsize i = 0; lc_journal_suffixes[i] != NULL; i++)
    {
      g_autofree char *journal = g_strconcat (path, lc_journal_suffixes[i], NULL);
      struct stat status;

      if (lstat (journal, &status) != 0 || S_ISDIR (status.st_mode))
        continue;
      unlink (path);
      unlink (journal);
    }
}

static void
sync_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = open (folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);

  if (fd < 0)
    return;
  fsync (fd);
  close (fd);
}

gboolean
lc_aside_publish (LcAside *aside, gint64 time, guint64 *size, GError **error)
{
  const struct timespec at = {time / NS_PER_SECOND, time % NS_PER_SECOND};
  const struct timespec times[] = {at, at};
  struct stat status;

  if (futimens (aside->fd, times) != 0 || fsync (aside->fd) != 0 || fstat (aside->fd, &status) != 0)
    {
      set_error (error, aside->aside, errno);
      return FALSE;
    }
  remove_journals (aside->path);
  if (rename (aside->aside, aside->path) != 0)
    {
      set_error (error, aside->path, errno);
      return FALSE;
    }
  g_clear_pointer (&aside->aside, g_free);
  sync_folder (aside->path);
  *size = (guint64)status.st_size;
  return TRUE;
}
