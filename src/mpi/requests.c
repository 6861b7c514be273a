/* SPDX-License-Identifier: Apache-2.0 */
/* The table of requests and message handles that the program holds. */
#include <string.h>

#include "steer.h"

/*
 * A handle does not identify a request: MPI gives the same one to any number of requests that are complete when they
 * are made (Open MPI's empty request, MPICH's lightweight ones), and reuses it as soon as a request is over. So the
 * table may have several entries of one handle, of which the oldest is meant. Entries are taken out before a call that
 * may complete them, because another thread may be given the handle before the call returns; those that are not
 * complete go back. Requests of MPI_PROC_NULL are here too, although nothing is known of them, as their handle may be
 * shared.
 */
struct bucket
{
  struct lc_request *first, *last;
};

enum
{
  FIRST_BUCKETS = 256
};

static struct bucket *buckets;
static size_t n_buckets, n_requests;

static inline struct bucket *
requests_bucket_of (uint64_t key)
{
  return &buckets[(size_t)((key * UINT64_C (0x9E3779B97F4A7C15)) >> 32) & (n_buckets - 1)];
}

static void
requests_append (struct lc_request *request)
{
  struct bucket *bucket = requests_bucket_of (request->key);

  request->next = NULL;
  *(bucket->last != NULL ? &bucket->last->next : &bucket->first) = request;
  bucket->last = request;
}

static bool
requests_grow (void)
{
  size_t before = n_buckets, wanted = before == 0 ? FIRST_BUCKETS : 2 * before;
  struct bucket *old = buckets, *larger = lc_mpi_allocate (wanted * sizeof *larger);

  if (larger == NULL)
    return before != 0;
  memset (larger, 0, wanted * sizeof *larger);
  buckets = larger;
  n_buckets = wanted;
  for (size_t i = 0; i < before; i++)
    for (struct lc_request *request = old[i].first, *next; request != NULL; request = next)
      {
        next = request->next;
        requests_append (request);
      }
  if (old != NULL)
    lc_mpi_release (old, before * sizeof *old);
  return true;
}

/* MPICH's message handles have the same numbers as requests, so the lowest bit tells them apart. */
static inline uint64_t
request_key (MPI_Request handle)
{
  return (uint64_t)(uintptr_t)handle << 1;
}

static inline uint64_t
message_key (MPI_Message handle)
{
  return (uint64_t)(uintptr_t)handle << 1 | 1;
}

static struct lc_request *
requests_add (uint64_t key)
{
  struct lc_request *request;

  if (n_requests >= n_buckets && !requests_grow ())
    return NULL;
  request = lc_mpi_allocate (sizeof *request);
  if (request == NULL)
    return NULL;
  *request = (struct lc_request){.key = key, .is_active = true};
  requests_append (request);
  n_requests++;
  return request;
}

struct lc_request *
lc_request_add (MPI_Request handle)
{
  return requests_add (request_key (handle));
}

struct lc_request *
lc_message_add (MPI_Message handle)
{
  return requests_add (message_key (handle));
}

static struct lc_request *
requests_look (uint64_t key)
{
  struct lc_request *request = n_buckets != 0 ? requests_bucket_of (key)->first : NULL;

  while (request != NULL && request->key != key)
    request = request->next;
  return request;
}

static struct lc_request *
requests_take (uint64_t key, bool is_idle_too)
{
  struct lc_request *before = NULL, *request = NULL;
  struct bucket *bucket = NULL;

  if (n_buckets != 0)
    {
      bucket = requests_bucket_of (key);
      request = bucket->first;
    }
  for (; request != NULL && request->key != key; request = request->next)
    before = request;
  if (request == NULL || (!request->is_active && !is_idle_too))
    return NULL;
  *(before != NULL ? &before->next : &bucket->first) = request->next;
  if (bucket->last == request)
    bucket->last = before;
  n_requests--;
  return request;
}

struct lc_request *
lc_request_take (MPI_Request handle)
{
  return handle != MPI_REQUEST_NULL ? requests_take (request_key (handle), false) : NULL;
}

struct lc_request *
lc_request_remove (MPI_Request handle)
{
  return handle != MPI_REQUEST_NULL ? requests_take (request_key (handle), true) : NULL;
}

struct lc_request *
lc_message_take (MPI_Message handle)
{
  return handle != MPI_MESSAGE_NULL && handle != MPI_MESSAGE_NO_PROC ? requests_take (message_key (handle), false)
                                                                     : NULL;
}

/* Puts the entry before all others, as it was the oldest of its handle. */
void
lc_request_put_back (struct lc_request *request)
{
  struct bucket *bucket = requests_bucket_of (request->key);

  request->next = bucket->first;
  bucket->first = request;
  if (bucket->last == NULL)
    bucket->last = request;
  n_requests++;
}

void
lc_request_rename (struct lc_request *request, MPI_Request handle)
{
  requests_take (request->key, true);
  request->key = request_key (handle);
  requests_append (request);
  n_requests++;
}

struct lc_request *
lc_request_look (MPI_Request handle)
{
  return handle != MPI_REQUEST_NULL ? requests_look (request_key (handle)) : NULL;
}

void
lc_request_forget (struct lc_request *request)
{
  if (request->receive != NULL)
    lc_receive_release (request->receive);
  lc_steer_forget_start (request);
  if (request->communicator != NULL)
    lc_communicator_drop (request->communicator);
  if (request->messages != NULL)
    lc_mpi_release (request->messages, (size_t)request->n_messages * sizeof *request->messages);
  lc_mpi_release (request, sizeof *request);
}

void
lc_request_end (struct lc_request *request)
{
  if (!request->is_persistent)
    {
      lc_request_forget (request);
      return;
    }
  if (request->receive != NULL)
    lc_receive_release (request->receive);
  request->receive = NULL;
  request->channel = NULL;
  request->is_active = false;
  request->is_doubtful = false;
  lc_request_put_back (request);
}

void
lc_request_add_collective (MPI_Request handle, const struct lc_pending_collective *collective,
                           struct lc_communicator *communicator, const struct lc_pending_communicator *made)
{
  struct lc_request *request;

  lc_mpi_lock ();
  request = lc_request_add (handle);
  if (request != NULL)
    {
      request->collective = *collective;
      request->is_persistent = collective->begin != 0;
      request->is_active = !request->is_persistent;
      request->communicator = communicator;
      if (made != NULL)
        request->made = *made;
      communicator->references++;
    }
  lc_mpi_unlock ();
}

void
lc_request_add_nothing (int result, const MPI_Request *handle)
{
  if (result != MPI_SUCCESS)
    return;
  lc_mpi_lock ();
  lc_request_add (*handle);
  lc_mpi_unlock ();
}

int
lc_request_pass (struct lc_mpi_call *call, int result, const MPI_Request *handle)
{
  if (call->is_entered)
    lc_request_add_nothing (result, handle);
  return lc_mpi_pass (call, result);
}

void
lc_request_add_messages (MPI_Request handle, const struct lc_pending_message *messages, int n, bool is_persistent)
{
  size_t bytes = (size_t)n * sizeof *messages;
  struct lc_pending_message *copy = NULL;
  struct lc_request *request = NULL;

  lc_mpi_lock ();
  if (n > 0)
    copy = lc_mpi_allocate (bytes);
  if (copy != NULL || !is_persistent)
    request = lc_request_add (handle);
  if (request != NULL && copy != NULL)
    {
      memcpy (copy, messages, bytes);
      request->messages = copy;
      request->n_messages = n;
      request->is_persistent = is_persistent;
      request->is_active = !is_persistent;
    }
  else if (copy != NULL)
    lc_mpi_release (copy, bytes);
  lc_mpi_unlock ();
}
