/* SPDX-License-Identifier: Apache-2.0 */
/* A shared result that took long to find: phases, a critical path, a past or a future. */
#ifndef LC_APP_KEPT_H
#define LC_APP_KEPT_H

#include <glib.h>

/* A kept value never changes, so any thread may hold it. */
typedef struct _LcKept LcKept;

/* Takes ownership of `value`, which `free` frees with the last reference. */
LcKept *lc_kept_new (gpointer value, GDestroyNotify free);
LcKept *lc_kept_ref (LcKept *kept);
void lc_kept_unref (LcKept *kept);

/* Returns NULL if `kept` is NULL. */
gconstpointer lc_kept_get (const LcKept *kept);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcKept, lc_kept_unref)

#endif
