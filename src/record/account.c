/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the kernel, at the end of a thread, how long it has run, was ready to run, and how often it left its processor.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "recorder.h"

enum
{
  PATH_ROOM = 64,
  STATUS_ROOM = 4096,
  MOST_OTHERS = 128, /* threads to ask for at the end of a program, at some 20 us each */
  SHORT_LIFE = 500,  /* parts of a second: after a shorter life, asking would cost more than it tells */
  ERRAND_LIFE = 50,  /* the same of a thread's errand, which takes 70 us */
  NS_PER_SECOND = 1000000000,
};

/* A thread that was still there when another one ended the program. */
struct account_other
{
  uint32_t thread;
  struct lc_spent spent;
};

/* What the system call getdents64 gives for each name in a folder. */
struct account_entry
{
  uint64_t inode;
  int64_t offset;
  uint16_t length; /* of this all */
  uint8_t type;
  char name[];
};

struct account_errand
{
  uint32_t self;
  uint64_t runnable;
  bool with_others;
  uint32_t n_others;
};

/* Only one thread ends a program, and stacks may be small. */
static struct account_other others[MOST_OTHERS];

/* --- Files of /proc, by system calls only ------------------------------------------------------------------ */

static char *
account_add_number (char *to, uint32_t number)
{
  char digits[10];
  int n = 0;

  do
    digits[n++] = (char)('0' + number % 10);
  while ((number /= 10) != 0);
  while (n > 0)
    *to++ = digits[--n];
  return to;
}

/* "/proc/PID/task", and with a file "/proc/PID/task/TID/FILE". */
static void
account_make_path (char *path, uint32_t thread, const char *file)
{
  char *to = stpcpy (path, "/proc/");

  to = stpcpy (account_add_number (to, lc_pid), "/task");
  if (file == NULL)
    return;
  *to++ = '/';
  stpcpy (account_add_number (to, thread), file);
}

static long
account_read (const char *path, char *text, size_t room)
{
  int file = (int)syscall (SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
  long size;

  if (file < 0)
    return -1;
  size = syscall (SYS_read, file, text, room - 1);
  syscall (SYS_close, file);
  text[size > 0 ? size : 0] = '\0';
  return size;
}

/* Reads the number that begins at the text or after some blanks, and sets `end` behind it. */
static uint64_t
account_number (const char *text, const char **end)
{
  uint64_t number = 0;

  while (*text == ' ' || *text == '\t')
    text++;
  *end = text;
  for (; **end >= '0' && **end <= '9'; (*end)++)
    number = number * 10 + (uint64_t)(**end - '0');
  return *end == text ? LC_ACCOUNT_UNKNOWN : number;
}

/* "RUNNING RUNNABLE SLICES", both in ns. */
static bool
account_read_times (uint32_t thread, struct lc_spent *spent)
{
  char path[PATH_ROOM], text[96];
  const char *rest;

  account_make_path (path, thread, "/schedstat");
  if (account_read (path, text, sizeof text) <= 0)
    return false;
  spent->running = account_number (text, &rest);
  spent->runnable = account_number (rest, &rest);
  return true;
}

static uint64_t
account_find_number (const char *text, const char *label)
{
  const char *line = strstr (text, label), *end;

  return line != NULL ? account_number (line + strlen (label), &end) : LC_ACCOUNT_UNKNOWN;
}

static void
account_read_switches (uint32_t thread, struct lc_spent *spent)
{
  char path[PATH_ROOM], text[STATUS_ROOM];

  account_make_path (path, thread, "/status");
  if (account_read (path, text, sizeof text) <= 0)
    return;
  spent->voluntary = account_find_number (text, "\nvoluntary_ctxt_switches:");
  spent->involuntary = account_find_number (text, "\nnonvoluntary_ctxt_switches:");
}

/* --- The errand -------------------------------------------------------------------------------------------- */

static void
account_add_other (struct account_errand *errand, uint32_t thread)
{
  struct account_other *other = &others[errand->n_others];

  *other =
      (struct account_other){thread, {LC_ACCOUNT_UNKNOWN, LC_ACCOUNT_UNKNOWN, LC_ACCOUNT_UNKNOWN, LC_ACCOUNT_UNKNOWN}};
  if (!account_read_times (thread, &other->spent))
    return;
  account_read_switches (thread, &other->spent);
  errand->n_others++;
}

static void
account_find_others (struct account_errand *errand)
{
  char path[PATH_ROOM];
  char entries[2048] __attribute__ ((aligned (8)));
  int folder;
  long size;

  account_make_path (path, 0, NULL);
  folder = (int)syscall (SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  while (folder >= 0 && (size = syscall (SYS_getdents64, folder, entries, sizeof entries)) > 0)
    for (long at = 0; at < size; at += ((const struct account_entry *)(const void *)(entries + at))->length)
      {
        const struct account_entry *entry = (const void *)(entries + at);
        const char *end;
        uint64_t thread = account_number (entry->name, &end);

        if (thread != LC_ACCOUNT_UNKNOWN && thread != errand->self && errand->n_others < MOST_OTHERS)
          account_add_other (errand, (uint32_t)thread);
      }
}

static void
account_run_errand (void *data)
{
  struct account_errand *errand = data;
  struct lc_spent spent;

  if (account_read_times (errand->self, &spent))
    errand->runnable = spent.runnable;
  if (errand->with_others)
    account_find_others (errand);
}

/* --- The account ------------------------------------------------------------------------------------------- */

/* What costs no descriptor. */
static void
account_ask (struct lc_spent *spent)
{
  struct timespec time;
  struct rusage usage;

  *spent = (struct lc_spent){LC_ACCOUNT_UNKNOWN, LC_ACCOUNT_UNKNOWN, LC_ACCOUNT_UNKNOWN, LC_ACCOUNT_UNKNOWN};
  if (syscall (SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &time) == 0)
    spent->running = (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
  if (syscall (SYS_getrusage, RUSAGE_THREAD, &usage) == 0)
    {
      spent->voluntary = (uint64_t)usage.ru_nvcsw;
      spent->involuntary = (uint64_t)usage.ru_nivcsw;
    }
}

void
lc_account_begin (struct lc_thread *thread, bool may_open)
{
  struct lc_spent times;

  if (lc_is_sandboxed ())
    return;
  account_ask (&thread->spent);
  if (may_open && account_read_times (lc_thread_id (), &times))
    thread->spent.runnable = times.runnable;
}

static uint64_t
account_since (uint64_t now, uint64_t before)
{
  if (now == LC_ACCOUNT_UNKNOWN || before == LC_ACCOUNT_UNKNOWN)
    return LC_ACCOUNT_UNKNOWN;
  return now > before ? now - before : 0;
}

static void
account_write (enum lc_account_kind kind, uint32_t of, const struct lc_spent *spent, uint64_t ended, uint64_t asked)
{
  const struct lc_account_record record = {
      .object_class = LC_CLASS_ACCOUNT,
      .kind = (uint8_t)kind,
      .of = of,
      .running = spent->running,
      .runnable = spent->runnable,
      .ended = ended,
      .voluntary = spent->voluntary,
      .involuntary = spent->involuntary,
      .asked = asked,
  };
  struct lc_object_record first;

  memcpy (&first, &record, sizeof first);
  lc_object_new_at (&first, (const char *)&record.voluntary, sizeof record - sizeof first);
}

void
lc_account_end (const struct lc_thread *thread, enum lc_account_kind kind, uint64_t now)
{
  struct account_errand errand = {
      .self = lc_thread_id (), .runnable = LC_ACCOUNT_UNKNOWN, .with_others = kind == LC_ACCOUNT_PROGRAM};
  struct lc_spent spent;
  const uint64_t asked = lc_now (), life = asked - thread->begun, second = lc_control->frequency;
  const bool is_short = life <= second / SHORT_LIFE;

  if (lc_is_sandboxed ())
    return;
  /* The exit event of a thread tells when it ended. */
  if (is_short && kind == LC_ACCOUNT_THREAD && lc_classes >> LC_CLASS_THREAD & 1)
    return;
  account_ask (&spent);
  if (life > second / (kind == LC_ACCOUNT_PROGRAM ? SHORT_LIFE : ERRAND_LIFE))
    lc_elsewhere (account_run_errand, &errand);
  spent.running = account_since (spent.running, thread->spent.running);
  spent.runnable = account_since (errand.runnable, thread->spent.runnable);
  spent.voluntary = account_since (spent.voluntary, thread->spent.voluntary);
  spent.involuntary = account_since (spent.involuntary, thread->spent.involuntary);
  account_write (kind, thread->process, &spent, now, asked);
  for (uint32_t i = 0; i < errand.n_others; i++)
    account_write (LC_ACCOUNT_SEEN, others[i].thread, &others[i].spent, now, asked);
}
