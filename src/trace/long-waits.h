/* SPDX-License-Identifier: Apache-2.0 */
/* Looks in the places of a recording that goes on for operations that wait for too long, and for long regions. */
#ifndef LC_TRACE_LONG_WAITS_H
#define LC_TRACE_LONG_WAITS_H

#include "lightcone/recording.h"

typedef struct _LcLongWaits LcLongWaits;

/* `heads`: the descriptor of heads-0. The control block must live as long. */
LcLongWaits *lc_long_waits_new (const LcLongWaitSettings *settings, struct lc_control *control, int heads);
void lc_long_waits_free (LcLongWaits *waits);

/* Looks at the first `places` places of heads-0, which is at `memory`, and tells of a wait when it is time for that.
 * NULL: nothing is looked for. */
void lc_long_waits_look (LcLongWaits *waits, const guint8 *memory, guint32 places);

#endif
