/* SPDX-License-Identifier: Apache-2.0 */
/* The names of functions, from the symbol tables of the files of code that they are in. */
#ifndef LC_TRACE_SYMBOLS_H
#define LC_TRACE_SYMBOLS_H

#include <glib.h>

/* Keeps what it has read of each module. */
typedef struct _LcSymbols LcSymbols;

/* `debug_directory` is where separate symbol files are, by build id; NULL: /usr/lib/debug. */
LcSymbols *lc_symbols_new (const char *debug_directory);
void lc_symbols_free (LcSymbols *symbols);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSymbols, lc_symbols_free)

/*
 * The function at `offset` (an address less the module's load bias: an ELF st_value) of the file `module`, as its
 * symbol table has it (C++ names stay mangled). NULL if there is none or the file cannot be read. Free the result.
 */
char *lc_symbols_name (LcSymbols *symbols, const char *module, guint64 offset);

#endif
