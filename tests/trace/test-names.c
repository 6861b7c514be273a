/* SPDX-License-Identifier: Apache-2.0 */
/* Objects and processes: what they are called, which are the same, and records that make no sense. */
#include <string.h>

#include "maker.h"

static LcTrace *
open_trace (const char *directory)
{
  g_autoptr (GError) error = NULL;
  LcTrace *trace = lc_trace_open (directory, &error);

  g_assert_no_error (error);
  return trace;
}

static void
write_objects (const char *directory, const char *name, GByteArray *objects)
{
  maker_write (directory, name, objects->data, objects->len);
}

/* An event of each of these objects, read back as the names of their objects. */
static char **
read_names (const char *directory, const guint32 *records, guint n)
{
  g_autoptr (Maker) maker = maker_new (0);
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) events = NULL;
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    maker_sync (maker, LC_LOCK, records[i], i + 1, 0, 100 + 10 * i, 105 + 10 * i, 0);
  maker_write_metadata (directory);
  maker_finish (maker, directory);
  trace = open_trace (directory);
  events = maker_events (trace, 0);
  g_assert_cmpuint (events->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      guint32 object = g_array_index (events, LcTraceEvent, i).object;

      g_ptr_array_add (names, object == LC_TRACE_NONE ? g_strdup ("-") : lc_trace_dup_object_name (trace, object));
    }
  g_ptr_array_add (names, NULL);
  return (char **)g_ptr_array_free (names, FALSE);
}

static void
test_objects (void)
{
  static const char *const given[] = {"queue",   NULL,     "fork",
                                      "fork",    "fork 1", NULL,
                                      "mutex 2", "mutex",  "a name that is longer than one place of the file"};
  static const char *const shown[] = {"queue",   "mutex 1", "fork 1'",
                                      "fork 2",  "fork 1",  "mutex 2'",
                                      "mutex 2", "mutex 3", "a name that is longer than one place of the file"};
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);
  guint32 records[G_N_ELEMENTS (given)];
  g_auto (GStrv) names = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    records[i] = maker_object (objects, LC_CLASS_MUTEX, given[i], 0, 0);
  maker_object (objects, LC_CLASS_BARRIER, "queue", 0, 0);
  write_objects (directory, "objects-0", objects);
  names = read_names (directory, records, G_N_ELEMENTS (given));
  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    g_assert_cmpstr (names[i], ==, shown[i]);
  maker_remove (directory);
}

static void
test_description (void)
{
  char *directory = maker_sample ();
  g_autoptr (LcTrace) trace = open_trace (directory);
  LcTraceObject object;

  /* The processes come first, then the records; the module among them is no object. */
  g_assert_cmpuint (lc_trace_get_n_objects (trace), ==,
                    3 + LC_CLASS_MODULE - 1 + LC_CLASS_ACCOUNT - LC_CLASS_FUTEX + 1);
  lc_trace_get_object (trace, 1, &object);
  g_assert_cmpuint (object.process, ==, 1);
  g_assert_cmpstr (object.class_name, ==, "thread");
  g_assert_cmpstr (object.name, ==, lc_trace_get_process (trace, 1)->name);
  lc_trace_get_object (trace, 3, &object);
  g_assert_cmpuint (object.process, ==, LC_TRACE_NONE);
  g_assert_cmpint (object.object_class, ==, LC_CLASS_MUTEX);
  g_assert_cmpstr (object.class_name, ==, "mutex");
  g_assert_cmpuint (object.value, ==, 1);
  g_assert_cmpuint (object.address, ==, 0x1002);
  g_assert_cmpuint (object.first, ==, 5);
  g_assert_cmpuint (object.instance, ==, 0);
  g_assert_cmpuint (object.number, ==, 1);
  maker_remove (directory);
}

/* Objects that several address spaces use together. */
static void
test_shared (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (LC_NO_PROCESS);
  guint32 records[2] = {0, LC_OBJECT_SHARED | 2};
  g_auto (GStrv) names = NULL;

  records[0] = LC_OBJECT_SHARED | maker_object (objects, LC_CLASS_MUTEX, NULL, 0, 0);
  records[1] = LC_OBJECT_SHARED | maker_object (objects, LC_CLASS_MUTEX, NULL, 0, 0);
  write_objects (directory, "objects-shared", objects);
  names = read_names (directory, records, 2);
  g_assert_cmpstr (names[0], ==, "mutex 1");
  g_assert_cmpstr (names[1], ==, "mutex 2");
  maker_remove (directory);
}

/* Two address spaces, one executable: its functions and regions are the same, its mutexes are not. */
static void
test_same_functions (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;
  g_autofree char *first = NULL, *second = NULL;
  guint32 objects[2][5];

  maker_write_metadata (directory);
  for (guint instance = 0; instance < 2; instance++)
    {
      g_autoptr (GByteArray) file = maker_objects (instance);
      g_autoptr (Maker) maker = maker_new (instance);
      g_autofree char *name = g_strdup_printf ("objects-%u", instance);
      g_autofree char *symbols_name = g_strdup_printf ("symbols-%u", instance);
      g_autofree char *symbols = NULL;
      guint32 module, records[5];

      if (instance == 1)
        maker_object (file, LC_CLASS_MUTEX, NULL, 0, 0);
      module = maker_object (file, LC_CLASS_MODULE, "/usr/bin/program", 0, 0);
      records[0] = maker_object (file, LC_CLASS_FUNCTION, NULL, module, 0x100);
      records[1] = maker_object (file, LC_CLASS_FUNCTION, NULL, module, 0x200);
      records[2] = maker_object (file, LC_CLASS_FUNCTION, NULL, module, 0x300);
      records[3] = maker_object (file, LC_CLASS_MARK, "region", 0, 0);
      records[4] = maker_object (file, LC_CLASS_MUTEX, "lock", 0, 0);
      symbols = g_strdup_printf ("%u helper\n%u helper\n", records[0], records[1]);
      maker_write_text (directory, symbols_name, symbols);
      write_objects (directory, name, file);
      for (guint i = 0; i < 5; i++)
        {
          if (i < 4)
            maker_mark (maker, LC_ENTER, records[i], 100 + i);
          else
            maker_sync (maker, LC_LOCK, records[i], 1, 0, 200, 210, 0);
        }
      maker_header (maker)->instance = instance;
      maker_finish (maker, directory);
    }
  trace = open_trace (directory);
  for (guint process = 0; process < 2; process++)
    {
      g_autoptr (GArray) events = maker_events (trace, process);

      for (guint i = 0; i < 5; i++)
        objects[process][i] = g_array_index (events, LcTraceEvent, i).object;
    }
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (objects[0][i], ==, objects[1][i]);
  g_assert_cmpuint (objects[0][4], !=, objects[1][4]);
  g_assert_cmpuint (objects[0][0], !=, objects[0][1]);
  first = lc_trace_dup_object_name (trace, objects[0][1]);
  g_assert_cmpstr (first, ==, "helper 2");
  second = lc_trace_dup_object_name (trace, objects[0][2]);
  g_assert_cmpstr (second, ==, "0x300 in program");
  maker_remove (directory);
}

static void
test_processes (void)
{
  static const char *const given[] = {"gauss", "worker", "gauss", "", "gauss 0", "gau\xFFss"};
  static const char *const shown[] = {"gauss 0", "worker", "gauss 2", "process 3", "gauss 0'", "gau\xEF\xBF\xBDss"};
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;

  maker_write_metadata (directory);
  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    {
      g_autoptr (Maker) maker = maker_new (i);
      struct lc_packet *header = maker_header (maker);

      memset (header->name, 0, sizeof header->name);
      memcpy (header->name, given[i], strlen (given[i]));
      maker_finish (maker, directory);
    }
  trace = open_trace (directory);
  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    g_assert_cmpstr (lc_trace_get_process (trace, i)->name, ==, shown[i]);
  maker_remove (directory);
}

/* Threads of a rank: those without a name of their own have the program's, which the command tells. */
static void
test_threads_of_ranks (void)
{
  static const struct
  {
    guint instance;
    const char *given, *shown;
  } threads[] = {
      {0, "rank 3", "rank 3"},
      {0, "a-program-with-", "rank 3 thread 1"},
      {0, "reader", "rank 3 reader"},
      {0, "", "rank 3 thread 2"},
      {1, "rank 30", "rank 30"},
      {1, "worker", "rank 30 worker 1"},
      {1, "worker", "rank 30 worker 2"},
      {1, "rank 3", "rank 30 rank 3"},
      {2, "solver", "rank 31 solver"},
      {2, "a-program-with-", "rank 31 thread 1"},
      {3, "a-program-with-", "a-program-with-"},
      {3, "thread", "thread"},
  };
  static const guint ranks[] = {3, 30, 31};
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;

  maker_write_metadata (directory);
  maker_write_text (directory, "trace.ini",
                    "[trace]\ncommand=mpirun -n 32 sh -c './a-program-with-a-long-name; true'\n");
  for (guint i = 0; i < G_N_ELEMENTS (ranks); i++)
    {
      g_autofree char *name = g_strdup_printf ("objects-%u", i);
      g_autoptr (GByteArray) objects = maker_objects (i);

      maker_rank (objects, ranks[i], 32, 1);
      write_objects (directory, name, objects);
    }
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autoptr (Maker) maker = maker_new (i);
      struct lc_packet *header = maker_header (maker);

      header->instance = threads[i].instance;
      memset (header->name, 0, sizeof header->name);
      memcpy (header->name, threads[i].given, strlen (threads[i].given));
      maker_finish (maker, directory);
    }
  trace = open_trace (directory);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_cmpstr (lc_trace_get_process (trace, i)->name, ==, threads[i].shown);
  maker_remove (directory);
}

/* --- Damage ---------------------------------------------------------------------------------------------------------
 */

static GArray *
problems_of (const char *directory)
{
  g_autoptr (LcTrace) trace = open_trace (directory);
  GArray *problems = lc_trace_list_problems (trace);

  /* The strings go with the trace, so only the kinds are kept. */
  for (guint i = 0; i < problems->len; i++)
    {
      g_array_index (problems, LcTraceProblem, i).file = NULL;
      g_array_index (problems, LcTraceProblem, i).detail = NULL;
    }
  return problems;
}

static void
assert_only (const char *directory, const char *name, guint64 where, guint64 count)
{
  g_autoptr (GArray) problems = problems_of (directory);
  const LcTraceProblem *problem = maker_problem (problems, name, NULL);

  if (problem == NULL)
    g_error ("there is no problem %s", name);
  for (guint i = 0; i < problems->len; i++)
    g_assert_cmpstr (g_array_index (problems, LcTraceProblem, i).name, ==, name);
  g_assert_cmpuint (problem->where, ==, where);
  g_assert_cmpuint (problem->count, ==, count);
}

static void
test_damaged_objects (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);
  gsize second;

  maker_write_metadata (directory);
  maker_object (objects, LC_CLASS_MUTEX, "one", 0, 0);
  second = objects->len;
  maker_object (objects, LC_CLASS_MUTEX, "another name that takes more than one place", 0, 0);
  maker_object (objects, LC_CLASS_MUTEX, NULL, 0, 0);
  objects->data[second] = 77;
  write_objects (directory, "objects-0", objects);
  /* Its name's two places make no sense either. */
  assert_only (directory, "bad-object", second, 3);
  objects->data[second] = LC_CLASS_NONE;
  write_objects (directory, "objects-0", objects);
  {
    g_autoptr (GArray) problems = problems_of (directory);

    g_assert_cmpuint (problems->len, ==, 0);
  }
  objects->data[second] = LC_CLASS_MUTEX;
  maker_write (directory, "objects-0", objects->data, second + 64);
  assert_only (directory, "truncated-object", second, 1);
  maker_write (directory, "objects-0", objects->data, second - 3);
  assert_only (directory, "truncated-object", second - 64, 2);
  maker_write (directory, "objects-0", objects->data, 20);
  assert_only (directory, "objects-damaged", 0, 1);
  maker_remove (directory);
}

static void
append_name (GByteArray *objects, guint64 address, const char *name)
{
  const guint32 number = maker_object (objects, LC_CLASS_NAME, name, 0, 0);

  ((struct lc_object_record *)(void *)objects->data)[number].address = address;
}

/* A name is that of the last object before it at its address, or of the next one; and of no other object there. */
static void
test_names_by_address (void)
{
  static const char *const shown[] = {"early", "mutex 1", "first", "second", NULL};
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);
  g_auto (GStrv) names = NULL;
  guint32 records[4];

  append_name (objects, 0x5000, "early");
  records[0] = maker_object_at (objects, LC_CLASS_MUTEX, 0, 0x5000);
  records[1] = maker_object_at (objects, LC_CLASS_MUTEX, 0, 0x5000);
  records[2] = maker_object_at (objects, LC_CLASS_MUTEX, 0, 0x6000);
  append_name (objects, 0x6000, "wrong");
  append_name (objects, 0x6000, "first");
  records[3] = maker_object_at (objects, LC_CLASS_MUTEX, 0, 0x6000);
  append_name (objects, 0x6000, "second");
  append_name (objects, 0x7000, "nobody's");
  write_objects (directory, "objects-0", objects);
  names = read_names (directory, records, G_N_ELEMENTS (records));
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    g_assert_cmpstr (names[i], ==, shown[i]);
  maker_remove (directory);
}

static void
test_damaged_symbols (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);

  maker_write_metadata (directory);
  write_objects (directory, "objects-0", objects);
  maker_write_text (directory, "symbols-0", "2 main\n\nmain\n 7\n99999999999999999999 x\n3 \n4 last");
  assert_only (directory, "bad-symbol", 2, 5);
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/names/objects", test_objects);
  g_test_add_func ("/names/by-address", test_names_by_address);
  g_test_add_func ("/names/description", test_description);
  g_test_add_func ("/names/shared", test_shared);
  g_test_add_func ("/names/same-functions", test_same_functions);
  g_test_add_func ("/names/processes", test_processes);
  g_test_add_func ("/names/threads-of-ranks", test_threads_of_ranks);
  g_test_add_func ("/names/damaged-objects", test_damaged_objects);
  g_test_add_func ("/names/damaged-symbols", test_damaged_symbols);
  return g_test_run ();
}
