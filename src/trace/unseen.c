/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what the kernel says of the blocked time of a process with what was recorded of it. */
#include "lightcone/unseen.h"

#include <string.h>

enum
{
  NOISE = 1000000, /* ns */
  PART = 20,       /* one in so many of a life */
};

/* What begins the names of libraries that wait by system calls of their own. */
static const char *const libraries[] = {"libtbb", "libQt6Core", "libQt5Core", "libglib-2.0"};

gboolean
lc_unseen_find (const LcTraceProcess *process, const LcExplained *explained, LcUnseen *unseen)
{
  const LcTraceAccount *account = &process->account;
  guint64 time = explained->time, waits = explained->waits;

  *unseen = (LcUnseen){.blocked = account->blocked};
  if (account->blocked == LC_TRACE_UNKNOWN)
    return FALSE;
  /* It was still blocked in that when the kernel was asked. Where its end is known, that is an event. */
  if (process->pending.operation != LC_TRACE_NONE && process->end <= process->pending.begin)
    {
      time += account->blocked;
      waits++;
    }
  unseen->time = account->blocked - MIN (account->blocked, time);
  if (account->voluntary != LC_TRACE_UNKNOWN)
    unseen->waits = account->voluntary - MIN (account->voluntary, waits);
  return TRUE;
}

gboolean
lc_unseen_matters (const LcTraceProcess *process, const LcUnseen *unseen)
{
  return unseen->time >= NOISE && unseen->time > (process->end - process->begin) / PART;
}

const char *
lc_unseen_get_library (const LcTrace *trace)
{
  for (gsize i = 0; i < G_N_ELEMENTS (libraries); i++)
    for (guint32 module = 0; module < lc_trace_get_n_modules (trace); module++)
      {
        const char *path = lc_trace_get_module (trace, module)->path, *name = strrchr (path, '/');

        if (g_str_has_prefix (name != NULL ? name + 1 : path, libraries[i]))
          return libraries[i];
      }
  return NULL;
}
