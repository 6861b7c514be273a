/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the wrappers of point-to-point functions: posted receives, and pending requests. */
#ifndef LC_MPI_MESSAGES_H
#define LC_MPI_MESSAGES_H

#include "recording.h"

#define LC_NO_REQUEST UINT32_MAX

/* --- Receives (receives.c); with the tables locked ----------------------------------------------------------- */

/* A posted receive, or a message that a probe has found. */
struct lc_receive
{
  struct lc_receive *next, *previous; /* in its channel's list, or its communicator's if the channel is unknown */
  struct lc_communicator *communicator;
  struct lc_channel *channel; /* NULL: not known yet */
  MPI_Request orphan;         /* its request, if freed before its message was known, or MPI_REQUEST_NULL */
  uint64_t post;              /* its number among the communicator's posted receives */
  uint32_t from;              /* the accepted sender; LC_NO_PROCESS: any */
  int tag;                    /* or MPI_ANY_TAG */
  uint32_t request;           /* number in requests-I, or LC_NO_REQUEST */
  uint32_t sequence;          /* valid once it is numbered */
  bool is_blind;
  bool is_look;      /* a probe: the message stays for the next receive */
  bool is_doubtful;  /* the program has asked to cancel it */
  bool is_numbered;  /* it has its number, and is in no list */
  bool is_forgotten; /* only its list still refers to it */
};

enum lc_take
{
  LC_TAKE, /* the message is received */
  LC_LOOK, /* the message stays where it is */
};

/* Posts a receive. NULL: no memory. */
struct lc_receive *lc_receive_post (struct lc_communicator *communicator, int source, int tag);

/* The receive has got the message that the status describes. */
void lc_receive_match (struct lc_receive *receive, const MPI_Status *status);

/* The receive will never get a message. */
void lc_receive_drop (struct lc_receive *receive);

/* The caller of lc_receive_post will not use the receive again. */
void lc_receive_release (struct lc_receive *receive);

/* A message was received, or found, by a call that posts and matches at the same time. `request` is resolved to the
 * message, unless it is LC_NO_REQUEST. NULL: no memory. */
struct lc_receive *lc_receive_found (struct lc_communicator *communicator, const MPI_Status *status, enum lc_take take,
                                     uint32_t request);

/* Sets the event's object and sequence number, or LC_EVENT_REQUEST and a request number while they are unknown. */
void lc_receive_tell (struct lc_receive *receive, struct lc_finished *event);

/* Does lc_receive_found (LC_TAKE), lc_receive_tell and lc_receive_release at once, without memory where possible. */
void lc_receive_at_once (struct lc_communicator *communicator, const MPI_Status *status, struct lc_finished *event);

/* --- Requests (requests.c); with the tables locked ------------------------------------------------------------ */

/* An MPI_Request. It may stand for a message sent, one received, both, or neither. */
struct lc_request
{
  struct lc_request *next;
  uint64_t key;

  struct lc_channel *channel; /* channel of the message that is sent, or NULL */
  uint32_t sequence;
  uint64_t bytes;
  struct lc_receive *receive; /* or NULL */

  struct lc_pending_collective collective; /* `finish` is 0: there is none */
  struct lc_communicator *communicator;
  struct lc_pending_communicator made; /* its handle is NULL: there is none */
  struct lc_pending_message *messages; /* the n_messages of a neighbourhood, or partitioned messages; or NULL */
  int n_messages;

  bool is_persistent, is_active;
  bool is_receiver; /* persistent: it receives, rather than sends */
  int partner, tag; /* persistent: what each start uses */
  bool is_doubtful; /* the program has asked to cancel it */

  struct lc_steered_start *start; /* in a replay (steer.h): of a persistent receive from anybody; or NULL */
};

/* Adds an entry for a request or message handle, without any message yet. NULL: no memory. */
struct lc_request *lc_request_add (MPI_Request handle);
struct lc_request *lc_message_add (MPI_Message handle);

/* Takes the entry of a handle out of the table. NULL: there is none, or it is not active. */
struct lc_request *lc_request_take (MPI_Request handle);
struct lc_request *lc_message_take (MPI_Message handle);

/* Takes the entry of a handle out of the table, even if it is not active. */
struct lc_request *lc_request_remove (MPI_Request handle);

/* Adds a request that is not recorded, to recognise its handle; if the call that made it has succeeded. With the tables
 * unlocked. */
void lc_request_add_nothing (int result, const MPI_Request *handle);

/* Does lc_mpi_pass for a call that makes a request. */
int lc_request_pass (struct lc_mpi_call *call, int result, const MPI_Request *handle);

/* Puts a taken entry back. */
void lc_request_put_back (struct lc_request *request);

/* Gives an entry that is in the table, and the oldest of its handle, another handle. */
void lc_request_rename (struct lc_request *request, MPI_Request handle);

/* Returns an entry without taking it out of the table. */
struct lc_request *lc_request_look (MPI_Request handle);

/* Ends a request; a persistent one goes back into the table, inactive. */
void lc_request_end (struct lc_request *request);

/* Frees an entry, even of a persistent request. */
void lc_request_forget (struct lc_request *request);

/* --- Others --------------------------------------------------------------------------------------------------- */

/* Whether a receive that failed has taken its message nevertheless. */
bool lc_mpi_is_truncated (int result);

/* Returns the number of received bytes. */
static inline uint64_t
lc_mpi_received (const MPI_Status *status)
{
  MPI_Count bytes = 0;

  if (PMPI_Get_elements_x (status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes < 0)
    return 0;
  return (uint64_t)bytes;
}

/* Does lc_mpi_enter, and returns the communicator of a message to or from this rank. NULL: nothing is recorded now, or
 * not this message, as the partner is MPI_PROC_NULL or of another world. In that case end the call with lc_mpi_pass. */
struct lc_communicator *lc_mpi_enter_message (struct lc_mpi_call *call, MPI_Comm handle, int partner);

/* A message that this rank sends (sending.c). lc_sending_begin does lc_mpi_enter_message, locks the tables, and takes
 * the message's number; FALSE where that one returns NULL. */
struct lc_sending
{
  struct lc_mpi_call call;
  struct lc_communicator *communicator;
  struct lc_channel *channel; /* NULL: no memory */
  uint32_t sequence;
};

bool lc_sending_begin (struct lc_sending *sending, MPI_Comm handle, int to, int tag);
void lc_sending_number (struct lc_sending *sending, int to, int tag); /* takes a number of `communicator` */
void lc_sending_failed (struct lc_sending *sending);

#endif
