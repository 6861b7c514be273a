/* SPDX-License-Identifier: Apache-2.0 */
/* What objects are called after where they are, and what is said of modules that tell too little. */
#ifndef LC_WHERE_NAMING_H
#define LC_WHERE_NAMING_H

#include "lightcone/where.h"
#include "where/code-file.h"

/* Whether an object is called after its place: it has no name of its own, and is none that has one by what it is. */
gboolean lc_wants_name (const LcTraceObject *object);

/* Returns "mutex of Queue<int>::put pipe.cpp:7", or what is known of it; NULL: nothing. `module` is the path of the
 * site's, or NULL. Free the result. */
char *lc_dup_name_by_site (const char *class_name, const LcWhereSite *site, const char *module);

/* Whether a package brought a file of code, rather than the program's author. */
gboolean lc_is_packaged (const char *path);

/* Returns a sentence about a module that has not told all. Free it. */
char *lc_dup_problem (const char *path, LcCodeState state);

#endif
