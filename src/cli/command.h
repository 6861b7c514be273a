/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all commands of the command line: options, errors, exit statuses. */
#ifndef LC_CLI_COMMAND_H
#define LC_CLI_COMMAND_H

#include "report/output.h"
#include "report/rows.h"

/*
 * To add a command: write cmd-NAME.c with lc_cmd_NAME, declare that here, add a line to the table in main.c and the
 * file to meson.build, and add a manual page (docs/man), completion (data/completion) and a test (tests/cli).
 */
int lc_cmd_approximate (int argc, char **argv);
int lc_cmd_cc (int argc, char **argv);
int lc_cmd_check (int argc, char **argv);
int lc_cmd_compare (int argc, char **argv);
int lc_cmd_control (int argc, char **argv);
int lc_cmd_critical_path (int argc, char **argv);
int lc_cmd_explain (int argc, char **argv);
int lc_cmd_export (int argc, char **argv);
int lc_cmd_info (int argc, char **argv);
int lc_cmd_merge (int argc, char **argv);
int lc_cmd_open (int argc, char **argv);
int lc_cmd_predict (int argc, char **argv);
int lc_cmd_profile (int argc, char **argv);
int lc_cmd_races (int argc, char **argv);
int lc_cmd_record (int argc, char **argv);
int lc_cmd_replay (int argc, char **argv);
int lc_cmd_script (int argc, char **argv);
int lc_cmd_sql (int argc, char **argv);
int lc_cmd_stats (int argc, char **argv);
int lc_cmd_validate (int argc, char **argv);
int lc_cmd_what_if (int argc, char **argv);

enum
{
  LC_EXIT_GOOD = 0,
  LC_EXIT_PROBLEM = 1,  /* the trace has the problem that the command looks for */
  LC_EXIT_UNUSABLE = 2, /* wrong usage, or input that cannot be read */
};

/*
 * A number that an option takes, which is a G_OPTION_ARG_CALLBACK to lc_command_take_number. Only what is from `least`
 * to `most` is taken, so a default outside of them says that the option was not given.
 */
typedef struct
{
  const char *option; /* its long name; NULL: the end of a list */
  double least, most; /* `most` LC_COMMAND_ANY: as large as the type allows */
  int *integer;       /* where it goes, which is one of these */
  gint64 *large;
  double *real;
} LcCommandNumber;

#define LC_COMMAND_ANY G_MAXDOUBLE

gboolean lc_command_take_number (const char *option, const char *text, gpointer line, GError **error);

typedef struct
{
  const char *name;
  const char *arguments;   /* as the usage shows them */
  const char *description; /* below the options, or NULL */
  const GOptionEntry *options;
  const LcCommandNumber *numbers;         /* of the options, or NULL */
  const GOptionEntry *(*get_more) (void); /* further options, or NULL */
  int n_arguments; /* exactly so many; -1: at least one, and options after the first belong to it */
  int n_optional;  /* at most so many more */
} LcCommandLine;

/*
 * Takes the options out of argc and argv, and a "--" before the arguments. FALSE: the user has been told what is wrong,
 * and the command must end with LC_EXIT_UNUSABLE. --help prints help and ends the process.
 */
gboolean lc_command_parse (const LcCommandLine *line, int *argc, char ***argv);

/* Does the same, but sets an error, whose message is complete. */
gboolean lc_command_read (const LcCommandLine *line, int *argc, char ***argv, GError **error);

/* Passes on the error of an option. If its text is wrong, the message becomes a sentence of the command. */
void lc_command_propagate (const char *command, GError *reason, GError **error);

/* Parses "text", "csv" or "json". FALSE: it is no format, and the user has been told. */
gboolean lc_format_parse (const char *command, const char *name, LcFormat *format);

/* Finds which of the words --by is; NULL: the first one. FALSE: it is none of them, and the user has been told. */
gboolean lc_by_parse (const char *command, const char *name, const char *const *words, guint *by);

#endif
