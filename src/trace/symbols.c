/* SPDX-License-Identifier: Apache-2.0 */
/* Reads ELF symbol tables, whatever bytes the files hold. */
#include "symbols.h"

#include <elf.h>
#include <string.h>

#include "files.h"

#define DEBUG_DIRECTORY "/usr/lib/debug"
#define MODULE_LIMIT (UINT64_C (4) << 30)
#define LARGEST_BUILD_ID 64

typedef struct
{
  guint64 begin, size;
  const char *name; /* in the mapped file */
  guint8 rank;      /* which of several names for one place is shown: the highest */
} Symbol;

typedef struct
{
  LcMapped file;
  GArray *symbols; /* Symbol, sorted by place, one a place */
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
  lc_mapped_clear (&module->file);
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
copy_out (const LcMapped *file, guint64 offset, void *result, gsize size)
{
  if (offset > file->size || size > file->size - offset)
    return FALSE;
  memcpy (result, file->bytes + offset, size);
  return TRUE;
}

static gboolean
read_header (const LcMapped *file, Elf64_Ehdr *header)
{
  const guint8 data = G_BYTE_ORDER == G_LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;

  return copy_out (file, 0, header, sizeof *header) && memcmp (header->e_ident, ELFMAG, SELFMAG) == 0 &&
         header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == data &&
         header->e_shentsize == sizeof (Elf64_Shdr);
}

static gboolean
read_section (const LcMapped *file, const Elf64_Ehdr *header, guint64 number, Elf64_Shdr *section)
{
  guint64 offset;

  return !__builtin_add_overflow (header->e_shoff, number * sizeof *section, &offset) &&
         copy_out (file, offset, section, sizeof *section);
}

/* More than 65279 sections are counted elsewhere. */
static guint64
count_sections (const LcMapped *file, const Elf64_Ehdr *header)
{
  Elf64_Shdr first;

  if (header->e_shoff == 0)
    return 0;
  if (header->e_shnum != 0)
    return header->e_shnum;
  return read_section (file, header, 0, &first) ? MIN (first.sh_size, file->size / sizeof first) : 0;
}

static gboolean
find_section (const LcMapped *file, const Elf64_Ehdr *header, guint32 type, Elf64_Shdr *section, guint64 *from)
{
  for (guint64 n = count_sections (file, header); *from < n; (*from)++)
    {
      if (!read_section (file, header, *from, section))
        return FALSE;
      if (section->sh_type == type)
        {
          (*from)++;
          return TRUE;
        }
    }
  return FALSE;
}

/* A name in a table of strings, which must end with a zero byte; NULL: none is there. */
static const char *
find_string (const LcMapped *file, const Elf64_Shdr *strings, guint64 offset)
{
  const char *bytes = (const char *)file->bytes;

  if (strings->sh_offset > file->size || strings->sh_size > file->size - strings->sh_offset ||
      offset >= strings->sh_size || bytes[strings->sh_offset + strings->sh_size - 1] != '\0')
    return NULL;
  return bytes + strings->sh_offset + offset;
}

/* Assembly code often does not say how long its functions are: then as far as the section goes. */
static guint64
size_of (const LcMapped *file, const Elf64_Ehdr *header, const Elf64_Sym *entry)
{
  Elf64_Shdr section;

  if (entry->st_size != 0)
    return entry->st_size;
  if (entry->st_shndx >= SHN_LORESERVE || !read_section (file, header, entry->st_shndx, &section) ||
      entry->st_value < section.sh_addr || entry->st_value - section.sh_addr >= section.sh_size)
    return 1;
  return section.sh_size - (entry->st_value - section.sh_addr);
}

static void
add_symbol (Module *module, const Elf64_Ehdr *header, const Elf64_Shdr *strings, const Elf64_Sym *entry)
{
  guint type = ELF64_ST_TYPE (entry->st_info), binding = ELF64_ST_BIND (entry->st_info);
  Symbol symbol = {.begin = entry->st_value};

  if ((type != STT_FUNC && type != STT_GNU_IFUNC) || entry->st_shndx == SHN_UNDEF)
    return;
  symbol.name = find_string (&module->file, strings, entry->st_name);
  if (symbol.name == NULL || *symbol.name == '\0')
    return;
  symbol.size = size_of (&module->file, header, entry);
  symbol.rank = binding == STB_GLOBAL ? 2 : binding == STB_WEAK ? 1 : 0;
  g_array_append_val (module->symbols, symbol);
}

static gboolean
read_table (Module *module, const Elf64_Ehdr *header, guint32 type)
{
  const LcMapped *file = &module->file;
  Elf64_Shdr table, strings;
  guint64 from = 0, n;

  if (!find_section (file, header, type, &table, &from) || table.sh_offset > file->size ||
      !read_section (file, header, table.sh_link, &strings))
    return FALSE;
  n = MIN (table.sh_size, file->size - table.sh_offset) / sizeof (Elf64_Sym);
  for (guint64 i = 0; i < n; i++)
    {
      Elf64_Sym entry;

      if (copy_out (file, table.sh_offset + i * sizeof entry, &entry, sizeof entry))
        add_symbol (module, header, &strings, &entry);
    }
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

/* Where the symbols of a stripped module would be; NULL: it has no build id. */
static char *
find_debug_file (const LcSymbols *symbols, const LcMapped *file, const Elf64_Ehdr *header)
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

static gboolean
load_table (Module *module, const char *path, guint32 type)
{
  Elf64_Ehdr header;

  return lc_file_map (path, MODULE_LIMIT, &module->file, NULL) && read_header (&module->file, &header) &&
         read_table (module, &header, type);
}

static gboolean
load_debug_file (const LcSymbols *symbols, Module *module, const char *path)
{
  g_auto (LcMapped) file = {NULL};
  g_autofree char *debug = NULL;
  Elf64_Ehdr header;

  if (!lc_file_map (path, MODULE_LIMIT, &file, NULL) || !read_header (&file, &header))
    return FALSE;
  debug = find_debug_file (symbols, &file, &header);
  return debug != NULL && load_table (module, debug, SHT_SYMTAB);
}

/* The full table of the file, else the one of its separate file, else the names that other modules can see. */
static Module *
load (const LcSymbols *symbols, const char *path)
{
  Module *module = g_new0 (Module, 1);

  module->symbols = g_array_new (FALSE, FALSE, sizeof (Symbol));
  if (!load_table (module, path, SHT_SYMTAB))
    {
      lc_mapped_clear (&module->file);
      if (!load_debug_file (symbols, module, path))
        {
          lc_mapped_clear (&module->file);
          load_table (module, path, SHT_DYNSYM);
        }
    }
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
      module = load (symbols, path);
      g_hash_table_insert (symbols->modules, g_strdup (path), module);
    }
  symbol = find_symbol (module->symbols, offset);
  return symbol != NULL ? g_utf8_make_valid (symbol->name, -1) : NULL;
}
