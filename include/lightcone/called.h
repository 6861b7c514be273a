/* SPDX-License-Identifier: Apache-2.0 */
/* Events by the place in the source that the program called them from. */
#ifndef LIGHTCONE_CALLED_H
#define LIGHTCONE_CALLED_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/*
 * A place is a function, a file, a line of a file, or a module, in the words that sites are shown with: "put",
 * "Queue<long>::put", "pipe.cpp", "src/pipe.cpp:7", "put() pipe.cpp:7", "libm.so.6". Upper and lower case are the same.
 * An event is called in a place if any frame of its stack is there: in parse() is also what functions called by parse()
 * do.
 */

/* Finds the stacks with a frame at the place: by number, to be freed with g_free. NULL: there are none. Unless
 * `exactly`, a place may also be a part of a name. */
gboolean *lc_called_find (LcHistory *history, const char *place, gboolean exactly);

/* What a name is the name of. */
typedef enum
{
  LC_PLACE_FUNCTION,
  LC_PLACE_FILE,
  LC_PLACE_LINE, /* "pipe.cpp:7" */
  LC_PLACE_MODULE,
} LcPlaceKind;

/* Finds the stacks with a frame at a place of this kind that has exactly this name, as lc_called_find does. */
gboolean *lc_called_find_kind (LcHistory *history, LcPlaceKind kind, const char *name);

/* The set of the events that were called in a place. */
typedef struct _LcCalled LcCalled;

/* A place that nothing is called exactly may be a part of names. The set does not need the history. */
LcCalled *lc_called_new (LcHistory *history, const char *place);
LcCalled *lc_called_ref (LcCalled *called);
void lc_called_unref (LcCalled *called);

const char *lc_called_get_place (const LcCalled *called);
gboolean lc_called_is_empty (const LcCalled *called);
gboolean lc_called_equal (const LcCalled *a, const LcCalled *b); /* NULL: all events */

/* Whether an event of the history, on any timeline, is in the set. */
gboolean lc_called_has (const LcCalled *called, const LcHistoryEvent *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcCalled, lc_called_unref)

G_END_DECLS

#endif
