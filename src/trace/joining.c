/* SPDX-License-Identifier: Apache-2.0 */
/* Lets the members of a parallel job record into one directory: the first one makes the trace, the last one finishes
 * it. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "directory.h"
#include "lightcone/trace.h"
#include "recording-private.h"

/* us to wait for members. Launchers start the ranks of a host together. */
#define COME_TIME (10 * G_USEC_PER_SEC)
#define PAUSE 20000

/* us without a new member after which nobody else is expected, if the number of members is unknown. */
#define QUIET_TIME G_USEC_PER_SEC

/* s. An older directory belongs to another job, if the hosts do not know the job by the same name. */
#define START_TIME 60

#define TRIES 3

/* --- Ownership --------------------------------------------------------------------------------------------------- */

static gboolean
is_recorded_by (const char *directory, const char *job)
{
  g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);
  g_autofree struct lc_control *control = NULL;
  guint64 size;
  int fd = folder != NULL ? lc_folder_open_file (folder, ".control", &size, NULL) : -1;
  gssize got;

  if (fd < 0)
    return FALSE;
  control = g_malloc (sizeof *control);
  got = lc_file_read (fd, control, sizeof *control, 0);
  close (fd);
  return got == (gssize)sizeof *control && memcmp (control->magic, "LCCONTRL", 8) == 0 &&
         strncmp (control->job, job, sizeof control->job - 1) == 0;
}

static gboolean
was_recorded_by (const char *directory, const char *job)
{
  g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);
  g_autoptr (GKeyFile) file = folder != NULL ? lc_settings_read (folder, NULL) : NULL;
  g_autofree char *recorded = file != NULL ? g_key_file_get_string (file, "trace", "job", NULL) : NULL;

  return g_strcmp0 (recorded, job) == 0;
}

static gboolean
is_new (const char *directory)
{
  g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);
  g_autoptr (GKeyFile) file = folder != NULL ? lc_settings_read (folder, NULL) : NULL;
  struct stat status;

  return file != NULL && lc_folder_stat (folder, "trace.ini", &status) && time (NULL) - status.st_mtime < START_TIME &&
         g_key_file_has_key (file, "trace", "job", NULL) && !g_key_file_has_key (file, "trace", "state", NULL);
}

/* --- Several hosts ------------------------------------------------------------------------------------------------ */

/* Tells whether a member of this job, perhaps on another host, has made the directory for all of them. */
static gboolean
is_whole_of_job (const LcRecording *recording, const LcRecordingSettings *settings)
{
  if (was_recorded_by (recording->whole, settings->job))
    return TRUE;
  if (!settings->job_is_host || !is_new (recording->whole))
    return FALSE;
  return !g_file_test (recording->directory, G_FILE_TEST_EXISTS) ||
         is_recorded_by (recording->directory, settings->job) || was_recorded_by (recording->directory, settings->job);
}

static gboolean
make_whole (const LcRecording *recording, const LcRecordingSettings *settings, GError **error)
{
  g_autoptr (GKeyFile) file = lc_settings_new_whole (settings);
  gboolean made;
  int making;
  g_autoptr (LcFolder) folder =
      lc_directory_take (recording->whole, settings->replace, recording->group, &made, &making, error);

  if (folder == NULL)
    return FALSE;
  if (lc_settings_write (file, folder, error) && lc_directory_is_made (folder, making, error))
    return TRUE;
  lc_directory_clear (folder, FALSE, NULL);
  close (making);
  return FALSE;
}

/* Undoes the making of a directory that came to nothing. */
static void
leave_directory (const char *path, int lock, gboolean remove)
{
  lc_directory_unlock (path, lock);
  if (remove)
    rmdir (path);
}

static gboolean
come_to_whole (const LcRecording *recording, const LcRecordingSettings *settings, GError **error)
{
  gboolean made, good;
  int lock = lc_directory_lock (recording->whole, recording->group, &made, error);

  if (lock < 0)
    return FALSE;
  good = is_whole_of_job (recording, settings) || make_whole (recording, settings, error);
  leave_directory (recording->whole, lock, made && !good);
  return good;
}

/* --- Joining ----------------------------------------------------------------------------------------------------- */

static gboolean
joining_join (LcRecording *recording, const LcRecordingSettings *settings, GError **error)
{
  if (!lc_recording_open (recording, LOCK_SH, error))
    return FALSE;
  recording->joined = TRUE;
  __atomic_add_fetch (&recording->control->joined, 1, __ATOMIC_RELAXED);
  return lc_recording_open_drain (recording, FALSE, &(LcDrainLimits){settings->max_size, settings->reserve}, error);
}

/* Joins the recording, or makes it. Called with the lock of the directory held. */
static gboolean
join_or_make (LcRecording *recording, const LcRecordingSettings *settings, GError **error)
{
  if (is_recorded_by (recording->directory, settings->job))
    return joining_join (recording, settings, error);
  if (was_recorded_by (recording->directory, settings->job))
    {
      g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS, "%s: the recording of this job has ended already",
                   recording->directory);
      return FALSE;
    }
  if (!lc_recording_make (recording, settings, error))
    return FALSE;
  if (flock (recording->lock, LOCK_SH) == 0)
    return TRUE;
  lc_file_set_error (error, recording->directory, errno);
  return FALSE;
}

gboolean
lc_recording_come (LcRecording *recording, const char *whole, const LcRecordingSettings *settings, GError **error)
{
  gboolean made, good;
  int lock;

  recording->members = settings->members;
  recording->came = g_get_monotonic_time ();
  if (settings->host != NULL)
    recording->whole = g_strdup (whole);
  if (recording->whole != NULL && !come_to_whole (recording, settings, error))
    return FALSE;
  lock = lc_directory_lock (recording->directory, recording->group, &made, error);
  if (lock < 0)
    return FALSE;
  good = join_or_make (recording, settings, error);
  recording->made_directory |= made;
  leave_directory (recording->directory, lock, made && !good);
  return good;
}

/* --- Leaving ------------------------------------------------------------------------------------------------------ */

/*
 * Tells whether this member is the last one, which then holds the lock alone; otherwise it drains no more, for the last
 * one finishes what all have drained, and has given up its lock.
 * Members hold the lock together, so an exclusive lock fails while there are others. Processes that only look whether a
 * recording is running hold the lock for a moment, so several tries are made.
 */
static gboolean
lock_alone (LcRecording *recording)
{
  for (guint i = 0; i < TRIES; i++)
    {
      if (flock (recording->lock, LOCK_EX | LOCK_NB) == 0)
        return TRUE;
      while (flock (recording->lock, LOCK_SH | LOCK_NB) != 0)
        g_usleep (PAUSE / TRIES);
    }
  if (recording->drain != NULL)
    lc_drain_leave (recording->drain);
  flock (recording->lock, LOCK_UN);
  return FALSE;
}

gboolean
lc_recording_is_last (LcRecording *recording)
{
  gboolean made, alone;
  int lock = lc_directory_lock (recording->directory, recording->group, &made, NULL);

  /* On a full disk the directory may not be lockable; the recording's own lock decides in any case. */
  alone = lock_alone (recording);
  if (lock >= 0)
    lc_directory_unlock (recording->directory, lock);
  return alone;
}

static gboolean
is_asked_to_end (void)
{
  sigset_t pending;

  sigpending (&pending);
  return sigismember (&pending, SIGTERM) == 1 || sigismember (&pending, SIGINT) == 1 ||
         sigismember (&pending, SIGHUP) == 1;
}

/* Launchers start all ranks at once, but one program may end before another has begun. */
static gboolean
is_somebody_awaited (LcRecording *recording)
{
  guint32 joined = __atomic_load_n (&recording->control->joined, __ATOMIC_RELAXED);
  gint64 now = g_get_monotonic_time ();

  if (recording->members > 0)
    return joined < recording->members && now - recording->came < (gint64)COME_TIME;
  if (joined != recording->seen)
    recording->changed = now;
  recording->seen = joined;
  return now - recording->changed < (gint64)QUIET_TIME;
}

gboolean
lc_recording_leave (LcRecording *recording, int status)
{
  gint32 good = 0;

  g_return_val_if_fail (recording != NULL, FALSE);
  if (recording->drain != NULL)
    lc_switches_end (lc_drain_get_switches (recording->drain));
  if (recording->control->job[0] == '\0')
    return TRUE;
  if (status != 0)
    __atomic_compare_exchange_n (&recording->control->job_status, &good, status, FALSE, __ATOMIC_RELAXED,
                                 __ATOMIC_RELAXED);
  while (lc_recording_is_last (recording))
    {
      if (!is_somebody_awaited (recording) || is_asked_to_end ())
        {
          if (recording->joined)
            lc_recording_read (recording, NULL);
          return TRUE;
        }
      flock (recording->lock, LOCK_SH);
      g_usleep (PAUSE);
    }
  return FALSE;
}
