/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of the timeline that is shown: found once for all who need it, and gone along piece by piece. */
#ifndef LC_APP_PATH_KEEPER_H
#define LC_APP_PATH_KEEPER_H

#include "app/session/session.h"

/* Its signal "changed" tells that there is a path, or none any more, or that another stay is the current one. */
#define LC_TYPE_PATH_KEEPER (lc_path_keeper_get_type ())
G_DECLARE_FINAL_TYPE (LcPathKeeper, lc_path_keeper, LC, PATH_KEEPER, GObject)

#define LC_PATH_NO_STAY G_MAXSIZE

/* The one of a session; belongs to it. */
LcPathKeeper *lc_path_keeper_of (LcSession *session);

/* LcCriticalPath of the timeline that is shown, or NULL: it is not found yet. Belongs to the keeper. */
LcKept *lc_path_keeper_get_path (LcPathKeeper *keeper);

/* Looks for it if there is none. */
void lc_path_keeper_want (LcPathKeeper *keeper);

/* Which stay was gone to last, or LC_PATH_NO_STAY. */
gsize lc_path_keeper_get_stay (LcPathKeeper *keeper);

/* Shows a stay in the diagram. */
void lc_path_keeper_go_to (LcPathKeeper *keeper, gsize stay);

/* The same of the one before (-1) or after (1) it; looks for the path first if need be. */
void lc_path_keeper_step (LcPathKeeper *keeper, int step);

/* The stay that contains a time: a hop belongs to the stay that it leads to. */
gsize lc_path_keeper_find_stay (LcPathKeeper *keeper, guint64 time);

/* Shows a part of the run: selects its event (NULL: none), and zooms to it where time is physical. */
void lc_path_reveal (LcSession *session, guint32 process, guint64 begin, guint64 end, const LcEventName *event);

#endif
