/* SPDX-License-Identifier: Apache-2.0 */
/* The marks of users in a diagram: a frame with a colour and a pattern for each name, around events and over times. */
#ifndef LC_DRAW_DIAGRAM_MARKED_H
#define LC_DRAW_DIAGRAM_MARKED_H

#include "draw/canvas/frame.h"
#include "lightcone/diagram.h"
#include "lightcone/marks.h"

typedef struct _LcDiagramMarked LcDiagramMarked;

/* Finds the marks that are in the rows and the span of a scene, which must outlive the result. Names are numbered by
 * their order, so a name has the same look in every part of a run. `hidden`: names that are left out, or NULL. */
LcDiagramMarked *lc_diagram_marked_new (const LcScene *scene, const LcMarks *marks, const char *const *hidden,
                                        GError **error);
void lc_diagram_marked_free (LcDiagramMarked *marked);

/* Adds the names that are seen to the legend, and what cannot be shown to the notes. */
void lc_diagram_marked_describe (const LcDiagramMarked *marked, LcFrame *frame, LcCanvas *canvas);

/* The look of the name with this number among all names. */
LcFill lc_diagram_marked_get_fill (LcTheme theme, guint number);

/* Paints over a diagram. */
void lc_diagram_marked_paint (const LcDiagramMarked *marked, const LcDiagramView *view, LcCanvas *canvas);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcDiagramMarked, lc_diagram_marked_free)

#endif
