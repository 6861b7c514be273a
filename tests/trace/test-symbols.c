/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions from symbol tables: of this very program, of a stripped copy of it, of damaged ones, and of small
   files made here. */
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "maker.h"
#include "symbols.h"

/* One that only the full symbol table knows, and one that a library shows to others. */
static __attribute__ ((noinline)) int
a_function_of_this_test (int value)
{
  __asm__ volatile("" : "+r"(value));
  return value + 1;
}

static int
take_bias (struct dl_phdr_info *info, size_t size, void *data)
{
  *(guint64 *)data = info->dlpi_addr;
  return 1;
}

/* As the recorder says where a function is. */
static guint64
offset_in_program (gconstpointer address)
{
  guint64 bias = 0;

  dl_iterate_phdr (take_bias, &bias);
  return (guint64)(guintptr)address - bias;
}

static char *
this_program (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_file_read_link ("/proc/self/exe", &error);

  g_assert_no_error (error);
  return path;
}

static void
test_this_program (void)
{
  g_autoptr (LcSymbols) symbols = lc_symbols_new (NULL);
  g_autofree char *path = this_program ();
  guint64 offset = offset_in_program ((gconstpointer)a_function_of_this_test);
  g_autofree char *first = lc_symbols_name (symbols, path, offset);
  g_autofree char *inside = lc_symbols_name (symbols, path, offset + 1);
  g_autofree char *main_name = lc_symbols_name (symbols, path, offset_in_program ((gconstpointer)maker_sample));

  g_assert_cmpint (a_function_of_this_test (1), ==, 2);
  g_assert_cmpstr (first, ==, "a_function_of_this_test");
  g_assert_cmpstr (inside, ==, "a_function_of_this_test");
  g_assert_cmpstr (main_name, ==, "maker_sample");
  g_assert_null (lc_symbols_name (symbols, path, 0));
  g_assert_null (lc_symbols_name (symbols, path, G_MAXUINT64));
}

static void
test_no_file (void)
{
  g_autoptr (LcSymbols) symbols = lc_symbols_new (NULL);

  g_assert_null (lc_symbols_name (symbols, "/nothing/here", 0x1000));
  g_assert_null (lc_symbols_name (symbols, "", 0x1000));
  g_assert_null (lc_symbols_name (symbols, "/proc", 0x1000));
  g_assert_null (lc_symbols_name (symbols, "/dev/zero", 0x1000));
}

static gboolean
run (const char *const *arguments)
{
  int status = -1;

  return g_spawn_sync (NULL, (char **)arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL) &&
         status == 0;
}

/* The build id, in hexadecimal, as readelf prints it; NULL: there is none. */
static char *
build_id (const char *path)
{
  const char *arguments[] = {"readelf", "-n", path, NULL};
  g_autofree char *output = NULL;
  const char *place;

  if (!g_spawn_sync (NULL, (char **)arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, NULL, NULL, NULL))
    return NULL;
  place = strstr (output, "Build ID: ");
  return place != NULL ? g_strndup (place + 10, strspn (place + 10, "0123456789abcdef")) : NULL;
}

/* A stripped program whose symbols are in a file of their own, where distributions put it. */
static void
test_separate_file (void)
{
  char *directory = maker_directory ();
  g_autofree char *path = this_program ();
  g_autofree char *stripped = g_build_filename (directory, "stripped", NULL);
  g_autofree char *debug_root = g_build_filename (directory, "debug", NULL);
  g_autofree char *id = build_id (path);
  guint64 offset = offset_in_program ((gconstpointer)a_function_of_this_test);
  const char *strip[] = {"objcopy", "--strip-all", path, stripped, NULL};

  if (id == NULL || strlen (id) < 4 || !run (strip))
    {
      g_test_skip ("no objcopy, readelf or build id");
      maker_remove (directory);
      return;
    }
  {
    g_autoptr (LcSymbols) symbols = lc_symbols_new (debug_root);

    g_assert_null (lc_symbols_name (symbols, stripped, offset));
  }
  {
    g_autofree char *folder = g_strdup_printf ("%s/.build-id/%.2s", debug_root, id);
    g_autofree char *file = g_strdup_printf ("%s/%s.debug", folder, id + 2);
    const char *keep[] = {"objcopy", "--only-keep-debug", path, file, NULL};
    g_autoptr (LcSymbols) symbols = lc_symbols_new (debug_root);
    g_autofree char *name = NULL;

    g_assert_cmpint (g_mkdir_with_parents (folder, 0777), ==, 0);
    g_assert_true (run (keep));
    name = lc_symbols_name (symbols, stripped, offset);
    g_assert_cmpstr (name, ==, "a_function_of_this_test");
  }
  maker_remove (directory);
}

static void
read_damaged (const char *directory, const guint8 *bytes, gsize size)
{
  g_autofree char *path = g_build_filename (directory, "damaged", NULL);
  g_autoptr (LcSymbols) symbols = lc_symbols_new (directory);

  maker_write (directory, "damaged", bytes, size);
  for (guint64 offset = 0; offset < 0x10000; offset += 0x777)
    {
      g_autofree char *name = lc_symbols_name (symbols, path, offset);

      g_assert_true (name == NULL || g_utf8_validate (name, -1, NULL));
    }
}

/* The tables that say where everything is are at the file's ends. */
static void
test_damaged (void)
{
  char *directory = maker_directory ();
  g_autofree char *path = this_program ();
  g_autoptr (GByteArray) program = maker_read ("/", path);
  const gsize size = program->len;
  gsize sections;

  sections = ((const Elf64_Ehdr *)(void *)program->data)->e_shoff;
  g_assert_cmpuint (sections, <, size);
  for (guint i = 0; i < 30; i++)
    read_damaged (directory, program->data, size / 30 * i + i);
  for (guint i = 0; i < 150; i++)
    {
      gsize place = i % 3 ? sections + (gsize)g_test_rand_int_range (0, (gint32)(size - sections))
                          : (gsize)g_test_rand_int_range (0, sizeof (Elf64_Ehdr));
      guint8 before = program->data[place];

      program->data[place] = (guint8)g_test_rand_int_range (0, 256);
      read_damaged (directory, program->data, size);
      program->data[place] = before;
    }
  maker_remove (directory);
}

/* --- A file made here --------------------------------------------------------------------------------------------- */

enum
{
  SYMBOLS = 10,
  TEXT = 3, /* the section of code, from 0x1000 to 0x1100 */
};

typedef struct
{
  Elf64_Ehdr header;
  Elf64_Shdr sections[5];
  Elf64_Sym symbols[SYMBOLS];
  struct
  {
    Elf64_Nhdr header;
    char name[4];
    guint8 id[8];
  } note;
  char names[80];
} Made;

static guint32
made_name (Made *made, const char *name)
{
  guint32 at = 1;

  while (made->names[at] != '\0')
    at += (guint32)strlen (made->names + at) + 1;
  g_assert_cmpuint (at + strlen (name), <, sizeof made->names - 1);
  strcpy (made->names + at, name);
  return at;
}

static void
made_add (Made *made, guint number, const char *name, guint64 place, guint64 size, guint8 binding)
{
  made->symbols[number] = (Elf64_Sym){.st_name = made_name (made, name),
                                      .st_info = ELF64_ST_INFO (binding, STT_FUNC),
                                      .st_shndx = TEXT,
                                      .st_value = place,
                                      .st_size = size};
}

static Made
make_module (guint32 table)
{
  Made made = {.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
                                      G_BYTE_ORDER == G_LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB},
                          .e_shoff = offsetof (Made, sections),
                          .e_shentsize = sizeof (Elf64_Shdr),
                          .e_shnum = G_N_ELEMENTS (made.sections)}};

  made.sections[1] = (Elf64_Shdr){
      .sh_type = table, .sh_offset = offsetof (Made, symbols), .sh_size = sizeof made.symbols, .sh_link = 2};
  made.sections[2] =
      (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = offsetof (Made, names), .sh_size = sizeof made.names};
  made.sections[TEXT] = (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_addr = 0x1000, .sh_size = 0x100};
  made.sections[4] = (Elf64_Shdr){.sh_type = SHT_NOTE, .sh_offset = offsetof (Made, note), .sh_size = sizeof made.note};
  made.note.header = (Elf64_Nhdr){.n_namesz = 4, .n_descsz = 3, .n_type = NT_GNU_BUILD_ID};
  memcpy (made.note.name, "GNU", 4);
  memcpy (made.note.id, "\xab\xcd\xef", 3);
  made_add (&made, 0, "local", 0x1000, 16, STB_LOCAL);
  made_add (&made, 1, "weak", 0x1000, 16, STB_WEAK);
  made_add (&made, 2, "global", 0x1000, 16, STB_GLOBAL);
  made_add (&made, 3, "second", 0x1010, 16, STB_LOCAL);
  made_add (&made, 4, "first", 0x1010, 16, STB_LOCAL);
  made_add (&made, 5, "to_end", 0x1020, 0, STB_GLOBAL);
  made_add (&made, 6, "absolute", 0x2000, 0, STB_GLOBAL);
  made.symbols[6].st_shndx = SHN_ABS;
  made_add (&made, 7, "outside", 0x3000, 0, STB_GLOBAL);
  made_add (&made, 8, "elsewhere", 0x4000, 16, STB_GLOBAL);
  made.symbols[8].st_shndx = SHN_UNDEF;
  made_add (&made, 9, "x", 0x5000, 16, STB_GLOBAL);
  made.symbols[9].st_name = sizeof made.names;
  return made;
}

/* Expects the name of the function at this place in these bytes; NULL: none. */
static void
check_made (const char *directory, const void *made, gsize size, guint64 place, const char *expected)
{
  g_autofree char *path = g_build_filename (directory, "made", NULL);
  g_autoptr (LcSymbols) symbols = lc_symbols_new (directory);
  g_autofree char *name = NULL;

  maker_write (directory, "made", made, size);
  name = lc_symbols_name (symbols, path, place);
  g_assert_cmpstr (name, ==, expected);
}

/* Of several names of a place, the one that others may use is shown; a function without a size ends with its code. */
static void
test_names (void)
{
  static const struct
  {
    guint64 place;
    const char *name;
  } expected[] = {
      {0xfff, NULL},      {0x1000, "global"}, {0x100f, "global"},   {0x1010, "first"}, {0x1020, "to_end"},
      {0x10ff, "to_end"}, {0x1100, NULL},     {0x2000, "absolute"}, {0x2001, NULL},    {0x3000, "outside"},
      {0x3001, NULL},     {0x4000, NULL},     {0x5000, NULL},
  };
  char *directory = maker_directory ();

  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      Made made = make_module (i % 2 ? SHT_SYMTAB : SHT_DYNSYM);

      check_made (directory, &made, sizeof made, expected[i].place, expected[i].name);
      /* As a file with very many sections says how many. */
      made.header.e_shnum = 0;
      made.sections[0].sh_size = G_N_ELEMENTS (made.sections);
      check_made (directory, &made, sizeof made, expected[i].place, expected[i].name);
    }
  maker_remove (directory);
}

/* What is no such file, or says that its parts are where nothing is, has no names. */
static void
test_no_names (void)
{
  static const struct
  {
    gsize at;
    guint64 value;
    gsize size;
  } changes[] = {
      {offsetof (Made, header.e_ident[EI_MAG0]), 0, 1},
      {offsetof (Made, header.e_ident[EI_CLASS]), ELFCLASS32, 1},
      {offsetof (Made, header.e_ident[EI_DATA]), ELFDATANONE, 1},
      {offsetof (Made, header.e_shentsize), 1, 2},
      {offsetof (Made, header.e_shoff), 0, 8},
      {offsetof (Made, header.e_shoff), sizeof (Made), 8},
      {offsetof (Made, header.e_shoff), G_MAXUINT64, 8},
      {offsetof (Made, header.e_shnum), 0, 2},
      {offsetof (Made, sections[1].sh_type), SHT_NULL, 4},
      {offsetof (Made, sections[1].sh_link), G_MAXUINT32, 4},
      {offsetof (Made, sections[1].sh_offset), sizeof (Made), 8},
      {offsetof (Made, sections[1].sh_size), 0, 8},
      {offsetof (Made, sections[2].sh_offset), sizeof (Made), 8},
      {offsetof (Made, sections[2].sh_size), 0, 8},
      {offsetof (Made, sections[2].sh_size), G_MAXUINT64, 8},
      {offsetof (Made, names[sizeof ((Made *)NULL)->names - 1]), 'x', 1},
  };
  char *directory = maker_directory ();

  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      Made made = make_module (SHT_SYMTAB);

      g_test_message ("%" G_GSIZE_FORMAT " = %" G_GUINT64_FORMAT, changes[i].at, changes[i].value);
      memcpy ((guint8 *)&made + changes[i].at, &changes[i].value, changes[i].size);
      check_made (directory, &made, sizeof made, 0x1000, NULL);
    }
  maker_remove (directory);
}

/* The file of its own is found by the build id only, and any other note is none. */
static void
test_build_id (void)
{
  char *directory = maker_directory ();
  g_autofree char *folder = g_build_filename (directory, ".build-id", "ab", NULL);
  const Made separate = make_module (SHT_SYMTAB), stripped = make_module (SHT_NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0777), ==, 0);
  maker_write (directory, ".build-id/ab/cdef.debug", &separate, sizeof separate);
  check_made (directory, &stripped, sizeof stripped, 0x1000, "global");
  for (guint i = 0; i < 6; i++)
    {
      Made made = stripped;

      if (i == 0)
        made.note.header.n_type = NT_GNU_ABI_TAG;
      else if (i == 1)
        made.note.header.n_namesz = 5;
      else if (i == 2)
        made.note.header.n_descsz = 1;
      else if (i == 3)
        made.note.header.n_descsz = G_MAXUINT32;
      else if (i == 4)
        made.note.name[0] = 'g';
      else
        made.sections[4].sh_offset = sizeof made;
      check_made (directory, &made, sizeof made, 0x1000, NULL);
    }
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/symbols/this-program", test_this_program);
  g_test_add_func ("/symbols/no-file", test_no_file);
  g_test_add_func ("/symbols/separate-file", test_separate_file);
  g_test_add_func ("/symbols/damaged", test_damaged);
  g_test_add_func ("/symbols/names", test_names);
  g_test_add_func ("/symbols/no-names", test_no_names);
  g_test_add_func ("/symbols/build-id", test_build_id);
  return g_test_run ();
}
