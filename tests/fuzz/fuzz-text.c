/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a text trace. */
#include <string.h>

#include "fuzz.h"
#include "maker.h"

static void
check_absences (LcTrace *trace, guint32 process)
{
  g_autoptr (LcAbsences) absences = lc_trace_open_absences (trace, process, NULL);
  gint64 last = 0;
  LcAbsence next[3];
  gssize n = 0;

  while (absences != NULL && (n = lc_absences_next (absences, next, G_N_ELEMENTS (next), NULL)) > 0)
    for (gssize i = 0; i < n; i++)
      {
        g_assert_cmpint (next[i].begin, >=, last);
        g_assert_cmpint (next[i].end, >, next[i].begin);
        last = next[i].end;
      }
  g_assert_cmpint (n, ==, 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;

  maker_write_text (directory, "1.events", "%lightcone-events 1\n1 2 lock A 1\n");
  maker_write (directory, "0.events", bytes, size);
  trace = lc_trace_open (directory, NULL);
  g_assert_nonnull (trace);
  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    {
      g_autoptr (GArray) events = maker_events (trace, i);

      g_assert_cmpuint (lc_trace_count_events (trace, i), ==, events->len);
      check_absences (trace, i);
    }
  g_array_unref (lc_trace_list_problems (trace));
  maker_remove (directory);
  return 0;
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const char *const seeds[] = {
      "%lightcone-events 1\n%process worker-3\n# a comment\n0 0 tag value=16\n1716 3030 await A 0\n",
      "%lightcone-events 1\n12000 12300 send 0>3:7 12 bytes=4096 to=1\n15000 19000 recv 2>0:7 4 bytes=9 from=0 "
      "blind=1\n",
      "%lightcone-events 1\r\n\t1 2 lock A 1 contended=1 cpu=3 \r\n3 3 unlock A 1\r\n4 4 enter work\r\n5 6 mine B "
      "-7\r\n",
      "%lightcone-events 1\n0 1 lock A 1 at=put@pipe.cpp:7;std%3a%3arun;main@main.cpp:3\n2 3 tag at=f%40\n",
      "%lightcone-events 1\n%switches\n0 9 lock A 1\n%absent 2 5 blocked\n%absent 5 7 preempted\n%absent 1 2 blocked\n",
  };

  if (number >= G_N_ELEMENTS (seeds))
    return FALSE;
  g_byte_array_append (bytes, (const guint8 *)seeds[number], (guint)strlen (seeds[number]));
  return TRUE;
}
