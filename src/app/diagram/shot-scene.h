/* SPDX-License-Identifier: Apache-2.0 */
/* The scenes from which a shot is laid out. */
#ifndef LC_APP_SHOT_SCENE_H
#define LC_APP_SHOT_SCENE_H

#include "app/diagram/shot.h"

/* Both functions are called in threads. */

/* Makes the scene of all rows in the shot's part of the axis. Returns NULL with the errors of lc_scene_new. */
LcScene *lc_shot_make_scene (const LcShotSubject *subject, GCancellable *cancellable, GError **error);

/* Makes a more detailed scene of only the shot's rows from `first_row` on, if they are few of many rows that had to be
 * summarized together. NULL without an error: `scene` is good enough. */
LcScene *lc_shot_make_detail (const LcShotSubject *subject, const LcScene *scene, guint32 *first_row,
                              GCancellable *cancellable, GError **error);

#endif
