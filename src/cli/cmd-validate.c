/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone validate: runs a program bare and recorded by turns, and says how near its approximation comes. */
#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "approximating.h"
#include "command.h"
#include "open-history.h"
#include "report/output.h"
#include "program.h"
#include "scratch.h"
#include "validation.h"

enum
{
  RUNS = 7,
  MOST_RUNS = 1000,
  LINES = 20, /* processes for people, without --limit */
  EXIT_CANNOT_RUN = 126,
  EXIT_NOT_FOUND = 127,
};

static char *part, *model_names, *bare, *input, *output;
static char **record_options;
static gboolean json, quiet;
static int runs = RUNS, limit = -1;
static double within = -1;

static const GOptionEntry options[] = {
    {"runs", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number, N_ ("So many undisturbed rounds (default: 7)"),
     N_ ("NUMBER")},
    {"part", 0, 0, G_OPTION_ARG_STRING, &part,
     N_ ("What to compare: run, threads or the name of a region (default: threads, if there are any)"), N_ ("PART")},
    {"model", 0, 0, G_OPTION_ARG_STRING, &model_names,
     N_ ("Models; processes are compared by the first one (default: event,liberal)"), N_ ("MODEL,...")},
    {"record", 0, 0, G_OPTION_ARG_STRING_ARRAY, &record_options,
     N_ ("A further option of lightcone record, as --record=-q"), N_ ("OPTION")},
    {"bare", 0, 0, G_OPTION_ARG_FILENAME, &bare,
     N_ ("The same program without instrumentation, for all but the recorded runs, as of lightcone cc"), N_ ("FILE")},
    {"input", 0, 0, G_OPTION_ARG_FILENAME, &input, N_ ("What the program reads (default: nothing)"), N_ ("FILE")},
    {"within", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("End with status 1 if the first model's median is off by more than so many percent"), N_ ("PERCENT")},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("Leave the last round's traces in this new folder"),
     N_ ("FOLDER")},
    {"limit", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number, N_ ("At most so many processes"), N_ ("NUMBER")},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("For programs to read"), NULL},
    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, N_ ("No progress"), NULL},
    {NULL},
};

static const LcCommandNumber numbers[] = {
    {"runs", 1, MOST_RUNS, .integer = &runs},
    {"within", 0, LC_COMMAND_ANY, .real = &within},
    {"limit", 0, LC_COMMAND_ANY, .integer = &limit},
    {NULL},
};

static const LcCommandLine line = {
    .name = "validate",
    .arguments = N_ ("PROGRAM ARGS..."),
    .description =
        N_ ("The program runs many times: by itself, with nothing recorded but the begins and ends of threads (the\n"
            "reference), and recorded. Its output is not shown, and its status must be 0."),
    .options = options,
    .numbers = numbers,
    .n_arguments = -1,
};

/* --- Options ---------------------------------------------------------------------------------------------------- */

/* NULL: the user has been told. */
static GArray *
validate_parse_models (void)
{
  g_auto (GStrv) names = g_strsplit (model_names != NULL ? model_names : "event,liberal", ",", -1);
  g_autoptr (GArray) models = g_array_new (FALSE, FALSE, sizeof (LcModel));

  for (char **name = names; *name != NULL; name++)
    {
      LcModel model;

      if (!lc_parse_model (line.name, *name, &model))
        return NULL;
      g_array_append_val (models, model);
    }
  if (models->len > 0)
    return g_steal_pointer (&models);
  lc_complain (_ ("validate: --model needs the name of a model"));
  return NULL;
}

static gboolean
validate_check_options (void)
{
  if (input != NULL && access (input, R_OK) != 0)
    lc_complain ("%s: %s", input, g_strerror (errno));
  else
    return TRUE;
  return FALSE;
}

static gboolean
validate_find_program (const char *name, int *status)
{
  int reason;
  g_autofree char *program = lc_program_find (name, &reason);

  if (program != NULL)
    return TRUE;
  *status = reason == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
  if (reason == ENOENT)
    lc_complain (_ ("%s: there is no such program"), name);
  else
    lc_complain (_ ("%s: cannot be run: %s"), name, g_strerror (reason));
  return FALSE;
}

/* --- Rounds ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcTurnPlan turns;
  LcValidationPlan plan;
  LcValidation *validation;
  char *traces[LC_TURN_KINDS]; /* where they are left; of a bare run none is */
} Validate;

static void
validate_tell (guint done, guint good)
{
  if (quiet || json || !isatty (STDERR_FILENO))
    return;
  lc_output_clear_line ();
  g_printerr (_ ("round %u: %u of %d are there"), done + 1, good, runs);
}

static gboolean
validate_read_reference (const Validate *validate, GError **error)
{
  g_autoptr (LcHistory) history = lc_open_history (validate->traces[LC_TURN_REFERENCE], NULL, TRUE, error);
  g_autoptr (LcLengths) lengths = NULL, run = NULL;

  if (history == NULL)
    return FALSE;
  lengths = lc_lengths_find (history, LC_TIMELINE_MEASURED, part, NULL, error);
  run = lengths != NULL ? lc_lengths_find (history, LC_TIMELINE_MEASURED, "run", NULL, error) : NULL;
  if (run != NULL)
    lc_validation_take_reference (validate->validation, lengths, run->end - run->begin);
  return run != NULL;
}

static gboolean
validate_read_measured (const Validate *validate, GError **error)
{
  g_autoptr (LcHistory) history = lc_open_history (validate->traces[LC_TURN_RECORDED], NULL, TRUE, error);
  g_autoptr (LcLengths) lengths = NULL;

  if (history == NULL)
    return FALSE;
  lengths = lc_lengths_find (history, LC_TIMELINE_MEASURED, part, NULL, error);
  if (lengths != NULL)
    lc_validation_take_measured (validate->validation, lengths, lc_history_get_n_events (history));
  return lengths != NULL;
}

static gboolean
validate_approximate (const Validate *validate, guint model, GError **error)
{
  const LcApproximateOptions how = {.model = validate->plan.models[model]};
  const char *trace = validate->traces[LC_TURN_RECORDED];
  g_autoptr (LcApproximation) approximation = lc_approximate_directory (trace, how, TRUE, error);
  g_autoptr (LcHistory) history = approximation != NULL ? lc_open_approximated (trace, error) : NULL;
  g_autoptr (LcLengths) lengths = NULL;

  if (history == NULL)
    return FALSE;
  lengths = lc_lengths_find (history, approximation->timeline, part, NULL, error);
  if (lengths != NULL)
    lc_validation_take_approximated (validate->validation, model, lengths, approximation);
  return lengths != NULL;
}

/* Who is first changes from round to round, so that what a run leaves behind for the next one is shared out. */
static gboolean
validate_take_turns (const Validate *validate, guint round, LcTurn turns[LC_TURN_KINDS], GError **error)
{
  for (guint i = 0; i < LC_TURN_KINDS; i++)
    {
      LcTurnKind kind = (LcTurnKind)((round + i) % LC_TURN_KINDS);

      if (!lc_turn_take (&validate->turns, kind, validate->traces[kind], &turns[kind], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
validate_run_round (const Validate *validate, guint round, GError **error)
{
  LcTurn turns[LC_TURN_KINDS];

  if (!validate_take_turns (validate, round, turns, error))
    return FALSE;
  lc_validation_begin_round (validate->validation, turns);
  if (!validate_read_reference (validate, error) || !validate_read_measured (validate, error))
    return FALSE;
  for (guint i = 0; i < validate->plan.n_models; i++)
    if (!validate_approximate (validate, i, error))
      return FALSE;
  return TRUE;
}

/* The first round warms up caches, and measures what recording costs if nobody has yet. At most twice as many rounds as
 * asked for make up for those that were disturbed. */
static gboolean
validate_run_rounds (const Validate *validate, GError **error)
{
  LcTurn turns[LC_TURN_KINDS];

  validate_tell (0, 0);
  if (!validate_take_turns (validate, 0, turns, error))
    return FALSE;
  for (guint round = 0; round < 2 * (guint)runs; round++)
    {
      guint good = lc_validation_count_undisturbed (validate->validation);

      if (good >= (guint)runs)
        break;
      validate_tell (round, good);
      if (!validate_run_round (validate, round, error))
        return FALSE;
    }
  return TRUE;
}

/* --- The command ------------------------------------------------------------------------------------------------ */

static int
validate_conclude (LcValidation *validation)
{
  lc_validation_show (validation, limit >= 0 ? (gsize)limit : json ? G_MAXSIZE : LINES, json);
  return within >= 0 && lc_validation_get_error (validation) > within / 100 ? LC_EXIT_PROBLEM : LC_EXIT_GOOD;
}

static int
validate_in (const char *folder, char **command, const GArray *models)
{
  const LcValidationPlan plan = {command, part, &g_array_index (models, LcModel, 0), models->len};
  const char *place = output != NULL ? output : folder;
  g_autofree char *reference = g_build_filename (place, "reference", NULL);
  g_autofree char *recorded = g_build_filename (place, "recorded", NULL);
  g_autoptr (LcValidation) validation = lc_validation_new (&plan);
  g_autoptr (GError) error = NULL;
  const Validate validate = {.turns = {command, bare, input, (const char *const *)record_options, folder},
                             .plan = plan,
                             .validation = validation,
                             .traces = {NULL, reference, recorded}};
  gboolean good;

  good = validate_run_rounds (&validate, &error);
  if (!quiet && !json && isatty (STDERR_FILENO))
    lc_output_clear_line ();
  if (good)
    return validate_conclude (validation);
  if (lc_turns_get_signal () == 0)
    lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}

static void
validate_end_like_signal (void)
{
  int number = lc_turns_get_signal ();

  if (number == 0)
    return;
  signal (number, SIG_DFL);
  raise (number);
}

int
lc_cmd_validate (int argc, char **argv)
{
  g_autoptr (GArray) models = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = NULL;
  int status = LC_EXIT_UNUSABLE;

  if (!lc_command_parse (&line, &argc, &argv) || !validate_check_options () ||
      (models = validate_parse_models ()) == NULL || !validate_find_program (argv[1], &status) ||
      (bare != NULL && !validate_find_program (bare, &status)))
    return status;
  if (output != NULL && g_mkdir (output, 0700) != 0)
    {
      lc_complain ("%s: %s", output, g_strerror (errno));
      return LC_EXIT_UNUSABLE;
    }
  folder = lc_scratch_new ("validate", &error);
  if (folder == NULL)
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  lc_turns_begin ();
  status = validate_in (folder, argv + 1, models);
  lc_scratch_remove (folder);
  validate_end_like_signal ();
  return status;
}
