/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone/record.h in C++: it compiles, and links with the library. */
#include <lightcone/record.h>

#include <cstdio>

int
main ()
{
  lc_crew crew;
  lc_sync sync;
  lc_barrier barrier;
  lc_semaphore semaphore;
  lc_channel channel;
  int message = 42, got = 0;
  bool good = lc_crew_init (&crew, "crew") == 0 && lc_sync_init (&sync, nullptr, 0, 1) == 0 &&
              lc_barrier_init (&barrier, "barrier", 1) == 0 && lc_semaphore_init (&semaphore, "semaphore", 1) == 0 &&
              lc_channel_init (&channel, "channel", 1, sizeof message) == 0;

  lc_tag (1);
  lc_enter ("region");
  lc_leave ("region");
  good = good && lc_write_start (&crew) == 1;
  lc_write_end (&crew);
  lc_advance (&sync, 0);
  lc_await (&sync, 0);
  good = good && lc_barrier_wait (&barrier) && lc_semaphore_try_wait (&semaphore);
  lc_send (&channel, &message, sizeof message);
  good = good && lc_receive (&channel, &got) == sizeof got && got == message;
  lc_crew_destroy (&crew);
  lc_sync_destroy (&sync);
  lc_barrier_destroy (&barrier);
  lc_semaphore_destroy (&semaphore);
  lc_channel_destroy (&channel);
  std::printf ("%sok 1 - a C++ program\n1..1\n", good ? "" : "not ");
  return !good;
}
