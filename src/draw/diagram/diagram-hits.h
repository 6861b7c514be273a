/* SPDX-License-Identifier: Apache-2.0 */
/* What a search has found in a diagram: marks beside the bodies of processes, which are seen at any zoom. */
#ifndef LC_DRAW_DIAGRAM_HITS_H
#define LC_DRAW_DIAGRAM_HITS_H

#include "lightcone/diagram.h"

typedef struct _LcDiagramHits LcDiagramHits;

LcDiagramHits *lc_diagram_hits_new (guint32 n_processes);
void lc_diagram_hits_free (LcDiagramHits *hits);

/* Adds an event that was found, by its places on the axis. Those of one process come in the order of the process. */
void lc_diagram_hits_add (LcDiagramHits *hits, guint32 process, guint64 from, guint64 to);

/* Paints over a diagram. `rows` has the row of each process, or LC_TRACE_NONE. The number of rectangles depends on the
 * size of the view only, so it is quick for a million hits too. */
void lc_diagram_hits_paint (const LcDiagramHits *hits, const guint32 *rows, const LcDiagramView *view,
                            LcCanvas *canvas);

/* Sets those of `n` equal parts of the axis in which any hit is, of a process that has a row. */
void lc_diagram_hits_find_parts (const LcDiagramHits *hits, const guint32 *rows, double from, double to, guint n,
                                 gboolean *parts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcDiagramHits, lc_diagram_hits_free)

#endif
