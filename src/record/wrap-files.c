/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that read and write files, pipes and sockets. */
#undef _FILE_OFFSET_BITS /* because it would give two functions the same name */
#include <errno.h>
#include <fcntl.h>
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

/* --- What may be a pipe ------------------------------------------------------------------------------------ */

/* Defines the wrapper of a function that reads from a pipe, if `file` is one. */
#define WRAP_PIPE_READ(name, parameters, arguments) \
  LC_EXPORT ssize_t name parameters \
  { \
    struct lc_io io = {.thread = lc_io_enter (), .file = file, .operation = LC_READ}; \
    ssize_t result; \
    bool is_long; \
\
    if (LC_UNLIKELY (io.thread == NULL)) \
      return LC_REAL (name) arguments; \
    if (LC_UNLIKELY (lc_pipe_is_likely (file))) \
      lc_pipe_read_begin (&io); \
    lc_io_begin (&io); \
    LC_IO_CALL (&io, result = LC_REAL (name) arguments); \
    is_long = lc_io_end (&io); \
    if (LC_UNLIKELY (io.pipe != NULL)) \
      lc_pipe_read_end (&io, result); \
    if (LC_UNLIKELY (is_long)) \
      lc_io_record (&io, result, LC_IO_ERRNO); \
    return result; \
  }

/* The same for one that writes `bytes`. */
#define WRAP_PIPE_WRITE(name, parameters, arguments, bytes) \
  LC_EXPORT ssize_t name parameters \
  { \
    struct lc_io io = {.thread = lc_io_enter (), .file = file, .operation = LC_WRITE}; \
    ssize_t result; \
    bool is_told; \
\
    if (LC_UNLIKELY (io.thread == NULL)) \
      return LC_REAL (name) arguments; \
    if (LC_UNLIKELY (lc_pipe_is_likely (file))) \
      { \
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

WRAP_PIPE_READ (read, (int file, void *buffer, size_t size), (file, buffer, size))
WRAP_PIPE_READ (__read_chk, (int file, void *buffer, size_t size, size_t room), (file, buffer, size, room))
WRAP_PIPE_READ (readv, (int file, const struct iovec *pieces, int n), (file, pieces, n))
WRAP_PIPE_WRITE (write, (int file, const void *buffer, size_t size), (file, buffer, size), size)

/* How much it is, is not looked up: a wrong address is for the system to refuse. */
WRAP_PIPE_WRITE (writev, (int file, const struct iovec *pieces, int n), (file, pieces, n), n > 0 ? LC_PIPE_MUCH : 0)

/* What a descriptor is, is looked up again after these. */

LC_EXPORT int
close (int file)
{
  lc_pipe_forget (file);
  return LC_REAL (close) (file);
}

LC_EXPORT int
dup (int from)
{
  int file = LC_REAL (dup) (from);

  lc_pipe_forget (file);
  return file;
}

LC_EXPORT int
dup2 (int from, int to)
{
  lc_pipe_forget (to);
  return LC_REAL (dup2) (from, to);
}

LC_EXPORT int
dup3 (int from, int to, int flags)
{
  lc_pipe_forget (to);
  return LC_REAL (dup3) (from, to, flags);
}

LC_EXPORT int
pipe2 (int files[2], int flags)
{
  int result = LC_REAL (pipe2) (files, flags);

  for (int i = 0; result == 0 && i < 2; i++)
    lc_pipe_forget (files[i]);
  return result;
}

LC_EXPORT int
pipe (int files[2])
{
  int result = LC_REAL (pipe) (files);

  for (int i = 0; result == 0 && i < 2; i++)
    lc_pipe_forget (files[i]);
  return result;
}

/* --- What is no pipe --------------------------------------------------------------------------------------- */

#define WRAP_READ(name, parameters, arguments) \
  LC_IO_WRAP (ssize_t, name, parameters, arguments, LC_IO_ERRNO, LC_READ, file)
#define WRAP_WRITE(name, parameters, arguments) \
  LC_IO_WRAP (ssize_t, name, parameters, arguments, LC_IO_ERRNO, LC_WRITE, file)

WRAP_READ (pread, (int file, void *buffer, size_t size, off_t offset), (file, buffer, size, offset))
WRAP_READ (__pread_chk, (int file, void *buffer, size_t size, off_t offset, size_t room),
           (file, buffer, size, offset, room))
WRAP_READ (preadv, (int file, const struct iovec *pieces, int n, off_t offset), (file, pieces, n, offset))
WRAP_READ (recv, (int file, void *buffer, size_t size, int flags), (file, buffer, size, flags))
WRAP_READ (__recv_chk, (int file, void *buffer, size_t size, size_t room, int flags), (file, buffer, size, room, flags))
WRAP_READ (recvfrom, (int file, void *buffer, size_t size, int flags, __SOCKADDR_ARG address, socklen_t *length),
           (file, buffer, size, flags, address, length))
WRAP_READ (__recvfrom_chk,
           (int file, void *buffer, size_t size, size_t room, int flags, __SOCKADDR_ARG address, socklen_t *length),
           (file, buffer, size, room, flags, address, length))
WRAP_READ (recvmsg, (int file, struct msghdr *message, int flags), (file, message, flags))

WRAP_WRITE (pwrite, (int file, const void *buffer, size_t size, off_t offset), (file, buffer, size, offset))
WRAP_WRITE (pwritev, (int file, const struct iovec *pieces, int n, off_t offset), (file, pieces, n, offset))
WRAP_WRITE (send, (int file, const void *buffer, size_t size, int flags), (file, buffer, size, flags))
WRAP_WRITE (sendto,
            (int file, const void *buffer, size_t size, int flags, __CONST_SOCKADDR_ARG address, socklen_t length),
            (file, buffer, size, flags, address, length))
WRAP_WRITE (sendmsg, (int file, const struct msghdr *message, int flags), (file, message, flags))
WRAP_WRITE (sendfile, (int file, int from, off_t *offset, size_t size), (file, from, offset, size))

LC_EXPORT ssize_t pread64 (int file, void *buffer, size_t size, off64_t offset) __attribute__ ((alias ("pread")));
LC_EXPORT ssize_t __pread64_chk (int file, void *buffer, size_t size, off_t offset, size_t room)
    __attribute__ ((alias ("__pread_chk")));
LC_EXPORT ssize_t preadv64 (int file, const struct iovec *pieces, int n, off64_t offset)
    __attribute__ ((alias ("preadv")));
LC_EXPORT ssize_t pwrite64 (int file, const void *buffer, size_t size, off64_t offset)
    __attribute__ ((alias ("pwrite")));
LC_EXPORT ssize_t pwritev64 (int file, const struct iovec *pieces, int n, off64_t offset)
    __attribute__ ((alias ("pwritev")));
LC_EXPORT ssize_t sendfile64 (int file, int from, off64_t *offset, size_t size) __attribute__ ((alias ("sendfile")));

/* --- Connections ------------------------------------------------------------------------------------------- */

LC_IO_WRAP (int, accept, (int file, __SOCKADDR_ARG address, socklen_t *length), (file, address, length), LC_IO_ERRNO,
            LC_ACCEPT, file)
LC_IO_WRAP (int, accept4, (int file, __SOCKADDR_ARG address, socklen_t *length, int flags),
            (file, address, length, flags), LC_IO_ERRNO, LC_ACCEPT, file)
LC_IO_WRAP (int, connect, (int file, __CONST_SOCKADDR_ARG address, socklen_t length), (file, address, length),
            LC_IO_ERRNO, LC_CONNECT, file)

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
          lc_pipe_forget (result); \
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
