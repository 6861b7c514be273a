/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory and time a script may take: the user's preferences, for any thread. */
#include "app/scripts/script-limits.h"

#include <unistd.h>

#include "app/settings.h"

/* Settings belong to the main thread, but the threads that make pictures start scripts, too. 0: no preference. */
static int preferred_memory, preferred_seconds;

static void
script_limits_look (void)
{
  g_atomic_int_set (&preferred_memory, lc_settings_get_int ("console-memory", 0));
  g_atomic_int_set (&preferred_seconds, lc_settings_get_int ("console-seconds", 0));
}

void
lc_script_limits_start (void)
{
  script_limits_look ();
  if (lc_settings_get () == NULL)
    return;
  g_signal_connect (lc_settings_get (), "changed::console-memory", G_CALLBACK (script_limits_look), NULL);
  g_signal_connect (lc_settings_get (), "changed::console-seconds", G_CALLBACK (script_limits_look), NULL);
}

/* The browser and the traced program need the rest of the machine's. */
guint
lc_script_limits_get_memory (void)
{
  guint64 memory = (guint64)sysconf (_SC_PHYS_PAGES) * (guint64)sysconf (_SC_PAGESIZE);
  int preferred = g_atomic_int_get (&preferred_memory);

  return preferred > 0 ? (guint)preferred : (guint)CLAMP (memory >> 22, 64, G_MAXINT);
}

guint
lc_script_limits_get_seconds (guint otherwise)
{
  int preferred = g_atomic_int_get (&preferred_seconds);

  return preferred > 0 ? (guint)preferred : otherwise;
}
