/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file that says how the clocks of several hosts stand to each other. The first byte says as which. */
#include <glib/gstdio.h>
#include <string.h>

#include "fuzz.h"
#include "lightcone/clock-correction.h"
#include "maker.h"

static const char *const names[] = {"clock.ini", "trace.ini", "host-a/trace.ini", "host-b/trace.ini",
                                    "host-b/0.events"};

static const char *const contents[] = {
    "[clock]\nhost-b=-100\n",
    "[trace]\ntitle=both\njob=1\n",
    "[trace]\nhost=a\nclock_frequency=1000000000\nclock_monotonic=5000\nclock_boot=x\nstarted_ns=17\n"
    "[clock]\nreference=true\nsample-1=0;0;0\n",
    "[trace]\nhost=b\nclock_frequency=2000000000\nclock_monotonic=6000\nclock_boot=y\n"
    "[clock]\nsample-1=1000;900;20\nsample-2=90000;89000;20\n",
    "%lightcone-events 1\n1 2 lock A 1\n3 3 unlock A 1\n8 9 recv 0>1:0 0 from=0\n",
};

/* A merge looks for shifts, and others tell those that there are. */
static void
correct_clocks (const char *directory)
{
  g_autoptr (LcRules) rules = lc_rules_new ();

  lc_clocks_correct (directory, rules, NULL, NULL);
  g_array_unref (lc_clocks_list (directory));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  char *directory;
  LcTrace *trace;

  if (size == 0)
    return 0;
  directory = maker_directory ();
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *part = g_build_filename (directory, i == 0 ? "host-a" : "host-b", NULL);

      g_assert_cmpint (g_mkdir (part, 0700), ==, 0);
    }
  maker_write_text (directory, "host-a/0.events", "%lightcone-events 1\n1 2 lock A 1\n5 6 send 0>1:0 0 to=1\n");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    maker_write_text (directory, names[i], contents[i]);
  maker_write (directory, names[bytes[0] % G_N_ELEMENTS (names)], bytes + 1, size - 1);
  trace = lc_trace_open (directory, NULL);
  if (trace != NULL)
    {
      for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
        g_array_unref (maker_events (trace, i));
      g_array_unref (lc_trace_list_problems (trace));
      lc_trace_free (trace);
    }
  correct_clocks (directory);
  maker_remove (directory);
  return 0;
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  guint8 part = (guint8)number;

  if (number >= G_N_ELEMENTS (names))
    return FALSE;
  g_byte_array_append (bytes, &part, 1);
  g_byte_array_append (bytes, (const guint8 *)contents[number], (guint)strlen (contents[number]));
  return TRUE;
}
