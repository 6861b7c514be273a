/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a library that brings OpenMP with it, and calls it. */
#include <dlfcn.h>
#include <stdio.h>

int
main (int argc, char **argv)
{
  void *library = dlopen (argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
  long (*work) (int) = library != NULL ? (long (*) (int))dlsym (library, "openmp_library_work") : NULL;

  for (int i = 0; i < 3 && work != NULL; i++)
    printf ("%ld\n", work (10));
  return work == NULL;
}
