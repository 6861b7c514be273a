/* SPDX-License-Identifier: Apache-2.0 */
/* A trace that is being opened: it is merged in the background, and its beginning is shown first if that takes long. */
#include "app/open/opening.h"

#include <glib/gi18n.h>
#include <math.h>
#include <sys/resource.h>

#include "app/job.h"
#include "lightcone/recording.h"
#include "trace/quantities.h"

#define AWAIT 20000 /* us */
#define PATIENCE (7 * G_TIME_SPAN_SECOND / 10)
#define SOON 1.5 /* s left, below which the beginning is not worth showing */

enum
{
  BEGINNING_EVENTS = 200000,
  LOWEST_PRIORITY = 19,
};

struct _LcOpening
{
  GObject parent;

  char *directory;
  gboolean wants_beginning;
  gboolean awaits; /* a recording that may not have begun yet */
  LcJob *whole, *beginning;
  gint64 begun;
  gint64 took; /* us, of the last merge */

  GMutex mutex;
  LcMergeProgress progress;
  gboolean recovering;
  gboolean growing;
};

enum
{
  MOVED,
  BEGINNING,
  DONE,
  SIGNALS,
};

static guint signals[SIGNALS];

G_DEFINE_FINAL_TYPE (LcOpening, lc_opening, G_TYPE_OBJECT)

/* --- In the background ----------------------------------------------------------------------------------------- */

static gboolean
note (const LcMergeProgress *progress, gpointer data)
{
  LcOpening *opening = data;

  g_mutex_lock (&opening->mutex);
  opening->progress = *progress;
  g_mutex_unlock (&opening->mutex);
  return TRUE;
}

static void
set_recovering (LcOpening *opening, gboolean recovering)
{
  g_mutex_lock (&opening->mutex);
  opening->recovering = recovering;
  g_mutex_unlock (&opening->mutex);
}

/* Closes a recording whose recorder was killed. If that fails, the trace can still be read as it is. */
static void
opening_recover (LcOpening *opening)
{
  LcRecordingResult result;

  if (!lc_recording_is_abandoned (opening->directory))
    return;
  set_recovering (opening, TRUE);
  lc_recording_recover (opening->directory, &result, NULL);
  set_recovering (opening, FALSE);
}

static LcOpened *
open_closed (LcOpening *opening, GCancellable *cancellable, GError **error)
{
  const LcMergeOptions options = {.report = note, .data = opening, .cancellable = cancellable};
  LcHistory *history = lc_merge_open (opening->directory, &options, error);

  return history != NULL ? lc_opened_new (history, opening->directory, FALSE) : NULL;
}

/* Makes a folder in the runtime directory, which the system cleans up if the browser is killed. */
static char *
opening_dup_place (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), "lightcone-XXXXXX", NULL);

  if (g_mkdtemp (folder) == NULL)
    {
      g_free (folder);
      folder = g_dir_make_tmp ("lightcone-XXXXXX", NULL);
    }
  return folder != NULL ? g_build_filename (folder, "beginning.lightcone", NULL) : NULL;
}

/* The history of a trace that is being recorded is soon of no use: it goes where nothing else is written. */
static LcOpened *
opening_merge_growing (LcOpening *opening, GCancellable *cancellable, GError **error)
{
  g_autofree char *path = opening_dup_place ();
  const LcMergeOptions options = {
      .report = note, .data = opening, .cancellable = cancellable, .most_events = G_MAXUINT64, .path = path};
  LcHistory *history = NULL;

  if (path == NULL)
    return open_closed (opening, cancellable, error);
  if (lc_merge (opening->directory, &options, NULL, error))
    history = lc_history_open (path, error);
  if (history != NULL)
    return lc_opened_new_growing (history, opening->directory, path);
  lc_opened_remove_temporary (path);
  return NULL;
}

typedef struct
{
  LcOpening *opening;
  GCancellable *cancellable;
  LcOpened *opened;
  GError *error;
} Growing;

static gpointer
opening_run_growing (gpointer data)
{
  Growing *growing = data;

  /* The priority is of this thread only, and of those that the merge begins. */
  setpriority (PRIO_PROCESS, 0, LOWEST_PRIORITY);
  growing->opened = opening_merge_growing (growing->opening, growing->cancellable, &growing->error);
  return NULL;
}

/* The program that is being recorded needs the processors more: whoever watches it takes what is left. The priority
 * cannot be raised again, so the thread is of its own. */
static LcOpened *
open_growing (LcOpening *opening, GCancellable *cancellable, GError **error)
{
  Growing growing = {.opening = opening, .cancellable = cancellable};

  g_thread_join (g_thread_new ("growing", opening_run_growing, &growing));
  if (growing.error != NULL)
    g_propagate_error (error, growing.error);
  return growing.opened;
}

static gboolean
opening_has_trace (const LcOpening *opening)
{
  g_autofree char *metadata = g_build_filename (opening->directory, "ctf", "metadata", NULL);

  return g_file_test (metadata, G_FILE_TEST_EXISTS);
}

static void
opening_await (const LcOpening *opening, GCancellable *cancellable)
{
  gboolean there = opening_has_trace (opening);

  while (!lc_recording_is_going_on (opening->directory) && (there || !opening_has_trace (opening)) &&
         !g_cancellable_is_cancelled (cancellable))
    g_usleep (AWAIT);
}

static LcOpened *
open_once (LcOpening *opening, GCancellable *cancellable, GError **error)
{
  gint64 begun = g_get_monotonic_time ();
  LcOpened *opened;

  opening_recover (opening);
  opening->growing = lc_recording_is_going_on (opening->directory);
  opened = opening->growing ? open_growing (opening, cancellable, error) : open_closed (opening, cancellable, error);
  opening->took = g_get_monotonic_time () - begun;
  return opened;
}

static gpointer
open_whole (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  LcOpening *opening = data;
  LcOpened *opened;

  if (opening->awaits)
    opening_await (opening, cancellable);
  opened = open_once (opening, cancellable, error);
  while (opening->awaits && opening->growing && !g_cancellable_is_cancelled (cancellable) &&
         (opened == NULL || lc_history_get_n_processes (opened->history) == 0))
    {
      g_clear_error (error);
      g_clear_pointer (&opened, lc_opened_unref);
      g_usleep (AWAIT);
      opened = open_once (opening, cancellable, error);
    }
  return opened;
}

/* Errors are ignored here: the merge of the whole run, which is also running, will report them. */
static gpointer
open_beginning (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const LcOpening *opening = data;
  g_autofree char *path = opening_dup_place ();
  const LcMergeOptions options = {.most_events = BEGINNING_EVENTS, .path = path, .cancellable = cancellable};
  LcMergeResult result;
  LcHistory *history = NULL;

  if (path != NULL && lc_merge (opening->directory, &options, &result, NULL) && result.cut && result.events > 0)
    history = lc_history_open (path, NULL);
  if (history != NULL)
    return lc_opened_new_beginning (history, opening->directory, path);
  if (path != NULL)
    lc_opened_remove_temporary (path);
  return NULL;
}

/* --- On the main thread ---------------------------------------------------------------------------------------- */

static void
on_whole (gpointer owner, gpointer result, const GError *error)
{
  LcOpening *opening = owner;
  g_autoptr (LcOpened) opened = result;

  lc_job_stop (opening->beginning);
  g_signal_emit (opening, signals[DONE], 0, opened, error);
}

static void
opening_on_beginning (gpointer owner, gpointer result, const GError *error)
{
  g_autoptr (LcOpened) opened = result;

  if (opened != NULL)
    g_signal_emit (owner, signals[BEGINNING], 0, opened);
}

static LcMergeProgress
get_progress (LcOpening *opening)
{
  LcMergeProgress progress;

  g_mutex_lock (&opening->mutex);
  progress = opening->progress;
  g_mutex_unlock (&opening->mutex);
  return progress;
}

static void
start_beginning (LcOpening *opening)
{
  LcMergeProgress progress = get_progress (opening);

  if (g_get_monotonic_time () - opening->begun < PATIENCE || lc_opening_is_recovering (opening))
    return;
  opening->wants_beginning = FALSE;
  if (progress.events > 0 && progress.seconds_left >= 0 && progress.seconds_left < SOON)
    return;
  lc_job_start (opening->beginning, open_beginning, g_object_ref (opening), g_object_unref);
}

static void
opening_tick (gpointer owner, double fraction)
{
  g_autoptr (LcOpening) opening = g_object_ref (owner);

  if (opening->wants_beginning)
    start_beginning (opening);
  g_signal_emit (opening, signals[MOVED], 0);
}

void
lc_opening_start (LcOpening *opening)
{
  opening->begun = g_get_monotonic_time ();
  lc_job_start (opening->whole, open_whole, g_object_ref (opening), g_object_unref);
}

void
lc_opening_cancel (LcOpening *opening)
{
  lc_job_stop (opening->whole);
  lc_job_stop (opening->beginning);
}

/* --- Progress ---------------------------------------------------------------------------------------------------- */

double
lc_opening_get_fraction (LcOpening *opening)
{
  return get_progress (opening).fraction;
}

double
lc_opening_get_total (LcOpening *opening)
{
  LcMergeProgress progress = get_progress (opening);

  return progress.fraction > 0 ? (double)progress.events / progress.fraction : 0;
}

gboolean
lc_opening_is_recovering (LcOpening *opening)
{
  gboolean recovering;

  g_mutex_lock (&opening->mutex);
  recovering = opening->recovering;
  g_mutex_unlock (&opening->mutex);
  return recovering;
}

char *
lc_opening_dup_time_left (LcOpening *opening)
{
  LcMergeProgress progress = get_progress (opening);
  guint64 seconds = (guint64)MAX (1, ceil (progress.seconds_left));
  g_autofree char *left = lc_format_duration (seconds * 1000000000);

  if (progress.seconds_left < 0 || progress.events == 0)
    return NULL;
  /* Fractions of a second would suggest a precision that the estimate does not have. */
  return seconds < 60 ? g_strdup_printf (_ ("%u s left"), (guint)seconds) : g_strdup_printf (_ ("%s left"), left);
}

char *
lc_opening_dup_progress (LcOpening *opening)
{
  LcMergeProgress progress = get_progress (opening);
  g_autofree char *left = lc_opening_dup_time_left (opening), *events = lc_format_count (progress.events);

  if (lc_opening_is_recovering (opening))
    return g_strdup (_ ("The recording was cut off: it is being closed"));
  if (progress.events == 0)
    return g_strdup (_ ("Looking at the trace"));
  if (left == NULL)
    return g_strdup_printf (_ ("%.0f %%, %s events"), floor (progress.fraction * 100), events);
  return g_strdup_printf (_ ("%.0f %%, %s events, %s"), floor (progress.fraction * 100), events, left);
}

gboolean
lc_opening_was_growing (LcOpening *opening)
{
  return opening->growing;
}

gint64
lc_opening_get_duration (LcOpening *opening)
{
  return opening->took;
}

/* --- The object -------------------------------------------------------------------------------------------------- */

static void
lc_opening_finalize (GObject *object)
{
  LcOpening *opening = LC_OPENING (object);

  lc_job_free (opening->whole);
  lc_job_free (opening->beginning);
  g_free (opening->directory);
  g_mutex_clear (&opening->mutex);
  G_OBJECT_CLASS (lc_opening_parent_class)->finalize (object);
}

static void
lc_opening_class_init (LcOpeningClass *class)
{
  GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = lc_opening_finalize;
  signals[MOVED] = g_signal_new ("moved", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[BEGINNING] =
      g_signal_new ("beginning", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[DONE] =
      g_signal_new ("done", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_ERROR);
}

static void
lc_opening_init (LcOpening *opening)
{
  g_mutex_init (&opening->mutex);
  opening->whole = lc_job_new (opening, on_whole, opening_tick, (GDestroyNotify)lc_opened_unref);
  opening->beginning = lc_job_new (opening, opening_on_beginning, NULL, (GDestroyNotify)lc_opened_unref);
  opening->progress.seconds_left = -1;
}

void
lc_opening_await_recording (LcOpening *opening)
{
  opening->awaits = TRUE;
}

LcOpening *
lc_opening_new (const char *directory, gboolean beginning)
{
  LcOpening *opening = g_object_new (LC_TYPE_OPENING, NULL);

  opening->directory = g_strdup (directory);
  opening->wants_beginning = beginning;
  return opening;
}
