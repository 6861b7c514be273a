/* SPDX-License-Identifier: Apache-2.0 */
/* The function that code calls at each of its blocks if `lightcone cc` has compiled it: a tag. */
#include "program.h"

void __sanitizer_cov_trace_pc (void);

/*
 * The recorder takes its own return address for the place of a mark. It is called last and with nothing to come back
 * for, so that the compiler makes a jump of it, and the address is that of the block.
 */
void
__sanitizer_cov_trace_pc (void)
{
  const struct lc_hooks *hooks = lc_program_recorder_of (LC_CLASS_MARK);

  if (LC_UNLIKELY (hooks != NULL))
    hooks->tag (0);
}
