/* SPDX-License-Identifier: Apache-2.0 */
/* Where the things of one scene are in another: events by their names, all else by the events around it. */
#ifndef LC_DRAW_MORPH_WARP_H
#define LC_DRAW_MORPH_WARP_H

#include "lightcone/scene.h"

typedef struct _LcWarp LcWarp;

/* The scenes must outlive it. NULL with an error of the history. */
LcWarp *lc_warp_new (const LcScene *here, const LcScene *there, GCancellable *cancellable, GError **error);

/* Only for positions: the way back. */
LcWarp *lc_warp_new_inverse (const LcWarp *warp);
void lc_warp_free (LcWarp *warp);

/* The mark of the same event in the other scene, or NULL. The mark is one of `here`, perhaps a copy. */
const LcMark *lc_warp_find_partner (const LcWarp *warp, const LcMark *mark);

/* Where a position of a row is in the other scene. */
guint64 lc_warp_map (const LcWarp *warp, guint track, guint32 row, guint64 position);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcWarp, lc_warp_free)

#endif
