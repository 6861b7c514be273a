/* SPDX-License-Identifier: Apache-2.0 */
/* What a fuzzer has besides its LLVMFuzzerTestOneInput: the inputs to begin with. */
#ifndef LC_TESTS_FUZZ_H
#define LC_TESTS_FUZZ_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size);

/* Appends seed `number` to `bytes`; FALSE: there are only so many. */
gboolean fuzz_seed (guint number, GByteArray *bytes);

#endif
