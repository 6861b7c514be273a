/* SPDX-License-Identifier: Apache-2.0 */
/* The library that gives inputs back in a replayed program, under other names, and a program that asks for them. */
#include "given-names.h"

#include "given-back.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>

#include "record/inputs.c"
#include "record/inputs-clock.c"
#include "record/inputs-files.c"
#include "record/inputs-poll.c"
#include "record/inputs-sockets.c"

enum
{
  MOST_BYTES = 1 << 14, /* that a call asks for */
  MOST_FILES = 2048,    /* more than a set of select has room for */
  DATA = 77,            /* what is registered for a descriptor */
};

static uint32_t back_process;
static int back_file; /* /dev/null: always ready, and no socket */

/* --- In the place of the system, and of what replays ---------------------------------------------------------------
 */

/* Everything is ready. */
static int
back_poll (struct pollfd *files, nfds_t n, int timeout)
{
  for (nfds_t i = 0; i < n; i++)
    files[i].revents = files[i].events;
  return (int)n;
}

void *
lc_inputs_find (const char *name, void **place)
{
  int (*ready) (struct pollfd *, nfds_t, int) = back_poll;

  if (g_str_has_prefix (name, GIVEN_PREFIX))
    name += strlen (GIVEN_PREFIX);
  if (strcmp (name, "poll") == 0)
    memcpy (place, &ready, sizeof ready);
  else
    *place = dlsym (RTLD_DEFAULT, name);
  g_assert_nonnull (*place);
  return *place;
}

enum lc_inputs_kind
lc_inputs_kind_of (int file)
{
  return LC_INPUTS_PLAIN;
}

/* This program has no handlers of signals. */
void
lc_inputs_raise (int number)
{
  (void)number;
}

static uint32_t
back_get_process (bool *is_over)
{
  *is_over = false;
  return back_process;
}

static void
back_differ (void)
{
}

static const struct lc_inputs_giver back_giver = {.version = 1, .process = back_get_process, .differs = back_differ};

/* --- A program -----------------------------------------------------------------------------------------------------
 */

/* Room for just so much: what is written behind it is found. */
static void
back_transfer (const struct lc_input_record *record)
{
  const size_t size = (size_t)MIN (record->asked, MOST_BYTES), half = size / 2;
  g_autofree char *buffer = g_malloc0 (MAX (size, 1)), *rest = g_malloc0 (MAX (size - half, 1));
  struct sockaddr_storage address;
  struct iovec pieces[2] = {{buffer, half}, {rest, size - half}};
  struct msghdr message = {.msg_name = &address, .msg_namelen = sizeof address, .msg_iov = pieces, .msg_iovlen = 2};
  socklen_t length = sizeof address;
  off_t offset = 0;
  ssize_t n = 0;

  switch ((int)record->call)
    {
    case LC_INPUT_READ:
      n = given_read (back_file, buffer, size);
      break;
    case LC_INPUT_READV:
      n = given_readv (back_file, pieces, 2);
      break;
    case LC_INPUT_RECV:
      n = given_recv (back_file, buffer, size, 0);
      break;
    case LC_INPUT_RECVFROM:
      n = given_recvfrom (back_file, buffer, size, 0, (struct sockaddr *)&address, &length);
      break;
    case LC_INPUT_RECVMSG:
      n = given_recvmsg (back_file, &message, 0);
      break;
    case LC_INPUT_WRITE:
      n = given_write (back_file, buffer, size);
      break;
    case LC_INPUT_WRITEV:
      n = given_writev (back_file, pieces, 2);
      break;
    case LC_INPUT_SEND:
      n = given_send (back_file, buffer, size, 0);
      break;
    case LC_INPUT_SENDTO:
      n = given_sendto (back_file, buffer, size, 0, NULL, 0);
      break;
    case LC_INPUT_SENDMSG:
      n = given_sendmsg (back_file, &message, 0);
      break;
    default:
      n = given_sendfile (back_file, back_file, &offset, size);
    }
  g_assert_true (n >= -1 && n <= (ssize_t)size);
  g_assert_true (length <= sizeof address && message.msg_namelen <= sizeof address);
}

static void
back_random (const struct lc_input_record *record)
{
  const size_t size = (size_t)MIN (record->asked, 256);
  g_autofree char *buffer = g_malloc0 (MAX (size, 1));
  ssize_t n = 0;

  if (record->call == LC_INPUT_RANDOM)
    n = given_getrandom (buffer, size, 0);
  else if (record->call == LC_INPUT_ENTROPY)
    given_getentropy (buffer, size);
  else
    given_arc4random_buf (buffer, size);
  g_assert_true (n >= -1 && n <= (ssize_t)size);
}

static void
back_time (const struct lc_input_record *record)
{
  struct timespec now;
  struct timeval day;

  if (record->call == LC_INPUT_TIME)
    given_time (NULL);
  else if (record->call == LC_INPUT_DAY)
    given_gettimeofday (&day, NULL);
  else if (record->asked == CLOCK_PROCESS_CPUTIME_ID)
    given_clock ();
  else
    given_clock_gettime ((clockid_t)record->asked, &now);
}

/* A program stops looking for what is ready when it has found as many as were said. */
static void
back_poll_files (const struct lc_input_record *record)
{
  const nfds_t n = (nfds_t)MIN (record->asked, MOST_FILES);
  g_autofree struct pollfd *files = g_new0 (struct pollfd, MAX (n, 1));
  int ready, found = 0;

  for (nfds_t i = 0; i < n; i++)
    files[i] = (struct pollfd){.fd = back_file, .events = POLLIN};
  ready = given_poll (files, n, 0);
  for (nfds_t i = 0; i < n; i++)
    found += files[i].revents != 0;
  g_assert_true (ready >= -1 && ready <= found);
}

static void
back_select (const struct lc_input_record *record)
{
  const int n = (int)MIN (record->asked, MOST_FILES);
  fd_set sets[3][MOST_FILES / FD_SETSIZE] = {0};
  struct timeval limit = {0, 0};
  int ready, found = 0;

  ready = given_select (n, sets[0], sets[1], record->ordinal % 2 == 0 ? sets[2] : NULL, &limit);
  for (int i = 0; i < 3; i++)
    for (int file = 0; file < n; file++)
      found += FD_ISSET (file % FD_SETSIZE, &sets[i][file / FD_SETSIZE]) != 0;
  g_assert_true (ready >= -1 && ready <= found);
}

static void
back_epoll (const struct lc_input_record *record)
{
  const int most = (int)MIN (record->asked, 256);
  g_autofree struct epoll_event *events = g_new0 (struct epoll_event, MAX (most, 1));
  struct epoll_event registered_event = {.events = EPOLLIN, .data.u64 = DATA};
  int n;

  given_epoll_ctl (back_file, EPOLL_CTL_ADD, back_file, &registered_event);
  n = given_epoll_wait (back_file, events, most, 0);
  g_assert_true (n >= -1 && n <= most);
}

static void
back_socket (const struct lc_input_record *record)
{
  struct sockaddr_storage address;
  struct sockaddr *general = (struct sockaddr *)&address;
  socklen_t length = sizeof address;
  int file;

  switch ((int)record->call)
    {
    case LC_INPUT_ACCEPT:
      file = given_accept (back_file, general, &length);
      if (file >= 0)
        close (file);
      break;
    case LC_INPUT_CONNECT:
      given_connect (back_file, general, 0);
      break;
    case LC_INPUT_BIND:
      given_bind (back_file, general, 0);
      break;
    case LC_INPUT_LISTEN:
      given_listen (back_file, 1);
      break;
    case LC_INPUT_SHUTDOWN:
      given_shutdown (back_file, SHUT_RD);
      break;
    case LC_INPUT_OWN_NAME:
      given_getsockname (back_file, general, &length);
      break;
    default:
      given_getpeername (back_file, general, &length);
    }
  g_assert_cmpuint (length, <=, sizeof address);
}

/* --- All that is given ----------------------------------------------------------------------------------------------
 */

static void
back_call (const struct lc_input_record *record)
{
  if (record->call >= LC_INPUT_READ && record->call <= LC_INPUT_SENDFILE)
    back_transfer (record);
  else if (record->call >= LC_INPUT_ACCEPT && record->call <= LC_INPUT_PEER_NAME)
    back_socket (record);
  else if (record->call == LC_INPUT_POLL)
    back_poll_files (record);
  else if (record->call == LC_INPUT_SELECT)
    back_select (record);
  else if (record->call == LC_INPUT_EPOLL)
    back_epoll (record);
  else if (record->call >= LC_INPUT_RANDOM && record->call <= LC_INPUT_ARC)
    back_random (record);
  else if (record->call < LC_INPUT_RANDOM)
    back_time (record);
}

void
given_back (struct lc_inputs_plan *plan, gsize size, guint32 process)
{
  struct lc_inputs_process *given;
  const struct lc_input_record *record;

  if (back_file == 0)
    back_file = open ("/dev/null", O_RDWR | O_CLOEXEC);
  inputs_have_begun = true;
  inputs_giver = &back_giver;
  g_assert_true (inputs_is_plan (plan, size));
  inputs_plan = plan;
  inputs_processes = (struct lc_inputs_process *)(void *)(plan + 1);
  back_process = process;
  given = inputs_find_process (process);
  g_assert_nonnull (given);
  while ((record = inputs_peek (given)) != NULL)
    {
      const uint64_t before = given->done;

      back_call (record);
      /* What asks for more than this program does is passed over. */
      if (given->done == before)
        {
          given->next += sizeof *record + (record->bytes + UINT64_C (7)) / 8 * 8;
          given->done++;
        }
    }
  g_assert_cmpuint (given->done, ==, given->n);
  inputs_plan = NULL;
}
