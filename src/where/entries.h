/* SPDX-License-Identifier: Apache-2.0 */
/* What functions and variables of debugging information are called. */
#ifndef LC_WHERE_ENTRIES_H
#define LC_WHERE_ENTRIES_H

#include <elfutils/libdw.h>
#include <glib.h>

/* How deep entries are followed into one another: no compiler comes near it. */
#define LC_ENTRY_DEPTH 128

/*
 * Returns the name to show of a function or variable, with the namespaces and classes that it is in. `symbol` is that
 * of its address, or NULL: it is only asked when the entry does not say. NULL: not known. Free the result.
 */
char *lc_entry_dup_name (Dwarf_Die *entry, const char *symbol);

/* Follows an attribute to another entry. */
gboolean lc_entry_follow (Dwarf_Die *entry, guint attribute, Dwarf_Die *result);

/* The class that a function is declared in; FALSE: none. */
gboolean lc_entry_find_class (Dwarf_Die *entry, Dwarf_Die *result);

/* How many entries there can be in a unit: whoever has seen more goes in circles. */
guint64 lc_entry_limit (Dwarf_Die *unit);

/* The file that an entry is declared in, or NULL. */
const char *lc_entry_get_file (Dwarf_Die *entry);

#endif
