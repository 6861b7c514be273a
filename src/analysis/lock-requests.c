/* SPDX-License-Identifier: Apache-2.0 */
/* Follows which locks each process holds, and notes what it asks for meanwhile. */
#include "lock-requests.h"

#include <string.h>

enum
{
  MOST_REQUESTS = 1 << 20,
};

typedef enum
{
  LOCK_EFFECT_NONE,
  LOCK_EFFECT_TAKES,
  LOCK_EFFECT_SHARES, /* takes it, with others that do the same */
  LOCK_EFFECT_GIVES,
  LOCK_EFFECT_GIVES_SHARED,
} LockEffect;

typedef struct
{
  LcLockRequests requests;
  LcHistory *history;
  guint8 *effects;      /* LockEffect, by operation */
  gboolean *operations; /* by operation: has an effect */
  GHashTable *by_key;   /* LcLockRequest */
  GHashTable *foreign;  /* objects that are given back by others than who took them */
  GArray **held;        /* by process: LcHeldLock, in the order in which they were taken; at the end of the walk */
  const GArray *gaps;
  guint gap; /* the next one on the process that is being walked over */
} LockWalk;

/* A damaged history may name operations that it does not have. */
static LockEffect
lock_walk_get_effect (const LockWalk *walk, const LcHistoryEvent *event)
{
  if (event->operation >= lc_history_get_n_operations (walk->history) || event->object == LC_TRACE_NONE)
    return LOCK_EFFECT_NONE;
  return (LockEffect)walk->effects[event->operation];
}

static guint
lock_requests_hash (gconstpointer key)
{
  const LcLockRequest *request = key;
  guint hash = (request->process * 31U + request->lock.object) * 31U + request->stack;

  for (guint i = 0; i < request->n_held; i++)
    hash = (hash ^ request->held[i].object) * 2654435761U;
  return hash;
}

static gboolean
lock_requests_equal (gconstpointer a, gconstpointer b)
{
  const LcLockRequest *one = a, *other = b;

  if (one->process != other->process || one->lock.object != other->lock.object || one->stack != other->stack ||
      one->lock.shared != other->lock.shared || one->n_held != other->n_held)
    return FALSE;
  for (guint i = 0; i < one->n_held; i++)
    if (one->held[i].object != other->held[i].object || one->held[i].shared != other->held[i].shared)
      return FALSE;
  return TRUE;
}

static int
lock_requests_compare_held (gconstpointer a, gconstpointer b)
{
  const LcHeldLock *one = a, *other = b;

  if (one->object != other->object)
    return one->object < other->object ? -1 : 1;
  return one->shared - other->shared;
}

/* --- What a process holds ------------------------------------------------------------------------------------- */

static gboolean
lock_walk_holds (const GArray *held, guint32 object)
{
  for (guint i = 0; i < held->len; i++)
    if (g_array_index (held, LcHeldLock, i).object == object)
      return TRUE;
  return FALSE;
}

/* A reader may have taken it more than once. */
static gboolean
lock_walk_drop (GArray *held, guint32 object)
{
  for (guint i = held->len; i > 0; i--)
    if (g_array_index (held, LcHeldLock, i - 1).object == object)
      {
        g_array_remove_index (held, i - 1);
        return TRUE;
      }
  return FALSE;
}

/* Fills in the key. FALSE: asking for it cannot lead to a circle. */
static gboolean
lock_walk_describe (LockWalk *walk, const LcHistoryEvent *event, const GArray *held, LcHeldLock *sorted,
                    LcLockRequest *request)
{
  if (held->len == 0 || lock_walk_holds (held, event->object) || lc_trace_is_tried (event->operation, event->flags))
    return FALSE;
  if (held->len > LC_LOCKS_HELD)
    {
      walk->requests.is_cut = TRUE;
      return FALSE;
    }
  memcpy (sorted, held->data, held->len * sizeof *sorted);
  if (held->len > 1)
    qsort (sorted, held->len, sizeof *sorted, lock_requests_compare_held);
  *request = (LcLockRequest){.process = event->process,
                             .stack = event->stack,
                             .lock = {event->object, walk->effects[event->operation] == LOCK_EFFECT_SHARES},
                             .n_held = held->len,
                             .held = sorted};
  return TRUE;
}

static void
lock_walk_note (LockWalk *walk, const LcHistoryEvent *event, const GArray *held)
{
  LcHeldLock sorted[LC_LOCKS_HELD];
  LcLockRequest key, *request;

  if (!lock_walk_describe (walk, event, held, sorted, &key))
    return;
  request = g_hash_table_lookup (walk->by_key, &key);
  if (request == NULL && walk->requests.all->len >= MOST_REQUESTS)
    {
      walk->requests.is_cut = TRUE;
      return;
    }
  if (request == NULL)
    {
      request = g_memdup2 (&key, sizeof key);
      request->held = g_memdup2 (sorted, key.n_held * sizeof *sorted);
      request->index = walk->requests.all->len;
      g_ptr_array_add (walk->requests.all, request);
      g_hash_table_add (walk->by_key, request);
    }
  request->count++;
}

/* What was held before a gap may have been given back in it. */
static void
lock_walk_pass_gaps (LockWalk *walk, GArray *held, guint64 time)
{
  while (walk->gap < walk->gaps->len && g_array_index (walk->gaps, LcTraceGap, walk->gap).to <= time)
    {
      g_array_set_size (held, 0);
      walk->gap++;
    }
}

/* Of a lock that is taken again by who has it, the giving back was lost: recursive ones are no events. */
static gboolean
lock_walk_visit (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  LockWalk *walk = data;
  GArray *held = walk->held[event->process];
  const LockEffect effect = lock_walk_get_effect (walk, event);
  const LcHeldLock lock = {event->object, effect == LOCK_EFFECT_SHARES};

  if (effect == LOCK_EFFECT_NONE)
    return TRUE;
  lock_walk_pass_gaps (walk, held, event->begin);
  if (effect == LOCK_EFFECT_GIVES || effect == LOCK_EFFECT_GIVES_SHARED)
    {
      if (!lock_walk_drop (held, event->object) && walk->gaps->len == 0)
        g_hash_table_add (walk->foreign, GUINT_TO_POINTER (event->object));
      return TRUE;
    }
  lock_walk_note (walk, event, held);
  if (effect == LOCK_EFFECT_TAKES)
    lock_walk_drop (held, event->object);
  g_array_append_val (held, lock);
  return TRUE;
}

LcLockRequest *
lc_lock_requests_go_back (LcLockRequests *requests, const LcHistoryEvent *event)
{
  LockWalk *walk = (LockWalk *)requests;
  GArray *held = walk->held[event->process];
  const LockEffect effect = lock_walk_get_effect (walk, event);
  LcHeldLock sorted[LC_LOCKS_HELD];
  LcLockRequest key;

  if (effect == LOCK_EFFECT_NONE)
    return NULL;
  if (effect == LOCK_EFFECT_GIVES || effect == LOCK_EFFECT_GIVES_SHARED)
    {
      const LcHeldLock lock = {event->object, effect == LOCK_EFFECT_GIVES_SHARED};

      g_array_append_val (held, lock);
      return NULL;
    }
  lock_walk_drop (held, event->object);
  return lock_walk_describe (walk, event, held, sorted, &key) ? g_hash_table_lookup (walk->by_key, &key) : NULL;
}

/* --- The acquisition of a lock that is held -------------------------------------------------------------------- */

typedef struct
{
  const LockWalk *walk;
  guint32 object;
  guint64 ordinal;
  guint32 stack;
} LockSearch;

static gboolean
lock_search_visit (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  LockSearch *search = data;
  const LockEffect effect = lock_walk_get_effect (search->walk, event);

  if (event->object != search->object || (effect != LOCK_EFFECT_TAKES && effect != LOCK_EFFECT_SHARES))
    return TRUE;
  search->ordinal = event->ordinal;
  search->stack = event->stack;
  return FALSE;
}

gboolean
lc_lock_requests_find_holding (LcLockRequests *requests, guint32 process, guint64 ordinal, guint32 object,
                               guint64 *held, guint32 *stack, GError **error)
{
  LockSearch search = {(LockWalk *)requests, object, ordinal, LC_TRACE_NONE};

  if (!lc_history_visit (search.walk->history, LC_TIMELINE_MEASURED, process, ordinal, 0, lock_search_visit, &search,
                         NULL, error))
    return FALSE;
  *held = search.ordinal;
  *stack = search.stack;
  return TRUE;
}

/* --- The walk ------------------------------------------------------------------------------------------------- */

static void
lock_walk_set_effect (LockWalk *walk, const char *class_name, const char *name, LockEffect effect)
{
  for (guint32 i = 0; i < lc_history_get_n_operations (walk->history); i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (walk->history, i);

      if (operation == NULL || g_strcmp0 (operation->class_name, class_name) != 0 ||
          g_strcmp0 (operation->name, name) != 0)
        continue;
      walk->effects[i] = (guint8)effect;
      walk->operations[i] = TRUE;
    }
}

/* Who gives back what is counted by the next holder shares it. */
static gboolean
lock_walk_is_counted (const LcRules *rules, const char *class_name, const char *giver)
{
  const GPtrArray *arcs = lc_rules_get_arcs (rules);

  for (guint i = 0; i < arcs->len; i++)
    {
      const LcArcRule *arc = arcs->pdata[i];

      if (arc->decided && arc->counted && strcmp (arc->class_name, class_name) == 0 && strcmp (arc->from, giver) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
lock_walk_read_rules (LockWalk *walk, const LcRules *rules)
{
  const GPtrArray *classes = lc_rules_get_classes (rules), *arcs = lc_rules_get_arcs (rules);

  for (guint i = 0; i < classes->len; i++)
    {
      const LcClassRule *rule = classes->pdata[i];

      for (gsize k = 0; rule->holding != NULL && rule->holding[k] != NULL && rule->holding[k + 1] != NULL; k += 2)
        {
          const gboolean shares = lock_walk_is_counted (rules, rule->name, rule->holding[k + 1]);

          lock_walk_set_effect (walk, rule->name, rule->holding[k], shares ? LOCK_EFFECT_SHARES : LOCK_EFFECT_TAKES);
          lock_walk_set_effect (walk, rule->name, rule->holding[k + 1],
                                shares ? LOCK_EFFECT_GIVES_SHARED : LOCK_EFFECT_GIVES);
        }
    }
  for (guint32 i = 0; i < lc_history_get_n_rules (walk->history); i++)
    for (guint k = 0; k < arcs->len; k++)
      {
        const LcArcRule *arc = arcs->pdata[k];

        if (arc->decided && lc_rules_get_class (rules, arc->class_name)->holding != NULL &&
            strcmp (arc->name, lc_history_get_rule (walk->history, i)->name) == 0)
          walk->requests.is_lock[i] = TRUE;
      }
}

static void
lock_walk_free_request (gpointer data)
{
  LcLockRequest *request = data;

  g_free ((gpointer)request->held);
  g_free (request);
}

static gboolean
lock_walk_is_foreign (const LockWalk *walk, const LcLockRequest *request)
{
  gboolean found = g_hash_table_contains (walk->foreign, GUINT_TO_POINTER (request->lock.object));

  for (guint i = 0; i < request->n_held; i++)
    found = found || g_hash_table_contains (walk->foreign, GUINT_TO_POINTER (request->held[i].object));
  return found;
}

/* Nobody knows who holds a lock that others give back. */
static void
lock_walk_drop_foreign (LockWalk *walk)
{
  GPtrArray *all = walk->requests.all;

  if (g_hash_table_size (walk->foreign) == 0)
    return;
  walk->requests.all = g_ptr_array_new_with_free_func (lock_walk_free_request);
  g_ptr_array_set_free_func (all, NULL);
  for (guint i = 0; i < all->len; i++)
    {
      LcLockRequest *request = all->pdata[i];

      request->index = walk->requests.all->len;
      if (lock_walk_is_foreign (walk, request))
        {
          g_hash_table_remove (walk->by_key, request);
          lock_walk_free_request (request);
        }
      else
        g_ptr_array_add (walk->requests.all, request);
    }
  g_ptr_array_unref (all);
}

LcLockRequests *
lc_lock_requests_new (LcHistory *history, const LcRules *rules, GCancellable *cancellable, GError **error)
{
  const guint32 n_operations = lc_history_get_n_operations (history), n = lc_history_get_n_processes (history);
  LockWalk *walk = g_new0 (LockWalk, 1);
  gboolean good = TRUE;

  walk->history = history;
  walk->effects = g_new0 (guint8, MAX (n_operations, 1));
  walk->operations = g_new0 (gboolean, MAX (n_operations, 1));
  walk->requests.is_lock = g_new0 (gboolean, MAX (lc_history_get_n_rules (history), 1));
  walk->requests.all = g_ptr_array_new_with_free_func (lock_walk_free_request);
  walk->by_key = g_hash_table_new (lock_requests_hash, lock_requests_equal);
  walk->foreign = g_hash_table_new (NULL, NULL);
  walk->held = g_new (GArray *, MAX (n, 1));
  walk->gaps = lc_history_get_gaps (history);
  for (guint32 i = 0; i < n; i++)
    walk->held[i] = g_array_new (FALSE, FALSE, sizeof (LcHeldLock));
  lock_walk_read_rules (walk, rules);
  for (guint32 i = 0; good && i < n; i++)
    {
      walk->gap = 0;
      good = lc_history_visit_operations (history, LC_TIMELINE_MEASURED, i, walk->operations, lock_walk_visit, walk,
                                          cancellable, error);
    }
  lock_walk_drop_foreign (walk);
  if (good)
    return &walk->requests;
  lc_lock_requests_free (&walk->requests);
  return NULL;
}

void
lc_lock_requests_free (LcLockRequests *requests)
{
  LockWalk *walk = (LockWalk *)requests;

  if (walk == NULL)
    return;
  for (guint32 i = 0; i < lc_history_get_n_processes (walk->history); i++)
    g_array_unref (walk->held[i]);
  g_free (walk->held);
  g_hash_table_unref (walk->foreign);
  g_hash_table_unref (walk->by_key);
  g_ptr_array_unref (walk->requests.all);
  g_free (walk->requests.is_lock);
  g_free (walk->operations);
  g_free (walk->effects);
  g_free (walk);
}
