/* SPDX-License-Identifier: Apache-2.0 */
/* Does nothing, and is linked in whatever way the test wants. */
int
main (void)
{
  return 4;
}
