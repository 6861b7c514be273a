/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how a program ended, and whether it ended as it did when it was recorded. */
#ifndef LC_CLI_PROGRAM_END_H
#define LC_CLI_PROGRAM_END_H

#include "lightcone/trace.h"

typedef enum
{
  LC_END_UNKNOWN, /* not told; or it was ended from here */
  LC_END_EXITED,
  LC_END_SIGNALLED,
  LC_END_DEADLOCK,
  LC_END_HANG,
  LC_END_WAITING, /* it was ended while its threads waited for what they had waited for at the end of the recording ...
                   */
  LC_END_CUT,     /* ... or while not all of them did */
} LcEndKind;

typedef struct
{
  LcEndKind kind;
  int number;          /* the exit status, or the signal */
  gboolean is_waiting; /* of a recorded run: somebody else ended it, and all of its threads waited then */
} LcProgramEnd;

typedef enum
{
  LC_END_OPEN, /* one of them is not known, or was brought from outside */
  LC_END_SAME,
  LC_END_OTHER,
} LcEndMatch;

/* Gives the end of the run that a trace is of. `is_waiting`: all of its threads were in operations when it ended. */
LcProgramEnd lc_program_end_of_trace (LcTrace *trace, gboolean is_waiting);

/* Gives the end that waitpid tells. */
LcProgramEnd lc_program_end_of_status (int status);

/* Gives the end of the programs of a launcher, which tells a signal that ended one of them by its own exit status. */
LcProgramEnd lc_program_end_of_launched (const LcProgramEnd *launcher);

/* Whether it ended well. */
gboolean lc_program_end_is_good (const LcProgramEnd *end);

LcEndMatch lc_program_end_match (const LcProgramEnd *recorded, const LcProgramEnd *again);

/* Gives "by SIGSEGV" or "with exit status 3"; free with g_free. */
char *lc_program_end_to_text (const LcProgramEnd *end);

/* Says how one run ended, beside the recorded one. `quiet`: only if it is another end. */
void lc_program_end_tell (const LcProgramEnd *recorded, const LcProgramEnd *again, gboolean quiet);

/* Counts how several runs ended. All zero: there were none. */
typedef struct
{
  GArray *ends; /* struct in program-end.c */
  guint n, n_same, n_other;
} LcEndTally;

void lc_end_tally_add (LcEndTally *tally, const LcProgramEnd *recorded, const LcProgramEnd *again);
void lc_end_tally_clear (LcEndTally *tally);

/* Gives "3 with exit status 0, 1 by SIGSEGV", of those that did not end as they should; free with g_free. */
char *lc_end_tally_list_others (const LcEndTally *tally);

/* Says how many ended as the recorded run did, and how the others did, if any of them did not end well. */
void lc_end_tally_tell (const LcEndTally *tally, const LcProgramEnd *recorded);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcEndTally, lc_end_tally_clear)

#endif
