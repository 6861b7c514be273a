/* SPDX-License-Identifier: Apache-2.0 */
/* Frames, names and problems of a trace, which is made here: of a program that is compiled for it. */
#include <glib/gstdio.h>
#include <string.h>

#include "fixture.h"
#include "lightcone/where.h"
#include "where/naming.h"
#include "where/package.h"

/* --- A trace -------------------------------------------------------------------------------------------------------
 */

struct _LcTrace
{
  GArray *modules, *sites, *stacks, *objects, *processes;
};

guint32
lc_trace_get_n_modules (const LcTrace *trace)
{
  return trace->modules->len;
}

const LcTraceModule *
lc_trace_get_module (const LcTrace *trace, guint32 module)
{
  return &g_array_index (trace->modules, LcTraceModule, module);
}

guint32
lc_trace_get_n_sites (const LcTrace *trace)
{
  return trace->sites->len;
}

const LcTraceSite *
lc_trace_get_site (const LcTrace *trace, guint32 site)
{
  return &g_array_index (trace->sites, LcTraceSite, site);
}

guint32
lc_trace_get_n_stacks (const LcTrace *trace)
{
  return trace->stacks->len;
}

const LcTraceStack *
lc_trace_get_stack (const LcTrace *trace, guint32 stack)
{
  return &g_array_index (trace->stacks, LcTraceStack, stack);
}

guint32
lc_trace_get_n_objects (const LcTrace *trace)
{
  return trace->objects->len;
}

void
lc_trace_get_object (const LcTrace *trace, guint32 object, LcTraceObject *result)
{
  *result = g_array_index (trace->objects, LcTraceObject, object);
}

guint32
lc_trace_get_n_processes (const LcTrace *trace)
{
  return trace->processes->len;
}

const LcTraceProcess *
lc_trace_get_process (const LcTrace *trace, guint32 process)
{
  return &g_array_index (trace->processes, LcTraceProcess, process);
}

static LcTrace *
trace_new (void)
{
  LcTrace *trace = g_new0 (LcTrace, 1);

  trace->modules = g_array_new (FALSE, TRUE, sizeof (LcTraceModule));
  trace->sites = g_array_new (FALSE, TRUE, sizeof (LcTraceSite));
  trace->stacks = g_array_new (FALSE, TRUE, sizeof (LcTraceStack));
  trace->objects = g_array_new (FALSE, TRUE, sizeof (LcTraceObject));
  trace->processes = g_array_new (FALSE, TRUE, sizeof (LcTraceProcess));
  return trace;
}

static void
trace_delete (LcTrace *trace)
{
  g_array_unref (trace->modules);
  g_array_unref (trace->sites);
  g_array_unref (trace->stacks);
  g_array_unref (trace->objects);
  g_array_unref (trace->processes);
  g_free (trace);
}

static guint32
add_module (LcTrace *trace, const char *path)
{
  LcTraceModule module = {.path = path};

  g_array_append_val (trace->modules, module);
  return trace->modules->len - 1;
}

static guint32
add_stack (LcTrace *trace, LcTraceSite site, guint32 parent)
{
  LcTraceStack stack = {trace->sites->len, parent, parent == LC_TRACE_NONE ? LC_SITE_ROOT : LC_SITE_INNER};

  g_array_append_val (trace->sites, site);
  g_array_append_val (trace->stacks, stack);
  return trace->stacks->len - 1;
}

static guint32
add_call (LcTrace *trace, guint32 module, guint64 offset, guint32 parent)
{
  return add_stack (trace, (LcTraceSite){.module = module, .offset = offset}, parent);
}

static guint32
add_text (LcTrace *trace, const char *function, const char *file, guint32 line, guint32 parent)
{
  return add_stack (trace, (LcTraceSite){.module = LC_TRACE_NONE, .function = function, .file = file, .line = line},
                    parent);
}

static guint32
add_object (LcTrace *trace, const char *name, guint32 stack, guint32 module, guint64 offset)
{
  LcTraceObject object = {.name = name,
                          .class_name = "mutex",
                          .object_class = LC_CLASS_MUTEX,
                          .process = LC_TRACE_NONE,
                          .stack = stack,
                          .module = module,
                          .offset = offset};

  g_array_append_val (trace->objects, object);
  return trace->objects->len - 1;
}

static guint32
add_process (LcTrace *trace, guint32 start)
{
  LcTraceProcess process = {.start = start};

  g_array_append_val (trace->processes, process);
  return trace->processes->len - 1;
}

/* --- What is found -------------------------------------------------------------------------------------------------
 */

static LcWhere *
where_of (LcTrace *trace)
{
  g_autoptr (GError) error = NULL;
  LcWhere *where = lc_where_new (trace, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (where);
  g_assert_cmpuint (where->stacks->len, >=, trace->stacks->len);
  return where;
}

static char *
dup_site (const LcWhere *where, guint32 number)
{
  const LcWhereSite *site = &g_array_index (where->sites, LcWhereSite, number);
  g_autofree char *base = site->file != NULL ? g_path_get_basename (site->file) : g_strdup ("?");

  return g_strdup_printf ("%s %s:%u", site->function != NULL ? site->function : "?", base, site->line);
}

/* The frames of a stack, from it outwards. */
static void
expect_stack (const LcWhere *where, guint32 stack, const char *expected, const char *own)
{
  g_autofree char *shown = dup_site (where, g_array_index (where->stacks, LcWhereStack, stack).own);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 i = stack; i != LC_TRACE_NONE; i = g_array_index (where->stacks, LcWhereStack, i).parent)
    {
      g_autofree char *site = dup_site (where, g_array_index (where->stacks, LcWhereStack, i).site);

      g_string_append_printf (text, "%s%s", text->len > 0 ? "|" : "", site);
    }
  g_assert_cmpstr (text->str, ==, expected);
  g_assert_cmpstr (shown, ==, own);
}

static void
test_text (void)
{
  LcTrace *trace = trace_new ();
  g_autoptr (LcWhere) where = NULL;
  guint32 outer = add_text (trace, "main", "/src/a.c", 7, LC_TRACE_NONE);
  guint32 middle = add_text (trace, "std::thread::join", "/src/thread.h", 3, outer);
  guint32 inner = add_text (trace, "std::thread::inner", NULL, 0, middle);
  guint32 library = add_text (trace, "std::alone", NULL, 0, LC_TRACE_NONE);
  guint32 in_library = add_text (trace, "std::within", NULL, 0, library);
  guint32 nothing = add_call (trace, LC_TRACE_NONE, 0x1234, LC_TRACE_NONE);
  guint32 process = add_process (trace, outer), foreign = add_process (trace, library);
  guint32 unknown = add_process (trace, LC_TRACE_NONE);
  guint32 thread =
      add_process (trace, add_text (trace, "read", "/src/a.c", 9, add_text (trace, "serve", NULL, 0, library)));
  guint32 named = add_object (trace, "mine", inner, LC_TRACE_NONE, 0);
  guint32 object = add_object (trace, NULL, inner, LC_TRACE_NONE, 0);
  guint32 lost = add_object (trace, NULL, LC_TRACE_NONE, LC_TRACE_NONE, 0);

  where = where_of (trace);
  expect_stack (where, outer, "main a.c:7", "main a.c:7");
  expect_stack (where, inner, "std::thread::inner ?:0|std::thread::join thread.h:3|main a.c:7", "main a.c:7");
  expect_stack (where, in_library, "std::within ?:0|std::alone ?:0", "std::within ?:0");
  expect_stack (where, nothing, "? ?:0", "? ?:0");
  g_assert_cmpuint (where->stacks->len, ==, 8);
  g_assert_cmpuint (where->problems->len, ==, 0);
  g_assert_cmpstr (where->processes[process], ==, "main");
  g_assert_null (where->processes[foreign]);
  g_assert_null (where->processes[unknown]);
  g_assert_cmpstr (where->processes[thread], ==, "serve");
  g_assert_null (where->objects[named]);
  g_assert_null (where->objects[lost]);
  g_assert_cmpstr (where->objects[object], ==, "mutex of main a.c:7");
  trace_delete (trace);
}

static guint64
offset_of (const GArray *items, const char *begin)
{
  for (guint i = 0; i < items->len; i++)
    if (g_str_has_prefix (g_array_index (items, FixtureItem, i).expected, begin))
      return g_array_index (items, FixtureItem, i).offset;
  g_error ("there is no %s", begin);
}

/* A thread of C++ that has its function in what the library begins it with. */
static void
test_thread (void)
{
  Fixture *fixture = fixture_new ("threads.cpp", "g++", "-O2 -g -fopenmp");
  LcTraceSite site = {.module = 0, .is_entry = TRUE};
  g_autoptr (LcWhere) where = NULL;
  g_autofree char *own = NULL;
  guint32 entry, process;
  LcTrace *trace;

  if (fixture == NULL)
    return;
  trace = trace_new ();
  site.module = add_module (trace, fixture->program);
  site.offset = offset_of (fixture->calls, "main::{lambda");
  entry = add_stack (trace, site, LC_TRACE_NONE);
  g_array_index (trace->stacks, LcTraceStack, entry).kind = LC_SITE_ENTRY;
  process = add_process (trace, entry);
  where = where_of (trace);
  own = fixture_expected (fixture, "main::{lambda}::operator()@lambda");
  expect_stack (where, entry, own, own);
  g_assert_cmpuint (where->stacks->len, ==, 1);
  g_assert_cmpstr (where->processes[process], ==, "main::{lambda}::operator()");
  trace_delete (trace);
  fixture_free (fixture);
}

/* Two calls from a function that was put into another one share the frame of that. */
static void
test_program (void)
{
  Fixture *fixture = fixture_new ("places.cpp", "g++", "-O2 -g");
  g_autofree char *frames = NULL, *own = NULL, *name = NULL;
  g_autoptr (LcWhere) where = NULL;
  guint32 module, call, again, member, heap;
  LcTrace *trace;
  guint64 put;

  if (fixture == NULL)
    return;
  trace = trace_new ();
  module = add_module (trace, fixture->program);
  put = offset_of (fixture->calls, "store::Queue<int>::put");
  call = add_call (trace, module, put, LC_TRACE_NONE);
  again = add_call (trace, module, put, LC_TRACE_NONE);
  member = add_object (trace, NULL, call, module, offset_of (fixture->variables, "single.changed"));
  heap = add_object (trace, NULL, call, LC_TRACE_NONE, 0);
  where = where_of (trace);
  frames = fixture_expected (fixture, "store::Queue<int>::put@put|fill@fill|work@work");
  own = fixture_expected (fixture, "store::Queue<int>::put@put");
  name = g_strdup_printf ("mutex of %s", own);
  expect_stack (where, call, frames, own);
  expect_stack (where, again, frames, own);
  g_assert_cmpuint (where->stacks->len, ==, 2 + 2);
  g_assert_cmpstr (where->objects[member], ==, "single.changed");
  g_assert_cmpstr (where->objects[heap], ==, name);
  g_assert_cmpuint (where->problems->len, ==, 0);
  trace_delete (trace);
  fixture_free (fixture);
}

static const char *
problem_of (const LcWhere *where, guint32 module)
{
  for (guint i = 0; i < where->problems->len; i++)
    if (g_array_index (where->problems, LcWhereProblem, i).module == module)
      return g_array_index (where->problems, LcWhereProblem, i).problem;
  return NULL;
}

/* Of a library of the system's it matters only if there is nothing else to show. */
static void
test_problems (void)
{
  Fixture *fixture = fixture_new ("plain.c", "gcc", "-O2");
  LcTrace *trace = trace_new ();
  guint32 bare = add_module (trace, fixture != NULL ? fixture->program : "/bin/true"), gone, other, hidden, shown, idle;
  g_autoptr (LcWhere) where = NULL;

  gone = add_module (trace, "/nothing/here");
  other = add_module (trace, fixture != NULL ? fixture->program : "/bin/true");
  hidden = add_module (trace, "/usr/lib/nowhere/libgomp.so.1");
  shown = add_module (trace, "/usr/lib/nowhere/libshown.so.1");
  idle = add_module (trace, "/nothing/asks/for");
  g_array_index (trace->modules, LcTraceModule, other).build_id = "00";
  add_call (trace, hidden, 0x10, add_call (trace, bare, 0x10, LC_TRACE_NONE));
  add_call (trace, gone, 0x10, LC_TRACE_NONE);
  add_call (trace, other, 0x10, LC_TRACE_NONE);
  add_call (trace, shown, 0x10, LC_TRACE_NONE);
  where = where_of (trace);
  g_assert_cmpuint (where->problems->len, ==, 4);
  if (fixture != NULL)
    g_assert_nonnull (strstr (problem_of (where, bare), "compile it with -g"));
  g_assert_nonnull (strstr (problem_of (where, gone), "is not there"));
  g_assert_nonnull (strstr (problem_of (where, other), "another version"));
  g_assert_nonnull (problem_of (where, shown));
  g_assert_null (problem_of (where, hidden));
  g_assert_null (problem_of (where, idle));
  trace_delete (trace);
  g_clear_pointer (&fixture, fixture_free);
}

/* Without the files beside lines are known, but not what is in those: to say "-g" would not help. */
static void
test_split (gconstpointer options)
{
  Fixture *fixture = fixture_new ("plain.c", "gcc", options);
  g_autoptr (LcWhere) where = NULL, without = NULL;
  LcTrace *trace;
  guint32 module;

  if (fixture == NULL)
    return;
  trace = trace_new ();
  module = add_module (trace, fixture->program);
  add_call (trace, module, offset_of (fixture->calls, "never"), LC_TRACE_NONE);
  where = where_of (trace);
  g_assert_cmpuint (where->problems->len, ==, 0);
  fixture_run (fixture, "find . -name *.dwo -delete");
  without = where_of (trace);
  g_assert_cmpuint (without->problems->len, ==, 1);
  g_assert_nonnull (strstr (problem_of (without, module), ".dwo files, of which some are not where they were made"));
  g_assert_null (strstr (problem_of (without, module), "with -g"));
  trace_delete (trace);
  fixture_free (fixture);
}

static void
expect_package (const char *folder, const char *path, const char *expected)
{
  g_autofree char *package = lc_dup_package (path, folder);

  g_assert_cmpstr (package, ==, expected);
}

static void
test_package (void)
{
  static const char *const lists[][2] = {
      {"libmore1:amd64.list", "/.\n/usr\n/usr/lib\n/usr/lib/libmore.so.1\n/usr/lib/libmore.so.1.2\n"},
      {"old.list", "/lib/libold.so.1\n/opt/usr/lib/libopt.so\n/bin/old"},
      {"old.postinst", "/lib/libnone.so\n"},
  };
  g_autofree char *folder = g_dir_make_tmp ("lightcone-where-XXXXXX", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autofree char *path = g_build_filename (folder, lists[i][0], NULL);

      g_assert_true (g_file_set_contents (path, lists[i][1], -1, NULL));
    }
  expect_package (folder, "/usr/lib/libmore.so.1", "libmore1");
  expect_package (folder, "/lib/libmore.so.1.2", "libmore1");
  expect_package (folder, "/lib/libold.so.1", "old");
  expect_package (folder, "/usr/lib/libold.so.1", "old");
  expect_package (folder, "/bin/old", "old");
  expect_package (folder, "/usr/lib/libmore.so", NULL);
  expect_package (folder, "/lib/libopt.so", NULL);
  expect_package (folder, "/lib/libnone.so", NULL);
  expect_package ("/nothing/here", "/bin/old", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autofree char *path = g_build_filename (folder, lists[i][0], NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

/* A package's name is told only where it is known. */
static void
test_bare_library (void)
{
  g_autofree char *package = lc_dup_package ("/lib/nowhere/libglib-2.0.so.0", LC_PACKAGE_LISTS);
  g_autofree char *problem = lc_dup_problem ("/lib/nowhere/libglib-2.0.so.0", LC_CODE_BARE);

  g_assert_null (package);
  g_assert_cmpstr (problem, ==,
                   "/lib/nowhere/libglib-2.0.so.0 has no debugging information: install that of its package to see its "
                   "files and lines");
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  LcTrace *trace = trace_new ();

  add_call (trace, add_module (trace, "/nothing/here"), 0x10, LC_TRACE_NONE);
  g_cancellable_cancel (cancellable);
  g_assert_null (lc_where_new (trace, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  trace_delete (trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/where/text", test_text);
  g_test_add_func ("/where/program", test_program);
  g_test_add_func ("/where/thread", test_thread);
  g_test_add_func ("/where/problems", test_problems);
  g_test_add_data_func ("/where/split", "-O2 -g -gsplit-dwarf", test_split);
  g_test_add_data_func ("/where/split 4", "-O2 -g -gdwarf-4 -gsplit-dwarf", test_split);
  g_test_add_func ("/where/package", test_package);
  g_test_add_func ("/where/bare library", test_bare_library);
  g_test_add_func ("/where/cancelled", test_cancelled);
  return g_test_run ();
}
