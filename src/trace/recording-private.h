/* SPDX-License-Identifier: Apache-2.0 */
/* What a recording is, to those who make it, join it and finish it. */
#ifndef LC_TRACE_RECORDING_PRIVATE_H
#define LC_TRACE_RECORDING_PRIVATE_H

#include "lightcone/recording.h"
#include "drain.h"
#include "settings.h"

struct _LcRecording
{
  char *directory;
  LcFolder *folder; /* the same; NULL: not made or opened yet */
  gid_t group;      /* LC_FOLDER_PRIVATE: it is shared with nobody */
  char *whole;      /* with parts of several hosts, of which `directory` is one; or NULL */
  gboolean made_directory;
  gboolean joined;
  guint members;  /* that are to come; 0: not known */
  guint seen;     /* that had come when it was last asked */
  gint64 came;    /* us: when this one came */
  gint64 changed; /* and when it was seen that others had */
  int lock;       /* the control block's file: locked until the recording is finished */
  struct lc_control *control;
  gsize control_size;
  guint8 uuid[16]; /* as it was written: the program can change what is in the block */
  enum lc_clock clock;
  guint64 frequency;
  LcClockStamp first; /* a little before `begin`, for the frequency */
  LcClockStamp begin;
  GKeyFile *settings;     /* trace.ini */
  gboolean keep_settings; /* there is one that cannot be read: it is not written over */
  LcDrain *drain;         /* NULL: nothing is recorded */
};

/* Makes the trace in recording->directory, or leaves nothing behind. */
gboolean lc_recording_make (LcRecording *recording, const LcRecordingSettings *settings, GError **error);

/* Opens and checks the control block that is there, with a lock: LOCK_SH or LOCK_EX. */
gboolean lc_recording_open (LcRecording *recording, int how, GError **error);

/* The same without a lock, of a recording that may go on. */
gboolean lc_recording_attach (LcRecording *recording, GError **error);

/* Ends a recording that nobody goes on with, or the copy of one. */
gboolean lc_recording_close_abandoned (LcFolder *folder, LcRecordingResult *result, GError **error);

/* Begins to empty the places that the program writes in; `make`: makes them. Nothing is done for a profile. */
gboolean lc_recording_open_drain (LcRecording *recording, gboolean make, const LcDrainLimits *limits, GError **error);

/* What whoever has made the trace knew of it. */
gboolean lc_recording_read (LcRecording *recording, GError **error);

/* For the member of a job: joins the others, or makes the trace for them. `whole` is the directory that was asked for.
 */
gboolean lc_recording_come (LcRecording *recording, const char *whole, const LcRecordingSettings *settings,
                            GError **error);

/* TRUE: no other member of the job is there, and none comes any more: the lock is ours alone. */
gboolean lc_recording_is_last (LcRecording *recording);

#endif
