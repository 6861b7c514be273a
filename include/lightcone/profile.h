/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles: calls, inclusive and exclusive time, and waiting, by process and routine or call path, with and without
 * compensation. */
#ifndef LIGHTCONE_PROFILE_H
#define LIGHTCONE_PROFILE_H

#include <glib.h>

G_BEGIN_DECLS

#define LC_PROFILE_ERROR (lc_profile_error_quark ())
GQuark lc_profile_error_quark (void);

typedef enum
{
  LC_PROFILE_ERROR_FORMAT, /* the file is no profile, or it is damaged */
} LcProfileError;

/* The ways to compute a time. */
typedef enum
{
  LC_PROFILE_UNCOMPENSATED,
  LC_PROFILE_LOCALLY,      /* without the process's own overhead */
  LC_PROFILE_IN_PARALLEL,  /* without the effects of all processes' overhead, as found on the fly */
  LC_PROFILE_APPROXIMATED, /* of a trace: on the timeline of model event */
  LC_PROFILE_N_WAYS,
} LcProfileWay;

/* In place of a caller's number: nobody that was measured has called it. */
#define LC_PROFILE_NO_CALLER G_MAXUINT

typedef struct
{
  char *name;             /* "": of all routines that were too many */
  char *kind;             /* "mpi", "function", "region", "other"; of a trace also "operation" */
  guint caller;           /* of a path: the number of the path that has called it, which is lower */
  guint64 calls, skipped; /* `skipped`: of the calls, those not measured, but estimated from measured ones */
  gint64 cost;            /* ns taken off for measuring one call */
  gint64 inclusive[LC_PROFILE_N_WAYS]; /* ns */
  gint64 exclusive[LC_PROFILE_N_WAYS];
  gint64 waiting[LC_PROFILE_N_WAYS];
} LcProfileRoutine;

typedef struct
{
  char *name; /* "rank 3", or the name in the trace */
  char *host;
  guint rank;
  gint64 total[LC_PROFILE_N_WAYS]; /* MPI: from the end of MPI_Init to that of MPI_Finalize */
  gint64 overhead;                 /* of the process itself, ns */
  gint64 delay;                    /* how much earlier its end would have been, ns */
  gint64 cpu;                      /* time of processors that it has had from its begin on, ns; 0: not known */
  guint64 messages;                /* sent with a delay */
  GPtrArray *routines;             /* LcProfileRoutine, owned: the one with most exclusive time first */
  GPtrArray *paths;                /* LcProfileRoutine, owned: callers, then what they have called, that with most
                                      inclusive time first; NULL: they were not told */
  guint64 calls_without_path;      /* there were too many paths: these calls are among `routines` only */
  guint64 calls_too_deep;          /* there were too many levels: these calls are nowhere */
} LcProfileProcess;

typedef struct
{
  char *title;          /* the command, or the trace's directory */
  guint ways;           /* bits 1 << LcProfileWay: the ways that are known */
  guint n_ranks;        /* of a program of MPI that was measured; 0: not known */
  guint others;         /* per cent of the processors that other programs had meanwhile; 0: none, or not known */
  GPtrArray *processes; /* LcProfileProcess, owned: in the order of ranks */
} LcProfile;

/* A profile tells of a busy machine if other programs had more of the processors than so many per cent. */
#define LC_PROFILE_BUSY 20

LcProfile *lc_profile_new (const char *title, guint ways);
void lc_profile_free (LcProfile *profile);

/* Adds a process from the file that its rank has left. FALSE with G_FILE_ERROR or LC_PROFILE_ERROR. */
gboolean lc_profile_add_rank (LcProfile *profile, const char *path, GError **error);

/* Whether a file begins as a profile does. */
gboolean lc_profile_is_file (const char *path);

/* Loads a profile from a file with the text that lc_profile_dup_json gives. */
LcProfile *lc_profile_load (const char *path, GError **error);
char *lc_profile_dup_json (const LcProfile *profile);

/* Adds a process without routines, or a routine to a process; both belong to the profile. */
LcProfileProcess *lc_profile_add_process (LcProfile *profile, const char *name);
LcProfileRoutine *lc_profile_process_add (LcProfileProcess *process, const char *name, const char *kind);

/* Adds a path, whose caller has been added before. */
LcProfileRoutine *lc_profile_process_add_path (LcProfileProcess *process, guint caller, const char *name,
                                               const char *kind);

/* Sorts the processes, their routines and paths, which have other numbers then. */
void lc_profile_sort (LcProfile *profile);

/* Whether any process has paths. */
gboolean lc_profile_has_paths (const LcProfile *profile);

/* Gives the best of the ways that the profile has. */
LcProfileWay lc_profile_get_best_way (const LcProfile *profile);

/*
 * Makes the profile of a trace: for each process its operations, and the regions and functions that it entered. The
 * compensation on the fly is run over the recorded events as it would have been in the run itself; the profile has its
 * times beside those of the approximation of model event, which is added to the trace's history. `settings` are as for
 * lc_costs_new, or NULL. The errors are those of lc_approximate.
 */
LcProfile *lc_profile_of_trace (const char *directory, const char *const *settings, GError **error);

/* Makes the profile of a trace if `path` is a directory, else loads one from a file. */
LcProfile *lc_profile_open (const char *path, const char *const *settings, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcProfile, lc_profile_free)

G_END_DECLS

#endif
