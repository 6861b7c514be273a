/* SPDX-License-Identifier: Apache-2.0 */
/* What a shot is laid out from: the scene of what is in it. */
#ifndef LC_APP_SHOT_SCENE_H
#define LC_APP_SHOT_SCENE_H

#include "app/diagram/shot.h"

/* Called in threads. */

/* All rows, in the part of the axis that the shot is of. NULL with the errors of lc_scene_new. */
LcScene *lc_shot_make_scene (const LcShotSubject *subject, GCancellable *cancellable, GError **error);

/* The rows from `first_row` on that the shot is of: if they are some of many, which were so much together that they had
 * to be summed up, then of these more can be told. NULL without an error: `scene` is as good. */
LcScene *lc_shot_make_detail (const LcShotSubject *subject, const LcScene *scene, guint32 *first_row,
                              GCancellable *cancellable, GError **error);

#endif
