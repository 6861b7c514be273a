/* SPDX-License-Identifier: Apache-2.0 */
/* The file inputs-N of a trace, which keeps what a program got from outside; see docs/format.md. */
#ifndef LIGHTCONE_INPUTS_FORMAT_H
#define LIGHTCONE_INPUTS_FORMAT_H

#include "lightcone/trace-format.h"

/* The kind of their pieces, after those of enum lc_piece_kind. */
#define LC_PIECE_INPUTS 3

#define LC_INPUTS_VERSION 1

/* inputs-N, of process N, begins with this header and goes on with records in the order of the process's calls. */
struct lc_inputs_header
{
  char magic[8]; /* "LCINPUTS" */
  uint32_t version;
  uint32_t process;
  uint8_t uuid[16]; /* of the recording */
};

/* Calls by which a program gets something from outside, and signals that come (`file`: the number of the signal) before
 * or within the next call: X (identifier, number, name). Numbers are for ever. */
#define LC_INPUT_CALLS(X) \
  X (LC_INPUT_CLOCK, 1, "clock_gettime") \
  X (LC_INPUT_TIME, 2, "time") \
  X (LC_INPUT_DAY, 3, "gettimeofday") \
  X (LC_INPUT_RANDOM, 4, "getrandom") \
  X (LC_INPUT_ENTROPY, 5, "getentropy") \
  X (LC_INPUT_ARC, 6, "arc4random") \
  X (LC_INPUT_PID, 7, "getpid") \
  X (LC_INPUT_PARENT, 8, "getppid") \
  X (LC_INPUT_TID, 9, "gettid") \
  X (LC_INPUT_MPI_TIME, 10, "MPI_Wtime") \
  X (LC_INPUT_READ, 16, "read") \
  X (LC_INPUT_READV, 17, "readv") \
  X (LC_INPUT_RECV, 18, "recv") \
  X (LC_INPUT_RECVFROM, 19, "recvfrom") \
  X (LC_INPUT_RECVMSG, 20, "recvmsg") \
  X (LC_INPUT_WRITE, 24, "write") \
  X (LC_INPUT_WRITEV, 25, "writev") \
  X (LC_INPUT_SEND, 26, "send") \
  X (LC_INPUT_SENDTO, 27, "sendto") \
  X (LC_INPUT_SENDMSG, 28, "sendmsg") \
  X (LC_INPUT_SENDFILE, 29, "sendfile") \
  X (LC_INPUT_ACCEPT, 32, "accept") \
  X (LC_INPUT_CONNECT, 33, "connect") \
  X (LC_INPUT_BIND, 34, "bind") \
  X (LC_INPUT_LISTEN, 35, "listen") \
  X (LC_INPUT_SHUTDOWN, 36, "shutdown") \
  X (LC_INPUT_OWN_NAME, 37, "getsockname") \
  X (LC_INPUT_PEER_NAME, 38, "getpeername") \
  X (LC_INPUT_POLL, 40, "poll") \
  X (LC_INPUT_SELECT, 41, "select") \
  X (LC_INPUT_EPOLL, 42, "epoll_wait") \
  X (LC_INPUT_STREAM, 48, "fopen") \
  X (LC_INPUT_INHERITED, 49, "inherited") \
  X (LC_INPUT_SIGNAL, 56, "signal") \
  X (LC_INPUT_PAUSE, 57, "pause") \
  X (LC_INPUT_SUSPEND, 58, "sigsuspend") \
  X (LC_INPUT_SIGWAIT, 59, "sigwait")

enum lc_input_call
{
#define X(identifier, number, name) identifier = number,
  LC_INPUT_CALLS (X)
#undef X
};

/* The ways in which a replay carries out a call. */
enum lc_input_how
{
  LC_INPUT_FREE,     /* it is done, and its result is as it comes: a file, assumed to be the same */
  LC_INPUT_GIVEN,    /* it is not done: the result is given back */
  LC_INPUT_DONE,     /* it is done, and the result is given back */
  LC_INPUT_FOLLOWED, /* a stream within the program: it is done until it has the recorded result */
  LC_INPUT_HOWS
};

/* A call and its result. `bytes` bytes follow, padded with zeros to a multiple of 8. */
struct lc_input_record
{
  uint16_t call; /* enum lc_input_call */
  uint8_t how;   /* enum lc_input_how */
  uint8_t reserved;
  int32_t file;  /* descriptor, or clock, or -1 */
  int32_t error; /* errno, if it failed */
  uint32_t bytes;
  int64_t result;
  uint64_t asked;   /* how many bytes it asked for, how many descriptors it waited for; or 0 */
  uint64_t ordinal; /* how many events the process had then */
};

LC_FORMAT_ASSERT (LC_PIECE_INPUTS == LC_PIECE_KINDS);
LC_FORMAT_ASSERT (sizeof (struct lc_inputs_header) == 32);
LC_FORMAT_ASSERT (sizeof (struct lc_input_record) == 40);

#endif
