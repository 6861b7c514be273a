/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of names; what is accepted names the objects and processes of a trace, and is read again. */
#include <string.h>

#include "fuzz.h"
#include "maker.h"
#include "where/given-names.h"

/* The names that seeds give are those of what is here. */
static const char *const trace_text = "%lightcone-events 1\n%process worker\n"
                                      "0 0 create p1 at=main@src/main.cpp:12\n"
                                      "10 20 lock 0x1000 1 at=put@src/pipe.cpp:7;worker_main(int)@src/main.cpp:31\n"
                                      "30 30 unlock 0x1000 1 at=put@src/pipe.cpp:9\n"
                                      "40 50 lock queue.m 1 at=get@/src/deep/pipe.cpp:41\n60 60 unlock queue.m 1\n";

static LcTrace *
names_open_trace (void)
{
  char *directory = maker_directory ();
  LcTrace *trace;

  maker_write_text (directory, "0.events", trace_text);
  maker_write_text (directory, "1.events", "%lightcone-events 1\n%process p1\n5 5 start p1 at=serve@src/serve.c:3\n");
  trace = lc_trace_open (directory, NULL);
  g_assert_nonnull (trace);
  maker_remove (directory);
  return trace;
}

static void
names_check (LcTrace *trace, const LcWhere *where)
{
  for (guint32 i = 0; i < lc_trace_get_n_objects (trace); i++)
    g_assert_true (where->objects[i] == NULL || g_utf8_validate (where->objects[i], -1, NULL));
  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    g_assert_true (where->given[i] == NULL || g_utf8_validate (where->given[i], -1, NULL));
}

/* A history keeps the text of the file, and is merged with that when the file has gone. */
static void
names_apply (LcTrace *trace, const LcGivenNames *names)
{
  const char *path = lc_given_names_get_path (names), *text = lc_given_names_get_text (names);
  g_autoptr (LcWhere) where = lc_where_new (trace, NULL, NULL, NULL), again = lc_where_new (trace, NULL, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcGivenNames) same = lc_given_names_parse (path, text, strlen (text), &error);

  g_assert_no_error (error);
  lc_given_names_apply (names, trace, where);
  lc_given_names_apply (same, trace, again);
  names_check (trace, where);
  for (guint32 i = 0; i < lc_trace_get_n_objects (trace); i++)
    g_assert_cmpstr (where->objects[i], ==, again->objects[i]);
  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    g_assert_cmpstr (where->given[i], ==, again->given[i]);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  static LcTrace *trace;
  char *directory = maker_directory ();
  g_autofree char *path = g_build_filename (directory, "own.names", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcGivenNames) names = NULL;

  if (trace == NULL)
    trace = names_open_trace ();
  maker_write (directory, "own.names", bytes, size);
  names = lc_given_names_load (path, &error);
  g_assert_true ((names == NULL) == (error != NULL));
  if (names != NULL)
    names_apply (trace, names);
  else
    {
      g_assert_true (strstr (error->message, "own.names") != NULL);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
  maker_remove (directory);
  return 0;
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const char *const seeds[] = {
      "[objects]\nThe queue=queue.m;pipe.cpp:7\nOther=0x1000\n[processes]\nFirst=worker\nSecond=serve;worker_main\n",
      "# names\n[processes]\nA=worker_main(int)\nB=worker\n[objects]\nA=a;b;;c\nB= pipe.cpp:41 ;deep/pipe.cpp:41\n",
      "[objects]\na=queue.m\nb=queue.m\n",
      "[objects]\na\\\\s=\\squeue.m;0x1000\\;\n\xc3\xa4[de]=pipe.cpp:9\n",
      "[other]\na=b\n",
  };

  if (number >= G_N_ELEMENTS (seeds))
    return FALSE;
  g_byte_array_append (bytes, (const guint8 *)seeds[number], (guint)strlen (seeds[number]));
  return TRUE;
}
