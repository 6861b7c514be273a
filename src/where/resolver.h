/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what is at the addresses of one file of code. */
#ifndef LC_WHERE_RESOLVER_H
#define LC_WHERE_RESOLVER_H

#include "where/code-file.h"
#include "where/frames.h"

typedef struct _LcResolver LcResolver;

/* Opens a file of code as lc_code_file_open does. Whatever is wrong with it, there is a resolver, which knows less. */
LcResolver *lc_resolver_new (const char *path, const char *build_id, const char *debug_directory);
void lc_resolver_free (LcResolver *resolver);

LcCodeState lc_resolver_get_state (const LcResolver *resolver);
gboolean lc_resolver_is_unread (const LcResolver *resolver); /* lc_code_file_is_unread */

/*
 * An array for what is found, LcFrame, whose names it owns. Files are the resolver's.
 */
GArray *lc_resolver_frames_new (void);

/*
 * Gives the functions that a call is in which returns to an address, the innermost first: it and those that it was put
 * into. With `is_entry`: the one in which a thread began that was there, as lc_frames_find_entry does. Nothing if not
 * even a symbol is known.
 */
void lc_resolver_find (LcResolver *resolver, guint64 address, gboolean is_entry, GArray *frames);

/* Returns the name of the variable or of its member at an address, or NULL. Free the result. */
char *lc_resolver_dup_variable (LcResolver *resolver, guint64 address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcResolver, lc_resolver_free)

#endif
