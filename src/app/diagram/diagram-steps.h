/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of the selection: to the next event, to another process, along an arc. They are looked for in the background.
 */
#ifndef LC_APP_DIAGRAM_STEPS_H
#define LC_APP_DIAGRAM_STEPS_H

#include "app/diagram/diagram-moves.h"

typedef struct _LcDiagramSteps LcDiagramSteps;

/* It holds the session. */
LcDiagramSteps *lc_diagram_steps_new (LcSession *session);
void lc_diagram_steps_free (LcDiagramSteps *steps);

/* Selects what a move of the selection leads to, and brings it into view; without a selection, what is in the middle
 * of what is in view. Only events that the filters leave are there. */
void lc_diagram_steps_go (LcDiagramSteps *steps, LcMove move);
void lc_diagram_steps_to_row (LcDiagramSteps *steps, guint32 row);

#endif
