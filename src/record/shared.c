/* SPDX-License-Identifier: Apache-2.0 */
/* Objects in memory that several address spaces share: identified by the memory, with slots in DIR/.control. */
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

struct mapping
{
  uint64_t start, end, offset, device, file;
  bool shared;
};

static const char *
shared_hexadecimal (const char *text, uint64_t *number)
{
  *number = 0;
  for (;; text++)
    {
      unsigned int digit;

      if (*text >= '0' && *text <= '9')
        digit = (unsigned int)(*text - '0');
      else if (*text >= 'a' && *text <= 'f')
        digit = (unsigned int)(*text - 'a') + 10;
      else
        return text;
      *number = *number << 4 | digit;
    }
}

/* Parses a line "START-END rwxs OFFSET MAJOR:MINOR INODE NAME". */
static bool
shared_parse (const char *line, struct mapping *mapping)
{
  uint64_t major, minor;
  const char *at = shared_hexadecimal (line, &mapping->start);

  if (*at++ != '-')
    return false;
  at = shared_hexadecimal (at, &mapping->end);
  if (*at == '\0' || strnlen (at, 6) < 6)
    return false;
  mapping->shared = at[4] == 's';
  at = shared_hexadecimal (at + 6, &mapping->offset);
  if (*at == '\0')
    return false;
  at = shared_hexadecimal (at + 1, &major);
  if (*at == '\0')
    return false;
  at = shared_hexadecimal (at + 1, &minor);
  mapping->device = major << 32 | minor;
  mapping->file = 0;
  if (*at == ' ')
    for (at++; *at >= '0' && *at <= '9'; at++)
      mapping->file = mapping->file * 10 + (uint64_t)(*at - '0');
  return true;
}

/* Reads the mapping around an address from the system, without memory of the program. */
static bool
read_mapping (uintptr_t address, struct mapping *mapping)
{
  char buffer[1024];
  size_t filled = 0;
  bool skipping = false, found = false;
  int file = (int)syscall (SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  long got;

  if (file < 0)
    return false;
  while (!found && (got = syscall (SYS_read, file, buffer + filled, sizeof buffer - 1 - filled)) > 0)
    {
      char *line = buffer, *end;

      filled += (size_t)got;
      buffer[filled] = '\0';
      while (!found && (end = strchr (line, '\n')) != NULL)
        {
          *end = '\0';
          found = !skipping && shared_parse (line, mapping) && address >= mapping->start && address < mapping->end;
          skipping = false;
          line = end + 1;
        }
      filled -= (size_t)(line - buffer);
      memmove (buffer, line, filled);
      if (filled == sizeof buffer - 1) /* the line is longer than the buffer, but its beginning is all that is needed */
        {
          found = !skipping && shared_parse (buffer, mapping) && address >= mapping->start && address < mapping->end;
          skipping = true;
          filled = 0;
        }
    }
  syscall (SYS_close, file);
  return found;
}

struct search
{
  uintptr_t address;
  struct mapping mapping;
  bool found;
};

static void
search_run (void *data)
{
  struct search *search = data;

  search->found = read_mapping (search->address, &search->mapping);
}

static bool
find_mapping (uintptr_t address, struct mapping *mapping)
{
  struct search search = {.address = address};

  lc_elsewhere (search_run, &search);
  *mapping = search.mapping;
  return search.found;
}

static uint64_t
shared_mix (uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C (0xFF51AFD7ED558CCD);
  return hash ^ hash >> 29;
}

static uint64_t
shared_identity (const void *address, enum lc_class class)
{
  struct mapping mapping;
  uint64_t hash;

  if (!find_mapping ((uintptr_t)address, &mapping) || !mapping.shared)
    return 0;
  hash = shared_mix (shared_mix (shared_mix (UINT64_C (0x243F6A8885A308D3), mapping.device), mapping.file),
                     mapping.offset + ((uintptr_t)address - mapping.start));
  hash = (shared_mix (hash, class) & ((UINT64_C (1) << 56) - 1)) | (uint64_t) class << 56;
  return hash;
}

/* The address space that fills the slot may have died, so waiting for it ends after a while. */
static struct lc_slot *
shared_wait_for (struct lc_slot *slot)
{
  for (int patience = 0; patience < 10000 && __atomic_load_n (&slot->id, __ATOMIC_ACQUIRE) == 0; patience++)
    syscall (SYS_sched_yield);
  return slot->id != 0 ? slot : NULL;
}

static void
shared_fill (uint32_t index, const void *address, enum lc_class class, enum lc_kind kind, uint64_t value)
{
  struct lc_slot *slot = &lc_control->shared[index];
  struct lc_object_record *record = &lc_control->shared_records[index];

  memset (&lc_control->shared_wake_ups[index], 0, sizeof lc_control->shared_wake_ups[index]);
  slot->sequence = slot->owner = slot->taken = 0;
  slot->count = class == LC_CLASS_BARRIER || class == LC_CLASS_SEMAPHORE ? value : 0;
  slot->depth = 0;
  slot->kind = kind;
  *record = (struct lc_object_record){.object_class = (uint8_t) class,
                                      .kind = (uint8_t)kind,
                                      .address = (uint64_t)(uintptr_t)address,
                                      .value = value,
                                      .ticks = lc_now ()};
  __atomic_add_fetch (&lc_control->shared_objects, 1, __ATOMIC_RELAXED);
  __atomic_store_n (&slot->id, LC_OBJECT_SHARED | (index + 2), __ATOMIC_RELEASE);
}

struct lc_slot *
lc_shared_slot (const void *address, enum lc_class class, enum lc_kind kind, uint64_t value, bool anew)
{
  uint64_t key = shared_identity (address, class);

  if (key == 0)
    return NULL;
  for (uint32_t step = 0; step < LC_SHARED_SLOTS; step++)
    {
      uint32_t index = (uint32_t)((key + step) % LC_SHARED_SLOTS);
      struct lc_slot *slot = &lc_control->shared[index];
      uint64_t found = 0;

      if (__atomic_compare_exchange_n (&slot->key, &found, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        {
          shared_fill (index, address, class, kind, value);
          return slot;
        }
      if (found != key)
        continue;
      if (anew)
        {
          /* A new object was made in place of another: the old slot stays, under a key that no object has. */
          __atomic_store_n (&slot->key, LC_SHARED_REPLACED, __ATOMIC_RELEASE);
          continue;
        }
      return shared_wait_for (slot);
    }
  return NULL;
}

/* A kind of which there can be many gets no more than half of the table, and is counted. */
static struct lc_slot *
shared_system_slot (enum lc_kind kind, uint64_t hash, uint64_t value, uint32_t *count)
{
  enum
  {
    STEPS = 64
  };
  const uint64_t key = (hash & ((UINT64_C (1) << 56) - 1)) | (uint64_t)LC_CLASS_IO << 56;

  for (uint32_t step = 0; step < STEPS; step++)
    {
      uint32_t index = (uint32_t)((key + step) % LC_SHARED_SLOTS);
      struct lc_slot *slot = &lc_control->shared[index];
      uint64_t found = __atomic_load_n (&slot->key, __ATOMIC_ACQUIRE);

      if (found == 0 && count != NULL && __atomic_load_n (count, __ATOMIC_RELAXED) >= LC_SHARED_SLOTS / 2)
        return NULL;
      if (found == 0 &&
          __atomic_compare_exchange_n (&slot->key, &found, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        {
          if (count != NULL)
            __atomic_add_fetch (count, 1, __ATOMIC_RELAXED);
          shared_fill (index, NULL, LC_CLASS_IO, kind, value);
          return slot;
        }
      if (found == key)
        return shared_wait_for (slot);
    }
  return NULL;
}

/* Streams that nobody uses any more keep their slots. */
struct lc_slot *
lc_shared_stream (enum lc_kind kind, uint64_t hash, uint64_t value)
{
  return shared_system_slot (kind, hash, value, &lc_control->pipes);
}

struct lc_slot *
lc_shared_signal (uint32_t signal)
{
  return shared_system_slot (LC_KIND_SIGNAL, shared_mix (UINT64_C (0x082EFA98EC4E6C89), signal), signal, NULL);
}
