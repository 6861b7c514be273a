/* SPDX-License-Identifier: Apache-2.0 */
/* The recording from outside of the program: making the trace directory, and closing the files that the program
 * left. */
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

/* All classes that can be recorded: bits 1 << enum lc_class. */
#define LC_RECORDING_ALL_CLASSES \
  (((1u << LC_CLASSES) - 1) & \
   ~(1u << LC_CLASS_NONE | 1u << LC_CLASS_MODULE | 1u << LC_CLASS_SITE | 1u << LC_CLASS_NAME))

#define LC_RECORDING_RESERVE G_MAXUINT64
#define LC_RECORDING_IO_THRESHOLD 10000 /* ns */

/* A region of the program that must not last for longer. */
typedef struct
{
  char *name;    /* less than LC_REGION_NAME bytes */
  guint64 limit; /* ns */
} LcRegionLimit;

/* Initialise with LC_RECORDING_SETTINGS_INIT. Nothing is kept after lc_recording_prepare returns. */
typedef struct
{
  const char *title;              /* NULL: the program's name */
  const char *const *command;     /* NULL-terminated: the program and its arguments; at least one */
  const char *const *environment; /* NULL-terminated; or NULL, if it is not to be kept */
  LcRecordingClock clock;
  guint32 classes;
  guint32 function_depth;     /* 0: all */
  guint64 overhead_test;      /* ns to lose on purpose after each event */
  guint64 io_threshold;       /* ns: calls that leave the program, and were shorter, are no events */
  const char *const *include; /* NULL-terminated patterns for functions, or NULL */
  const char *const *exclude;
  gboolean replace;        /* first removes a trace of ours at `directory` */
  GKeyFile *calibration;   /* its groups [overhead], [cost] and [barrier] go into trace.ini, or NULL */
  enum lc_purpose purpose; /* of a profile: records no events; `compensation` has bits of enum lc_compensation */
  guint32 compensation;
  gboolean callpaths; /* of a profile: tells times by call path, too */
  gboolean shared;    /* with the users of `group`: they may read, write and be recorded in the trace */
  guint32 group;
  enum lc_mpi mpi;      /* what programs use that load it only while they run */
  guint64 max_size;     /* bytes, at the most; 0: as many as the disk has room for */
  guint64 reserve;      /* bytes of the disk that are left free; LC_RECORDING_RESERVE: 5 %, but no more than 1 GiB */
  guint64 keep_bytes;   /* only the newest packets are kept, of so many bytes; 0: all of them */
  guint64 keep_time;    /* or those of the last so many ns; 0: all of them */
  gboolean paused;      /* nothing is recorded until it is started */
  gboolean lossless;    /* threads wait rather than lose events, when they make more than can be written */
  enum lc_where where;  /* what is recorded of where the program called an operation */
  gboolean no_switches; /* lc_recording_watch_switches is not going to be called */
  gboolean inputs;      /* what the program gets from outside is kept */
  gboolean futex_all;   /* futexes are seen that the program calls without the C library */
  const LcRegionLimit *region_limits; /* lc_recording_watch_waits tells of longer ones */
  guint n_region_limits;              /* LC_REGION_LIMITS at the most */

  /* For ranks of a parallel job that are recorded into one directory, each by its own `lightcone record`. */
  const char *job;      /* the same for all these ranks, and no others; NULL: one program only */
  gboolean job_is_host; /* `job` is for the ranks of this host; other hosts have another one */
  guint members;        /* number of ranks of the job in this directory; 0: not known */
  const char *host;     /* not NULL: the directory is for several hosts, and this host's part is the folder host-HOST */
} LcRecordingSettings;

#define LC_RECORDING_SETTINGS_INIT \
  { \
    .classes = LC_RECORDING_ALL_CLASSES, .reserve = LC_RECORDING_RESERVE, .where = LC_WHERE_BLOCKING_STACKS, \
    .io_threshold = LC_RECORDING_IO_THRESHOLD \
  }

/* The result of a recording. */
typedef struct
{
  guint32 processes;
  guint32 instances;
  guint32 running; /* processes that have not ended: the program left them behind, and their streams stay open */
  guint64 events;
  guint64 lost[LC_LOST_REASONS];
  guint64 n_lost;    /* sum of `lost` */
  guint32 strangers; /* programs that were not recorded because they ran as another user */
  guint64 damaged;   /* streams with bytes that could not be closed properly */
  guint64 duration;  /* ns, from the start to now; after recovery: to the last event */
} LcRecordingResult;

/* X (name in trace.ini and in messages) in the order of enum lc_lost. */
#define LC_LOST_NAMES(X) \
  X ("disk") \
  X ("file") \
  X ("signal") \
  X ("objects") \
  X ("exit") \
  X ("world") \
  X ("full") \
  X ("limit") \
  X ("sandbox")

/* The name of a reason for loss: "disk", "file", ...; "other" for a reason that this version does not know. */
const char *lc_recording_lost_name (guint reason);

/* Whether LC_RECORDING_CLOCK_AUTO is the TSC here. */
gboolean lc_recording_tsc_usable (void);

/*
 * Makes `directory` ready for a program to be recorded into. It must not exist, or be empty, or with settings->replace
 * be a trace of ours with nothing else in it; nothing that we did not make is ever removed. LC_TRACE_ERROR_EXISTS and
 * LC_TRACE_ERROR_BUSY say what is in the way, and LC_TRACE_ERROR_FOREIGN that others could put something there; a
 * failed call leaves nothing behind that it made. What a call leaves that was killed is taken by the next one.
 *
 * Only this user may read and write what is made, whatever the user's mask, unless settings->shared says more.
 *
 * With settings->job, the first member of the job does this, and the others join it: of their settings only the job
 * counts. All may call at once.
 */
LcRecording *lc_recording_prepare (const char *directory, const LcRecordingSettings *settings, GError **error);

/* The absolute path of the trace directory (with settings->host, of the host's part), as long as the recording lives.
 */
const char *lc_recording_get_directory (const LcRecording *recording);

/* The reasons why MPI's calls were not recorded, or only of some ranks: bits of enum lc_mpi_trouble. */
guint32 lc_recording_get_mpi_trouble (const LcRecording *recording);

/* The reasons why not all futexes were seen, though settings->futex_all: bits of enum lc_futex_trouble. */
guint32 lc_recording_get_futex_trouble (const LcRecording *recording);

/* The MPI libraries whose calls were recorded: bits 1 << enum lc_mpi. */
guint32 lc_recording_get_mpi_found (const LcRecording *recording);

/* Sets the costs of the MPI `mpi` ("openmpi"), as in trace.ini; NULL: not known. Call before lc_recording_finish. */
void lc_recording_set_mpi_costs (LcRecording *recording, const char *mpi, GKeyFile *calibration);

/*
 * Records when the kernel's scheduler takes threads off their processors: of a process that was made for the program
 * and executes it next, and of all that come of it. Where the kernel refuses, the trace says so.
 */
void lc_recording_watch_switches (LcRecording *recording, guint32 pid);

/* Notes that the program, which had this pid, has ended at this moment. */
void lc_recording_end_program (LcRecording *recording, guint32 pid);

/* Whether anybody still writes into the trace. */
gboolean lc_recording_is_used (const LcRecording *recording);

/*
 * Forks: the child goes on with the recording, in a session of its own, and 0 is returned there; the caller, which gets
 * its pid, must do no more than free it. -1 with an error: all is as before. There must be no other threads but those
 * of the recording.
 */
gint64 lc_recording_hand_over (LcRecording *recording, GError **error);

/*
 * Leaves the job after the program has ended with this status. Call before lc_recording_finish. FALSE: other members of
 * the job are still there, and the last of them will finish the recording. Waits some seconds for members that have not
 * come yet. TRUE at once if there is no job.
 */
gboolean lc_recording_leave (LcRecording *recording, int status);

/*
 * Closes all streams of a program that has ended, names its functions, and writes what is known of the recording.
 * `status` is the program's, as waitpid gives it; -1: not known. Safe while processes that the program left behind
 * still run: their streams are not touched. Call once. On FALSE, the trace may still be readable; `result` is always
 * filled as far as possible.
 */
gboolean lc_recording_finish (LcRecording *recording, int status, LcRecordingResult *result, GError **error);

/*
 * Removes the trace directory again, for when the program could not be started, unless other members of the job have
 * come. Call instead of lc_recording_leave and lc_recording_finish.
 */
void lc_recording_discard (LcRecording *recording);

void lc_recording_free (LcRecording *recording);

/* The following functions also take a directory for several hosts, and then tell about at least one of its parts. */

/* Whether `directory` holds a recording that nobody is making any more and nobody has finished. */
gboolean lc_recording_is_abandoned (const char *directory);

/* Whether `directory` is being recorded at this moment. Quick enough to be asked again and again. */
gboolean lc_recording_is_going_on (const char *directory);

/*
 * Finishes a recording whose `lightcone record` was killed, as lc_recording_finish would have done. LC_TRACE_ERROR_BUSY
 * if it is still being made; LC_TRACE_ERROR_NOT_A_TRACE if there is nothing to recover; LC_TRACE_ERROR_FOREIGN, with
 * nothing changed, if another user owns the directory or a file that must be changed.
 */
gboolean lc_recording_recover (const char *directory, LcRecordingResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcRecording, lc_recording_free)

/* --- A recording that goes on ------------------------------------------------------------------------------- */

/* The state of a recording; if it is over several hosts, of all parts that are recorded on this one. */
typedef struct
{
  gboolean is_paused;
  guint64 elapsed;    /* ns since it began */
  guint64 keep_bytes; /* as in LcRecordingSettings */
  guint64 keep_time;
  guint64 bytes;     /* of the trace so far */
  guint64 dropped;   /* events that were dropped, since only the newest are kept */
  guint64 since;     /* ns since it began: nothing that ended before is kept; 0: all is */
  guint64 lost;      /* events that no process has counted */
  guint32 processes; /* that have begun so far */
  int stopped;       /* enum lc_lost: why nothing is written at the moment; -1: it is */
} LcRecordingStatus;

/* Errors: LC_TRACE_ERROR_NOT_A_TRACE, if nothing is being recorded into `directory`. */
gboolean lc_recording_get_status (const char *directory, LcRecordingStatus *status, GError **error);

/* Stops recording, or lets it go on. `changed`: FALSE if it was so before. */
gboolean lc_recording_set_paused (const char *directory, gboolean paused, gboolean *changed, GError **error);

/*
 * Makes a trace of its own, in `to`, of what has been recorded until now. The program and the recording go on, and are
 * not held up.
 */
gboolean lc_recording_dump (const char *directory, const char *to, LcRecordingResult *result, GError **error);

/* A wait, or a region of the program, that has lasted too long. */
typedef struct
{
  guint32 process;
  char name[41];      /* of the process, as the program gave it; any bytes */
  const char *region; /* NULL: a wait; else of the program's own, and valid during the call */
  enum lc_operation operation;
  guint64 waited;   /* ns, until it was told of */
  gboolean is_over; /* FALSE: it goes on */
  gboolean is_last; /* no more of them will be told of */
} LcLongWait;

typedef struct
{
  guint64 limit;                                       /* ns; 0: no wait is too long */
  gboolean operations[LC_OPERATION_END];               /* which are of interest */
  guint most;                                          /* so many are told of, at the most */
  void (*act) (const LcLongWait *wait, gpointer data); /* NULL: nobody wants to know */
  void (*stuck) (gpointer data);                       /* NULL: nobody wants to know */
  gpointer data;
} LcLongWaitSettings;

/*
 * Calls settings->act, in another thread, when a wait of the recorded program has lasted for longer than the limit, or
 * a region for longer than the one that it had in LcRecordingSettings: as soon as it is over, or after another second;
 * and then of none for a second. Calls settings->stuck when two threads or more have waited for over a second, one of
 * them for a lock, and these are others than at the last call: they may be in a deadlock. Neither function may block.
 */
void lc_recording_watch_waits (LcRecording *recording, const LcLongWaitSettings *settings);

G_END_DECLS

#endif
