/* SPDX-License-Identifier: Apache-2.0 */
/* The real functions behind the wrappers. */
#ifndef LC_RECORD_REAL_H
#define LC_RECORD_REAL_H

#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* X (type of the result, name, arguments). The functions that the search itself may need come first. */
#define LC_REAL_FUNCTIONS(X) \
  X (int, pthread_mutex_lock, (pthread_mutex_t *)) \
  X (int, pthread_mutex_unlock, (pthread_mutex_t *)) \
  X (int, pthread_mutex_trylock, (pthread_mutex_t *)) \
  X (int, pthread_mutex_init, (pthread_mutex_t *, const pthread_mutexattr_t *)) \
  X (int, pthread_mutex_destroy, (pthread_mutex_t *)) \
  X (int, pthread_mutex_timedlock, (pthread_mutex_t *, const struct timespec *)) \
  X (int, pthread_mutex_clocklock, (pthread_mutex_t *, clockid_t, const struct timespec *)) \
  X (int, pthread_rwlock_init, (pthread_rwlock_t *, const pthread_rwlockattr_t *)) \
  X (int, pthread_rwlock_destroy, (pthread_rwlock_t *)) \
  X (int, pthread_rwlock_rdlock, (pthread_rwlock_t *)) \
  X (int, pthread_rwlock_wrlock, (pthread_rwlock_t *)) \
  X (int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *)) \
  X (int, pthread_rwlock_trywrlock, (pthread_rwlock_t *)) \
  X (int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *, const struct timespec *)) \
  X (int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *, const struct timespec *)) \
  X (int, pthread_rwlock_clockrdlock, (pthread_rwlock_t *, clockid_t, const struct timespec *)) \
  X (int, pthread_rwlock_clockwrlock, (pthread_rwlock_t *, clockid_t, const struct timespec *)) \
  X (int, pthread_rwlock_unlock, (pthread_rwlock_t *)) \
  X (int, pthread_cond_init, (pthread_cond_t *, const pthread_condattr_t *)) \
  X (int, pthread_cond_destroy, (pthread_cond_t *)) \
  X (int, pthread_cond_wait, (pthread_cond_t *, pthread_mutex_t *)) \
  X (int, pthread_cond_timedwait, (pthread_cond_t *, pthread_mutex_t *, const struct timespec *)) \
  X (int, pthread_cond_clockwait, (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *)) \
  X (int, pthread_cond_signal, (pthread_cond_t *)) \
  X (int, pthread_cond_broadcast, (pthread_cond_t *)) \
  X (int, pthread_barrier_init, (pthread_barrier_t *, const pthread_barrierattr_t *, unsigned int)) \
  X (int, pthread_barrier_destroy, (pthread_barrier_t *)) \
  X (int, pthread_barrier_wait, (pthread_barrier_t *)) \
  X (int, pthread_spin_init, (pthread_spinlock_t *, int)) \
  X (int, pthread_spin_destroy, (pthread_spinlock_t *)) \
  X (int, pthread_spin_lock, (pthread_spinlock_t *)) \
  X (int, pthread_spin_trylock, (pthread_spinlock_t *)) \
  X (int, pthread_spin_unlock, (pthread_spinlock_t *)) \
  X (int, sem_init, (sem_t *, int, unsigned int)) \
  X (int, sem_destroy, (sem_t *)) \
  X (sem_t *, sem_open, (const char *, int, ...)) \
  X (int, sem_close, (sem_t *)) \
  X (int, sem_post, (sem_t *)) \
  X (int, sem_wait, (sem_t *)) \
  X (int, sem_trywait, (sem_t *)) \
  X (int, sem_timedwait, (sem_t *, const struct timespec *)) \
  X (int, sem_clockwait, (sem_t *, clockid_t, const struct timespec *)) \
  X (int, pthread_once, (pthread_once_t *, void (*) (void))) \
  X (void, call_once, (once_flag *, void (*) (void))) \
  X (int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)) \
  X (int, pthread_join, (pthread_t, void **)) \
  X (int, pthread_tryjoin_np, (pthread_t, void **)) \
  X (int, pthread_timedjoin_np, (pthread_t, void **, const struct timespec *)) \
  X (int, pthread_clockjoin_np, (pthread_t, void **, clockid_t, const struct timespec *)) \
  X (int, pthread_detach, (pthread_t)) \
  X (int, pthread_cancel, (pthread_t)) \
  X (int, pthread_setname_np, (pthread_t, const char *)) \
  X (int, dlclose, (void *)) \
  X (int, thrd_create, (thrd_t *, thrd_start_t, void *)) \
  X (int, thrd_join, (thrd_t, int *)) \
  X (int, thrd_detach, (thrd_t)) \
  X (int, mtx_init, (mtx_t *, int)) \
  X (int, mtx_lock, (mtx_t *)) \
  X (int, mtx_trylock, (mtx_t *)) \
  X (int, mtx_timedlock, (mtx_t *, const struct timespec *)) \
  X (int, mtx_unlock, (mtx_t *)) \
  X (void, mtx_destroy, (mtx_t *)) \
  X (int, cnd_init, (cnd_t *)) \
  X (int, cnd_signal, (cnd_t *)) \
  X (int, cnd_broadcast, (cnd_t *)) \
  X (int, cnd_wait, (cnd_t *, mtx_t *)) \
  X (int, cnd_timedwait, (cnd_t *, mtx_t *, const struct timespec *)) \
  X (void, cnd_destroy, (cnd_t *)) \
  X (void, longjmp, (struct __jmp_buf_tag *, int)) \
  X (void, _longjmp, (struct __jmp_buf_tag *, int)) \
  X (void, siglongjmp, (struct __jmp_buf_tag *, int)) \
  X (void, __longjmp_chk, (struct __jmp_buf_tag *, int)) \
  X (long, syscall, (long, ...)) \
  X (int, sigaction, (int, const struct sigaction *, struct sigaction *)) \
  X (__sighandler_t, signal, (int, __sighandler_t)) \
  X (__sighandler_t, __sysv_signal, (int, __sighandler_t)) \
  X (int, sigignore, (int)) \
  X (int, sighold, (int)) \
  X (int, sigblock, (int)) \
  X (int, sigsetmask, (int)) \
  X (int, sigprocmask, (int, const sigset_t *, sigset_t *)) \
  X (int, pthread_sigmask, (int, const sigset_t *, sigset_t *)) \
  X (int, prctl, (int, ...)) \
  X (int, setrlimit, (__rlimit_resource_t, const struct rlimit *)) \
  X (int, prlimit, (pid_t, enum __rlimit_resource, const struct rlimit *, struct rlimit *)) \
  X (int, mlockall, (int)) \
  X (pid_t, fork, (void)) \
  X (pid_t, _Fork, (void)) \
  X (int, execve, (const char *, char *const *, char *const *)) \
  X (int, execvpe, (const char *, char *const *, char *const *)) \
  X (int, fexecve, (int, char *const *, char *const *)) \
  X (int, execveat, (int, const char *, char *const *, char *const *, int)) \
  X (int, posix_spawn, \
     (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *, \
      char *const *)) \
  X (int, posix_spawnp, \
     (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *, \
      char *const *)) \
  X (ssize_t, read, (int, void *, size_t)) \
  X (ssize_t, write, (int, const void *, size_t)) \
  X (ssize_t, readv, (int, const struct iovec *, int)) \
  X (ssize_t, writev, (int, const struct iovec *, int)) \
  X (ssize_t, pread, (int, void *, size_t, off_t)) \
  X (ssize_t, pwrite, (int, const void *, size_t, off_t)) \
  X (ssize_t, preadv, (int, const struct iovec *, int, off_t)) \
  X (ssize_t, pwritev, (int, const struct iovec *, int, off_t)) \
  X (ssize_t, __read_chk, (int, void *, size_t, size_t)) \
  X (ssize_t, __pread_chk, (int, void *, size_t, off_t, size_t)) \
  X (ssize_t, sendfile, (int, int, off_t *, size_t)) \
  X (ssize_t, recv, (int, void *, size_t, int)) \
  X (ssize_t, recvfrom, (int, void *, size_t, int, __SOCKADDR_ARG, socklen_t *)) \
  X (ssize_t, recvmsg, (int, struct msghdr *, int)) \
  X (ssize_t, __recv_chk, (int, void *, size_t, size_t, int)) \
  X (ssize_t, __recvfrom_chk, (int, void *, size_t, size_t, int, __SOCKADDR_ARG, socklen_t *)) \
  X (ssize_t, send, (int, const void *, size_t, int)) \
  X (ssize_t, sendto, (int, const void *, size_t, int, __CONST_SOCKADDR_ARG, socklen_t)) \
  X (ssize_t, sendmsg, (int, const struct msghdr *, int)) \
  X (int, accept, (int, __SOCKADDR_ARG, socklen_t *)) \
  X (int, accept4, (int, __SOCKADDR_ARG, socklen_t *, int)) \
  X (int, connect, (int, __CONST_SOCKADDR_ARG, socklen_t)) \
  X (int, poll, (struct pollfd *, nfds_t, int)) \
  X (int, ppoll, (struct pollfd *, nfds_t, const struct timespec *, const sigset_t *)) \
  X (int, __poll_chk, (struct pollfd *, nfds_t, int, size_t)) \
  X (int, __ppoll_chk, (struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t)) \
  X (int, select, (int, fd_set *, fd_set *, fd_set *, struct timeval *)) \
  X (int, pselect, (int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *)) \
  X (int, epoll_wait, (int, struct epoll_event *, int, int)) \
  X (int, epoll_pwait, (int, struct epoll_event *, int, int, const sigset_t *)) \
  X (int, epoll_pwait2, (int, struct epoll_event *, int, const struct timespec *, const sigset_t *)) \
  X (int, nanosleep, (const struct timespec *, struct timespec *)) \
  X (int, clock_nanosleep, (clockid_t, int, const struct timespec *, struct timespec *)) \
  X (int, thrd_sleep, (const struct timespec *, struct timespec *)) \
  X (int, usleep, (useconds_t)) \
  X (unsigned int, sleep, (unsigned int)) \
  X (int, pause, (void)) \
  X (int, sigsuspend, (const sigset_t *)) \
  X (int, sigwait, (const sigset_t *, int *)) \
  X (int, sigwaitinfo, (const sigset_t *, siginfo_t *)) \
  X (int, sigtimedwait, (const sigset_t *, siginfo_t *, const struct timespec *)) \
  X (int, kill, (pid_t, int)) \
  X (int, killpg, (pid_t, int)) \
  X (int, tgkill, (pid_t, pid_t, int)) \
  X (int, raise, (int)) \
  X (int, sigqueue, (pid_t, int, const union sigval)) \
  X (int, pthread_kill, (pthread_t, int)) \
  X (int, pthread_sigqueue, (pthread_t, int, const union sigval)) \
  X (int, fsync, (int)) \
  X (int, fdatasync, (int)) \
  X (int, tcdrain, (int)) \
  X (int, flock, (int, int)) \
  X (int, fcntl, (int, int, ...)) \
  X (int, fcntl64, (int, int, ...)) \
  X (int, lockf, (int, int, off_t)) \
  X (pid_t, wait, (int *)) \
  X (pid_t, waitpid, (pid_t, int *, int)) \
  X (pid_t, wait3, (int *, int, struct rusage *)) \
  X (pid_t, wait4, (pid_t, int *, int, struct rusage *)) \
  X (int, waitid, (idtype_t, id_t, siginfo_t *, int)) \
  X (ssize_t, msgrcv, (int, void *, size_t, long, int)) \
  X (int, msgsnd, (int, const void *, size_t, int)) \
  X (int, semop, (int, struct sembuf *, size_t)) \
  X (int, semtimedop, (int, struct sembuf *, size_t, const struct timespec *)) \
  X (int, getaddrinfo, (const char *, const char *, const struct addrinfo *, struct addrinfo **)) \
  X (int, close, (int)) \
  X (int, dup, (int)) \
  X (int, dup2, (int, int)) \
  X (int, dup3, (int, int, int)) \
  X (int, clock_gettime, (clockid_t, struct timespec *)) \
  X (int, pipe, (int *)) \
  X (int, pipe2, (int *, int)) \
  X (int, socketpair, (int, int, int, int *)) \
  X (int, eventfd, (unsigned int, int)) \
  X (int, eventfd_read, (int, uint64_t *)) \
  X (int, eventfd_write, (int, uint64_t)) \
  X (int, epoll_ctl, (int, int, int, struct epoll_event *))

struct lc_real
{
#define X(type, name, arguments) type (*name) arguments;
  LC_REAL_FUNCTIONS (X)
#undef X
};

extern struct lc_real lc_real_functions;

/* A copy of lc_real_functions.syscall for assembly code, which cannot compute its place. */
extern void *lc_real_syscall __attribute__ ((visibility ("hidden")));

/* Finds all functions. A wrapper that is called earlier, or by the search itself, finds its own by LC_REAL. */
void lc_real_resolve (void);
void *lc_real_find (size_t offset);

#define LC_REAL(name) \
  (__builtin_expect (lc_real_functions.name != NULL, 1) \
       ? lc_real_functions.name \
       : (__typeof__ (lc_real_functions.name))lc_real_find (offsetof (struct lc_real, name)))

#endif
