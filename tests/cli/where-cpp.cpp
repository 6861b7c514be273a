// SPDX-License-Identifier: Apache-2.0
// The C++ library's locks, inlined or not: what is told is the line of this file. Prints "FUNCTION LINE TIMES".
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

static void
told (const char *function, int line, int times)
{
  std::printf ("%s %d %d\n", function, line, times);
}

template <class T>
class Queue
{
public:
  void
  put (T item)
  {
    std::unique_lock<std::mutex> lock (mutex); /* put 1 */
    items.push_back (item);
    lock.unlock (); /* put 2 */
    filled.notify_one ();
  }

  T
  get ()
  {
    std::unique_lock<std::mutex> lock (mutex); /* get 1 */
    filled.wait (lock, [this] { return !items.empty (); });
    T item = items.front ();
    items.pop_front ();
    lock.unlock (); /* get 2 */
    return item;
  }

private:
  std::mutex mutex;
  std::condition_variable filled;
  std::deque<T> items;
};

namespace shop
{
static Queue<int> orders;
static std::shared_mutex prices;
static std::recursive_mutex counter;
}

static void
serve ()
{
  for (int i = 0; i < 100; i++)
    shop::orders.put (i);
}

int
main ()
{
  std::thread server (serve);
  int sum = 0;

  for (int i = 0; i < 100; i++)
    sum += shop::orders.get ();
  server.join ();
  {
    std::shared_lock<std::shared_mutex> reading (shop::prices); told ("main", __LINE__, 1);
  }
  {
    std::scoped_lock both (shop::counter, shop::prices); told ("main", __LINE__, 1);
  }
  return sum == 4950 ? 0 : 1;
}
