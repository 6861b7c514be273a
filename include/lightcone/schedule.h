/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules: which events of a program's run are to come before which, as a file that can be read and shared. */
#ifndef LIGHTCONE_SCHEDULE_H
#define LIGHTCONE_SCHEDULE_H

#include "lightcone/history.h"

G_BEGIN_DECLS

#define LC_SCHEDULE_ERROR (lc_schedule_error_quark ())
GQuark lc_schedule_error_quark (void);

typedef enum
{
  LC_SCHEDULE_ERROR_FORMAT, /* a line that is not as docs/schedule.md says */
  LC_SCHEDULE_ERROR_OTHER,  /* it is of another program, or of another run */
} LcScheduleError;

typedef struct
{
  char *path;
  char *build_id; /* hexadecimal digits */
} LcScheduleModule;

/* A process by how it was made: its number and its creator's number are only names. */
typedef struct
{
  guint32 number;
  guint32 creator; /* or LC_TRACE_NONE */
  guint64 nth;     /* the creator's n-th creation, from 0 on */
  char *name;
} LcScheduleProcess;

/* What a process's n-th event is, by which one can see that the program does the same. */
typedef struct
{
  guint32 process;
  guint64 ordinal;
  gint64 nth; /* among those of its operation in its process, from 0 on; -1: not said */
  char *operation;
  char *object; /* or NULL */
  char *site;   /* or NULL */
} LcScheduleEvent;

/* The second of two events is not carried out before the first has been. */
typedef struct
{
  guint first; /* index in `events` */
  guint second;
} LcScheduleOrder;

typedef struct
{
  char *title;        /* or NULL */
  char *outcome;      /* how a program ends that keeps the orders; NULL: not said */
  char *program;      /* or NULL */
  GPtrArray *command; /* char *: the program's arguments, its name first */
  GArray *modules;    /* LcScheduleModule */
  GArray *processes;  /* LcScheduleProcess, creators first */
  GArray *events;     /* LcScheduleEvent, each once */
  GArray *orders;     /* LcScheduleOrder */
} LcSchedule;

/* An empty schedule for the program that this trace was recorded of. NULL with LC_HISTORY_ERROR. */
LcSchedule *lc_schedule_new (LcHistory *history, const LcTrace *trace, GError **error);
void lc_schedule_free (LcSchedule *schedule);

/* Lets the first of two events of the history come before the second, and notes what they are and who carries them
 * out. FALSE with LC_HISTORY_ERROR. */
gboolean lc_schedule_add_order (LcSchedule *schedule, LcHistory *history, guint32 first_process, guint64 first,
                                guint32 second_process, guint64 second, GError **error);

/* Finds who made a process of the history, and as its how many-th. Nobody: LC_TRACE_NONE. */
gboolean lc_schedule_find_creation (LcHistory *history, guint32 process, guint32 *creator, guint64 *nth,
                                    GError **error);

/* Adds the creator's nth creation (from 0 on), a thread that had not begun by the end of the recording, and gives it a
 * number that no process of the history has. FALSE with LC_HISTORY_ERROR. */
gboolean lc_schedule_add_unbegun (LcSchedule *schedule, LcHistory *history, guint32 creator, guint64 nth,
                                  guint32 *number, GError **error);

/* Finds the event that is a process's n-th of an operation, by its name, and adds it. Those that had not come by the
 * end of the recording are to be added in their order: their ordinals are after all others. The process may be one
 * that had not begun. */
gboolean lc_schedule_add_nth (LcSchedule *schedule, LcHistory *history, guint32 process, const char *operation,
                              guint64 nth, guint64 *ordinal, GError **error);

/* Reads a schedule; `path` is for messages, which name it and the line. NULL with LC_SCHEDULE_ERROR. */
LcSchedule *lc_schedule_parse (const char *text, gsize length, const char *path, GError **error);

/* Reads a regular file of at most 1 MiB. NULL also with G_FILE_ERROR. */
LcSchedule *lc_schedule_load (const char *path, GError **error);

/* What lc_schedule_parse reads. Free with g_free. */
char *lc_schedule_to_text (const LcSchedule *schedule);

/* Whether the history has the schedule's events, and they are what it says. FALSE with LC_SCHEDULE_ERROR_OTHER or
 * LC_HISTORY_ERROR. */
gboolean lc_schedule_check (const LcSchedule *schedule, LcHistory *history, GError **error);

/* Whether the first event of an order could come before the second, as far as all other orders of the history go. */
gboolean lc_schedule_is_feasible (const LcSchedule *schedule, guint order, LcHistory *history, gboolean *is_feasible,
                                  GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSchedule, lc_schedule_free)

G_END_DECLS

#endif
