/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the functions of the program's OpenMP library, which may be loaded late, under any name, and more than once. */
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "real.h"
#include "wrap-openmp-tool.h"
#include "wrap-openmp.h"

void *lc_openmp_found[LC_OPENMP_FUNCTION_COUNT];

static const char *const openmp_names[] = {
#define X(type, name, arguments) #name,
    LC_OPENMP_FUNCTIONS (X) LC_OPENMP_QUESTIONS (X)
#undef X
};

/*
 * Calls by libraries that the program loads itself: each sees the OpenMP library that it was linked with. An entry is
 * written once, before its address is in the table; it is not used again before the recorder's end.
 */
struct openmp_call
{
  const void *caller;
  enum lc_openmp_function function;
  void *found;
};

enum
{
  CALLS = 1024,
  CALL_PLACES = 2 * CALLS,
};

static struct openmp_call calls[CALLS];
static struct openmp_call *call_places[CALL_PLACES];
static uint32_t calls_used;

static size_t
openmp_call_place (enum lc_openmp_function function, const void *caller)
{
  return (size_t)(((uint64_t)(uintptr_t)caller + (uint64_t)function) * UINT64_C (0x9E3779B97F4A7C15) >> 32) %
         CALL_PLACES;
}

void
lc_openmp_unload (void)
{
  for (size_t i = 0; i < CALL_PLACES; i++)
    __atomic_store_n (&call_places[i], NULL, __ATOMIC_RELEASE);
  lc_openmp_forget_code ();
}

static void
openmp_keep_call (enum lc_openmp_function function, const void *caller, void *found)
{
  uint32_t number = __atomic_load_n (&calls_used, __ATOMIC_RELAXED);

  if (number >= CALLS || (number = __atomic_fetch_add (&calls_used, 1, __ATOMIC_RELAXED)) >= CALLS)
    return;
  calls[number] = (struct openmp_call){caller, function, found};
  __atomic_store_n (&call_places[openmp_call_place (function, caller)], &calls[number], __ATOMIC_RELEASE);
}

/* Returns a function of a library that is loaded, or of those that it needs. */
static void *
openmp_find_in (const char *path, const char *name)
{
  void *library = dlopen (path, RTLD_LAZY | RTLD_NOLOAD), *found;

  if (library == NULL)
    return NULL;
  found = dlsym (library, name);
  LC_REAL (dlclose) (library);
  return lc_openmp_is_own (found) ? NULL : found;
}

struct openmp_search
{
  const char *name;
  void *found;
};

static int
openmp_look_in (struct dl_phdr_info *module, size_t size, void *data)
{
  struct openmp_search *search = data;

  (void)size;
  if (strstr (module->dlpi_name, "gomp") != NULL || strstr (module->dlpi_name, "omp5") != NULL ||
      strstr (module->dlpi_name, "libomp") != NULL)
    search->found = openmp_find_in (module->dlpi_name, search->name);
  return search->found != NULL;
}

/* The library of a caller that is not linked with any is one that is loaded. */
static void *
openmp_find_for (const void *caller, const char *name)
{
  struct openmp_search search = {.name = name};
  Dl_info module;

  if (dladdr (caller, &module) != 0 && module.dli_fname != NULL)
    search.found = openmp_find_in (module.dli_fname, name);
  if (search.found == NULL)
    dl_iterate_phdr (openmp_look_in, &search);
  return search.found;
}

/* What follows the recorder in the order of libraries is what the whole program calls. */
static void *
openmp_search_all (enum lc_openmp_function function, const void *caller)
{
  void *found = dlsym (RTLD_NEXT, openmp_names[function]);

  if (found != NULL)
    __atomic_store_n (&lc_openmp_found[function], found, __ATOMIC_RELEASE);
  else
    {
      found = openmp_find_for (caller, openmp_names[function]);
      if (found != NULL)
        openmp_keep_call (function, caller, found);
    }
  return found;
}

/* A routine's last call returns to the recorder, which called the routine. */
void *
lc_openmp_find (enum lc_openmp_function function, const void *caller)
{
  const struct openmp_call *call;
  struct lc_slow slow;
  void *found;

  if (lc_openmp_is_own (caller))
    caller = lc_openmp_current_routine ();
  call = __atomic_load_n (&call_places[openmp_call_place (function, caller)], __ATOMIC_ACQUIRE);
  if (call != NULL && call->caller == caller && call->function == function)
    return call->found;
  lc_slow_begin (&slow);
  found = openmp_search_all (function, caller);
  lc_slow_end (&slow);
  return found;
}
