/* SPDX-License-Identifier: Apache-2.0 */
/* The symbols of a file of code. */
#ifndef LC_WHERE_SYMBOL_TABLE_H
#define LC_WHERE_SYMBOL_TABLE_H

#include "where/code-file.h"

typedef struct
{
  guint64 begin;
  guint64 size;
  const char *name; /* as in the file, and the file's */
  guint8 rank;      /* among several names of a place, the one with the highest rank is shown */
} LcCodeSymbol;

typedef struct
{
  GArray *functions; /* LcCodeSymbol, sorted by place, one for each place */
  GArray *variables; /* the same */
} LcSymbolTable;

/* Reads the full table of the file or of its separate one, or else that of what the file shows to others. */
LcSymbolTable *lc_symbol_table_new (const LcCodeFile *file);
void lc_symbol_table_free (LcSymbolTable *table);

/* The symbol of `functions` or `variables` that is at an address; NULL: none. */
const LcCodeSymbol *lc_symbol_table_find (const GArray *symbols, guint64 address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSymbolTable, lc_symbol_table_free)

#endif
