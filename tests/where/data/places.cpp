// SPDX-License-Identifier: Apache-2.0
// A program that says where it calls from, and where its variables are: the test looks the same addresses up. A frame
// is FUNCTION@MARK, and the line is that with the comment "@ MARK"; frames are separated by bars, the innermost first.
#include <link.h>
#include <pthread.h>

#include <cstdint>
#include <cstdio>
#include <mutex>

static int
take_base (dl_phdr_info *info, size_t, void *data)
{
  *(uintptr_t *)data = info->dlpi_addr;
  return 1;
}

static uintptr_t
offset_of (const void *address)
{
  uintptr_t base = 0;

  dl_iterate_phdr (take_base, &base);
  return (uintptr_t)address - base;
}

static __attribute__ ((noinline)) void
here (const char *frames)
{
  printf ("call %lx %s\n", (unsigned long)offset_of (__builtin_return_address (0)), frames);
  __asm__ volatile("" ::: "memory");
}

static void
variable (const void *address, const char *name)
{
  printf ("variable %lx %s\n", (unsigned long)offset_of (address), name);
}

namespace store
{
template <class T> struct Queue
{
  char padding[24];
  std::mutex m;
  pthread_cond_t changed;
  T last;
  static std::mutex all;

  __attribute__ ((always_inline)) inline void
  put (T value)
  {
    last = value;
    here ("store::Queue<int>::put@put|fill@fill|work@work"); // @ put
    last++;
  }

  __attribute__ ((noinline)) T
  get (T less)
  {
    here ("store::Queue<int>::get@get"); // @ get
    return last - less;
  }
};

template <class T> std::mutex Queue<T>::all;
}

struct Base
{
  long number;
  pthread_mutex_t guard;
};

struct Pool : Base
{
  long count;
  store::Queue<int> queues[3];
  union
  {
    long word;
    pthread_rwlock_t either;
  };
  char raw[64];
};

namespace
{
Pool pool;
pthread_mutex_t grid[2][3];
}

static store::Queue<int> single;
pthread_mutex_t plain;

static __attribute__ ((always_inline)) inline void
fill (store::Queue<int> &queue)
{
  for (int i = 0; i < 1; i++)
    {
      int twice = 2 * i;

      queue.put (twice); // @ fill
    }
}

static __attribute__ ((noinline)) int
work (int value)
{
  static pthread_mutex_t once;
  static std::mutex often[2];

  fill (single);         // @ work
  here ("work@plainly"); // @ plainly
  variable (&once, "work(int)::once");
  variable (&often[1], "work(int)::often[1]");
  return single.get (value) + value;
}

static void
variables ()
{
  variable (&plain, "plain");
  variable (&single.m, "single.m");
  variable (&single.changed, "single.changed");
  variable ((char *)&single.changed + 4, "single.changed");
  variable (&store::Queue<int>::all, "store::Queue<int>::all");
  variable (&pool.guard, "(anonymous namespace)::pool.guard");
  variable (&pool.count, "(anonymous namespace)::pool.count");
  variable (&pool.queues[2].m, "(anonymous namespace)::pool.queues[2].m");
  variable (&pool.either, "(anonymous namespace)::pool.either");
  variable (&pool.raw[8], "(anonymous namespace)::pool.raw[8]");
  variable (&grid[1][2], "(anonymous namespace)::grid[1][2]");
  variable (&grid[0][0], "(anonymous namespace)::grid[0][0]");
}

int
main ()
{
  variables ();
  variable ((void *)work, "entry");
  return work (0) > 1 ? 1 : 0;
}
