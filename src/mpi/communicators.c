/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what is known of a communicator: its members, and its name, which is the same on all its ranks. */
#include "communicators.h"

#include <stdio.h>
#include <string.h>

uint32_t lc_world_first;

/* A communicator is found by an MPI attribute, which goes away with it and is not copied to duplicates. The world, the
 * process alone, and the communicator that a thread has used last are found without asking MPI. */
static int keyval = MPI_KEYVAL_INVALID;
static MPI_Group world_group = MPI_GROUP_NULL;
static uint32_t me;
static struct lc_communicator *world, *self;

/* The number of freed communicators: a change makes what threads remember invalid. */
static unsigned freed;
static __thread struct
{
  MPI_Comm handle;
  struct lc_communicator *communicator;
  unsigned freed;
} last;

static struct set
{
  struct set *next;
  uint64_t members;
  uint32_t made;
} * sets;

static uint64_t
hash_bytes (uint64_t hash, const void *bytes, size_t n)
{
  const unsigned char *byte = bytes;

  for (size_t i = 0; i < n; i++)
    hash = (hash ^ byte[i]) * UINT64_C (0x100000001b3);
  return hash;
}

static uint64_t
hash_text (const char *text)
{
  return hash_bytes (UINT64_C (0xcbf29ce484222325), text, strlen (text));
}

void
lc_mpi_name (char *to, const char *text)
{
  size_t length = strlen (text);

  if (length < LC_MPI_NAME)
    memcpy (to, text, length + 1);
  else
    snprintf (to, LC_MPI_NAME, "%.*s~%016llx", LC_MPI_NAME - 18, text, (unsigned long long)hash_text (text));
}

/* Must be called with the tables unlocked, like all that calls MPI here: MPI may be calling `forget` in another
 * thread. */
static void *
communicators_take (size_t bytes)
{
  void *memory;

  lc_mpi_lock ();
  memory = lc_mpi_allocate (bytes);
  lc_mpi_unlock ();
  return memory;
}

static void
communicators_give (void *memory, size_t bytes)
{
  lc_mpi_lock ();
  if (memory)
    lc_mpi_release (memory, bytes);
  lc_mpi_unlock ();
}

/* Translates a group's ranks to world ranks. FALSE: one is not of this world, or there is no memory. */
static bool
communicators_translate (MPI_Group group, uint32_t *ranks, int n)
{
  int *own = communicators_take (sizeof (int) * (size_t)n);
  bool known = own != NULL;

  for (int i = 0; known && i < n; i++)
    own[i] = i;
  if (known)
    known = PMPI_Group_translate_ranks (group, n, own, world_group, (int *)ranks) == MPI_SUCCESS;
  for (int i = 0; known && i < n; i++)
    {
      known = (int)ranks[i] >= 0;
      ranks[i] += lc_world_first;
    }
  communicators_give (own, sizeof (int) * (size_t)n);
  return known;
}

uint32_t *
lc_communicator_list (MPI_Group group, int *n)
{
  uint32_t *ranks;

  PMPI_Group_size (group, n);
  if (*n == 0)
    return NULL;
  ranks = communicators_take (sizeof *ranks * (size_t)*n);
  if (!ranks || communicators_translate (group, ranks, *n))
    return ranks;
  communicators_give (ranks, sizeof *ranks * (size_t)*n);
  return NULL;
}

void
lc_communicator_drop (struct lc_communicator *communicator)
{
  if (--communicator->references > 0)
    return;
  if (communicator->world)
    lc_mpi_release (communicator->world, sizeof *communicator->world * communicator->n_world);
  lc_mpi_release (communicator, sizeof *communicator);
}

static void
communicators_discard (struct lc_communicator *communicator)
{
  lc_mpi_lock ();
  lc_communicator_drop (communicator);
  lc_mpi_unlock ();
}

/* Called by MPI when the communicator is freed. */
static int
communicators_forget (MPI_Comm handle, int key, void *value, void *extra)
{
  (void)handle, (void)key, (void)extra;
  lc_mpi_lock ();
  __atomic_fetch_add (&freed, 1, __ATOMIC_RELEASE);
  lc_communicator_drop (value);
  lc_mpi_unlock ();
  return MPI_SUCCESS;
}

/* Returns NULL if a member is not of this world. */
static struct lc_communicator *
communicators_describe (MPI_Comm handle)
{
  struct lc_communicator *communicator = communicators_take (sizeof *communicator);
  MPI_Group group;
  int inter = 0, n = 0;

  if (!communicator)
    return NULL;
  *communicator = (struct lc_communicator){.me = me, .references = 1};
  PMPI_Comm_test_inter (handle, &inter);
  PMPI_Comm_size (handle, &communicator->size);
  PMPI_Comm_rank (handle, &communicator->rank);
  if (inter)
    PMPI_Comm_remote_size (handle, &communicator->remote_size);
  if ((inter ? PMPI_Comm_remote_group (handle, &group) : PMPI_Comm_group (handle, &group)) == MPI_SUCCESS)
    {
      communicator->world = lc_communicator_list (group, &n);
      PMPI_Group_free (&group);
    }
  communicator->n_world = (uint32_t)n;
  communicator->members = (uint32_t)(communicator->size + communicator->remote_size);
  if (!communicator->world)
    {
      communicators_discard (communicator);
      return NULL;
    }
  return communicator;
}

static void
communicators_name (struct lc_communicator *communicator, const char *text)
{
  lc_mpi_name (communicator->name, text);
  communicator->object = lc_mpi_hooks->shared_object (LC_CLASS_COLLECTIVE, communicator->name, communicator->members);
  communicator->barrier = lc_mpi_hooks->shared_object (LC_CLASS_BARRIER, communicator->name, communicator->members);
}

/* Returns the lowest first member of the communicator's groups, which tells it from others made by the same call, and
 * is the same on both sides. */
static uint32_t
first_member (MPI_Comm handle, const struct lc_communicator *communicator)
{
  uint32_t first = communicator->world[0], own = first;
  MPI_Group group;

  if (communicator->remote_size && PMPI_Comm_group (handle, &group) == MPI_SUCCESS)
    {
      if (!communicators_translate (group, &own, 1))
        own = first;
      PMPI_Group_free (&group);
    }
  return own < first ? own : first;
}

static struct lc_communicator *
make_self (void)
{
  struct lc_communicator *made = communicators_describe (MPI_COMM_SELF), *before = NULL;
  char text[LC_MPI_NAME];

  if (!made)
    return NULL;
  snprintf (text, sizeof text, "self/r%u", me);
  communicators_name (made, text);
  if (__atomic_compare_exchange_n (&self, &before, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return made;
  communicators_discard (made);
  return before;
}

static struct lc_communicator *
find_other (MPI_Comm handle)
{
  struct lc_communicator *communicator = NULL;
  unsigned now = __atomic_load_n (&freed, __ATOMIC_ACQUIRE);
  int found = 0;

  if (keyval == MPI_KEYVAL_INVALID || PMPI_Comm_get_attr (handle, keyval, &communicator, &found) != MPI_SUCCESS ||
      !found)
    return NULL;
  last.handle = handle;
  last.communicator = communicator;
  last.freed = now;
  return communicator;
}

struct lc_communicator *
lc_communicator_find (MPI_Comm handle)
{
  if (handle == MPI_COMM_WORLD)
    return world;
  if (last.communicator && handle == last.handle && last.freed == __atomic_load_n (&freed, __ATOMIC_ACQUIRE))
    return last.communicator;
  if (handle == MPI_COMM_NULL)
    return NULL;
  if (handle == MPI_COMM_SELF)
    {
      struct lc_communicator *made = __atomic_load_n (&self, __ATOMIC_ACQUIRE);

      return made || !world ? made : make_self ();
    }
  return find_other (handle);
}

struct lc_communicator *
lc_communicator_use (struct lc_mpi_call *call, MPI_Comm handle)
{
  struct lc_communicator *communicator = lc_communicator_find (handle);

  if (!communicator && handle != MPI_COMM_NULL)
    lc_mpi_missed (call);
  return communicator;
}

uint32_t
lc_communicator_next (struct lc_communicator *parent)
{
  return parent ? __atomic_add_fetch (&parent->derived, 1, __ATOMIC_RELAXED) : 0;
}

static void
communicators_keep (MPI_Comm handle, struct lc_communicator *communicator, const char *text)
{
  communicators_name (communicator, text);
  if (PMPI_Comm_set_attr (handle, keyval, communicator) != MPI_SUCCESS)
    communicators_discard (communicator);
}

void
lc_communicator_name (MPI_Comm handle, const struct lc_communicator *parent, uint32_t number, const char *detail)
{
  struct lc_communicator *communicator;
  char text[LC_MPI_NAME + 64];

  if (!parent || handle == MPI_COMM_NULL || keyval == MPI_KEYVAL_INVALID)
    return;
  communicator = communicators_describe (handle);
  if (!communicator)
    return;
  if (detail)
    snprintf (text, sizeof text, "%s.%u%s", parent->name, number, detail);
  else
    snprintf (text, sizeof text, "%s.%u/r%u", parent->name, number, first_member (handle, communicator));
  communicators_keep (handle, communicator, text);
}

/* Counts the communicators made of these members, including this one. All members count alike. */
static uint32_t
count_set (uint64_t members)
{
  struct set *set;
  uint32_t made = 0;

  lc_mpi_lock ();
  for (set = sets; set && set->members != members;)
    set = set->next;
  if (!set && (set = lc_mpi_allocate (sizeof *set)))
    {
      *set = (struct set){.next = sets, .members = members};
      sets = set;
    }
  if (set)
    made = ++set->made;
  lc_mpi_unlock ();
  return made;
}

/* Hashes the members of both groups, the group with the lower first member first, so that both sides agree. */
static uint64_t
hash_members (MPI_Comm handle, const struct lc_communicator *communicator, uint64_t hash, uint32_t first[2])
{
  const uint32_t *ranks[2] = {communicator->world, NULL};
  size_t n[2] = {communicator->n_world, 0};
  uint32_t *own = NULL;
  MPI_Group group;
  int size = 0, lower = 0;

  if (communicator->remote_size && PMPI_Comm_group (handle, &group) == MPI_SUCCESS)
    {
      own = lc_communicator_list (group, &size);
      PMPI_Group_free (&group);
    }
  if (own)
    {
      ranks[1] = own;
      n[1] = (size_t)size;
      lower = own[0] < communicator->world[0];
    }
  for (int i = 0; i < 2; i++)
    {
      int which = i ^ lower;

      first[i] = n[which] ? ranks[which][0] : 0;
      hash = hash_bytes (hash_bytes (hash, &n[which], sizeof n[which]), ranks[which], n[which] * sizeof *ranks[which]);
    }
  communicators_give (own, sizeof *own * (size_t)size);
  return hash;
}

void
lc_communicator_name_set (MPI_Comm handle, const char *from, int tag)
{
  struct lc_communicator *communicator;
  char text[LC_MPI_NAME + 64], ends[32];
  uint32_t first[2] = {0, 0};
  uint64_t members;

  if (handle == MPI_COMM_NULL || keyval == MPI_KEYVAL_INVALID)
    return;
  communicator = communicators_describe (handle);
  if (!communicator)
    return;
  members = hash_members (handle, communicator, hash_bytes (hash_text (from), &tag, sizeof tag), first);
  snprintf (ends, sizeof ends, communicator->remote_size ? "r%u-r%u" : "r%u", first[0], first[1]);
  snprintf (text, sizeof text, "%s.%s.%08x.%u", from, ends, (unsigned)(members ^ members >> 32), count_set (members));
  communicators_keep (handle, communicator, text);
}

void
lc_communicators_go_on (MPI_Group group)
{
  if (world_group != MPI_GROUP_NULL)
    PMPI_Group_free (&world_group);
  world_group = group;
}

void
lc_communicators_begin (MPI_Group group, int rank)
{
  lc_communicators_go_on (group);
  me = lc_world_first + (uint32_t)rank;
  if (keyval == MPI_KEYVAL_INVALID)
    PMPI_Comm_create_keyval (MPI_COMM_NULL_COPY_FN, communicators_forget, &keyval, NULL);
}

void
lc_communicators_begin_world (void)
{
  char text[LC_MPI_NAME] = "world";

  world = communicators_describe (MPI_COMM_WORLD);
  if (!world)
    return;
  if (lc_world_first != 0)
    snprintf (text, sizeof text, "world-%u", lc_world_first);
  communicators_name (world, text);
}

void
lc_communicators_end (void)
{
  if (world_group != MPI_GROUP_NULL)
    PMPI_Group_free (&world_group);
  if (keyval != MPI_KEYVAL_INVALID)
    PMPI_Comm_free_keyval (&keyval);
  keyval = MPI_KEYVAL_INVALID;
  __atomic_fetch_add (&freed, 1, __ATOMIC_RELEASE);
}
