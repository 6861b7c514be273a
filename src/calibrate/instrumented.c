/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose entries and exits are recorded: this file is compiled with -finstrument-functions. */
#include <stdint.h>

/* Inlined functions are instrumented too, so the clock is read by a function of another file. */
uint64_t lc_now_in_function (void);
void lc_instrumented (uint64_t *inside);
void lc_instrumented_empty (void);

void
lc_instrumented (uint64_t *inside)
{
  *inside = lc_now_in_function ();
}

void
lc_instrumented_empty (void)
{
}
