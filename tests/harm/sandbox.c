/* SPDX-License-Identifier: Apache-2.0 */
/* Locks mutexes inside of a sandbox: sandbox MODE. What a sandbox kills for may not be asked of the system. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "threads.h"

enum
{
  TIMES = 200000, /* more than one packet */
  OBJECTS = 3000,
};

static bool go_on;

static void
say (const char *text)
{
  if (write (STDOUT_FILENO, text, strlen (text)) < 0)
    syscall (SYS_exit, 3);
}

/* Allows these alone, for the whole process if `threads` says so. */
static void
filter (const int *allowed, size_t n, unsigned flags)
{
  struct sock_filter code[64];
  struct sock_fprog program = {.filter = code};
  size_t at = 0;

  code[at++] = (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr));
  for (size_t i = 0; i < n; i++)
    {
      code[at++] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i], 0, 1);
      code[at++] = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
  code[at++] = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  program.len = (unsigned short)at;
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) != 0)
    syscall (SYS_exit_group, 77);
}

#define ALLOW(flags, ...) \
  do \
    { \
      static const int allowed_[] = {__VA_ARGS__}; \
      filter (allowed_, sizeof allowed_ / sizeof *allowed_, flags); \
    } \
  while (0)

/* One that is known already, and many that are not. */
static void
lock_all (void)
{
  static pthread_mutex_t known = PTHREAD_MUTEX_INITIALIZER, others[OBJECTS];

  lock_often (&known, TIMES);
  for (int i = 0; i < OBJECTS; i++)
    {
      pthread_mutex_init (&others[i], NULL);
      lock_often (&others[i], 2);
      pthread_mutex_destroy (&others[i]);
    }
}

static void
be_strict (void)
{
  if (prctl (PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
    syscall (SYS_exit, 77);
  lock_all ();
  say ("strict\n");
  syscall (SYS_exit, 0);
}

static void
be_alone (void)
{
  ALLOW (0, SYS_write, SYS_exit, SYS_exit_group, SYS_futex);
  lock_all ();
  say ("alone\n");
}

/* The filter comes when the threads are there, to all of them. */
static void *
wait_and_lock (void *mutex)
{
  while (!__atomic_load_n (&go_on, __ATOMIC_ACQUIRE))
    continue;
  lock_often (mutex, TIMES);
  return NULL;
}

static void
be_with_threads (void)
{
  for (int i = 0; i < LOCKERS; i++)
    {
      pthread_mutex_init (&locker_mutexes[i].mutex, NULL);
      pthread_create (&lockers[i], NULL, wait_and_lock, &locker_mutexes[i].mutex);
    }
  ALLOW (SECCOMP_FILTER_FLAG_TSYNC, SYS_write, SYS_exit, SYS_exit_group, SYS_futex, SYS_madvise, SYS_munmap,
         SYS_mprotect, SYS_rt_sigprocmask, SYS_rseq, SYS_set_robust_list);
  __atomic_store_n (&go_on, true, __ATOMIC_RELEASE);
  for (int i = 0; i < LOCKERS; i++)
    pthread_join (lockers[i], NULL);
  say ("threads\n");
}

/* What pthread_create needs is allowed, and nothing else: no file. */
static void
be_making_threads (void)
{
  ALLOW (0, SYS_write, SYS_exit, SYS_exit_group, SYS_futex, SYS_madvise, SYS_munmap, SYS_mprotect, SYS_mmap, SYS_clone,
         SYS_clone3, SYS_rt_sigprocmask, SYS_rseq, SYS_set_robust_list, SYS_brk, SYS_sched_getaffinity, SYS_getrandom,
         SYS_rt_sigaction, SYS_gettid, SYS_sched_yield, SYS_prlimit64);
  go_on = true;
  for (int round = 0; round < 3; round++)
    {
      for (int i = 0; i < LOCKERS; i++)
        pthread_create (&lockers[i], NULL, wait_and_lock, &locker_mutexes[i].mutex);
      for (int i = 0; i < LOCKERS; i++)
        pthread_join (lockers[i], NULL);
    }
  say ("made threads\n");
}

/* From now on the stamp counter is not to be read. */
static void
be_without_stamps (void)
{
  if (prctl (PR_SET_TSC, PR_TSC_SIGSEGV) != 0)
    _exit (77);
  lock_all ();
  say ("no stamps\n");
}

static void
be_without_files (void)
{
  const struct landlock_ruleset_attr attributes = {
      .handled_access_fs = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_MAKE_REG};
  int rules = (int)syscall (SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);

  if (rules < 0 || prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall (SYS_landlock_restrict_self, rules, 0) != 0)
    _exit (77);
  close (rules);
  start_lockers ();
  lock_all ();
  stop_lockers ();
  say ("no files\n");
}

/* No descriptor, no bytes in files. */
static void
be_limited (void)
{
  const struct rlimit none = {0, 0};

  setrlimit (RLIMIT_FSIZE, &none);
  setrlimit (RLIMIT_NOFILE, &none);
  start_lockers ();
  lock_all ();
  stop_lockers ();
  say ("limited\n");
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (void);
  } modes[] = {{"strict", be_strict},         {"alone", be_alone},           {"threads", be_with_threads},
               {"making", be_making_threads}, {"stamps", be_without_stamps}, {"landlock", be_without_files},
               {"limits", be_limited}};

  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (argc > 1 && strcmp (modes[i].name, argv[1]) == 0)
      {
        modes[i].run ();
        return 0;
      }
  return 2;
}
