/* SPDX-License-Identifier: Apache-2.0 */
/* The programmable toolkit: runs programs in Scheme (GNU Guile) that ask a history. docs/scripting.md explains it. */
#ifndef LC_SCRIPT_SCRIPT_H
#define LC_SCRIPT_SCRIPT_H

#include "lightcone/history.h"

typedef struct
{
  LcHistory *history; /* stays the caller's, and open */
  const char *directory;
  const char *const *rules;     /* further files of rules, or NULL */
  const char *const *arguments; /* what (command-line) gives: the script and its own arguments */
  guint64 time_limit;           /* ns for each evaluation; 0: none */
  guint64 memory_limit;         /* bytes of Scheme's values; 0: half of the machine's memory */
} LcScriptOptions;

typedef enum
{
  LC_SCRIPT_GOOD,
  LC_SCRIPT_FAILED,  /* an error: the message begins with the place, if that is known */
  LC_SCRIPT_STOPPED, /* by Ctrl-C or a limit: the message says which */
  LC_SCRIPT_EXITED,  /* it has called (exit) */
} LcScriptEnd;

typedef struct
{
  LcScriptEnd end;
  char *message; /* of FAILED and STOPPED, else NULL */
  int status;    /* of EXITED */
} LcScriptResult;

void lc_script_result_clear (LcScriptResult *result);

/* Calls `body` with Guile running. All other functions must be called by it, in its thread. Once for each process. */
void lc_script_run (const LcScriptOptions *options, void (*body) (gpointer data), gpointer data);

/* Runs a file. Text is run form by form; `print`: with what each gives on standard output. */
LcScriptResult lc_script_load (const char *path);
LcScriptResult lc_script_evaluate (const char *text, const char *name, gboolean print);

/* Runs the scripts that are part of the program (data/scripts). */
LcScriptResult lc_script_load_own (void);

typedef enum
{
  LC_SCRIPT_NOTHING,
  LC_SCRIPT_INTEGER,
  LC_SCRIPT_REAL,
  LC_SCRIPT_TEXT,
} LcScriptKind;

typedef struct
{
  LcScriptKind kind;
  gint64 integer;
  double real;
  char *text;
} LcScriptCell;

/* What an analysis of a script has found. */
typedef struct
{
  char **names; /* of the columns */
  guint n_columns;
  guint n_rows;
  LcScriptCell *cells; /* row by row */
} LcScriptTable;

void lc_script_table_free (LcScriptTable *table);

/* Runs what a script has defined as an analysis, on a timeline. `table` NULL after a good end: there is none of this
 * name. */
LcScriptResult lc_script_analyse (const char *name, const char *timeline, LcScriptTable **table);

/* The names of the analyses that the program's own scripts define, as they are known without running these. */
extern const char *const lc_script_own_analyses[];

/* The names of the analyses that scripts have defined. Free with g_strfreev. */
char **lc_script_list_analyses (void);

/* What a view is to show. */
typedef struct
{
  const char *timeline;
  guint64 from; /* ns */
  guint64 to;
  const guint32 *processes;
  guint32 n_processes;
} LcScriptViewRequest;

/* Runs what a script has defined as a view, and gives the data of its sheet (lightcone/sheet.h). `sheet` NULL after a
 * good end: there is none of this name. */
LcScriptResult lc_script_make_view (const char *name, const LcScriptViewRequest *request, GVariant **sheet);

/* What a command is called with. */
typedef struct
{
  const char *timeline;
  guint32 process; /* of the selected event, or LC_TRACE_NONE */
  guint64 ordinal;
  guint64 from; /* the part in view, ns */
  guint64 to;
} LcScriptCommandRequest;

/* Runs what a script has defined as a command, and gives the line that it has for the user, or "". `line` NULL after a
 * good end: there is none of this name. Free with g_free. */
LcScriptResult lc_script_run_command (const char *name, const LcScriptCommandRequest *request, char **line);

/* A view, an analysis, a command or rules that scripts have defined. */
typedef struct
{
  const char *kind; /* "view", "analysis", "command", "rules" */
  const char *name;
  const char *key;   /* of a command; or "" */
  const char *title; /* or "" */
  const char *text;  /* what it is for; or "" */
} LcScriptDefinition;

/* Calls `visit` for each, in their order. */
void lc_script_list_definitions (void (*visit) (const LcScriptDefinition *definition, gpointer data), gpointer data);

/* Whether scripts have defined rules that the history at the start was not made of. */
gboolean lc_script_has_new_rules (void);

/* Whether the text has no form that has begun and not ended. */
gboolean lc_script_is_complete (const char *text);

/* Lists the names that begin with the prefix, in order. Free with g_strfreev. */
char **lc_script_complete (const char *prefix);

/* --- The console of the browser --------------------------------------------------------------------------------- */

/* Gets what is displayed: `kind` is "output" for text, or "event", "object" or "process" for a link, whose text is the
 * numbers of what it leads to, and on the next line what is displayed; or "rules": they have changed. */
typedef void (*LcScriptEmit) (const char *kind, const char *text, gsize length, gpointer data);

/* From now on, what scripts display, and values that are printed, go there. */
void lc_script_console_begin (LcScriptEmit emit, gpointer data);

/* What the browser shows: `selection`, `visible-span` and `shown-processes` of scripts. */
typedef struct
{
  guint32 process; /* of the selected event, on the measured timeline; LC_TRACE_NONE: none */
  guint64 ordinal;
  guint64 from; /* ns; from == to: another time than physical time is shown */
  guint64 to;
  const guint32 *processes;
  guint32 n_processes;
} LcScriptView;

void lc_script_console_set_view (const LcScriptView *view);

/* May be called in a signal handler: stops what is being evaluated. A second time, when the first had no effect, it
 * ends the process. */
void lc_script_interrupt (void);

#endif
