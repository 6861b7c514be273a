/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the large tables of a history; its sweep visitor is the first stage of a merge. */
#ifndef LC_HISTORY_WRITER_H
#define LC_HISTORY_WRITER_H

#include "block.h"
#include "database.h"
#include "lightcone/timeline.h"
#include "totals.h"
#include "uses.h"

typedef struct _LcWriter LcWriter;

/* Totals of a process's events so far. */
typedef struct
{
  guint64 events;
  guint64 begin; /* begin of the first event; 0: there is none */
  guint64 end;   /* end of the last event */
  guint64 layers;
} LcWriterProcess;

/*
 * Writes timeline 0 of a database that has the tables. Other threads own the database until lc_writer_wait returns
 * TRUE. `columns` is LC_COLUMN_MEASURED, _MOVED or _ALL: the columns of the blocks, which also decide on the other
 * tables.
 */
LcWriter *lc_writer_new (LcDatabase *database, LcTrace *trace, const LcRules *rules, LcColumns columns, GError **error);

/* Ends the threads if they still run; what they have written is then useless. */
void lc_writer_free (LcWriter *writer);

/* Returns the visitor for a sweep of the trace with these rules, which writes the measured timeline. */
LcSweepVisitor *lc_writer_get_visitor (LcWriter *writer);

/* Adds an event of another timeline. */
void lc_writer_add (LcWriter *writer, const LcSweepStep *step, const LcTimelineEvent *event);

/* FALSE: writing has failed or was abandoned, and it is useless to go on. */
gboolean lc_writer_can_write (const LcWriter *writer);

/* lc_writer_finish sends what is left after the sweep; then call lc_writer_wait until it returns TRUE. */
void lc_writer_finish (LcWriter *writer);
gboolean lc_writer_wait (LcWriter *writer, gint64 until);

/* Nobody wants the result: the rest is not written, so that the wait is short. */
void lc_writer_abandon (LcWriter *writer);

/* Must be called when all has been written. FALSE with the error if writing has failed. */
gboolean lc_writer_check (LcWriter *writer, GError **error);
const LcWriterProcess *lc_writer_get_process (const LcWriter *writer, guint32 process);
const LcTotals *lc_writer_get_totals (const LcWriter *writer);
const LcUses *lc_writer_get_uses (const LcWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcWriter, lc_writer_free)

#endif
