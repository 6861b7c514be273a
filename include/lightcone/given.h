/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs that a program got from outside when it was recorded, for a replay to give back. */
#ifndef LIGHTCONE_GIVEN_H
#define LIGHTCONE_GIVEN_H

#include "lightcone/inputs-format.h"
#include "lightcone/inputs-plan.h"
#include "lightcone/trace.h"

G_BEGIN_DECLS

/* Whether the trace was to keep it. */
gboolean lc_given_is_kept (LcTrace *trace);

/* Whether it has inputs of ranks, kept by an older version, that cannot be given back. */
gboolean lc_given_is_older (LcTrace *trace);

/* Stands for the address spaces of all ranks of MPI. */
#define LC_GIVEN_RANKS LC_TRACE_NONE

/*
 * Writes what the processes of an address space of the trace got to a new file, for this user alone.
 * LC_TRACE_ERROR_DAMAGED if that is not readable, G_FILE_ERROR and G_IO_ERROR.
 */
gboolean lc_given_write (LcTrace *trace, guint32 instance, const char *path, GError **error);

/* Makes it ready for another run, in memory that a program may share. */
void lc_given_begin (struct lc_inputs_plan *plan);

/* Returns the inputs of a process; NULL: it is of another address space. */
const struct lc_inputs_process *lc_given_find (struct lc_inputs_plan *plan, guint32 process);

/* The one that has asked for something else; NULL: none has. */
const struct lc_inputs_process *lc_given_get_different (struct lc_inputs_plan *plan);

/* Returns the next input of a process; NULL: nothing more was recorded. */
const struct lc_input_record *lc_given_peek (struct lc_inputs_plan *plan, const struct lc_inputs_process *process);

/* The name of a call: "read". */
const char *lc_given_get_name (guint call);

G_END_DECLS

#endif
