/* SPDX-License-Identifier: Apache-2.0 */
/* Races: pairs of events whose order was decided by who came first, and that could have gone the other way. */
#ifndef LIGHTCONE_RACES_H
#define LIGHTCONE_RACES_H

#include "lightcone/sites.h"

G_BEGIN_DECLS

typedef enum
{
  LC_RACE_LOCK,    /* two acquisitions of a mutex, one after the other */
  LC_RACE_CREW,    /* a writer and the readers or the writer next to it */
  LC_RACE_TOKEN,   /* two takers of tokens of a semaphore that follow each other */
  LC_RACE_WAKE_UP, /* two who waited at a condition: a signal woke one of them */
  LC_RACE_WORK,    /* two takers of pieces of work that follow each other */
  LC_RACE_MESSAGE, /* two receives from any sender, or probes, one after the other: either could have had the other's
                      message */
} LcRaceKind;
#define LC_RACE_KINDS 6

/* "lock", "crew", "token", "wake-up", "work", "message". */
const char *lc_race_kind_name (LcRaceKind kind);

typedef struct
{
  guint64 ordinal;
  guint64 begin;
  guint64 end;
  guint64 slack; /* ns that its end could have been later without the run's end moving */
  gint64 sequence;
  guint32 process;
  guint32 stack; /* or LC_TRACE_NONE */
  guint16 operation;
  guint32 from_process; /* of a receive or of who was woken: the sender, or who sent the signal; else LC_TRACE_NONE */
  guint64 from_ordinal;
} LcRaceEvent;

/*
 * Two neighbours in the order of an object. They could have gone the other way if the second was free to begin before
 * the first had ended: neither program order nor any other arc puts the second's begin after the first's end (of
 * messages: the second one's sending after the first receive; of wake-ups: the second's begin after the signal that
 * woke the first). All other orders are taken as they were.
 */
typedef struct
{
  LcRaceKind kind;
  guint32 object;
  LcRaceEvent first, second; /* on different processes; the two receives of a message's race are on one */
  gboolean is_free;          /* they could have gone the other way */
} LcRacePair;

/* How long after the first was over the second was asked for: 0, if they were near enough to meet. */
guint64 lc_race_pair_get_apart (const LcRacePair *pair);

typedef void (*LcRaceVisit) (const LcRacePair *pair, gpointer data);

/* Visits all pairs of neighbours on different processes, in one pass over the measured timeline from its end to its
 * begin. It holds what lies between such pairs, never the history. FALSE with LC_HISTORY_ERROR or
 * G_IO_ERROR_CANCELLED. */
gboolean lc_races_visit (LcHistory *history, const LcRules *rules, LcRaceVisit visit, gpointer data,
                         GCancellable *cancellable, GError **error);

/* The pairs of one kind and object at the same two places in the source, whichever of them came first. */
typedef struct
{
  LcRaceKind kind;
  guint32 object;
  guint32 first; /* group of the example's first event */
  guint32 second;
  guint64 pairs;      /* that could have gone the other way */
  guint64 ordered;    /* that could not */
  guint64 waits;      /* of `pairs`: the second waited */
  LcRacePair nearest; /* of `pairs`: the one with least slack and least apart, together */
} LcRaceGroup;

typedef struct
{
  GArray *groups; /* LcRaceGroup with `pairs`; see lc_races_find */
  guint64 pairs;
  guint64 ordered; /* those of groups without `pairs` included */
} LcRaces;

/*
 * The pairs whose second event ends from `from` to before `to`, in groups. Groups at two different places come before
 * those where both events are at the same one; then the ones whose example is nearest (its least slack, and apart);
 * then those with most pairs.
 */
LcRaces *lc_races_find (LcHistory *history, const LcRules *rules, LcSiteGroups *groups, guint64 from, guint64 to,
                        GCancellable *cancellable, GError **error);
void lc_races_free (LcRaces *races);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcRaces, lc_races_free)

G_END_DECLS

#endif
