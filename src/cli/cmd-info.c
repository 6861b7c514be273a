/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone info: says what is in a trace. */
#include <glib/gi18n.h>

#include "command.h"
#include "info.h"
#include "lightcone/clock-correction.h"
#include "lightcone/merge.h"
#include "lightcone/trace.h"
#include "open-history.h"
#include "report/output.h"
#include "recover.h"

static gboolean json, no_merge;

static const GOptionEntry options[] = {
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("For programs to read"), NULL},
    {"no-merge", 0, 0, G_OPTION_ARG_NONE, &no_merge, N_ ("Without waiting and parallelism, which need the history"),
     NULL},
    {NULL},
};

static const LcCommandLine line = {
    .name = "info",
    .arguments = N_ ("DIR"),
    .description = N_ ("Times count from the begin of the run."),
    .options = options,
    .n_arguments = 1,
};

/* Whether the trace was recovered, now or earlier. */
static gboolean
was_recovered (const LcTrace *trace)
{
  g_autofree char *state = g_key_file_get_string (lc_trace_get_settings (trace), "trace", "state", NULL);

  return g_strcmp0 (state, "recovered") == 0;
}

/* Corrects clocks as a merge would, so that info and merge tell the same times. Errors are left for the merge to
 * tell. */
static void
correct_clocks (const char *path, LcRecoverState state)
{
  g_autoptr (LcRules) rules = NULL;

  if (no_merge || state == LC_RECOVER_BUSY)
    return;
  rules = lc_merge_load_rules (path, NULL, NULL);
  if (rules != NULL)
    lc_clocks_correct (path, rules, NULL, NULL);
}

/* A trace that cannot be merged is still shown; lightcone check tells what is wrong with it. */
static void
info_add_history (LcInfo *info, LcTrace *trace, LcRecoverState state)
{
  g_autoptr (LcHistory) history = NULL;

  if (no_merge || state == LC_RECOVER_BUSY)
    return;
  history = lc_open_history (info->path, NULL, json, NULL);
  if (history != NULL && lc_history_name_trace (history, trace, NULL))
    lc_info_add_history (info, history);
}

int
lc_cmd_info (int argc, char **argv)
{
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (LcInfo) info = {0};
  g_autofree char *text = NULL;
  LcRecoverState state;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  state = lc_recover (argv[1]);
  correct_clocks (argv[1], state);
  trace = lc_trace_open (argv[1], &error);
  if (trace == NULL)
    {
      lc_explain_profile (argv[1], &error);
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  if (state == LC_RECOVER_NOT_NEEDED && was_recovered (trace))
    state = LC_RECOVER_DONE;
  lc_info_init (&info, trace, argv[1], state);
  info_add_history (&info, trace, state);
  text = json ? lc_info_to_json (&info) : lc_info_to_text (&info);
  if (json)
    lc_output_write (text, -1); /* JSON is UTF-8 in every locale */
  else
    g_print ("%s", text);
  return LC_EXIT_GOOD;
}
