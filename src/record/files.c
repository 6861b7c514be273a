/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the trace directory, opened for a moment and by number: a traced program's descriptors are its own. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

static char directory[PATH_MAX];
static size_t directory_length;
static mode_t new_files = 0600; /* their mode, whatever the program's mask is */
static uid_t owner;             /* of the control block */
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

static char *
add_number (char *end, uint32_t number)
{
  char digits[10];
  size_t count = 0;

  do
    digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) != 0);
  while (count > 0)
    *end++ = digits[--count];
  return end;
}

/* Room for a path, on stacks that may be the smallest there are. */
#define PATH_ROOM(name) __builtin_alloca (directory_length + strlen (name) + 16)

static const char *
make_path (char *path, const char *name, uint32_t number)
{
  size_t length = strlen (name);
  char *end = path;

  memcpy (end, directory, directory_length);
  end += directory_length;
  *end++ = '/';
  memcpy (end, name, length);
  end += length;
  if (number != LC_NO_PROCESS)
    end = add_number (end, number);
  *end = '\0';
  return path;
}

bool
lc_file_folder (const char *name)
{
  const char *path = make_path (PATH_ROOM (name), name, LC_NO_PROCESS);

  if (syscall (SYS_mkdirat, AT_FDCWD, path, 0700) != 0)
    return errno == EEXIST;
  if (new_files & 0060)
    syscall (SYS_fchmodat, AT_FDCWD, path, S_ISGID | 0770); /* the group is that of the folder around it */
  return true;
}

void
lc_file_mode (uint32_t mode, uint32_t user, uint32_t group)
{
  new_files = 0600 | (mode & 0060);
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
 * The trace is its maker's alone, unless it is shared with a group. Asked of who the user is, and not by opening it: a
 * program that has given root up may have root's capabilities until it starts the next one.
 */
static bool
can_come (void)
{
  uid_t user = (uid_t)syscall (SYS_geteuid);

  return user == owner || user == 0 || ((new_files & 0060) == 0060 && is_in_group (owner_group));
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

/* It was not started after all. */
void
lc_strangers_take_back (uint32_t counted)
{
  if (counted > 0)
    __atomic_sub_fetch (&lc_control->strangers, counted, __ATOMIC_RELAXED);
}

/* System calls by number throughout: the C library's open, close and fallocate are points of cancellation. */
int
lc_file_open (const char *name, uint32_t number, int flags)
{
  const char *path = make_path (PATH_ROOM (name), name, number);
  int others = (flags & ~O_CREAT) | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK, file = -1;

  /* Made anew, or else opened as it is: what somebody has put there is neither followed nor changed. */
  if (flags & O_CREAT)
    file = (int)syscall (SYS_openat, AT_FDCWD, path, others | O_CREAT | O_EXCL, 0600);
  if (file >= 0)
    syscall (SYS_fchmod, file, new_files);
  else if (!(flags & O_CREAT) || errno == EEXIST)
    file = (int)syscall (SYS_openat, AT_FDCWD, path, others, 0);
  return file;
}

bool
lc_file_is_full (int error)
{
  return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EFAULT;
}

void
lc_file_close (int file)
{
  syscall (SYS_close, file);
}

/*
 * One that would make a file longer than the program's limit fails, and sends a signal that ends the program. All
 * signals are blocked here, so it is there to be taken back; unless it was there before, when it is the program's own.
 */
long
lc_file_grow (long number, int file, uint64_t second, uint64_t third, uint64_t fourth)
{
  static const struct timespec at_once;
  sigset_t before, limit;
  long result;

  sigemptyset (&before);
  syscall (SYS_rt_sigpending, &before, 8);
  result = syscall (number, file, second, third, fourth);
  if (result >= 0 || errno != EFBIG || sigismember (&before, SIGXFSZ))
    return result;
  sigemptyset (&limit);
  sigaddset (&limit, SIGXFSZ);
  syscall (SYS_rt_sigtimedwait, &limit, NULL, &at_once, 8);
  errno = EFBIG;
  return result;
}

bool
lc_file_resize (int file, uint64_t size)
{
  return syscall (SYS_ftruncate, file, (off_t)size) == 0;
}

/* Takes the room by writing zeros, on file systems that cannot do it otherwise. */
static bool
fill (int file, uint64_t offset, size_t bytes)
{
  static const char zeros[4096];

  while (bytes > 0)
    {
      long written = lc_file_grow (SYS_pwrite64, file, (uint64_t)(uintptr_t)zeros,
                                   bytes < sizeof zeros ? bytes : sizeof zeros, offset);

      if (written <= 0)
        return false;
      offset += (uint64_t)written;
      bytes -= (size_t)written;
    }
  return true;
}

void *
lc_file_map (int file, uint64_t offset, size_t bytes)
{
  void *window;

  /* A page of a file for which the disk has no room would kill the program when it is written to. */
  if (lc_file_grow (SYS_fallocate, file, 0, offset, bytes) != 0)
    {
      if (errno != EOPNOTSUPP && errno != ENOSYS)
        return NULL;
      if (!fill (file, offset, bytes))
        return NULL;
    }
  window = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)offset);
  if (window == MAP_FAILED)
    return NULL;
  return window;
}
