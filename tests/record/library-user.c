/* SPDX-License-Identifier: Apache-2.0 */
/* Uses a library that has a thread of its own before main: linked (LINKED), loaded by name, or preloaded. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "library.h"

typedef int (*ask_function) (void);

#ifndef LINKED
static ask_function
find (void *library)
{
  void *found = dlsym (library, "library_ask");
  ask_function ask = NULL;

  memcpy (&ask, &found, sizeof ask);
  return ask;
}
#endif

int
main (int argc, char **argv)
{
  void *library = argc > 1 ? dlopen (argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
#ifdef LINKED
  ask_function ask = library_ask;
#else
  ask_function ask = find (argc > 1 ? library : RTLD_DEFAULT);
#endif

  for (int i = 0; i < 3; i++)
    printf ("%d\n", ask ());
  return library != NULL ? dlclose (library) : 0;
}
