/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone explain: why an event is where it is on an approximated timeline. */
#include <glib/gi18n.h>

#include "command.h"
#include "draw/options/find-named.h"
#include "lightcone/slacks.h"
#include "open-history.h"
#include "report/explanation.h"

enum
{
  STEPS = 10,
};

static char *timeline;
static char **rules_files;
static gboolean json, always_slack;
static int steps = STEPS;

static const GOptionEntry options[] = {
    {"timeline", 0, 0, G_OPTION_ARG_STRING, &timeline,
     N_ ("On this timeline, instead of the only approximated one, or event"), N_ ("NAME")},
    {"steps", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number, N_ ("Go back over at most so many waits (10)"),
     N_ ("NUMBER")},
    {"slack", 0, 0, G_OPTION_ARG_NONE, &always_slack,
     N_ ("Look for its slack in a large history, too, at some million events a second"), NULL},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("For programs to read"), NULL},
    {NULL},
};

static const LcCommandNumber numbers[] = {
    {"steps", 0, LC_COMMAND_ANY, .integer = &steps},
    {NULL},
};

static const LcCommandLine line = {
    .name = "explain",
    .arguments = N_ ("DIR PROCESS:ORDINAL"),
    .description = N_ ("PROCESS is the number or the name of a process, ORDINAL that of the event on the measured "
                       "timeline, from 0 on."),
    .options = options,
    .numbers = numbers,
    .n_arguments = 2,
};

static char *
explain_find_timeline (LcHistory *history, guint32 *number, GError **error)
{
  if (timeline == NULL)
    return lc_find_approximation (history, number, error);
  if (!lc_find_timeline (history, timeline, number, error))
    return NULL;
  if (*number != LC_TIMELINE_MEASURED)
    return g_strdup (timeline);
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
               _ ("explain: nothing has moved on the measured timeline; --timeline names an approximated one"));
  return NULL;
}

static gboolean
explain_find_slack_on (LcHistory *history, guint32 number, const LcHistoryEvent *event, guint64 *slack, GError **error)
{
  g_autoptr (LcSlacks) slacks = lc_slacks_of (history, number);

  if (!lc_slacks_find (slacks, NULL, error))
    return FALSE;
  *slack = lc_slacks_get (slacks, event);
  return TRUE;
}

/* All events have to be read for the slack of one. */
static gboolean
explain_find_slack (LcExplanationShow *show, GError **error)
{
  const LcExplanation *explanation = show->explanation;

  show->has_slack = always_slack || lc_history_get_n_events (show->history) <= LC_SLACKS_QUICK;
  return !show->has_slack ||
         (explain_find_slack_on (show->history, LC_TIMELINE_MEASURED, &explanation->measured, &show->measured_slack,
                                 error) &&
          explain_find_slack_on (show->history, show->timeline, &explanation->event, &show->slack, error));
}

static gboolean
explain_run_command (LcHistory *history, const char *text, GError **error)
{
  g_autoptr (LcExplanation) explanation = NULL;
  g_autoptr (LcNames) names = lc_names_new (history);
  LcExplanationShow show = {.history = history, .names = names, .json = json};
  g_autofree char *name = NULL;
  guint32 process;
  guint64 ordinal;

  if (!lc_find_event (history, "explain", text, &process, &ordinal, error))
    return FALSE;
  show.timeline_name = name = explain_find_timeline (history, &show.timeline, error);
  if (name == NULL)
    return FALSE;
  explanation = lc_explanation_new (history, show.timeline, process, ordinal, (gsize)steps, NULL, error);
  show.explanation = explanation;
  return explanation != NULL && explain_find_slack (&show, error) && lc_explanation_show (&show, error);
}

int
lc_cmd_explain (int argc, char **argv)
{
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (GError) error = NULL;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  history = lc_open_history (argv[1], (const char *const *)rules_files, json, &error);
  if (history != NULL && explain_run_command (history, argv[2], &error))
    return LC_EXIT_GOOD;
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}
