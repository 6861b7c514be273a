/* SPDX-License-Identifier: Apache-2.0 */
/* Closes a trace that was left open, before it is read. */
#ifndef LC_CLI_RECOVER_H
#define LC_CLI_RECOVER_H

typedef enum
{
  LC_RECOVER_NOT_NEEDED,
  LC_RECOVER_BUSY,   /* the trace is being recorded now */
  LC_RECOVER_DONE,   /* its recorder is gone, and the trace has been closed now */
  LC_RECOVER_FAILED, /* the trace is not closed and we cannot close it; the user has been told */
} LcRecoverState;

/* The trace can be read as far as it goes in all cases. A directory that is no trace needs no closing. */
LcRecoverState lc_recover (const char *directory);

#endif
