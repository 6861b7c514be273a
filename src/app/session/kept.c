/* SPDX-License-Identifier: Apache-2.0 */
/* A shared result that took long to find: phases, a critical path, a past or a future. */
#include "app/session/kept.h"

struct _LcKept
{
  gpointer value;
  GDestroyNotify free;
};

LcKept *
lc_kept_new (gpointer value, GDestroyNotify free)
{
  LcKept *kept = g_atomic_rc_box_new (LcKept);

  *kept = (LcKept){.value = value, .free = free};
  return kept;
}

LcKept *
lc_kept_ref (LcKept *kept)
{
  return g_atomic_rc_box_acquire (kept);
}

static void
kept_clear (LcKept *kept)
{
  if (kept->free != NULL)
    kept->free (kept->value);
}

void
lc_kept_unref (LcKept *kept)
{
  g_atomic_rc_box_release_full (kept, (GDestroyNotify)kept_clear);
}

gconstpointer
lc_kept_get (const LcKept *kept)
{
  return kept != NULL ? kept->value : NULL;
}
