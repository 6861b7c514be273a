/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that the program makes without the C library: the system turns each into a SIGSYS, whose handler records
 * it if it is a futex, and makes the call from the C library's code. */
#include "dispatch.h"

#if LC_HAVE_DISPATCH
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "real.h"
#include "recorder.h"
#include "wrap-futex.h"

enum
{
  DISPATCH_OFF = 0, /* PR_SYS_DISPATCH_OFF and ..._ON */
  DISPATCH_ON = 1,
  CODE_DISPATCH = 2,       /* si_code of our SIGSYS: SYS_USER_DISPATCH, which older headers do not have */
  NOTE_GO = 4,             /* type of the note that the linker of Go leaves in a program */
  CALL_BYTES = 2,          /* length of each instruction that makes a system call */
  KERNEL_MASK = 8,         /* bytes of the system's sets of signals */
  DISPATCH_LOCK_PI2 = 13,  /* FUTEX_LOCK_PI2, which older headers do not have */
  SELECTOR_ALLOWS = 0,     /* SYSCALL_DISPATCH_FILTER_ALLOW */
  SELECTOR_DISPATCHES = 1, /* SYSCALL_DISPATCH_FILTER_BLOCK */
};

/* An action of a signal as the system call takes it. */
struct dispatch_action
{
  void (*handler) (int);
  unsigned long flags;
  void (*restorer) (void);
  uint64_t mask;
};

bool lc_dispatch_is_on;

/* The system reads it at each call of a thread that has asked for dispatch. */
static volatile char dispatch_selector;

/* The dispatch was given up: a SIGSYS is not ours, and no thread begins any more. */
static volatile bool dispatch_is_over;

static uintptr_t dispatch_libc, dispatch_libc_end;
static void (*dispatch_restorer) (void); /* the C library's return from a signal handler */

/* What the program has set for SIGSYS. */
static struct sigaction dispatch_own;

static __thread struct
{
  bool is_on;
  bool is_blocked; /* as far as the program knows, SIGSYS is blocked */
} dispatch_thread __attribute__ ((tls_model ("initial-exec")));

static const uint64_t dispatch_bit = UINT64_C (1) << (SIGSYS - 1);

void
lc_dispatch_note (enum lc_futex_trouble trouble)
{
  if (lc_control->futex_all)
    __atomic_or_fetch (&lc_control->futex_trouble, (uint32_t)trouble, __ATOMIC_RELAXED);
}

/* --- Threads ----------------------------------------------------------------------------------------------- */

static bool
dispatch_ask (bool on)
{
  return LC_REAL (syscall) (SYS_prctl, LC_SET_DISPATCH, on ? DISPATCH_ON : DISPATCH_OFF, on ? dispatch_libc : 0,
                            on ? dispatch_libc_end - dispatch_libc : 0, on ? &dispatch_selector : NULL) == 0;
}

/* The code that a thread begins with: does it belong to Go? NULL: does anything that is loaded? */
struct dispatch_search
{
  uintptr_t address;
  bool is_go;
};

static bool
dispatch_has_note (const unsigned char *note, size_t bytes)
{
  while (bytes >= sizeof (ElfW (Nhdr)))
    {
      const ElfW (Nhdr) *header = (const void *)note;
      const size_t name = (header->n_namesz + 3u) & ~(size_t)3, size = (header->n_descsz + 3u) & ~(size_t)3;

      if (name > bytes - sizeof *header || size > bytes - sizeof *header - name)
        return false;
      if (header->n_type == NOTE_GO && header->n_namesz == 4 && memcmp (header + 1, "Go", 3) == 0)
        return true;
      note += sizeof *header + name + size;
      bytes -= sizeof *header + name + size;
    }
  return false;
}

static int
dispatch_look_in (struct dl_phdr_info *info, size_t size, void *data)
{
  struct dispatch_search *search = data;
  bool is_in = search->address == 0, is_go = false;

  for (size_t i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *header = &info->dlpi_phdr[i];
      const uintptr_t begin = info->dlpi_addr + header->p_vaddr;

      if (header->p_type == PT_LOAD)
        is_in |= search->address - begin < header->p_memsz;
      else if (header->p_type == PT_NOTE && header->p_align <= 4)
        is_go |= dispatch_has_note ((const unsigned char *)begin, header->p_memsz);
    }
  search->is_go |= is_in && is_go;
  return search->is_go || (is_in && search->address != 0);
}

/* Go's threads run on stacks that have no room for the frame of a signal. */
static bool
dispatch_is_go (const void *address)
{
  struct dispatch_search search = {(uintptr_t)address, false};

  dl_iterate_phdr (dispatch_look_in, &search);
  return search.is_go;
}

/* A SIGSYS while it is blocked would end the program. */
static void
dispatch_unblock (void)
{
  uint64_t before = 0;

  if (LC_REAL (syscall) (SYS_rt_sigprocmask, SIG_UNBLOCK, &dispatch_bit, &before, KERNEL_MASK) == 0 &&
      (before & dispatch_bit) != 0)
    dispatch_thread.is_blocked = true;
}

void
lc_dispatch_thread_begin (const void *routine)
{
  const int error = errno;

  if (LC_LIKELY (!lc_dispatch_is_on) || dispatch_is_over || lc_is_sandboxed ())
    return;
  if (routine != NULL && dispatch_is_go (routine))
    {
      lc_dispatch_stop (LC_FUTEX_GO);
      return;
    }
  dispatch_unblock ();
  dispatch_thread.is_on = dispatch_ask (true);
  if (!dispatch_thread.is_on)
    lc_dispatch_note (LC_FUTEX_KERNEL);
  errno = error;
}

bool
lc_dispatch_thread_end (void)
{
  const int error = errno;
  const bool was_on = lc_dispatch_is_on && dispatch_thread.is_on;

  if (was_on)
    {
      dispatch_ask (false);
      dispatch_thread.is_on = false;
    }
  errno = error;
  return was_on;
}

void
lc_dispatch_stop (enum lc_futex_trouble trouble)
{
  if (!lc_dispatch_is_on || dispatch_is_over)
    return;
  dispatch_is_over = true;
  dispatch_selector = SELECTOR_ALLOWS;
  lc_dispatch_note (trouble);
}

/* --- Signals ----------------------------------------------------------------------------------------------- */

const sigset_t *
lc_dispatch_open_mask (const sigset_t *set, sigset_t *room)
{
  if (set == NULL || sigismember (set, SIGSYS) != 1)
    return set;
  *room = *set;
  sigdelset (room, SIGSYS);
  return room;
}

/* Remembers what the program has asked for, and returns what it had asked for before. */
static bool
dispatch_note_mask (int how, bool is_changed, bool has_signal)
{
  const bool before = dispatch_thread.is_blocked;

  if (is_changed && (how == SIG_SETMASK || has_signal))
    dispatch_thread.is_blocked = how != SIG_UNBLOCK && has_signal;
  return before;
}

int
lc_dispatch_change_mask (int how, const sigset_t *set, sigset_t *before)
{
  sigset_t room;
  const bool has_signal = set != NULL && sigismember (set, SIGSYS) == 1;
  const int result = LC_REAL (sigprocmask) (how, lc_dispatch_open_mask (set, &room), before);

  if (result == 0 && dispatch_note_mask (how, set != NULL, has_signal) && before != NULL)
    sigaddset (before, SIGSYS);
  return result;
}

int
lc_dispatch_change_action (int signal, const struct sigaction *action, struct sigaction *before)
{
  struct sigaction room;

  if (signal == SIGSYS)
    {
      room = dispatch_own;
      if (action != NULL)
        dispatch_own = *action;
      if (before != NULL)
        *before = room;
      return 0;
    }
  if (action == NULL || sigismember (&action->sa_mask, SIGSYS) != 1)
    return LC_REAL (sigaction) (signal, action, before);
  room = *action;
  sigdelset (&room.sa_mask, SIGSYS);
  return LC_REAL (sigaction) (signal, &room, before);
}

/* A SIGSYS that somebody has sent, or that a filter of system calls has raised. */
static void
dispatch_forward (int number, siginfo_t *info, void *context)
{
  const struct sigaction own = dispatch_own;
  struct sigaction standard = {.sa_handler = SIG_DFL};

  if (dispatch_thread.is_blocked && info->si_code <= 0)
    return; /* the program has blocked what others may send it */
  if ((own.sa_flags & SA_SIGINFO) != 0)
    own.sa_sigaction (number, info, context);
  else if (own.sa_handler == SIG_DFL || (own.sa_handler == SIG_IGN && info->si_code > 0))
    {
      LC_REAL (sigaction) (SIGSYS, &standard, NULL);
      LC_REAL (syscall) (SYS_tgkill, LC_REAL (syscall) (SYS_getpid), LC_REAL (syscall) (SYS_gettid), SIGSYS);
    }
  else if (own.sa_handler != SIG_IGN)
    own.sa_handler (number);
}

/* --- Calls ------------------------------------------------------------------------------------------------- */

/* Returns a call's result as the system gives it. */
static long
dispatch_raw (long result)
{
  return result == -1 ? -errno : result;
}

static long
dispatch_pass (long number, const unsigned long arguments[6])
{
  return dispatch_raw (
      LC_REAL (syscall) (number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]));
}

/*
 * Tells whether the call has to be made where the program makes it: the child would return from this handler on another
 * stack or on the parent's; or the end of the handler would undo what the call has set, or might not be allowed after
 * it.
 */
static bool
dispatch_belongs_there (long number, const unsigned long arguments[6])
{
  switch (number)
    {
    case SYS_vfork:
    case SYS_arch_prctl:
    case SYS_pkey_alloc:
    case SYS_seccomp:
    case SYS_clone3:
      return true;
    case SYS_clone:
      return (arguments[0] & CLONE_VM) != 0;
    case SYS_prctl:
      return arguments[0] == PR_SET_SECCOMP || arguments[0] == LC_SET_DISPATCH;
    default:
      return false;
    }
}

/* The thread repeats the call when the handler has returned, and its calls are no longer seen. */
static void
dispatch_step_aside (ucontext_t *context)
{
  if (dispatch_thread.is_on)
    lc_dispatch_note (LC_FUTEX_ASIDE);
  dispatch_ask (false);
  dispatch_thread.is_on = false;
  context->uc_mcontext.gregs[REG_RIP] -= CALL_BYTES;
}

/* The program returns from a handler of its own by code of its own: its frame is where the stack pointer was. */
static __attribute__ ((noreturn)) void
dispatch_return (const ucontext_t *context)
{
  __asm__ volatile("movq %0, %%rsp\n\t"
                   "jmp *%1"
                   :
                   : "r"(context->uc_mcontext.gregs[REG_RSP]), "r"(dispatch_restorer)
                   : "memory");
  __builtin_unreachable ();
}

/* The system tells by an invalid request whether the program's memory can be read, before the request is changed. */
static long
dispatch_change_mask (const unsigned long arguments[6], ucontext_t *context)
{
  const uint64_t *set = (const void *)arguments[1];
  const int how = (int)arguments[0];
  bool has_signal;
  uint64_t open, now;
  long result;

  if (arguments[3] != KERNEL_MASK)
    return dispatch_pass (SYS_rt_sigprocmask, arguments);
  result = LC_REAL (syscall) (SYS_rt_sigprocmask, -1, set, NULL, KERNEL_MASK);
  if (set != NULL && result != 0 && errno == EFAULT)
    return -EFAULT;
  has_signal = set != NULL && (*set & dispatch_bit) != 0;
  open = set != NULL ? *set & ~dispatch_bit : 0;
  result = dispatch_raw (
      LC_REAL (syscall) (SYS_rt_sigprocmask, how, set != NULL ? &open : NULL, (void *)arguments[2], KERNEL_MASK));
  if (result != 0)
    return result;
  if (dispatch_note_mask (how, set != NULL, has_signal) && arguments[2] != 0)
    *(uint64_t *)arguments[2] |= dispatch_bit;
  if (LC_REAL (syscall) (SYS_rt_sigprocmask, SIG_BLOCK, NULL, &now, KERNEL_MASK) == 0)
    memcpy (&context->uc_sigmask, &now, sizeof now);
  return 0;
}

static long
dispatch_change_own (const struct dispatch_action *action, struct dispatch_action *before)
{
  const struct sigaction was = dispatch_own;

  if (action != NULL)
    {
      dispatch_own = (struct sigaction){.sa_handler = action->handler, .sa_flags = (int)action->flags};
      memcpy (&dispatch_own.sa_mask, &action->mask, sizeof action->mask);
    }
  if (before != NULL)
    {
      *before = (struct dispatch_action){.handler = was.sa_handler, .flags = (unsigned int)was.sa_flags};
      memcpy (&before->mask, &was.sa_mask, sizeof before->mask);
    }
  return 0;
}

static long
dispatch_change_action (const unsigned long arguments[6])
{
  const struct dispatch_action *action = (const void *)arguments[1];
  struct dispatch_action open;

  if (arguments[3] != KERNEL_MASK)
    return dispatch_pass (SYS_rt_sigaction, arguments);
  if (action != NULL && LC_REAL (syscall) (SYS_rt_sigaction, 0, action, NULL, KERNEL_MASK) != 0 && errno == EFAULT)
    return -EFAULT;
  if ((int)arguments[0] == SIGSYS)
    return dispatch_change_own (action, (void *)arguments[2]);
  if (action != NULL)
    {
      open = *action;
      open.mask &= ~dispatch_bit;
    }
  return dispatch_raw (
      LC_REAL (syscall) (SYS_rt_sigaction, arguments[0], action != NULL ? &open : NULL, arguments[2], KERNEL_MASK));
}

/* The end of the handler sets the stack for signals that is in its context. */
static long
dispatch_change_stack (const unsigned long arguments[6], ucontext_t *context)
{
  const long result = dispatch_pass (SYS_sigaltstack, arguments);

  if (result == 0 && arguments[0] != 0)
    memcpy (&context->uc_stack, (const void *)arguments[0], sizeof context->uc_stack);
  return result;
}

static bool
dispatch_may_sleep (long number, const unsigned long arguments[6])
{
  const unsigned int operation = (unsigned int)arguments[1] & (unsigned int)FUTEX_CMD_MASK;

  return number != SYS_futex || operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET ||
         operation == FUTEX_LOCK_PI || operation == DISPATCH_LOCK_PI2 || operation == FUTEX_WAIT_REQUEUE_PI;
}

/* A wait within an operation that is recorded is told by that. */
static long
dispatch_futex (long number, unsigned long arguments[6])
{
  struct lc_thread *thread = lc_self;

  if (thread != NULL && thread->state != 0 && dispatch_may_sleep (number, arguments))
    return number == SYS_futex ? dispatch_raw (lc_futex_within (thread, arguments)) : dispatch_pass (number, arguments);
  return dispatch_raw (number == SYS_futex ? lc_futex (arguments, LC_EVENT_TRAPPED)
                                           : lc_futex_waitv (arguments, LC_EVENT_TRAPPED));
}

static long
dispatch_call (long number, unsigned long arguments[6], ucontext_t *context)
{
  switch (number)
    {
    case SYS_futex:
    case SYS_futex_waitv:
      return dispatch_futex (number, arguments);
    case SYS_rt_sigprocmask:
      return dispatch_change_mask (arguments, context);
    case SYS_rt_sigaction:
      return dispatch_change_action (arguments);
    case SYS_sigaltstack:
      return dispatch_change_stack (arguments, context);
    default:
      return dispatch_pass (number, arguments);
    }
}

static void
dispatch_signal (int signal, siginfo_t *info, void *data)
{
  ucontext_t *context = data;
  greg_t *registers = context->uc_mcontext.gregs;
  unsigned long arguments[6] = {(unsigned long)registers[REG_RDI], (unsigned long)registers[REG_RSI],
                                (unsigned long)registers[REG_RDX], (unsigned long)registers[REG_R10],
                                (unsigned long)registers[REG_R8],  (unsigned long)registers[REG_R9]};
  const int error = errno;
  const long number = info->si_syscall;

  if (info->si_code != CODE_DISPATCH || (dispatch_is_over && !dispatch_thread.is_on))
    dispatch_forward (signal, info, data);
  else if (info->si_arch != AUDIT_ARCH_X86_64 || dispatch_belongs_there (number, arguments))
    {
      if (number == SYS_prctl && arguments[0] == LC_SET_DISPATCH)
        lc_dispatch_stop (LC_FUTEX_TAKEN);
      dispatch_step_aside (context);
    }
  else if (number == SYS_rt_sigreturn)
    {
      errno = error;
      dispatch_return (context);
    }
  else
    registers[REG_RAX] = dispatch_call (number, arguments, context);
  errno = error;
}

/* --- The beginning ----------------------------------------------------------------------------------------- */

/* The C library's own calls are not dispatched: this is where they come from. False: somebody is in front of it. */
static bool
dispatch_find_libc (void)
{
  struct dl_find_object found;
  const uintptr_t call = (uintptr_t)LC_REAL (syscall);

  if (_dl_find_object ((void *)(uintptr_t)gnu_get_libc_version, &found) != 0)
    return false;
  dispatch_libc = (uintptr_t)found.dlfo_map_start;
  dispatch_libc_end = (uintptr_t)found.dlfo_map_end;
  return call >= dispatch_libc && call < dispatch_libc_end;
}

static bool
dispatch_take_signal (void)
{
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
  struct dispatch_action set;

  action.sa_sigaction = dispatch_signal;
  if (LC_REAL (sigaction) (SIGSYS, &action, &dispatch_own) != 0 ||
      LC_REAL (syscall) (SYS_rt_sigaction, SIGSYS, NULL, &set, KERNEL_MASK) != 0)
    return false;
  dispatch_restorer = set.restorer;
  return true;
}

/* Our own code has made its call. */
static void
dispatch_go_on (void)
{
  lc_dispatch_thread_begin (NULL);
}

void
lc_dispatch_begin (void)
{
  if (!lc_control->futex_all)
    return;
  if (dispatch_is_go (NULL))
    lc_dispatch_note (LC_FUTEX_GO);
  else if (!dispatch_find_libc ())
    lc_dispatch_note (LC_FUTEX_LIBRARY);
  else if (!dispatch_ask (true) || !dispatch_ask (false))
    lc_dispatch_note (LC_FUTEX_KERNEL);
  else if (dispatch_take_signal ())
    {
      dispatch_selector = SELECTOR_DISPATCHES;
      lc_elsewhere_begin = lc_dispatch_thread_end;
      lc_elsewhere_end = dispatch_go_on;
      lc_dispatch_is_on = true;
    }
}

#else
#include "recorder.h"

bool lc_dispatch_is_on;

void
lc_dispatch_begin (void)
{
  if (lc_control->futex_all)
    __atomic_or_fetch (&lc_control->futex_trouble, (uint32_t)LC_FUTEX_KERNEL, __ATOMIC_RELAXED);
}

void
lc_dispatch_thread_begin (const void *routine)
{
  (void)routine;
}

bool
lc_dispatch_thread_end (void)
{
  return false;
}

const sigset_t *
lc_dispatch_open_mask (const sigset_t *set, sigset_t *room)
{
  (void)room;
  return set;
}

#endif
