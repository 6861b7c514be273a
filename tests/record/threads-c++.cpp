/* SPDX-License-Identifier: Apache-2.0 */
/* What the C++ library has for threads does under recording what it does without. */
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <pthread.h>
#include <queue>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static std::mutex plain;
static std::recursive_mutex recursive;
static std::timed_mutex timed;
static std::shared_mutex shared;
static std::shared_timed_mutex shared_timed;

static void
mutexes ()
{
  {
    std::scoped_lock both (plain, recursive);
    std::lock_guard again (recursive);
    std::thread ([] {
      std::printf ("tried: %d %d\n", plain.try_lock (), recursive.try_lock ());
      std::printf ("timed: %d\n", timed.try_lock_for (5ms));
      timed.unlock ();
    }).join ();
  }
  std::unique_lock held (timed);
  std::thread ([] { std::printf ("timed: %d\n", timed.try_lock_for (5ms)); }).join ();
}

static void
shared_mutexes ()
{
  std::shared_lock one (shared);
  std::shared_lock two (shared_timed);
  std::thread ([] {
    std::printf ("shared: %d, alone: %d\n", shared.try_lock_shared (), shared.try_lock ());
    shared.unlock_shared ();
    std::printf ("timed, shared: %d, alone: %d\n", shared_timed.try_lock_shared_for (5ms),
                 shared_timed.try_lock_for (5ms));
    shared_timed.unlock_shared ();
  }).join ();
  one.unlock ();
  std::unique_lock alone (shared);
  std::printf ("alone: %d\n", alone.owns_lock ());
}

static void
queues ()
{
  constexpr int count = 2000;
  std::queue<int> queue;
  std::condition_variable filled;
  std::condition_variable_any emptied;
  long sum = 0;

  std::thread consumer ([&] {
    for (int i = 0; i < count; i++)
      {
        std::unique_lock lock (plain);
        filled.wait (lock, [&] { return !queue.empty (); });
        sum += queue.front ();
        queue.pop ();
        emptied.notify_one ();
      }
  });
  for (int i = 0; i < count; i++)
    {
      std::unique_lock lock (plain);
      emptied.wait (lock, [&] { return queue.size () < 4; });
      queue.push (i);
      filled.notify_one ();
    }
  consumer.join ();
  std::unique_lock lock (plain);
  std::printf ("%ld, %d\n", sum, filled.wait_for (lock, 5ms) == std::cv_status::timeout);
}

static void
futures ()
{
  std::vector<std::future<int> > results;
  std::promise<void> promise;
  std::once_flag once;
  int calls = 0;

  for (int i = 0; i < 4; i++)
    results.push_back (std::async (std::launch::async, [i, &once, &calls] {
      std::call_once (once, [&calls] { calls++; });
      if (i == 3)
        throw std::runtime_error ("of the fourth");
      return i * i;
    }));
  try
    {
      for (auto &result : results)
        std::printf ("%d\n", result.get ());
    }
  catch (const std::exception &error)
    {
      std::printf ("%s\n", error.what ());
    }
  std::thread ([&] { promise.set_value (); }).detach ();
  promise.get_future ().get ();
  std::printf ("called once: %d\n", calls);
}

struct noisy
{
  const char *name;

  ~noisy ()
  {
    std::lock_guard lock (recursive);
    std::printf ("%s is destroyed\n", name);
  }
};

static thread_local noisy of_thread{"the thread's own"};

/* A cancelled thread unwinds its frames. */
static void
cancellations ()
{
  static std::condition_variable never;
  std::thread thread ([] {
    noisy local{"the frame's"};
    (void)of_thread.name;
    std::unique_lock lock (plain);
    for (;;)
      never.wait (lock);
  });

  std::this_thread::sleep_for (20ms);
  pthread_cancel (thread.native_handle ());
  thread.join ();
  std::printf ("the mutex is free: %d\n", plain.try_lock ());
  plain.unlock ();
}

int
main ()
{
  mutexes ();
  shared_mutexes ();
  queues ();
  futures ();
  cancellations ();
  return 0;
}
