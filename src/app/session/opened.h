/* SPDX-License-Identifier: Apache-2.0 */
/* A history that is open in the browser, shared by the session and its background work. */
#ifndef LC_APP_OPENED_H
#define LC_APP_OPENED_H

#include "lightcone/deadlock.h"
#include "lightcone/history.h"
#include "lightcone/sites.h"
#include "lightcone/slacks.h"

/* An LcOpened never changes but for what it keeps, so any thread may hold it. The last reference closes the history. */
typedef struct
{
  LcHistory *history;
  char *directory;  /* of the trace */
  char *title;      /* the name of the trace, for the user */
  gboolean partial; /* the history covers only the beginning of the run; the rest is still being merged */
  GMutex lock;
  LcSlacks *slacks;       /* asked for last, or NULL; protected by `lock` */
  LcDeadlocks *deadlocks; /* or NULL: not found yet; protected by `lock` */
  LcKeptBlame *blame;     /* found last, so that zooming a flame graph does not read the history again */
  char *temporary; /* the history's file, removed with the last reference: only what comes later is worth adding to */
  char *home;      /* the file that marks lie beside: the history's own, or that which will be there at the end */
} LcOpened;

/* Takes ownership of the history. */
LcOpened *lc_opened_new (LcHistory *history, const char *directory, gboolean partial);

/* Opens a history of only the beginning of the run; `file` and its folder are removed with the last reference. */
LcOpened *lc_opened_new_beginning (LcHistory *history, const char *directory, const char *file);
/* The same for a history of all that a recording which goes on has so far. */
LcOpened *lc_opened_new_growing (LcHistory *history, const char *directory, const char *file);
void lc_opened_remove_temporary (const char *file);

/* Gives the slack of a timeline's events, a reference, and keeps it until that of another one is asked for. With
 * `anyway`, or if there are few events, it is found; else NULL unless somebody has found it. NULL with an error:
 * LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. */
LcSlacks *lc_opened_find_slacks (LcOpened *opened, guint32 timeline, gboolean anyway, GCancellable *cancellable,
                                 GError **error);

/* Finds who waits for whom at the end of the run, once, for all pictures. FALSE with LC_HISTORY_ERROR or
 * G_IO_ERROR_CANCELLED. */
gboolean lc_opened_find_deadlocks (LcOpened *opened, GCancellable *cancellable, GError **error);
/* Those that have been found, or NULL; valid as long as the LcOpened. */
const LcDeadlocks *lc_opened_get_deadlocks (LcOpened *opened);

LcOpened *lc_opened_ref (LcOpened *opened);
void lc_opened_unref (LcOpened *opened);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcOpened, lc_opened_unref)

#endif
