/* SPDX-License-Identifier: Apache-2.0 */
/* Posted operations in a hash table with the entries in place, so that no memory is allocated for each. */
#include "posted.h"

struct _LcPosted
{
  LcPostedOperation *slots; /* a power of two; LC_POSTS_NOTHING: free */
  gsize n_slots;
  gsize used;
};

enum
{
  FIRST = 64,
};

static gsize
posted_hash (guint32 process, guint32 object, gint64 sequence)
{
  guint64 mixed = (guint64)sequence * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  mixed ^= (guint64)object << 32 | process;
  mixed *= G_GUINT64_CONSTANT (0xD6E8FEB86659FD93);
  return (gsize)(mixed ^ mixed >> 32);
}

static gsize
posted_home (const LcPosted *posted, const LcPostedOperation *operation)
{
  return posted_hash (operation->process, operation->object, operation->sequence) & (posted->n_slots - 1);
}

LcPosted *
lc_posted_new (void)
{
  LcPosted *posted = g_new0 (LcPosted, 1);

  posted->n_slots = FIRST;
  posted->slots = g_new0 (LcPostedOperation, FIRST);
  return posted;
}

void
lc_posted_free (LcPosted *posted)
{
  if (posted == NULL)
    return;
  g_free (posted->slots);
  g_free (posted);
}

static void
posted_put (LcPosted *posted, const LcPostedOperation *operation)
{
  gsize at = posted_home (posted, operation);

  while (posted->slots[at].kind != LC_POSTS_NOTHING)
    at = (at + 1) & (posted->n_slots - 1);
  posted->slots[at] = *operation;
}

static void
posted_grow (LcPosted *posted)
{
  g_autofree LcPostedOperation *old = posted->slots;
  const gsize n = posted->n_slots;

  posted->n_slots *= 2;
  posted->slots = g_new0 (LcPostedOperation, posted->n_slots);
  for (gsize i = 0; i < n; i++)
    if (old[i].kind != LC_POSTS_NOTHING)
      posted_put (posted, &old[i]);
}

void
lc_posted_add (LcPosted *posted, const LcPostedOperation *operation)
{
  if (2 * (posted->used + 1) > posted->n_slots)
    posted_grow (posted);
  posted_put (posted, operation);
  posted->used++;
}

/* Later slots of the same run move up, so that no search ends at the gap. */
static void
remove_at (LcPosted *posted, gsize at)
{
  const gsize mask = posted->n_slots - 1;

  for (gsize next = (at + 1) & mask; posted->slots[next].kind != LC_POSTS_NOTHING; next = (next + 1) & mask)
    {
      gsize wanted = posted_home (posted, &posted->slots[next]);

      if (((next - wanted) & mask) < ((next - at) & mask))
        continue;
      posted->slots[at] = posted->slots[next];
      at = next;
    }
  posted->slots[at].kind = LC_POSTS_NOTHING;
  posted->used--;
}

gboolean
lc_posted_take (LcPosted *posted, guint32 process, guint32 object, gint64 sequence, LcPostedOperation *operation)
{
  const gsize mask = posted->n_slots - 1;
  gsize found = G_MAXSIZE;

  for (gsize at = posted_hash (process, object, sequence) & mask; posted->slots[at].kind != LC_POSTS_NOTHING;
       at = (at + 1) & mask)
    {
      const LcPostedOperation *slot = &posted->slots[at];

      if (slot->process != process || slot->object != object || slot->sequence != sequence)
        continue;
      if (found == G_MAXSIZE || (slot->kind == LC_POSTS_SEND && posted->slots[found].kind != LC_POSTS_SEND))
        found = at;
    }
  if (found == G_MAXSIZE)
    return FALSE;
  *operation = posted->slots[found];
  remove_at (posted, found);
  return TRUE;
}
