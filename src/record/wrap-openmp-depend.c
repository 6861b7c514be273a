/* SPDX-License-Identifier: Apache-2.0 */
/* Dependences of tasks: a variable that tasks depend on is a crew, which they read (`in`) or write (`out`, `inout`). */
#include "wrap-openmp-tasks.h"

/*
 * Only tasks with the same maker depend on one another, and it makes them one after the other, so it counts the
 * versions without a lock. A variable belongs to its last maker as long as tasks of that one are there (`owner`,
 * `taken`); those of others that use it meanwhile are not recorded. The slot's `extra` is when a task that uses it
 * ended last.
 */
static bool
depend_claim (struct lc_slot *slot, uint64_t maker)
{
  uint64_t owner = __atomic_load_n (&slot->owner, __ATOMIC_SEQ_CST);

  if (owner != maker &&
      (__atomic_load_n (&slot->taken, __ATOMIC_SEQ_CST) != 0 ||
       !__atomic_compare_exchange_n (&slot->owner, &owner, maker, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)))
    return false;
  __atomic_fetch_add (&slot->taken, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n (&slot->owner, __ATOMIC_SEQ_CST) == maker)
    return true;
  __atomic_fetch_sub (&slot->taken, 1, __ATOMIC_SEQ_CST);
  return false;
}

void
lc_openmp_depend (struct lc_openmp_dependences *dependences, const void *address, bool writes)
{
  struct lc_openmp_dependence *dependence = &dependences->all[dependences->n];
  struct lc_thread *thread =
      dependences->n < LC_OPENMP_DEPENDENCES && address != NULL ? lc_enter (LC_CLASS_CREW) : NULL;
  struct lc_slot *slot = thread != NULL ? lc_object (thread, address, LC_CLASS_CREW, LC_KIND_OPENMP) : NULL;

  if (slot == NULL || slot->kind != LC_KIND_OPENMP)
    return;
  for (uint32_t i = 0; i < dependences->n; i++)
    if (dependences->all[i].slot == slot)
      return;
  if (!depend_claim (slot, (uint64_t)(uintptr_t)lc_openmp_task))
    return;
  dependence->slot = slot;
  dependence->writes = writes;
  if (writes)
    {
      dependence->readers = (uint32_t)slot->count;
      slot->count = 0;
      dependence->version = ++slot->sequence;
    }
  else
    {
      slot->count++;
      dependence->version = slot->sequence;
    }
  dependence->number = ++dependences->n;
}

/* What was free last is what was waited for. */
static void
depend_put_last_first (struct lc_openmp_dependences *dependences)
{
  struct lc_openmp_dependence *first = &dependences->all[0];

  for (uint32_t i = 1; i < dependences->n; i++)
    {
      struct lc_openmp_dependence *other = &dependences->all[i], kept = *first;

      if (__atomic_load_n (&other->slot->extra, __ATOMIC_RELAXED) <=
          __atomic_load_n (&first->slot->extra, __ATOMIC_RELAXED))
        continue;
      *first = *other;
      *other = kept;
    }
}

void
lc_openmp_depended (struct lc_openmp_dependences *dependences, struct lc_thread *thread, uint32_t site, uint8_t flags,
                    uint64_t begin, uint64_t end)
{
  depend_put_last_first (dependences);
  for (uint32_t i = 0; i < dependences->n; i++)
    {
      const struct lc_openmp_dependence *dependence = &dependences->all[i];

      lc_append_detailed (thread, site, dependence->number, dependence->writes ? LC_WRITE_START : LC_READ_START,
                          dependence->slot->id, i == 0 ? flags : 0, lc_word (dependence->version, dependence->readers),
                          i == 0 ? begin : end, end);
    }
}

void
lc_openmp_release (const struct lc_openmp_dependences *dependences, struct lc_thread *thread, uint32_t site)
{
  uint64_t now = lc_now ();

  for (uint32_t i = 0; i < dependences->n; i++)
    {
      const struct lc_openmp_dependence *dependence = &dependences->all[i];

      if (thread != NULL)
        lc_append_detailed (thread, site, dependence->number, dependence->writes ? LC_WRITE_END : LC_READ_END,
                            dependence->slot->id, 0, lc_word (dependence->version, 0), now, now);
      __atomic_store_n (&dependence->slot->extra, now, __ATOMIC_RELAXED);
      __atomic_fetch_sub (&dependence->slot->taken, 1, __ATOMIC_SEQ_CST);
    }
}
