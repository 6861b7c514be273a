/* SPDX-License-Identifier: Apache-2.0 */
/* What the MPI programs share: each rank checks its own results, and writes down what must be recorded of it. */
#ifndef TESTS_MPI_EXPECT_H
#define TESTS_MPI_EXPECT_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * `PROGRAM FOLDER`: rank N writes FOLDER/events-N, a line for each event, in the order in which they must be found, and
 * FOLDER/results-N, which must be the same however it is run. A number on a channel is known from the message itself:
 * it tells who sent it, and as which of its channel.
 */

extern int rank, ranks; /* of MPI_COMM_WORLD */

/* MPI_Init, or MPI_Init_thread if `threads` is not MPI_THREAD_SINGLE. */
void test_begin (int *argc, char ***argv, int threads);

/* The same without MPI_Init, where something else has begun MPI. */
void test_begin_as (int argc, char **argv, int own_rank, int all_ranks);

/* MPI_Finalize; writes the files. The program's exit status. */
int test_end (void);
void test_write (void); /* without MPI_Finalize */

/* Ends the whole program with a message unless it is true. */
#define CHECK(condition) test_check ((condition), #condition, __FILE__, __LINE__)
void test_check (bool condition, const char *what, const char *file, int line);

/* A call that must succeed. */
#define DO(call) test_check ((call) == MPI_SUCCESS, #call, __FILE__, __LINE__)

/* Persistent collective operations: Open MPI 4.1 has them as an extension. */
#if MPI_VERSION >= 4
#define INITIALISE(name) MPI_##name##_init
#elif defined OPEN_MPI
#include <mpi-ext.h>
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define INITIALISE(name) MPIX_##name##_init
#endif
#endif

/* A line of results-N. */
void result (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* --- Events ------------------------------------------------------------------------------------------------- */

/* A line of events-N: "OPERATION OBJECT SEQUENCE [word ...]". */
void expect (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* A line whose text comes later, at its place; its number. */
int expect_later (void);
void expect_now (int line, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* --- Messages ----------------------------------------------------------------------------------------------- */

/* Ranks are those of the world. */
struct message
{
  int from, to, tag, number;
};

#define MESSAGE 4, MPI_INT
#define MESSAGE_BYTES 16

/* The next one to another rank. `on` is the communicator's name, "" for the world. */
struct message message_on (const char *on, int to, int tag);
struct message message_to (int to, int tag);

/* Its channel; valid for the next few calls. */
const char *channel_on (const char *on, const struct message *message);

/* "send", "ssend", "recv", "isend", "complete", "probe" of it. `blind`: the source was MPI_ANY_SOURCE. */
void expect_on (const char *on, const char *operation, const struct message *message, bool blind);
void expect_message (const char *operation, const struct message *message);
void expect_blind (const char *operation, const struct message *message);

/* The message that came for an irecv, which stands at `line`; and that it was found complete now. */
void expect_received_on (const char *on, int line, const struct message *message, bool blind);
void expect_received (int line, const struct message *message);
void expect_received_blind (int line, const struct message *message);

/* It is the one with this tag, from this rank, to us. */
bool is_from (const struct message *message, int from, int tag);

/* --- Collective operations ---------------------------------------------------------------------------------- */

/* The next one of a communicator; its number. Barriers have numbers of their own. Bytes -1: whatever they are. */
int expect_collective (const char *name, const char *operation, int members, long bytes);
/* One that this rank only looks on at: it counts, and is no event. */
void expect_unseen (const char *name);
int expect_barrier (const char *name, int members);
void expect_finish (const char *name, const char *operation, int number, int members, long bytes);

#endif
