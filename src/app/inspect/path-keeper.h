/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of the shown timeline, found once for all its users, with a current stay to step from. */
#ifndef LC_APP_PATH_KEEPER_H
#define LC_APP_PATH_KEEPER_H

#include "app/session/session.h"

/* Emits "changed" when a path is found or dropped, and when another stay becomes the current one. */
#define LC_TYPE_PATH_KEEPER (lc_path_keeper_get_type ())
G_DECLARE_FINAL_TYPE (LcPathKeeper, lc_path_keeper, LC, PATH_KEEPER, GObject)

#define LC_PATH_NO_STAY G_MAXSIZE

/* Returns the keeper of a session, which belongs to the session. */
LcPathKeeper *lc_path_keeper_of (LcSession *session);

/* Returns the LcCriticalPath of the shown timeline, which belongs to the keeper; NULL: not found yet. */
LcKept *lc_path_keeper_get_path (LcPathKeeper *keeper);

/* Starts a search for the path if there is none. */
void lc_path_keeper_want (LcPathKeeper *keeper);

/* Returns the current stay, or LC_PATH_NO_STAY. */
gsize lc_path_keeper_get_stay (LcPathKeeper *keeper);

/* Makes a stay the current one, and shows it in the diagram. */
void lc_path_keeper_go_to (LcPathKeeper *keeper, gsize stay);

/* Goes to the stay before (-1) or after (1) the current one; searches for the path first if need be. */
void lc_path_keeper_step (LcPathKeeper *keeper, int step);

/* Returns the stay that contains a time; a hop belongs to the stay that it leads to. */
gsize lc_path_keeper_find_stay (LcPathKeeper *keeper, guint64 time);

/* Shows a part of the run: selects its event (NULL: none), and zooms to it on the axis of physical time. */
void lc_path_reveal (LcSession *session, guint32 process, guint64 begin, guint64 end, const LcEventName *event);

#endif
