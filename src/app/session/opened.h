/* SPDX-License-Identifier: Apache-2.0 */
/* A history that is open in the browser, shared by the session and by whatever works on it in the background. */
#ifndef LC_APP_OPENED_H
#define LC_APP_OPENED_H

#include "lightcone/history.h"

/* It is never changed; any thread may hold it. The history is closed with the last reference. */
typedef struct
{
  LcHistory *history;
  char *directory;  /* the trace's */
  char *title;      /* to show: what was recorded */
  gboolean partial; /* it has only the beginning of the run: all of it is being merged */
  char *temporary;  /* the history's file, which goes with the last reference; NULL: it stays */
} LcOpened;

/* Takes the history. */
LcOpened *lc_opened_new (LcHistory *history, const char *directory, gboolean partial);

/* The same of the beginning of the run; `file` and its folder are removed in the end. */
LcOpened *lc_opened_new_beginning (LcHistory *history, const char *directory, const char *file);
void lc_opened_remove_temporary (const char *file);

LcOpened *lc_opened_ref (LcOpened *opened);
void lc_opened_unref (LcOpened *opened);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcOpened, lc_opened_unref)

#endif
