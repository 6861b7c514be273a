/* SPDX-License-Identifier: Apache-2.0 */
/* Closes a trace that was left open, before it is read. */
#ifndef LC_CLI_RECOVER_H
#define LC_CLI_RECOVER_H

typedef enum
{
  LC_RECOVER_NOT_NEEDED,
  LC_RECOVER_BUSY,   /* it is being made at this moment */
  LC_RECOVER_DONE,   /* whoever made it is gone, and it has been closed */
  LC_RECOVER_FAILED, /* nobody has closed it, and we cannot; the user has been told */
} LcRecoverState;

/* In all cases the trace can be read as far as it goes. What is no trace needs no closing. */
LcRecoverState lc_recover (const char *directory);

#endif
