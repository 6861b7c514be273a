/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the toolkit: what a script works on, and how values and errors get into Scheme. */
#ifndef LC_SCRIPT_PRIVATE_H
#define LC_SCRIPT_PRIVATE_H

#include <libguile.h>

#include "history/database.h"
#include "lightcone/history.h"
#include "lightcone/inside.h"
#include "script.h"

/* A history that a script has opened, or was given. It stays open until the process ends, as its events have no owner
 * that a collector of garbage could see. */
typedef struct
{
  LcHistory *history;
  char *directory;
  SCM operations;       /* vector of symbols, by number */
  GPtrArray *walks;     /* LcHistoryWalk by timeline, or NULL */
  LcDatabase *database; /* for SQL, or NULL */
  LcInside *inside;     /* the regions that a filter asked for last, or NULL */
  gboolean is_old;      /* rules have changed since it was opened */
} LcScriptHistory;

/* Guile is one for each process, and so is this. */
typedef struct
{
  LcScriptHistory *current;
  guint32 timeline; /* that attributes of events are of */
  GCancellable *cancellable;
  GPtrArray *histories;     /* LcScriptHistory */
  const char *const *rules; /* further files of rules, or NULL */
  gboolean has_new_rules;   /* scripts have defined some that the history at the start was not made of */
  pthread_t thread;         /* the only one that may ask: cursors are of one thread */
  LcHistoryEvent event;     /* the last one that was asked about, */
  gboolean has_event;       /* if there is one: of the current history and timeline */
} LcScriptState;

extern LcScriptState lc_script;

/* Gives the current history, which is merged again first if rules have changed. Throws if that fails, or if it is
 * another thread that asks. */
LcScriptHistory *lc_script_get (void);

/* --- Values (values.c) ------------------------------------------------------------------------------------------ */

typedef enum
{
  LC_FIELD_U32,
  LC_FIELD_ID,  /* guint32, LC_TRACE_NONE is #f */
  LC_FIELD_CPU, /* guint32, LC_CPU_UNKNOWN is #f */
  LC_FIELD_U64,
  LC_FIELD_KNOWN, /* guint64, all ones are #f */
  LC_FIELD_I64,
  LC_FIELD_REAL,
  LC_FIELD_TEXT, /* NULL is #f */
  LC_FIELD_BOOLEAN,
} LcFieldKind;

/* A member of a struct as Scheme has it. */
typedef struct
{
  const char *name;
  gsize offset;
  LcFieldKind kind;
} LcScriptField;

SCM lc_script_from_text (const char *text); /* NULL is #f */
SCM lc_script_from_id (guint32 id);         /* LC_TRACE_NONE is #f */

/* A list of the values of a struct. */
SCM lc_script_from_struct (gconstpointer data, const LcScriptField *fields, gsize n_fields);
/* An association list of the names and values of a struct; of an array of structs, a list of those. */
SCM lc_script_from_named (gconstpointer data, const LcScriptField *fields, gsize n_fields);
SCM lc_script_from_array (const GArray *array, const LcScriptField *fields, gsize n_fields);

/* Throws `lightcone-error` with the message, and frees the error. What the caller holds must have been freed, for this
 * does not return. */
void lc_script_throw (GError *error) G_GNUC_NORETURN;
/* The same with a format of Scheme's and its list of arguments. */
void lc_script_fail (const char *format, SCM arguments) G_GNUC_NORETURN;
/* A whole number up to the largest of these bits, or throws. Those of Guile for 64 bits
 * end the process instead of throwing. */
guint32 lc_script_to_u32 (SCM value);
guint64 lc_script_to_u64 (SCM value);

/* --- Running (script.c) ------------------------------------------------------------------------------------------- */

SCM lc_script_get_runner (const char *name);
/* Takes apart what the runner says: (good . FOUND), (failed MESSAGE), (stopped MESSAGE) or (exited STATUS). */
LcScriptResult lc_script_read_result (SCM answer);
/* Copies a list of texts and symbols. Free with g_strfreev. */
char **lc_script_read_texts (SCM list);

/* --- What the files bring ----------------------------------------------------------------------------------------- */

typedef struct
{
  const char *name;
  int required;
  int optional;
  scm_t_subr function;
} LcScriptProcedure;

/* Defines procedures in the module that is being filled, and exports those that begin with no %. */
void lc_script_define (const LcScriptProcedure *procedures, gsize n_procedures);

/* Lets all histories go on to the states that their files have now: each evaluation sees one state of each, and what it
 * adds itself. */
void lc_script_go_on (void);

/* Takes a history over from the caller, who keeps it open. */
LcScriptHistory *lc_script_add_history (LcHistory *history, const char *directory);

void lc_script_init_values (void);
void lc_script_init_histories (void);
void lc_script_init_events (void);
void lc_script_init_folds (void);
void lc_script_init_queries (void);
void lc_script_init_analyses (void);
void lc_script_init_reports (void);
void lc_script_init_explanations (void);
void lc_script_init_approximations (void);
void lc_script_init_marks (void);
void lc_script_init_views (void);
void lc_script_init_rules (void);
void lc_script_init_guard (void);
void lc_script_init_console (void);

/* Tells the console of the browser, if there is one, that this has happened. */
void lc_script_console_tell (const char *kind);

/* Runs the compiled code of a module that is part of the program. */
void lc_script_load_code (const char *name);

/* Takes a process number and an ordinal out of an event that a procedure was given, or throws. */
void lc_script_to_event (const char *procedure, SCM event, guint32 *process, guint64 *ordinal);
SCM lc_script_from_event (guint32 process, guint64 ordinal);

/* Opens a cursor of the current history for the current timeline, which keeps it, or throws. */
LcHistoryWalk *lc_script_get_walk (LcScriptHistory *history);
/* Lets go of what was read of the timelines, after one was added. */
void lc_script_forget (LcScriptHistory *history);

/* --- Stopping (guard.c) ------------------------------------------------------------------------------------------- */

/* Between the two, Ctrl-C and the limits stop what the thread of the script does. */
void lc_script_guard_begin (void);
void lc_script_guard_end (void);
void lc_script_guard_start (const LcScriptOptions *options);
void lc_script_guard_finish (void);

#endif
