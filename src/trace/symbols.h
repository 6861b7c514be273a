/* SPDX-License-Identifier: Apache-2.0 */
/* Finds names of functions in the symbol tables of their modules. */
#ifndef LC_TRACE_SYMBOLS_H
#define LC_TRACE_SYMBOLS_H

#include <glib.h>

/* Caches the symbols of each module. */
typedef struct _LcSymbols LcSymbols;

/* `debug_directory` has the debug files by build id; NULL: /usr/lib/debug. */
LcSymbols *lc_symbols_new (const char *debug_directory);
void lc_symbols_free (LcSymbols *symbols);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSymbols, lc_symbols_free)

/*
 * Returns the function at `offset` (address minus load bias, as in ELF st_value) of the file `module`, as named in its
 * symbol table (C++ names stay mangled). NULL if there is none or the file cannot be read. Free the result.
 */
char *lc_symbols_name (LcSymbols *symbols, const char *module, guint64 offset);

#endif
