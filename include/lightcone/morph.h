/* SPDX-License-Identifier: Apache-2.0 */
/* Morphs: pictures on the way from one scene to another. */
#ifndef LIGHTCONE_MORPH_H
#define LIGHTCONE_MORPH_H

#include "lightcone/scene.h"

G_BEGIN_DECLS

/*
 * Makes the scene at `share` (0 to 1) of the way from one scene to another. Both scenes are of the same history, with
 * the same rows and the same unit of the axis. An event of both scenes is between its two places; everything else in a
 * row moves with the events around it. An event of one scene only is there on that scene's half of the way. Summaries
 * are stretched in the same way, and their amounts are between those of both scenes.
 *
 * At 0 the result is as `from`, at 1 as `to`. Its events are named as on the timeline of `from`, and its query has that
 * timeline. Everything that the two queries point at must live as long as the result. NULL with LC_HISTORY_ERROR or
 * G_IO_ERROR_CANCELLED.
 */
LcScene *lc_scene_morph (const LcScene *from, const LcScene *to, double share, GCancellable *cancellable,
                         GError **error);

/*
 * Makes the scene of a query with a timeline and one beside it (physical time) as one picture: `share` of the way from
 * the first to the second. The span of the query is on the axis between the two. Errors are as for lc_scene_new.
 */
LcScene *lc_scene_new_between (LcHistory *history, const LcSceneQuery *query, double share, GCancellable *cancellable,
                               GError **error);

/* The length of a projection's axis, and the place on it at which the projected part of the scene begins. */
#define LC_PROJECTION_LENGTH G_GUINT64_CONSTANT (16777216)
#define LC_PROJECTION_START (LC_PROJECTION_LENGTH << 16)

/*
 * Copies a scene to an axis that is common to scenes of all kinds of time: the part from `from` to `to` takes
 * LC_PROJECTION_LENGTH units from LC_PROJECTION_START on. The copy is painted as a scene of physical time. Marks
 * without a length on their own axis get the length at which they would be drawn if `from` to `to` were `pixels` long.
 * Two projections can be given to lc_scene_morph, to morph from one kind of time to another.
 */
LcScene *lc_scene_project (const LcScene *scene, double from, double to, double pixels);

G_END_DECLS

#endif
