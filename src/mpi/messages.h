/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of point-to-point functions share: receives that are posted, and requests that are going on. */
#ifndef LC_MPI_MESSAGES_H
#define LC_MPI_MESSAGES_H

#include "recording.h"

#define LC_NO_REQUEST UINT32_MAX

/* --- Receives: receives.c; all with the tables locked -------------------------------------------------------- */

/* A receive that has been posted, or a message that has been found by a probe. */
struct lc_receive
{
  struct lc_receive *next, *previous; /* of its channel, or of its communicator while its channel is not known */
  struct lc_communicator *communicator;
  struct lc_channel *channel; /* NULL: not known yet */
  MPI_Request orphan;         /* not MPI_REQUEST_NULL: the program has freed it before it was known what it took */
  uint64_t post;              /* its place among the communicator's */
  uint32_t from;              /* whose messages it takes, LC_NO_PROCESS: anyone's */
  int tag;                    /* or MPI_ANY_TAG */
  uint32_t request;           /* of requests-I, or LC_NO_REQUEST */
  uint32_t sequence;          /* once it is numbered */
  bool is_blind;
  bool is_look;      /* a probe: the message stays for the next one */
  bool is_doubtful;  /* the program wants it cancelled */
  bool is_numbered;  /* then it is in no list */
  bool is_forgotten; /* nobody but the list knows it */
};

enum lc_take
{
  LC_TAKE, /* the message is received */
  LC_LOOK, /* it stays where it is */
};

/* A receive that is being posted. NULL: no memory. */
struct lc_receive *lc_receive_post (struct lc_communicator *communicator, int source, int tag);

/* It has got the message that the status tells of. */
void lc_receive_match (struct lc_receive *receive, const MPI_Status *status);

/* It will never get one. */
void lc_receive_drop (struct lc_receive *receive);

/* Who posted it will not ask for it again. */
void lc_receive_release (struct lc_receive *receive);

/* A message that has been received, or found, by a call that is posted and matched at the same time. `request`: is
   resolved to it; or LC_NO_REQUEST. NULL: no memory. */
struct lc_receive *lc_receive_found (struct lc_communicator *communicator, const MPI_Status *status, enum lc_take take,
                                     uint32_t request);

/* Its object and sequence, or LC_EVENT_REQUEST and a number if they are not known yet. */
void lc_receive_tell (struct lc_receive *receive, struct lc_finished *event);

/* lc_receive_found (LC_TAKE), lc_receive_tell and lc_receive_release, without making one where that is possible. */
void lc_receive_at_once (struct lc_communicator *communicator, const MPI_Status *status, struct lc_finished *event);

/* --- Requests: requests.c; all with the tables locked --------------------------------------------------------- */

/* What is known of an MPI_Request: it may stand for a message sent, one received, both, or neither. */
struct lc_request
{
  struct lc_request *next;
  uint64_t key;

  struct lc_channel *channel; /* of the message that is sent, or NULL */
  uint32_t sequence;
  uint64_t bytes;
  struct lc_receive *receive; /* or NULL */

  struct lc_pending_collective collective; /* its `finish` is 0: none */
  struct lc_communicator *communicator;
  struct lc_pending_communicator made; /* its handle is NULL: none */
  struct lc_pending_message *messages; /* of a neighbourhood, or in partitions: n_messages, or NULL */
  int n_messages;

  bool is_persistent, is_active;
  bool is_receiver; /* persistent: it receives */
  int partner, tag; /* persistent */
  bool is_doubtful; /* the program wants it cancelled */
};

/* A new one, for nothing yet; of a message handle, if there is no request. NULL: no memory. */
struct lc_request *lc_request_add (MPI_Request handle);
struct lc_request *lc_message_add (MPI_Message handle);

/* Takes what is known of a handle out of the table: NULL if there is nothing, or it is not active. */
struct lc_request *lc_request_take (MPI_Request handle);
struct lc_request *lc_message_take (MPI_Message handle);

/* The same, even of one that is not active. */
struct lc_request *lc_request_remove (MPI_Request handle);

/* A request that is not recorded: it is there for its handle, if the call that made it has succeeded. With the tables
   unlocked. */
void lc_request_add_nothing (int result, const MPI_Request *handle);

/* lc_mpi_pass of a call that makes one. */
int lc_request_pass (struct lc_mpi_call *call, int result, const MPI_Request *handle);

/* Back, as if it had not been taken. */
void lc_request_put_back (struct lc_request *request);

/* Leaves it in the table. */
struct lc_request *lc_request_look (MPI_Request handle);

/* It is over: a persistent one goes back, inactive. */
void lc_request_end (struct lc_request *request);

/* It is forgotten, even a persistent one. */
void lc_request_forget (struct lc_request *request);

/* --- Others --------------------------------------------------------------------------------------------------- */

/* Whether a receive that has failed has taken its message all the same. */
bool lc_mpi_is_truncated (int result);

/* How many bytes were received. */
static inline uint64_t
lc_mpi_received (const MPI_Status *status)
{
  MPI_Count bytes = 0;

  if (PMPI_Get_elements_x (status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes < 0)
    return 0;
  return (uint64_t)bytes;
}

/*
 * lc_mpi_enter, and the communicator of a message from or to this rank of it. NULL: nothing is recorded now, or not of
 * this message: it is from or to nobody (MPI_PROC_NULL), or somebody of another world. Then lc_mpi_pass ends the call.
 */
struct lc_communicator *lc_mpi_enter_message (struct lc_mpi_call *call, MPI_Comm handle, int partner);

/* A message that this rank sends: lc_mpi_enter_message, the tables are locked, and its number is taken; false: as NULL
   there. */
struct lc_sending
{
  struct lc_mpi_call call;
  struct lc_communicator *communicator;
  struct lc_channel *channel; /* NULL: no memory */
  uint32_t sequence;
};

bool lc_sending_begin (struct lc_sending *sending, MPI_Comm handle, int to, int tag);
void lc_sending_number (struct lc_sending *sending, int to, int tag); /* that of `communicator` */
void lc_sending_failed (struct lc_sending *sending);

#endif
