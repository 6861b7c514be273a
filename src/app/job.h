/* SPDX-License-Identifier: Apache-2.0 */
/* Background work of the browser, done by threads: for a view, which wants the newest only, or once, to its end. */
#ifndef LC_APP_JOB_H
#define LC_APP_JOB_H

#include <gio/gio.h>

/* The progress from 0 to 1000; the worker thread sets it with g_atomic_int_set. */
typedef gint LcJobPermille;

/* The work, called in a thread. Returns NULL with an error if it fails; work that finds nothing may return NULL, and
 * work that has no result any other pointer. */
typedef gpointer (*LcJobWork) (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error);

/* Called on the main thread with the result, and takes ownership of it; or with NULL and an error. Not called for
 * stopped work. */
typedef void (*LcJobDone) (gpointer owner, gpointer result, const GError *error);

/* Called on the main thread about ten times a second while the work runs. */
typedef void (*LcJobTick) (gpointer owner, double fraction);

/* A job has one piece of work at a time: starting new work cancels the work before. */
typedef struct _LcJob LcJob;

/* Makes a job that does not hold its owner: the owner frees the job before it goes itself. `tick` may be NULL, and so
 * may `free_result` if nothing is to be freed. */
LcJob *lc_job_new (gpointer owner, LcJobDone done, LcJobTick tick, GDestroyNotify free_result);

/* Stops the running work, and drops its result. */
void lc_job_free (LcJob *job);
void lc_job_stop (LcJob *job);

/* Asks the running work to end, and waits for its result all the same. */
void lc_job_cancel (LcJob *job);

/* Takes ownership of the data, which is freed on the main thread once the work has ended. */
void lc_job_start (LcJob *job, LcJobWork work, gpointer data, GDestroyNotify free_data);
gboolean lc_job_is_running (const LcJob *job);

/* Runs a piece of work to its end. `done` is given the data as its owner; the data is freed after that. */
void lc_job_run (LcJobWork work, gpointer data, GDestroyNotify free_data, LcJobDone done);

#endif
