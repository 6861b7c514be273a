/* SPDX-License-Identifier: Apache-2.0 */
/* Reads ELF symbol tables, whatever bytes the files hold. */
#include "symbols.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

#define DEBUG_DIRECTORY "/usr/lib/debug"
/* Most bytes to read of a symbol table, and of its names. */
#define TABLE_LIMIT (UINT64_C (1) << 30)
#define LARGEST_BUILD_ID 64

typedef struct
{
  guint64 begin, size;
  const char *name; /* points into the module's names */
  guint8 rank;      /* among several names of a place, the one with the highest rank is shown */
} Symbol;

typedef struct
{
  int fd;
  guint64 size;
} ModuleFile;

typedef struct
{
  char *names; /* string table of the file, which ends with a zero byte */
  guint64 names_size;
  GArray *symbols; /* Symbol, sorted by place, one for each place */
} Module;

struct _LcSymbols
{
  char *debug_directory;
  GHashTable *modules; /* path -> Module */
};

static void
module_free (gpointer data)
{
  Module *module = data;

  g_array_unref (module->symbols);
  g_free (module->names);
  g_free (module);
}

LcSymbols *
lc_symbols_new (const char *debug_directory)
{
  LcSymbols *symbols = g_new0 (LcSymbols, 1);

  symbols->debug_directory = g_strdup (debug_directory != NULL ? debug_directory : DEBUG_DIRECTORY);
  symbols->modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, module_free);
  return symbols;
}

void
lc_symbols_free (LcSymbols *symbols)
{
  g_free (symbols->debug_directory);
  g_hash_table_unref (symbols->modules);
  g_free (symbols);
}

/* --- ELF ------------------------------------------------------------------------------------------------------ */

static gboolean
copy_out (const ModuleFile *file, guint64 offset, void *result, gsize size)
{
  if (offset > file->size || size > file->size - offset)
    return FALSE;
  return lc_file_read (file->fd, result, size, offset) == (gssize)size;
}

static gboolean
symbols_read_header (const ModuleFile *file, Elf64_Ehdr *header)
{
  const guint8 data = G_BYTE_ORDER == G_LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;

  return copy_out (file, 0, header, sizeof *header) && memcmp (header->e_ident, ELFMAG, SELFMAG) == 0 &&
         header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == data &&
         header->e_shentsize == sizeof (Elf64_Shdr);
}

static gboolean
symbols_read_section (const ModuleFile *file, const Elf64_Ehdr *header, guint64 number, Elf64_Shdr *section)
{
  guint64 offset;

  return !__builtin_add_overflow (header->e_shoff, number * sizeof *section, &offset) &&
         copy_out (file, offset, section, sizeof *section);
}

/* The number of more than 65279 sections is stored in the first section. */
static guint64
count_sections (const ModuleFile *file, const Elf64_Ehdr *header)
{
  Elf64_Shdr first;

  if (header->e_shoff == 0)
    return 0;
  if (header->e_shnum != 0)
    return header->e_shnum;
  return symbols_read_section (file, header, 0, &first) ? MIN (first.sh_size, file->size / sizeof first) : 0;
}

static gboolean
find_section (const ModuleFile *file, const Elf64_Ehdr *header, guint32 type, Elf64_Shdr *section, guint64 *from)
{
  for (guint64 n = count_sections (file, header); *from < n; (*from)++)
    {
      if (!symbols_read_section (file, header, *from, section))
        return FALSE;
      if (section->sh_type == type)
        {
          (*from)++;
          return TRUE;
        }
    }
  return FALSE;
}

/* Returns the bytes of a section that are within the file; NULL: there are none. */
static void *
symbols_read_bytes (const ModuleFile *file, const Elf64_Shdr *section, guint64 *size)
{
  g_autofree void *bytes = NULL;

  if (section->sh_offset >= file->size)
    return NULL;
  *size = MIN (MIN (section->sh_size, file->size - section->sh_offset), TABLE_LIMIT);
  bytes = *size > 0 ? g_try_malloc ((gsize)*size) : NULL;
  return bytes != NULL && copy_out (file, section->sh_offset, bytes, (gsize)*size) ? g_steal_pointer (&bytes) : NULL;
}

/* A string table that ends with a zero byte makes sure that each name does. */
static gboolean
read_names (Module *module, const ModuleFile *file, const Elf64_Shdr *strings)
{
  g_clear_pointer (&module->names, g_free);
  module->names = symbols_read_bytes (file, strings, &module->names_size);
  return module->names != NULL && module->names_size == strings->sh_size &&
         module->names[module->names_size - 1] == '\0';
}

/* Reads all sections at once, so that functions without sizes do not need a read each; NULL: there are none. */
static Elf64_Shdr *
read_sections (const ModuleFile *file, const Elf64_Ehdr *header, guint64 *n)
{
  const Elf64_Shdr all = {.sh_offset = header->e_shoff, .sh_size = count_sections (file, header) * sizeof all};
  guint64 size = 0;
  Elf64_Shdr *sections = symbols_read_bytes (file, &all, &size);

  *n = sections != NULL ? size / sizeof *sections : 0;
  return sections;
}

/* The sections of a file, for functions without a size. */
typedef struct
{
  Elf64_Shdr *sections;
  guint64 n;
} Sections;

/* Returns the size of a function; assembly code often has none, and then the function extends to the end of its
 * section. */
static guint64
symbols_size_of (const Sections *sections, const Elf64_Sym *entry)
{
  const Elf64_Shdr *section;

  if (entry->st_size != 0)
    return entry->st_size;
  if (entry->st_shndx >= SHN_LORESERVE || entry->st_shndx >= sections->n)
    return 1;
  section = &sections->sections[entry->st_shndx];
  if (entry->st_value < section->sh_addr || entry->st_value - section->sh_addr >= section->sh_size)
    return 1;
  return section->sh_size - (entry->st_value - section->sh_addr);
}

static void
symbols_add_symbol (Module *module, const Sections *sections, const Elf64_Sym *entry)
{
  guint type = ELF64_ST_TYPE (entry->st_info), binding = ELF64_ST_BIND (entry->st_info);
  Symbol symbol = {.begin = entry->st_value};

  if ((type != STT_FUNC && type != STT_GNU_IFUNC) || entry->st_shndx == SHN_UNDEF ||
      entry->st_name >= module->names_size || module->names[entry->st_name] == '\0')
    return;
  symbol.name = module->names + entry->st_name;
  symbol.size = symbols_size_of (sections, entry);
  symbol.rank = binding == STB_GLOBAL ? 2 : binding == STB_WEAK ? 1 : 0;
  g_array_append_val (module->symbols, symbol);
}

static gboolean
read_table (Module *module, const ModuleFile *file, const Elf64_Ehdr *header, guint32 type)
{
  g_autofree Elf64_Shdr *all = NULL;
  g_autofree Elf64_Sym *entries = NULL;
  Sections sections = {NULL, 0};
  Elf64_Shdr table, strings;
  guint64 from = 0, size = 0;

  if (!find_section (file, header, type, &table, &from) ||
      !symbols_read_section (file, header, table.sh_link, &strings) || !read_names (module, file, &strings))
    return FALSE;
  sections.sections = all = read_sections (file, header, &sections.n);
  entries = symbols_read_bytes (file, &table, &size);
  for (guint64 i = 0; entries != NULL && i < size / sizeof *entries; i++)
    symbols_add_symbol (module, &sections, &entries[i]);
  return module->symbols->len > 0;
}

static int
compare_symbols (gconstpointer a, gconstpointer b)
{
  const Symbol *left = a, *right = b;

  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  if (left->rank != right->rank)
    return left->rank > right->rank ? -1 : 1;
  return strcmp (left->name, right->name);
}

static void
sort_symbols (GArray *symbols)
{
  guint kept = 0;

  g_array_sort (symbols, compare_symbols);
  for (guint i = 0; i < symbols->len; i++)
    {
      Symbol symbol = g_array_index (symbols, Symbol, i);

      if (kept == 0 || g_array_index (symbols, Symbol, kept - 1).begin != symbol.begin)
        g_array_index (symbols, Symbol, kept++) = symbol;
    }
  g_array_set_size (symbols, kept);
}

/* --- Separate symbol files ----------------------------------------------------------------------------------- */

static char *
format_build_id (const LcSymbols *symbols, const guint8 *id, guint size)
{
  GString *path = g_string_new (symbols->debug_directory);

  g_string_append_printf (path, "/.build-id/%02x/", id[0]);
  for (guint i = 1; i < size; i++)
    g_string_append_printf (path, "%02x", id[i]);
  g_string_append (path, ".debug");
  return g_string_free (path, FALSE);
}

/* Returns the path of the debug file of a stripped module; NULL: the module has no build id. */
static char *
find_debug_file (const LcSymbols *symbols, const ModuleFile *file, const Elf64_Ehdr *header)
{
  Elf64_Shdr section;
  guint64 from = 0;

  while (find_section (file, header, SHT_NOTE, &section, &from))
    {
      guint8 id[LARGEST_BUILD_ID];
      char name[4];
      Elf64_Nhdr note;

      if (section.sh_offset < file->size && copy_out (file, section.sh_offset, &note, sizeof note) &&
          note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof name && note.n_descsz > 1 &&
          note.n_descsz <= sizeof id && copy_out (file, section.sh_offset + sizeof note, name, sizeof name) &&
          memcmp (name, "GNU", sizeof name) == 0 &&
          copy_out (file, section.sh_offset + sizeof note + sizeof name, id, note.n_descsz))
        return format_build_id (symbols, id, note.n_descsz);
    }
  return NULL;
}

/* FALSE: the file cannot be read, or is no ELF file. */
static gboolean
open_module (ModuleFile *file, const char *path, Elf64_Ehdr *header)
{
  file->fd = lc_file_open (path, &file->size, NULL);
  if (file->fd < 0)
    return FALSE;
  if (symbols_read_header (file, header))
    return TRUE;
  close (file->fd);
  return FALSE;
}

static gboolean
load_table (Module *module, const char *path, guint32 type)
{
  Elf64_Ehdr header;
  ModuleFile file;
  gboolean good;

  if (!open_module (&file, path, &header))
    return FALSE;
  good = read_table (module, &file, &header, type);
  close (file.fd);
  return good;
}

static gboolean
load_debug_file (const LcSymbols *symbols, Module *module, const char *path)
{
  g_autofree char *debug = NULL;
  Elf64_Ehdr header;
  ModuleFile file;

  if (!open_module (&file, path, &header))
    return FALSE;
  debug = find_debug_file (symbols, &file, &header);
  close (file.fd);
  return debug != NULL && load_table (module, debug, SHT_SYMTAB);
}

/* Loads the file's full symbol table, else that of its debug file, else the dynamic one. */
static Module *
symbols_load (const LcSymbols *symbols, const char *path)
{
  Module *module = g_new0 (Module, 1);

  module->symbols = g_array_new (FALSE, FALSE, sizeof (Symbol));
  if (!load_table (module, path, SHT_SYMTAB) && !load_debug_file (symbols, module, path))
    load_table (module, path, SHT_DYNSYM);
  sort_symbols (module->symbols);
  return module;
}

/* --- Looking up ----------------------------------------------------------------------------------------------------
 */

static const Symbol *
find_symbol (const GArray *symbols, guint64 offset)
{
  guint low = 0, high = symbols->len;
  const Symbol *symbol;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (symbols, Symbol, middle).begin <= offset)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return NULL;
  symbol = &g_array_index (symbols, Symbol, low - 1);
  return offset - symbol->begin < symbol->size ? symbol : NULL;
}

char *
lc_symbols_name (LcSymbols *symbols, const char *path, guint64 offset)
{
  Module *module = g_hash_table_lookup (symbols->modules, path);
  const Symbol *symbol;

  if (module == NULL)
    {
      module = symbols_load (symbols, path);
      g_hash_table_insert (symbols->modules, g_strdup (path), module);
    }
  symbol = find_symbol (module->symbols, offset);
  return symbol != NULL ? g_utf8_make_valid (symbol->name, -1) : NULL;
}
