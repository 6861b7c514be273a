/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of rules; those that are accepted are swept with. */
#include <string.h>

#include "fuzz.h"
#include "lightcone/sweep.h"
#include "maker.h"

static void
sweep (const char *directory, const LcRules *rules)
{
  g_autoptr (LcTrace) trace = lc_trace_open (directory, NULL);
  LcSweepVisitor *const visitors[] = {NULL};
  LcSweepResult result;

  g_assert_nonnull (trace);
  g_assert_true (lc_sweep_run (trace, rules, visitors, NULL, NULL, &result, NULL));
  g_assert_cmpuint (result.events, ==, 9);
  lc_sweep_result_clear (&result);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  char *directory = maker_directory ();
  g_autofree char *path = g_build_filename (directory, "own.rules", NULL);
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (GError) error = NULL;

  maker_write (directory, "own.rules", bytes, size);
  maker_write_text (directory, "1.events",
                    "%lightcone-events 1\n1 2 lock A 1\n3 3 unlock A 1\n4 5 give T 1\n6 6 barrier B 0 value=2\n");
  maker_write_text (
      directory, "0.events",
      "%lightcone-events 1\n2 4 lock A 2\n5 5 unlock A 2\n5 6 take T 1\n6 7 barrier B 0 value=2\n8 8 take T "
      "-1\n");
  if (lc_rules_load (rules, path, &error) && lc_rules_check (rules, &error))
    sweep (directory, rules);
  else
    g_assert_nonnull (strstr (error->message, "own.rules"));
  maker_remove (directory);
  return 0;
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const char *const seeds[] = {
      "[class ticket]\nsummary=Numbers\nsequence=The number\nholding=take;give\n[operation give]\nclass=ticket\n"
      "[operation take]\nclass=ticket\nwaits=true\n[arc give to take]\nclass=ticket\nfrom=give\nto=take\n"
      "sequence=same\nkind=data\n",
      "[class mutex]\nfirst=-3\ngiven=true\n[arc unlock to lock]\nclass=mutex\nfrom=unlock\nfrom-point=begin\nto=lock\n"
      "sequence=previous\nkind=order\ncount=value\n",
      "[operation barrier]\nclass=barrier\nwaits=true\nmembers=value\n[arc barrier to barrier]\nclass=barrier\n"
      "from=barrier\nfrom-point=end\nto=barrier\nsequence=next\nuses=one\n",
      "[class ticket]\nsummary=Numbers\n[operation give]\nclass=ticket\nsummary=Gives\ntiming=local\n"
      "[operation take]\nclass=ticket\nsummary=Takes\nwaits=true\ntiming=complete\n"
      "[operation tear]\nclass=ticket\nsummary=Tears\nwaits=true\nmembers=value\ntiming=together\n"
      "[arc give to take]\nclass=ticket\nfrom=give\nfrom-point=begin\nto=take\nuses=two\ndecided=true\n"
      "[arc give to tear]\nclass=ticket\nfrom=give\nfrom-point=begin\nto=tear\nuses=value-1\n"
      "[arc take to give]\nclass=ticket\nfrom=take\nfrom-point=begin\nto=give\nuses=one\n"
      "[arc take to tear]\nclass=ticket\nfrom=take\nto=tear\nsequence=next\ncount=value-1\nuses=value\n"
      "[work numbers]\nclass=ticket\noperation=take\nobject=T*\n",
      "[phase turn]\nclass=mutex\nsummary=Turns\noperation=lock\nobject=A?\n"
      "number=count\npoint=end\n[phase tag]\nclass=mark\nsummary=Tags\n"
      "number=value\n",
  };

  if (number >= G_N_ELEMENTS (seeds))
    return FALSE;
  g_byte_array_append (bytes, (const guint8 *)seeds[number], (guint)strlen (seeds[number]));
  return TRUE;
}
