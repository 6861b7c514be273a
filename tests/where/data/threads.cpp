// SPDX-License-Identifier: Apache-2.0
// A program that says where its threads are: "entry OFFSET FUNCTION@MARK" has the function in which each began. The
// address is in it, behind a call. Of a lambda the symbol says more, "{lambda()#1}", but not where it was inlined.
#include <link.h>

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <thread>

static int
take_base (dl_phdr_info *info, size_t, void *data)
{
  *(uintptr_t *)data = info->dlpi_addr;
  return 1;
}

// Keeps a call from being the last of its function, which compilers make a jump of.
#define REST __asm__ volatile("" ::: "memory")

static __attribute__ ((noinline)) void
say (const char *kind, const void *address, const char *text)
{
  uintptr_t base = 0;

  dl_iterate_phdr (take_base, &base);
  printf ("%s %lx %s\n", kind, (unsigned long)((uintptr_t)address - base), text);
}

static __attribute__ ((noinline)) void
here (const char *text)
{
  say ("entry", __builtin_return_address (0), text);
  REST;
}

static void
read_stage (int value) // @ stage
{
  if (value > 1)
    here ("read_stage@stage");
  here ("read_stage@stage");
  REST;
}

namespace __gnu_cxx
{
__attribute__ ((always_inline)) inline void
inner ()
{
  here ("__gnu_cxx::outer@outer");
  REST;
}

__attribute__ ((noinline)) void
outer () // @ outer
{
  inner ();
  here ("__gnu_cxx::outer@outer");
  REST;
}
}

struct Cache
{
  long size;
  std::mutex m_;
};

[[gnu::abi_tag ("cxx11")]] Cache g_cache;

namespace store
{
void
share (int value)
{
#pragma omp parallel num_threads(1) // @ shared
  {
    here (value > 1 ? "store::share@shared" : "?");
    REST;
  }
}
}

int
main ()
{
  std::thread reader (read_stage, 3);
  reader.join ();
  std::thread worker ([] { // @ lambda
    here ("main::{lambda}::operator()@lambda");
    here ("main::{lambda}::operator()@lambda");
    REST;
  });
  worker.join ();
  __gnu_cxx::outer ();
  store::share (2);
#pragma omp parallel num_threads(1) // @ region
  {
    here ("main@region");
    REST;
  }
  say ("variable", &g_cache.m_, "g_cache.m_");
  return 0;
}
