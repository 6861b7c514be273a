/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the trace directory, which are opened only before the program begins, or in another descriptor table. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

static char directory[PATH_MAX];
static size_t directory_length;
static bool is_shared; /* with a group */
static uid_t owner;    /* of the control block */
static gid_t owner_group;

bool
lc_file_directory (const char *path)
{
  size_t length = strlen (path);

  if (length == 0 || path[0] != '/' || length > sizeof directory - 64)
    return false;
  memcpy (directory, path, length + 1);
  directory_length = length;
  return true;
}

/* Memory for a path, on a stack that may be very small. */
#define PATH_ROOM(name) __builtin_alloca (directory_length + strlen (name) + 2)

static const char *
make_path (char *path, const char *name)
{
  memcpy (path, directory, directory_length);
  path[directory_length] = '/';
  strcpy (path + directory_length + 1, name);
  return path;
}

void
lc_file_belongs (uint32_t mode, uint32_t user, uint32_t group)
{
  is_shared = (mode & 0060) == 0060;
  owner = user;
  owner_group = group;
}

static bool
is_in_group (gid_t group)
{
  gid_t groups[256];
  long n = syscall (SYS_getgroups, sizeof groups / sizeof *groups, groups);

  for (long i = 0; i < n; i++)
    if (groups[i] == group)
      return true;
  return n < 0 || (gid_t)syscall (SYS_getegid) == group;
}

/*
 * Tells whether the user can write to the trace: its owner, root, or a member of its group. Trying to open it would not
 * tell, because a program that has given up root may keep root's capabilities until its next exec.
 */
static bool
can_come (void)
{
  uid_t user = (uid_t)syscall (SYS_geteuid);

  return user == owner || user == 0 || (is_shared && is_in_group (owner_group));
}

uint32_t
lc_strangers_count (void)
{
  int error = errno;

  if (lc_control == NULL || lc_control->purpose != LC_PURPOSE_TRACE || can_come ())
    return 0;
  __atomic_add_fetch (&lc_control->strangers, 1, __ATOMIC_RELAXED);
  errno = error;
  return 1;
}

/* Undoes lc_strangers_count for a program that was not started after all. */
void
lc_strangers_take_back (uint32_t counted)
{
  if (counted > 0)
    __atomic_sub_fetch (&lc_control->strangers, counted, __ATOMIC_RELAXED);
}

/* Opens a file by the system call, because the C library's open and close are cancellation points. */
int
lc_file_open (const char *name, int flags)
{
  return (int)syscall (SYS_openat, AT_FDCWD, make_path (PATH_ROOM (name), name),
                       flags | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
}

void
lc_file_close (int file)
{
  syscall (SYS_close, file);
}
