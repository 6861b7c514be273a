/* SPDX-License-Identifier: Apache-2.0 */
/* Finds circles among the locks that processes asked for while they held others. */
/*
 * First only who asked for what while holding what is known, which a walk over the lock events tells. Only if that
 * makes circles, a pass over the whole history finds out when: it keeps the future of each request without the arcs of
 * locks. A circle is possible if one time of each request can be chosen so that none of them is in the future of
 * another.
 */
#include "lightcone/lock-cycles.h"

#include <string.h>

#include "futures.h"
#include "lock-requests.h"

enum
{
  MOST_STEPS = 1 << 22,   /* of the search for circles */
  MOST_CIRCLES = 1 << 18, /* that are kept to ask when they could be */
  MOST_BYTES = 256 << 20, /* of futures */
};

/* A time of a request. */
typedef struct
{
  guint64 ordinal;
  guint64 *after; /* the future of its end */
} LockTime;

typedef struct
{
  guint n;
  const LcLockRequest *requests[LC_LOCK_CYCLE_MOST]; /* each asks for what the next one holds */
} LockCircle;

/* Circles of the same locks and places. */
typedef struct
{
  LcLockCycle cycle; /* its objects and groups are the key */
  gboolean is_possible, is_ordered, is_gated;
} LockKind;

typedef struct
{
  LcHistory *history;
  LcLockRequests *requests;
  LcSiteGroups *groups;
  GHashTable *holders; /* object -> GPtrArray of LcLockRequest that hold it */
  GHashTable *kinds;   /* LockKind */
  GArray *circles;     /* LockCircle, that no common lock keeps from closing */
  LockCircle at;       /* that is being looked for */
  guint64 steps;
  gsize bytes;
  gboolean is_cut;
} LockSearchAll;

/* --- Circles -------------------------------------------------------------------------------------------------- */

/* Whether the process of a request has the lock then in a way that keeps this one waiting. */
static gboolean
lock_cycles_keeps_waiting (const LcLockRequest *holder, const LcHeldLock *asked)
{
  for (guint i = 0; i < holder->n_held; i++)
    if (holder->held[i].object == asked->object && !(holder->held[i].shared && asked->shared))
      return TRUE;
  return FALSE;
}

/* Whether both hold a lock that only one can hold at a time. */
static gboolean
lock_cycles_share_gate (const LcLockRequest *one, const LcLockRequest *other)
{
  for (guint i = 0, k = 0; i < one->n_held && k < other->n_held;)
    {
      const LcHeldLock *a = &one->held[i], *b = &other->held[k];

      if (a->object == b->object && !(a->shared && b->shared))
        return TRUE;
      if (a->object < b->object || (a->object == b->object && a->shared))
        i++;
      else
        k++;
    }
  return FALSE;
}

static gboolean
lock_cycles_is_gated (const LockCircle *circle)
{
  for (guint i = 0; i < circle->n; i++)
    for (guint k = i + 1; k < circle->n; k++)
      if (lock_cycles_share_gate (circle->requests[i], circle->requests[k]))
        return TRUE;
  return FALSE;
}

static guint
lock_cycles_hash_kind (gconstpointer key)
{
  const LcLockCycle *cycle = &((const LockKind *)key)->cycle;
  guint hash = cycle->n;

  for (guint i = 0; i < cycle->n; i++)
    hash = (hash * 31U + cycle->waiters[i].object) * 2654435761U + cycle->waiters[i].group;
  return hash;
}

static gboolean
lock_cycles_equal_kinds (gconstpointer a, gconstpointer b)
{
  const LcLockCycle *one = &((const LockKind *)a)->cycle, *other = &((const LockKind *)b)->cycle;

  if (one->n != other->n)
    return FALSE;
  for (guint i = 0; i < one->n; i++)
    if (one->waiters[i].object != other->waiters[i].object || one->waiters[i].group != other->waiters[i].group)
      return FALSE;
  return TRUE;
}

/* The kind of a circle, which begins with who asks for the least object. */
static LockKind *
lock_cycles_find_kind (LockSearchAll *search, const LockCircle *circle)
{
  LockKind key = {.cycle.n = circle->n}, *kind;
  guint first = 0;

  for (guint i = 1; i < circle->n; i++)
    if (circle->requests[i]->lock.object < circle->requests[first]->lock.object)
      first = i;
  for (guint i = 0; i < circle->n; i++)
    {
      const LcLockRequest *request = circle->requests[(first + i) % circle->n];

      key.cycle.waiters[i] =
          (LcLockWaiter){.process = request->process,
                         .object = request->lock.object,
                         .stack = request->stack,
                         .shared = request->lock.shared,
                         .held = circle->requests[(first + i + circle->n - 1) % circle->n]->lock.object,
                         .held_stack = LC_TRACE_NONE,
                         .group = lc_site_groups_find (search->groups, request->stack)};
    }
  kind = g_hash_table_lookup (search->kinds, &key);
  if (kind == NULL)
    {
      kind = g_memdup2 (&key, sizeof key);
      g_hash_table_add (search->kinds, kind);
    }
  return kind;
}

static void
lock_cycles_close (LockSearchAll *search)
{
  LockKind *kind = lock_cycles_find_kind (search, &search->at);

  if (lock_cycles_is_gated (&search->at))
    kind->is_gated = TRUE;
  else if (search->circles->len < MOST_CIRCLES)
    {
      g_array_append_val (search->circles, search->at);
      for (guint i = 0; i < search->at.n; i++)
        {
          LcLockRequest *request = search->requests->all->pdata[search->at.requests[i]->index];

          if (request->wanted == NULL)
            request->wanted = g_array_new (FALSE, FALSE, sizeof (LockTime));
        }
    }
  else
    search->is_cut = TRUE;
}

static gboolean
lock_cycles_has (const LockCircle *circle, const LcLockRequest *request)
{
  for (guint i = 0; i < circle->n; i++)
    if (circle->requests[i]->process == request->process || circle->requests[i]->lock.object == request->lock.object)
      return TRUE;
  return FALSE;
}

/* Goes on from the last request of the circle to those that hold what it asks for. A circle is found from the first of
 * its requests only. */
static void
lock_cycles_extend (LockSearchAll *search)
{
  const LcLockRequest *last = search->at.requests[search->at.n - 1], *first = search->at.requests[0];
  const GPtrArray *holders = g_hash_table_lookup (search->holders, GUINT_TO_POINTER (last->lock.object));

  if (search->at.n > 1 && lock_cycles_keeps_waiting (first, &last->lock))
    lock_cycles_close (search);
  for (guint i = 0; search->at.n < LC_LOCK_CYCLE_MOST && holders != NULL && i < holders->len; i++)
    {
      const LcLockRequest *next = holders->pdata[i];

      if (next->index <= first->index || lock_cycles_has (&search->at, next) ||
          !lock_cycles_keeps_waiting (next, &last->lock))
        continue;
      if (++search->steps > MOST_STEPS)
        {
          search->is_cut = TRUE;
          return;
        }
      search->at.requests[search->at.n++] = next;
      lock_cycles_extend (search);
      search->at.n--;
    }
}

static void
lock_cycles_search (LockSearchAll *search)
{
  const GPtrArray *all = search->requests->all;

  for (guint i = 0; i < all->len; i++)
    {
      LcLockRequest *request = all->pdata[i];

      for (guint k = 0; k < request->n_held; k++)
        {
          const gpointer object = GUINT_TO_POINTER (request->held[k].object);
          GPtrArray *holders = g_hash_table_lookup (search->holders, object);

          if (holders == NULL)
            {
              holders = g_ptr_array_new ();
              g_hash_table_insert (search->holders, object, holders);
            }
          if (holders->len == 0 || holders->pdata[holders->len - 1] != request)
            g_ptr_array_add (holders, request);
        }
    }
  for (guint i = 0; i < all->len && search->steps <= MOST_STEPS; i++)
    {
      search->at.requests[0] = all->pdata[i];
      search->at.n = 1;
      lock_cycles_extend (search);
    }
}

/* --- Times ---------------------------------------------------------------------------------------------------- */

/* Of times with the same future the first one stands for all: what is before it is before the others too. The pass goes
 * from the last to the first. */
static void
lock_cycles_add_time (LockSearchAll *search, const LcLockRequest *request, const LcEventFuture *at)
{
  const guint32 n = lc_history_get_n_processes (search->history);
  GArray *times = request->wanted;
  LockTime time = {at->event.ordinal, NULL};

  if (times->len > 0)
    {
      LockTime *last = &g_array_index (times, LockTime, times->len - 1);

      last->after[request->process] = at->after[request->process];
      if (memcmp (last->after, at->after, n * sizeof *at->after) == 0)
        {
          last->ordinal = time.ordinal;
          return;
        }
    }
  if (search->bytes + n * sizeof *at->after > MOST_BYTES)
    {
      search->is_cut = TRUE;
      return;
    }
  search->bytes += n * sizeof *at->after;
  time.after = g_memdup2 (at->after, n * sizeof *at->after);
  g_array_append_val (times, time);
}

static gboolean
lock_cycles_find_times (LockSearchAll *search, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcFutures) futures = lc_futures_new (search->history, search->requests->is_lock, cancellable, error);
  const LcEventFuture *at;
  gboolean good = futures != NULL;

  while (good && (good = lc_futures_next (futures, &at, error)) && at != NULL)
    {
      const LcLockRequest *request = lc_lock_requests_go_back (search->requests, &at->event);

      if (request != NULL && request->wanted != NULL)
        lock_cycles_add_time (search, request, at);
    }
  return good;
}

/* The n-th time of a request, from the first on; they lie the other way round. */
static const LockTime *
lock_cycles_get_time (const LcLockRequest *request, guint n)
{
  const GArray *times = request->wanted;

  return n < times->len ? &g_array_index (times, LockTime, times->len - 1 - n) : NULL;
}

/* Chooses a time of each request so that none had ended before another began. A time that is before the present one of
 * another request is before all later ones of that, too: so only it has to move on. */
static gboolean
lock_cycles_choose_times (const LockCircle *circle, guint64 *ordinals)
{
  guint at[LC_LOCK_CYCLE_MOST] = {0};
  gboolean moved = TRUE;

  while (moved)
    {
      moved = FALSE;
      for (guint i = 0; i < circle->n; i++)
        for (guint k = 0; k < circle->n; k++)
          {
            const LockTime *one = lock_cycles_get_time (circle->requests[i], at[i]);
            const LockTime *other = lock_cycles_get_time (circle->requests[k], at[k]);

            if (one == NULL || other == NULL)
              return FALSE;
            if (i != k && one->after[circle->requests[k]->process] <= lc_future_begin_of (other->ordinal))
              {
                at[i]++;
                moved = TRUE;
              }
          }
    }
  for (guint i = 0; i < circle->n; i++)
    ordinals[i] = lock_cycles_get_time (circle->requests[i], at[i])->ordinal;
  return TRUE;
}

/* The first possible circle of a kind is its example. */
static void
lock_cycles_judge (LockSearchAll *search, const LockCircle *circle)
{
  LockKind *kind = lock_cycles_find_kind (search, circle);
  guint64 ordinals[LC_LOCK_CYCLE_MOST];

  if (!lock_cycles_choose_times (circle, ordinals))
    {
      kind->is_ordered = TRUE;
      return;
    }
  kind->cycle.count++;
  for (guint i = 0; !kind->is_possible && i < circle->n; i++)
    for (guint k = 0; k < circle->n; k++)
      if (circle->requests[k]->lock.object == kind->cycle.waiters[i].object)
        {
          kind->cycle.waiters[i].process = circle->requests[k]->process;
          kind->cycle.waiters[i].stack = circle->requests[k]->stack;
          kind->cycle.waiters[i].shared = circle->requests[k]->lock.shared;
          kind->cycle.waiters[i].ordinal = ordinals[k];
        }
  kind->is_possible = TRUE;
}

/* --- The result ----------------------------------------------------------------------------------------------- */

static int
lock_cycles_compare (gconstpointer a, gconstpointer b)
{
  const LcLockCycle *one = a, *other = b;

  if (one->n != other->n)
    return one->n < other->n ? -1 : 1;
  if (one->count != other->count)
    return one->count > other->count ? -1 : 1;
  for (guint i = 0; i < one->n; i++)
    {
      const LcLockWaiter *x = &one->waiters[i], *y = &other->waiters[i];

      if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
      if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
      if (x->ordinal != y->ordinal)
        return x->ordinal < y->ordinal ? -1 : 1;
    }
  return 0;
}

static gboolean
lock_cycles_gather (LockSearchAll *search, LcLockCycles *cycles, GError **error)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, search->kinds);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      LockKind *kind = key;

      cycles->gated += !kind->is_possible && !kind->is_ordered && kind->is_gated;
      cycles->ordered += !kind->is_possible && kind->is_ordered;
      for (guint i = 0; kind->is_possible && i < kind->cycle.n; i++)
        {
          LcLockWaiter *waiter = &kind->cycle.waiters[i];

          if (!lc_lock_requests_find_holding (search->requests, waiter->process, waiter->ordinal, waiter->held,
                                              &waiter->held_ordinal, &waiter->held_stack, error))
            return FALSE;
        }
      if (kind->is_possible)
        g_array_append_val (cycles->cycles, kind->cycle);
    }
  g_array_sort (cycles->cycles, lock_cycles_compare);
  cycles->is_cut = search->is_cut || search->requests->is_cut;
  return TRUE;
}

static void
lock_cycles_clear (LockSearchAll *search)
{
  for (guint i = 0; i < search->requests->all->len; i++)
    {
      GArray *times = ((LcLockRequest *)search->requests->all->pdata[i])->wanted;

      for (guint k = 0; times != NULL && k < times->len; k++)
        g_free (g_array_index (times, LockTime, k).after);
      if (times != NULL)
        g_array_unref (times);
    }
  g_hash_table_unref (search->holders);
  g_hash_table_unref (search->kinds);
  g_array_unref (search->circles);
}

LcLockCycles *
lc_lock_cycles_find (LcHistory *history, const LcRules *rules, LcSiteGroups *groups, GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (LcLockRequests) requests = NULL;
  g_autoptr (LcLockCycles) cycles = g_new0 (LcLockCycles, 1);
  LockSearchAll search = {.history = history, .groups = groups};
  gboolean good;

  cycles->cycles = g_array_new (FALSE, FALSE, sizeof (LcLockCycle));
  if (!lc_history_read_places (history, error))
    return NULL;
  search.requests = requests = lc_lock_requests_new (history, rules, cancellable, error);
  if (requests == NULL)
    return NULL;
  search.holders = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
  search.kinds = g_hash_table_new_full (lock_cycles_hash_kind, lock_cycles_equal_kinds, g_free, NULL);
  search.circles = g_array_new (FALSE, FALSE, sizeof (LockCircle));
  lock_cycles_search (&search);
  good = search.circles->len == 0 || lock_cycles_find_times (&search, cancellable, error);
  for (guint i = 0; good && i < search.circles->len; i++)
    lock_cycles_judge (&search, &g_array_index (search.circles, LockCircle, i));
  good = good && lock_cycles_gather (&search, cycles, error);
  lock_cycles_clear (&search);
  return good ? g_steal_pointer (&cycles) : NULL;
}

void
lc_lock_cycles_free (LcLockCycles *cycles)
{
  if (cycles == NULL)
    return;
  g_array_unref (cycles->cycles);
  g_free (cycles);
}
