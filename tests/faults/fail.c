/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded: lets the n-th call of a kind fail, counts the calls, and keeps a log of what is written to files. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/*
 * LC_FAULT=KIND:N:ERRNO:once|on lets the N-th call of that kind fail, or that and all after it. LC_FAULT_COUNT=FILE
 * writes how many calls of each kind there were. LC_FAULT_LOG=FILE with LC_FAULT_ROOT=DIR logs what happens to the
 * files of DIR. Programs that are started from here are left alone.
 */

#define EXPORTED __attribute__ ((visibility ("default")))

enum
{
  ALLOCATORS = 64,
  FILE_BASE = 900, /* descriptors of ours, out of the way */
};

enum kind
{
  MALLOC,
  WRITE,
  FSYNC,
  RENAME,
  MMAP,
  OPEN,
  FTRUNCATE,
  READ,
  KINDS,
};

static const char *const kind_names[KINDS] = {"malloc", "write", "fsync",     "rename",
                                              "mmap",   "open",  "ftruncate", "read"};

static unsigned counts[KINDS];
static enum kind failing = KINDS;
static unsigned failing_at;
static int failing_errno;
static bool failing_on;
static bool ready;
static int count_file = -1, log_file = -1;
static char root[PATH_MAX];
static size_t root_length;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

/* Code whose allocations may fail: SQLite's and the command's own. GLib ends the program by its own rule when it is
   refused memory, by itself or by the C library for it; and what draws texts is not ours. */
static struct
{
  uintptr_t begin, end;
} allocators[ALLOCATORS];
static unsigned n_allocators;

/* --- Which calls fail ---------------------------------------------------------------------------------------- */

static bool
fails (enum kind kind)
{
  unsigned number;

  if (!ready)
    return false;
  number = __atomic_add_fetch (&counts[kind], 1, __ATOMIC_RELAXED);
  if (kind != failing || (number != failing_at && !(failing_on && number > failing_at)))
    return false;
  errno = failing_errno;
  return true;
}

/* Pipes and terminals are how a command tells what is wrong, and what wakes its threads. */
static bool
is_file (int fd)
{
  struct stat status;
  int problem = errno;
  bool is = fstat (fd, &status) == 0 && S_ISREG (status.st_mode);

  errno = problem;
  return is;
}

static bool
may_allocation_fail (const void *caller)
{
  uintptr_t address = (uintptr_t)caller;

  for (unsigned i = 0; i < n_allocators; i++)
    if (address >= allocators[i].begin && address < allocators[i].end)
      return true;
  return false;
}

static bool
allocation_fails (const void *caller)
{
  return ready && may_allocation_fail (caller) && fails (MALLOC);
}

/* --- The log ------------------------------------------------------------------------------------------------- */

struct entry
{
  uint32_t operation; /* a letter */
  uint32_t path_length, other_length;
  uint32_t known; /* create: the file was there already */
  uint64_t inode, offset, length;
};

static void
log_bytes (const void *bytes, size_t size)
{
  for (const char *at = bytes; size > 0;)
    {
      long n = syscall (SYS_write, log_file, at, size);

      if (n <= 0)
        _exit (99);
      at += n;
      size -= (size_t)n;
    }
}

static void
log_entry (char operation, uint64_t inode, const char *path, const char *other, bool known, uint64_t offset,
           uint64_t length, const void *bytes)
{
  struct entry entry = {.operation = (unsigned char)operation,
                        .path_length = (uint32_t)strlen (path),
                        .other_length = (uint32_t)strlen (other),
                        .known = known,
                        .inode = inode,
                        .offset = offset,
                        .length = length};
  int problem = errno;

  pthread_mutex_lock (&log_lock);
  log_bytes (&entry, sizeof entry);
  log_bytes (path, entry.path_length);
  log_bytes (other, entry.other_length);
  if (bytes != NULL)
    log_bytes (bytes, length);
  pthread_mutex_unlock (&log_lock);
  errno = problem;
}

static bool
is_logged (const char *path)
{
  return strncmp (path, root, root_length) == 0 && (path[root_length] == '/' || path[root_length] == '\0');
}

/* The file of a descriptor, if it is one that is logged. */
static bool
find_logged (int fd, char *path, struct stat *status)
{
  char link[40];
  ssize_t length;
  int problem = errno;

  if (log_file < 0)
    return false;
  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink (link, path, PATH_MAX - 1);
  path[length > 0 ? length : 0] = '\0';
  errno = problem;
  return length > 0 && is_logged (path) && fstat (fd, status) == 0;
}

static void
log_write (int fd, const void *bytes, ssize_t size, off_t offset)
{
  char path[PATH_MAX];
  struct stat status;

  if (size > 0 && find_logged (fd, path, &status) && S_ISREG (status.st_mode))
    log_entry ('w', status.st_ino, path, "", false,
               (uint64_t)(offset >= 0 ? offset : lseek (fd, 0, SEEK_CUR) - (off_t)size), (uint64_t)size, bytes);
}

static void
log_size (int fd, off_t length)
{
  char path[PATH_MAX];
  struct stat status;

  if (find_logged (fd, path, &status))
    log_entry ('t', status.st_ino, path, "", false, 0, (uint64_t)length, NULL);
}

static void
log_sync (int fd)
{
  char path[PATH_MAX];
  struct stat status;

  if (find_logged (fd, path, &status))
    log_entry (S_ISDIR (status.st_mode) ? 'd' : 's', status.st_ino, path, "", false, 0, 0, NULL);
}

/* Names are told absolutely: folders by their descriptors, and the rest as it is. */
static bool
find_name (int folder, const char *name, char *path)
{
  char place[PATH_MAX / 2] = "", link[40];
  ssize_t length = 0;
  int problem = errno;

  if (log_file < 0)
    return false;
  if (name[0] != '/' && folder == AT_FDCWD)
    length = getcwd (place, sizeof place) != NULL ? (ssize_t)strlen (place) : 0;
  else if (name[0] != '/')
    {
      snprintf (link, sizeof link, "/proc/self/fd/%d", folder);
      length = readlink (link, place, sizeof place - 1);
      place[length > 0 ? length : 0] = '\0';
    }
  snprintf (path, PATH_MAX, "%s%s%s", place, name[0] != '/' ? "/" : "", name);
  errno = problem;
  return is_logged (path);
}

static void
log_open (int fd, int folder, const char *name, int flags, bool known)
{
  char path[PATH_MAX];
  struct stat status;

  if (fd < 0 || (flags & (O_CREAT | O_TRUNC)) == 0 || !find_name (folder, name, path) || fstat (fd, &status) != 0)
    return;
  log_entry ('c', status.st_ino, path, "", known, 0, 0, NULL);
  if (known && (flags & O_TRUNC))
    log_entry ('t', status.st_ino, path, "", true, 0, 0, NULL);
}

/* --- Descriptors --------------------------------------------------------------------------------------------- */

/* Where a command that is compiled for `./dev coverage` counts what it has reached: that is not what is tested. */
static bool
is_coverage (const char *name)
{
  size_t length = strlen (name);

  return length > 5 && strcmp (name + length - 5, ".gcda") == 0;
}

static int
open_any (int folder, const char *name, int flags, mode_t mode)
{
  bool known;
  int fd;

  if (!is_coverage (name) && fails (OPEN))
    return -1;
  known = log_file >= 0 && faccessat (folder, name, F_OK, 0) == 0;
  fd = (int)syscall (SYS_openat, folder, name, flags, mode);
  log_open (fd, folder, name, flags, known);
  return fd;
}

/* What the C library opens for itself. */
EXPORTED FILE *
fopen (const char *name, const char *mode)
{
  FILE *(*next) (const char *, const char *) = (__typeof__ (next))dlsym (RTLD_NEXT, "fopen");

  return fails (OPEN) ? NULL : next (name, mode);
}

EXPORTED FILE *
fopen64 (const char *name, const char *mode)
{
  return fopen (name, mode);
}

EXPORTED DIR *
opendir (const char *name)
{
  DIR *(*next) (const char *) = (__typeof__ (next))dlsym (RTLD_NEXT, "opendir");

  return fails (OPEN) ? NULL : next (name);
}

EXPORTED DIR *
fdopendir (int fd)
{
  DIR *(*next) (int) = (__typeof__ (next))dlsym (RTLD_NEXT, "fdopendir");

  return fails (OPEN) ? NULL : next (fd);
}

#define MODE_OF(flags, last) \
  ({ \
    mode_t mode_ = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) \
      { \
        va_list list_; \
        va_start (list_, last); \
        mode_ = va_arg (list_, mode_t); \
        va_end (list_); \
      } \
    mode_; \
  })

EXPORTED int
open (const char *name, int flags, ...)
{
  return open_any (AT_FDCWD, name, flags, MODE_OF (flags, flags));
}

EXPORTED int
open64 (const char *name, int flags, ...)
{
  return open_any (AT_FDCWD, name, flags, MODE_OF (flags, flags));
}

EXPORTED int
openat (int folder, const char *name, int flags, ...)
{
  return open_any (folder, name, flags, MODE_OF (flags, flags));
}

EXPORTED int
openat64 (int folder, const char *name, int flags, ...)
{
  return open_any (folder, name, flags, MODE_OF (flags, flags));
}

EXPORTED ssize_t
write (int fd, const void *bytes, size_t size)
{
  ssize_t n;

  if (is_file (fd) && fails (WRITE))
    return -1;
  n = syscall (SYS_write, fd, bytes, size);
  log_write (fd, bytes, n, -1);
  return n;
}

static ssize_t
write_at (int fd, const void *bytes, size_t size, off_t offset)
{
  ssize_t n;

  if (is_file (fd) && fails (WRITE))
    return -1;
  n = syscall (SYS_pwrite64, fd, bytes, size, offset);
  log_write (fd, bytes, n, offset);
  return n;
}

EXPORTED ssize_t
pwrite (int fd, const void *bytes, size_t size, off_t offset)
{
  return write_at (fd, bytes, size, offset);
}

EXPORTED ssize_t
pwrite64 (int fd, const void *bytes, size_t size, off64_t offset)
{
  return write_at (fd, bytes, size, offset);
}

/* As one write after the other. */
static ssize_t
write_parts_at (int fd, const struct iovec *parts, int n, off_t offset)
{
  ssize_t done = 0;

  for (int i = 0; i < n; i++)
    {
      ssize_t one = parts[i].iov_len > 0 ? write_at (fd, parts[i].iov_base, parts[i].iov_len, offset + done) : 0;

      if (one < 0)
        return done > 0 ? done : -1;
      done += one;
      if ((size_t)one < parts[i].iov_len)
        break;
    }
  return done;
}

EXPORTED ssize_t
pwritev (int fd, const struct iovec *parts, int n, off_t offset)
{
  return write_parts_at (fd, parts, n, offset);
}

EXPORTED ssize_t
pwritev64 (int fd, const struct iovec *parts, int n, off64_t offset)
{
  return write_parts_at (fd, parts, n, offset);
}

/* Only the messages of pipes are written in pieces here. */
EXPORTED ssize_t
read (int fd, void *bytes, size_t size)
{
  return is_file (fd) && fails (READ) ? -1 : syscall (SYS_read, fd, bytes, size);
}

EXPORTED ssize_t
pread (int fd, void *bytes, size_t size, off_t offset)
{
  return is_file (fd) && fails (READ) ? -1 : syscall (SYS_pread64, fd, bytes, size, offset);
}

EXPORTED ssize_t
pread64 (int fd, void *bytes, size_t size, off64_t offset)
{
  return is_file (fd) && fails (READ) ? -1 : syscall (SYS_pread64, fd, bytes, size, offset);
}

static int
sync_any (long number, int fd)
{
  int result;

  if (fails (FSYNC))
    return -1;
  result = (int)syscall (number, fd);
  if (result == 0)
    log_sync (fd);
  return result;
}

EXPORTED int
fsync (int fd)
{
  return sync_any (SYS_fsync, fd);
}

EXPORTED int
fdatasync (int fd)
{
  return sync_any (SYS_fdatasync, fd);
}

/* Makes safe all that is on the file system. */
EXPORTED int
syncfs (int fd)
{
  int result;

  if (fails (FSYNC))
    return -1;
  result = (int)syscall (SYS_syncfs, fd);
  if (result == 0 && log_file >= 0)
    log_entry ('a', 0, root, "", false, 0, 0, NULL);
  return result;
}

static int
truncate_any (int fd, off_t length)
{
  int result;

  if (fails (FTRUNCATE))
    return -1;
  result = (int)syscall (SYS_ftruncate, fd, length);
  if (result == 0)
    log_size (fd, length);
  return result;
}

EXPORTED int
ftruncate (int fd, off_t length)
{
  return truncate_any (fd, length);
}

EXPORTED int
ftruncate64 (int fd, off64_t length)
{
  return truncate_any (fd, length);
}

EXPORTED int
posix_fallocate (int fd, off_t offset, off_t length)
{
  if (fails (FTRUNCATE))
    return failing_errno;
  return syscall (SYS_fallocate, fd, 0, offset, length) == 0 ? 0 : errno;
}

EXPORTED int
posix_fallocate64 (int fd, off64_t offset, off64_t length)
{
  return posix_fallocate (fd, offset, length);
}

/* --- Names --------------------------------------------------------------------------------------------------- */

static int
rename_any (int folder, const char *name, int other_folder, const char *other, unsigned flags)
{
  char from[PATH_MAX], to[PATH_MAX];
  int result;

  if (fails (RENAME))
    return -1;
  result = (int)syscall (SYS_renameat2, folder, name, other_folder, other, flags);
  if (result == 0 && find_name (folder, name, from) && find_name (other_folder, other, to))
    log_entry ('r', 0, from, to, false, 0, 0, NULL);
  return result;
}

EXPORTED int
rename (const char *name, const char *other)
{
  return rename_any (AT_FDCWD, name, AT_FDCWD, other, 0);
}

EXPORTED int
renameat (int folder, const char *name, int other_folder, const char *other)
{
  return rename_any (folder, name, other_folder, other, 0);
}

EXPORTED int
renameat2 (int folder, const char *name, int other_folder, const char *other, unsigned flags)
{
  return rename_any (folder, name, other_folder, other, flags);
}

EXPORTED int
unlinkat (int folder, const char *name, int flags)
{
  char path[PATH_MAX];
  int result = (int)syscall (SYS_unlinkat, folder, name, flags);

  if (result == 0 && flags == 0 && find_name (folder, name, path))
    log_entry ('u', 0, path, "", false, 0, 0, NULL);
  return result;
}

EXPORTED int
unlink (const char *name)
{
  return unlinkat (AT_FDCWD, name, 0);
}

/* --- Memory -------------------------------------------------------------------------------------------------- */

EXPORTED void *
mmap (void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
  if (fd >= 0 && fails (MMAP))
    return MAP_FAILED;
  return (void *)syscall (SYS_mmap, address, length, protection, flags, fd, offset);
}

EXPORTED void *
mmap64 (void *address, size_t length, int protection, int flags, int fd, off64_t offset)
{
  return mmap (address, length, protection, flags, fd, offset);
}

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *old, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);

EXPORTED void *
malloc (size_t size)
{
  return allocation_fails (__builtin_return_address (0)) ? NULL : __libc_malloc (size);
}

EXPORTED void *
calloc (size_t n, size_t size)
{
  return allocation_fails (__builtin_return_address (0)) ? NULL : __libc_calloc (n, size);
}

EXPORTED void *
realloc (void *old, size_t size)
{
  return allocation_fails (__builtin_return_address (0)) ? NULL : __libc_realloc (old, size);
}

EXPORTED int
posix_memalign (void **result, size_t alignment, size_t size)
{
  if (allocation_fails (__builtin_return_address (0)))
    return ENOMEM;
  *result = __libc_memalign (alignment, size);
  return *result != NULL ? 0 : ENOMEM;
}

/* --- Begin and end ------------------------------------------------------------------------------------------- */

static int
add_allocators (struct dl_phdr_info *info, size_t size, void *data)
{
  const char *name = info->dlpi_name;
  bool ours = name[0] == '\0' || strstr (name, "libsqlite3") != NULL;

  for (int i = 0; ours && i < info->dlpi_phnum && n_allocators < ALLOCATORS; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X))
      {
        allocators[n_allocators].begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        allocators[n_allocators].end = allocators[n_allocators].begin + info->dlpi_phdr[i].p_memsz;
        n_allocators++;
      }
  return 0;
}

static int
open_own (const char *variable)
{
  const char *path = getenv (variable);
  int fd =
      path != NULL ? (int)syscall (SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  int high = fd >= 0 ? fcntl (fd, F_DUPFD_CLOEXEC, FILE_BASE) : -1;

  if (fd >= 0)
    syscall (SYS_close, fd);
  return high;
}

static void
read_fault (const char *text)
{
  char name[16], how[8];

  if (text == NULL || sscanf (text, "%15[a-z]:%u:%d:%7s", name, &failing_at, &failing_errno, how) != 4)
    return;
  for (failing = 0; failing < KINDS && strcmp (kind_names[failing], name) != 0; failing++)
    continue;
  failing_on = strcmp (how, "on") == 0;
}

static void
prepare_child (void)
{
  /* What is done between fork and exec is the command's, but its log and its count are not. */
  count_file = log_file = -1;
}

static void __attribute__ ((constructor)) begin (void)
{
  const char *folder = getenv ("LC_FAULT_ROOT");

  snprintf (root, sizeof root, "%s", folder != NULL ? folder : "");
  root_length = strlen (root);
  count_file = open_own ("LC_FAULT_COUNT");
  log_file = root_length > 0 ? open_own ("LC_FAULT_LOG") : -1;
  read_fault (getenv ("LC_FAULT"));
  dl_iterate_phdr (add_allocators, NULL);
  pthread_atfork (NULL, NULL, prepare_child);
  unsetenv ("LD_PRELOAD");
  unsetenv ("LC_FAULT");
  unsetenv ("LC_FAULT_COUNT");
  unsetenv ("LC_FAULT_LOG");
  unsetenv ("LC_FAULT_ROOT");
  ready = true;
}

static void __attribute__ ((destructor)) end (void)
{
  ready = false;
  for (enum kind kind = 0; count_file >= 0 && kind < KINDS; kind++)
    dprintf (count_file, "%s %u\n", kind_names[kind], counts[kind]);
}
