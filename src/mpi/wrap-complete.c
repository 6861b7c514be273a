/* SPDX-License-Identifier: Apache-2.0 */
/* MPI_Wait, MPI_Test and the like, MPI_Cancel and MPI_Request_free: the ends of requests. */
#include "steered-complete.h"

enum
{
  AT_HAND = 32,    /* requests of one call that need no allocation */
  FAILED_TESTS = 4 /* failed tests that one call writes */
};

/* The requests of one call, looked up before the call, because MPI overwrites the handles. */
struct batch
{
  struct lc_mpi_call call;
  int n;
  struct lc_request **requests; /* NULL: unknown, not active, or over by now */
  MPI_Status *statuses;         /* used if the program ignores statuses */
  uint64_t *ends;               /* when each request was over */
  struct lc_request *few_requests[AT_HAND];
  MPI_Status few_statuses[AT_HAND];
  uint64_t few_ends[AT_HAND];
  bool has_ends; /* they are known */
  uint64_t over; /* when the request was over whose events are written; 0: at the end of the call */
  uint64_t told; /* end of the last event of this call; 0: none yet */
};

/* --- Begin and end ------------------------------------------------------------------------------------------- */

static bool
wrap_complete_make_room (struct batch *batch)
{
  batch->requests = batch->few_requests;
  batch->statuses = batch->few_statuses;
  batch->ends = batch->few_ends;
  if (batch->n <= AT_HAND)
    return true;
  batch->requests = lc_mpi_allocate ((size_t)batch->n * sizeof *batch->requests);
  batch->statuses = lc_mpi_allocate ((size_t)batch->n * sizeof *batch->statuses);
  batch->ends = lc_mpi_allocate ((size_t)batch->n * sizeof *batch->ends);
  return batch->requests != NULL && batch->statuses != NULL && batch->ends != NULL;
}

static void
give_room_back (struct batch *batch)
{
  if (batch->n <= AT_HAND)
    return;
  if (batch->requests != NULL)
    lc_mpi_release (batch->requests, (size_t)batch->n * sizeof *batch->requests);
  if (batch->statuses != NULL)
    lc_mpi_release (batch->statuses, (size_t)batch->n * sizeof *batch->statuses);
  if (batch->ends != NULL)
    lc_mpi_release (batch->ends, (size_t)batch->n * sizeof *batch->ends);
}

static struct lc_request *
wrap_complete_first_of (const struct batch *batch)
{
  for (int i = 0; i < batch->n; i++)
    if (batch->requests[i] != NULL)
      return batch->requests[i];
  return NULL;
}

/* FALSE: there is nothing to record; then end the call with lc_mpi_pass. */
static bool
wrap_complete_begin (struct batch *batch, int n, const MPI_Request *handles)
{
  bool any = false;

  if (!lc_mpi_enter_if_on (&batch->call))
    return false;
  batch->n = n;
  batch->told = batch->over = 0;
  batch->has_ends = false;
  lc_mpi_lock ();
  if (wrap_complete_make_room (batch))
    for (int i = 0; i < n; i++)
      {
        batch->requests[i] = lc_request_take (handles[i]);
        any |= batch->requests[i] != NULL;
      }
  if (!any)
    give_room_back (batch);
  lc_mpi_unlock ();
  return any;
}

/* Requests that are not over go back into the table, the last one first, which keeps their order. */
static void
wrap_complete_end (struct batch *batch)
{
  lc_mpi_lock ();
  for (int i = batch->n - 1; i >= 0; i--)
    if (batch->requests[i] != NULL)
      lc_request_put_back (batch->requests[i]);
  give_room_back (batch);
  lc_mpi_unlock ();
  lc_mpi_hooks->unblock ();
}

/* The call is noted as waiting for its first request. */
static void
wrap_complete_block (struct batch *batch)
{
  const struct lc_request *request = wrap_complete_first_of (batch);

  if (request->collective.finish != 0)
    lc_mpi_block (&batch->call, request->collective.finish, request->collective.object, request->collective.number);
  else if (request->channel != NULL)
    lc_mpi_block (&batch->call, LC_COMPLETE, request->channel->object, request->sequence);
  else if (request->receive != NULL)
    lc_mpi_block (&batch->call, LC_COMPLETE, request->receive->channel != NULL ? request->receive->channel->object : 0,
                  request->receive->is_numbered ? request->receive->sequence : 0);
  else if (request->n_messages > 0)
    lc_mpi_block (&batch->call, LC_COMPLETE, request->messages[request->n_messages - 1].channel->object,
                  request->messages[request->n_messages - 1].sequence);
}

/* --- Events -------------------------------------------------------------------------------------------------- */

/* Writes an event of the call: from the end of the one before it, or the begin of the call, until its request was
 * over. */
static void
wrap_complete_tell (struct batch *batch, struct lc_finished *event)
{
  event->begin = batch->told != 0 ? batch->told : batch->call.begin;
  event->end = batch->over != 0 ? batch->over : batch->call.end;
  batch->told = event->end;
  lc_mpi_append (&batch->call, event);
}

static void
tell_sent (struct batch *batch, const struct lc_request *request, uint16_t operation)
{
  wrap_complete_tell (batch, &(struct lc_finished){.operation = operation,
                                                   .object = request->channel->object,
                                                   .sequence = request->sequence,
                                                   .bytes = request->bytes});
}

static void
tell_received (struct batch *batch, const struct lc_request *request, uint16_t operation, uint64_t bytes)
{
  struct lc_finished event = {.operation = operation, .bytes = bytes};

  if (operation == LC_COMPLETE && request->receive->is_blind)
    event.flags = LC_EVENT_BLIND;
  lc_mpi_lock ();
  lc_receive_tell (request->receive, &event);
  lc_mpi_unlock ();
  wrap_complete_tell (batch, &event);
}

/* Writes the messages of a neighbourhood. */
static void
tell_messages (struct batch *batch, const struct lc_request *request)
{
  for (int i = 0; i < request->n_messages; i++)
    wrap_complete_tell (batch, &(struct lc_finished){.operation = LC_COMPLETE,
                                                     .object = request->messages[i].channel->object,
                                                     .sequence = request->messages[i].sequence,
                                                     .bytes = request->messages[i].bytes});
}

static void
wrap_complete_tell_collective (struct batch *batch, const struct lc_request *request, uint16_t operation)
{
  wrap_complete_tell (batch, &(struct lc_finished){.operation = operation,
                                                   .object = request->collective.object,
                                                   .sequence = request->collective.number,
                                                   .value = request->collective.members,
                                                   .bytes = request->collective.bytes});
}

/* Names a communicator whose duplication is complete. */
static void
name_made (const struct lc_pending_communicator *made)
{
  struct lc_mpi_call call;

  lc_mpi_enter_unrecorded (&call);
  lc_communicator_name (*made->handle, made->parent, made->number, "");
  lc_mpi_leave (&call);
}

static void
wrap_complete_tell_failed (struct batch *batch)
{
  int told = 0;

  for (int i = 0; i < batch->n && told < FAILED_TESTS; i++)
    {
      const struct lc_request *request = batch->requests[i];

      if (request == NULL)
        continue;
      if (request->collective.finish != 0)
        wrap_complete_tell_collective (batch, request, LC_FINISH_FAILED);
      else if (request->receive != NULL)
        tell_received (batch, request, LC_TEST_FAILED, 0);
      else if (request->channel != NULL)
        tell_sent (batch, request, LC_TEST_FAILED);
      else
        continue;
      told++;
    }
}

/* --- Complete requests --------------------------------------------------------------------------------------- */

/* Finds out which message a receive has got: for all requests of a call, before any event is written. */
static void
wrap_complete_settle (struct lc_request *request, int result, const MPI_Status *status)
{
  bool is_taken = result == MPI_SUCCESS || lc_mpi_is_truncated (result);
  int is_cancelled = 0;

  if (request->is_doubtful && is_taken)
    PMPI_Test_cancelled (status, &is_cancelled);
  request->is_doubtful = is_cancelled != 0;
  if (request->receive != NULL && is_taken && !is_cancelled)
    lc_receive_match (request->receive, status);
  else if (request->receive != NULL)
    lc_receive_drop (request->receive);
  else if (request->channel != NULL && is_cancelled && request->channel->sent == request->sequence + 1)
    request->channel->sent--;
}

static void
tell_over (struct batch *batch, const struct lc_request *request, int result, const MPI_Status *status)
{
  if (result != MPI_SUCCESS || request->is_doubtful)
    return;
  if (request->receive != NULL)
    tell_received (batch, request, LC_COMPLETE, lc_mpi_received (status));
  if (request->channel != NULL)
    tell_sent (batch, request, LC_COMPLETE);
  if (request->collective.finish != 0)
    wrap_complete_tell_collective (batch, request, request->collective.finish);
  tell_messages (batch, request);
  if (request->made.handle != NULL)
    name_made (&request->made);
}

/* Ends `n` requests of the batch: those at `places`, or the first `n` if that is NULL. The statuses are in the same
 * order. `has_errors`: each status has a result of its own. */
static void
end_some (struct batch *batch, int n, const int *places, const MPI_Status *statuses, int result, bool has_errors)
{
  lc_mpi_lock ();
  for (int i = 0; i < n; i++)
    {
      struct lc_request *request = batch->requests[places != NULL ? places[i] : i];
      int own = has_errors ? statuses[i].MPI_ERROR : result;

      if (request != NULL && own != MPI_ERR_PENDING)
        wrap_complete_settle (request, own, &statuses[i]);
    }
  lc_mpi_unlock ();
  for (int i = 0; i < n; i++)
    {
      int place = places != NULL ? places[i] : i, own = has_errors ? statuses[i].MPI_ERROR : result;
      struct lc_request *request = batch->requests[place];

      if (request == NULL || own == MPI_ERR_PENDING)
        continue;
      batch->over = batch->has_ends ? batch->ends[place] : 0;
      tell_over (batch, request, own, &statuses[i]);
      batch->requests[place] = NULL;
      lc_mpi_lock ();
      lc_request_end (request);
      lc_mpi_unlock ();
    }
}

static bool
has_errors (int result)
{
  int class = MPI_SUCCESS;

  return result != MPI_SUCCESS && PMPI_Error_class (result, &class) == MPI_SUCCESS && class == MPI_ERR_IN_STATUS;
}

/* --- One request --------------------------------------------------------------------------------------------- */

/* A request that ended with an error is over too. */
LC_MPI_EXPORT int
MPI_Wait (MPI_Request *request, MPI_Status *status)
{
  struct batch batch;
  int result;

  if (!wrap_complete_begin (&batch, 1, request))
    return lc_mpi_pass (&batch.call, PMPI_Wait (request, status));
  lc_steer_tell_apart (batch.requests, 1);
  wrap_complete_block (&batch);
  if (status == MPI_STATUS_IGNORE)
    status = batch.statuses;
  result = PMPI_Wait (request, status);
  lc_mpi_leave (&batch.call);
  end_some (&batch, 1, NULL, status, result, false);
  wrap_complete_end (&batch);
  return result;
}

LC_MPI_EXPORT int
MPI_Test (MPI_Request *request, int *flag, MPI_Status *status)
{
  struct batch batch;
  int result;

  if (!wrap_complete_begin (&batch, 1, request))
    return lc_mpi_pass (&batch.call, PMPI_Test (request, flag, status));
  lc_steer_tell_apart (batch.requests, 1);
  if (status == MPI_STATUS_IGNORE)
    status = batch.statuses;
  result = lc_steered_test (batch.requests, request, flag, status);
  lc_mpi_leave (&batch.call);
  if (result != MPI_SUCCESS || *flag)
    end_some (&batch, 1, NULL, status, result, false);
  else
    wrap_complete_tell_failed (&batch);
  wrap_complete_end (&batch);
  return result;
}

/* --- All of several ------------------------------------------------------------------------------------------ */

/* Waits for one request after the other, which MPI defines MPI_Waitall as: so it is known for which one it waited, and
 * how long. */
static int
wrap_complete_wait_each (struct batch *batch, MPI_Request requests[], MPI_Status statuses[])
{
  bool has_failed = false;

  for (int i = 0; i < batch->n; i++)
    {
      int result = PMPI_Wait (&requests[i], &statuses[i]);

      batch->ends[i] = lc_now_after ();
      if (result != MPI_SUCCESS && !has_failed)
        for (int before = 0; before < i; before++)
          statuses[before].MPI_ERROR = MPI_SUCCESS;
      has_failed |= result != MPI_SUCCESS;
      if (has_failed)
        statuses[i].MPI_ERROR = result;
    }
  return has_failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

LC_MPI_EXPORT int
MPI_Waitall (int n, MPI_Request requests[], MPI_Status statuses[])
{
  struct batch batch;
  int result;

  if (!wrap_complete_begin (&batch, n, requests))
    return lc_mpi_pass (&batch.call, PMPI_Waitall (n, requests, statuses));
  lc_steer_tell_apart (batch.requests, n);
  wrap_complete_block (&batch);
  if (statuses == MPI_STATUSES_IGNORE)
    statuses = batch.statuses;
  result = wrap_complete_wait_each (&batch, requests, statuses);
  lc_mpi_leave (&batch.call);
  batch.has_ends = true;
  end_some (&batch, n, NULL, statuses, result, result != MPI_SUCCESS);
  wrap_complete_end (&batch);
  return result;
}

LC_MPI_EXPORT int
MPI_Testall (int n, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
  struct batch batch;
  int result;

  if (!wrap_complete_begin (&batch, n, requests))
    return lc_mpi_pass (&batch.call, PMPI_Testall (n, requests, flag, statuses));
  lc_steer_tell_apart (batch.requests, n);
  if (statuses == MPI_STATUSES_IGNORE)
    statuses = batch.statuses;
  result = lc_steered_test_all (batch.requests, n, requests, flag, statuses);
  lc_mpi_leave (&batch.call);
  if (has_errors (result) || (result == MPI_SUCCESS && *flag))
    end_some (&batch, n, NULL, statuses, result, result != MPI_SUCCESS);
  else if (result == MPI_SUCCESS)
    wrap_complete_tell_failed (&batch);
  wrap_complete_end (&batch);
  return result;
}

/* --- Any of several ------------------------------------------------------------------------------------------ */

/* The call ends with any of its requests: of several, none is what it waits for. */
static void
wrap_complete_block_any (struct batch *batch, int n)
{
  if (n == 1)
    wrap_complete_block (batch);
  else
    lc_mpi_block (&batch->call, LC_COMPLETE, 0, 0);
}

LC_MPI_EXPORT int
MPI_Waitany (int n, MPI_Request requests[], int *place, MPI_Status *status)
{
  struct batch batch;
  int result;

  if (!wrap_complete_begin (&batch, n, requests))
    return lc_mpi_pass (&batch.call, PMPI_Waitany (n, requests, place, status));
  wrap_complete_block_any (&batch, n);
  if (status == MPI_STATUS_IGNORE)
    status = batch.statuses;
  *place = MPI_UNDEFINED;
  result = lc_steered_wait_any (batch.requests, n, requests, place, status);
  lc_mpi_leave (&batch.call);
  if (*place != MPI_UNDEFINED)
    end_some (&batch, 1, place, status, result, false);
  wrap_complete_end (&batch);
  return result;
}

LC_MPI_EXPORT int
MPI_Testany (int n, MPI_Request requests[], int *place, int *flag, MPI_Status *status)
{
  struct batch batch;
  int result;

  if (!wrap_complete_begin (&batch, n, requests))
    return lc_mpi_pass (&batch.call, PMPI_Testany (n, requests, place, flag, status));
  if (status == MPI_STATUS_IGNORE)
    status = batch.statuses;
  *place = MPI_UNDEFINED;
  result = lc_steered_test_any (batch.requests, n, requests, place, flag, status);
  lc_mpi_leave (&batch.call);
  if (*place != MPI_UNDEFINED)
    end_some (&batch, 1, place, status, result, false);
  else if (result == MPI_SUCCESS && !*flag)
    wrap_complete_tell_failed (&batch);
  wrap_complete_end (&batch);
  return result;
}

/* --- Some of several ----------------------------------------------------------------------------------------- */

LC_MPI_EXPORT int
MPI_Waitsome (int n, MPI_Request requests[], int *over, int places[], MPI_Status statuses[])
{
  struct batch batch;
  int result;

  if (!wrap_complete_begin (&batch, n, requests))
    return lc_mpi_pass (&batch.call, PMPI_Waitsome (n, requests, over, places, statuses));
  wrap_complete_block_any (&batch, n);
  if (statuses == MPI_STATUSES_IGNORE)
    statuses = batch.statuses;
  *over = MPI_UNDEFINED;
  result = lc_steered_wait_some (batch.requests, n, requests, over, places, statuses);
  lc_mpi_leave (&batch.call);
  if (*over != MPI_UNDEFINED && (result == MPI_SUCCESS || has_errors (result)))
    end_some (&batch, *over, places, statuses, result, result != MPI_SUCCESS);
  wrap_complete_end (&batch);
  return result;
}

LC_MPI_EXPORT int
MPI_Testsome (int n, MPI_Request requests[], int *over, int places[], MPI_Status statuses[])
{
  struct batch batch;
  int result;

  if (!wrap_complete_begin (&batch, n, requests))
    return lc_mpi_pass (&batch.call, PMPI_Testsome (n, requests, over, places, statuses));
  if (statuses == MPI_STATUSES_IGNORE)
    statuses = batch.statuses;
  *over = MPI_UNDEFINED;
  result = lc_steered_test_some (batch.requests, n, requests, over, places, statuses);
  lc_mpi_leave (&batch.call);
  if (*over != MPI_UNDEFINED && *over > 0 && (result == MPI_SUCCESS || has_errors (result)))
    end_some (&batch, *over, places, statuses, result, result != MPI_SUCCESS);
  else if (result == MPI_SUCCESS && *over == 0)
    wrap_complete_tell_failed (&batch);
  wrap_complete_end (&batch);
  return result;
}

/* --- Cancelled and freed requests ---------------------------------------------------------------------------- */

LC_MPI_EXPORT int
MPI_Cancel (MPI_Request *handle)
{
  struct lc_request *request;
  struct lc_mpi_call call;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Cancel (handle);
  lc_mpi_enter_unrecorded (&call);
  lc_mpi_lock ();
  request = lc_request_look (*handle);
  if (request != NULL && request->is_active)
    {
      request->is_doubtful = true;
      if (request->receive != NULL)
        request->receive->is_doubtful = true;
    }
  lc_mpi_unlock ();
  result = PMPI_Cancel (handle);
  lc_mpi_leave (&call);
  return result;
}

/* A receive that is freed goes on, but nobody completes it: so its message is found out now, or later as an
 * orphan's. */
static void
wrap_complete_orphan (struct lc_request *request, MPI_Request *handle)
{
  struct lc_receive *receive = request->receive;
  MPI_Status status;
  int is_over = 0;

  if (PMPI_Request_get_status (*handle, &is_over, &status) == MPI_SUCCESS && is_over)
    wrap_complete_settle (request, MPI_SUCCESS, &status);
  else if (request->is_doubtful)
    lc_receive_drop (receive);
  else if (receive->channel == NULL)
    {
      receive->orphan = *handle;
      *handle = MPI_REQUEST_NULL;
    }
}

LC_MPI_EXPORT int
MPI_Request_free (MPI_Request *handle)
{
  struct lc_request *request;
  struct lc_mpi_call call;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Request_free (handle);
  lc_mpi_enter_unrecorded (&call);
  lc_mpi_lock ();
  request = lc_request_remove (*handle);
  if (request != NULL && request->receive != NULL)
    wrap_complete_orphan (request, handle);
  if (request != NULL)
    lc_request_forget (request);
  lc_mpi_unlock ();
  result = *handle != MPI_REQUEST_NULL || request == NULL ? PMPI_Request_free (handle) : MPI_SUCCESS;
  lc_mpi_leave (&call);
  return result;
}
