/* SPDX-License-Identifier: Apache-2.0 */
/* The same in C: see places.cpp. */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static int
take_base (struct dl_phdr_info *info, size_t size, void *data)
{
  *(uintptr_t *)data = info->dlpi_addr;
  return size > 0;
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

typedef struct
{
  int first;
  struct
  {
    pthread_mutex_t lock;
  } inner[4];
} Table;

static Table table;
pthread_mutex_t stats, locks[3];

static inline __attribute__ ((always_inline)) void
lock_it (void)
{
  here ("lock_it@lock|main@main"); /* @ lock */
}

__attribute__ ((noinline)) int
never_returns_to (int value)
{
  static pthread_mutex_t once;

  variable (&once, "never_returns_to()::once");
  here ("never_returns_to@never"); /* @ never */
  return value + 1;
}

int
main (void)
{
  variable (&stats, "stats");
  variable (&locks[2], "locks[2]");
  variable (&locks[0], "locks[0]");
  variable (&table.inner[3].lock, "table.inner[3].lock");
  lock_it (); /* @ main */
  return never_returns_to (-1);
}
