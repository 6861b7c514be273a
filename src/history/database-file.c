/* SPDX-License-Identifier: Apache-2.0 */
/* A file system for SQLite in which a database is one descriptor: nothing lies beside it, and nothing is locked. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "database-private.h"

#define NAME "lightcone"

enum
{
  LONGEST_NAME = 64,
  SECTOR = 4096,
};

typedef struct
{
  sqlite3_file base;
  int fd;
  gboolean writable;
} File;

/* Temporary files, which have no name, are left to the usual file system. */
static sqlite3_vfs *usual;

/* --- A file ------------------------------------------------------------------------------------------------------ */

static int
file_close (sqlite3_file *base)
{
  close (((File *)base)->fd);
  return SQLITE_OK;
}

static int
file_read (sqlite3_file *base, void *to, int size, sqlite3_int64 from)
{
  File *file = (File *)base;
  char *at = to;

  while (size > 0)
    {
      ssize_t got = pread (file->fd, at, (size_t)size, from);

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return SQLITE_IOERR_READ;
      if (got == 0)
        {
          memset (at, 0, (size_t)size);
          return SQLITE_IOERR_SHORT_READ;
        }
      at += got;
      from += got;
      size -= (int)got;
    }
  return SQLITE_OK;
}

static int
file_write (sqlite3_file *base, const void *from, int size, sqlite3_int64 to)
{
  File *file = (File *)base;
  const char *at = from;

  if (!file->writable)
    return SQLITE_READONLY;
  while (size > 0)
    {
      ssize_t put = pwrite (file->fd, at, (size_t)size, to);

      if (put < 0 && errno == EINTR)
        continue;
      if (put < 0)
        return errno == ENOSPC || errno == EDQUOT ? SQLITE_FULL : SQLITE_IOERR_WRITE;
      at += put;
      to += put;
      size -= (int)put;
    }
  return SQLITE_OK;
}

static int
file_truncate (sqlite3_file *base, sqlite3_int64 size)
{
  File *file = (File *)base;

  if (!file->writable)
    return SQLITE_READONLY;
  return ftruncate (file->fd, size) == 0 ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

static int
file_get_size (sqlite3_file *base, sqlite3_int64 *size)
{
  struct stat status;

  if (fstat (((File *)base)->fd, &status) != 0)
    return SQLITE_IOERR_FSTAT;
  *size = status.st_size;
  return SQLITE_OK;
}

/* No sync is needed here: the maker of a file syncs it when it is complete. */
static int
file_sync (sqlite3_file *base, int flags)
{
  return SQLITE_OK;
}

static int
file_lock (sqlite3_file *base, int lock)
{
  return SQLITE_OK;
}

static int
file_is_reserved (sqlite3_file *base, int *reserved)
{
  *reserved = 0;
  return SQLITE_OK;
}

static int
file_control (sqlite3_file *base, int operation, void *argument)
{
  return SQLITE_NOTFOUND;
}

static int
file_get_sector_size (sqlite3_file *base)
{
  return SECTOR;
}

/* For an immutable file SQLite takes no locks, and looks neither for changes nor for journals. */
static int
file_get_characteristics (sqlite3_file *base)
{
  return ((File *)base)->writable ? 0 : SQLITE_IOCAP_IMMUTABLE;
}

static const sqlite3_io_methods file_methods = {
    .iVersion = 1, /* version 1 cannot map files into memory */
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_get_size,
    .xLock = file_lock,
    .xUnlock = file_lock,
    .xCheckReservedLock = file_is_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_get_sector_size,
    .xDeviceCharacteristics = file_get_characteristics,
};

/* --- The file system ---------------------------------------------------------------------------------------------- */

static int
system_open_descriptor (const char *name, File *file, int flags)
{
  char *end = NULL;
  gint64 number = name != NULL ? g_ascii_strtoll (name, &end, 10) : -1;

  if (number < 0 || number > G_MAXINT || end == name || *end != '\0')
    return SQLITE_CANTOPEN;
  file->fd = fcntl ((int)number, F_DUPFD_CLOEXEC, 0);
  if (file->fd < 0)
    return SQLITE_CANTOPEN;
  file->writable = (flags & SQLITE_OPEN_READWRITE) != 0;
  file->base.pMethods = &file_methods;
  return SQLITE_OK;
}

static int
system_open (sqlite3_vfs *system, const char *name, sqlite3_file *file, int flags, int *flags_out)
{
  file->pMethods = NULL;
  if (flags_out != NULL)
    *flags_out = flags;
  if ((flags & SQLITE_OPEN_MAIN_DB) != 0)
    return system_open_descriptor (name, (File *)file, flags);
  if (name == NULL)
    return usual->xOpen (usual, name, file, flags, flags_out);
  return SQLITE_CANTOPEN;
}

static int
system_delete (sqlite3_vfs *system, const char *name, int sync)
{
  return SQLITE_IOERR_DELETE_NOENT;
}

static int
system_access (sqlite3_vfs *system, const char *name, int flags, int *is_there)
{
  *is_there = 0;
  return SQLITE_OK;
}

static int
system_complete_name (sqlite3_vfs *system, const char *name, int room, char *complete)
{
  return g_strlcpy (complete, name, (gsize)room) < (gsize)room ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int
system_randomize (sqlite3_vfs *system, int size, char *bytes)
{
  return usual->xRandomness (usual, size, bytes);
}

static int
system_sleep (sqlite3_vfs *system, int microseconds)
{
  return usual->xSleep (usual, microseconds);
}

static int
system_get_time (sqlite3_vfs *system, double *now)
{
  return usual->xCurrentTime (usual, now);
}

static int
system_get_error (sqlite3_vfs *system, int size, char *text)
{
  return errno;
}

/* SQLite begins with memory of its own, and cannot if that is refused. */
static int
system_register (void)
{
  static sqlite3_vfs system = {
      .iVersion = 1,
      .mxPathname = LONGEST_NAME,
      .zName = NAME,
      .xOpen = system_open,
      .xDelete = system_delete,
      .xAccess = system_access,
      .xFullPathname = system_complete_name,
      .xRandomness = system_randomize,
      .xSleep = system_sleep,
      .xCurrentTime = system_get_time,
      .xGetLastError = system_get_error,
  };

  int result = sqlite3_initialize ();

  if (result != SQLITE_OK)
    return result;
  usual = sqlite3_vfs_find (NULL);
  if (usual == NULL)
    return SQLITE_ERROR;
  system.szOsFile = MAX ((int)sizeof (File), usual->szOsFile);
  return sqlite3_vfs_register (&system, 0);
}

int
lc_database_file_system (const char **name)
{
  static GMutex lock;
  static gboolean is_there;
  int result = SQLITE_OK;

  g_mutex_lock (&lock);
  if (!is_there)
    result = system_register ();
  is_there = result == SQLITE_OK;
  g_mutex_unlock (&lock);
  *name = NAME;
  return result;
}
