/* SPDX-License-Identifier: Apache-2.0 */
/* `mpi-late FILE LIBRARY`: a program that loads MPI itself, as an interpreter does; tells FILE what it is recorded by.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  void *mpi = argc == 3 ? dlopen (argv[2], RTLD_NOW) : NULL;
  const char *(*recorder) (void) = (const char *(*)(void)) (uintptr_t)dlsym (RTLD_DEFAULT, "fake_mpi_recorder");
  FILE *file = mpi != NULL ? fopen (argv[1], "a") : NULL;

  if (file == NULL)
    return 1;
  fprintf (file, "%s %s\n", recorder != NULL ? recorder () : "none", getenv ("LD_PRELOAD"));
  return fclose (file) == 0 ? 0 : 1;
}
