/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of recording on this machine: measured once, kept, and measured again when the machine has changed. */
#include "calibration.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "find-library.h"
#include "lightcone/recording.h"
#include "measurement.h"

#define MACHINE "machine"
#define OTHERS "others" /* share of the processors that other programs had */

enum
{
  AGAIN_SECONDS = 600,
};

/* Version of the way of measuring: kept numbers that were measured in another way are not used. */
#define METHOD 3

/* Gives "" on architectures whose /proc/cpuinfo has no "model name". */
static char *
processor_model (void)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL))
    return g_strdup ("");
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      const char *value = strchr (*line, ':');

      if (value != NULL && g_str_has_prefix (*line, "model name"))
        return g_strstrip (g_strdup (value + 1));
    }
  return g_strdup ("");
}

/* Notes the size and time of a file; `prefix` begins their keys ("recorder"). */
static gboolean
describe_file (GKeyFile *file, const char *prefix, const char *path, GError **error)
{
  g_autofree char *size = g_strconcat (prefix, "_size", NULL), *changed = g_strconcat (prefix, "_changed", NULL);
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
      return FALSE;
    }
  g_key_file_set_int64 (file, MACHINE, size, status.st_size);
  g_key_file_set_int64 (file, MACHINE, changed,
                        (gint64)status.st_mtim.tv_sec * G_USEC_PER_SEC + status.st_mtim.tv_nsec / 1000);
  return TRUE;
}

/* Describes everything that a measurement depends on. `mpi` may be NULL. */
static gboolean
describe_machine (GKeyFile *file, const char *mpi, GError **error)
{
  g_autofree char *library = lc_find_library (error), *model = processor_model (), *of_mpi = NULL;
  struct utsname system;

  if (library == NULL || !describe_file (file, "recorder", library, error))
    return FALSE;
  of_mpi = mpi != NULL ? lc_find_mpi_library (library, "mpi", mpi, error) : NULL;
  if (mpi != NULL && (of_mpi == NULL || !describe_file (file, mpi, of_mpi, error)))
    return FALSE;
  uname (&system);
  g_key_file_set_integer (file, MACHINE, "method", METHOD);
  g_key_file_set_string (file, MACHINE, "processor", model);
  g_key_file_set_int64 (file, MACHINE, "processors", sysconf (_SC_NPROCESSORS_ONLN));
  g_key_file_set_string (file, MACHINE, "kernel", system.release);
  g_key_file_set_string (file, MACHINE, "clock", lc_recording_tsc_usable () ? "tsc" : "monotonic");
  g_key_file_set_string (file, MACHINE, "version", LC_VERSION);
  return TRUE;
}

static gboolean
is_about (GKeyFile *file, GKeyFile *machine, const char *last_group)
{
  g_auto (GStrv) keys = g_key_file_get_keys (machine, MACHINE, NULL, NULL);

  for (char **key = keys; *key != NULL; key++)
    {
      g_autofree char *value = g_key_file_get_value (file, MACHINE, *key, NULL);
      g_autofree char *now = g_key_file_get_value (machine, MACHINE, *key, NULL);

      if (g_strcmp0 (value, now) != 0)
        return FALSE;
    }
  return g_key_file_has_group (file, "overhead") && g_key_file_has_group (file, "cost") &&
         g_key_file_has_group (file, last_group);
}

char *
lc_calibration_path (const char *mpi)
{
  g_autofree char *name = mpi != NULL ? g_strconcat ("calibration-", mpi, ".ini", NULL) : g_strdup ("calibration.ini");

  return g_build_filename (g_get_user_cache_dir (), "lightcone", name, NULL);
}

GKeyFile *
lc_calibration_describe (const LcMeasurement *measurement, GError **error)
{
  g_autoptr (GKeyFile) file = lc_measurement_to_key_file (measurement);

  g_key_file_set_double (file, MACHINE, OTHERS, measurement->others);
  return describe_machine (file, NULL, error) ? g_steal_pointer (&file) : NULL;
}

GKeyFile *
lc_calibration_describe_mpi (const LcMpiMeasurement *measurement, const char *mpi, GError **error)
{
  g_autoptr (GKeyFile) file = lc_mpi_measurement_to_key_file (measurement);

  return describe_machine (file, mpi, error) ? g_steal_pointer (&file) : NULL;
}

gboolean
lc_calibration_save (GKeyFile *file, const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_mkdir_with_parents (folder, 0700) == 0)
    return g_key_file_save_to_file (file, path, error);
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", folder, g_strerror (errno));
  return FALSE;
}

/* A cache that cannot be written is no reason not to use the measurement. */
static GKeyFile *
measure_and_keep (const char *path, GError **error)
{
  g_autoptr (LcMeasurement) measurement = lc_measurement_new (TRUE, error);
  GKeyFile *file = measurement != NULL ? lc_calibration_describe (measurement, error) : NULL;

  if (file != NULL)
    lc_calibration_save (file, path, NULL);
  return file;
}

/* Takes a lock, since simultaneous measurements would disturb each other; the others wait and use the first one's
 * numbers. -1: there is no lock. */
static int
calibration_take_turn (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_strconcat (path, ".lock", NULL);
  int file = -1;

  if (g_mkdir_with_parents (folder, 0700) == 0)
    file = open (name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  while (file >= 0 && flock (file, LOCK_EX) != 0 && errno == EINTR)
    ;
  return file;
}

/* Whether others have so much of the processors that measuring now gives nothing better. */
static gboolean
calibration_is_busy_now (void)
{
  double load;

  return getloadavg (&load, 1) == 1 && load > (double)g_get_num_processors () / 2;
}

/* What was measured while others had much of the processors is measured again when they have not, but not by each
 * recording of a machine that is often busy. */
static gboolean
calibration_is_good (GKeyFile *file, const char *path)
{
  GStatBuf status;

  return g_key_file_get_double (file, MACHINE, OTHERS, NULL) <= LC_CALIBRATION_BUSY || g_stat (path, &status) != 0 ||
         g_get_real_time () / G_USEC_PER_SEC - (gint64)status.st_mtime < AGAIN_SECONDS || calibration_is_busy_now ();
}

static gboolean
is_kept (GKeyFile *file, const char *path, GKeyFile *machine)
{
  return g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL) && is_about (file, machine, "barrier");
}

static gboolean
calibration_will_do (GKeyFile *file, const char *path, GKeyFile *machine, gboolean measure_if_missing)
{
  return is_kept (file, path, machine) && (!measure_if_missing || calibration_is_good (file, path));
}

GKeyFile *
lc_calibration_load (gboolean measure_if_missing, void (*tell) (void), GError **error)
{
  g_autoptr (GKeyFile) machine = g_key_file_new (), file = g_key_file_new ();
  g_autofree char *path = lc_calibration_path (NULL);
  GKeyFile *result;
  int lock;

  if (!describe_machine (machine, NULL, error))
    return NULL;
  if (calibration_will_do (file, path, machine, measure_if_missing))
    return g_steal_pointer (&file);
  if (!measure_if_missing)
    return NULL;
  if (tell != NULL)
    tell ();
  lock = calibration_take_turn (path);
  if (calibration_will_do (file, path, machine, TRUE))
    result = g_steal_pointer (&file);
  else
    result = measure_and_keep (path, error);
  /* Numbers of a busy machine are better than none. */
  if (result == NULL && is_kept (file, path, machine))
    {
      g_clear_error (error);
      result = g_steal_pointer (&file);
    }
  if (lock >= 0)
    close (lock);
  return result;
}

GKeyFile *
lc_calibration_load_mpi (const char *mpi)
{
  g_autoptr (GKeyFile) machine = g_key_file_new (), file = g_key_file_new ();
  g_autofree char *path = lc_calibration_path (mpi);

  if (describe_machine (machine, mpi, NULL) && g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL) &&
      is_about (file, machine, "communication"))
    return g_steal_pointer (&file);
  return NULL;
}
