/* SPDX-License-Identifier: Apache-2.0 */
/* Profiled: non-blocking and persistent messages, and waiting for them. */
#include <string.h>
#include <sys/mman.h>

#include "profile.h"

#define ROUTINE(function) \
  static struct lc_profile_routine routine = {.name = #function, .kind = LC_PROFILE_MPI}; \
  struct lc_profile_call call

enum
{
  BUCKETS = 1024,
};

static struct lc_carrier *pending[BUCKETS];

/* --- Requests by their handles ----------------------------------------------------------------------------- */

static uint64_t
key_of (MPI_Request request)
{
  uint64_t key = 0;

  memcpy (&key, &request, sizeof request);
  return key;
}

static struct lc_carrier **
profile_requests_bucket_of (uint64_t key)
{
  return &pending[(key * UINT64_C (0x9E3779B97F4A7C15)) >> 54];
}

/* Several carriers may have one handle: some libraries use the same handle for all messages that are complete at
 * once. */
void
lc_profile_request_add (MPI_Request request, struct lc_carrier *carrier, bool is_receive, bool is_persistent,
                        int partner)
{
  struct lc_carrier **bucket;

  carrier->request = key_of (request);
  carrier->is_receive = is_receive;
  carrier->is_persistent = is_persistent;
  carrier->is_claimed = false;
  carrier->is_active = !is_persistent;
  carrier->partner = partner;
  bucket = profile_requests_bucket_of (carrier->request);
  lc_profile_lock ();
  carrier->next = *bucket;
  *bucket = carrier;
  lc_profile_unlock ();
}

static struct lc_carrier *
profile_requests_find (uint64_t key)
{
  struct lc_carrier *carrier;

  lc_profile_lock ();
  carrier = *profile_requests_bucket_of (key);
  while (carrier != NULL && carrier->request != key)
    carrier = carrier->next;
  lc_profile_unlock ();
  return carrier;
}

static bool
profile_requests_forget (struct lc_carrier *carrier)
{
  struct lc_carrier **link = profile_requests_bucket_of (carrier->request);
  bool found;

  lc_profile_lock ();
  while (*link != NULL && *link != carrier)
    link = &(*link)->next;
  found = *link != NULL;
  if (found)
    *link = carrier->next;
  lc_profile_unlock ();
  return found;
}

/* Finds and claims the carrier for a call that may complete its request: before the call returns, another thread may
 * get the same handle for a new request. Ends with `finish` or `release`. */
static struct lc_carrier *
profile_requests_claim (MPI_Request request)
{
  uint64_t key = key_of (request);
  struct lc_carrier *carrier;

  lc_profile_lock ();
  carrier = *profile_requests_bucket_of (key);
  while (carrier != NULL && (carrier->request != key || carrier->is_claimed))
    carrier = carrier->next;
  if (carrier != NULL)
    carrier->is_claimed = true;
  lc_profile_unlock ();
  return carrier;
}

static void
profile_requests_release (struct lc_carrier *carrier)
{
  if (carrier != NULL)
    __atomic_store_n (&carrier->is_claimed, false, __ATOMIC_RELEASE);
}

static void
profile_requests_give (struct lc_carrier *carrier)
{
  struct lc_carrier *also = carrier->also;

  carrier->also = NULL;
  if (carrier->copy > 0)
    munmap ((void *)(uintptr_t)carrier->buffer, carrier->copy);
  carrier->copy = 0;
  lc_carrier_give (carrier);
  if (also != NULL)
    profile_requests_give (also);
}

/* Ends a claimed request that is complete. */
static void
profile_requests_finish (struct lc_carrier *carrier, MPI_Status *status, struct lc_received *received)
{
  if (carrier == NULL)
    return;
  if (carrier->is_active && carrier->is_receive && carrier->header.delay != LC_PROFILE_NO_MESSAGE)
    {
      lc_received_add (received, carrier);
      lc_carrier_correct (status);
    }
  carrier->is_active = false;
  if (carrier->is_persistent)
    profile_requests_release (carrier);
  else if (profile_requests_forget (carrier))
    profile_requests_give (carrier);
}

/* --- Begins ------------------------------------------------------------------------------------------------ */

typedef int StartSend (const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static int
start_send (struct lc_profile_routine *routine, StartSend *send, bool persistent, const void *buffer, int count,
            MPI_Datatype type, int to, int tag, MPI_Comm communicator, MPI_Request *request)
{
  struct lc_profile_call call;
  struct lc_carrier *carrier;
  int result;

  if (!lc_profile_begin (&call, routine))
    return send (buffer, count, type, to, tag, communicator, request);
  carrier = lc_carrier_take (buffer, count, type, to);
  lc_profile_go (&call);
  if (carrier != NULL)
    {
      if (!persistent)
        lc_carrier_send (carrier, &call);
      result = send (carrier->base, carrier->type_count, carrier->type, to, tag, communicator, request);
    }
  else
    result = send (buffer, count, type, to, tag, communicator, request);
  lc_profile_back (&call);
  if (carrier != NULL && result == MPI_SUCCESS)
    lc_profile_request_add (*request, carrier, false, persistent, to);
  lc_profile_end (&call);
  return result;
}

#define START_SEND(function, persistent) \
  LC_PROFILE_EXPORT int MPI_##function (const void *buffer, int count, MPI_Datatype type, int to, int tag, \
                                        MPI_Comm communicator, MPI_Request *request) \
  { \
    static struct lc_profile_routine routine = {.name = "MPI_" #function, .kind = LC_PROFILE_MPI}; \
\
    return start_send (&routine, PMPI_##function, persistent, buffer, count, type, to, tag, communicator, request); \
  }

START_SEND (Isend, false)
START_SEND (Ibsend, false)
START_SEND (Issend, false)
START_SEND (Irsend, false)
START_SEND (Send_init, true)
START_SEND (Bsend_init, true)
START_SEND (Ssend_init, true)
START_SEND (Rsend_init, true)

typedef int StartReceive (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static int
start_receive (struct lc_profile_routine *routine, StartReceive *receive, bool persistent, void *buffer, int count,
               MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Request *request)
{
  struct lc_profile_call call;
  struct lc_carrier *carrier;
  int result;

  if (!lc_profile_begin (&call, routine))
    return receive (buffer, count, type, from, tag, communicator, request);
  carrier = lc_carrier_take (buffer, count, type, from);
  if (carrier != NULL)
    lc_carrier_expect (carrier);
  lc_profile_go (&call);
  if (carrier != NULL)
    result = receive (carrier->base, carrier->type_count, carrier->type, from, tag, communicator, request);
  else
    result = receive (buffer, count, type, from, tag, communicator, request);
  lc_profile_back (&call);
  if (carrier != NULL && result == MPI_SUCCESS)
    lc_profile_request_add (*request, carrier, true, persistent, from);
  lc_profile_end (&call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Irecv (void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Request *request)
{
  static struct lc_profile_routine routine = {.name = "MPI_Irecv", .kind = LC_PROFILE_MPI};

  return start_receive (&routine, PMPI_Irecv, false, buffer, count, type, from, tag, communicator, request);
}

LC_PROFILE_EXPORT int
MPI_Recv_init (void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator,
               MPI_Request *request)
{
  static struct lc_profile_routine routine = {.name = "MPI_Recv_init", .kind = LC_PROFILE_MPI};

  return start_receive (&routine, PMPI_Recv_init, true, buffer, count, type, from, tag, communicator, request);
}

LC_PROFILE_EXPORT int
MPI_Imrecv (void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
  ROUTINE (MPI_Imrecv);
  struct lc_carrier *carrier;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Imrecv (buffer, count, type, message, request);
  carrier = lc_carrier_take (buffer, count, type, *message == MPI_MESSAGE_NO_PROC ? MPI_PROC_NULL : 0);
  if (carrier != NULL)
    lc_carrier_expect (carrier);
  lc_profile_go (&call);
  if (carrier != NULL)
    result = PMPI_Imrecv (carrier->base, carrier->type_count, carrier->type, message, request);
  else
    result = PMPI_Imrecv (buffer, count, type, message, request);
  lc_profile_back (&call);
  if (carrier != NULL && result == MPI_SUCCESS)
    lc_profile_request_add (*request, carrier, true, false, 0);
  lc_profile_end (&call);
  return result;
}

#if MPI_VERSION >= 4
/* Each message has a header of its own. The request is kept with the received message's carrier, if there is one. */
static int
start_both (struct lc_profile_call *call, struct lc_carrier *sent, int to, int out_tag, struct lc_carrier *got,
            int from, int in_tag, MPI_Comm communicator, MPI_Request *request)
{
  static struct lc_carrier none = {.type = MPI_BYTE};
  const struct lc_carrier *out = sent != NULL ? sent : &none, *in = got != NULL ? got : &none;
  int result;

  if (got != NULL)
    lc_carrier_expect (got);
  lc_profile_go (call);
  if (sent != NULL)
    lc_carrier_send (sent, call);
  result = PMPI_Isendrecv (out->base, out->type_count, out->type, to, out_tag, in->base, in->type_count, in->type, from,
                           in_tag, communicator, request);
  lc_profile_back (call);
  lc_carrier_lose (sent);
  if (got != NULL)
    got->also = sent;
  if (result == MPI_SUCCESS && (got != NULL || sent != NULL))
    lc_profile_request_add (*request, got != NULL ? got : sent, got != NULL, false, from);
  lc_profile_end (call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Isendrecv (const void *out, int n_out, MPI_Datatype out_type, int to, int out_tag, void *in, int n_in,
               MPI_Datatype in_type, int from, int in_tag, MPI_Comm communicator, MPI_Request *request)
{
  ROUTINE (MPI_Isendrecv);
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Isendrecv (out, n_out, out_type, to, out_tag, in, n_in, in_type, from, in_tag, communicator, request);
  if (lc_profile_carries)
    return start_both (&call, lc_carrier_take (out, n_out, out_type, to), to, out_tag,
                       lc_carrier_take (in, n_in, in_type, from), from, in_tag, communicator, request);
  lc_profile_go (&call);
  result = PMPI_Isendrecv (out, n_out, out_type, to, out_tag, in, n_in, in_type, from, in_tag, communicator, request);
  lc_profile_back (&call);
  lc_profile_end (&call);
  return result;
}

/* MPICH 4.0 cannot replace a buffer given by MPI_BOTTOM, so a copy is sent. */
LC_PROFILE_EXPORT int
MPI_Isendrecv_replace (void *buffer, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag,
                       MPI_Comm communicator, MPI_Request *request)
{
  ROUTINE (MPI_Isendrecv_replace);
  struct lc_carrier *sent;
  int result, bytes = 0, packed = 0;
  void *copy = NULL;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Isendrecv_replace (buffer, count, type, to, out_tag, from, in_tag, communicator, request);
  if (lc_profile_carries && PMPI_Pack_size (count, type, communicator, &bytes) == MPI_SUCCESS)
    copy = lc_profile_allocate ((size_t)bytes + 1);
  if (copy != NULL && PMPI_Pack (buffer, count, type, copy, bytes, &packed, communicator) == MPI_SUCCESS)
    {
      sent = lc_carrier_take (copy, packed, MPI_PACKED, to);
      if (sent != NULL)
        sent->copy = (size_t)bytes + 1;
      else
        munmap (copy, (size_t)bytes + 1);
      return start_both (&call, sent, to, out_tag, lc_carrier_take (buffer, count, type, from), from, in_tag,
                         communicator, request);
    }
  lc_profile_go (&call);
  result = PMPI_Isendrecv_replace (buffer, count, type, to, out_tag, from, in_tag, communicator, request);
  lc_profile_back (&call);
  lc_profile_end (&call);
  return result;
}
#endif

static void
profile_requests_start (struct lc_profile_call *call, MPI_Request request)
{
  struct lc_carrier *carrier = profile_requests_find (key_of (request));

  if (carrier == NULL)
    return;
  carrier->is_active = true;
  if (carrier->is_receive)
    lc_carrier_expect (carrier);
  else
    lc_carrier_send (carrier, call);
}

LC_PROFILE_EXPORT int
MPI_Start (MPI_Request *request)
{
  ROUTINE (MPI_Start);
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Start (request);
  lc_profile_go (&call);
  profile_requests_start (&call, *request);
  result = PMPI_Start (request);
  lc_profile_back (&call);
  lc_profile_end (&call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Startall (int count, MPI_Request requests[])
{
  ROUTINE (MPI_Startall);
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Startall (count, requests);
  lc_profile_go (&call);
  for (int i = 0; i < count; i++)
    profile_requests_start (&call, requests[i]);
  result = PMPI_Startall (count, requests);
  lc_profile_back (&call);
  lc_profile_end (&call);
  return result;
}

/* If the message is still under way, the memory of its header is never used again. */
LC_PROFILE_EXPORT int
MPI_Request_free (MPI_Request *request)
{
  ROUTINE (MPI_Request_free);
  struct lc_carrier *carrier;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Request_free (request);
  carrier = profile_requests_find (key_of (*request));
  lc_profile_go (&call);
  result = PMPI_Request_free (request);
  lc_profile_back (&call);
  if (carrier != NULL && result == MPI_SUCCESS && profile_requests_forget (carrier) && !carrier->is_active)
    profile_requests_give (carrier);
  lc_profile_end (&call);
  return result;
}

/* --- Ends -------------------------------------------------------------------------------------------------- */

/* Notes a test in vain: if the next call is one too, or finds the message, the program has been waiting since the
 * first. */
static void
profile_requests_poll (struct lc_profile_call *call)
{
  struct lc_profile_thread *thread = call->thread;

  call->polls = true;
  if (thread->poll_begin != 0)
    return;
  thread->poll_begin = call->go;
  thread->poll_overhead = thread->self.overhead;
}

LC_PROFILE_EXPORT int
MPI_Wait (MPI_Request *request, MPI_Status *status)
{
  ROUTINE (MPI_Wait);
  struct lc_received received = {0};
  struct lc_carrier *carrier;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Wait (request, status);
  carrier = profile_requests_claim (*request);
  lc_profile_go (&call);
  result = PMPI_Wait (request, status);
  lc_profile_back (&call);
  profile_requests_finish (carrier, status, &received);
  lc_profile_received (&call, &received);
  lc_profile_end (&call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Test (MPI_Request *request, int *flag, MPI_Status *status)
{
  ROUTINE (MPI_Test);
  struct lc_received received = {0};
  struct lc_carrier *carrier;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Test (request, flag, status);
  carrier = profile_requests_claim (*request);
  lc_profile_go (&call);
  result = PMPI_Test (request, flag, status);
  lc_profile_back (&call);
  if (result == MPI_SUCCESS && !*flag)
    {
      profile_requests_release (carrier);
      profile_requests_poll (&call);
    }
  else
    profile_requests_finish (carrier, status, &received);
  lc_profile_received (&call, &received);
  lc_profile_end (&call);
  return result;
}

/* The carriers of the requests before the call, which sets the handles of complete requests to null. They are on the
 * stack, or in the thread's own memory if they are many. */
enum
{
  FEW = 64,
};

struct handles
{
  struct lc_carrier *few[FEW];
  struct lc_carrier **all;
};

static void
profile_requests_keep (struct handles *handles, int count, const MPI_Request *requests)
{
  static __thread struct lc_carrier **many __attribute__ ((tls_model ("initial-exec")));
  static __thread int n_many __attribute__ ((tls_model ("initial-exec")));

  handles->all = handles->few;
  if (count > FEW && count > n_many)
    {
      struct lc_carrier **more = lc_profile_allocate ((size_t)count * 2 * sizeof *more);

      if (more != NULL)
        {
          many = more;
          n_many = count * 2;
        }
    }
  if (count > FEW)
    handles->all = count <= n_many ? many : NULL;
  for (int i = 0; i < count && handles->all != NULL; i++)
    handles->all[i] = profile_requests_claim (requests[i]);
}

static void
finish_one (const struct handles *handles, int index, MPI_Status *status, struct lc_received *received)
{
  if (index == MPI_UNDEFINED || handles->all == NULL)
    return;
  profile_requests_finish (handles->all[index], status, received);
  handles->all[index] = NULL;
}

static void
finish_all (const struct handles *handles, int count, const int *indices, MPI_Status *statuses,
            struct lc_received *received)
{
  for (int i = 0; i < count; i++)
    finish_one (handles, indices != NULL ? indices[i] : i,
                statuses != MPI_STATUSES_IGNORE ? &statuses[i] : MPI_STATUS_IGNORE, received);
}

/* Releases the requests that are not complete. */
static void
release_all (const struct handles *handles, int count)
{
  for (int i = 0; i < count && handles->all != NULL; i++)
    profile_requests_release (handles->all[i]);
}

LC_PROFILE_EXPORT int
MPI_Waitall (int count, MPI_Request requests[], MPI_Status statuses[])
{
  ROUTINE (MPI_Waitall);
  struct lc_received received = {0};
  struct handles handles;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Waitall (count, requests, statuses);
  profile_requests_keep (&handles, count, requests);
  lc_profile_go (&call);
  result = PMPI_Waitall (count, requests, statuses);
  lc_profile_back (&call);
  finish_all (&handles, count, NULL, statuses, &received);
  lc_profile_received (&call, &received);
  lc_profile_end (&call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Testall (int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
  ROUTINE (MPI_Testall);
  struct lc_received received = {0};
  struct handles handles;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Testall (count, requests, flag, statuses);
  profile_requests_keep (&handles, count, requests);
  lc_profile_go (&call);
  result = PMPI_Testall (count, requests, flag, statuses);
  lc_profile_back (&call);
  if (result == MPI_SUCCESS && !*flag)
    profile_requests_poll (&call);
  else
    finish_all (&handles, count, NULL, statuses, &received);
  release_all (&handles, count);
  lc_profile_received (&call, &received);
  lc_profile_end (&call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Waitany (int count, MPI_Request requests[], int *index, MPI_Status *status)
{
  ROUTINE (MPI_Waitany);
  struct lc_received received = {0};
  struct handles handles;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Waitany (count, requests, index, status);
  profile_requests_keep (&handles, count, requests);
  lc_profile_go (&call);
  result = PMPI_Waitany (count, requests, index, status);
  lc_profile_back (&call);
  finish_one (&handles, *index, status, &received);
  release_all (&handles, count);
  lc_profile_received (&call, &received);
  lc_profile_end (&call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Testany (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
  ROUTINE (MPI_Testany);
  struct lc_received received = {0};
  struct handles handles;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Testany (count, requests, index, flag, status);
  profile_requests_keep (&handles, count, requests);
  lc_profile_go (&call);
  result = PMPI_Testany (count, requests, index, flag, status);
  lc_profile_back (&call);
  if (result == MPI_SUCCESS && !*flag)
    profile_requests_poll (&call);
  else
    finish_one (&handles, *index, status, &received);
  release_all (&handles, count);
  lc_profile_received (&call, &received);
  lc_profile_end (&call);
  return result;
}

static int
profile_requests_some (struct lc_profile_routine *routine, bool waits, int count, MPI_Request requests[], int *n_done,
                       int indices[], MPI_Status statuses[])
{
  struct lc_received received = {0};
  struct lc_profile_call call;
  struct handles handles;
  int result;

  if (!lc_profile_begin (&call, routine))
    return waits ? PMPI_Waitsome (count, requests, n_done, indices, statuses)
                 : PMPI_Testsome (count, requests, n_done, indices, statuses);
  profile_requests_keep (&handles, count, requests);
  lc_profile_go (&call);
  result = waits ? PMPI_Waitsome (count, requests, n_done, indices, statuses)
                 : PMPI_Testsome (count, requests, n_done, indices, statuses);
  lc_profile_back (&call);
  if (result == MPI_SUCCESS && *n_done == 0)
    profile_requests_poll (&call);
  else if (*n_done != MPI_UNDEFINED)
    finish_all (&handles, *n_done, indices, statuses, &received);
  release_all (&handles, count);
  lc_profile_received (&call, &received);
  lc_profile_end (&call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Waitsome (int count, MPI_Request requests[], int *n_done, int indices[], MPI_Status statuses[])
{
  static struct lc_profile_routine routine = {.name = "MPI_Waitsome", .kind = LC_PROFILE_MPI};

  return profile_requests_some (&routine, true, count, requests, n_done, indices, statuses);
}

LC_PROFILE_EXPORT int
MPI_Testsome (int count, MPI_Request requests[], int *n_done, int indices[], MPI_Status statuses[])
{
  static struct lc_profile_routine routine = {.name = "MPI_Testsome", .kind = LC_PROFILE_MPI};

  return profile_requests_some (&routine, false, count, requests, n_done, indices, statuses);
}

LC_PROFILE_EXPORT int
MPI_Request_get_status (MPI_Request request, int *flag, MPI_Status *status)
{
  ROUTINE (MPI_Request_get_status);
  const struct lc_carrier *carrier;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Request_get_status (request, flag, status);
  carrier = profile_requests_find (key_of (request));
  lc_profile_go (&call);
  result = PMPI_Request_get_status (request, flag, status);
  lc_profile_back (&call);
  if (result == MPI_SUCCESS && !*flag)
    profile_requests_poll (&call);
  else if (carrier != NULL && carrier->is_receive && carrier->is_active &&
           carrier->header.delay != LC_PROFILE_NO_MESSAGE)
    lc_carrier_correct (status);
  lc_profile_end (&call);
  return result;
}

/* --- Probes ------------------------------------------------------------------------------------------------ */

typedef int Ask (int from, int tag, MPI_Comm communicator, int *flag, MPI_Message *message, MPI_Status *status);

static int
profile_requests_probe (int from, int tag, MPI_Comm communicator, int *flag, MPI_Message *message, MPI_Status *status)
{
  *flag = true;
  return PMPI_Probe (from, tag, communicator, status);
}

static int
profile_requests_iprobe (int from, int tag, MPI_Comm communicator, int *flag, MPI_Message *message, MPI_Status *status)
{
  return PMPI_Iprobe (from, tag, communicator, flag, status);
}

static int
profile_requests_mprobe (int from, int tag, MPI_Comm communicator, int *flag, MPI_Message *message, MPI_Status *status)
{
  *flag = true;
  return PMPI_Mprobe (from, tag, communicator, message, status);
}

/* If a probe has found a message, the receive that follows at once has waited since the begin of the probe. */
static int
profile_requests_look (struct lc_profile_routine *routine, Ask *ask, int from, int tag, MPI_Comm communicator,
                       int *flag, MPI_Message *message, MPI_Status *status)
{
  struct lc_profile_call call;
  int result;

  if (!lc_profile_begin (&call, routine))
    return ask (from, tag, communicator, flag, message, status);
  lc_profile_go (&call);
  result = ask (from, tag, communicator, flag, message, status);
  lc_profile_back (&call);
  if (result == MPI_SUCCESS)
    profile_requests_poll (&call);
  if (result == MPI_SUCCESS && *flag && from != MPI_PROC_NULL)
    lc_carrier_correct (status);
  lc_profile_end (&call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Probe (int from, int tag, MPI_Comm communicator, MPI_Status *status)
{
  static struct lc_profile_routine routine = {.name = "MPI_Probe", .kind = LC_PROFILE_MPI};
  int flag;

  return profile_requests_look (&routine, profile_requests_probe, from, tag, communicator, &flag, NULL, status);
}

LC_PROFILE_EXPORT int
MPI_Iprobe (int from, int tag, MPI_Comm communicator, int *flag, MPI_Status *status)
{
  static struct lc_profile_routine routine = {.name = "MPI_Iprobe", .kind = LC_PROFILE_MPI};

  return profile_requests_look (&routine, profile_requests_iprobe, from, tag, communicator, flag, NULL, status);
}

LC_PROFILE_EXPORT int
MPI_Mprobe (int from, int tag, MPI_Comm communicator, MPI_Message *message, MPI_Status *status)
{
  static struct lc_profile_routine routine = {.name = "MPI_Mprobe", .kind = LC_PROFILE_MPI};
  int flag;

  return profile_requests_look (&routine, profile_requests_mprobe, from, tag, communicator, &flag, message, status);
}

LC_PROFILE_EXPORT int
MPI_Improbe (int from, int tag, MPI_Comm communicator, int *flag, MPI_Message *message, MPI_Status *status)
{
  static struct lc_profile_routine routine = {.name = "MPI_Improbe", .kind = LC_PROFILE_MPI};

  return profile_requests_look (&routine, PMPI_Improbe, from, tag, communicator, flag, message, status);
}
