/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of a recording, shared by the files that make, join and finish it. */
#ifndef LC_TRACE_RECORDING_PRIVATE_H
#define LC_TRACE_RECORDING_PRIVATE_H

#include "lightcone/recording.h"
#include "drain.h"
#include "settings.h"

struct _LcRecording
{
  char *directory;
  LcFolder *folder; /* of `directory`; NULL: not made or opened yet */
  gid_t group;      /* LC_FOLDER_PRIVATE: shared with nobody */
  char *whole;      /* directory with the parts of several hosts, of which `directory` is one; or NULL */
  gboolean made_directory;
  gboolean joined;
  gboolean is_recovered; /* nobody ended it: it is closed such that a loss of power meanwhile loses nothing */
  guint members;         /* number of members to expect; 0: not known */
  guint seen;            /* members that had come at the last check */
  gint64 came;           /* us: when this member came */
  gint64 changed;        /* us: when the number of members was last seen to change */
  int lock;              /* the control block's file, locked until the recording is finished */
  struct lc_control *control;
  gsize control_size;
  guint8 uuid[16]; /* as originally written, because the program can change the block */
  enum lc_clock clock;
  guint64 frequency;
  LcClockStamp first; /* taken a little before `begin`, for the frequency */
  LcClockStamp begin;
  GKeyFile *settings;     /* trace.ini */
  gboolean keep_settings; /* there is one that cannot be read: it is not written over */
  LcDrain *drain;         /* NULL: nothing is recorded */
};

/* Makes the trace in recording->directory; leaves nothing behind on failure. */
gboolean lc_recording_make (LcRecording *recording, const LcRecordingSettings *settings, GError **error);

/* Opens and checks the existing control block, and locks it with LOCK_SH or LOCK_EX. */
gboolean lc_recording_open (LcRecording *recording, int how, GError **error);

/* The same without a lock, of a recording that may go on. */
gboolean lc_recording_attach (LcRecording *recording, GError **error);

/* Ends a recording that nobody goes on with, or the copy of one. */
gboolean lc_recording_close_abandoned (LcFolder *folder, LcRecordingResult *result, GError **error);

/* Begins to empty the places that the program writes in; `make`: makes them. Nothing is done for a profile. */
gboolean lc_recording_open_drain (LcRecording *recording, gboolean make, const LcDrainLimits *limits, GError **error);

/* Reads what the maker of the trace has written about it. */
gboolean lc_recording_read (LcRecording *recording, GError **error);

/* For a member of a job: joins the recording of the others, or makes the trace for them. `whole` is the directory that
 * was asked for. */
gboolean lc_recording_come (LcRecording *recording, const char *whole, const LcRecordingSettings *settings,
                            GError **error);

/* TRUE: no other member of the job is there or still expected, and the lock is held by this one alone. */
gboolean lc_recording_is_last (LcRecording *recording);

#endif
