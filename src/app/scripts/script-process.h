/* SPDX-License-Identifier: Apache-2.0 */
/* Runs lightcone with scripts, as processes of their own. */
#ifndef LC_APP_SCRIPT_PROCESS_H
#define LC_APP_SCRIPT_PROCESS_H

#include "app/job.h"

/* FALSE: Lightcone was built without Guile. */
gboolean lc_script_process_is_possible (void);

typedef struct
{
  char *output;    /* what it has written */
  char *complaint; /* the first line of what went wrong all the same, or "" */
} LcScriptSaid;

void lc_script_said_free (LcScriptSaid *said);

/* Work of a job: runs lightcone with these arguments (char **), and with limits of time and memory. The process ends
 * when it is cancelled. The result is an LcScriptSaid; the error of a process that has failed has its complaint. */
gpointer lc_script_process_work (gpointer arguments, LcJobPermille *done, GCancellable *cancellable, GError **error);

/* Has views of scripts drawn by lightcone export. To be called once, before windows are there. */
void lc_script_process_install (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcScriptSaid, lc_script_said_free)

#endif
