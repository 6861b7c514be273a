/* SPDX-License-Identifier: Apache-2.0 */
/* Records the calls that leave the program, and names what they have waited for. */
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
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

/* A text that is put together; what does not fit is left out. */
struct io_text
{
  char *to, *end; /* where the terminator has room, too */
};

static void
io_add (struct io_text *text, const char *more, size_t length)
{
  const size_t room = (size_t)(text->end - text->to);

  length = length < room ? length : room;
  memcpy (text->to, more, length);
  text->to += length;
  *text->to = '\0';
}

static void
io_add_number (struct io_text *text, uint64_t number, unsigned int base)
{
  char digits[20];
  size_t n = sizeof digits;

  do
    digits[--n] = "0123456789abcdef"[number % base];
  while ((number /= base) != 0);
  io_add (text, digits + n, sizeof digits - n);
}

/* Asks what a descriptor is, without opening anything. Returns the length, or 0. */
static size_t
io_read_link (int file, char *text, size_t room)
{
  static const char folder[] = "/proc/thread-self/fd/";
  char path[sizeof folder + 10];
  struct io_text to = {path, path + sizeof path - 1};
  long length;

  io_add (&to, folder, sizeof folder - 1);
  io_add_number (&to, (unsigned int)file, 10);
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

/* "127.0.0.1:80" */
static void
io_add_ip4 (struct io_text *text, const struct sockaddr_in *address)
{
  const uint32_t host = ntohl (address->sin_addr.s_addr);

  for (int shift = 24; shift >= 0; shift -= 8)
    {
      io_add_number (text, host >> shift & 0xFF, 10);
      io_add (text, shift > 0 ? "." : ":", 1);
    }
  io_add_number (text, ntohs (address->sin_port), 10);
}

/* "[fe80:0:0:0:0:0:0:1]:80" */
static void
io_add_ip6 (struct io_text *text, const struct sockaddr_in6 *address)
{
  for (size_t i = 0; i < 8; i++)
    {
      io_add (text, i == 0 ? "[" : ":", 1);
      io_add_number (text, ntohs (address->sin6_addr.s6_addr16[i]), 16);
    }
  io_add (text, "]:", 2);
  io_add_number (text, ntohs (address->sin6_port), 10);
}

/* A path, or a name that is none, which begins with a zero byte. */
static void
io_add_unix (struct io_text *text, const struct sockaddr_un *address, size_t length)
{
  const char *path = address->sun_path;
  size_t room = length - offsetof (struct sockaddr_un, sun_path);

  if (*path == '\0')
    {
      io_add (text, "@", 1);
      path++;
      room--;
    }
  io_add (text, path, strnlen (path, room));
}

static void
io_add_address (struct io_text *text, const struct sockaddr_storage *address, size_t length,
                const struct io_thing *thing)
{
  io_add (text, "socket ", 7);
  if (address->ss_family == AF_INET)
    io_add_ip4 (text, (const void *)address);
  else if (address->ss_family == AF_INET6)
    io_add_ip6 (text, (const void *)address);
  else if (address->ss_family == AF_UNIX && length > offsetof (struct sockaddr_un, sun_path) + 1)
    io_add_unix (text, (const void *)address, length);
  else
    io_add_number (text, thing->status.st_ino, 10);
}

/* A socket is named by whom it is connected to, or else by its own address. */
static void
io_add_socket (struct io_text *text, const struct io_thing *thing)
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
  io_add_address (text, &address, length, thing);
}

/* "anon_inode:[eventfd]" is named "eventfd". */
static void
io_add_link (struct io_text *text, const char *link)
{
  const char *begin = strchr (link, ':');

  begin = begin != NULL ? begin + 1 : link;
  begin += *begin == '[';
  io_add (text, begin, strcspn (begin, "]"));
}

static void
io_name (const struct io_thing *thing)
{
  struct io_text text = {name, name + sizeof name - 1};

  if (thing->file < 0)
    {
      io_add_number (&text, thing->files, 10);
      io_add (&text, " files", 6);
    }
  else if (S_ISFIFO (thing->status.st_mode))
    {
      io_add (&text, "pipe ", 5);
      io_add_number (&text, thing->status.st_ino, 10);
    }
  else if (S_ISSOCK (thing->status.st_mode))
    io_add_socket (&text, thing);
  else if ((thing->status.st_mode & S_IFMT) == 0)
    io_add_link (&text, thing->link);
  else if (io_read_link (thing->file, name, sizeof name) == 0)
    {
      io_add (&text, "file ", 5);
      io_add_number (&text, thing->status.st_ino, 10);
    }
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

  if (io->object != 0)
    return io->object;
  /* What is said of a socket otherwise is said of both directions, and by the address of the other end. */
  if (io->pipe != NULL &&
      (io->operation == LC_PIPE_READ || io->operation == LC_PIPE_WRITE || io->pipe->kind == LC_KIND_PIPE))
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
      return lc_message_word (io->sequence, io->is_poll ? 0 : value);
    case LC_POLL:
    case LC_CHILD_WAIT:
      return lc_word (0, value);
    case LC_SIGNAL_WAIT:
      return lc_word (0, io->signal);
    case LC_SIGNAL_RECEIVE:
      return lc_word (io->sequence, io->signal);
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
  const int why = error == EINTR ? LC_EVENT_INTERRUPTED : is_over ? LC_EVENT_TIMED_OUT : 0;
  const uint8_t flags = (uint8_t)(why | (io->is_unknown ? LC_EVENT_UNKNOWN : 0));
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
