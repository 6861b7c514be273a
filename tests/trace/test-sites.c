/* SPDX-License-Identifier: Apache-2.0 */
/* Where events, objects and processes come from: what the reader makes of it, and of records that make no sense. */
#include <glib/gstdio.h>

#include "maker.h"
#include "reader.h"

#define FIRST "%lightcone-events 1\n"
#define BUILD_ID "0123456789abcdef0123456789abcdef01234567"

static LcTrace *
open_trace (const char *directory)
{
  g_autoptr (GError) error = NULL;
  LcTrace *trace = lc_trace_open (directory, &error);

  g_assert_no_error (error);
  return trace;
}

static void
assert_no_problems (LcTrace *trace)
{
  g_autoptr (GArray) problems = lc_trace_list_problems (trace);

  g_assert_cmpuint (problems->len, ==, 0);
}

/* The kind must have been found so often, in the file of objects. */
static void
assert_problem (LcTrace *trace, const char *name, const char *file, guint64 where, guint64 count)
{
  g_autoptr (GArray) problems = lc_trace_list_problems (trace);
  const LcTraceProblem *problem = maker_problem (problems, name, file);

  g_assert_nonnull (problem);
  g_assert_cmpuint (problem->where, ==, where);
  g_assert_cmpuint (problem->count, ==, count);
}

static guint32
stack_of (GArray *events, guint i)
{
  return g_array_index (events, LcTraceEvent, i).stack;
}

/* The sites of a stack as "OFFSET OFFSET ...", the innermost first, with the kind of the last. */
static char *
dup_stack (LcTrace *trace, guint32 number)
{
  GString *text = g_string_new (NULL);

  while (number != LC_TRACE_NONE)
    {
      const LcTraceStack *stack = lc_trace_get_stack (trace, number);
      const LcTraceSite *site = lc_trace_get_site (trace, stack->site);

      g_assert_true (stack->parent == LC_TRACE_NONE || stack->parent < number);
      if (site->function != NULL || site->file != NULL)
        g_string_append_printf (text, "%s %s:%u; ", site->function, site->file, site->line);
      else
        g_string_append_printf (text, "%s+%" G_GINT64_MODIFIER "x ",
                                site->module != LC_TRACE_NONE ? lc_trace_get_module (trace, site->module)->path : "",
                                site->offset);
      if (stack->parent == LC_TRACE_NONE)
        g_string_append_printf (text, "%d", stack->kind);
      number = stack->parent;
    }
  return g_string_free (text, FALSE);
}

static void
assert_stack (LcTrace *trace, guint32 stack, const char *expected)
{
  g_autofree char *text = dup_stack (trace, stack);

  g_assert_cmpstr (text, ==, expected);
}

/* --- Binary ------------------------------------------------------------------------------------------------------ */

/* What each of two address spaces has, at other records and addresses. */
static void
make_instance (const char *directory, guint instance)
{
  g_autoptr (GByteArray) objects = maker_objects (instance);
  g_autoptr (Maker) maker = maker_new (instance);
  g_autofree char *name = g_strdup_printf ("objects-%u", instance);
  const guint64 base = 0x10000 * (instance + 1);
  guint32 module, root, call, entry, mutex;

  if (instance == 1)
    maker_object (objects, LC_CLASS_MUTEX, NULL, 0, 0);
  module = maker_module (objects, "/bin/pipe", BUILD_ID, base, base + 0x4000);
  root = maker_site (objects, LC_SITE_ROOT, module, 0, 0x1000);
  call = maker_site (objects, LC_SITE_INNER, module, root, 0x1200);
  entry = maker_site (objects, LC_SITE_ENTRY, module, 0, 0x1000);
  mutex = maker_object_at (objects, LC_CLASS_MUTEX, call, base + 0x3010);
  maker_header (maker)->instance = maker->instance = instance;
  maker_header (maker)->start_site = entry;
  maker_header (maker)->state = LC_STATE_CUT;
  maker_header (maker)->pending_operation = LC_LOCK;
  maker_header (maker)->pending_object = mutex;
  maker_header (maker)->pending_site = call;
  maker->site = call;
  maker_sync (maker, LC_LOCK, mutex, 1, 0, 100, 110, 0);
  maker->site = 0;
  maker_sync (maker, LC_UNLOCK, mutex, 1, 0, 120, 120, 0);
  maker->site = root;
  maker_mark (maker, LC_TAG, 5, 130);
  maker_message (maker, LC_SEND, 0, 0, 64, 140, 150);
  maker->site = call;
  maker_collective (maker, LC_ALL_REDUCE, 0, 1, 2, 4096, 160, 170);
  maker_finish (maker, directory);
  maker_write (directory, name, objects->data, objects->len);
}

static void
check_process (LcTrace *trace, guint32 process)
{
  g_autoptr (GArray) events = maker_events (trace, process);
  LcTraceObject object;

  g_assert_cmpuint (events->len, ==, 5);
  assert_stack (trace, stack_of (events, 0), "/bin/pipe+1200 /bin/pipe+1000 2");
  g_assert_cmpuint (stack_of (events, 1), ==, LC_TRACE_NONE);
  assert_stack (trace, stack_of (events, 2), "/bin/pipe+1000 2");
  g_assert_cmpuint (stack_of (events, 3), ==, stack_of (events, 2));
  g_assert_cmpuint (stack_of (events, 4), ==, stack_of (events, 0));
  g_assert_cmpuint (g_array_index (events, LcTraceEvent, 4).bytes, ==, 4096);
  assert_stack (trace, lc_trace_get_process (trace, process)->start, "/bin/pipe+1000 4");
  g_assert_cmpuint (lc_trace_get_process (trace, process)->pending.object, ==,
                    g_array_index (events, LcTraceEvent, 0).object);
  g_assert_cmpuint (lc_trace_get_process (trace, process)->pending.stack, ==, stack_of (events, 0));
  lc_trace_get_object (trace, g_array_index (events, LcTraceEvent, 0).object, &object);
  g_assert_cmpuint (object.stack, ==, stack_of (events, 0));
  g_assert_cmpstr (lc_trace_get_module (trace, object.module)->path, ==, "/bin/pipe");
  g_assert_cmpuint (object.offset, ==, 0x3010);
}

static void
test_binary (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;

  maker_write_metadata (directory);
  make_instance (directory, 0);
  make_instance (directory, 1);
  trace = open_trace (directory);
  check_process (trace, 0);
  check_process (trace, 1);
  /* The address spaces share all of it; the function's first address and the call there are two sites. */
  g_assert_cmpuint (lc_trace_get_n_modules (trace), ==, 1);
  g_assert_cmpstr (lc_trace_get_module (trace, 0)->build_id, ==, BUILD_ID);
  g_assert_cmpuint (lc_trace_get_n_sites (trace), ==, 3);
  g_assert_cmpuint (lc_trace_get_n_stacks (trace), ==, 3);
  g_assert_true (lc_trace_get_site (trace, 2)->is_entry);
  assert_no_problems (trace);
  maker_remove (directory);
}

/* Events of older packets have no sites: what lies there is the next event. */
static void
test_versions (void)
{
  for (guint64 version = 1; version <= 3; version++)
    {
      char *directory = maker_directory ();
      g_autoptr (GByteArray) objects = maker_objects (0);
      g_autoptr (Maker) maker = maker_new (0);
      g_autoptr (LcTrace) trace = NULL;
      g_autoptr (GArray) events = NULL;

      maker->site = maker_site (objects, LC_SITE_CALL, 0, 0, 0x77);
      maker_header (maker)->format_version = maker->version = version;
      maker_header (maker)->start_site = version < 3 ? 99 : 0;
      maker_sync (maker, LC_AWAIT, 0, 1, 0, 100, 110, 0);
      maker_mark (maker, LC_TAG, 3, 120);
      maker_collective (maker, LC_ALL_REDUCE, 0, 1, 2, 4096, 130, 140);
      maker_message (maker, LC_SEND, 0, 0, 64, 150, 160);
      maker_mark (maker, LC_TAG, 4, 170);
      maker_finish (maker, directory);
      maker_write_metadata (directory);
      maker_write (directory, "objects-0", objects->data, objects->len);
      trace = open_trace (directory);
      events = maker_events (trace, 0);
      g_assert_cmpuint (events->len, ==, 5);
      for (guint i = 0; i < 5; i++)
        g_assert_cmpuint (stack_of (events, i), ==, version < 3 ? LC_TRACE_NONE : 0);
      g_assert_cmpint (g_array_index (events, LcTraceEvent, 4).value, ==, 4);
      g_assert_cmpuint (g_array_index (events, LcTraceEvent, 2).bytes, ==, version < 2 ? 0 : 4096);
      g_assert_cmpuint (lc_trace_count_events (trace, 0), ==, 5);
      g_assert_cmpuint (lc_trace_get_process (trace, 0)->start, ==, LC_TRACE_NONE);
      assert_no_problems (trace);
      maker_remove (directory);
    }
}

static const char *
name_of (LcTrace *trace, GArray *events, guint i)
{
  const LcTraceEvent *event = &g_array_index (events, LcTraceEvent, i);
  LcTraceObject object;

  if (event->object == LC_TRACE_NONE)
    return NULL;
  lc_trace_get_object (trace, event->object, &object);
  g_assert_cmpint (object.object_class, ==, LC_CLASS_MARK);
  return object.name;
}

/* What tags say is the name of an object, which is one in all address spaces. A record that is not there is damage. */
static void
test_texts (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) problems = NULL;
  guint32 object = LC_TRACE_NONE;

  maker_write_metadata (directory);
  for (guint32 i = 0; i < 2; i++)
    {
      g_autoptr (GByteArray) objects = maker_objects (i);
      g_autoptr (Maker) maker = maker_new (i);
      g_autofree char *name = g_strdup_printf ("objects-%u", i);
      const guint32 text = maker_object (objects, LC_CLASS_MARK, "count = 7", 0, 0);

      maker_header (maker)->instance = maker->instance = i;
      maker_mark (maker, LC_TAG, 6, 100);
      maker->text = text;
      maker_mark (maker, LC_TAG, 7, 110);
      maker->text = 999;
      maker_mark (maker, LC_TAG, 8, 120);
      maker_finish (maker, directory);
      maker_write (directory, name, objects->data, objects->len);
    }
  trace = open_trace (directory);
  for (guint32 i = 0; i < 2; i++)
    {
      g_autoptr (GArray) events = maker_events (trace, i);

      g_assert_cmpstr (name_of (trace, events, 0), ==, NULL);
      g_assert_cmpstr (name_of (trace, events, 1), ==, "count = 7");
      g_assert_cmpint (g_array_index (events, LcTraceEvent, 1).value, ==, 7);
      if (i == 0)
        object = g_array_index (events, LcTraceEvent, 1).object;
      g_assert_cmpuint (g_array_index (events, LcTraceEvent, 1).object, ==, object);
      g_assert_cmpstr (name_of (trace, events, 2), ==, NULL);
    }
  problems = lc_trace_list_problems (trace);
  for (guint32 i = 0; i < 2; i++)
    {
      g_autofree char *file = g_strdup_printf ("ctf/process-%u", i);

      g_assert_cmpuint (maker_problem (problems, "object-unknown", file)->count, ==, 1);
    }
  maker_remove (directory);
}

/* A module that is loaded where others were takes their place, and an object is in the one that was there before it. */
static void
test_unloaded (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);
  g_autoptr (Maker) maker = maker_new (0);
  g_autoptr (LcTrace) trace = NULL;
  static const guint64 places[] = {0x1000, 0x1fff, 0x2000, 0x2fff, 0x3000, 0x3fff, 0x4000, 0xfff};
  static const char *const before[] = {"/a", "/a", "/b", "/b", "/c", "/c", NULL, NULL};
  static const char *const after[] = {NULL, "/d", "/d", "/d", "/d", NULL, NULL, NULL};
  const guint32 n = G_N_ELEMENTS (places);

  maker_module (objects, "/a", NULL, 0x1000, 0x2000);
  maker_module (objects, "/c", NULL, 0x3000, 0x4000);
  maker_module (objects, "/b", NULL, 0x2000, 0x3000);
  for (guint i = 0; i < n; i++)
    maker_object_at (objects, LC_CLASS_MUTEX, 0, places[i]);
  maker_module (objects, "/d", NULL, 0x1800, 0x3800);
  for (guint i = 0; i < n; i++)
    maker_object_at (objects, LC_CLASS_MUTEX, 0, places[i]);
  maker_finish (maker, directory);
  maker_write_metadata (directory);
  maker_write (directory, "objects-0", objects->data, objects->len);
  trace = open_trace (directory);
  g_assert_cmpuint (lc_trace_get_n_objects (trace), ==, 1 + 2 * n);
  for (guint i = 0; i < 2 * n; i++)
    {
      const char *expected = i < n ? before[i] : after[i - n];
      LcTraceObject object;

      lc_trace_get_object (trace, 1 + i, &object);
      if (expected == NULL)
        g_assert_cmpuint (object.module, ==, LC_TRACE_NONE);
      else
        g_assert_cmpstr (lc_trace_get_module (trace, object.module)->path, ==, expected);
      if (expected != NULL && i >= n)
        g_assert_cmpuint (object.offset, ==, places[i - n] - 0x1800);
    }
  assert_no_problems (trace);
  maker_remove (directory);
}

/* --- Damage ------------------------------------------------------------------------------------------------------ */

static void
test_damage (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);
  g_autoptr (Maker) maker = maker_new (0);
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) events = NULL;
  guint32 module, sites[6], mutex;

  module = maker_module (objects, "/bin/pipe", "not hexadecimal", 0x9000, 0x1000);
  sites[0] = maker_site (objects, LC_SITE_INNER, module, module + 1000, 1);     /* a later caller, or none */
  sites[1] = maker_site (objects, LC_SITE_INNER, module, objects->len / 32, 2); /* itself */
  sites[2] = maker_site (objects, LC_SITE_ROOT, module, sites[0], 3);           /* no kind to have a caller */
  sites[3] = maker_site (objects, 99, module, 0, 4);
  sites[4] = maker_site (objects, LC_SITE_CALL, sites[0], 0, 5); /* its module is none */
  sites[5] = maker_site (objects, LC_SITE_CALL, 0, 0, 6);        /* code that is in no module: nothing is wrong */
  mutex = maker_object_at (objects, LC_CLASS_MUTEX, 5000, 0x8000);
  maker_header (maker)->start_site = mutex;
  for (guint i = 0; i < 8; i++)
    {
      maker->site = i < 6 ? sites[i] : i == 6 ? mutex : G_MAXUINT32;
      maker_sync (maker, LC_LOCK, i == 0 ? sites[0] : mutex, i, 0, 100 + 10 * i, 105 + 10 * i, 0);
    }
  maker_finish (maker, directory);
  maker_write_metadata (directory);
  maker_write (directory, "objects-0", objects->data, objects->len);
  trace = open_trace (directory);
  events = maker_events (trace, 0);
  assert_stack (trace, stack_of (events, 0), "/bin/pipe+1 3");
  assert_stack (trace, stack_of (events, 1), "/bin/pipe+2 3");
  assert_stack (trace, stack_of (events, 2), "/bin/pipe+3 2");
  assert_stack (trace, stack_of (events, 3), "/bin/pipe+4 0");
  assert_stack (trace, stack_of (events, 4), "+5 0");
  assert_stack (trace, stack_of (events, 5), "+6 0");
  g_assert_cmpuint (stack_of (events, 6), ==, LC_TRACE_NONE);
  g_assert_cmpuint (stack_of (events, 7), ==, LC_TRACE_NONE);
  g_assert_cmpuint (g_array_index (events, LcTraceEvent, 0).object, ==, LC_TRACE_NONE);
  g_assert_null (lc_trace_get_module (trace, 0)->build_id);
  g_assert_cmpuint (lc_trace_get_process (trace, 0)->start, ==, LC_TRACE_NONE);
  assert_problem (trace, "bad-module", "objects-0", module * 32, 1);
  assert_problem (trace, "bad-site", "objects-0", sites[0] * 32, 5);
  assert_problem (trace, "site-unknown", "objects-0", mutex * 32, 1);
  assert_problem (trace, "site-unknown", "ctf/process-0", 0, 3);
  assert_problem (trace, "object-unknown", "ctf/process-0", sizeof (struct lc_packet), 1);
  maker_remove (directory);
}

/* --- Text -------------------------------------------------------------------------------------------------------- */

static void
test_text (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) events = NULL, others = NULL;
  LcTraceObject object;

  maker_write_text (directory, "0.events",
                    FIRST "0 0 lock m 1 at=put@pipe.cpp:7\n"
                          "1 1 unlock m 1 at=put@pipe.cpp:9;work@pipe.cpp:20;main@main.cpp:3 contended=1\n"
                          "2 2 tag value=1 at=operator%20new%3b%25\n"
                          "3 3 tag at=@c:/a%40b.c:12\n"
                          "4 4 tag\n");
  maker_write_text (directory, "1.events", FIRST "0 0 tag at=work@pipe.cpp:20;main@main.cpp:3\n");
  trace = open_trace (directory);
  events = maker_events (trace, 0);
  others = maker_events (trace, 1);
  g_assert_cmpuint (events->len, ==, 5);
  assert_stack (trace, stack_of (events, 0), "put pipe.cpp:7; 0");
  assert_stack (trace, stack_of (events, 1), "put pipe.cpp:9; work pipe.cpp:20; main main.cpp:3; 2");
  assert_stack (trace, stack_of (events, 2), "operator new;% (null):0; 0");
  assert_stack (trace, stack_of (events, 3), "(null) c:/a@b.c:12; 0");
  g_assert_cmpuint (stack_of (events, 4), ==, LC_TRACE_NONE);
  g_assert_cmpuint (stack_of (others, 0), ==, lc_trace_get_stack (trace, stack_of (events, 1))->parent);
  g_assert_cmpuint (lc_trace_get_site (trace, 0)->module, ==, LC_TRACE_NONE);
  g_assert_cmpuint (lc_trace_get_n_stacks (trace), ==, 6);
  lc_trace_get_object (trace, g_array_index (events, LcTraceEvent, 0).object, &object);
  g_assert_cmpuint (object.stack, ==, stack_of (events, 0));
  assert_no_problems (trace);
  maker_remove (directory);
}

static void
test_bad_text (void)
{
  static const char *const bad[] = {"",          ";",         "f;",      "f;;g",    "f@",       "f@a.c",
                                    "f@a.c:",    "f@:1",      "f@a.c:0", "f@a.c:x", "f@a.c:-1", "f@a.c:1x",
                                    "f@a@b.c:1", "%",         "f%2",     "f%zz",    "f%00",     "f@a.c:4294967295",
                                    "@",         "f@a%0.c:1", "g;f@a.c"};
  g_autoptr (GString) text = g_string_new (FIRST);
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) events = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_string_append_printf (text, "%u %u tag at=%s\n", i, i, bad[i]);
  maker_write_text (directory, "0.events", text->str);
  trace = open_trace (directory);
  events = maker_events (trace, 0);
  g_assert_cmpuint (events->len, ==, G_N_ELEMENTS (bad));
  for (guint i = 0; i < events->len; i++)
    g_assert_cmpuint (stack_of (events, i), ==, LC_TRACE_NONE);
  assert_problem (trace, "text-place", "0.events", 2, G_N_ELEMENTS (bad));
  g_assert_cmpuint (lc_trace_get_n_stacks (trace), ==, 0);
  g_assert_cmpuint (lc_trace_get_n_sites (trace), ==, 0);
  maker_remove (directory);
}

/* --- Several hosts ----------------------------------------------------------------------------------------------- */

/* A binary part, then the same with another record before it. */
static void
test_parts (void)
{
  char *directory = maker_directory ();
  g_autofree char *streams = g_build_filename (directory, "ctf", NULL);
  g_autoptr (LcTrace) trace = NULL;

  g_assert_cmpint (g_rmdir (streams), ==, 0);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *part = g_strdup_printf ("%s/host-%u", directory, i);
      g_autofree char *inner = g_build_filename (part, "ctf", NULL);

      g_assert_cmpint (g_mkdir_with_parents (inner, 0700), ==, 0);
      maker_write_metadata (part);
      make_instance (part, i);
    }
  trace = open_trace (directory);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 2);
  check_process (trace, 0);
  check_process (trace, 1);
  g_assert_cmpuint (lc_trace_get_n_modules (trace), ==, 1);
  g_assert_cmpuint (lc_trace_get_n_sites (trace), ==, 3);
  g_assert_cmpuint (lc_trace_get_n_stacks (trace), ==, 3);
  maker_remove (directory);
}

/* --- Names ------------------------------------------------------------------------------------------------------- */

/* What a process runs is its name if the program gave it none: neither an empty one nor that of the program is. */
static void
test_process_names (void)
{
  static const char *const given[] = {"program", "program", "program", "reader", "", "program"};
  static const char *const functions[] = {NULL, "put", "put", "put", "take", NULL};
  static const char *const expected[] = {"program 0", "put 1", "put 2", "reader", "take", "program 5"};
  static const char *const users[] = {NULL, "mine", NULL, "mine", NULL, "first"};
  static const char *const with_users[] = {"program", "mine 1", "put", "mine 3", "take", "first"};
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GPtrArray) names = NULL;

  maker_write_metadata (directory);
  maker_write_text (directory, "trace.ini", "[trace]\ncommand=./program 3\n");
  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    {
      g_autoptr (Maker) maker = maker_new (i);

      g_strlcpy (maker_header (maker)->name, given[i], sizeof maker_header (maker)->name);
      maker_finish (maker, directory);
    }
  trace = open_trace (directory);
  names = lc_trace_make_process_names (trace, functions, NULL);
  g_assert_cmpuint (names->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < names->len; i++)
    g_assert_cmpstr (names->pdata[i], ==, expected[i]);
  g_clear_pointer (&names, g_ptr_array_unref);
  names = lc_trace_make_process_names (trace, functions, users);
  for (guint i = 0; i < names->len; i++)
    g_assert_cmpstr (names->pdata[i], ==, with_users[i]);
  g_assert_cmpstr (lc_trace_get_process (trace, 1)->name, ==, "program 1");
  g_assert_cmpstr (lc_trace_get_process (trace, 4)->name, ==, "process 4");
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sites/binary", test_binary);
  g_test_add_func ("/sites/versions", test_versions);
  g_test_add_func ("/sites/texts", test_texts);
  g_test_add_func ("/sites/unloaded", test_unloaded);
  g_test_add_func ("/sites/damage", test_damage);
  g_test_add_func ("/sites/text", test_text);
  g_test_add_func ("/sites/bad-text", test_bad_text);
  g_test_add_func ("/sites/parts", test_parts);
  g_test_add_func ("/sites/process-names", test_process_names);
  return g_test_run ();
}
