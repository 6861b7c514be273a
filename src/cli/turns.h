/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program many times, by itself and recorded, and notices what else goes on meanwhile. */
#ifndef LC_CLI_TURNS_H
#define LC_CLI_TURNS_H

#include <glib.h>

/* How the program is run. */
typedef enum
{
  LC_TURN_BARE,      /* by itself */
  LC_TURN_REFERENCE, /* with nothing recorded but the begins and ends of threads, and regions */
  LC_TURN_RECORDED,
} LcTurnKind;

#define LC_TURN_KINDS 3

typedef struct
{
  char **command;
  const char *bare;           /* the program for runs that are not LC_TURN_RECORDED; NULL: the command's own */
  const char *input;          /* the file to read from; NULL: /dev/null */
  const char *const *options; /* further ones of `lightcone record` for LC_TURN_RECORDED, or NULL */
  const char *folder;         /* for what the program prints */
} LcTurnPlan;

typedef struct
{
  guint64 wall;       /* ns, from before its start until its end was noticed */
  gboolean disturbed; /* the processors did more than a little for others */
} LcTurn;

/*
 * Runs the program once; a trace is left in `trace`, where an old one is removed. Errors are G_SPAWN_ERROR, and
 * G_SPAWN_EXIT_ERROR with a message that has the end of what the program printed if its status is not 0. Interrupted by
 * the user: G_IO_ERROR_CANCELLED.
 */
gboolean lc_turn_take (const LcTurnPlan *plan, LcTurnKind kind, const char *trace, LcTurn *turn, GError **error);

/* From then on SIGINT and SIGTERM end only the present turn; returns what has come, or 0. */
void lc_turns_begin (void);
int lc_turns_get_signal (void);

#endif
