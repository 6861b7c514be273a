/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of the selection: to the next event, to another process, along an arc. The target is found in the
 * background. */
#ifndef LC_APP_DIAGRAM_STEPS_H
#define LC_APP_DIAGRAM_STEPS_H

#include "app/diagram/diagram-moves.h"

typedef struct _LcDiagramSteps LcDiagramSteps;

/* Makes steps that hold the session. */
LcDiagramSteps *lc_diagram_steps_new (LcSession *session);
void lc_diagram_steps_free (LcDiagramSteps *steps);

/* Select the event that a move of the selection leads to, and bring it into view; without a selection, the search
 * starts in the middle of the view. Events that the filters hide are skipped. */
void lc_diagram_steps_go (LcDiagramSteps *steps, LcMove move);
void lc_diagram_steps_to_row (LcDiagramSteps *steps, guint32 row);

#endif
