/* SPDX-License-Identifier: Apache-2.0 */
/* Uses a library that has a thread of its own before main: linked, loaded by name, or preloaded. */
#include "library.h"

#include <dlfcn.h>
#include <stdio.h>

int library_ask (void) __attribute__ ((weak));

int
main (int argc, char **argv)
{
  void *library = argc > 1 ? dlopen (argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int (*ask) (void) = library_ask;

  if (library != NULL)
    *(void **)&ask = dlsym (library, "library_ask");
  if (ask == NULL)
    {
      puts (argc > 1 ? dlerror () : "no library");
      return 1;
    }
  for (int i = 0; i < 3; i++)
    printf ("%d\n", ask ());
  return library != NULL ? dlclose (library) : 0;
}
