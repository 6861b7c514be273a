/* SPDX-License-Identifier: Apache-2.0 */
/* Whether what the fake recorder was told is true of an execution. Each check says what is wrong. */
#ifndef LC_TEST_PROGRAM_LOG_H
#define LC_TEST_PROGRAM_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which message of which sender was received. */
struct message_got
{
  uint32_t sender, number;
};

/* Only what comes after is looked at. No other thread may be recorded now, nor during the checks. */
void log_begin (void);

/* The events of each thread follow one another, and it says where it blocks before it has to. */
bool log_check_threads (void);

bool log_check_crew (const char *object, size_t writes);
bool log_check_sync (const char *object, uint64_t first, size_t count, size_t awaits);
bool log_check_barrier (const char *object, size_t generations, size_t count);
bool log_check_semaphore (const char *object, size_t tokens, size_t posts, size_t waits);

/* Each post has a wait and each wait a post, whatever their numbers, but for waits that say they have none; at least so
 * many. */
bool log_check_semaphore_pairs (const char *object, size_t least);

bool log_check_channel (const char *object, size_t messages);

/* Each wait for room comes just before its send, each post just after its recv. */
bool log_check_room (const char *object, size_t slots);

/* What this thread received is what the senders, `count` messages each, sent with that sequence. */
bool log_check_received (const char *object, uint32_t thread, const uint32_t *senders, size_t sender_count,
                         const struct message_got *got, size_t count);

/* So many of these operations had to wait. */
bool log_check_contended (const char *object, uint16_t operation, size_t count);

#endif
