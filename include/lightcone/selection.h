/* SPDX-License-Identifier: Apache-2.0 */
/* The selection: what of a history a picture shows, apart from the part of the run and the style. */
#ifndef LIGHTCONE_SELECTION_H
#define LIGHTCONE_SELECTION_H

#include "lightcone/coloring.h"
#include "lightcone/critical-path.h"
#include "lightcone/filters.h"
#include "lightcone/history.h"
#include "lightcone/statistics.h"

G_BEGIN_DECLS

typedef enum
{
  LC_SCENE_PHYSICAL,
  LC_SCENE_LOGICAL,
  LC_SCENE_PHASE,
} LcSceneTime;

typedef enum
{
  LC_HIGHLIGHT_NONE,
  LC_HIGHLIGHT_CRITICAL_PATH,
  LC_HIGHLIGHT_PAST,   /* of an event; the rest is dim */
  LC_HIGHLIGHT_FUTURE, /* of an event; the rest is dim */
  LC_HIGHLIGHT_CONE,   /* both past and future */
} LcHighlightKind;

/* A summary has the flag of a side if any event may be in it that is on that side: it reaches to the last event of the
 * past, or from the first one of the future on. It is dim if it has neither flag. On a timeline with its own order,
 * summaries are left as they are. */

typedef struct
{
  LcHighlightKind kind;
  guint32 process; /* named as on the measured timeline */
  guint64 ordinal;

  /* Results found earlier, so that many scenes need not find them again. NULL: found for this scene. */
  const LcCriticalPath *path; /* of the query's timeline */
  const guint64 *past;        /* lc_causality_past, of the event */
  const guint64 *future;
} LcHighlight;

/*
 * A selection is part of each query for a scene, of the options of a picture, and of the choices in the browser. One
 * that was assigned borrows what it points at. One that was copied with lc_selection_copy owns it, and is cleared with
 * lc_selection_clear.
 */
typedef struct
{
  LcSceneTime time;
  guint32 lowest; /* the timelines that bound an event's end, or LC_TRACE_NONE both */
  guint32 highest;
  const guint32 *processes; /* rows; NULL: all */
  guint32 n_processes;
  const guint32 *row_ends; /* rows of several processes: row r is of processes[row_ends[r - 1]] (the first: [0]) to
                            * before processes[row_ends[r]], summed up; NULL: a row for each process */
  guint32 n_row_ends;
  const char *const *row_names; /* what rows are called; NULL, or NULL for a row: made of the names of its processes */
  LcFilters filters;            /* which events */
  gboolean hide_holding;
  gboolean hide_arcs;
  guint32 hidden;        /* what else pictures leave out: a bit for each LcDiagramKind; scenes have it all */
  LcColoring *coloring;  /* colours events by the function that called them; NULL: all alike */
  LcHighlight highlight; /* its results are borrowed in copies, too */
} LcSelection;

/* Selects everything, in physical time, without bounds. */
void lc_selection_init (LcSelection *selection);

/* Makes `copy` own all that `selection` points at. `history` may be NULL if there is no filter of operations. Named
 * rows need a list of processes. */
void lc_selection_copy (LcSelection *copy, const LcSelection *selection, LcHistory *history);
void lc_selection_clear (LcSelection *selection);

/* Makes a selection that owns show the processes and rows of another one. */
void lc_selection_set_rows (LcSelection *selection, const LcSelection *rows);

/* Counts the rows of a selection with processes. */
guint32 lc_selection_count_rows (const LcSelection *selection);

/* Whether both have the same processes in the same rows. */
gboolean lc_selection_equal_rows (const LcSelection *a, const LcSelection *b);

/* Gives the same processes and filters for a question about waits; it borrows what they point at. */
LcWaitsAsked lc_selection_get_asked (const LcSelection *selection);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcSelection, lc_selection_clear)

G_END_DECLS

#endif
