/* SPDX-License-Identifier: Apache-2.0 */
/* Work for a view in the background, one piece at a time: a new one takes the place of the one before. */
#ifndef LC_APP_JOB_H
#define LC_APP_JOB_H

#include <gio/gio.h>

/* How far it is, 0 to 1000; the thread sets it with g_atomic_int_set. */
typedef gint LcJobPermille;

/* In a thread. NULL with an error. */
typedef gpointer (*LcJobWork) (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error);

/* On the main thread. Takes the result; or it is NULL and there is an error. Not called for what was stopped. */
typedef void (*LcJobDone) (gpointer owner, gpointer result, const GError *error);

/* On the main thread, some ten times a second while it works. */
typedef void (*LcJobTick) (gpointer owner, double fraction);

typedef struct _LcJob LcJob;

/* `owner` is not held: it frees the job before it goes. `tick` may be NULL. */
LcJob *lc_job_new (gpointer owner, LcJobDone done, LcJobTick tick, GDestroyNotify free_result);

/* Stops what is being worked at, whose answer nobody hears. */
void lc_job_free (LcJob *job);
void lc_job_stop (LcJob *job);

/* Takes the data. */
void lc_job_start (LcJob *job, LcJobWork work, gpointer data, GDestroyNotify free_data);
gboolean lc_job_is_running (const LcJob *job);

#endif
