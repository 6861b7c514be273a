/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that read and write files, pipes and sockets. */
#undef _FILE_OFFSET_BITS /* because it would give two functions the same name */
#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

#include "io.h"
#include "real.h"

ssize_t __read_chk (int file, void *buffer, size_t size, size_t room);
ssize_t __pread_chk (int file, void *buffer, size_t size, off_t offset, size_t room);
ssize_t __pread64_chk (int file, void *buffer, size_t size, off_t offset, size_t room);
ssize_t __recv_chk (int file, void *buffer, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk (int file, void *buffer, size_t size, size_t room, int flags, __SOCKADDR_ARG address,
                        socklen_t *length);

/* --- What may be a pipe, a connection or an eventfd -------------------------------------------------------- */

enum
{
  MSG_APART = MSG_PEEK | MSG_OOB | MSG_ERRQUEUE, /* flags of calls that take nothing from the stream */
};

/* Defines the wrapper of a function that reads from a stream, if `file` is one. With `flags` as of recv. `data` is
 * where the number of an eventfd is then, or NULL. */
#define WRAP_STREAM_READ(name, parameters, arguments, data, flags) \
  LC_EXPORT ssize_t name parameters \
  { \
    struct lc_io io = {.thread = lc_io_enter (), .file = file, .operation = LC_READ}; \
    ssize_t result; \
    bool is_long; \
\
    if (LC_UNLIKELY (io.thread == NULL)) \
      return LC_REAL (name) arguments; \
    if (LC_UNLIKELY (lc_stream_is_likely (file)) && ((flags)&MSG_APART) == 0) \
      { \
        io.buffer = (data); \
        lc_pipe_read_begin (&io); \
        io.is_sure = io.is_sure && ((flags)&MSG_WAITALL) == 0; /* it waits for the last */ \
      } \
    lc_io_begin (&io); \
    LC_IO_CALL (&io, result = LC_REAL (name) arguments); \
    is_long = lc_io_end (&io); \
    if (LC_UNLIKELY (io.pipe != NULL || io.is_late)) \
      lc_pipe_read_end (&io, result); \
    if (LC_UNLIKELY (is_long)) \
      lc_io_record (&io, result, LC_IO_ERRNO); \
    return result; \
  }

/* The same for one that writes `bytes`. */
#define WRAP_STREAM_WRITE(name, parameters, arguments, data, bytes) \
  LC_EXPORT ssize_t name parameters \
  { \
    struct lc_io io = {.thread = lc_io_enter (), .file = file, .operation = LC_WRITE}; \
    ssize_t result; \
    bool is_told; \
\
    if (LC_UNLIKELY (io.thread == NULL)) \
      return LC_REAL (name) arguments; \
    if (LC_UNLIKELY (lc_stream_is_likely (file))) \
      { \
        io.buffer = (data); \
        io.size = (bytes); \
        lc_pipe_write_begin (&io); \
      } \
    lc_io_begin (&io); \
    LC_IO_CALL (&io, result = LC_REAL (name) arguments); \
    is_told = lc_io_end (&io); \
    if (LC_UNLIKELY (io.pipe != NULL)) \
      is_told |= lc_pipe_write_end (&io, result); \
    if (LC_UNLIKELY (is_told)) \
      lc_io_record (&io, result, LC_IO_ERRNO); \
    return result; \
  }

WRAP_STREAM_READ (read, (int file, void *buffer, size_t size), (file, buffer, size), buffer, 0)
WRAP_STREAM_READ (__read_chk, (int file, void *buffer, size_t size, size_t room), (file, buffer, size, room), buffer, 0)
WRAP_STREAM_READ (readv, (int file, const struct iovec *pieces, int n), (file, pieces, n), NULL, 0)
WRAP_STREAM_READ (recv, (int file, void *buffer, size_t size, int flags), (file, buffer, size, flags), NULL, flags)
WRAP_STREAM_READ (__recv_chk, (int file, void *buffer, size_t size, size_t room, int flags),
                  (file, buffer, size, room, flags), NULL, flags)
WRAP_STREAM_READ (recvfrom, (int file, void *buffer, size_t size, int flags, __SOCKADDR_ARG address, socklen_t *length),
                  (file, buffer, size, flags, address, length), NULL, flags)
WRAP_STREAM_READ (__recvfrom_chk,
                  (int file, void *buffer, size_t size, size_t room, int flags, __SOCKADDR_ARG address,
                   socklen_t *length),
                  (file, buffer, size, room, flags, address, length), NULL, flags)
WRAP_STREAM_READ (recvmsg, (int file, struct msghdr *message, int flags), (file, message, flags), NULL, flags)

WRAP_STREAM_WRITE (write, (int file, const void *buffer, size_t size), (file, buffer, size), buffer, size)
WRAP_STREAM_WRITE (send, (int file, const void *buffer, size_t size, int flags), (file, buffer, size, flags), NULL,
                   (flags & MSG_OOB) == 0 ? size : 0)
WRAP_STREAM_WRITE (sendto,
                   (int file, const void *buffer, size_t size, int flags, __CONST_SOCKADDR_ARG address,
                    socklen_t length),
                   (file, buffer, size, flags, address, length), NULL, (flags & MSG_OOB) == 0 ? size : 0)
WRAP_STREAM_WRITE (sendfile, (int file, int from, off_t *offset, size_t size), (file, from, offset, size), NULL, size)
LC_EXPORT ssize_t sendfile64 (int file, int from, off64_t *offset, size_t size) __attribute__ ((alias ("sendfile")));

/* How much it is, is not looked up: a wrong address is for the system to refuse. */
WRAP_STREAM_WRITE (writev, (int file, const struct iovec *pieces, int n), (file, pieces, n), NULL,
                   n > 0 ? LC_PIPE_MUCH : 0)
WRAP_STREAM_WRITE (sendmsg, (int file, const struct msghdr *message, int flags), (file, message, flags), NULL,
                   (flags & MSG_OOB) == 0 ? LC_PIPE_MUCH : 0)

/* The C library's own functions for eventfds call others of its own. */

LC_EXPORT int
eventfd_read (int file, eventfd_t *value)
{
  struct lc_io io = {.thread = lc_io_enter (), .file = file, .operation = LC_READ, .buffer = value};
  bool is_long;
  int result;

  if (LC_UNLIKELY (io.thread == NULL))
    return LC_REAL (eventfd_read) (file, value);
  if (lc_stream_is_likely (file))
    lc_pipe_read_begin (&io);
  lc_io_begin (&io);
  LC_IO_CALL (&io, result = LC_REAL (eventfd_read) (file, value));
  is_long = lc_io_end (&io);
  if (io.pipe != NULL)
    lc_pipe_read_end (&io, result == 0 ? (int64_t)sizeof *value : -1);
  if (LC_UNLIKELY (is_long))
    lc_io_record (&io, result == 0 ? (int64_t)sizeof *value : -1, LC_IO_ERRNO);
  return result;
}

LC_EXPORT int
eventfd_write (int file, eventfd_t value)
{
  struct lc_io io = {
      .thread = lc_io_enter (), .file = file, .operation = LC_WRITE, .buffer = &value, .size = sizeof value};
  bool is_told;
  int result;

  if (LC_UNLIKELY (io.thread == NULL))
    return LC_REAL (eventfd_write) (file, value);
  if (lc_stream_is_likely (file))
    lc_pipe_write_begin (&io);
  lc_io_begin (&io);
  LC_IO_CALL (&io, result = LC_REAL (eventfd_write) (file, value));
  is_told = lc_io_end (&io);
  if (io.pipe != NULL)
    is_told |= lc_pipe_write_end (&io, result == 0 ? (int64_t)sizeof value : -1);
  if (LC_UNLIKELY (is_told))
    lc_io_record (&io, result == 0 ? (int64_t)sizeof value : -1, LC_IO_ERRNO);
  return result;
}

/* --- Descriptors: what one is, is looked up again after these ---------------------------------------------- */

LC_EXPORT int
close (int file)
{
  lc_stream_forget (file);
  return LC_REAL (close) (file);
}

static void
wrap_files_copied (int from, int to)
{
  const int error = errno;

  if (to >= 0)
    lc_stream_copy (from, to);
  errno = error;
}

LC_EXPORT int
dup (int from)
{
  int file = LC_REAL (dup) (from);

  wrap_files_copied (from, file);
  return file;
}

LC_EXPORT int
dup2 (int from, int to)
{
  int file;

  if (from != to)
    lc_stream_forget (to);
  file = LC_REAL (dup2) (from, to);
  if (from != to)
    wrap_files_copied (from, file);
  return file;
}

LC_EXPORT int
dup3 (int from, int to, int flags)
{
  int file;

  lc_stream_forget (to);
  file = LC_REAL (dup3) (from, to, flags);
  wrap_files_copied (from, file);
  return file;
}

LC_EXPORT int
pipe2 (int files[2], int flags)
{
  int result = LC_REAL (pipe2) (files, flags);

  for (int i = 0; result == 0 && i < 2; i++)
    lc_stream_forget (files[i]);
  return result;
}

LC_EXPORT int
pipe (int files[2])
{
  int result = LC_REAL (pipe) (files);

  for (int i = 0; result == 0 && i < 2; i++)
    lc_stream_forget (files[i]);
  return result;
}

LC_EXPORT int
socketpair (int domain, int type, int protocol, int files[2])
{
  int result = LC_REAL (socketpair) (domain, type, protocol, files);

  for (int i = 0; result == 0 && i < 2; i++)
    lc_stream_forget (files[i]);
  return result;
}

LC_EXPORT int
eventfd (unsigned int first, int flags)
{
  int file = LC_REAL (eventfd) (first, flags), error = errno;

  if (file >= 0)
    {
      lc_stream_forget (file);
      lc_stream_add_event (file, first);
      errno = error;
    }
  return file;
}

/* --- What is no stream ------------------------------------------------------------------------------------- */

#define WRAP_READ(name, parameters, arguments) \
  LC_IO_WRAP (ssize_t, name, parameters, arguments, LC_IO_ERRNO, LC_READ, file)
#define WRAP_WRITE(name, parameters, arguments) \
  LC_IO_WRAP (ssize_t, name, parameters, arguments, LC_IO_ERRNO, LC_WRITE, file)

WRAP_READ (pread, (int file, void *buffer, size_t size, off_t offset), (file, buffer, size, offset))
WRAP_READ (__pread_chk, (int file, void *buffer, size_t size, off_t offset, size_t room),
           (file, buffer, size, offset, room))
WRAP_READ (preadv, (int file, const struct iovec *pieces, int n, off_t offset), (file, pieces, n, offset))

WRAP_WRITE (pwrite, (int file, const void *buffer, size_t size, off_t offset), (file, buffer, size, offset))
WRAP_WRITE (pwritev, (int file, const struct iovec *pieces, int n, off_t offset), (file, pieces, n, offset))

LC_EXPORT ssize_t pread64 (int file, void *buffer, size_t size, off64_t offset) __attribute__ ((alias ("pread")));
LC_EXPORT ssize_t __pread64_chk (int file, void *buffer, size_t size, off_t offset, size_t room)
    __attribute__ ((alias ("__pread_chk")));
LC_EXPORT ssize_t preadv64 (int file, const struct iovec *pieces, int n, off64_t offset)
    __attribute__ ((alias ("preadv")));
LC_EXPORT ssize_t pwrite64 (int file, const void *buffer, size_t size, off64_t offset)
    __attribute__ ((alias ("pwrite")));
LC_EXPORT ssize_t pwritev64 (int file, const struct iovec *pieces, int n, off64_t offset)
    __attribute__ ((alias ("pwritev")));
/* --- Connections ------------------------------------------------------------------------------------------- */

/* A descriptor that is connected now is looked up again. */
#define WRAP_CONNECTION(name, parameters, arguments, what, connected) \
  LC_EXPORT int name parameters \
  { \
    struct lc_io io = {.thread = lc_io_enter (), .file = file, .operation = (what)}; \
    int result; \
\
    if (LC_UNLIKELY (io.thread == NULL)) \
      { \
        result = LC_REAL (name) arguments; \
        lc_stream_forget (connected); \
        return result; \
      } \
    lc_io_begin (&io); \
    LC_IO_CALL (&io, result = LC_REAL (name) arguments); \
    lc_stream_forget (connected); \
    if (LC_UNLIKELY (lc_io_end (&io))) \
      lc_io_record (&io, result, LC_IO_ERRNO); \
    return result; \
  }

WRAP_CONNECTION (accept, (int file, __SOCKADDR_ARG address, socklen_t *length), (file, address, length), LC_ACCEPT,
                 result)
WRAP_CONNECTION (accept4, (int file, __SOCKADDR_ARG address, socklen_t *length, int flags),
                 (file, address, length, flags), LC_ACCEPT, result)
WRAP_CONNECTION (connect, (int file, __CONST_SOCKADDR_ARG address, socklen_t length), (file, address, length),
                 LC_CONNECT, file)

/* --- Disks and locks --------------------------------------------------------------------------------------- */

LC_IO_WRAP (int, fsync, (int file), (file), LC_IO_ERRNO, LC_FILE_SYNC, file)
LC_IO_WRAP (int, fdatasync, (int file), (file), LC_IO_ERRNO, LC_FILE_SYNC, file)
LC_IO_WRAP (int, tcdrain, (int file), (file), LC_IO_ERRNO, LC_FILE_SYNC, file)
LC_IO_WRAP (int, flock, (int file, int operation), (file, operation), LC_IO_ERRNO, LC_FILE_LOCK, file)
LC_IO_WRAP (int, lockf, (int file, int command, off_t size), (file, command, size), LC_IO_ERRNO, LC_FILE_LOCK, file)
LC_EXPORT int lockf64 (int file, int command, off64_t size) __attribute__ ((alias ("lockf")));

static inline bool
wrap_files_may_wait (int command)
{
  return command == F_SETLKW || command == F_OFD_SETLKW;
}

/* All arguments of fcntl come as one word. Only locks wait; copies of descriptors are looked up again. */
#define WRAP_FCNTL(name) \
  LC_EXPORT int name (int file, int command, ...) \
  { \
    struct lc_io io = { \
        .thread = wrap_files_may_wait (command) ? lc_io_enter () : NULL, .file = file, .operation = LC_FILE_LOCK}; \
    void *argument; \
    va_list rest; \
    int result; \
\
    va_start (rest, command); \
    argument = va_arg (rest, void *); \
    va_end (rest); \
    if (LC_LIKELY (io.thread == NULL)) \
      { \
        result = LC_REAL (name) (file, command, argument); \
        if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) \
          wrap_files_copied (file, result); \
        return result; \
      } \
    lc_io_begin (&io); \
    LC_IO_CALL (&io, result = LC_REAL (name) (file, command, argument)); \
    if (LC_UNLIKELY (lc_io_end (&io))) \
      lc_io_record (&io, result, LC_IO_ERRNO); \
    return result; \
  }

WRAP_FCNTL (fcntl)
WRAP_FCNTL (fcntl64)
