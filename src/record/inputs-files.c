/* SPDX-License-Identifier: Apache-2.0 */
/* Reading from files, and writing to them. */
#undef _FILE_OFFSET_BITS /* because it would give two functions the same name */
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "inputs.h"

ssize_t __read_chk (int file, void *buffer, size_t size, size_t room);
ssize_t __recv_chk (int file, void *buffer, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk (int file, void *buffer, size_t size, size_t room, int flags, __SOCKADDR_ARG address,
                        socklen_t *length);

/* A call that reads or writes. */
struct transfer
{
  enum lc_input_call call;
  int file, from;
  void *buffer; /* of one piece */
  size_t size;
  const struct iovec *pieces; /* of several */
  int n;
  struct msghdr *message;
  off_t *offset;
  int flags;
  struct sockaddr *address;
  socklen_t *length, sent_length;
};

/* --- Pieces ---------------------------------------------------------------------------------------------------- */

enum
{
  MOST_PIECES = 64, /* of a call whose bytes are kept */
};

/* A wrong address is for the system to refuse: pieces are looked at only after a call that was good. */
static size_t
transfer_list (const struct transfer *transfer, const struct iovec **pieces, struct iovec *one)
{
  *one = (struct iovec){transfer->buffer, transfer->size};
  *pieces = one;
  if (transfer->message != NULL)
    {
      *pieces = transfer->message->msg_iov;
      return transfer->message->msg_iovlen;
    }
  if (transfer->pieces == NULL)
    return 1;
  *pieces = transfer->pieces;
  return transfer->n > 0 ? (size_t)transfer->n : 0;
}

static size_t
transfer_keep_bytes (const struct transfer *transfer, size_t bytes, struct lc_inputs_part *parts)
{
  const struct iovec *pieces;
  struct iovec one;
  size_t n = transfer_list (transfer, &pieces, &one), used = 0;

  for (size_t i = 0; i < n && bytes > 0 && used < MOST_PIECES; i++)
    {
      const size_t here = pieces[i].iov_len < bytes ? pieces[i].iov_len : bytes;

      parts[used++] = (struct lc_inputs_part){pieces[i].iov_base, here};
      bytes -= here;
    }
  return used;
}

static size_t
transfer_give_bytes (const struct transfer *transfer, const struct lc_inputs_call *call, size_t bytes)
{
  const struct iovec *pieces;
  struct iovec one;
  size_t n = transfer_list (transfer, &pieces, &one), done = 0;

  for (size_t i = 0; i < n && done < bytes; i++)
    {
      const size_t left = bytes - done, room = pieces[i].iov_len < left ? pieces[i].iov_len : left;

      done += lc_inputs_copy (call, done, pieces[i].iov_base, room);
    }
  return done;
}

/* --- Real calls ------------------------------------------------------------------------------------------------ */

static ssize_t
transfer_do (const struct transfer *it)
{
  switch ((int)it->call)
    {
    case LC_INPUT_READ:
      return LC_INPUTS_REAL (read) (it->file, it->buffer, it->size);
    case LC_INPUT_READV:
      return LC_INPUTS_REAL (readv) (it->file, it->pieces, it->n);
    case LC_INPUT_RECV:
      return LC_INPUTS_REAL (recv) (it->file, it->buffer, it->size, it->flags);
    case LC_INPUT_RECVFROM:
      return LC_INPUTS_REAL (recvfrom) (it->file, it->buffer, it->size, it->flags, it->address, it->length);
    case LC_INPUT_RECVMSG:
      return LC_INPUTS_REAL (recvmsg) (it->file, it->message, it->flags);
    case LC_INPUT_WRITE:
      return LC_INPUTS_REAL (write) (it->file, it->buffer, it->size);
    case LC_INPUT_WRITEV:
      return LC_INPUTS_REAL (writev) (it->file, it->pieces, it->n);
    case LC_INPUT_SEND:
      return LC_INPUTS_REAL (send) (it->file, it->buffer, it->size, it->flags);
    case LC_INPUT_SENDTO:
      return LC_INPUTS_REAL (sendto) (it->file, it->buffer, it->size, it->flags, it->address, it->sent_length);
    case LC_INPUT_SENDMSG:
      return LC_INPUTS_REAL (sendmsg) (it->file, it->message, it->flags);
    default:
      return LC_INPUTS_REAL (sendfile) (it->file, it->from, it->offset, it->size);
    }
}

static bool
transfer_is_write (const struct transfer *transfer)
{
  return transfer->call >= LC_INPUT_WRITE;
}

void
lc_inputs_await (int file, short events)
{
  struct pollfd waited = {.fd = file, .events = events};
  uint32_t before;

  if (file < 0)
    return; /* a poll would take no notice of it, and wait for ever */
  before = lc_inputs_tell ((uint32_t)file + 1);
  while (LC_INPUTS_REAL (poll) (&waited, 1, -1) < 0 && errno == EINTR)
    ;
  lc_inputs_tell (before);
}

/* Reads or writes as many bytes as were recorded of a stream within the program, in one or several calls. Of pieces and
 * messages it is one call. */
static void
transfer_follow_bytes (const struct transfer *transfer, size_t bytes)
{
  const bool is_write = transfer_is_write (transfer), is_one = transfer->buffer == NULL;
  const uint32_t before = lc_inputs_tell ((uint32_t)transfer->file + 1);
  struct transfer rest = *transfer;

  while (bytes > 0)
    {
      ssize_t n;

      lc_inputs_await (rest.file, is_write ? POLLOUT : POLLIN);
      if (!is_one)
        rest.size = bytes;
      n = transfer_do (&rest);
      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        continue;
      if (n <= 0 || is_one)
        break;
      rest.buffer = (char *)rest.buffer + n;
      bytes -= (size_t)n < bytes ? (size_t)n : bytes;
    }
  lc_inputs_tell (before);
}

/* The counter may have been added to more often, or not as often yet, as when it was read. */
static void
transfer_follow_event (const struct lc_inputs_call *call, const struct transfer *transfer)
{
  uint64_t wanted = 0, got = 0, n;

  lc_inputs_copy (call, 0, &wanted, sizeof wanted);
  if (transfer->size < sizeof wanted)
    return;
  while (got < wanted)
    {
      ssize_t bytes;

      lc_inputs_await (transfer->file, POLLIN);
      bytes = LC_INPUTS_REAL (read) (transfer->file, &n, sizeof n);
      if (bytes == (ssize_t)sizeof n)
        got += n;
      else if (bytes >= 0 || (errno != EAGAIN && errno != EINTR))
        break; /* this is no eventfd now */
    }
  n = got - wanted;
  if (got > wanted && LC_INPUTS_REAL (write) (transfer->file, &n, sizeof n) < 0)
    return;
  memcpy (transfer->buffer, &wanted, sizeof wanted);
}

/* --- Keeping and giving back ----------------------------------------------------------------------------------- */

static enum lc_input_how
transfer_how (const struct transfer *transfer)
{
  switch (lc_inputs_kind_of (transfer->file))
    {
    case LC_INPUTS_OWN:
    case LC_INPUTS_EVENT:
      return LC_INPUT_FOLLOWED;
    case LC_INPUTS_SOCKET: /* unless it is what the program prints to */
      return transfer_is_write (transfer) && (transfer->file == STDOUT_FILENO || transfer->file == STDERR_FILENO)
                 ? LC_INPUT_DONE
                 : LC_INPUT_GIVEN;
    case LC_INPUTS_OUTSIDE:
      return transfer_is_write (transfer) ? LC_INPUT_DONE : LC_INPUT_GIVEN;
    case LC_INPUTS_PLAIN:
    default:
      return LC_INPUT_FREE;
    }
}

/* After the bytes, the address that they have come from. */
static size_t
transfer_keep_address (const struct transfer *transfer, struct lc_inputs_part *part)
{
  const struct sockaddr *address = transfer->address;
  socklen_t length = transfer->length != NULL ? *transfer->length : 0;

  if (transfer->call == LC_INPUT_RECVMSG)
    {
      address = transfer->message->msg_name;
      length = transfer->message->msg_namelen;
    }
  if (address == NULL || length > sizeof (struct sockaddr_storage))
    length = 0;
  *part = (struct lc_inputs_part){address, length};
  return length > 0;
}

static bool
transfer_is_from_address (const struct transfer *transfer)
{
  return transfer->call == LC_INPUT_RECVFROM || transfer->call == LC_INPUT_RECVMSG;
}

static ssize_t
transfer_keep (const struct transfer *transfer, struct lc_inputs_call *call)
{
  enum lc_input_how how = transfer_how (transfer);
  struct lc_inputs_part parts[MOST_PIECES + 1];
  const bool is_event = how == LC_INPUT_FOLLOWED && transfer->call == LC_INPUT_READ && transfer->size >= 8 &&
                        lc_inputs_kind_of (transfer->file) == LC_INPUTS_EVENT;
  ssize_t result = transfer_do (transfer);
  size_t n = 0;

  if (result >= 0 && !transfer_is_write (transfer) && (how == LC_INPUT_GIVEN || is_event))
    {
      n = transfer_keep_bytes (transfer, (size_t)result, parts);
      if (transfer_is_from_address (transfer))
        n += transfer_keep_address (transfer, &parts[n]);
    }
  lc_inputs_keep (call, how, result, parts, n);
  return result;
}

static void
transfer_give_address (const struct transfer *transfer, const struct lc_inputs_call *call, size_t offset)
{
  struct msghdr *message = transfer->message;
  const socklen_t there = (socklen_t)lc_inputs_address_bytes (call, offset);

  if (message != NULL)
    {
      if (message->msg_name != NULL)
        lc_inputs_copy (call, offset, message->msg_name, message->msg_namelen);
      message->msg_namelen = there;
      message->msg_controllen = 0;
      message->msg_flags = 0;
    }
  else if (transfer->length != NULL)
    {
      if (transfer->address != NULL)
        lc_inputs_copy (call, offset, transfer->address, *transfer->length);
      *transfer->length = there;
    }
}

static uint64_t
transfer_asked (const struct transfer *transfer)
{
  const struct iovec *pieces;
  struct iovec one;
  uint64_t asked = 0;
  size_t n;

  if (transfer->buffer != NULL || transfer->call == LC_INPUT_SENDFILE)
    return transfer->size;
  n = transfer_list (transfer, &pieces, &one);
  for (size_t i = 0; i < n && pieces != NULL; i++)
    asked += pieces[i].iov_len;
  return asked;
}

/* No more than the program has room for, whatever the trace says; but a message that was cut tells how long it was. */
static int64_t
transfer_limit (const struct transfer *transfer, int64_t result)
{
  const uint64_t asked = transfer_asked (transfer);

  if (result <= 0 || (uint64_t)result <= asked || ((transfer->flags & MSG_TRUNC) != 0 && !transfer_is_write (transfer)))
    return result;
  return (int64_t)asked;
}

/* Whatever the trace says: nothing is sent to anybody. */
static enum lc_input_how
transfer_how_again (const struct transfer *transfer, const struct lc_inputs_call *call)
{
  if (transfer_is_write (transfer) && transfer_how (transfer) == LC_INPUT_GIVEN)
    return LC_INPUT_GIVEN;
  return (enum lc_input_how)call->record.how;
}

static ssize_t
transfer_give (const struct transfer *transfer, struct lc_inputs_call *call)
{
  const enum lc_input_how how = transfer_how_again (transfer, call);
  const bool is_write = transfer_is_write (transfer);
  const int64_t result = call->record.result = transfer_limit (transfer, call->record.result);

  if (how == LC_INPUT_FREE || (how == LC_INPUT_FOLLOWED && result == 0))
    return transfer_do (transfer);
  if (result > 0 && !is_write && how == LC_INPUT_GIVEN)
    {
      size_t given = transfer_give_bytes (transfer, call, (size_t)result);

      if (transfer_is_from_address (transfer))
        transfer_give_address (transfer, call, given);
    }
  else if (result > 0 && !is_write && how == LC_INPUT_FOLLOWED && call->record.bytes == sizeof (uint64_t))
    transfer_follow_event (call, transfer);
  else if (result > 0 && how != LC_INPUT_GIVEN)
    transfer_follow_bytes (transfer, (size_t)result);
  return (ssize_t)lc_inputs_result (call);
}

static ssize_t
transfer_run (const struct transfer *transfer)
{
  struct lc_inputs_call call = lc_inputs_begin (transfer->call, transfer->file, transfer_asked (transfer));

  if (call.mode == LC_INPUTS_KEEP)
    return transfer_keep (transfer, &call);
  if (call.mode == LC_INPUTS_GIVE)
    return transfer_give (transfer, &call);
  return transfer_do (transfer);
}

ssize_t
lc_inputs_read (int file, void *buffer, size_t size)
{
  return transfer_run (&(struct transfer){.call = LC_INPUT_READ, .file = file, .buffer = buffer, .size = size});
}

ssize_t
lc_inputs_write (int file, const void *buffer, size_t size)
{
  return transfer_run (
      &(struct transfer){.call = LC_INPUT_WRITE, .file = file, .buffer = (void *)(uintptr_t)buffer, .size = size});
}

/* --- The functions --------------------------------------------------------------------------------------------- */

LC_INPUTS_EXPORT ssize_t
read (int file, void *buffer, size_t size)
{
  return lc_inputs_read (file, buffer, size);
}

LC_INPUTS_EXPORT ssize_t
__read_chk (int file, void *buffer, size_t size, size_t room)
{
  return size > room ? LC_INPUTS_REAL (__read_chk) (file, buffer, size, room) : lc_inputs_read (file, buffer, size);
}

LC_INPUTS_EXPORT ssize_t
readv (int file, const struct iovec *pieces, int n)
{
  return transfer_run (&(struct transfer){.call = LC_INPUT_READV, .file = file, .pieces = pieces, .n = n});
}

LC_INPUTS_EXPORT ssize_t
recv (int file, void *buffer, size_t size, int flags)
{
  return transfer_run (
      &(struct transfer){.call = LC_INPUT_RECV, .file = file, .buffer = buffer, .size = size, .flags = flags});
}

LC_INPUTS_EXPORT ssize_t
__recv_chk (int file, void *buffer, size_t size, size_t room, int flags)
{
  return size > room ? LC_INPUTS_REAL (__recv_chk) (file, buffer, size, room, flags) : recv (file, buffer, size, flags);
}

LC_INPUTS_EXPORT ssize_t
recvfrom (int file, void *restrict buffer, size_t size, int flags, __SOCKADDR_ARG address, socklen_t *restrict length)
{
  return transfer_run (&(struct transfer){.call = LC_INPUT_RECVFROM,
                                          .file = file,
                                          .buffer = buffer,
                                          .size = size,
                                          .flags = flags,
                                          .address = address.__sockaddr__,
                                          .length = length});
}

LC_INPUTS_EXPORT ssize_t
__recvfrom_chk (int file, void *buffer, size_t size, size_t room, int flags, __SOCKADDR_ARG address, socklen_t *length)
{
  return size > room ? LC_INPUTS_REAL (__recvfrom_chk) (file, buffer, size, room, flags, address, length)
                     : recvfrom (file, buffer, size, flags, address, length);
}

LC_INPUTS_EXPORT ssize_t
recvmsg (int file, struct msghdr *message, int flags)
{
  return transfer_run (&(struct transfer){.call = LC_INPUT_RECVMSG, .file = file, .message = message, .flags = flags});
}

LC_INPUTS_EXPORT ssize_t
write (int file, const void *buffer, size_t size)
{
  return lc_inputs_write (file, buffer, size);
}

LC_INPUTS_EXPORT ssize_t
writev (int file, const struct iovec *pieces, int n)
{
  return transfer_run (&(struct transfer){.call = LC_INPUT_WRITEV, .file = file, .pieces = pieces, .n = n});
}

LC_INPUTS_EXPORT ssize_t
send (int file, const void *buffer, size_t size, int flags)
{
  return transfer_run (&(struct transfer){
      .call = LC_INPUT_SEND, .file = file, .buffer = (void *)(uintptr_t)buffer, .size = size, .flags = flags});
}

LC_INPUTS_EXPORT ssize_t
sendto (int file, const void *buffer, size_t size, int flags, __CONST_SOCKADDR_ARG address, socklen_t length)
{
  return transfer_run (&(struct transfer){.call = LC_INPUT_SENDTO,
                                          .file = file,
                                          .buffer = (void *)(uintptr_t)buffer,
                                          .size = size,
                                          .flags = flags,
                                          .address = (struct sockaddr *)(uintptr_t)address.__sockaddr__,
                                          .sent_length = length});
}

LC_INPUTS_EXPORT ssize_t
sendmsg (int file, const struct msghdr *message, int flags)
{
  return transfer_run (&(struct transfer){
      .call = LC_INPUT_SENDMSG, .file = file, .message = (struct msghdr *)(uintptr_t)message, .flags = flags});
}

LC_INPUTS_EXPORT ssize_t
sendfile (int file, int from, off_t *offset, size_t size)
{
  return transfer_run (
      &(struct transfer){.call = LC_INPUT_SENDFILE, .file = file, .from = from, .offset = offset, .size = size});
}
LC_INPUTS_EXPORT ssize_t sendfile64 (int file, int from, off64_t *offset, size_t size)
    __attribute__ ((alias ("sendfile")));

/* The C library's own functions for eventfds call others of its own. */

LC_INPUTS_EXPORT int
eventfd_read (int file, eventfd_t *value)
{
  return lc_inputs_read (file, value, sizeof *value) == (ssize_t)sizeof *value ? 0 : -1;
}

LC_INPUTS_EXPORT int
eventfd_write (int file, eventfd_t value)
{
  return lc_inputs_write (file, &value, sizeof value) == (ssize_t)sizeof value ? 0 : -1;
}
