/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles: per process and routine calls, inclusive and exclusive time, and waiting, with and without compensation. */
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

/* The ways in which a time is told. */
typedef enum
{
  LC_PROFILE_UNCOMPENSATED,
  LC_PROFILE_LOCALLY,      /* without the process's own overhead */
  LC_PROFILE_IN_PARALLEL,  /* without what all processes' overhead has led to, as it was found on the fly */
  LC_PROFILE_APPROXIMATED, /* of a trace: on the timeline of model event */
  LC_PROFILE_N_WAYS,
} LcProfileWay;

typedef struct
{
  char *name;
  char *kind;                          /* "mpi", "function", "region"; of a trace also "operation" */
  guint64 calls, skipped;              /* of the calls, those that were not measured, but told like those beside them */
  gint64 cost;                         /* ns that are taken off for measuring one call of it */
  gint64 inclusive[LC_PROFILE_N_WAYS]; /* ns */
  gint64 exclusive[LC_PROFILE_N_WAYS];
  gint64 waiting[LC_PROFILE_N_WAYS];
} LcProfileRoutine;

typedef struct
{
  char *name; /* "rank 3", or as the trace calls it */
  char *host;
  guint rank;
  gint64 total[LC_PROFILE_N_WAYS]; /* MPI: from the end of MPI_Init to that of MPI_Finalize */
  gint64 overhead;                 /* its own */
  gint64 delay;                    /* at the end: how much earlier that would have been */
  guint64 messages;                /* sent with a delay */
  GPtrArray *routines;             /* LcProfileRoutine, owned: the one with most exclusive time first */
} LcProfileProcess;

typedef struct
{
  char *title;          /* the command, or the trace's directory */
  guint ways;           /* bits 1 << LcProfileWay: what is known */
  GPtrArray *processes; /* LcProfileProcess, owned: in the order of ranks */
} LcProfile;

LcProfile *lc_profile_new (const char *title, guint ways);
void lc_profile_free (LcProfile *profile);

/* Adds the process that a rank of a program has left in this file. G_FILE_ERROR, LC_PROFILE_ERROR. */
gboolean lc_profile_add_rank (LcProfile *profile, const char *path, GError **error);

/* A profile that lc_profile_dup_json gave. */
LcProfile *lc_profile_load (const char *path, GError **error);
char *lc_profile_dup_json (const LcProfile *profile);

/* A process without routines, and a routine in it; both belong to the profile. */
LcProfileProcess *lc_profile_add_process (LcProfile *profile, const char *name);
LcProfileRoutine *lc_profile_process_add (LcProfileProcess *process, const char *name, const char *kind);

/* Puts processes and routines in order. */
void lc_profile_sort (LcProfile *profile);

/*
 * The profile of a trace: of each process its operations, and the regions and functions that it has entered. On the fly
 * compensation is run over the recorded events as it would have been in the run itself, and stands beside the
 * approximation of model event (which is added to the trace's history). `settings` as in lc_costs_new, or NULL.
 * The errors of lc_approximate.
 */
LcProfile *lc_profile_of_trace (const char *directory, const char *const *settings, GError **error);

/* Of a trace, if the path is that of a directory; else one that was kept. */
LcProfile *lc_profile_open (const char *path, const char *const *settings, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcProfile, lc_profile_free)

G_END_DECLS

#endif
