/* SPDX-License-Identifier: Apache-2.0 */
/* A history that is open in the browser, shared by the session and its background work. */
#ifndef LC_APP_OPENED_H
#define LC_APP_OPENED_H

#include "lightcone/history.h"
#include "lightcone/sites.h"

/* An LcOpened never changes but for what it keeps, so any thread may hold it. The last reference closes the history. */
typedef struct
{
  LcHistory *history;
  char *directory;    /* of the trace */
  char *title;        /* the name of the trace, for the user */
  gboolean partial;   /* the history covers only the beginning of the run; the rest is still being merged */
  LcKeptBlame *blame; /* found last, so that zooming a flame graph does not read the history again */
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

LcOpened *lc_opened_ref (LcOpened *opened);
void lc_opened_unref (LcOpened *opened);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcOpened, lc_opened_unref)

#endif
