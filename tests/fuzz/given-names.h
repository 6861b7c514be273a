/* SPDX-License-Identifier: Apache-2.0 */
/* Other names for the functions that the library of inputs puts before those of the C library: here none is replaced.
 * Before all other headers. */
#ifndef LC_TESTS_FUZZ_GIVEN_NAMES_H
#define LC_TESTS_FUZZ_GIVEN_NAMES_H

#undef _FILE_OFFSET_BITS /* because it would give two functions the same name */
#undef _TIME_BITS
#undef _FORTIFY_SOURCE

#define GIVEN_PREFIX "given_"

#define __poll_chk given___poll_chk
#define __ppoll_chk given___ppoll_chk
#define __read_chk given___read_chk
#define __recv_chk given___recv_chk
#define __recvfrom_chk given___recvfrom_chk
#define accept given_accept
#define accept4 given_accept4
#define arc4random given_arc4random
#define arc4random_buf given_arc4random_buf
#define arc4random_uniform given_arc4random_uniform
#define bind given_bind
#define clock given_clock
#define clock_gettime given_clock_gettime
#define connect given_connect
#define epoll_ctl given_epoll_ctl
#define epoll_pwait given_epoll_pwait
#define epoll_wait given_epoll_wait
#define eventfd_read given_eventfd_read
#define eventfd_write given_eventfd_write
#define getentropy given_getentropy
#define getpeername given_getpeername
#define getrandom given_getrandom
#define getsockname given_getsockname
#define gettimeofday given_gettimeofday
#define listen given_listen
#define poll given_poll
#define ppoll given_ppoll
#define pselect given_pselect
#define read given_read
#define readv given_readv
#define recv given_recv
#define recvfrom given_recvfrom
#define recvmsg given_recvmsg
#define select given_select
#define send given_send
#define sendfile given_sendfile
#define sendfile64 given_sendfile64
#define sendmsg given_sendmsg
#define sendto given_sendto
#define shutdown given_shutdown
#define time given_time
#define timespec_get given_timespec_get
#define write given_write
#define writev given_writev

/* Of a function whose name is given as text. */
#define alias(name) alias (GIVEN_PREFIX name)

#endif
