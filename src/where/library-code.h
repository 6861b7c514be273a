/* SPDX-License-Identifier: Apache-2.0 */
/* Tells code of a language's or the system's library from what a program's author wrote. */
#ifndef LC_WHERE_LIBRARY_CODE_H
#define LC_WHERE_LIBRARY_CODE_H

#include <glib.h>

/* Whether a file of code is one of LC_RUNTIME_MODULES, wherever it is. */
gboolean lc_is_library_module (const char *path);

/* Whether a place is in such a library, or in what a language's library put into the program. Each may be NULL. */
gboolean lc_is_library_code (const char *module, const char *function, const char *file);

#endif
