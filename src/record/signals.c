/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out who has sent the signal that has ended a wait. */
#include "signals.h"

#include <errno.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "real.h"

/*
 * Each signal that a recorded program sends is noted in .control before it is sent. Who has waited looks for those that
 * it can have got: of the signal, the sender and the way of sending that the system tells; for the thread, its process,
 * or several; sent before the wait was over; and not yet there when it began, unless the signal was pending then. One
 * is certain. Of several, the first is, if the wait has begun before, the others began when it was over, and no other
 * thread can have got it. Else nobody is told. What was sent and is not pending when somebody begins to wait is gone,
 * by a handler or into another signal that was pending already.
 *
 * Where a handler is carried out instead (`pause`, `sigsuspend`), the system does not tell which signal it was. Those
 * can have been it which have a handler and were not blocked. It may have run just before the wait, and then something
 * else has ended that, unless the signal was blocked until then. So else it is certain only if the wait went on for
 * longer before the signal than after it.
 */

enum
{
  SIGNALS = 64,
};

static uint32_t signal_objects[SIGNALS + 1];

static inline uint64_t
signal_bit (uint32_t signal)
{
  return UINT64_C (1) << (signal - 1);
}

uint32_t
lc_signal_object (uint32_t signal)
{
  uint32_t id = signal <= SIGNALS ? __atomic_load_n (&signal_objects[signal], __ATOMIC_RELAXED) : 0;
  struct lc_slot *slot;
  struct lc_slow slow;

  if (LC_LIKELY (id != 0) || signal == 0 || signal > SIGNALS || lc_is_sandboxed ())
    return id;
  lc_slow_begin (&slow);
  slot = lc_shared_signal (signal);
  id = slot != NULL ? lc_slot_id (slot) : 0;
  lc_slow_end (&slow);
  __atomic_store_n (&signal_objects[signal], id, __ATOMIC_RELAXED);
  return id;
}

/* --- Sending ------------------------------------------------------------------------------------------------ */

static inline struct lc_signal_send *
signal_place (uint64_t number)
{
  return &lc_control->signal_sends[(number - 1) % LC_SIGNAL_SENDS];
}

/* Notes are written and read in words, of which the first is the number: it is written last, and read again. */
typedef uint64_t __attribute__ ((may_alias)) signal_word;

enum
{
  WORDS = sizeof (struct lc_signal_send) / sizeof (signal_word),
};

_Static_assert(offsetof (struct lc_signal_send, number) == 0, "the number is the first word");

static void
signal_write (struct lc_signal_send *to, const struct lc_signal_send *from)
{
  signal_word *words = (signal_word *)to;
  const signal_word *source = (const signal_word *)from;

  __atomic_store_n (&words[0], 0, __ATOMIC_SEQ_CST);
  for (size_t i = 1; i < WORDS; i++)
    __atomic_store_n (&words[i], source[i], __ATOMIC_RELEASE);
  __atomic_store_n (&words[0], source[0], __ATOMIC_SEQ_CST);
}

/* False: it is not there (any more). */
static bool
signal_read (uint64_t number, struct lc_signal_send *copy)
{
  const signal_word *words = (const signal_word *)signal_place (number);
  signal_word *to = (signal_word *)copy;

  for (size_t i = 0; i < WORDS; i++)
    to[i] = __atomic_load_n (&words[i], __ATOMIC_ACQUIRE);
  return copy->number == number && __atomic_load_n (&words[0], __ATOMIC_ACQUIRE) == number;
}

static void
signal_note (struct lc_signal_call *call, uint32_t self)
{
  struct lc_signal_send send = {.begin = call->io.begin,
                                .process = call->is_one ? (uint32_t)call->process : 0,
                                .thread = call->thread,
                                .sender = self,
                                .sender_thread = lc_thread_id (),
                                .signal = (uint8_t)call->signal,
                                .is_queued = call->is_queued,
                                .is_event = call->io.thread != NULL};

  send.number = call->number = __atomic_add_fetch (&lc_control->signals_sent, 1, __ATOMIC_SEQ_CST);
  call->send = signal_place (call->number);
  signal_write (call->send, &send);
}

/* A function of its own, so that little of the stack is in use while a handler runs within the call. */
static __attribute__ ((noinline)) void
signal_record (struct lc_signal_call *call)
{
  const uint64_t whom = !call->is_one ? 0 : call->thread != 0 ? call->thread : (uint64_t)call->process;
  const uint32_t object = lc_signal_object ((uint32_t)call->signal);

  lc_append_at (call->io.thread, lc_stack (call->io.thread), LC_SIGNAL_SEND, object, 0, lc_word (call->number, whom),
                call->io.begin, call->io.end);
  call->io.thread = NULL;
}

/* Tells whether the call cannot fail, and its handler may run within it. */
static bool
signal_is_own (const struct lc_signal_call *call, uint32_t self)
{
  return call->is_one && !call->is_queued && call->process == (pid_t)self &&
         (call->thread == 0 || call->thread == lc_thread_id ());
}

/*
 * What a thread sends to itself, or to its process, is recorded before: the handler may end the process or jump.
 * Another call may fail, and is recorded when it has not. A child of `vfork` has the memory of its parent, whose events
 * these are not; and nothing but the noted signal may stay if it is killed.
 */
void
lc_signal_send_begin (struct lc_signal_call *call)
{
  uint32_t self;

  call->send = NULL;
  if (lc_control == NULL || (lc_classes >> LC_CLASS_IO & 1) == 0 || call->signal <= 0 || call->signal > SIGNALS)
    return;
  self = lc_is_sandboxed () ? lc_pid : (uint32_t)syscall (SYS_getpid);
  if (call->is_one && call->process == 0)
    call->process = (pid_t)self;
  call->io = (struct lc_io){.thread = self == lc_pid ? lc_io_enter () : NULL, .file = -1, .operation = LC_SIGNAL_SEND};
  if (call->io.thread != NULL && !signal_is_own (call, self))
    {
      lc_io_begin (&call->io);
      signal_note (call, self);
      return;
    }
  call->io.begin = call->io.end = lc_now ();
  signal_note (call, self);
  if (call->io.thread != NULL)
    signal_record (call);
}

void
lc_signal_send_end (struct lc_signal_call *call, bool failed)
{
  const int error = errno;

  if (call->send == NULL)
    return;
  if (call->io.thread != NULL)
    {
      lc_unblock (call->io.thread);
      call->io.end = lc_now_after ();
    }
  if (__atomic_load_n (&call->send->number, __ATOMIC_SEQ_CST) == call->number)
    __atomic_store_n (&call->send->over, failed ? UINT64_MAX : lc_now_after (), __ATOMIC_SEQ_CST);
  if (call->io.thread != NULL && !failed)
    signal_record (call);
  errno = error;
}

/* --- Waiting ------------------------------------------------------------------------------------------------ */

/* The search for the signal that has ended a wait. */
struct signal_search
{
  const struct lc_io *io;
  const struct lc_signal_wait *wait;
  const siginfo_t *info; /* NULL: a handler was carried out */
  uint64_t may;          /* bits: the signals that can have been it */
  uint64_t outside;      /* those that were blocked before and after the wait */
  uint32_t thread;

  struct lc_signal_send first; /* a copy of the one that began first; number 0: none */
  uint64_t second;             /* when the next one began */
};

static inline uint64_t
signal_first_kept (uint64_t sent)
{
  return sent > LC_SIGNAL_SENDS ? sent - LC_SIGNAL_SENDS + 1 : 1;
}

static inline bool
signal_is_for (const struct lc_signal_send *send, uint32_t thread)
{
  return send->process == 0 || (send->process == lc_pid && (send->thread == 0 || send->thread == thread));
}

/* Signals that were sent before this wait, and are not pending, are gone. A handler may have jumped out of a call that
 * this thread has made. */
static void
signal_bury (uint64_t number, const struct lc_io *io, const struct lc_signal_wait *wait, uint32_t thread)
{
  struct lc_signal_send *send = signal_place (number), copy;
  uint64_t none = 0;

  if (!signal_read (number, &copy))
    return;
  if (copy.over == 0 && copy.sender == lc_pid && copy.sender_thread == thread)
    {
      copy.over = io->begin - 1;
      __atomic_compare_exchange_n (&send->over, &none, copy.over, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
  none = 0;
  if (copy.over != 0 && copy.over < io->begin && copy.process != 0 && copy.gone == 0 && signal_is_for (&copy, thread) &&
      (wait->pending & signal_bit (copy.signal)) == 0)
    __atomic_compare_exchange_n (&send->gone, &none, io->begin, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void
lc_signal_wait_begin (struct lc_io *io, struct lc_signal_wait *wait)
{
  const int error = errno;
  const uint32_t thread = lc_thread_id ();

  wait->sent = __atomic_load_n (&lc_control->signals_sent, __ATOMIC_SEQ_CST);
  if (lc_is_sandboxed () || syscall (SYS_rt_sigpending, &wait->pending, sizeof wait->pending) != 0)
    wait->pending = UINT64_MAX;
  for (uint64_t number = signal_first_kept (wait->sent); number <= wait->sent; number++)
    signal_bury (number, io, wait, thread);
  errno = error;
}

static bool
signal_can_be (const struct signal_search *search, const struct lc_signal_send *send)
{
  const uint64_t begin = search->io->begin;

  if (!signal_is_for (send, search->thread) || (search->may & signal_bit (send->signal)) == 0 ||
      send->begin > search->io->end || send->over == UINT64_MAX || send->is_taken)
    return false;
  if (search->info != NULL &&
      (send->sender != (uint32_t)search->info->si_pid || send->is_queued != (search->info->si_code == SI_QUEUE)))
    return false;
  if (send->gone != 0 && send->gone <= begin)
    return false;
  return send->over == 0 || send->over >= begin || (search->wait->pending & signal_bit (send->signal)) != 0;
}

/* Without a handler, a signal that is not blocked ends the process, stops it, or does nothing. */
static bool
signal_has_handler (uint32_t signal)
{
  struct sigaction action;

  return LC_REAL (sigaction) ((int)signal, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
         action.sa_handler != SIG_IGN;
}

/* Returns how many can have been it. */
static uint32_t
signal_search (struct signal_search *search, uint64_t sent)
{
  uint32_t n = 0;

  search->first.number = 0;
  search->second = UINT64_MAX;
  for (uint64_t number = signal_first_kept (sent); number <= sent; number++)
    {
      struct lc_signal_send send;

      if (!signal_read (number, &send) || send.signal == 0 || send.signal > SIGNALS || !signal_can_be (search, &send) ||
          (search->info == NULL && !signal_has_handler (send.signal)))
        continue;
      if (n++ == 0 || send.begin < search->first.begin)
        {
          search->second = n > 1 ? search->first.begin : UINT64_MAX;
          search->first = send;
        }
      else if (send.begin < search->second)
        search->second = send.begin;
    }
  return n;
}

/* Tells whether all that can have been it are still noted. */
static bool
signal_has_all (const struct signal_search *search, uint64_t sent)
{
  if (sent <= LC_SIGNAL_SENDS)
    return true;
  return (search->wait->pending & search->may) == 0 && sent < search->wait->sent + LC_SIGNAL_SENDS / 2;
}

static bool
signal_is_certain_for_handler (const struct signal_search *search)
{
  const struct lc_signal_send *first = &search->first;
  const uint64_t bit = signal_bit (first->signal), begin = search->io->begin;

  if ((search->wait->pending & search->may & ~bit) != 0 || (first->thread == 0 && !__libc_single_threaded))
    return false;
  if ((search->outside & bit) != 0)
    return true;
  return first->begin > begin && first->begin - begin >= search->io->end - first->begin;
}

static bool
signal_is_certain (const struct signal_search *search, uint32_t n)
{
  const struct lc_signal_send *first = &search->first;

  if (n > 1 && (first->thread == 0 || first->over == 0 || first->over >= search->second ||
                first->begin <= search->io->begin || (search->wait->pending & signal_bit (first->signal)) != 0))
    return false;
  return search->info != NULL || signal_is_certain_for_handler (search);
}

/* A signal that was sent to one thread or process has ended one wait. */
static bool
signal_take (const struct lc_signal_send *first)
{
  struct lc_signal_send *send = signal_place (first->number);
  uint32_t not = 0;

  return first->process == 0 ||
         (__atomic_load_n (&send->number, __ATOMIC_SEQ_CST) == first->number &&
          __atomic_compare_exchange_n (&send->is_taken, &not, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

/* Others than these come from a timer, the system, or the end of a child. In a sandbox nobody can ask what is blocked.
 */
static bool
signal_may_be_known (const siginfo_t *info)
{
  if (info == NULL)
    return !lc_is_sandboxed ();
  return info->si_code == SI_USER || info->si_code == SI_TKILL || info->si_code == SI_QUEUE;
}

void
lc_signal_wait_end (struct lc_io *io, const struct lc_signal_wait *wait, const siginfo_t *info, const sigset_t *mask)
{
  const int error = errno;
  const uint64_t sent = __atomic_load_n (&lc_control->signals_sent, __ATOMIC_SEQ_CST);
  struct signal_search search = {.io = io, .wait = wait, .info = info, .thread = lc_thread_id ()};
  sigset_t outside;
  uint64_t blocked;
  uint32_t n;

  if (!signal_may_be_known (info))
    return;
  if (info != NULL)
    search.may = signal_bit ((uint32_t)info->si_signo);
  else if (LC_REAL (pthread_sigmask) (SIG_BLOCK, NULL, &outside) == 0)
    {
      memcpy (&search.outside, &outside, sizeof search.outside);
      memcpy (&blocked, mask != NULL ? mask : &outside, sizeof blocked);
      search.may = ~blocked;
    }
  n = signal_search (&search, sent);
  if (!signal_has_all (&search, sent) || (n > 0 && !signal_is_certain (&search, n)))
    io->is_unknown = true;
  else if (n > 0 && search.first.is_event && signal_take (&search.first))
    {
      io->operation = LC_SIGNAL_RECEIVE;
      io->signal = search.first.signal;
      io->sequence = search.first.number;
    }
  errno = error;
}
