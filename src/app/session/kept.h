/* SPDX-License-Identifier: Apache-2.0 */
/* Something that took long to find, kept for all who need it: phases, a critical path, a past, a future. */
#ifndef LC_APP_KEPT_H
#define LC_APP_KEPT_H

#include <glib.h>

/* It is never changed; any thread may hold it. */
typedef struct _LcKept LcKept;

/* Takes `value`, which `free` frees with the last reference. */
LcKept *lc_kept_new (gpointer value, GDestroyNotify free);
LcKept *lc_kept_ref (LcKept *kept);
void lc_kept_unref (LcKept *kept);

/* NULL for NULL. */
gconstpointer lc_kept_get (const LcKept *kept);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcKept, lc_kept_unref)

#endif
