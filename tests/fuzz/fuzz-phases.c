/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a definition of phases. */
#include "fuzz.h"
#include "lightcone/merge.h"
#include "lightcone/phases.h"
#include "merged.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  static LcHistory *history;
  g_autofree char *definition = g_strndup ((const char *)bytes, size);
  g_autoptr (LcPhases) phases = NULL;
  g_autoptr (GError) error = NULL;

  if (history == NULL)
    history = lc_history_open (merged_get_history (), NULL);
  /* Whoever asks has made sure of that: options and rules are UTF-8. */
  if (!g_utf8_validate (definition, -1, NULL))
    return 0;
  phases = lc_phases_find (history, 0, definition, NULL, &error);
  g_assert_true ((phases == NULL) == (error != NULL));
  if (phases == NULL)
    return 0;
  for (guint32 i = 0; i < lc_phases_get_n (phases); i++)
    {
      const LcPhase *phase = lc_phases_get (phases, i);

      g_assert_true (phase->begin <= phase->end || phase->events == 0);
      for (guint32 process = 0; process < lc_history_get_n_processes (history); process++)
        g_assert_cmpuint (lc_phases_get_first (phases, process, i), <=,
                          lc_history_get_process (history, process)->events);
    }
  return 0;
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const char *const seeds[] = {"auto",     "tag",       "region:work", "barrier:B",   "object:A",
                                      "object:*", "rule:turn", "object:c?",   "collective:A"};

  if (number >= G_N_ELEMENTS (seeds))
    return FALSE;
  g_byte_array_append (bytes, (const guint8 *)seeds[number], (guint)strlen (seeds[number]));
  return TRUE;
}
