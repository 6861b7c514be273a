/* SPDX-License-Identifier: Apache-2.0 */
/* Two events turned round: the program runs again, and the second one comes first. */
#ifndef LC_CLI_FLIP_H
#define LC_CLI_FLIP_H

#include "lightcone/history.h"
#include "lightcone/replay.h"
#include "replay-record.h"

typedef struct
{
  LcReplayStop first, second; /* in the recorded order; `first` of process LC_REPLAY_NONE: the message before */
  gboolean keeps_order; /* all else follows the recorded order as far as it goes; FALSE: all is free from then on */
  char **command;       /* or an empty list: the recorded one */
  const LcReplayRecord *record; /* how the run is recorded; NULL: it is not */
} LcFlip;

/* Reads "A,B": two events of the history, each PROCESS:ORDINAL; or "B", an acquisition or message, with the one before
 * it. */
gboolean lc_flip_parse (LcHistory *history, const char *text, LcFlip *flip, GError **error);

/* Runs the program as recorded, and then so that the second event comes before the first; prints what came of it and
 * how output and end differ. Returns the command's exit status. */
int lc_flip_events (LcHistory *history, const char *directory, const LcFlip *flip);

#endif
