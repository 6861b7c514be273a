/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of a descriptor when it is recorded: a file, a stream within the program, or something outside. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inputs.h"

enum
{
  OWN_ROOM = 1 << 14, /* pipes and sockets that the program makes; those after them are taken for ones of others */
  LINK_ROOM = 64,
  MEMORY_MAJOR = 1, /* of devices */
  NULL_MINOR = 3,
  ZERO_MINOR = 5,
  FULL_MINOR = 7,
};

/* Inodes of pipes and sockets whose ends the program has both made, by hash; 0: free. */
static uint64_t own_inodes[OWN_ROOM];

static size_t
inputs_own_place (uint64_t inode)
{
  return (size_t)(inode * UINT64_C (0x9E3779B97F4A7C15) >> 50);
}

static uint64_t
inputs_own_key (const struct stat *status)
{
  return (uint64_t)status->st_ino << 2 | (S_ISSOCK (status->st_mode) ? 1 : 2);
}

void
lc_inputs_add_own (int file)
{
  struct stat status;
  uint64_t key;

  if (fstat (file, &status) != 0)
    return;
  key = inputs_own_key (&status);
  for (size_t i = 0, at = inputs_own_place (key); i < OWN_ROOM; i++, at = (at + 1) % OWN_ROOM)
    {
      uint64_t free_place = 0;

      if (__atomic_compare_exchange_n (&own_inodes[at], &free_place, key, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED) ||
          free_place == key)
        return;
    }
}

static bool
inputs_is_own_inode (const struct stat *status)
{
  const uint64_t key = inputs_own_key (status);

  for (size_t i = 0, at = inputs_own_place (key); i < OWN_ROOM; i++, at = (at + 1) % OWN_ROOM)
    {
      uint64_t found = __atomic_load_n (&own_inodes[at], __ATOMIC_ACQUIRE);

      if (found == 0 || found == key)
        return found == key;
    }
  return false;
}

/* What has no file anywhere is known by its link only: "anon_inode:[eventfd]". */
static enum lc_inputs_kind
inputs_kind_of_link (int file)
{
  char path[sizeof "/proc/thread-self/fd/" + 10] = "/proc/thread-self/fd/", digits[10], link[LINK_ROOM];
  size_t length = strlen (path), n = 0;
  long linked;

  for (unsigned int rest = (unsigned int)file; n == 0 || rest > 0; rest /= 10)
    digits[n++] = (char)('0' + rest % 10);
  while (n > 0)
    path[length++] = digits[--n];
  path[length] = '\0';
  linked = syscall (SYS_readlinkat, AT_FDCWD, path, link, sizeof link - 1);
  link[linked > 0 ? linked : 0] = '\0';
  if (strcmp (link, "anon_inode:[eventfd]") == 0)
    return LC_INPUTS_EVENT;
  return strcmp (link, "anon_inode:[eventpoll]") == 0 ? LC_INPUTS_PLAIN : LC_INPUTS_OUTSIDE;
}

static bool
inputs_is_constant (dev_t device)
{
  return major (device) == MEMORY_MAJOR &&
         (minor (device) == NULL_MINOR || minor (device) == ZERO_MINOR || minor (device) == FULL_MINOR);
}

static enum lc_inputs_kind
inputs_kind_of_status (int file, const struct stat *status)
{
  switch (status->st_mode & S_IFMT)
    {
    case S_IFIFO:
      return inputs_is_own_inode (status) ? LC_INPUTS_OWN : LC_INPUTS_OUTSIDE;
    case S_IFSOCK:
      return inputs_is_own_inode (status) ? LC_INPUTS_OWN : LC_INPUTS_SOCKET;
    case S_IFCHR:
      return inputs_is_constant (status->st_rdev) ? LC_INPUTS_PLAIN : LC_INPUTS_OUTSIDE;
    case 0:
      return inputs_kind_of_link (file);
    default:
      return LC_INPUTS_PLAIN;
    }
}

enum lc_inputs_kind
lc_inputs_kind_of (int file)
{
  const int before = errno;
  enum lc_inputs_kind kind = LC_INPUTS_PLAIN;
  struct stat status;

  if (file >= 0 && fstat (file, &status) == 0)
    kind = inputs_kind_of_status (file, &status);
  errno = before;
  return kind;
}

/* --- What the program makes ------------------------------------------------------------------------------------ */

static int
inputs_made (int result, const int files[2])
{
  for (int i = 0; result == 0 && i < 2; i++)
    lc_inputs_add_own (files[i]);
  return result;
}

LC_INPUTS_EXPORT int
pipe (int files[2])
{
  return inputs_made (LC_INPUTS_REAL (pipe) (files), files);
}

LC_INPUTS_EXPORT int
pipe2 (int files[2], int flags)
{
  return inputs_made (LC_INPUTS_REAL (pipe2) (files, flags), files);
}

LC_INPUTS_EXPORT int
socketpair (int domain, int type, int protocol, int files[2])
{
  return inputs_made (LC_INPUTS_REAL (socketpair) (domain, type, protocol, files), files);
}
