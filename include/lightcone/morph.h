/* SPDX-License-Identifier: Apache-2.0 */
/* Between two scenes: a picture on its way from one to the other. */
#ifndef LIGHTCONE_MORPH_H
#define LIGHTCONE_MORPH_H

#include "lightcone/scene.h"

G_BEGIN_DECLS

/*
 * `share` (0 to 1) of the way from one scene to another. Both are of the same history and have the same rows, and their
 * axes have the same unit. An event that both have is between where it is in the one and where it is in the other; all
 * else of a row goes along with the events around it. What only one of them has is there on its half of the way.
 * Where there are summaries they are stretched in the same way, and what they say is between what both say.
 *
 * At 0 it is as `from`, at 1 as `to`, with the names of events as on the timeline of `from`, which the query of the
 * result has too. What the two queries point at must live as long as it. NULL with LC_HISTORY_ERROR or
 * G_IO_ERROR_CANCELLED.
 */
LcScene *lc_scene_morph (const LcScene *from, const LcScene *to, double share, GCancellable *cancellable,
                         GError **error);

/*
 * The scene of a query with a timeline and one beside it (physical time), as one picture: `share` of the way from the
 * first to the second. Its span is on the axis between the two. Errors as lc_scene_new.
 */
LcScene *lc_scene_new_between (LcHistory *history, const LcSceneQuery *query, double share, GCancellable *cancellable,
                               GError **error);

/* Units of the axis of a projection, and where on it the part of the scene begins that it was made for. */
#define LC_PROJECTION_LENGTH G_GUINT64_CONSTANT (16777216)
#define LC_PROJECTION_START (LC_PROJECTION_LENGTH << 16)

/*
 * A copy of a scene on an axis that scenes of any kind of time can be brought to: what is from `from` to `to` on its
 * own axis is LC_PROJECTION_LENGTH units from LC_PROJECTION_START on. It is painted as a scene of physical time: what
 * has no length on its own axis is as long as it would be drawn if `from` to `to` were `pixels` long. Two projections
 * can be given to lc_scene_morph: that is how a picture goes over from one kind of time to another.
 */
LcScene *lc_scene_project (const LcScene *scene, double from, double to, double pixels);

G_END_DECLS

#endif
