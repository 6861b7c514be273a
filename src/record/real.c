/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the real functions behind the wrappers. */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "real.h"
#include "recorder.h"

struct lc_real lc_real_functions;
void *lc_real_syscall;

static const struct
{
  const char *name;
  size_t offset;
} functions[] = {
#define X(type, name, arguments) {#name, offsetof (struct lc_real, name)},
    LC_REAL_FUNCTIONS (X)
#undef X
};

/* Returns the version of functions on condition variables, which once changed their layout: without a version, dlsym
 * may return the old functions. */
static const char *
version_of (const char *name)
{
#if defined(__x86_64__)
  static const char *const conditions[] = {"pthread_cond_init",   "pthread_cond_destroy",   "pthread_cond_wait",
                                           "pthread_cond_signal", "pthread_cond_broadcast", "pthread_cond_timedwait"};

  for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++)
    if (strcmp (conditions[i], name) == 0)
      return "GLIBC_2.3.2";
#endif
  return NULL;
}

/* Tells whether another library stands in front of the C library; its functions have no versions. dladdr() would look
 * at each symbol of the C library, twelve times as a program begins. */
static bool
is_elsewhere (void *function, void *versioned)
{
  struct dl_find_object one, other;

  return _dl_find_object (function, &one) == 0 && _dl_find_object (versioned, &other) == 0 &&
         one.dlfo_link_map != other.dlfo_link_map;
}

static void *
real_find (size_t index)
{
  const char *version = version_of (functions[index].name);
  void *function = dlsym (RTLD_NEXT, functions[index].name);
  void *versioned = version != NULL ? dlvsym (RTLD_NEXT, functions[index].name, version) : NULL;

  if (versioned != NULL && (function == NULL || !is_elsewhere (function, versioned)))
    function = versioned;
  memcpy ((char *)&lc_real_functions + functions[index].offset, &function, sizeof function);
  return function;
}

void
lc_real_resolve (void)
{
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
    real_find (i);
  memcpy (&lc_real_syscall, &lc_real_functions.syscall, sizeof lc_real_syscall);
}

void *
lc_real_find (size_t offset)
{
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
    if (functions[i].offset == offset)
      return real_find (i);
  return NULL;
}
