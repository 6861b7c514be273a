/* SPDX-License-Identifier: Apache-2.0 */
/* A small trace with a history, made once: what fuzzers of all that is asked of histories begin with. */
#ifndef LC_TESTS_FUZZ_MERGED_H
#define LC_TESTS_FUZZ_MERGED_H

#include <glib.h>

/* The trace's directory; it is removed when the program ends. */
const char *merged_get_directory (void);
const char *merged_get_history (void);

#endif
