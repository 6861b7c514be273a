/* SPDX-License-Identifier: Apache-2.0 */
/* Records the calls that leave the program, and names what they have waited for. */
#include "io.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "real.h"
#include "slots.h"

enum
{
  NAME_ROOM = 512,
  LINK_ROOM = 64,
  MOST_OBJECTS = 4096, /* in an address space; what more there is has no name */
};

/* Names are made here, with the slots locked: stacks may be small. */
static char name[NAME_ROOM];
static uint32_t n_objects;
static uint32_t objects_instance; /* whose objects are counted: a child begins anew */

/* --- Names ------------------------------------------------------------------------------------------------- */

/* What an object of class io is, before it has a name. */
struct io_thing
{
  int file;       /* -1: none */
  uint32_t files; /* of a poll of several */
  struct stat status;
  char link[LINK_ROOM]; /* of a file that has no inode of its own */
};

static uint64_t
io_mix (uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C (0xFF51AFD7ED558CCD);
  return hash ^ hash >> 29;
}

/* Asks what a descriptor is, without opening anything. Returns the length, or 0. */
static size_t
io_read_link (int file, char *text, size_t room)
{
  char path[64];
  long length;

  snprintf (path, sizeof path, "/proc/thread-self/fd/%d", file);
  length = syscall (SYS_readlinkat, AT_FDCWD, path, text, room - 1);
  text[length > 0 ? length : 0] = '\0';
  return length > 0 ? (size_t)length : 0;
}

/* Returns what tells this thing from others; 0: nothing does. */
static uint64_t
io_find_key (struct io_thing *thing)
{
  uint64_t hash = UINT64_C (0xA4093822299F31D0);

  if (thing->file < 0)
    return io_mix (hash, thing->files) >> 8;
  if (syscall (SYS_fstat, thing->file, &thing->status) != 0)
    return 0;
  hash = io_mix (io_mix (hash, thing->status.st_dev), thing->status.st_ino);
  if ((thing->status.st_mode & S_IFMT) != 0)
    return hash >> 8;
  if (io_read_link (thing->file, thing->link, sizeof thing->link) == 0)
    return 0;
  for (const char *at = thing->link; *at != '\0'; at++)
    hash = io_mix (hash, (unsigned char)*at);
  return hash >> 8;
}

static void
io_name_address (const struct sockaddr_storage *address, socklen_t length, const struct io_thing *thing)
{
  char text[INET6_ADDRSTRLEN] = "";

  if (address->ss_family == AF_INET)
    {
      const struct sockaddr_in *in = (const void *)address;

      inet_ntop (AF_INET, &in->sin_addr, text, sizeof text);
      snprintf (name, sizeof name, "socket %s:%u", text, ntohs (in->sin_port));
    }
  else if (address->ss_family == AF_INET6)
    {
      const struct sockaddr_in6 *in = (const void *)address;

      inet_ntop (AF_INET6, &in->sin6_addr, text, sizeof text);
      snprintf (name, sizeof name, "socket [%s]:%u", text, ntohs (in->sin6_port));
    }
  else if (address->ss_family == AF_UNIX && length > offsetof (struct sockaddr_un, sun_path) + 1)
    {
      const struct sockaddr_un *un = (const void *)address;
      const char *path = un->sun_path[0] != '\0' ? un->sun_path : un->sun_path + 1;
      const size_t room = length - offsetof (struct sockaddr_un, sun_path) - (size_t)(path - un->sun_path);

      snprintf (name, sizeof name, "socket %s%.*s", path == un->sun_path ? "" : "@", (int)room, path);
    }
  else
    snprintf (name, sizeof name, "socket %lu", (unsigned long)thing->status.st_ino);
}

/* A socket is named by whom it is connected to, or else by its own address. */
static void
io_name_socket (const struct io_thing *thing)
{
  struct sockaddr_storage address;
  socklen_t length = sizeof address;

  memset (&address, 0, sizeof address);
  if (syscall (SYS_getpeername, thing->file, &address, &length) != 0 ||
      (address.ss_family == AF_UNIX && length <= offsetof (struct sockaddr_un, sun_path)))
    {
      length = sizeof address;
      if (syscall (SYS_getsockname, thing->file, &address, &length) != 0)
        address.ss_family = AF_UNSPEC;
    }
  io_name_address (&address, length, thing);
}

/* "anon_inode:[eventfd]" is named "eventfd". */
static void
io_name_link (const char *link)
{
  const char *begin = strchr (link, '[');

  if (begin != NULL && link[strlen (link) - 1] == ']')
    snprintf (name, sizeof name, "%.*s", (int)(strlen (begin) - 2), begin + 1);
  else
    snprintf (name, sizeof name, "%s", strncmp (link, "anon_inode:", 11) == 0 ? link + 11 : link);
}

static void
io_name (const struct io_thing *thing)
{
  const struct stat *status = &thing->status;

  if (thing->file < 0)
    snprintf (name, sizeof name, "%u files", thing->files);
  else if (S_ISFIFO (status->st_mode))
    snprintf (name, sizeof name, "pipe %lu", (unsigned long)status->st_ino);
  else if (S_ISSOCK (status->st_mode))
    io_name_socket (thing);
  else if ((status->st_mode & S_IFMT) == 0)
    io_name_link (thing->link);
  else if (io_read_link (thing->file, name, sizeof name) == 0)
    snprintf (name, sizeof name, "file (%x) %lu", (unsigned int)status->st_dev, (unsigned long)status->st_ino);
}

/* --- Objects ----------------------------------------------------------------------------------------------- */

static bool
io_may_describe (void)
{
  if (objects_instance != lc_instance)
    {
      objects_instance = lc_instance;
      n_objects = 0;
    }
  return n_objects < MOST_OBJECTS;
}

static uint32_t
io_describe (uint64_t key, const struct io_thing *thing)
{
  struct lc_slow slow;
  struct lc_slot *slot;
  uint32_t id = 0;

  lc_slow_begin (&slow);
  lc_lock (&lc_slots_lock);
  slot = lc_slot_take (lc_key ((const void *)(uintptr_t)key, LC_CLASS_IO));
  if (slot != NULL && slot->id == 0 && io_may_describe ())
    {
      const struct lc_object_record record = {.object_class = LC_CLASS_IO,
                                              .kind = LC_KIND_SYSTEM,
                                              .value = thing->file >= 0 ? thing->status.st_ino : thing->files};

      io_name (thing);
      n_objects++;
      __atomic_store_n (&slot->id, lc_object_new (&record, name), __ATOMIC_RELEASE);
    }
  id = slot != NULL ? slot->id : 0;
  lc_unlock (&lc_slots_lock);
  lc_slow_end (&slow);
  return id;
}

/* Returns the record of what a call has waited for; 0: no file, or it is not known. */
static uint32_t
io_find_object (const struct lc_io *io)
{
  struct io_thing thing = {.file = io->file, .files = io->files};
  struct lc_slot *slot;
  uint64_t key;
  uint32_t id;

  if (io->pipe != NULL)
    return io->pipe->id;
  if ((io->file < 0 && io->files == 0) || lc_is_sandboxed ())
    return 0;
  key = io_find_key (&thing);
  if (key == 0)
    return 0;
  slot = lc_slot_at (io->thread, (const void *)(uintptr_t)key, LC_CLASS_IO);
  id = slot != NULL ? lc_slot_id (slot) : 0;
  return id != 0 ? id : io_describe (key, &thing);
}

/* --- Events ------------------------------------------------------------------------------------------------ */

static uint64_t
io_word (const struct lc_io *io, int64_t result)
{
  const uint64_t value = result > 0 ? (uint64_t)result : 0;

  switch (io->operation)
    {
    case LC_READ:
    case LC_WRITE:
      return lc_message_word (0, value);
    case LC_PIPE_READ:
    case LC_PIPE_WRITE:
      return lc_message_word (io->sequence, value);
    case LC_POLL:
    case LC_CHILD_WAIT:
    case LC_SIGNAL_WAIT:
      return lc_word (0, value);
    default:
      return 0;
    }
}

/* A separate function, so that short calls use little of the stack. */
__attribute__ ((noinline)) void
lc_io_record (struct lc_io *io, int64_t result, int error)
{
  const int before = errno;
  const bool is_over = error == EAGAIN || error == ETIMEDOUT || (io->operation == LC_POLL && result == 0);
  const uint8_t flags = error == EINTR ? LC_EVENT_INTERRUPTED : is_over ? LC_EVENT_TIMED_OUT : 0;
  const uint32_t object = io_find_object (io);

  lc_append_at (io->thread, lc_stack (io->thread), io->operation, object, flags, io_word (io, result), io->begin,
                io->end);
  errno = before;
}

void
lc_io_cancelled (void *data)
{
  struct lc_io *io = data;

  lc_unblock (io->thread);
  io->end = lc_now_after ();
  if (io->pipe != NULL && io->operation == LC_READ)
    lc_pipe_read_end (io, -1);
  else if (io->pipe != NULL)
    lc_pipe_write_end (io, -1);
  lc_append_at (io->thread, lc_stack (io->thread), io->operation, io_find_object (io), LC_EVENT_CANCELLED,
                io_word (io, 0), io->begin, io->end);
}
