/* SPDX-License-Identifier: Apache-2.0 */
/* What C++20 waits with, each for a while: PROGRAM CASE. How long that was goes to standard error. */
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <functional>
#include <future>
#include <latch>
#include <map>
#include <semaphore>
#include <string>
#include <thread>

using Clock = std::chrono::steady_clock;

static Clock::time_point begun, released;

/* Waits in a thread of its own, until this one releases it. */
static void
try_out (const std::function<void ()> &wait, const std::function<void ()> &release)
{
  std::thread waiter ([&] {
    begun = Clock::now ();
    wait ();
  });

  std::this_thread::sleep_for (std::chrono::milliseconds (200));
  released = Clock::now ();
  release ();
  waiter.join ();
}

static std::atomic<int> number{0};
static std::atomic<bool> flag{false};
static std::latch latch{1};
static std::barrier<> barrier{2};
static std::counting_semaphore<8> tokens{0};
static std::promise<int> promise;

static const std::map<std::string, std::function<void ()> > cases = {
    {"atomic", [] { try_out ([] { number.wait (0); }, [] { number = 1, number.notify_all (); }); }},
    {"atomic-bool", [] { try_out ([] { flag.wait (false); }, [] { flag = true, flag.notify_one (); }); }},
    {"latch", [] { try_out ([] { latch.wait (); }, [] { latch.count_down (); }); }},
    {"barrier", [] { try_out ([] { barrier.arrive_and_wait (); }, [] { barrier.arrive_and_wait (); }); }},
    {"semaphore", [] { try_out ([] { tokens.acquire (); }, [] { tokens.release (); }); }},
    {"future", [] { try_out ([] { promise.get_future ().get (); }, [] { promise.set_value (1); }); }},
};

int
main (int argc, char **argv)
{
  if (argc < 2)
    {
      for (const auto &[name, run] : cases)
        std::puts (name.c_str ());
      return 0;
    }
  cases.at (argv[1]) ();
  std::puts ("done");
  std::fprintf (stderr, "%lld\n", (long long)std::chrono::nanoseconds (released - begun).count ());
  return 0;
}
