/* SPDX-License-Identifier: Apache-2.0 */
/* What a replayed program's addresses mean: its objects, and places in its code. */
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "replay.h"

enum
{
  PLACES = 1 << 20, /* more objects than that at once have no turns */
  CODES = 1 << 16,
  TRIES = 256,
};

/* A return address, once it has been looked up. */
struct replay_code
{
  uintptr_t code; /* written last; 0: free */
  uint64_t offset;
  uint32_t module;
  bool is_below_mpi;
};

static struct lc_replay_place *replay_places;
static struct replay_code *replay_codes;
static const struct lc_replay_module *replay_modules;
static uint32_t n_replay_modules;

static void *
replay_lookup_map (size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  return memory != MAP_FAILED ? memory : NULL;
}

bool
lc_replay_lookup_begin (const struct lc_replay_module *modules, uint32_t n_modules)
{
  replay_modules = modules;
  n_replay_modules = n_modules;
  replay_places = replay_lookup_map (PLACES * sizeof *replay_places);
  replay_codes = replay_lookup_map (CODES * sizeof *replay_codes);
  return replay_places != NULL && replay_codes != NULL;
}

static uint32_t
replay_hash (uint64_t key, uint32_t room)
{
  return (uint32_t)((key * UINT64_C (0x9E3779B97F4A7C15)) >> 32) & (room - 1);
}

/* --- Objects ------------------------------------------------------------------------------------------------ */

/* Addresses of the program are below 2^56. */
struct lc_replay_place *
lc_replay_place (const void *address, enum lc_class class)
{
  uintptr_t key = (uintptr_t)address | (uintptr_t) class << 56;
  uint32_t at = replay_hash (key, PLACES);

  for (int i = 0; i < TRIES; i++, at = (at + 1) & (PLACES - 1))
    {
      struct lc_replay_place *place = &replay_places[at];
      uintptr_t there = __atomic_load_n (&place->key, __ATOMIC_ACQUIRE);

      if (there == 0 &&
          __atomic_compare_exchange_n (&place->key, &there, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return place;
      if (there == key)
        return place;
    }
  return NULL;
}

void
lc_replay_made (const void *address, enum lc_class class)
{
  struct lc_replay_place *place = lc_replay_place (address, class);

  if (place != NULL)
    *place = (struct lc_replay_place){.key = place->key, .is_made = 1};
}

void
lc_replay_destroyed (const void *address, enum lc_class class)
{
  struct lc_replay_place *place = lc_replay_place (address, class);

  if (place != NULL)
    *place = (struct lc_replay_place){.key = place->key};
}

/* By what the C library keeps in the object, as the recorder knows it. */
bool
lc_replay_is_shared (const void *address, enum lc_class class)
{
  enum
  {
    SHARED_MUTEX = 128
  };

  switch ((int)class)
    {
    case LC_CLASS_MUTEX:
      return (((const pthread_mutex_t *)address)->__data.__kind & SHARED_MUTEX) != 0;
    case LC_CLASS_CREW:
      return ((const pthread_rwlock_t *)address)->__data.__shared != 0;
    case LC_CLASS_CONDITION:
      return (((const pthread_cond_t *)address)->__data.__wrefs & 1) != 0;
    case LC_CLASS_BARRIER:
      return ((const unsigned int *)address)[3] != 0;
    case LC_CLASS_SEMAPHORE:
      return ((const int *)address)[2] != 0;
    default:
      return false;
    }
}

/* --- Code --------------------------------------------------------------------------------------------------- */

static const char *
replay_last_part (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash != NULL ? slash + 1 : path;
}

/* The linker gives the program itself no name, or the one that it was called by. */
void
lc_replay_describe (uintptr_t code, char *path, size_t room, uint64_t *offset)
{
  struct link_map *map = NULL;
  const char *name;
  Dl_info info;
  ssize_t length;

  *offset = code;
  path[0] = '\0';
  if (dladdr1 ((void *)code, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL)
    return;
  *offset = code - map->l_addr;
  name = map->l_name;
  if (name[0] == '\0')
    {
      length = readlink ("/proc/self/exe", path, room - 1);
      path[length > 0 ? length : 0] = '\0';
      return;
    }
  strncpy (path, name, room - 1);
  path[room - 1] = '\0';
}

static bool
replay_is_module_below_mpi (const char *name)
{
  static const char *const names[] = {
#define X(name) name,
      LC_REPLAY_BELOW_MPI (X)
#undef X
  };

  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strncmp (name, names[i], strlen (names[i])) == 0)
      return true;
  return false;
}

static void
replay_find_code (uintptr_t code, struct replay_code *result)
{
  char path[1024];

  lc_replay_describe (code, path, sizeof path, &result->offset);
  result->is_below_mpi = replay_is_module_below_mpi (replay_last_part (path));
  result->module = LC_REPLAY_NONE;
  for (uint32_t i = 0; i < n_replay_modules && path[0] != '\0'; i++)
    if (strncmp (replay_modules[i].name, replay_last_part (path), sizeof replay_modules[i].name - 1) == 0)
      result->module = i;
}

static struct replay_code
replay_look_up_code (uintptr_t code)
{
  uint32_t at = replay_hash (code, CODES);
  struct replay_code found = {.code = code};
  struct replay_code *known = &replay_codes[at];

  if (__atomic_load_n (&known->code, __ATOMIC_ACQUIRE) == code)
    found = *known;
  else
    {
      uintptr_t none = 0;

      replay_find_code (code, &found);
      /* 1 stands for a place that is being written. */
      if (__atomic_compare_exchange_n (&known->code, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        {
          known->offset = found.offset;
          known->module = found.module;
          known->is_below_mpi = found.is_below_mpi;
          __atomic_store_n (&known->code, code, __ATOMIC_RELEASE);
        }
    }
  return found;
}

void
lc_replay_where (uintptr_t code, uint32_t *module, uint64_t *offset)
{
  const struct replay_code found = replay_look_up_code (code);

  *module = found.module;
  *offset = found.offset;
}

bool
lc_replay_is_below_mpi (uintptr_t code)
{
  return code != 0 && replay_look_up_code (code).is_below_mpi;
}
