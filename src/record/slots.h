/* SPDX-License-Identifier: Apache-2.0 */
/* The table of slots, for who describes them: see slots.c. */
#ifndef LC_RECORD_SLOTS_H
#define LC_RECORD_SLOTS_H

#include "recorder.h"

/* Held, between lc_slow_begin and lc_slow_end, by who changes the table or describes a slot. */
extern uint32_t lc_slots_lock;

/* The slot of this key, which is added if there is none, and is not given to another one: with the lock held. NULL: no
   room. */
struct lc_slot *lc_slot_take (uint64_t key);

/* The same if there is one. Without the lock: for who knows that the object is there. */
struct lc_slot *lc_slot_known (struct lc_thread *thread, uint64_t key);

/* Its object has been destroyed: when another one needs a slot, it may get this one. */
void lc_slot_let_go (struct lc_slot *slot);

/* In a forked child, whose objects are other ones. */
void lc_table_forget (void);

#endif
