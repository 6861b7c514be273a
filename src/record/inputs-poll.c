/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for several descriptors. */
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "inputs.h"

int __poll_chk (struct pollfd *files, nfds_t n, int timeout, size_t room);
int __ppoll_chk (struct pollfd *files, nfds_t n, const struct timespec *timeout, const sigset_t *mask, size_t room);

/* --- poll ------------------------------------------------------------------------------------------------------ */

enum
{
  POLL_MOST = 1024, /* descriptors of a poll whose results are kept */
};

/* The results that are kept of a descriptor. */
struct poll_result
{
  int16_t found; /* revents */
  int16_t is_inner;
};

static void
poll_keep (struct lc_inputs_call *call, const struct pollfd *files, nfds_t n, int result)
{
  struct poll_result found[POLL_MOST];
  const nfds_t kept = result > 0 ? (n < POLL_MOST ? n : POLL_MOST) : 0;

  for (nfds_t i = 0; i < kept; i++)
    found[i] = (struct poll_result){
        files[i].revents, (int16_t)(files[i].revents != 0 && lc_inputs_is_inner (lc_inputs_kind_of (files[i].fd)))};
  lc_inputs_keep_bytes (call, n > kept && result > 0 ? LC_INPUT_FREE : LC_INPUT_GIVEN, result, found,
                        kept * sizeof found[0]);
}

/* What the program's own threads have to do first is waited for. Who counts what is ready finds no more than is there.
 */
static int
poll_give (const struct lc_inputs_call *call, struct pollfd *files, nfds_t n)
{
  uint64_t ready = 0;

  for (nfds_t i = 0; i < n && call->record.result >= 0; i++)
    {
      struct poll_result found = {0};

      lc_inputs_copy (call, i * sizeof found, &found, sizeof found);
      if (found.is_inner && (found.found & (POLLIN | POLLOUT | POLLHUP)) != 0)
        lc_inputs_await (files[i].fd, found.found & (POLLIN | POLLOUT));
      files[i].revents = found.found;
      ready += found.found != 0;
    }
  return (int)lc_inputs_result_up_to (call, ready);
}

static int
poll_run (struct pollfd *files, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_POLL, n > 0 ? files[0].fd : -1, n);
  int result;

  if (call.mode == LC_INPUTS_GIVE && call.record.how == LC_INPUT_GIVEN)
    return poll_give (&call, files, n);
  result = LC_INPUTS_REAL (ppoll) (files, n, timeout, mask);
  if (call.mode == LC_INPUTS_KEEP)
    poll_keep (&call, files, n, result);
  return result;
}

LC_INPUTS_EXPORT int
poll (struct pollfd *files, nfds_t n, int timeout)
{
  const struct timespec limit = {timeout / 1000, timeout % 1000 * 1000000L};

  return poll_run (files, n, timeout >= 0 ? &limit : NULL, NULL);
}

LC_INPUTS_EXPORT int
__poll_chk (struct pollfd *files, nfds_t n, int timeout, size_t room)
{
  return room / sizeof *files < n ? LC_INPUTS_REAL (__poll_chk) (files, n, timeout, room) : poll (files, n, timeout);
}

LC_INPUTS_EXPORT int
ppoll (struct pollfd *files, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
  return poll_run (files, n, timeout, mask);
}

LC_INPUTS_EXPORT int
__ppoll_chk (struct pollfd *files, nfds_t n, const struct timespec *timeout, const sigset_t *mask, size_t room)
{
  return room / sizeof *files < n ? LC_INPUTS_REAL (__ppoll_chk) (files, n, timeout, mask, room)
                                  : ppoll (files, n, timeout, mask);
}

/* --- select ---------------------------------------------------------------------------------------------------- */

/* The results of a select: what is ready, which of that is the program's own, and what was left of the time. */
struct select_result
{
  fd_set ready[3], inner;
  struct timeval left;
};

struct select_call
{
  int n;
  fd_set *sets[3]; /* to read, to write, with exceptions */
  struct timeval *limit;
  const struct timespec *constant_limit;
  const sigset_t *mask;
  bool is_pselect;
};

static int
select_do (const struct select_call *it)
{
  if (it->is_pselect)
    return LC_INPUTS_REAL (pselect) (it->n, it->sets[0], it->sets[1], it->sets[2], it->constant_limit, it->mask);
  return LC_INPUTS_REAL (select) (it->n, it->sets[0], it->sets[1], it->sets[2], it->limit);
}

static void
select_keep (struct lc_inputs_call *call, const struct select_call *it, int result)
{
  struct select_result kept;

  memset (&kept, 0, sizeof kept);
  if (it->n > FD_SETSIZE)
    {
      lc_inputs_keep (call, LC_INPUT_FREE, result, NULL, 0);
      return;
    }
  for (int i = 0; i < 3; i++)
    for (int file = 0; it->sets[i] != NULL && result >= 0 && file < it->n; file++)
      if (FD_ISSET (file, it->sets[i]))
        {
          FD_SET (file, &kept.ready[i]);
          if (lc_inputs_is_inner (lc_inputs_kind_of (file)))
            FD_SET (file, &kept.inner);
        }
  if (it->limit != NULL)
    kept.left = *it->limit;
  lc_inputs_keep_bytes (call, LC_INPUT_GIVEN, result, &kept, sizeof kept);
}

static int
select_give (const struct lc_inputs_call *call, const struct select_call *it)
{
  static const short events[3] = {POLLIN, POLLOUT, POLLPRI};
  struct select_result kept;
  uint64_t ready = 0;

  memset (&kept, 0, sizeof kept);
  lc_inputs_copy (call, 0, &kept, sizeof kept);
  for (int i = 0; i < 3; i++)
    for (int file = 0; it->sets[i] != NULL && call->record.result >= 0 && file < it->n; file++)
      {
        if (FD_ISSET (file, &kept.ready[i]) && FD_ISSET (file, &kept.inner))
          lc_inputs_await (file, events[i]);
        if (FD_ISSET (file, &kept.ready[i]))
          FD_SET (file, it->sets[i]);
        else
          FD_CLR (file, it->sets[i]);
        ready += FD_ISSET (file, &kept.ready[i]) != 0;
      }
  if (it->limit != NULL)
    *it->limit = kept.left;
  return (int)lc_inputs_result_up_to (call, ready);
}

static int
select_run (const struct select_call *it)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_SELECT, -1, (uint64_t)(unsigned int)it->n);
  int result;

  if (call.mode == LC_INPUTS_GIVE && call.record.how == LC_INPUT_GIVEN && it->n <= FD_SETSIZE)
    return select_give (&call, it);
  result = select_do (it);
  if (call.mode == LC_INPUTS_KEEP)
    select_keep (&call, it, result);
  return result;
}

LC_INPUTS_EXPORT int
select (int n, fd_set *restrict reading, fd_set *restrict writing, fd_set *restrict exceptions,
        struct timeval *restrict limit)
{
  return select_run (&(struct select_call){.n = n, .sets = {reading, writing, exceptions}, .limit = limit});
}

LC_INPUTS_EXPORT int
pselect (int n, fd_set *restrict reading, fd_set *restrict writing, fd_set *restrict exceptions,
         const struct timespec *restrict limit, const sigset_t *restrict mask)
{
  return select_run (&(struct select_call){
      .n = n, .sets = {reading, writing, exceptions}, .constant_limit = limit, .mask = mask, .is_pselect = true});
}

/* --- epoll ----------------------------------------------------------------------------------------------------- */

/*
 * What a program registers for a descriptor may be an address, which is another one in a replay. So what is kept are
 * the descriptors, and both sides remember what was registered for them.
 */
enum
{
  EPOLL_ROOM = 1 << 13, /* registrations, by hash */
  EPOLL_MOST = 256,     /* events of a call */
};

struct epoll_registered
{
  uint64_t key;  /* of both descriptors; 0: free */
  uint64_t data; /* of the last registration */
  uint64_t turn; /* the how many-th of all it was: what is closed is registered no more, which nobody tells */
};

struct epoll_result
{
  int32_t file;
  uint32_t found; /* events */
  uint32_t is_inner;
  uint32_t reserved;
};

static struct epoll_registered registered[EPOLL_ROOM];
static uint64_t epoll_turns;

static uint64_t
epoll_key (int epoll, int file)
{
  return ((uint64_t)(unsigned int)epoll << 32 | (unsigned int)file) + 1;
}

static struct epoll_registered *
epoll_find (int epoll, int file, bool make)
{
  const uint64_t key = epoll_key (epoll, file);
  size_t at = (size_t)(key * UINT64_C (0x9E3779B97F4A7C15) >> 51);

  for (size_t i = 0; i < EPOLL_ROOM; i++, at = (at + 1) % EPOLL_ROOM)
    {
      uint64_t found = __atomic_load_n (&registered[at].key, __ATOMIC_ACQUIRE);

      if (found == key)
        return &registered[at];
      if (found != 0)
        continue;
      if (!make)
        return NULL;
      if (__atomic_compare_exchange_n (&registered[at].key, &found, key, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED) ||
          found == key)
        return &registered[at];
    }
  return NULL;
}

LC_INPUTS_EXPORT int
epoll_ctl (int epoll, int operation, int file, struct epoll_event *event)
{
  struct epoll_registered *here = operation != EPOLL_CTL_DEL && event != NULL ? epoll_find (epoll, file, true) : NULL;

  if (here != NULL)
    {
      __atomic_store_n (&here->turn, __atomic_add_fetch (&epoll_turns, 1, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
      __atomic_store_n (&here->data, event->data.u64, __ATOMIC_RELEASE);
    }
  return LC_INPUTS_REAL (epoll_ctl) (epoll, operation, file, event);
}

/* -1: nothing was registered with this. */
static int
epoll_find_file (int epoll, uint64_t data)
{
  uint64_t turn = 0;
  int latest = -1;

  for (size_t i = 0; i < EPOLL_ROOM; i++)
    {
      uint64_t key = __atomic_load_n (&registered[i].key, __ATOMIC_ACQUIRE);

      if (key == 0 || (int)((key - 1) >> 32) != epoll || registered[i].turn <= turn ||
          __atomic_load_n (&registered[i].data, __ATOMIC_ACQUIRE) != data)
        continue;
      latest = (int)((key - 1) & UINT32_MAX);
      turn = registered[i].turn;
    }
  return latest;
}

static void
epoll_keep (struct lc_inputs_call *call, int epoll, const struct epoll_event *events, int result)
{
  struct epoll_result kept[EPOLL_MOST];
  enum lc_input_how how = result > EPOLL_MOST ? LC_INPUT_FREE : LC_INPUT_GIVEN;
  int n = how == LC_INPUT_GIVEN && result > 0 ? result : 0;

  for (int i = 0; i < n; i++)
    {
      const int file = epoll_find_file (epoll, events[i].data.u64);

      if (file < 0)
        how = LC_INPUT_FREE;
      kept[i] = (struct epoll_result){file, events[i].events, lc_inputs_is_inner (lc_inputs_kind_of (file)), 0};
    }
  lc_inputs_keep_bytes (call, how, result, kept, how == LC_INPUT_GIVEN ? (size_t)n * sizeof kept[0] : 0);
}

static int
epoll_give (const struct lc_inputs_call *call, int epoll, struct epoll_event *events, int most)
{
  const uint64_t there = call->record.bytes / sizeof (struct epoll_result), room = most > 0 ? (uint64_t)most : 0;
  const int n = (int)lc_inputs_result_up_to (call, there < room ? there : room);

  for (int i = 0; i < n; i++)
    {
      struct epoll_result kept = {0};
      const struct epoll_registered *here;

      lc_inputs_copy (call, (size_t)i * sizeof kept, &kept, sizeof kept);
      here = epoll_find (epoll, kept.file, false);
      if (kept.is_inner)
        lc_inputs_await (kept.file, (short)(kept.found & (POLLIN | POLLOUT)));
      events[i].events = kept.found;
      events[i].data.u64 = here != NULL ? __atomic_load_n (&here->data, __ATOMIC_ACQUIRE) : 0;
    }
  lc_inputs_result (call); /* once more, for waiting has changed errno */
  return n;
}

LC_INPUTS_EXPORT int
epoll_pwait (int epoll, struct epoll_event *events, int most, int timeout, const sigset_t *mask)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_EPOLL, epoll, (uint64_t)(unsigned int)most);
  int result;

  if (call.mode == LC_INPUTS_GIVE && call.record.how == LC_INPUT_GIVEN)
    return epoll_give (&call, epoll, events, most);
  result = LC_INPUTS_REAL (epoll_pwait) (epoll, events, most, timeout, mask);
  if (call.mode == LC_INPUTS_KEEP)
    epoll_keep (&call, epoll, events, result);
  return result;
}

LC_INPUTS_EXPORT int
epoll_wait (int epoll, struct epoll_event *events, int most, int timeout)
{
  return epoll_pwait (epoll, events, most, timeout, NULL);
}
