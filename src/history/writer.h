/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what a sweep says into the tables of a history that hold much; the visitor that begins it all. */
#ifndef LC_HISTORY_WRITER_H
#define LC_HISTORY_WRITER_H

#include "block.h"
#include "database.h"
#include "lightcone/timeline.h"
#include "totals.h"

typedef struct _LcWriter LcWriter;

/* What it has seen of a process. */
typedef struct
{
  guint64 events;
  guint64 begin; /* of the first; 0 when there is none */
  guint64 end;   /* of the last */
  guint64 layers;
} LcWriterProcess;

/*
 * Into a database that has the tables, as its timeline 0. It belongs to other threads until lc_writer_wait says that
 * they have ended. `columns` is LC_COLUMN_MEASURED, _MOVED or _ALL: what blocks have, and with it which of the other
 * tables are filled.
 */
LcWriter *lc_writer_new (LcDatabase *database, LcTrace *trace, const LcRules *rules, LcColumns columns, GError **error);

/* Ends the threads if need be, with nothing of use in the database. */
void lc_writer_free (LcWriter *writer);

/* For a sweep of the trace with these rules: the measured timeline. */
LcSweepVisitor *lc_writer_get_visitor (LcWriter *writer);

/* One event of another one. */
void lc_writer_add (LcWriter *writer, const LcSweepStep *step, const LcTimelineEvent *event);

/* FALSE: nothing can be written any more, and there is no use to go on. */
gboolean lc_writer_can_write (const LcWriter *writer);

/* After the sweep: hands over what is left. Then wait until all is written, which TRUE says. */
void lc_writer_finish (LcWriter *writer);
gboolean lc_writer_wait (LcWriter *writer, gint64 until);

/* Nobody wants it any more: what is left to write is not written, and the wait is short. */
void lc_writer_abandon (LcWriter *writer);

/* When all is written. FALSE: it was not written, and why. */
gboolean lc_writer_check (LcWriter *writer, GError **error);
const LcWriterProcess *lc_writer_get_process (const LcWriter *writer, guint32 process);
const LcTotals *lc_writer_get_totals (const LcWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcWriter, lc_writer_free)

#endif
