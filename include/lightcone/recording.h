/* SPDX-License-Identifier: Apache-2.0 */
/* What `lightcone record` does around the program: it makes the trace directory, and closes what the program left. */
#ifndef LIGHTCONE_RECORDING_H
#define LIGHTCONE_RECORDING_H

#include <glib.h>

#include "lightcone/control.h"

G_BEGIN_DECLS

/*
 * lc_recording_prepare, then run the program with LC_CONTROL_ENVIRONMENT set to lc_recording_get_directory and the
 * recorder preloaded, then lc_recording_finish once it has ended. Errors are LC_TRACE_ERROR (trace.h), G_FILE_ERROR or
 * G_IO_ERROR, with the file in the message.
 */

typedef struct _LcRecording LcRecording;

typedef enum
{
  LC_RECORDING_CLOCK_AUTO, /* the TSC where the system itself trusts it, else CLOCK_MONOTONIC */
  LC_RECORDING_CLOCK_TSC,
  LC_RECORDING_CLOCK_MONOTONIC,
} LcRecordingClock;

/* Bits 1 << enum lc_class of everything that can be recorded. */
#define LC_RECORDING_ALL_CLASSES (((1u << LC_CLASS_MODULE) - 1) & ~1u)

/* Initialise with LC_RECORDING_SETTINGS_INIT. Nothing is kept after lc_recording_prepare returns. */
typedef struct
{
  const char *title;          /* NULL: the program's name */
  const char *const *command; /* NULL-terminated: the program and its arguments; at least one */
  LcRecordingClock clock;
  guint32 classes;
  guint32 function_depth;     /* 0: all */
  guint64 overhead_test;      /* ns to lose on purpose after each event */
  const char *const *include; /* NULL-terminated patterns for functions, or NULL */
  const char *const *exclude;
  gboolean replace;      /* a trace of ours that is at `directory` goes first */
  GKeyFile *calibration; /* its groups [overhead], [cost] and [barrier] go into trace.ini, or NULL */
} LcRecordingSettings;

#define LC_RECORDING_SETTINGS_INIT \
  { \
    .classes = LC_RECORDING_ALL_CLASSES \
  }

/* What became of a recording. */
typedef struct
{
  guint32 processes;
  guint32 instances;
  guint32 running; /* processes that have not ended: the program left them behind, and their streams were left open */
  guint64 events;
  guint64 lost[LC_LOST_REASONS];
  guint64 n_lost;   /* the sum */
  guint64 damaged;  /* streams with bytes that could not be closed properly */
  guint64 duration; /* ns, from the start to now; after recovery: to the last event */
} LcRecordingResult;

/* X (name in trace.ini and in messages) in the order of enum lc_lost. */
#define LC_LOST_NAMES(X) \
  X ("disk") \
  X ("file") \
  X ("signal") \
  X ("objects") \
  X ("exit")

/* "disk", "file", ...; "other" for a reason that this version does not know. */
const char *lc_recording_lost_name (guint reason);

/* TRUE if LC_RECORDING_CLOCK_AUTO is the TSC here. */
gboolean lc_recording_tsc_usable (void);

/*
 * Makes `directory` ready for a program to be recorded into. It must not exist, or be empty, or with settings->replace
 * be a trace of ours with nothing else in it; nothing that we did not make is ever removed. LC_TRACE_ERROR_EXISTS and
 * LC_TRACE_ERROR_BUSY say what is in the way; a failed call leaves nothing behind that it made.
 */
LcRecording *lc_recording_prepare (const char *directory, const LcRecordingSettings *settings, GError **error);

/* The absolute path of the trace directory, as long as the recording lives. */
const char *lc_recording_get_directory (const LcRecording *recording);

/*
 * Closes all streams of a program that has ended, names its functions, and writes what is known of the recording.
 * `status` is the program's, as waitpid gives it; -1: not known. Safe while processes that the program left behind
 * still run: their streams are not touched. Call once. On FALSE, the trace may still be readable; `result` is always
 * filled as far as possible.
 */
gboolean lc_recording_finish (LcRecording *recording, int status, LcRecordingResult *result, GError **error);

/* Removes the trace directory again, for when the program could not be started. Call instead of lc_recording_finish. */
void lc_recording_discard (LcRecording *recording);

void lc_recording_free (LcRecording *recording);

/* TRUE if `directory` holds a recording that nobody is making any more and nobody has finished. */
gboolean lc_recording_is_abandoned (const char *directory);

/* TRUE if `directory` is being recorded at this moment. Quick: it may be asked again and again. */
gboolean lc_recording_is_going_on (const char *directory);

/*
 * Does what lc_recording_finish would have done, had the recording process not been killed. LC_TRACE_ERROR_BUSY if it
 * is still being made; LC_TRACE_ERROR_NOT_A_TRACE if there is nothing to recover.
 */
gboolean lc_recording_recover (const char *directory, LcRecordingResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcRecording, lc_recording_free)

G_END_DECLS

#endif
