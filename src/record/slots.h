/* SPDX-License-Identifier: Apache-2.0 */
/* The table of slots, for the files that describe them: see slots.c. */
#ifndef LC_RECORD_SLOTS_H
#define LC_RECORD_SLOTS_H

#include "recorder.h"

/* Held, between lc_slow_begin and lc_slow_end, by threads that change the table or describe a slot. */
extern uint32_t lc_slots_lock;

/* Finds or adds the slot of a key, with the lock held. The slot is not given to another object. NULL: no room. */
struct lc_slot *lc_slot_take (uint64_t key);

/* Finds the slot of a key if there is one. Without the lock: the object must exist. */
struct lc_slot *lc_slot_known (struct lc_thread *thread, uint64_t key);

/* Releases the slot of a destroyed object, which another object may then get. */
void lc_slot_let_go (struct lc_slot *slot);

/* Called in a forked child, which has objects of its own. */
void lc_table_forget (void);

#endif
