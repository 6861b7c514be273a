// SPDX-License-Identifier: Apache-2.0
// A queue between std::threads, and a table that they share: mutex, condition variable, shared mutex.
#include <condition_variable>
#include <cstdio>
#include <map>
#include <mutex>
#include <queue>
#include <shared_mutex>
#include <thread>
#include <vector>

int
main ()
{
  std::mutex mutex;
  std::condition_variable filled;
  std::queue<int> queue;
  std::shared_mutex guard;
  std::map<int, int> squares;
  std::vector<std::thread> workers;
  int waiting = 0;
  long sum = 0;

  for (int i = 0; i < 4; i++)
    workers.emplace_back ([&] {
      for (;;)
        {
          std::unique_lock<std::mutex> lock (mutex);
          waiting++;
          filled.wait (lock, [&] { return !queue.empty (); });
          waiting--;
          int number = queue.front ();
          if (number < 0)
            return;
          queue.pop ();
          lock.unlock ();
          std::unique_lock<std::shared_mutex> write (guard);
          squares[number] = number * number;
        }
    });
  /* At least one worker waits before there is anything to do. */
  for (bool one_waits = false; !one_waits;)
    {
      std::this_thread::yield ();
      std::lock_guard<std::mutex> lock (mutex);
      one_waits = waiting > 0;
    }
  for (int i = 0; i <= 500; i++)
    {
      std::lock_guard<std::mutex> lock (mutex);
      queue.push (i < 500 ? i : -1);
      if (i < 500)
        filled.notify_one ();
      else
        filled.notify_all ();
    }
  for (std::thread &worker : workers)
    worker.join ();
  std::shared_lock<std::shared_mutex> read (guard);
  for (const auto &square : squares)
    sum += square.second;
  std::printf ("%ld\n", sum);
  return sum == 41541750 ? 0 : 1;
}
