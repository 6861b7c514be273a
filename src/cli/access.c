/* SPDX-License-Identifier: Apache-2.0 */
/* Who may write to a trace directory while its program runs. */
#include "access.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The recorder makes its files as open as it finds this one. */
#define CONTROL ".control"

typedef struct
{
  mode_t folders, control; /* bits to add */
  mode_t remove;           /* and to take away from everything */
  int take;                /* what others have added becomes our own */
} Change;

/* -1: it is not there, is not our own, or somebody has put something in its place. */
static int
open_own (int folder, const char *name, int take, mode_t *mode)
{
  int file = openat (folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat status;

  if (file < 0)
    return -1;
  if (fstat (file, &status) == 0 && (status.st_uid == geteuid () || take) &&
      (S_ISDIR (status.st_mode) || (S_ISREG (status.st_mode) && status.st_nlink == 1)))
    {
      *mode = status.st_mode & (S_IFMT | 07777);
      return file;
    }
  close (file);
  return -1;
}

static void change_folder (int folder, mode_t mode, const Change *change);

static void
change_entry (int folder, const char *name, const Change *change)
{
  mode_t mode;
  int file = open_own (folder, name, change->take, &mode);

  if (file < 0)
    return;
  if (change->take && fchown (file, geteuid (), getegid ()) != 0)
    {
      close (file);
      return;
    }
  if (S_ISDIR (mode))
    change_folder (file, mode, change);
  else
    fchmod (file, ((mode | (strcmp (name, CONTROL) == 0 ? change->control : 0)) & 0666) & ~change->remove);
  close (file);
}

static void
change_folder (int folder, mode_t mode, const Change *change)
{
  int copy = fcntl (folder, F_DUPFD_CLOEXEC, 0);
  DIR *list = copy >= 0 ? fdopendir (copy) : NULL;
  const struct dirent *entry;

  fchmod (folder, ((mode | change->folders) & 07777) & ~change->remove);
  while (list != NULL && (entry = readdir (list)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      change_entry (folder, entry->d_name, change);
  if (list != NULL)
    closedir (list);
}

static void
change_all (const char *directory, const Change *change)
{
  if (geteuid () == 0)
    change_entry (AT_FDCWD, directory, change);
}

void
lc_access_open (const char *directory)
{
  const Change change = {.folders = S_ISVTX | 0733, .control = 0666};

  change_all (directory, &change);
}

/* To what everything would have been without us. */
void
lc_access_close (const char *directory)
{
  mode_t mask = umask (077);
  const Change change = {.remove = S_ISVTX | mask, .take = 1};

  umask (mask);
  change_all (directory, &change);
}
