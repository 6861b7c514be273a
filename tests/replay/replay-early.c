/* SPDX-License-Identifier: Apache-2.0 */
/* A program whose allocator has a lock: replay-heap.c. */
void tell_early (void);

int
main (void)
{
  tell_early ();
  return 0;
}
