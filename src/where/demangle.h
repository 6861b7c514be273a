/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the names of C++ and Rust in symbol tables back into those of the source. */
#ifndef LC_WHERE_DEMANGLE_H
#define LC_WHERE_DEMANGLE_H

#include <glib.h>

/*
 * Returns the name to show of a symbol: "Queue<int>::put" for "_ZN5QueueIiE3putEi", without its parameters; "work" for
 * "work.part.0", which the compiler made of it. Other names are given as they are, and very long ones cut off. Free
 * the result.
 */
char *lc_demangle (const char *symbol);

/* Whether the compiler made the function of a parallel region of another one, whose whole name it has then. */
gboolean lc_is_outlined (const char *symbol);

#endif
