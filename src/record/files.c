/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the trace directory, opened for a moment and by number: a traced program's descriptors are its own. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

static char directory[PATH_MAX];
static size_t directory_length;

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
  return syscall (SYS_mkdirat, AT_FDCWD, make_path (PATH_ROOM (name), name, LC_NO_PROCESS), 0777) == 0 ||
         errno == EEXIST;
}

/* System calls by number throughout: the C library's open, close and fallocate are points of cancellation. */
int
lc_file_open (const char *name, uint32_t number, int flags)
{
  const char *path = make_path (PATH_ROOM (name), name, number);

  return (int)syscall (SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC | O_NOCTTY, 0666);
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
      long written = syscall (SYS_pwrite64, file, zeros, bytes < sizeof zeros ? bytes : sizeof zeros, (off_t)offset);

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
  if (syscall (SYS_fallocate, file, 0, (off_t)offset, (off_t)bytes) != 0)
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
