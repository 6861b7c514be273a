/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a trace directory for the recorder, and turns what the recorder left in it into a trace. */
#include "lightcone/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "closing.h"
#include "ctf-metadata.h"
#include "directory.h"
#include "lightcone/trace.h"
#include "reader.h"
#include "recording-private.h"
#include "ring.h"
#include "switch-files.h"
#include "timescale.h"

#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)
#define METADATA_LIMIT (1u << 20)
/* us; together a second */
#define LOCK_PAUSE 5000
#define LOCK_TRIES 200

#define CONTROL ".control"
#define CONTROL_LIMIT (G_GUINT64_CONSTANT (1) << 30)

/* --- The control block ---------------------------------------------------------------------------------------------
 */

static char *
control_path (const LcRecording *recording)
{
  return g_build_filename (recording->directory, CONTROL, NULL);
}

static gboolean
map_control (LcRecording *recording, GError **error)
{
  g_autofree char *path = control_path (recording);
  void *control = mmap (NULL, recording->control_size, PROT_READ | PROT_WRITE, MAP_SHARED, recording->lock, 0);

  if (control == MAP_FAILED)
    {
      lc_file_set_error (error, path, errno);
      return FALSE;
    }
  recording->control = control;
  return TRUE;
}

/* The recorder maps the block and writes to it: its room is taken now, not when the disk is full. */
static gboolean
make_control (LcRecording *recording, gsize size, GError **error)
{
  g_autofree char *path = control_path (recording);
  int problem;

  recording->lock = lc_folder_create (recording->folder, CONTROL, error);
  if (recording->lock < 0)
    return FALSE;
  if (flock (recording->lock, LOCK_EX | LOCK_NB) != 0)
    {
      lc_file_set_error (error, path, errno);
      return FALSE;
    }
  problem = posix_fallocate (recording->lock, 0, (off_t)size);
  if (problem != 0)
    {
      lc_file_set_error (error, path, problem);
      return FALSE;
    }
  recording->control_size = size;
  return map_control (recording, error);
}

static void
append_patterns (GByteArray *bytes, const char *const *patterns)
{
  for (guint i = 0; patterns != NULL && patterns[i] != NULL; i++)
    g_byte_array_append (bytes, (const guint8 *)patterns[i], (guint)strlen (patterns[i]) + 1);
}

static gboolean
make_uuid (guint8 *uuid, GError **error)
{
  if (getrandom (uuid, 16, 0) != 16)
    {
      lc_file_set_error (error, "getrandom", errno);
      return FALSE;
    }
  uuid[6] = (guint8)((uuid[6] & 0x0F) | 0x40);
  uuid[8] = (guint8)((uuid[8] & 0x3F) | 0x80);
  return TRUE;
}

static void
recording_fill_regions (LcRecording *recording, const LcRecordingSettings *settings)
{
  struct lc_control *control = recording->control;

  control->n_region_limits = MIN (settings->n_region_limits, LC_REGION_LIMITS);
  for (guint i = 0; i < control->n_region_limits; i++)
    {
      struct lc_region_limit *limit = &control->region_limits[i];

      g_strlcpy (limit->name, settings->region_limits[i].name, sizeof limit->name);
      limit->ticks = lc_scale (settings->region_limits[i].limit, recording->frequency, NS_PER_SECOND);
    }
}

/* All but the clock. The magic is written when everything else is there. */
static gboolean
fill_control (LcRecording *recording, const LcRecordingSettings *settings, GError **error)
{
  g_autoptr (GByteArray) patterns = g_byte_array_new ();
  struct lc_control *control;
  guint include_length;

  append_patterns (patterns, settings->include);
  include_length = patterns->len;
  append_patterns (patterns, settings->exclude);
  if (!make_control (recording, sizeof *control + patterns->len, error))
    return FALSE;
  control = recording->control;
  if (!make_uuid (recording->uuid, error))
    return FALSE;
  memcpy (control->uuid, recording->uuid, sizeof control->uuid);
  control->version = LC_CONTROL_VERSION;
  control->classes = settings->classes;
  control->function_depth = settings->function_depth;
  control->include_length = include_length;
  control->exclude_length = patterns->len - include_length;
  control->patterns_offset = sizeof *control;
  control->joined = 1;
  control->mpi = settings->mpi;
  control->purpose = settings->purpose;
  control->compensation = settings->compensation;
  control->callpaths = settings->callpaths != FALSE;
  control->lossless = settings->lossless;
  control->where = settings->where;
  control->futex_all = settings->futex_all != FALSE;
  if (settings->job != NULL)
    g_strlcpy (control->job, settings->job, sizeof control->job);
  if (patterns->len > 0)
    memcpy (control + 1, patterns->data, patterns->len);
  return TRUE;
}

/* --- Before the program ----------------------------------------------------------------------------------------------
 */

static gboolean
write_metadata (const LcRecording *recording, guint64 frequency, GError **error)
{
  LcCtfDescription description = {
      .tsc = recording->clock == LC_CLOCK_TSC,
      .frequency = frequency,
      .start = recording->begin.ticks,
      .epoch = recording->begin.realtime,
      .hostname = (char *)g_get_host_name (),
  };
  g_autoptr (LcFolder) streams = lc_folder_open_inner (recording->folder, "ctf", error);
  g_autofree char *text = NULL;

  memcpy (description.uuid, recording->uuid, sizeof description.uuid);
  text = lc_ctf_metadata_write (&description);
  return streams != NULL && lc_folder_write (streams, "metadata", text, strlen (text), error);
}

static gboolean
start_clock (LcRecording *recording, const LcRecordingSettings *settings, GError **error)
{
  struct lc_control *control = recording->control;

  if (!lc_clock_choose (settings->clock, &recording->clock, error))
    return FALSE;
  recording->first = lc_clock_stamp (recording->clock);
  recording->frequency = lc_clock_estimate (recording->clock, &recording->first);
  if (recording->frequency == 0)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "the processor's time stamp counter does not count");
      return FALSE;
    }
  control->clock = recording->clock;
  control->frequency = recording->frequency;
  control->keep_bytes = settings->keep_bytes;
  control->keep_ticks = lc_scale (settings->keep_time, recording->frequency, NS_PER_SECOND);
  recording_fill_regions (recording, settings);
  control->overhead_test = lc_scale (settings->overhead_test, recording->frequency, NS_PER_SECOND);
  control->io_threshold = lc_scale (settings->io_threshold, recording->frequency, NS_PER_SECOND);
  recording->begin = lc_clock_stamp (recording->clock);
  control->start = recording->begin.ticks;
  if (settings->paused)
    lc_control_set_paused (control, 1, control->start);
  lc_settings_set_clock (recording->settings, recording->clock, &recording->begin, recording->frequency);
  return TRUE;
}

gboolean
lc_recording_open_drain (LcRecording *recording, gboolean make, const LcDrainLimits *limits, GError **error)
{
  if (recording->control->purpose != LC_PURPOSE_TRACE)
    return TRUE;
  recording->drain = lc_drain_new (recording->folder, recording->control, make, limits, error);
  return recording->drain != NULL;
}

static gboolean
fill_directory (LcRecording *recording, const LcRecordingSettings *settings, GError **error)
{
  if (!lc_folder_make (recording->folder, "ctf", error) || !fill_control (recording, settings, error) ||
      !start_clock (recording, settings, error) || !write_metadata (recording, recording->frequency, error) ||
      !lc_settings_write (recording->settings, recording->folder, error) ||
      (settings->environment != NULL && !lc_environment_file_write (recording->folder, settings->environment, error)) ||
      !lc_recording_open_drain (recording, TRUE, &(LcDrainLimits){settings->max_size, settings->reserve}, error))
    return FALSE;
  memcpy (recording->control->magic, "LCCONTRL", 8);
  return TRUE;
}

gboolean
lc_recording_make (LcRecording *recording, const LcRecordingSettings *settings, GError **error)
{
  int making;

  recording->folder = lc_directory_take (recording->directory, settings->replace, recording->group,
                                         &recording->made_directory, &making, error);
  if (recording->folder == NULL)
    return FALSE;
  recording->settings = lc_settings_new (settings);
  if (fill_directory (recording, settings, error) && lc_directory_is_made (recording->folder, making, error))
    return TRUE;
  lc_directory_clear (recording->folder, recording->made_directory, NULL);
  close (making);
  return FALSE;
}

LcRecording *
lc_recording_prepare (const char *directory, const LcRecordingSettings *settings, GError **error)
{
  g_autoptr (LcRecording) recording = NULL;
  g_autofree char *path = NULL, *folder = NULL;
  gboolean good;

  g_return_val_if_fail (directory != NULL && settings != NULL, NULL);
  g_return_val_if_fail (settings->command != NULL && settings->command[0] != NULL, NULL);
  g_return_val_if_fail (settings->host == NULL || settings->job != NULL, NULL);
  path = g_canonicalize_filename (directory, NULL);
  folder = settings->host != NULL ? g_strconcat (LC_PART_PREFIX, settings->host, NULL) : NULL;
  recording = g_new0 (LcRecording, 1);
  recording->lock = -1;
  recording->group = settings->shared ? (gid_t)settings->group : LC_FOLDER_PRIVATE;
  recording->directory = folder != NULL ? g_build_filename (path, folder, NULL) : g_strdup (path);
  if (settings->job != NULL)
    good = lc_recording_come (recording, path, settings, error);
  else
    good = lc_recording_make (recording, settings, error);
  if (good && recording->drain != NULL && !lc_drain_start (recording->drain, error))
    {
      lc_recording_discard (recording);
      good = FALSE;
    }
  return good ? g_steal_pointer (&recording) : NULL;
}

guint32
lc_recording_get_mpi_trouble (const LcRecording *recording)
{
  return recording->control->mpi_trouble;
}

void
lc_recording_watch_waits (LcRecording *recording, const LcLongWaitSettings *settings)
{
  g_return_if_fail (recording != NULL && settings != NULL);
  if (recording->drain != NULL)
    lc_drain_watch_waits (recording->drain, settings);
}

guint32
lc_recording_get_futex_trouble (const LcRecording *recording)
{
  return recording->control->futex_trouble;
}

guint32
lc_recording_get_mpi_found (const LcRecording *recording)
{
  return recording->control->mpi_found;
}

void
lc_recording_set_mpi_costs (LcRecording *recording, const char *mpi, GKeyFile *calibration)
{
  lc_settings_set_mpi (recording->settings, mpi, calibration);
}

const char *
lc_recording_get_directory (const LcRecording *recording)
{
  return recording->directory;
}

void
lc_recording_discard (LcRecording *recording)
{
  if (recording->control->job[0] != '\0' && !lc_recording_is_last (recording))
    return;
  g_clear_pointer (&recording->drain, lc_drain_free);
  lc_directory_clear (recording->folder, recording->made_directory, NULL);
  if (recording->whole != NULL)
    rmdir (recording->directory);
}

void
lc_recording_free (LcRecording *recording)
{
  if (recording == NULL)
    return;
  lc_drain_free (recording->drain);
  if (recording->control != NULL)
    munmap (recording->control, recording->control_size);
  if (recording->lock >= 0)
    close (recording->lock);
  g_clear_pointer (&recording->settings, g_key_file_unref);
  lc_folder_unref (recording->folder);
  g_free (recording->whole);
  g_free (recording->directory);
  g_free (recording);
}

/* --- After it
 * ---------------------------------------------------------------------------------------------------------- */

/* Over the whole recording; a clock that stopped meanwhile (the machine slept) leaves us with the estimate. */
static guint64
final_frequency (const LcRecording *recording)
{
  guint64 estimate = recording->frequency, exact;
  LcClockStamp end;

  if (recording->first.ticks == 0)
    return estimate;
  end = lc_clock_stamp (recording->clock);
  exact = lc_clock_frequency (recording->clock, &recording->first, &end);
  return exact > estimate / 100 * 99 && exact < estimate / 100 * 101 ? exact : estimate;
}

static void
recording_count_lost (const LcRecording *recording, LcRecordingResult *result)
{
  for (guint i = 0; i < LC_LOST_REASONS; i++)
    {
      result->lost[i] += recording->control->lost[i];
      result->n_lost += result->lost[i];
    }
}

/*
 * A program may have filled the disk, and closing needs some room itself: the tables of shared objects, most of the
 * file, have served when nobody is there any more and they have been written out.
 */
static void
recording_make_room (const LcRecording *recording)
{
  const off_t tables = offsetof (struct lc_control, shared), end = sizeof (struct lc_control);

  if (lc_find_running (recording->folder, recording->uuid) == 0)
    fallocate (recording->lock, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, tables, end - tables);
}

/* Streams are made once all processes have ended: what they still write would have to come after it. */
static gboolean
recording_unroll (const LcRecording *recording, GError **error)
{
  return lc_find_running (recording->folder, recording->uuid) != 0 ||
         lc_ring_unroll (recording->folder, recording->control, recording->uuid, error);
}

/* A copy of a trace has all until it was made; a file of a recorder that was killed does not say until when. */
static void
recording_sum_switches (const LcRecording *recording)
{
  LcSwitchSums sums;

  if (recording->control->copied_at != 0)
    lc_switch_files_end (recording->folder, recording->control->copied_at);
  lc_switch_files_sum (recording->folder, &sums);
  if (sums.files > 0)
    lc_settings_set_switches (recording->settings, &sums);
}

static gboolean
recording_write_settings (const LcRecording *recording, GError **error)
{
  if (!recording->keep_settings)
    return lc_settings_write (recording->settings, recording->folder, error);
  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED, "%s/trace.ini: cannot be read, and is left as it is",
               recording->directory);
  return FALSE;
}

void
lc_recording_end_program (LcRecording *recording, guint32 pid)
{
  g_return_if_fail (recording != NULL);
  if (recording->drain != NULL)
    lc_drain_end_program (recording->drain, pid);
}

void
lc_recording_watch_switches (LcRecording *recording, guint32 pid)
{
  g_return_if_fail (recording != NULL);
  if (recording->drain != NULL)
    lc_switches_begin (lc_drain_get_switches (recording->drain), pid);
}

/* Everything is tried, whatever fails; the first error is the one that is told. */
static gboolean
close_recording (LcRecording *recording, const char *state, int status, guint64 now, LcRecordingResult *result,
                 GError **error)
{
  LcFolder *folder = recording->folder;
  guint64 frequency = final_frequency (recording);
  guint64 last = 0;
  gboolean good, drained;
  LcCloseFlags flags;

  *result = (LcRecordingResult){0};
  good = lc_write_shared_objects (folder, recording->control, error);
  if (good)
    recording_make_room (recording);
  drained = recording->drain == NULL || lc_drain_finish (recording->drain, good ? error : NULL);
  good &= drained;
  good &= recording_unroll (recording, good ? error : NULL);
  flags = (drained ? 0 : LC_CLOSE_KEEP) | (recording->is_recovered ? LC_CLOSE_SAFE : 0);
  good &= lc_close_streams (folder, recording->uuid, flags, result, &last, good ? error : NULL);
  good &= lc_write_symbols (folder, good ? error : NULL);
  result->instances = recording->control->next_instance;
  result->strangers = recording->control->strangers;
  good &= write_metadata (recording, frequency, good ? error : NULL);
  recording_count_lost (recording, result);
  result->duration = g_key_file_get_uint64 (recording->settings, "trace", "duration", NULL);
  if (now > recording->begin.monotonic)
    result->duration = now - recording->begin.monotonic;
  else if (last > recording->begin.ticks)
    result->duration = MAX (result->duration, lc_scale (last - recording->begin.ticks, NS_PER_SECOND, frequency));
  g_key_file_set_uint64 (recording->settings, "trace", "clock_frequency", frequency);
  lc_settings_set_ranks (recording->settings, recording->control);
  lc_settings_set_gaps (recording->settings, recording->control, frequency);
  lc_settings_set_futexes (recording->settings, recording->control);
  recording_sum_switches (recording);
  lc_settings_set_result (recording->settings, state, status, result);
  good &= recording_write_settings (recording, good ? error : NULL);
  if (!good || result->running > 0)
    return good;
  return (!recording->is_recovered || lc_folder_sync (folder, error)) && lc_folder_remove (folder, CONTROL, error);
}

gboolean
lc_recording_finish (LcRecording *recording, int status, LcRecordingResult *result, GError **error)
{
  LcClockStamp now;

  g_return_val_if_fail (recording != NULL && result != NULL, FALSE);
  if (recording->control->job[0] != '\0')
    status = recording->control->job_status;
  now = lc_clock_stamp (LC_CLOCK_MONOTONIC);
  return close_recording (recording, "ended", status, now.monotonic, result, error);
}

/* --- After us
 * ------------------------------------------------------------------------------------------------------------ */

static gboolean
check_control (const LcRecording *recording, GError **error)
{
  const struct lc_control *control = recording->control;

  if (memcmp (control->magic, "LCCONTRL", 8) != 0)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED, "%s/.control: not a control block (byte 0)",
                 recording->directory);
  else if (control->version != LC_CONTROL_VERSION)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_VERSION, "%s/.control: version %u is not %d (byte 8)",
                 recording->directory, control->version, LC_CONTROL_VERSION);
  else if (control->clock > LC_CLOCK_TSC || control->frequency == 0)
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED, "%s/.control: no usable clock (byte 12)",
                 recording->directory);
  else
    return TRUE;
  return FALSE;
}

/* A command that only looks whether somebody is recording holds the lock for a moment. */
static int
lock_with_patience (int file, int how)
{
  int result;

  for (guint i = 0; (result = flock (file, how | LOCK_NB)) != 0 && how == LOCK_SH && i < LOCK_TRIES; i++)
    g_usleep (LOCK_PAUSE);
  return result;
}

/* Ours alone: whoever else could write to it would write to our memory. */
static gboolean
recording_open_control (LcRecording *recording, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (recording->folder == NULL)
    recording->folder = lc_folder_open (recording->directory, error);
  if (recording->folder == NULL)
    return FALSE;
  if (lc_folder_has_file (recording->folder, CONTROL) && !lc_folder_is_ours (recording->folder))
    g_set_error (&problem, LC_TRACE_ERROR, LC_TRACE_ERROR_FOREIGN,
                 "%s: another user's trace, which was left open, is read as it is", recording->directory);
  else
    recording->lock = lc_folder_open_to_change (recording->folder, CONTROL, 0, &problem);
  if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE, "%s: no recording to finish", recording->directory);
  else if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  return recording->lock >= 0;
}

/* Opens the block; its status tells how large it is. */
static gboolean
recording_stat_control (LcRecording *recording, struct stat *status, GError **error)
{
  g_autofree char *path = control_path (recording);

  if (!recording_open_control (recording, error))
    return FALSE;
  if (fstat (recording->lock, status) != 0)
    lc_file_set_error (error, path, errno);
  else if (status->st_size < (off_t)sizeof (struct lc_control))
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED, "%s: too short for a control block", path);
  else
    return TRUE;
  return FALSE;
}

static gboolean
recording_map_control (LcRecording *recording, const struct stat *status, GError **error)
{
  if ((status->st_mode & 0060) == 0060)
    lc_folder_share (recording->folder, status->st_gid);
  recording->control_size = (gsize)MIN ((guint64)status->st_size, CONTROL_LIMIT);
  return map_control (recording, error) && check_control (recording, error);
}

gboolean
lc_recording_open (LcRecording *recording, int how, GError **error)
{
  struct stat status;

  if (!recording_stat_control (recording, &status, error))
    return FALSE;
  if (lock_with_patience (recording->lock, how) == 0 || errno != EWOULDBLOCK)
    return recording_map_control (recording, &status, error);
  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_BUSY, "%s: still being recorded", recording->directory);
  return FALSE;
}

gboolean
lc_recording_attach (LcRecording *recording, GError **error)
{
  struct stat status;

  return recording_stat_control (recording, &status, error) && recording_map_control (recording, &status, error);
}

static gboolean
check_running (const LcRecording *recording, GError **error)
{
  guint32 pid = lc_find_running (recording->folder, recording->uuid);

  if (pid == 0)
    return TRUE;
  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_BUSY, "%s: still being recorded, by process %u",
               recording->directory, pid);
  return FALSE;
}

/* The Unix time of the start, if trace.ini does not have it. */
static gint64
read_epoch (const LcRecording *recording)
{
  g_autoptr (LcFolder) streams = lc_folder_open_inner (recording->folder, "ctf", NULL);
  g_auto (LcCtfDescription) description = {{0}};
  g_autofree char *text = NULL;
  guint64 format;
  gsize length;

  if (streams != NULL && lc_folder_read (streams, "metadata", METADATA_LIMIT, &text, &length, NULL) && length > 0)
    lc_ctf_metadata_read (text, length, &description, &format);
  return description.epoch;
}

gboolean
lc_recording_read (LcRecording *recording, GError **error)
{
  GKeyFile *settings = lc_settings_read (recording->folder, error);

  recording->keep_settings = settings == NULL;

  memcpy (recording->uuid, recording->control->uuid, sizeof recording->uuid);
  recording->clock = (enum lc_clock)recording->control->clock;
  recording->frequency = recording->control->frequency;
  g_clear_pointer (&recording->settings, g_key_file_unref);
  recording->settings = settings != NULL ? settings : g_key_file_new ();
  if (lc_settings_get_clock (recording->settings, &recording->begin) &&
      recording->begin.ticks == recording->control->start)
    recording->first = recording->begin;
  recording->begin.ticks = recording->control->start;
  if (recording->begin.realtime == 0)
    recording->begin.realtime = read_epoch (recording);
  return !recording->keep_settings;
}

static gboolean
has_control (LcFolder *folder)
{
  return lc_folder_has_file (folder, CONTROL);
}

static gboolean
is_abandoned (LcFolder *folder)
{
  return has_control (folder) && !lc_directory_is_busy (folder);
}

static gboolean
is_going_on (LcFolder *folder)
{
  return has_control (folder) && lc_directory_is_busy (folder);
}

gboolean
lc_recording_is_abandoned (const char *directory)
{
  g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);

  return folder != NULL && lc_directory_any_part (folder, is_abandoned);
}

gboolean
lc_recording_is_going_on (const char *directory)
{
  g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);

  return folder != NULL && lc_directory_any_part (folder, is_going_on);
}

gboolean
lc_recording_close_abandoned (LcFolder *folder, LcRecordingResult *result, GError **error)
{
  g_autoptr (LcRecording) recording = g_new0 (LcRecording, 1);

  recording->lock = -1;
  recording->is_recovered = TRUE;
  recording->folder = lc_folder_ref (folder);
  recording->directory = g_canonicalize_filename (lc_folder_get_path (folder), NULL);
  if (!lc_recording_open (recording, LOCK_EX, error))
    return FALSE;
  if (!lc_recording_read (recording, error) || !check_running (recording, error) ||
      !lc_recording_open_drain (recording, FALSE, &(LcDrainLimits){.is_safe = TRUE}, error))
    return FALSE;
  return close_recording (recording, recording->control->copied_at != 0 ? "dumped" : "recovered", -1, 0, result, error);
}

static void
add_result (LcRecordingResult *sum, const LcRecordingResult *result)
{
  sum->processes += result->processes;
  sum->instances += result->instances;
  sum->running += result->running;
  sum->strangers += result->strangers;
  sum->events += result->events;
  sum->n_lost += result->n_lost;
  sum->damaged += result->damaged;
  sum->duration = MAX (sum->duration, result->duration);
  for (guint i = 0; i < LC_LOST_REASONS; i++)
    sum->lost[i] += result->lost[i];
}

gboolean
lc_recording_recover (const char *directory, LcRecordingResult *result, GError **error)
{
  g_autoptr (LcFolder) folder = NULL;
  g_auto (GStrv) hosts = NULL;
  gboolean good = TRUE, found = FALSE;

  g_return_val_if_fail (directory != NULL && result != NULL, FALSE);
  *result = (LcRecordingResult){0};
  folder = lc_folder_open (directory, error);
  if (folder == NULL)
    return FALSE;
  hosts = lc_trace_list_folder_parts (folder);
  for (char **host = hosts; *host != NULL; host++)
    {
      g_autoptr (LcFolder) part = lc_folder_open_inner (folder, *host, NULL);
      LcRecordingResult own = {0};

      if (part == NULL || !has_control (part))
        continue;
      found = TRUE;
      good &= lc_recording_close_abandoned (part, &own, good ? error : NULL);
      add_result (result, &own);
    }
  return found ? good : lc_recording_close_abandoned (folder, result, error);
}
