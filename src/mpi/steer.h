/* SPDX-License-Identifier: Apache-2.0 */
/* In a replay, gives calls of MPI the partner and the outcome that they had when they were recorded. */
#ifndef LC_MPI_STEER_H
#define LC_MPI_STEER_H

#include "messages.h"
#include "windows.h"

/*
 * The wrappers are compiled twice: into the library that records, where all of this is nothing; and with LC_MPI_REPLAY
 * into one that replays. There the hooks (replay-hooks.c) compare each event with the recorded one instead of writing
 * it, and steer.c looks at the next recorded event before a call: a receive from anybody becomes one from whom it was,
 * a test that failed fails without asking MPI, and one that did not waits.
 */
enum lc_steering
{
  LC_STEER_FREE, /* not known: it is as it comes */
  LC_STEER_NO,   /* it was in vain */
  LC_STEER_YES,
};

enum
{
  LC_STEER_NO_TAG = INT32_MIN,
  LC_STEER_FREELY = -1, /* instead of the place of a request */
  LC_STEER_IN_VAIN = -2,
};

#ifdef LC_MPI_REPLAY

/* Before a call of MPI that is to be recorded, waits until the rank may go on. */
void lc_steer_stay (void);

/* Names the sender and the tag of the message that a receive took, which is about to be posted; with the tables locked.
 * `skipped` events of the same call come before that of the receive. TRUE: it never took any. */
bool lc_steer_receive (struct lc_communicator *communicator, uint16_t operation, unsigned int skipped, int *source,
                       int *tag);

/* Waits until the channel's messages that came before it have been sent by other threads; with the tables locked, but
 * for while it waits. `skipped` events of the same call come before. */
void lc_steer_send (const struct lc_channel *channel, unsigned int skipped);

/* Waits for the message of a blocking receive or probe. If the program has differed meanwhile, it is from anybody
 * again, as was asked for. */
void lc_steer_await (MPI_Comm handle, int asked_source, int asked_tag, int *source, int *tag);

/* A communicator on which nothing is ever sent. */
MPI_Comm lc_steer_nowhere (void);

/* The same for a probe; with the tables unlocked. `may_fail`: it does not wait. */
enum lc_steering lc_steer_probe (struct lc_communicator *communicator, bool may_fail, int *source, int *tag);

/* Makes requests, which are about to be waited for in this order, those that they were when the thread was recorded:
 * MPI gives messages that are sent at once the same handle, so that those of several threads cannot be told apart. */
void lc_steer_tell_apart (struct lc_request *const requests[], int n);

/* Whether the first of these requests to tell of itself, and with it all of them, are over. NULL stands for one of
 * which nothing is known. */
enum lc_steering lc_steer_test (struct lc_request *const requests[], int n);

/* Returns the request that is over; LC_STEER_FREELY, or LC_STEER_IN_VAIN if the call may fail. */
int lc_steer_any (struct lc_request *const requests[], int n, bool may_fail);

/* The same for several: returns their number. */
int lc_steer_some (struct lc_request *const requests[], int n, bool may_fail, int places[]);

/* Whether the next event takes what the first of this group tells of a window, and with it those of all others. */
enum lc_steering lc_steer_window (const struct lc_window *window, const struct lc_window_group *group,
                                  const char *what);

/* Keeps of a persistent receive what is needed to make another one of it. */
void lc_steer_keep_start (struct lc_request *request, void *buffer, MPI_Count count, MPI_Datatype type,
                          MPI_Comm handle);
void lc_steer_forget_start (struct lc_request *request);

/* Makes the request that is about to be started one for the message that it took; with the tables locked. */
void lc_steer_start (struct lc_request *request, unsigned int skipped, MPI_Request *handle);

/* Lets the other ranks come to their ends, before all are aborted. */
void lc_steer_abort (void);

/* Tells that the rank has no more to do. */
void lc_steer_finalize (void);

#else

static inline void
lc_steer_stay (void)
{
}

static inline bool
lc_steer_receive (struct lc_communicator *communicator, uint16_t operation, unsigned int skipped, int *source, int *tag)
{
  (void)communicator, (void)operation, (void)skipped, (void)source, (void)tag;
  return false;
}

static inline void
lc_steer_send (const struct lc_channel *channel, unsigned int skipped)
{
  (void)channel, (void)skipped;
}

static inline void
lc_steer_await (MPI_Comm handle, int asked_source, int asked_tag, int *source, int *tag)
{
  (void)handle, (void)asked_source, (void)asked_tag, (void)source, (void)tag;
}

static inline MPI_Comm
lc_steer_nowhere (void)
{
  return MPI_COMM_NULL;
}

static inline enum lc_steering
lc_steer_probe (struct lc_communicator *communicator, bool may_fail, int *source, int *tag)
{
  (void)communicator, (void)may_fail, (void)source, (void)tag;
  return LC_STEER_FREE;
}

static inline void
lc_steer_tell_apart (struct lc_request *const requests[], int n)
{
  (void)requests, (void)n;
}

static inline enum lc_steering
lc_steer_test (struct lc_request *const requests[], int n)
{
  (void)requests, (void)n;
  return LC_STEER_FREE;
}

static inline int
lc_steer_any (struct lc_request *const requests[], int n, bool may_fail)
{
  (void)requests, (void)n, (void)may_fail;
  return LC_STEER_FREELY;
}

static inline int
lc_steer_some (struct lc_request *const requests[], int n, bool may_fail, int places[])
{
  (void)requests, (void)n, (void)may_fail, (void)places;
  return LC_STEER_FREELY;
}

static inline enum lc_steering
lc_steer_window (const struct lc_window *window, const struct lc_window_group *group, const char *what)
{
  (void)window, (void)group, (void)what;
  return LC_STEER_FREE;
}

static inline void
lc_steer_keep_start (struct lc_request *request, void *buffer, MPI_Count count, MPI_Datatype type, MPI_Comm handle)
{
  (void)request, (void)buffer, (void)count, (void)type, (void)handle;
}

static inline void
lc_steer_forget_start (struct lc_request *request)
{
  (void)request;
}

static inline void
lc_steer_start (struct lc_request *request, unsigned int skipped, MPI_Request *handle)
{
  (void)request, (void)skipped, (void)handle;
}

static inline void
lc_steer_abort (void)
{
}

static inline void
lc_steer_finalize (void)
{
}

#endif

#endif
