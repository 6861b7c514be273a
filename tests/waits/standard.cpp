/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait for each other with what C++20 has: standard WHAT. */
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

#include "compute.h"

constexpr int threads = 3, rounds = 60;

/* Each starts one thread, and waits for the answer. */
static int
ask_futures ()
{
  int sum = 0;

  for (int i = 0; i < rounds; i++)
    sum += std::async (std::launch::async, [i] {
             compute (5);
             return i;
           }).get ();
  return sum;
}

static int
pass_value ()
{
  std::atomic<int> turn{0};
  std::vector<std::thread> all;

  for (int me = 0; me < threads; me++)
    all.emplace_back ([&, me] {
      for (int i = 0; i < rounds; i++)
        {
          for (int now = turn.load (); now != i * threads + me; now = turn.load ())
            turn.wait (now);
          compute (2);
          turn.store (i * threads + me + 1);
          turn.notify_all ();
        }
    });
  for (auto &thread : all)
    thread.join ();
  return turn.load ();
}

static int
meet ()
{
  std::barrier<> meeting (threads);
  std::vector<std::thread> all;

  for (int me = 0; me < threads; me++)
    all.emplace_back ([&, me] {
      for (int i = 0; i < rounds; i++)
        {
          compute (i % threads == me ? 6 : 1);
          meeting.arrive_and_wait ();
        }
    });
  for (auto &thread : all)
    thread.join ();
  return rounds;
}

static int
count_down ()
{
  for (int i = 0; i < rounds; i++)
    {
      std::latch done (threads);
      std::vector<std::thread> all;

      for (int me = 0; me < threads; me++)
        all.emplace_back ([&, me] {
          compute (1 + me);
          done.count_down ();
        });
      done.wait ();
      for (auto &thread : all)
        thread.join ();
    }
  return rounds;
}

/* One of three may work at a time. */
static int
take_permits ()
{
  std::counting_semaphore<threads> permits (1);
  std::vector<std::thread> all;

  for (int me = 0; me < threads; me++)
    all.emplace_back ([&] {
      for (int i = 0; i < rounds; i++)
        {
          permits.acquire ();
          compute (2);
          permits.release ();
          compute (1);
        }
    });
  for (auto &thread : all)
    thread.join ();
  return rounds;
}

static int
begin_once ()
{
  int sum = 0;

  for (int i = 0; i < rounds; i++)
    {
      std::once_flag flag;
      std::vector<std::thread> all;
      std::atomic<int> calls{0};

      for (int me = 0; me < threads; me++)
        all.emplace_back ([&] {
          std::call_once (flag, [&] {
            compute (5);
            calls++;
          });
        });
      for (auto &thread : all)
        thread.join ();
      sum += calls;
    }
  return sum;
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    int (*run) ();
  } all[] = {{"atomic", pass_value},      {"barrier", meet},    {"latch", count_down},
             {"semaphore", take_permits}, {"once", begin_once}, {"future", ask_futures}};

  for (const auto &one : all)
    if (argc > 1 && std::strcmp (argv[1], one.name) == 0)
      return std::printf ("%d\n", one.run ()) < 0;
  return 2;
}
