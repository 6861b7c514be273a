/* SPDX-License-Identifier: Apache-2.0 */
/* Functions, lines and variables of programs, compared with what the programs say themselves. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "where/demangle.h"
#include "where/library-code.h"

typedef struct
{
  const char *source, *compiler, *options;
} Way;

static const Way ways[] = {
    {"places.cpp", "g++", "-O0 -g"},
    {"places.cpp", "g++", "-O2 -g"},
    {"places.cpp", "g++", "-O2 -g -gdwarf-4"},
    {"places.cpp", "g++", "-O2 -g -gz"},
    {"places.cpp", "g++", "-O2 -g -flto"},
    {"places.cpp", "clang++", "-O0 -g"},
    {"places.cpp", "clang++", "-O2 -g -gdwarf-5"},
    {"plain.c", "gcc", "-O0 -g"},
    {"plain.c", "gcc", "-O2 -g"},
    {"plain.c", "gcc", "-O2 -g -no-pie"},
    {"plain.c", "clang", "-O2 -g"},
    {"places.cpp", "g++", "-O2 -g -gsplit-dwarf"},
    {"places.cpp", "g++", "-O0 -g -gdwarf-4 -gsplit-dwarf"},
    {"places.cpp", "g++", "-O2 -g -gz -gsplit-dwarf"},
    {"places.cpp", "clang++", "-O2 -g -gsplit-dwarf"},
    {"plain.c", "gcc", "-O2 -g -gsplit-dwarf"},
    {"plain.c", "gcc", "-O2 -g -gdwarf-4 -gsplit-dwarf"},
    {"places.rs", "rustc", "-g -C symbol-mangling-version=v0"},
    {"places.rs", "rustc", "-g -O -C symbol-mangling-version=v0"},
};

static char *
build_id_of (const Fixture *fixture)
{
  g_autofree char *id = g_build_filename (fixture->folder, "id", NULL);
  g_autofree char *bytes = NULL;
  GString *text = g_string_new (NULL);
  gsize length = 0;

  fixture_run (fixture, "objcopy --dump-section .note.gnu.build-id=id program copy");
  g_assert_true (g_file_get_contents (id, &bytes, &length, NULL));
  for (gsize i = 16; i < length; i++)
    g_string_append_printf (text, "%02x", (guint8)bytes[i]);
  g_assert_cmpuint (text->len, ==, 40);
  return g_string_free (text, FALSE);
}

static void
test_way (gconstpointer data)
{
  const Way *way = data;
  Fixture *fixture = fixture_new (way->source, way->compiler, way->options);
  g_autoptr (LcResolver) resolver = NULL;
  g_autofree char *id = NULL;

  if (fixture == NULL)
    return;
  id = build_id_of (fixture);
  resolver = lc_resolver_new (fixture->program, id, NULL);
  g_assert_cmpint (lc_resolver_get_state (resolver), ==, LC_CODE_GOOD);
  fixture_check (fixture, resolver);
  g_assert_cmpint (lc_resolver_get_state (resolver), ==, LC_CODE_GOOD);
  fixture_free (fixture);
}

static Fixture *
usual_fixture (void)
{
  return fixture_new ("places.cpp", "g++", "-O2 -g");
}

static void
expect_frames (LcResolver *resolver, guint64 offset, gboolean is_entry, const char *expected)
{
  g_autofree char *found = fixture_frames (resolver, offset, is_entry);

  g_assert_cmpstr (found, ==, expected);
}

static const FixtureItem *
item_of (const GArray *items, const char *begin)
{
  for (guint i = 0; i < items->len; i++)
    if (g_str_has_prefix (g_array_index (items, FixtureItem, i).expected, begin))
      return &g_array_index (items, FixtureItem, i);
  g_error ("there is no %s", begin);
}

/* A thread begins in a function, not behind a call: even if another function ends right before it. */
static void
test_entry (void)
{
  g_autoptr (Fixture) fixture = usual_fixture ();
  g_autoptr (LcResolver) resolver = NULL;
  g_autofree char *found = NULL;

  if (fixture == NULL)
    return;
  resolver = lc_resolver_new (fixture->program, NULL, NULL);
  found = fixture_frames (resolver, item_of (fixture->variables, "entry")->offset, TRUE);
  g_assert_true (g_str_has_prefix (found, "work places.cpp:"));
  expect_frames (resolver, 0, FALSE, "");
  expect_frames (resolver, G_MAXUINT64, FALSE, "");
  expect_frames (resolver, G_MAXUINT64, TRUE, "");
  g_assert_null (lc_resolver_dup_variable (resolver, G_MAXUINT64));
}

/* What a library begins a thread with has the program's function in it; gcc makes functions of parallel regions. */
static void
test_threads (gconstpointer options)
{
  g_autoptr (Fixture) fixture = fixture_new ("threads.cpp", "g++", options);
  g_autoptr (LcResolver) resolver = NULL;

  if (fixture == NULL)
    return;
  resolver = lc_resolver_new (fixture->program, NULL, NULL);
  g_assert_cmpuint (fixture->calls->len, ==, 8);
  g_assert_cmpuint (fixture->variables->len, ==, 1);
  for (guint i = 0; i < fixture->calls->len; i++)
    {
      const FixtureItem *item = &g_array_index (fixture->calls, FixtureItem, i);
      g_autofree char *expected = fixture_expected (fixture, item->expected);
      g_autofree char *found = fixture_frames (resolver, item->offset, TRUE);
      g_autoptr (GString) plain = g_string_new (found);

      g_string_replace (plain, "{lambda()#1}", "{lambda}", 0);
      g_assert_cmpstr (plain->str, ==, expected);
    }
  {
    const FixtureItem *tagged = &g_array_index (fixture->variables, FixtureItem, 0);
    g_autofree char *name = lc_resolver_dup_variable (resolver, tagged->offset);

    g_assert_cmpstr (name, ==, tagged->expected);
  }
}

static void
check_symbols_only (const Fixture *fixture, const char *call, const char *variable)
{
  g_autoptr (LcResolver) resolver = lc_resolver_new (fixture->program, NULL, fixture->folder);
  const FixtureItem *member = item_of (fixture->variables, "single.changed");
  g_autofree char *found = lc_resolver_dup_variable (resolver, member->offset);

  g_assert_cmpint (lc_resolver_get_state (resolver), ==, LC_CODE_BARE);
  expect_frames (resolver, item_of (fixture->calls, "store::Queue<int>::put")->offset, FALSE, call);
  g_assert_cmpstr (found, ==, variable);
}

static void
test_no_debugging_information (void)
{
  g_autoptr (Fixture) fixture = fixture_new ("places.cpp", "g++", "-O2");

  if (fixture != NULL)
    check_symbols_only (fixture, "work ?:0", "single+64");
}

static void
test_stripped (void)
{
  g_autoptr (Fixture) fixture = usual_fixture ();

  if (fixture == NULL)
    return;
  fixture_run (fixture, "strip program");
  check_symbols_only (fixture, "", NULL);
}

/* With its symbols only: those that the program shows to libraries. */
static void
test_dynamic_symbols (void)
{
  g_autoptr (Fixture) fixture = fixture_new ("plain.c", "gcc", "-O2 -rdynamic");
  g_autoptr (LcResolver) resolver = NULL;
  g_autofree char *variable = NULL;

  if (fixture == NULL)
    return;
  fixture_run (fixture, "strip program");
  resolver = lc_resolver_new (fixture->program, NULL, NULL);
  expect_frames (resolver, item_of (fixture->calls, "never")->offset, FALSE, "never_returns_to ?:0");
  variable = lc_resolver_dup_variable (resolver, item_of (fixture->variables, "locks[2]")->offset);
  g_assert_cmpstr (variable, ==, "locks+80");
}

/* The path of the one .dwo file of a program. */
static char *
split_path (const Fixture *fixture)
{
  g_autoptr (GDir) folder = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_suffix (name, ".dwo"))
      return g_build_filename (fixture->folder, name, NULL);
  g_error ("there is no .dwo file in %s", fixture->folder);
}

static void
expect_skeletons (const Fixture *fixture)
{
  g_autoptr (LcResolver) resolver = lc_resolver_new (fixture->program, NULL, NULL);
  g_autofree char *expected = fixture_expected (fixture, "never_returns_to@never");
  g_autofree char *variable = NULL;

  expect_frames (resolver, item_of (fixture->calls, "never")->offset, FALSE, expected);
  g_assert_cmpint (lc_resolver_get_state (resolver), ==, LC_CODE_SPLIT);
  g_assert_false (lc_resolver_is_unread (resolver));
  variable = lc_resolver_dup_variable (resolver, item_of (fixture->variables, "locks[2]")->offset);
  g_assert_cmpstr (variable, ==, "locks+80");
}

/* Functions and variables are in another file. Without it, or with what is no such file, lines and symbols are left. */
static void
test_split (gconstpointer options)
{
  g_autoptr (Fixture) fixture = fixture_new ("plain.c", "gcc", options);
  g_autofree char *path = NULL, *other = NULL;

  if (fixture == NULL)
    return;
  path = split_path (fixture);
  other = g_build_filename (fixture->folder, "other.dwo", NULL);
  g_assert_cmpint (g_rename (path, other), ==, 0);
  expect_skeletons (fixture);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  expect_skeletons (fixture);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  expect_skeletons (fixture);
  g_assert_cmpint (g_rmdir (path), ==, 0);
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  expect_skeletons (fixture);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
  expect_skeletons (fixture);
  /* The file of another program is not taken for this one's. */
  g_assert_cmpint (g_unlink (path), ==, 0);
  fixture_run (fixture, "gcc -O1 -g -gsplit-dwarf -DANOTHER -c -o another.o -x c /dev/null");
  fixture_run (fixture, "cp another.dwo %s", path);
  expect_skeletons (fixture);
  fixture_run (fixture, "cp other.dwo %s", path);
  {
    g_autoptr (LcResolver) resolver = lc_resolver_new (fixture->program, NULL, NULL);

    fixture_check (fixture, resolver);
    g_assert_cmpint (lc_resolver_get_state (resolver), ==, LC_CODE_GOOD);
  }
}

static void
check_separate (const Fixture *fixture, const char *directory)
{
  g_autoptr (LcResolver) resolver = lc_resolver_new (fixture->program, NULL, directory);

  g_assert_cmpint (lc_resolver_get_state (resolver), ==, LC_CODE_GOOD);
  fixture_check (fixture, resolver);
}

/* --- Packages of .dwo files ------------------------------------------------------------------------------------- */

typedef struct
{
  const char *packer;
  Way way;
} Packing;

/* Binutils 2.40 leaves parts of DWARF 5 out of a package. */
static const Packing packings[] = {
    {"dwp", {"places.cpp", "g++", "-O2 -g -gdwarf-4 -gsplit-dwarf"}},
    {"dwp", {"plain.c", "gcc", "-O2 -g -gdwarf-4 -gz -gsplit-dwarf"}},
    {"llvm-dwp", {"places.cpp", "g++", "-O2 -g -gsplit-dwarf"}},
    {"llvm-dwp", {"places.cpp", "clang++", "-O2 -g -gsplit-dwarf"}},
    {"llvm-dwp", {"plain.c", "clang", "-O2 -g -gdwarf-4 -gsplit-dwarf"}},
};

/* Packs the .dwo files of a program with those of another one, which come first, and removes them. NULL: this machine
 * has no such compiler or packer. */
static Fixture *
packed_fixture (const Packing *packing)
{
  g_autofree char *packer = g_find_program_in_path (packing->packer), *path = NULL, *own = NULL;
  Fixture *fixture =
      packer != NULL ? fixture_new (packing->way.source, packing->way.compiler, packing->way.options) : NULL;

  if (packer == NULL)
    g_test_skip ("there is nothing here that packs .dwo files");
  if (fixture == NULL)
    return NULL;
  path = g_build_filename (fixture->folder, "another.c", NULL);
  g_assert_true (g_file_set_contents (path, "int another_one (int one) { return one + 1; }\n", -1, NULL));
  own = split_path (fixture);
  fixture_run (fixture, "mv %s first", own);
  fixture_run (fixture, "%s %s -c -x c another.c -o another.o", packing->way.compiler, packing->way.options);
  fixture_run (fixture, "%s -o program.dwp another.dwo first", packing->packer);
  fixture_run (fixture, "rm another.dwo first");
  return fixture;
}

static void
expect_only_skeletons (const Fixture *fixture)
{
  g_autoptr (LcResolver) resolver = lc_resolver_new (fixture->program, NULL, NULL);

  g_free (fixture_frames (resolver, g_array_index (fixture->calls, FixtureItem, 0).offset, FALSE));
  g_assert_cmpint (lc_resolver_get_state (resolver), ==, LC_CODE_SPLIT);
  g_assert_false (lc_resolver_is_unread (resolver));
}

static void
test_package (gconstpointer data)
{
  g_autoptr (Fixture) fixture = packed_fixture (data);

  if (fixture == NULL)
    return;
  check_separate (fixture, NULL);
  fixture_run (fixture, "mv program.dwp away");
  expect_only_skeletons (fixture);
  /* Beside the separate file of a program that is stripped. */
  fixture_run (fixture, "objcopy --only-keep-debug program program.debug");
  fixture_run (fixture, "strip program");
  fixture_run (fixture, "objcopy --add-gnu-debuglink=program.debug program");
  fixture_run (fixture, "cp away program.debug.dwp");
  check_separate (fixture, NULL);
  /* What is no package, one that is cut off, and what cannot be read. */
  fixture_run (fixture, "cp program program.debug.dwp");
  expect_only_skeletons (fixture);
  fixture_run (fixture, "truncate --size=200 program.debug.dwp");
  expect_only_skeletons (fixture);
  fixture_run (fixture, "rm program.debug.dwp");
  fixture_run (fixture, "mkfifo program.debug.dwp");
  expect_only_skeletons (fixture);
}

/* --- Separate files --------------------------------------------------------------------------------------------- */

static void
test_build_id (void)
{
  g_autoptr (Fixture) fixture = usual_fixture ();
  g_autofree char *id = NULL;

  if (fixture == NULL)
    return;
  id = build_id_of (fixture);
  fixture_run (fixture, "mkdir -p debug/.build-id/%.2s", id);
  fixture_run (fixture, "objcopy --only-keep-debug program debug/.build-id/%.2s/%s.debug", id, id + 2);
  fixture_run (fixture, "strip program");
  {
    g_autofree char *debug = g_build_filename (fixture->folder, "debug", NULL);

    check_symbols_only (fixture, "", NULL);
    check_separate (fixture, debug);
  }
}

static void
test_debug_link (void)
{
  g_autoptr (Fixture) fixture = fixture_new ("places.cpp", "g++", "-O2 -g -Wl,--build-id=none");
  g_autofree char *link = NULL;
  FILE *file;

  if (fixture == NULL)
    return;
  link = g_build_filename (fixture->folder, ".debug", "symbols", NULL);
  fixture_run (fixture, "mkdir .debug");
  fixture_run (fixture, "objcopy --only-keep-debug program .debug/symbols");
  fixture_run (fixture, "strip program");
  fixture_run (fixture, "objcopy --add-gnu-debuglink=.debug/symbols program");
  check_separate (fixture, NULL);
  file = g_fopen (link, "ab");
  fputc ('x', file);
  fclose (file);
  check_symbols_only (fixture, "", NULL);
}

/* dwz puts what two programs have in common into a file for both. */
static void
test_shared (void)
{
  g_autofree char *dwz = g_find_program_in_path ("dwz");
  g_autoptr (Fixture) fixture = dwz != NULL ? usual_fixture () : NULL;

  if (dwz == NULL)
    g_test_skip ("dwz");
  if (fixture == NULL)
    return;
  fixture_run (fixture, "cp program second");
  fixture_run (fixture, "dwz -m common program second");
  check_separate (fixture, NULL);
  fixture_run (fixture, "rm common");
  fixture_run (fixture, "mkfifo common");
  check_symbols_only (fixture, "work ?:0", "single+64");
}

static void
test_other_version (void)
{
  g_autoptr (Fixture) fixture = usual_fixture ();
  g_autoptr (LcResolver) resolver = NULL;

  if (fixture == NULL)
    return;
  resolver = lc_resolver_new (fixture->program, "0123456789abcdef0123456789abcdef01234567", NULL);
  g_assert_cmpint (lc_resolver_get_state (resolver), ==, LC_CODE_OTHER);
  expect_frames (resolver, g_array_index (fixture->calls, FixtureItem, 0).offset, FALSE, "");
}

/* None of them is waited for. */
static void
test_no_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lightcone-where-XXXXXX", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);
  const char *const paths[] = {pipe, "/dev/zero", "/dev/tty", "/", "", "/nothing/here", "/proc/self/maps"};

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (LcResolver) resolver = lc_resolver_new (paths[i], NULL, NULL);

      g_assert_cmpint (lc_resolver_get_state (resolver), ==, LC_CODE_MISSING);
      expect_frames (resolver, 0x1000, FALSE, "");
      g_assert_null (lc_resolver_dup_variable (resolver, 0x1000));
    }
  g_unlink (pipe);
  g_rmdir (folder);
}

/* --- Damage ----------------------------------------------------------------------------------------------------- */

/* Asks for everything; what comes is not looked at. */
static void
ask_all (const Fixture *fixture, const char *path)
{
  g_autoptr (LcResolver) resolver = lc_resolver_new (path, NULL, fixture->folder);

  for (guint i = 0; i < fixture->calls->len; i++)
    {
      guint64 offset = g_array_index (fixture->calls, FixtureItem, i).offset;

      g_free (fixture_frames (resolver, offset, FALSE));
      g_free (fixture_frames (resolver, offset, TRUE));
    }
  for (guint i = 0; i < fixture->variables->len; i++)
    g_free (lc_resolver_dup_variable (resolver, g_array_index (fixture->variables, FixtureItem, i).offset));
}

static const Way damaged[] = {
    {"places.cpp", "g++", "-O1 -g"},
    {"places.cpp", "g++", "-O2 -g -gdwarf-4"},
    {"places.cpp", "g++", "-O2 -g -gz"},
    {"places.cpp", "g++", "-O1 -g -gdwarf-2 -gstrict-dwarf"},
    {"threads.cpp", "g++", "-O2 -g -fopenmp"},
    {"places.cpp", "g++", "-O2 -g -gsplit-dwarf"},
    {"places.cpp", "g++", "-O1 -g -gdwarf-4 -gsplit-dwarf"},
};

/* Flips a few bytes in each of many copies, most of them where debugging information is, or cuts them off; `path` is
 * where the program's debugging information is looked for, which is the program itself if that is asked instead. */
static void
damage_copies (const Fixture *fixture, const char *from, const char *path, const char *program)
{
  const char *rounds = g_getenv ("LC_TEST_ROUNDS");
  guint n = rounds != NULL ? (guint)g_ascii_strtoull (rounds, NULL, 10) : 60;
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autofree char *bytes = NULL;
  gsize length = 0;

  g_assert_true (g_file_get_contents (from, &bytes, &length, NULL));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *copy = g_memdup2 (bytes, length);
      guint flips = 1 + (guint)g_rand_int_range (rand, 0, i % 2 == 0 ? 4 : 200);
      gsize size = i % 8 == 7 ? (gsize)g_rand_int_range (rand, 0, (gint32)length) : length;

      for (guint k = 0; k < flips; k++)
        copy[g_rand_int_range (rand, k % 4 == 3 ? 0 : (gint32)length / 4, (gint32)length)] ^=
            (char)(1 << g_rand_int_range (rand, 0, 8));
      g_assert_true (g_file_set_contents (path, copy, (gssize)size, NULL));
      ask_all (fixture, program);
    }
}

static void
test_damage (gconstpointer data)
{
  const Way *way = data;
  g_autoptr (Fixture) fixture = fixture_new (way->source, way->compiler, way->options);
  gboolean is_split = strstr (way->options, "-gsplit-dwarf") != NULL;
  g_autofree char *path = NULL;

  if (fixture == NULL)
    return;
  path = is_split ? split_path (fixture) : g_build_filename (fixture->folder, "damaged", NULL);
  damage_copies (fixture, is_split ? path : fixture->program, path, is_split ? fixture->program : path);
}

static void
test_damaged_package (gconstpointer data)
{
  g_autoptr (Fixture) fixture = packed_fixture (data);
  g_autofree char *path = NULL;

  if (fixture == NULL)
    return;
  path = g_build_filename (fixture->folder, "program.dwp", NULL);
  damage_copies (fixture, path, path, fixture->program);
}

/* --- Names ------------------------------------------------------------------------------------------------------ */

static void
test_names (void)
{
  static const char *const names[][2] = {
      {"main", "main"},
      {"work.constprop.0", "work"},
      {"work.isra.0.cold", "work"},
      {"main._omp_fn.0", "main"},
      {".gomp_critical_user_second", "critical second"},
      {".gomp_critical_user_second.var", "critical second"},
      {".gomp_critical_user_", ".gomp_critical_user_"},
      {"main.omp_outlined", "main"},
      {"_ZN2ns1fEi._omp_fn.0", "ns::f"},
      {"_ZN3Foo3barB5cxx11Ev", "Foo::bar"},
      {"_ZN3FooB5cxx113barB3newEv", "Foo::bar"},
      {"_Z7g_cacheB5cxx11", "g_cache"},
      {"once.0", "once"},
      {"main.main", "main.main"},
      {"a.1.2", "a.1.2"},
      {"_start", "_start"},
      {".5", ".5"},
      {"_ZNK2ns5QueueIiE3putEi", "ns::Queue<int>::put"},
      {"_ZZ3getvE1m", "get()::m"},
      {"_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()"},
      {"_ZN12_GLOBAL__N_14anonEi.part.0", "(anonymous namespace)::anon"},
      {"_ZN4core3ops8function6FnOnce9call_once17h0123456789abcdefE", "core::ops::function::FnOnce::call_once"},
      {"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
      {"_RNvMNtCsabc_4core3fooINtB2_3BarhE3baz", "core::foo::Bar<u8>::baz"},
      {"_RNvXCs1_4mineNtB2_1QNtNtCs2_4core3ops4Drop4drop", "<mine::Q as core::ops::Drop>::drop"},
      {"_Znonsense", "_Znonsense"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = lc_demangle (names[i][0]);

      g_assert_cmpstr (name, ==, names[i][1]);
    }
}

/* f<A<A..>, A<A..>> with every argument twice as long as the one before it. */
static void
test_long_name (void)
{
  GString *symbol = g_string_new ("_Z1fI1aIiiE");
  g_autofree char *name = NULL;

  for (int i = 0; i < 40; i++)
    g_string_append_printf (symbol, "S_IS%c_S%c_E", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[MIN (i, 35)],
                            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[MIN (i, 35)]);
  g_string_append (symbol, "Evv");
  name = lc_demangle (symbol->str);
  g_assert_cmpuint (strlen (name), <, 5000);
  g_assert_true (g_str_has_suffix (name, "..."));
  g_string_free (symbol, TRUE);
}

static void
test_library_code (void)
{
  static const char *const libraries[][3] = {
      {"/lib/x86_64-linux-gnu/libc.so.6", NULL, NULL},
      {"/opt/gcc/lib64/libstdc++.so.6", NULL, NULL},
      {"/opt/intel/lib/libmpi.so.12", "PMPI_Send", NULL},
      {"/usr/lib/x86_64-linux-gnu/libgomp.so.1", "GOMP_parallel", NULL},
      {"[vdso]", NULL, NULL},
      {"/opt/mine/liblightcone-record.so", NULL, NULL},
      {"/opt/mine/program", "std::thread::join", NULL},
      {"/opt/mine/program", "_start", NULL},
      {"/opt/mine/static", "start_thread", NULL},
      {"/opt/mine/static", "start_thread", "./nptl/pthread_create.c"},
      {"/opt/mine/static", "clone3", "../sysdeps/unix/sysv/linux/x86_64/clone3.S"},
      {"/opt/mine/static", "__libc_start_main_impl", NULL},
      {"/opt/mine/static", "__libc_start_call_main", "../sysdeps/nptl/libc_start_call_main.h"},
      {"/opt/mine/static", "_dl_relocate_static_pie", NULL},
      {"/opt/mine/static", "execute_native_thread_routine", NULL},
      {"/usr/lib/x86_64-linux-gnu/libglib-2.0.so.0", "g_mutex_lock", NULL},
      {"/opt/mine/program", "<&dyn core::ops::function::Fn<()> as core::ops::FnOnce<()>>::call_once", NULL},
      {"/opt/mine/program", "<alloc::boxed::Box<F> as core::ops::FnOnce<A>>::call_once", NULL},
      {"/opt/mine/program", "lock", "/usr/include/c++/12/bits/std_mutex.h"},
      {"/opt/mine/program", "lock", "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/mutex"},
      {NULL, "spawn", "library/std/src/thread/mod.rs"},
      {NULL, "spawn", "/rustc/0123abcd/library/std/src/thread/mod.rs"},
  };
  static const char *const own[][3] = {
      {"/opt/mine/program", "main", "/opt/mine/program.c"},
      {"/opt/mine/libwork.so", "work", "/opt/mine/work.c"},
      {"/usr/bin/pigz", "compress_thread", NULL},
      {"/usr/lib/x86_64-linux-gnu/libuv.so.1", "uv_mutex_lock", NULL},
      {"/opt/mine/libcurl.so.4", "curl_easy_perform", NULL},
      {"/opt/mine/program", "start_thread", "/opt/mine/program.c"},
      {"/opt/mine/program", "clone", "src/sheep.c"},
      {"/usr/lib/postgresql/15/bin/postgres", "main", NULL},
      {"/opt/mine/program", "_start_work", NULL},
      {"/opt/mine/program", "stdlib_like", "/opt/mine/include/c.h"},
      {NULL, "<mine::Queue<T> as core::ops::Drop>::drop", "src/main.rs"},
      {NULL, "work", "library/src/work.rs"},
      {NULL, NULL, NULL},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (libraries); i++)
    g_assert_true (lc_is_library_code (libraries[i][0], libraries[i][1], libraries[i][2]));
  for (gsize i = 0; i < G_N_ELEMENTS (own); i++)
    g_assert_false (lc_is_library_code (own[i][0], own[i][1], own[i][2]));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *name = g_strdup_printf ("/where/%s %s", ways[i].compiler, ways[i].options);

      g_test_add_data_func (name, &ways[i], test_way);
    }
  g_test_add_func ("/where/entry", test_entry);
  g_test_add_data_func ("/where/threads", "-O0 -g -fopenmp", test_threads);
  g_test_add_data_func ("/where/threads inlined", "-O2 -g -fopenmp", test_threads);
  g_test_add_func ("/where/no debugging information", test_no_debugging_information);
  g_test_add_func ("/where/stripped", test_stripped);
  g_test_add_func ("/where/dynamic symbols", test_dynamic_symbols);
  g_test_add_data_func ("/where/split", "-O2 -g -gsplit-dwarf", test_split);
  g_test_add_data_func ("/where/split 4", "-O2 -g -gdwarf-4 -gsplit-dwarf", test_split);
  for (gsize i = 0; i < G_N_ELEMENTS (packings); i++)
    {
      const Packing *packing = &packings[i];
      g_autofree char *name =
          g_strdup_printf ("/where/package/%s %s %s", packing->packer, packing->way.compiler, packing->way.options);
      g_autofree char *damaged_name = g_strdup_printf ("/where/damage/%s", name + strlen ("/where/"));

      g_test_add_data_func (name, packing, test_package);
      g_test_add_data_func (damaged_name, packing, test_damaged_package);
    }
  g_test_add_func ("/where/build id", test_build_id);
  g_test_add_func ("/where/debug link", test_debug_link);
  g_test_add_func ("/where/shared", test_shared);
  g_test_add_func ("/where/other version", test_other_version);
  g_test_add_func ("/where/no file", test_no_file);
  for (gsize i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      g_autofree char *name = g_strdup_printf ("/where/damage %s %s", damaged[i].source, damaged[i].options);

      g_test_add_data_func (name, &damaged[i], test_damage);
    }
  g_test_add_func ("/where/names", test_names);
  g_test_add_func ("/where/long name", test_long_name);
  g_test_add_func ("/where/library code", test_library_code);
  return g_test_run ();
}
