/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the file of a history, tells who owns it, and locks it against others who would replace it. */
#include "history-file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "lightcone/history.h"

enum
{
  BETWEEN_TRIES = 20000, /* microseconds */
};

const char *const lc_journal_suffixes[] = {"-journal", "-wal", "-shm", NULL};

static void
history_file_set_error (GError **error, const char *path, int code)
{
  if (code == ENOENT)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_NONE, "%s: there is no history", path);
  else
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
}

LcHistoryFile *
lc_history_file_open (const char *path, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  LcHistoryFile *file;
  struct stat status;

  if (fd < 0 || fstat (fd, &status) != 0)
    {
      history_file_set_error (error, path, errno);
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  if (!S_ISREG (status.st_mode))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "%s: not a regular file", path);
      close (fd);
      return NULL;
    }
  file = g_atomic_rc_box_new (LcHistoryFile);
  *file = (LcHistoryFile){g_strdup (path), fd, status};
  return file;
}

LcHistoryFile *
lc_history_file_ref (LcHistoryFile *file)
{
  return g_atomic_rc_box_acquire (file);
}

static void
history_file_clear (gpointer data)
{
  LcHistoryFile *file = data;

  close (file->fd);
  g_free (file->path);
}

void
lc_history_file_unref (LcHistoryFile *file)
{
  if (file != NULL)
    g_atomic_rc_box_release_full (file, history_file_clear);
}

gint64
lc_history_file_get_time (const LcHistoryFile *file)
{
  return (gint64)file->status.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + file->status.st_mtim.tv_nsec;
}

gboolean
lc_history_file_is_current (const LcHistoryFile *file)
{
  struct stat now;

  return lstat (file->path, &now) == 0 && now.st_dev == file->status.st_dev && now.st_ino == file->status.st_ino;
}

gboolean
lc_history_file_is_trusted (const LcHistoryFile *file)
{
  g_autofree char *folder = g_path_get_dirname (file->path);
  struct stat of_folder;

  if ((file->status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return FALSE;
  return file->status.st_uid == geteuid () ||
         (stat (folder, &of_folder) == 0 && of_folder.st_uid == file->status.st_uid);
}

gboolean
lc_history_file_has_journal (const LcHistoryFile *file)
{
  for (gsize i = 0; lc_journal_suffixes[i] != NULL; i++)
    {
      g_autofree char *journal = g_strconcat (file->path, lc_journal_suffixes[i], NULL);
      struct stat status;

      if (lstat (journal, &status) == 0 && !S_ISDIR (status.st_mode))
        return TRUE;
    }
  return FALSE;
}

/* On file systems without locks nobody is kept out, and the last writer wins. */
static gboolean
history_file_try_lock (const LcHistoryFile *file)
{
  return flock (file->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/* Another process may replace the file between opening and locking, hence the loop. */
LcHistoryFile *
lc_history_file_lock (const char *path, gint64 patience, GError **error)
{
  gint64 until = g_get_monotonic_time () + patience;

  for (;;)
    {
      g_autoptr (LcHistoryFile) file = lc_history_file_open (path, error);

      if (file == NULL)
        return NULL;
      if (history_file_try_lock (file) && lc_history_file_is_current (file))
        return g_steal_pointer (&file);
      if (g_get_monotonic_time () >= until)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY,
                       "%s: another program is making this history again, or adding to it: try again later", path);
          return NULL;
        }
      g_usleep (BETWEEN_TRIES);
    }
}
