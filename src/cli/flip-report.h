/* SPDX-License-Identifier: Apache-2.0 */
/* The report on a run with two events turned round, beside the one as recorded. */
#ifndef LC_CLI_FLIP_REPORT_H
#define LC_CLI_FLIP_REPORT_H

#include "lightcone/trace.h"
#include "replay-record.h"

/* Whether the program can be run twice: what a pipe gives can be read once only. */
gboolean lc_flip_can_run_twice (void);

/* Opens a new file that a program prints into. -1: the user has been told. */
int lc_flip_open_output (const char *path);

/* Shows what the program has printed, and where that differs from what it printed as recorded (NULL: that is not
 * known). `has_ranks`: lines of several ranks come in any order. TRUE: they are the same. */
gboolean lc_flip_show_output (const char *recorded, const char *came, gboolean has_ranks);

/* Says where the program did something else than recorded, in lines. */
void lc_flip_tell_difference (const char *text);

/* Says where the run is recorded; `record` may be NULL. */
void lc_flip_tell_trace (const LcReplayRecord *record);

/* The end of the run after the events were turned round. */
typedef struct
{
  gboolean keeps_order;
  gboolean has_ranks;
  gboolean has_hung; /* it did not end by itself */
  int status;        /* as waitpid gives it */
  gboolean is_same_output;
} LcFlipEnd;

/* Says how the program ended and returns the exit status. */
int lc_flip_tell_end (LcTrace *trace, const LcFlipEnd *end);

#endif
