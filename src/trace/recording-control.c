/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at a recording that goes on, stops it and lets it go on, from outside. */
#include <string.h>
#include <sys/stat.h>

#include "directory.h"
#include "lightcone/trace.h"
#include "reader.h"
#include "recording-private.h"
#include "timescale.h"

#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)

/* Does something with the control block of one part of a recording. */
typedef void (*ControlFunc) (LcRecording *recording, gpointer data);

static gboolean
control_visit (LcFolder *folder, ControlFunc visit, gpointer data, GError **error)
{
  g_autoptr (LcRecording) recording = g_new0 (LcRecording, 1);

  recording->lock = -1;
  recording->folder = lc_folder_ref (folder);
  recording->directory = g_canonicalize_filename (lc_folder_get_path (folder), NULL);
  if (!lc_recording_attach (recording, error))
    return FALSE;
  visit (recording, data);
  return TRUE;
}

/* Hosts that others record are left out: their memory is not here. */
static gboolean
control_visit_parts (LcFolder *folder, ControlFunc visit, gpointer data, guint *n, GError **error)
{
  g_auto (GStrv) hosts = lc_trace_list_folder_parts (folder);

  if (lc_directory_is_busy (folder))
    {
      *n += 1;
      return control_visit (folder, visit, data, error);
    }
  for (char **host = hosts; *host != NULL; host++)
    {
      g_autoptr (LcFolder) part = lc_folder_open_inner (folder, *host, NULL);

      if (part == NULL || !lc_directory_is_busy (part))
        continue;
      *n += 1;
      if (!control_visit (part, visit, data, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
control_visit_all (const char *directory, ControlFunc visit, gpointer data, GError **error)
{
  g_autoptr (LcFolder) folder = lc_folder_open (directory, error);
  guint n = 0;

  if (folder == NULL || !control_visit_parts (folder, visit, data, &n, error))
    return FALSE;
  if (n > 0)
    return TRUE;
  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE, "%s: nothing is being recorded there", directory);
  return FALSE;
}

/* --- What is known ------------------------------------------------------------------------------------------- */

static guint64
control_sum_files (const LcFolder *folder)
{
  g_autoptr (GPtrArray) names = lc_folder_list (folder, NULL);
  guint64 sum = 0;

  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      struct stat status;

      if (lc_folder_stat (folder, names->pdata[i], &status) && S_ISREG (status.st_mode) &&
          !g_str_has_prefix (names->pdata[i], "heads-") && !g_str_has_prefix (names->pdata[i], "."))
        sum += (guint64)status.st_size;
    }
  return sum;
}

static guint64
control_since_start (const struct lc_control *control, guint64 ticks)
{
  return ticks > control->start ? lc_scale (ticks - control->start, NS_PER_SECOND, control->frequency) : 0;
}

static void
control_read_status (LcRecording *recording, gpointer data)
{
  const struct lc_control *control = recording->control;
  g_autoptr (LcFolder) streams = lc_folder_open_inner (recording->folder, "ctf", NULL);
  LcRecordingStatus *status = data;
  guint64 now = lc_clock_stamp ((enum lc_clock)control->clock).ticks;

  status->is_paused |= control->is_paused != 0;
  status->elapsed = MAX (status->elapsed, control_since_start (control, now));
  status->keep_bytes += control->keep_bytes;
  status->keep_time = MAX (status->keep_time, lc_scale (control->keep_ticks, NS_PER_SECOND, control->frequency));
  status->bytes += control_sum_files (recording->folder) + (streams != NULL ? control_sum_files (streams) : 0);
  status->dropped += control->dropped_events;
  status->since = MAX (status->since, control_since_start (control, control->dropped_until));
  status->processes += control->next_process;
  for (guint i = 0; i < LC_LOST_REASONS; i++)
    status->lost += control->lost[i];
  if (control->stopped != 0 && control->stopped <= LC_LOST_REASONS)
    status->stopped = (int)control->stopped - 1;
}

gboolean
lc_recording_get_status (const char *directory, LcRecordingStatus *status, GError **error)
{
  g_return_val_if_fail (directory != NULL && status != NULL, FALSE);
  *status = (LcRecordingStatus){.stopped = -1};
  return control_visit_all (directory, control_read_status, status, error);
}

/* --- Stop and start ------------------------------------------------------------------------------------------ */

typedef struct
{
  gboolean paused, changed;
} ControlPause;

static void
control_pause (LcRecording *recording, gpointer data)
{
  struct lc_control *control = recording->control;
  ControlPause *pause = data;
  guint64 now = lc_clock_stamp ((enum lc_clock)control->clock).ticks;

  if (lc_control_set_paused (control, pause->paused, now))
    pause->changed = TRUE;
}

gboolean
lc_recording_set_paused (const char *directory, gboolean paused, gboolean *changed, GError **error)
{
  ControlPause pause = {paused, FALSE};

  g_return_val_if_fail (directory != NULL && changed != NULL, FALSE);
  if (!control_visit_all (directory, control_pause, &pause, error))
    return FALSE;
  *changed = pause.changed;
  return TRUE;
}
