/* SPDX-License-Identifier: Apache-2.0 */
/* Connections: in a replay nobody is connected to, and nobody can connect. */
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inputs.h"

enum
{
  SOCKET_NAPS = 2000, /* of a millisecond, for a number of a descriptor that somebody has not given back yet */
};

/* Results of calls on sockets; in a replay a socket that is not connected takes the place of a new one. */
struct socket_result
{
  int32_t domain; /* of a socket that was accepted */
  int32_t type;
};

/* Sockets that the program has made as a pair are its own. */
static enum lc_input_how
socket_how (int file)
{
  return lc_inputs_kind_of (file) == LC_INPUTS_SOCKET ? LC_INPUT_GIVEN : LC_INPUT_FREE;
}

/* Tells whether a replay does without a call. Whatever the trace says of a socket that is not the program's own: nobody
 * is connected to, and nobody can connect. */
static bool
socket_is_given (const struct lc_inputs_call *call, int file)
{
  return call->mode == LC_INPUTS_GIVE && (call->record.how == LC_INPUT_GIVEN || socket_how (file) == LC_INPUT_GIVEN);
}

/* --- Addresses ------------------------------------------------------------------------------------------------- */

static struct lc_inputs_part
socket_address (const struct sockaddr *address, const socklen_t *length, bool is_good)
{
  const bool is_there = is_good && address != NULL && length != NULL && *length <= sizeof (struct sockaddr_storage);

  return (struct lc_inputs_part){address, is_there ? *length : 0};
}

static void
socket_give_address (const struct lc_inputs_call *call, size_t offset, struct sockaddr *address, socklen_t *length)
{
  if (length == NULL || call->record.result < 0)
    return;
  if (address != NULL)
    lc_inputs_copy (call, offset, address, *length);
  *length = (socklen_t)lc_inputs_address_bytes (call, offset);
}

/* --- Accepting ------------------------------------------------------------------------------------------------- */

static struct socket_result
socket_describe (int file)
{
  struct socket_result result = {AF_UNIX, SOCK_STREAM};
  socklen_t length = sizeof (int);

  getsockopt (file, SOL_SOCKET, SO_DOMAIN, &result.domain, &length);
  length = sizeof (int);
  getsockopt (file, SOL_SOCKET, SO_TYPE, &result.type, &length);
  return result;
}

/* Sockets of other kinds, some of which hear what is sent to others, accept none. */
static struct socket_result
socket_described (const struct lc_inputs_call *call)
{
  struct socket_result described = {AF_UNIX, SOCK_STREAM};

  lc_inputs_copy (call, 0, &described, sizeof described);
  if (described.domain != AF_INET && described.domain != AF_INET6)
    described.domain = AF_UNIX;
  if (described.type != SOCK_SEQPACKET)
    described.type = SOCK_STREAM;
  return described;
}

/*
 * Gives a descriptor the number that it had, by which programs find what they know of a connection. Whoever had that
 * number before had closed it then, which may not have happened yet: no turn is before that. Numbers that are taken for
 * longer are not those of the recorded run any more, and nobody waits again.
 */
static int
socket_take_number (int file, int number, int flags)
{
  static bool is_in_vain;
  static const struct timespec nap = {0, 1000000};
  const int command = (flags & SOCK_CLOEXEC) != 0 ? F_DUPFD_CLOEXEC : F_DUPFD;

  for (int naps = 0; file >= 0 && file != number; naps++)
    {
      int moved = (int)syscall (SYS_fcntl, file, command, number);

      if (moved == number || moved < 0 || naps == SOCKET_NAPS || __atomic_load_n (&is_in_vain, __ATOMIC_RELAXED))
        {
          __atomic_store_n (&is_in_vain, moved != number, __ATOMIC_RELAXED);
          syscall (SYS_close, moved == number ? file : moved);
          return moved == number ? moved : file;
        }
      syscall (SYS_close, moved);
      syscall (SYS_nanosleep, &nap, NULL);
    }
  return file;
}

/* The program may ask the socket for what it likes, and closes it. */
static int
socket_give_accepted (const struct lc_inputs_call *call, int flags, struct sockaddr *address, socklen_t *length)
{
  const struct socket_result described = socket_described (call);
  int file;

  if (call->record.result < 0)
    return (int)lc_inputs_result (call);
  socket_give_address (call, sizeof described, address, length);
  file = (int)syscall (SYS_socket, described.domain, described.type | flags, 0);
  if (file < 0)
    file = (int)syscall (SYS_socket, AF_UNIX, SOCK_STREAM | flags, 0);
  file = socket_take_number (file, (int)lc_inputs_result (call), flags);
  errno = call->before;
  return file;
}

static int
socket_keep_accepted (struct lc_inputs_call *call, int file, int result, const struct sockaddr *address,
                      const socklen_t *length)
{
  const int after = errno;
  struct socket_result described = result >= 0 ? socket_describe (result) : (struct socket_result){0};
  const struct lc_inputs_part parts[] = {{&described, sizeof described}, socket_address (address, length, result >= 0)};

  errno = after;
  lc_inputs_keep (call, socket_how (file), result, parts, result >= 0 ? 2 : 0);
  return result;
}

LC_INPUTS_EXPORT int
accept4 (int file, __SOCKADDR_ARG address, socklen_t *length, int flags)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_ACCEPT, file, 0);
  int result;

  if (socket_is_given (&call, file))
    return socket_give_accepted (&call, flags, address.__sockaddr__, length);
  result = LC_INPUTS_REAL (accept4) (file, address, length, flags);
  if (call.mode == LC_INPUTS_KEEP)
    return socket_keep_accepted (&call, file, result, address.__sockaddr__, length);
  return result;
}

LC_INPUTS_EXPORT int
accept (int file, __SOCKADDR_ARG address, socklen_t *restrict length)
{
  return accept4 (file, address, length, 0);
}

/* --- Calls with a simple result -------------------------------------------------------------------------------- */

#define WRAP_SOCKET(name, parameters, arguments, what) \
  LC_INPUTS_EXPORT int name parameters \
  { \
    struct lc_inputs_call call = lc_inputs_begin ((what), file, 0); \
    int result; \
\
    if (socket_is_given (&call, file)) \
      return (int)lc_inputs_result (&call); \
    result = LC_INPUTS_REAL (name) arguments; \
    if (call.mode == LC_INPUTS_KEEP) \
      lc_inputs_keep (&call, socket_how (file), result, NULL, 0); \
    return result; \
  }

WRAP_SOCKET (connect, (int file, __CONST_SOCKADDR_ARG address, socklen_t length), (file, address, length),
             LC_INPUT_CONNECT)
WRAP_SOCKET (bind, (int file, __CONST_SOCKADDR_ARG address, socklen_t length), (file, address, length), LC_INPUT_BIND)
WRAP_SOCKET (listen, (int file, int length), (file, length), LC_INPUT_LISTEN)
WRAP_SOCKET (shutdown, (int file, int how), (file, how), LC_INPUT_SHUTDOWN)

#define WRAP_NAME(name, what) \
  LC_INPUTS_EXPORT int name (int file, __SOCKADDR_ARG address, socklen_t *restrict length) \
  { \
    struct lc_inputs_call call = lc_inputs_begin ((what), file, 0); \
    int result; \
\
    if (socket_is_given (&call, file)) \
      { \
        socket_give_address (&call, 0, address.__sockaddr__, length); \
        return (int)lc_inputs_result (&call); \
      } \
    result = LC_INPUTS_REAL (name) (file, address, length); \
    if (call.mode == LC_INPUTS_KEEP) \
      { \
        const struct lc_inputs_part part = socket_address (address.__sockaddr__, length, result == 0); \
\
        lc_inputs_keep (&call, socket_how (file), result, &part, 1); \
      } \
    return result; \
  }

WRAP_NAME (getsockname, LC_INPUT_OWN_NAME)
WRAP_NAME (getpeername, LC_INPUT_PEER_NAME)

/* --- Descriptors that the program has been given --------------------------------------------------------------- */

enum
{
  MOST_INHERITED = 256, /* lowest descriptors that are looked at */
};

/* The result that is kept of each of them. */
enum
{
  INHERITED_NONE,
  INHERITED_OTHER,
  INHERITED_PIPE,
  INHERITED_SOCKET,
};

static unsigned char
inherited_kind (int file)
{
  const enum lc_inputs_kind kind = lc_inputs_kind_of (file);
  struct stat status;

  if (fstat (file, &status) != 0)
    return INHERITED_NONE;
  if (kind == LC_INPUTS_SOCKET)
    return INHERITED_SOCKET;
  return S_ISFIFO (status.st_mode) ? INHERITED_PIPE : INHERITED_OTHER;
}

/* Returns a descriptor of the same kind that gives nothing. */
static int
inherited_make (unsigned char kind)
{
  int ends[2];

  if (kind == INHERITED_SOCKET)
    return (int)syscall (SYS_socket, AF_UNIX, SOCK_STREAM, 0);
  if (kind == INHERITED_OTHER)
    return (int)syscall (SYS_openat, AT_FDCWD, "/dev/null", O_RDWR);
  if (syscall (SYS_pipe2, ends, 0) != 0)
    return -1;
  syscall (SYS_close, ends[1]);
  return ends[0];
}

static void
inherited_place (int at, unsigned char kind)
{
  int file = inherited_make (kind);

  if (file < 0 || file == at)
    return;
  syscall (SYS_dup3, file, at, 0);
  syscall (SYS_close, file);
}

/*
 * In a replay, those that are not there have a place holder: so later ones have the recorded numbers. Standard input is
 * a pipe again if it was one, for programs look whether they can go back in it.
 */
static void
inherited_give (const struct lc_inputs_call *call)
{
  unsigned char kinds[MOST_INHERITED] = {0};

  lc_inputs_copy (call, 0, kinds, sizeof kinds);
  if (kinds[STDIN_FILENO] == INHERITED_PIPE || kinds[STDIN_FILENO] == INHERITED_SOCKET)
    inherited_place (STDIN_FILENO, kinds[STDIN_FILENO]);
  for (int i = STDERR_FILENO + 1; i < MOST_INHERITED; i++)
    if (kinds[i] != INHERITED_NONE && fcntl (i, F_GETFD) < 0)
      inherited_place (i, kinds[i]);
}

static void
inherited_keep (struct lc_inputs_call *call)
{
  unsigned char kinds[MOST_INHERITED] = {0};

  for (int i = 0; i < MOST_INHERITED; i++)
    kinds[i] = inherited_kind (i);
  lc_inputs_keep_bytes (call, LC_INPUT_GIVEN, 0, kinds, sizeof kinds);
}

void
lc_inputs_inherit (void)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_INHERITED, -1, 0);
  const int before = errno;

  if (call.mode == LC_INPUTS_KEEP)
    inherited_keep (&call);
  else if (call.mode == LC_INPUTS_GIVE)
    inherited_give (&call);
  errno = before;
}
