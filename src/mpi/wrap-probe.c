/* SPDX-License-Identifier: Apache-2.0 */
/* MPI_Probe, MPI_Iprobe, MPI_Mprobe and MPI_Improbe. */
#include <sched.h>

#include "steer.h"

/*
 * A program that asks again and again whether there is a message polls for it. All its probe-failed events have the
 * number of one request, which is resolved to the message that it finds. A program may poll for several kinds of
 * messages in turn.
 */
enum
{
  POLLS = 8
};

struct poll
{
  struct lc_communicator *communicator; /* NULL: free */
  uint64_t number;                      /* object of the communicator, whose memory may have been reused */
  int source, tag;
  uint32_t request;
};

static __thread struct poll polls[POLLS] __attribute__ ((tls_model ("initial-exec")));
static __thread unsigned int next_poll __attribute__ ((tls_model ("initial-exec")));

struct probing
{
  struct lc_mpi_call call;
  struct lc_communicator *communicator;
  MPI_Status own_status;
  int source, tag;
};

static bool
wrap_probe_begin (struct probing *probing, MPI_Comm handle, int source, int tag)
{
  probing->communicator = lc_mpi_enter_message (&probing->call, handle, source);
  probing->source = source;
  probing->tag = tag;
  return probing->communicator != NULL;
}

static struct poll *
find_poll (const struct probing *probing)
{
  for (int i = 0; i < POLLS; i++)
    if (polls[i].communicator == probing->communicator && polls[i].number == probing->communicator->object &&
        polls[i].source == probing->source && polls[i].tag == probing->tag)
      return &polls[i];
  return NULL;
}

static void
wrap_probe_tell_failed (const struct probing *probing)
{
  struct poll *poll = find_poll (probing);

  if (poll == NULL)
    {
      poll = &polls[next_poll++ % POLLS];
      *poll = (struct poll){.communicator = probing->communicator,
                            .number = probing->communicator->object,
                            .source = probing->source,
                            .tag = probing->tag,
                            .request = lc_mpi_hooks->request ()};
    }
  lc_mpi_append (
      &probing->call,
      &(struct lc_finished){.operation = LC_PROBE_FAILED, .flags = LC_EVENT_REQUEST, .sequence = poll->request});
}

/* Finds the message for the probe; with the tables locked. NULL: no memory. */
static struct lc_receive *
wrap_probe_find (const struct probing *probing, const MPI_Status *status, enum lc_take take)
{
  struct poll *poll = find_poll (probing);
  uint32_t request = LC_NO_REQUEST;

  if (poll != NULL)
    {
      request = poll->request;
      poll->communicator = NULL;
    }
  return lc_receive_found (probing->communicator, status, take, request);
}

static void
wrap_probe_tell (const struct probing *probing, const MPI_Status *status, struct lc_receive *receive)
{
  struct lc_finished event = {.operation = LC_PROBE,
                              .flags = probing->source == MPI_ANY_SOURCE ? LC_EVENT_BLIND : 0,
                              .bytes = lc_mpi_received (status)};

  if (receive != NULL)
    {
      lc_mpi_lock ();
      lc_receive_tell (receive, &event);
      lc_mpi_unlock ();
    }
  lc_mpi_append (&probing->call, &event);
}

/* Writes the event of a message that stays where it is. */
static void
tell_look (const struct probing *probing, const MPI_Status *status)
{
  struct lc_receive *receive;

  lc_mpi_lock ();
  receive = wrap_probe_find (probing, status, LC_LOOK);
  lc_mpi_unlock ();
  wrap_probe_tell (probing, status, receive);
  lc_mpi_lock ();
  if (receive != NULL)
    lc_receive_release (receive);
  lc_mpi_unlock ();
}

LC_MPI_EXPORT int
MPI_Probe (int source, int tag, MPI_Comm communicator, MPI_Status *status)
{
  struct probing probing;
  int result;

  if (!wrap_probe_begin (&probing, communicator, source, tag))
    return lc_mpi_pass (&probing.call, PMPI_Probe (source, tag, communicator, status));
  lc_mpi_block (&probing.call, LC_PROBE, 0, 0);
  lc_steer_probe (probing.communicator, false, &source, &tag);
  lc_steer_await (communicator, probing.source, probing.tag, &source, &tag);
  if (status == MPI_STATUS_IGNORE)
    status = &probing.own_status;
  result = PMPI_Probe (source, tag, communicator, status);
  lc_mpi_leave (&probing.call);
  if (result == MPI_SUCCESS)
    tell_look (&probing, status);
  else
    lc_mpi_hooks->unblock ();
  return result;
}

static int
wrap_probe_ask (const struct probing *probing, int source, int tag, MPI_Comm communicator, int *flag,
                MPI_Status *status)
{
  switch (lc_steer_probe (probing->communicator, true, &source, &tag))
    {
    case LC_STEER_NO:
      *flag = 0;
      return MPI_SUCCESS;
    case LC_STEER_YES:
      *flag = 1;
      return PMPI_Probe (source, tag, communicator, status);
    case LC_STEER_FREE:
    default:
      return PMPI_Iprobe (source, tag, communicator, flag, status);
    }
}

LC_MPI_EXPORT int
MPI_Iprobe (int source, int tag, MPI_Comm communicator, int *flag, MPI_Status *status)
{
  struct probing probing;
  int result;

  if (!wrap_probe_begin (&probing, communicator, source, tag))
    return lc_mpi_pass (&probing.call, PMPI_Iprobe (source, tag, communicator, flag, status));
  if (status == MPI_STATUS_IGNORE)
    status = &probing.own_status;
  result = wrap_probe_ask (&probing, source, tag, communicator, flag, status);
  lc_mpi_leave (&probing.call);
  if (result == MPI_SUCCESS && *flag)
    tell_look (&probing, status);
  else if (result == MPI_SUCCESS)
    wrap_probe_tell_failed (&probing);
  return result;
}

/* --- Matched probes ------------------------------------------------------------------------------------------ */

/* Keeps a message for its finder. The tables have been locked since before it was found, so that messages are numbered
 * in the order in which MPI matches them. */
static struct lc_receive *
wrap_probe_keep (const struct probing *probing, const MPI_Status *status, MPI_Message message)
{
  struct lc_receive *receive = wrap_probe_find (probing, status, LC_TAKE);
  struct lc_request *found = receive != NULL ? lc_message_add (message) : NULL;

  if (found != NULL)
    found->receive = receive;
  return receive;
}

static int
wrap_probe_try (struct probing *probing, int source, int tag, int *flag, MPI_Comm communicator, MPI_Message *message,
                MPI_Status *status, struct lc_receive **receive)
{
  int result;

  lc_mpi_lock ();
  result = PMPI_Improbe (source, tag, communicator, flag, message, status);
  if (result == MPI_SUCCESS && *flag)
    *receive = wrap_probe_keep (probing, status, *message);
  lc_mpi_unlock ();
  return result;
}

/* With several threads, MPI_Mprobe would wait with the tables locked, so MPI_Improbe is called repeatedly. */
static int
wrap_probe_wait_for (struct probing *probing, int source, int tag, MPI_Comm communicator, MPI_Message *message,
                     MPI_Status *status, struct lc_receive **receive)
{
  int flag = 0, result;

  if (lc_mpi_is_threaded)
    {
      while ((result = wrap_probe_try (probing, source, tag, &flag, communicator, message, status, receive)) ==
                 MPI_SUCCESS &&
             !flag)
        sched_yield ();
      return result;
    }
  result = PMPI_Mprobe (source, tag, communicator, message, status);
  if (result == MPI_SUCCESS)
    *receive = wrap_probe_keep (probing, status, *message);
  return result;
}

LC_MPI_EXPORT int
MPI_Mprobe (int source, int tag, MPI_Comm communicator, MPI_Message *message, MPI_Status *status)
{
  struct probing probing;
  struct lc_receive *receive = NULL;
  int result;

  if (!wrap_probe_begin (&probing, communicator, source, tag))
    return lc_mpi_pass (&probing.call, PMPI_Mprobe (source, tag, communicator, message, status));
  lc_mpi_block (&probing.call, LC_PROBE, 0, 0);
  if (status == MPI_STATUS_IGNORE)
    status = &probing.own_status;
  lc_steer_probe (probing.communicator, false, &source, &tag);
  result = wrap_probe_wait_for (&probing, source, tag, communicator, message, status, &receive);
  lc_mpi_leave (&probing.call);
  if (result == MPI_SUCCESS)
    wrap_probe_tell (&probing, status, receive);
  else
    lc_mpi_hooks->unblock ();
  return result;
}

static int
wrap_probe_ask_matched (struct probing *probing, int *flag, MPI_Comm communicator, MPI_Message *message,
                        MPI_Status *status, struct lc_receive **receive)
{
  int source = probing->source, tag = probing->tag;

  switch (lc_steer_probe (probing->communicator, true, &source, &tag))
    {
    case LC_STEER_NO:
      *flag = 0;
      return MPI_SUCCESS;
    case LC_STEER_YES:
      *flag = 1;
      return wrap_probe_wait_for (probing, source, tag, communicator, message, status, receive);
    case LC_STEER_FREE:
    default:
      return wrap_probe_try (probing, source, tag, flag, communicator, message, status, receive);
    }
}

LC_MPI_EXPORT int
MPI_Improbe (int source, int tag, MPI_Comm communicator, int *flag, MPI_Message *message, MPI_Status *status)
{
  struct probing probing;
  struct lc_receive *receive = NULL;
  int result;

  if (!wrap_probe_begin (&probing, communicator, source, tag))
    return lc_mpi_pass (&probing.call, PMPI_Improbe (source, tag, communicator, flag, message, status));
  if (status == MPI_STATUS_IGNORE)
    status = &probing.own_status;
  result = wrap_probe_ask_matched (&probing, flag, communicator, message, status, &receive);
  lc_mpi_leave (&probing.call);
  if (result == MPI_SUCCESS && *flag)
    wrap_probe_tell (&probing, status, receive);
  else if (result == MPI_SUCCESS)
    wrap_probe_tell_failed (&probing);
  return result;
}
