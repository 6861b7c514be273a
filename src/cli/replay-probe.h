/* SPDX-License-Identifier: Apache-2.0 */
/* Probes: expressions of the program that are evaluated before events of a replay, and become tags of a new trace. */
#ifndef LC_CLI_REPLAY_PROBE_H
#define LC_CLI_REPLAY_PROBE_H

#include <sys/types.h>

#include "lightcone/history.h"
#include "lightcone/replay.h"

typedef enum
{
  LC_PROBE_AT_EVENT,
  LC_PROBE_AT_PROCESS,
  LC_PROBE_AT_SITES, /* a line, or a function */
  LC_PROBE_AT_OBJECTS,
  LC_PROBE_AT_OPERATIONS,
} LcReplayProbePlace;

/* What the user wants: an expression, and before which events. */
typedef struct
{
  char *expression, *text; /* of the place */
  LcReplayProbePlace place;
  guint32 process;
  guint64 ordinal;
  gboolean *are_chosen; /* by number of the site, object or operation */
  guint32 n_chosen;
  guint64 n_events; /* that have it */
  guint64 n_values;
} LcReplayProbe;

typedef struct
{
  GArray *probes;     /* LcReplayProbe */
  GArray *sets;       /* guint32: the probes of an event, as bits; an event has the number of its set */
  guint64 n_events;   /* that have any */
  guint64 n_turnless; /* events at the places that have no turns */
  struct lc_replay_header *plan;
  const char *folder; /* for files of gdb's */
  pid_t gdb;          /* 0: it was not started; -1: it has gone */
  int answers;        /* from it; -1: there are none */
  GString *received;
  GPtrArray *failures; /* lines for the user */
  gboolean is_ready;   /* it looks into the program */
  char *reason;        /* why it does not any more, or NULL */
} LcReplayProbes;

/* Reads "EXPRESSION@PLACE", as often as the user gives it. FALSE with an error that is complete. */
gboolean lc_replay_probes_parse (LcReplayProbes *probes, char *const *texts, GError **error);

/* Finds the events, merging the trace if need be, and marks them in the plan, which must live longer. FALSE with an
 * error if there is no such place, or none of its events has a turn. */
gboolean lc_replay_probes_find (LcReplayProbes *probes, const char *directory, struct lc_replay_header *plan,
                                GError **error);

/* Starts gdb when this program runs, and takes what it says. To be called again and again. */
void lc_replay_probes_look (LcReplayProbes *probes, pid_t program);

/* Ends gdb when the program has ended, and tells the user what could not be evaluated; all else unless `quiet`. FALSE:
 * some expression has no value at all. */
gboolean lc_replay_probes_end (LcReplayProbes *probes, gboolean quiet);

void lc_replay_probes_clear (LcReplayProbes *probes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcReplayProbes, lc_replay_probes_clear)

#endif
