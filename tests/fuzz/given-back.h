/* SPDX-License-Identifier: Apache-2.0 */
/* What gives inputs back in a replayed program, in this one. */
#ifndef LC_TESTS_FUZZ_GIVEN_BACK_H
#define LC_TESTS_FUZZ_GIVEN_BACK_H

#include <glib.h>

struct lc_inputs_plan;

/* Makes the calls that the plan of `size` bytes has of a process, and looks whether what they give fits. */
void given_back (struct lc_inputs_plan *plan, gsize size, guint32 process);

#endif
