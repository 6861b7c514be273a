/* SPDX-License-Identifier: Apache-2.0 */
/* Finds channels by communicator, ends and tag, and names them alike on all ranks. */
#include <stdio.h>
#include <string.h>

#include "recording.h"

/* Keyed by the communicator's object, not its address: the memory of a freed communicator may be reused. */
struct entry
{
  struct entry *next;
  uint32_t to;
  uint32_t communicator;
  struct lc_channel channel;
};

struct named
{
  struct named *next;
  struct lc_channel channel;
  char name[];
};

enum
{
  FIRST_BUCKETS = 64,
  SLAB = 8192, /* in bytes */
};

static struct entry **buckets;
static size_t n_buckets, n_entries;

/* Entries are never freed, and a program may use a new tag for each message: so they are packed into slabs. */
static struct entry *slab;
static size_t slab_left;
static struct named *names[FIRST_BUCKETS];

static inline uint64_t
channels_mix (uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C (0x9E3779B97F4A7C15);
  return hash ^ hash >> 32;
}

static inline size_t
channels_place_of (uint32_t communicator, uint64_t ends, int tag)
{
  return (size_t)channels_mix (channels_mix (communicator, ends), (uint32_t)tag) & (n_buckets - 1);
}

static bool
channels_grow (void)
{
  size_t before = n_buckets, wanted = before == 0 ? FIRST_BUCKETS : 2 * before;
  struct entry **old = buckets, **larger = lc_mpi_allocate (wanted * sizeof *larger);

  if (larger == NULL)
    return before != 0;
  memset (larger, 0, wanted * sizeof *larger);
  buckets = larger;
  n_buckets = wanted;
  for (size_t i = 0; i < before; i++)
    for (struct entry *entry = old[i], *next; entry != NULL; entry = next)
      {
        size_t place = channels_place_of (entry->communicator, LC_CHANNEL_ENDS (entry->channel.from, entry->to),
                                          entry->channel.tag);

        next = entry->next;
        entry->next = buckets[place];
        buckets[place] = entry;
      }
  if (old != NULL)
    lc_mpi_release (old, before * sizeof *old);
  return true;
}

static struct entry *
channels_take_entry (void)
{
  if (slab_left == 0)
    {
      slab = lc_mpi_allocate (SLAB);
      slab_left = slab != NULL ? SLAB / sizeof *slab : 0;
    }
  if (slab_left == 0)
    return NULL;
  slab_left--;
  return slab++;
}

static uint32_t
channels_record (uint32_t from, uint32_t to, const char *what, const char *where)
{
  char name[2 * LC_MPI_NAME + 64];

  snprintf (name, sizeof name, "%u>%u:%s%s%s", from, to, what, *where != '\0' ? "@" : "", where);
  return lc_mpi_hooks->shared_object (LC_CLASS_CHANNEL, name, LC_CHANNEL_ENDS (from, to));
}

static struct lc_channel *
channels_add (const struct lc_communicator *communicator, uint64_t ends, int tag)
{
  struct entry *entry;
  char what[16];
  size_t place;

  if (n_entries >= n_buckets && !channels_grow ())
    return NULL;
  entry = channels_take_entry ();
  if (entry == NULL)
    return NULL;
  snprintf (what, sizeof what, "%d", tag);
  *entry = (struct entry){.to = LC_CHANNEL_TO (ends), .communicator = communicator->object};
  entry->channel.from = LC_CHANNEL_FROM (ends);
  entry->channel.tag = tag;
  entry->channel.object = channels_record (LC_CHANNEL_FROM (ends), LC_CHANNEL_TO (ends), what,
                                           strcmp (communicator->name, "world") == 0 ? "" : communicator->name);
  place = channels_place_of (communicator->object, ends, tag);
  entry->next = buckets[place];
  buckets[place] = entry;
  n_entries++;
  return &entry->channel;
}

struct lc_channel *
lc_channel_find (struct lc_communicator *communicator, uint32_t from, uint32_t to, int tag)
{
  uint64_t ends = LC_CHANNEL_ENDS (from, to);
  struct entry *entry = NULL;

  if (n_buckets != 0)
    entry = buckets[channels_place_of (communicator->object, ends, tag)];
  while (entry != NULL && (entry->channel.tag != tag || entry->channel.from != from || entry->to != to ||
                           entry->communicator != communicator->object))
    entry = entry->next;
  return __builtin_expect (entry != NULL, 1) ? &entry->channel : channels_add (communicator, ends, tag);
}

struct lc_channel *
lc_channel_find_object (uint32_t object)
{
  for (size_t i = 0; i < n_buckets; i++)
    for (struct entry *entry = buckets[i]; entry != NULL; entry = entry->next)
      if (entry->channel.object == object)
        return &entry->channel;
  return NULL;
}

struct lc_channel *
lc_channel_find_named (const char *where, uint32_t from, uint32_t to, const char *what)
{
  char name[2 * LC_MPI_NAME + 64];
  size_t bytes = (size_t)snprintf (name, sizeof name, "%u>%u:%s@%s", from, to, what, where) + 1;
  uint64_t hash = 0;
  struct named *named;

  if (bytes > sizeof name)
    return NULL;
  for (size_t i = 0; i < bytes; i++)
    hash = channels_mix (hash, (unsigned char)name[i]);
  for (named = names[hash % FIRST_BUCKETS]; named != NULL; named = named->next)
    if (strcmp (named->name, name) == 0)
      return &named->channel;
  named = lc_mpi_allocate (sizeof *named + bytes);
  if (named == NULL)
    return NULL;
  *named = (struct named){.next = names[hash % FIRST_BUCKETS], .channel = {.from = from}};
  memcpy (named->name, name, bytes);
  named->channel.object = channels_record (from, to, what, where);
  names[hash % FIRST_BUCKETS] = named;
  return &named->channel;
}
