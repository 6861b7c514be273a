/* SPDX-License-Identifier: Apache-2.0 */
/* The symbols of a file of code. */
#include "symbol-table.h"

#include <gelf.h>
#include <string.h>

/* Code of assembly has symbols without a size, and those extend to the next one, but not for ever. */
#define UNSIZED (UINT64_C (1) << 16)

static void
take_symbol (LcSymbolTable *table, const GElf_Sym *entry, const char *name)
{
  guint type = GELF_ST_TYPE (entry->st_info), binding = GELF_ST_BIND (entry->st_info);
  LcCodeSymbol symbol = {.begin = entry->st_value, .size = entry->st_size, .name = name};

  if (entry->st_shndx == SHN_UNDEF || entry->st_shndx == SHN_ABS || name == NULL || name[0] == '\0')
    return;
  symbol.rank = binding == STB_GLOBAL ? 2 : binding == STB_WEAK ? 1 : 0;
  if (type == STT_FUNC || type == STT_GNU_IFUNC)
    g_array_append_val (table->functions, symbol);
  else if (type == STT_OBJECT || type == STT_COMMON)
    g_array_append_val (table->variables, symbol);
}

static gboolean
take_section (LcSymbolTable *table, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
  Elf_Data *data = elf_getdata (section, NULL);
  gsize entry_size = gelf_fsize (elf, ELF_T_SYM, 1, EV_CURRENT);
  gsize n = data != NULL && entry_size > 0 ? MIN (data->d_size / entry_size, G_MAXINT) : 0;

  for (gsize i = 0; i < n; i++)
    {
      GElf_Sym entry;

      if (gelf_getsym (data, (int)i, &entry) != NULL)
        take_symbol (table, &entry, elf_strptr (elf, header->sh_link, entry.st_name));
    }
  return table->functions->len + table->variables->len > 0;
}

static gboolean
take_symbols (LcSymbolTable *table, Elf *elf, guint32 type)
{
  Elf_Scn *section = NULL;

  while (elf != NULL && (section = elf_nextscn (elf, section)) != NULL)
    {
      GElf_Shdr header;

      if (gelf_getshdr (section, &header) != NULL && header.sh_type == type)
        return take_section (table, elf, section, &header);
    }
  return FALSE;
}

static int
order_symbols (gconstpointer a, gconstpointer b)
{
  const LcCodeSymbol *left = a, *right = b;

  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  if (left->rank != right->rank)
    return left->rank > right->rank ? -1 : 1;
  return strcmp (left->name, right->name);
}

static void
keep_one_each (GArray *symbols)
{
  guint kept = 0;

  g_array_sort (symbols, order_symbols);
  for (guint i = 0; i < symbols->len; i++)
    {
      LcCodeSymbol symbol = g_array_index (symbols, LcCodeSymbol, i);

      if (kept == 0 || g_array_index (symbols, LcCodeSymbol, kept - 1).begin != symbol.begin)
        g_array_index (symbols, LcCodeSymbol, kept++) = symbol;
    }
  g_array_set_size (symbols, kept);
}

LcSymbolTable *
lc_symbol_table_new (const LcCodeFile *file)
{
  LcSymbolTable *table = g_new0 (LcSymbolTable, 1);

  table->functions = g_array_new (FALSE, FALSE, sizeof (LcCodeSymbol));
  table->variables = g_array_new (FALSE, FALSE, sizeof (LcCodeSymbol));
  if (!take_symbols (table, file->main.elf, SHT_SYMTAB) && !take_symbols (table, file->debug.elf, SHT_SYMTAB))
    take_symbols (table, file->main.elf, SHT_DYNSYM);
  keep_one_each (table->functions);
  keep_one_each (table->variables);
  for (guint i = 0; i < table->functions->len; i++)
    if (g_array_index (table->functions, LcCodeSymbol, i).size == 0)
      g_array_index (table->functions, LcCodeSymbol, i).size = UNSIZED;
  return table;
}

void
lc_symbol_table_free (LcSymbolTable *table)
{
  g_array_unref (table->functions);
  g_array_unref (table->variables);
  g_free (table);
}

const LcCodeSymbol *
lc_symbol_table_find (const GArray *symbols, guint64 address)
{
  guint low = 0, high = symbols->len;
  const LcCodeSymbol *symbol;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (symbols, LcCodeSymbol, middle).begin <= address)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return NULL;
  symbol = &g_array_index (symbols, LcCodeSymbol, low - 1);
  return address - symbol->begin < symbol->size ? symbol : NULL;
}
