/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out which pipe, which connection or which eventfd a descriptor is, so that both ends know it by the same name.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "io.h"
#include "real.h"

/*
 * A pipe is one stream of bytes, a connection is two. Each has a slot in .control, found by what both ends can know:
 * the inode of the pipe; the addresses of both ends of a connection within this machine; the inode of the end that
 * writes into a local socket. An eventfd has nothing that other programs know: its number goes with the descriptors of
 * this program and of its forked children.
 *
 * What a descriptor was is kept, and compared with what it is: it may have been closed by functions that nobody wraps.
 */

enum
{
  MOST_QUESTIONS = 16,
};

uint8_t lc_stream_files[LC_STREAM_FILES];
uint32_t lc_stream_changes;

/* Changed under an odd version. A child that was forked meanwhile keeps that, and looks each time. */
static struct cell
{
  uint32_t version;
  uint32_t asked; /* how often a slot was missing */
  uint64_t device, inode;
  struct lc_slot *slots[2]; /* that it reads, and that it writes */
} cells[LC_STREAM_FILES];

static uint64_t
stream_mix (uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C (0xFF51AFD7ED558CCD);
  return hash ^ hash >> 29;
}

/* --- What is known of descriptors -------------------------------------------------------------------------- */

static void
cell_keep (int file, const struct stat *status, struct lc_slot *const slots[2], enum lc_stream_file what)
{
  struct cell *cell;
  uint32_t version;

  if (file < 0 || file >= LC_STREAM_FILES)
    return;
  cell = &cells[file];
  version = __atomic_load_n (&cell->version, __ATOMIC_RELAXED) & ~1U;
  if (!__atomic_compare_exchange_n (&cell->version, &version, version + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return;
  if (cell->device != status->st_dev || cell->inode != status->st_ino)
    __atomic_store_n (&cell->asked, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&cell->device, status->st_dev, __ATOMIC_RELAXED);
  __atomic_store_n (&cell->inode, status->st_ino, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++)
    __atomic_store_n (&cell->slots[i], slots[i], __ATOMIC_RELAXED);
  __atomic_store_n (&cell->version, version + 2, __ATOMIC_RELEASE);
  __atomic_store_n (&lc_stream_files[file], what, __ATOMIC_RELEASE);
}

/* Tells whether the descriptor is still what it was; then `slot` is that of the direction. */
static bool
cell_find (int file, const struct stat *status, bool writes, struct lc_slot **slot)
{
  const struct cell *cell = &cells[file];
  const uint32_t version = __atomic_load_n (&cell->version, __ATOMIC_ACQUIRE);
  bool is_same;

  is_same = __atomic_load_n (&cell->device, __ATOMIC_ACQUIRE) == status->st_dev &&
            __atomic_load_n (&cell->inode, __ATOMIC_ACQUIRE) == status->st_ino;
  *slot = __atomic_load_n (&cell->slots[writes], __ATOMIC_ACQUIRE);
  return is_same && version % 2 == 0 && __atomic_load_n (&cell->version, __ATOMIC_RELAXED) == version;
}

/* Tells whether it is worth while to look for a slot again that was not found. */
static bool
cell_may_ask (int file)
{
  return __atomic_add_fetch (&cells[file].asked, 1, __ATOMIC_RELAXED) < MOST_QUESTIONS;
}

/* --- Connections within this machine ----------------------------------------------------------------------- */

struct end
{
  uint32_t address[4];
  uint16_t port;
};

/* An address of version 4 is the same, whether the socket is of version 6 or not. */
static bool
end_set (struct end *end, const struct sockaddr_storage *address)
{
  const struct sockaddr_in *ip4 = (const void *)address;
  const struct sockaddr_in6 *ip6 = (const void *)address;

  memset (end, 0, sizeof *end);
  if (address->ss_family == AF_INET)
    {
      end->address[2] = htonl (0xFFFF);
      end->address[3] = ip4->sin_addr.s_addr;
      end->port = ntohs (ip4->sin_port);
      return true;
    }
  if (address->ss_family != AF_INET6)
    return false;
  memcpy (end->address, &ip6->sin6_addr, sizeof end->address);
  end->port = ntohs (ip6->sin6_port);
  return true;
}

static uint64_t
end_mix (uint64_t hash, const struct end *end)
{
  for (int i = 0; i < 4; i++)
    hash = stream_mix (hash, end->address[i]);
  return stream_mix (hash, end->port);
}

static struct lc_slot *
connection_slot (const struct end *from, const struct end *to)
{
  const bool is_4 = from->address[0] == 0 && from->address[1] == 0 && from->address[2] == htonl (0xFFFF);
  const uint64_t host = is_4 ? ntohl (from->address[3]) : 0;

  return lc_shared_stream (LC_KIND_CONNECTION, end_mix (end_mix (UINT64_C (0x452821E638D01377), from), to),
                           host << 32 | (uint64_t)from->port << 16 | to->port);
}

/* Both ends are on this machine if they have the same address. */
static bool
connection_find (int file, struct lc_slot *slots[2])
{
  struct sockaddr_storage address;
  struct end here, there;
  socklen_t length = sizeof address;

  if (syscall (SYS_getpeername, file, &address, &length) != 0 || !end_set (&there, &address))
    return false;
  length = sizeof address;
  if (syscall (SYS_getsockname, file, &address, &length) != 0 || !end_set (&here, &address) ||
      memcmp (here.address, there.address, sizeof here.address) != 0)
    return false;
  slots[0] = connection_slot (&there, &here);
  slots[1] = connection_slot (&here, &there);
  return true;
}

/* --- Local sockets ----------------------------------------------------------------------------------------- */

/* Asks the system who has the other end of a local socket. */
struct peer_question
{
  uint32_t inode, peer; /* 0: not known */
};

static uint32_t
peer_read (const unsigned char *answer, size_t size)
{
  const struct nlmsghdr *head = (const void *)answer;
  size_t at = NLMSG_LENGTH (sizeof (struct unix_diag_msg)), end;

  if (size < at || head->nlmsg_type != SOCK_DIAG_BY_FAMILY || head->nlmsg_len > size)
    return 0;
  end = head->nlmsg_len;
  for (at = NLMSG_ALIGN (at); at + sizeof (struct rtattr) <= end;)
    {
      const struct rtattr *attribute = (const void *)(answer + at);
      uint32_t peer;

      if (attribute->rta_len < sizeof *attribute || at + attribute->rta_len > end)
        return 0;
      if (attribute->rta_type == UNIX_DIAG_PEER && attribute->rta_len >= RTA_LENGTH (sizeof peer))
        {
          memcpy (&peer, RTA_DATA (attribute), sizeof peer);
          return peer;
        }
      at += RTA_ALIGN (attribute->rta_len);
    }
  return 0;
}

/* Called elsewhere, for it needs a descriptor. */
static void
peer_ask (void *data)
{
  struct peer_question *question = data;
  struct
  {
    struct nlmsghdr head;
    struct unix_diag_req request;
  } message = {
      {.nlmsg_len = sizeof message, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
      {.sdiag_family = AF_UNIX,
       .udiag_states = UINT32_MAX,
       .udiag_ino = question->inode,
       .udiag_show = UDIAG_SHOW_PEER,
       .udiag_cookie = {UINT32_MAX, UINT32_MAX}},
  };
  unsigned char answer[1024] __attribute__ ((aligned (8)));
  const long file = syscall (SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  long size;

  if (file < 0)
    return;
  if (syscall (SYS_sendto, file, &message, sizeof message, 0, NULL, 0) == (long)sizeof message)
    {
      size = syscall (SYS_recvfrom, file, answer, sizeof answer, MSG_DONTWAIT, NULL, NULL);
      question->peer = size > 0 ? peer_read (answer, (size_t)size) : 0;
    }
  syscall (SYS_close, file);
}

/* The other end has no inode before the connection is accepted: then it is asked for again when something is read. */
static bool
local_find (const struct stat *status, struct lc_slot *slots[2])
{
  struct peer_question question = {.inode = (uint32_t)status->st_ino};
  const uint64_t hash = stream_mix (UINT64_C (0xBE5466CF34E90C6C), status->st_dev);

  lc_elsewhere (peer_ask, &question);
  if (question.peer != 0)
    slots[0] = lc_shared_stream (LC_KIND_SOCKET, stream_mix (hash, question.peer), question.peer);
  slots[1] = lc_shared_stream (LC_KIND_SOCKET, stream_mix (hash, status->st_ino), status->st_ino);
  return true;
}

/* --- All of them ------------------------------------------------------------------------------------------- */

static bool
socket_find (int file, const struct stat *status, struct lc_slot *slots[2])
{
  int type = 0, domain = 0;
  socklen_t length = sizeof type;

  if (file >= LC_STREAM_FILES || syscall (SYS_getsockopt, file, SOL_SOCKET, SO_TYPE, &type, &length) != 0 ||
      type != SOCK_STREAM)
    return false;
  length = sizeof domain;
  if (syscall (SYS_getsockopt, file, SOL_SOCKET, SO_DOMAIN, &domain, &length) != 0)
    return false;
  return domain == AF_UNIX ? local_find (status, slots) : connection_find (file, slots);
}

static bool
stream_find_slots (int file, const struct stat *status, struct lc_slot *slots[2])
{
  const uint64_t hash = UINT64_C (0x13198A2E03707344);

  if (S_ISSOCK (status->st_mode))
    return socket_find (file, status, slots);
  if (!S_ISFIFO (status->st_mode))
    return false;
  slots[0] = slots[1] =
      lc_shared_stream (LC_KIND_PIPE, stream_mix (stream_mix (hash, status->st_dev), status->st_ino), status->st_ino);
  return true;
}

struct lc_slot *
lc_stream_find (int file, bool writes)
{
  struct lc_slot *slots[2] = {NULL, NULL}, *slot;
  enum lc_stream_file known = LC_STREAM_UNKNOWN;
  struct lc_slow slow;
  struct stat status;
  bool is_stream;

  if (lc_is_sandboxed () || syscall (SYS_fstat, file, &status) != 0)
    return NULL;
  if (file < LC_STREAM_FILES)
    known = __atomic_load_n (&lc_stream_files[file], __ATOMIC_ACQUIRE);
  if (LC_LIKELY (known == LC_STREAM_KNOWN) && LC_LIKELY (cell_find (file, &status, writes, &slot)) &&
      LC_LIKELY (slot != NULL || !cell_may_ask (file)))
    return slot;
  lc_slow_begin (&slow);
  is_stream = stream_find_slots (file, &status, slots);
  lc_slow_end (&slow);
  if (is_stream && (slots[0] != NULL || slots[1] != NULL))
    cell_keep (file, &status, slots, LC_STREAM_KNOWN);
  else if (file < LC_STREAM_FILES)
    __atomic_store_n (&lc_stream_files[file], LC_STREAM_NONE, __ATOMIC_RELEASE);
  return slots[writes];
}

bool
lc_stream_is_late (int file)
{
  return file < LC_STREAM_FILES && __atomic_load_n (&lc_stream_files[file], __ATOMIC_RELAXED) == LC_STREAM_KNOWN;
}

/* All eventfds have the same inode, so a descriptor that was closed unseen and is another eventfd now is taken for the
 * old one, unless the new one was made by a function that is wrapped, as all are. */
void
lc_stream_add_event (int file, uint64_t first)
{
  struct lc_slot *slots[2];
  struct lc_slow slow;
  struct stat status;
  uint64_t number;

  if (lc_is_sandboxed () || (lc_classes >> LC_CLASS_IO & 1) == 0 || syscall (SYS_fstat, file, &status) != 0)
    return;
  number = __atomic_add_fetch (&lc_control->event_files, 1, __ATOMIC_RELAXED);
  lc_slow_begin (&slow);
  slots[0] = slots[1] = lc_shared_stream (LC_KIND_EVENTFD, stream_mix (UINT64_C (0xC0AC29B7C97C50DD), number), number);
  lc_slow_end (&slow);
  if (slots[0] == NULL)
    return;
  lc_control->shared_wake_ups[slots[0] - lc_control->shared].pipe.bytes_written = first;
  cell_keep (file, &status, slots, LC_STREAM_KNOWN);
}

/* A copy is the same stream. Of what is looked up anyway, nothing needs to be kept. */
void
lc_stream_copy (int from, int to)
{
  struct lc_slot *slots[2];
  struct stat status;

  lc_stream_forget (to);
  if (from < 0 || from >= LC_STREAM_FILES || lc_is_sandboxed () ||
      __atomic_load_n (&lc_stream_files[from], __ATOMIC_ACQUIRE) != LC_STREAM_KNOWN ||
      syscall (SYS_fstat, from, &status) != 0)
    return;
  if (cell_find (from, &status, false, &slots[0]) && cell_find (from, &status, true, &slots[1]))
    cell_keep (to, &status, slots, LC_STREAM_KNOWN);
}
