/* SPDX-License-Identifier: Apache-2.0 */
/* Channels: what they guarantee to many threads at once, and that the recording agrees. */
#include "program-threads.h"

enum
{
  MESSAGES = 4000, /* of each sender */
  SENDERS = 3
};

struct message
{
  uint32_t sender, number;
  unsigned char rest[40];
};

static struct lc_channel channel;
static struct lc_barrier begun;
static uint32_t thread_of_sender[SENDERS], thread_of_receiver[SENDERS];
static struct message_got got[SENDERS][MESSAGES];
static uint32_t got_times[SENDERS][MESSAGES];

static size_t
length_of (uint32_t sender, uint32_t number)
{
  return offsetof (struct message, rest) + (sender + number) % (sizeof (struct message) - 7);
}

static void
send_messages (uint32_t sender)
{
  struct message message = {.sender = sender};

  for (uint32_t i = 0; i < MESSAGES; i++)
    {
      message.number = i;
      memset (message.rest, (int)(sender + i), sizeof message.rest);
      if (i % 8 == 7)
        lc_send_rendezvous (&channel, &message, length_of (sender, i));
      else
        lc_send (&channel, &message, length_of (sender, i));
    }
}

static void
receive_messages (uint32_t receiver)
{
  uint32_t next[SENDERS] = {0};

  for (uint32_t i = 0; i < MESSAGES; i++)
    {
      struct message message = {.sender = UINT32_MAX};
      size_t length = lc_receive (&channel, &message);

      if (message.sender >= SENDERS || message.number >= MESSAGES)
        {
          expect (false);
          continue;
        }
      expect (length == length_of (message.sender, message.number));
      for (size_t j = 0; j < length - offsetof (struct message, rest); j++)
        expect (message.rest[j] == (unsigned char)(message.sender + message.number));
      expect (message.number >= next[message.sender]);
      next[message.sender] = message.number + 1;
      __atomic_fetch_add (&got_times[message.sender][message.number], 1, __ATOMIC_RELAXED);
      got[receiver][i] = (struct message_got){message.sender, message.number};
    }
}

static void *
use_channel (void *argument)
{
  uint32_t self = (uint32_t)(uintptr_t)argument;

  if (self < SENDERS)
    thread_of_sender[self] = LOG_THREAD ();
  else
    thread_of_receiver[self - SENDERS] = LOG_THREAD ();
  lc_barrier_wait (&begun);
  if (self < SENDERS)
    send_messages (self);
  else
    receive_messages (self - SENDERS);
  return NULL;
}

static void
test_channel_of (uint32_t slots, const char *name, const char *room_name)
{
  BEGIN_LOG ();
  lc_barrier_init (&begun, "begun", SENDERS * 2);
  lc_channel_init (&channel, name, slots, sizeof (struct message));
  memset (got_times, 0, sizeof got_times);
  run (SENDERS * 2, use_channel);
  for (int sender = 0; sender < SENDERS; sender++)
    for (int i = 0; i < MESSAGES; i++)
      expect (got_times[sender][i] == 1);
  no_failures ("channel: each message comes once, whole, and after those its sender sent before");
  LOG_OK (log_check_threads ());
  LOG_OK (log_check_channel (name, SENDERS * MESSAGES));
  for (uint32_t i = 0; i < SENDERS; i++)
    LOG_OK (log_check_received (name, thread_of_receiver[i], thread_of_sender, SENDERS, got[i], MESSAGES));
  LOG_OK (log_check_room (name, slots));
  LOG_OK (log_check_semaphore_pairs (room_name, slots < 3 ? 1 : 0));
  lc_channel_destroy (&channel);
  lc_barrier_destroy (&begun);
}

static uint32_t sent, taking;

static void *
meet (void *argument)
{
  lc_send_rendezvous (&channel, &(uint32_t){3}, sizeof (uint32_t));
  expect (__atomic_load_n (&taking, __ATOMIC_RELAXED) == 3);
  __atomic_store_n (&sent, 1, __ATOMIC_RELAXED);
  return NULL;
}

/* Two messages come before it; neither filling its own buffer nor taking those is enough. */
static void
test_rendezvous (void)
{
  pthread_t sender;
  uint32_t number = 0;

  BEGIN_LOG ();
  lc_channel_init (&channel, "meet", 4, sizeof number);
  lc_send (&channel, &(uint32_t){1}, sizeof number);
  lc_send (&channel, &(uint32_t){2}, sizeof number);
  start (&sender, meet, NULL);
  for (uint32_t i = 1; i <= 3; i++)
    {
      pause_ms (20);
      expect (__atomic_load_n (&sent, __ATOMIC_RELAXED) == 0);
      __atomic_store_n (&taking, i, __ATOMIC_RELAXED);
      lc_receive (&channel, &number);
      expect (number == i);
    }
  pthread_join (sender, NULL);
  no_failures ("channel: a rendezvous waits for the receiver of this very message");
  LOG_OK (log_check_threads ());
  LOG_OK (log_check_channel ("meet", 3));
  LOG_OK (log_check_contended ("meet", LC_SSEND, 1));
  lc_channel_destroy (&channel);
}

static void *
send_one (void *argument)
{
  uint32_t number = (uint32_t)(uintptr_t)argument;

  lc_send (&channel, &number, sizeof number);
  return NULL;
}

/* More senders wait for one buffer than its word has bits to say so. */
static void
test_many_senders (void)
{
  pthread_t senders[MOST_THREADS];
  bool came[MOST_THREADS] = {false};
  uint32_t number = 0;

  BEGIN_LOG ();
  lc_channel_init (&channel, "crowd", 1, sizeof number);
  for (uintptr_t i = 0; i < MOST_THREADS; i++)
    start (&senders[i], send_one, (void *)i);
  WAIT_UNTIL (load (&channel.sent) == MOST_THREADS);
  pause_ms (20);
  for (int i = 0; i < MOST_THREADS; i++)
    {
      lc_receive (&channel, &number);
      expect (number < MOST_THREADS && !came[number]);
      came[number % MOST_THREADS] = true;
      pause_ms (1);
    }
  for (int i = 0; i < MOST_THREADS; i++)
    pthread_join (senders[i], NULL);
  no_failures ("channel: a crowd of senders gets through one buffer");
  LOG_OK (log_check_threads ());
  LOG_OK (log_check_channel ("crowd", MOST_THREADS));
  LOG_OK (log_check_room ("crowd", 1));
  LOG_OK (log_check_semaphore_pairs ("crowd.room", 60));
  lc_channel_destroy (&channel);
}

static void *
receive_one (void *argument)
{
  uint32_t number = 0;

  expect (lc_receive (&channel, &number) == sizeof number && number == 7);
  return NULL;
}

static void
test_early_receivers (void)
{
  pthread_t receivers[3];

  BEGIN_LOG ();
  lc_channel_init (&channel, "early", 2, sizeof (uint32_t));
  for (int i = 0; i < 3; i++)
    start (&receivers[i], receive_one, NULL);
  WAIT_UNTIL (load (&channel.received) == 3);
  pause_ms (20);
  for (int i = 0; i < 3; i++)
    lc_send (&channel, &(uint32_t){7}, sizeof (uint32_t));
  for (int i = 0; i < 3; i++)
    pthread_join (receivers[i], NULL);
  no_failures ("channel: receivers that come first are woken");
  LOG_OK (log_check_threads ());
  LOG_OK (log_check_channel ("early", 3));
  LOG_OK (log_check_contended ("early", LC_RECV, 3));
  lc_channel_destroy (&channel);
}

/* Messages without those who wait for room, and the other way round. */
static void
test_channel_partly_recorded (void)
{
#ifdef LC_TEST_RECORDED
  static const uint32_t classes[] = {1u << LC_CLASS_CHANNEL, 1u << LC_CLASS_SEMAPHORE};

  lc_barrier_init (&begun, "begun", SENDERS * 2);
  for (int i = 0; i < 2; i++)
    {
      fake_recorder ()->classes = classes[i];
      BEGIN_LOG ();
      lc_channel_init (&channel, "part", 1, sizeof (struct message));
      run (SENDERS * 2, use_channel);
      LOG_OK (log_check_threads ());
      if (i == 0)
        LOG_OK (log_check_channel ("part", SENDERS * MESSAGES));
      else
        LOG_OK (log_check_semaphore_pairs ("part.room", 1));
      lc_channel_destroy (&channel);
    }
  fake_recorder ()->classes = UINT32_MAX;
  lc_barrier_destroy (&begun);
#endif
}

static void
test_channels (void)
{
  test_channel_partly_recorded ();
  test_channel_of (1, "one", "one.room");
  test_channel_of (2, "two", "two.room");
  test_channel_of (7, "seven", "seven.room");
}

int
main (void)
{
  alarm (200);
  test_rendezvous ();
  test_many_senders ();
  test_early_receivers ();
  test_with_interruptions (test_channels);
  return tap_end ();
}
