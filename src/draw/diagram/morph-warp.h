/* SPDX-License-Identifier: Apache-2.0 */
/* A map from one scene to another: events are mapped by their names, and everything else by the events around it. */
#ifndef LC_DRAW_MORPH_WARP_H
#define LC_DRAW_MORPH_WARP_H

#include "lightcone/scene.h"

typedef struct _LcWarp LcWarp;

/* The scenes must outlive the map. NULL with an error of the history. */
LcWarp *lc_warp_new (const LcScene *here, const LcScene *there, GCancellable *cancellable, GError **error);

/* Gives the way back, for positions only. */
LcWarp *lc_warp_new_inverse (const LcWarp *warp);
void lc_warp_free (LcWarp *warp);

/* Gives the mark of the same event in the other scene, or NULL. `mark` is one of `here`, or a copy of it. */
const LcMark *lc_warp_find_partner (const LcWarp *warp, const LcMark *mark);

/* Gives the position in the other scene. */
guint64 lc_warp_map (const LcWarp *warp, guint track, guint32 row, guint64 position);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcWarp, lc_warp_free)

#endif
