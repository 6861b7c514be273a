/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone info: says what is in a trace. */
#include <glib/gi18n.h>
#include <stdio.h>

#include "command.h"
#include "info.h"
#include "lightcone/trace.h"
#include "recover.h"

static gboolean json;

static const GOptionEntry options[] = {
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("For programs to read"), NULL},
    {NULL},
};

static const LcCommandLine line = {
    .name = "info",
    .arguments = N_ ("DIR"),
    .description = N_ ("Times count from the start of the recording."),
    .options = options,
    .n_arguments = 1,
};

/* Now or before. */
static gboolean
was_recovered (const LcTrace *trace)
{
  g_autofree char *state = g_key_file_get_string (lc_trace_get_settings (trace), "trace", "state", NULL);

  return g_strcmp0 (state, "recovered") == 0;
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
  trace = lc_trace_open (argv[1], &error);
  if (trace == NULL)
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  if (state == LC_RECOVER_NOT_NEEDED && was_recovered (trace))
    state = LC_RECOVER_DONE;
  lc_info_init (&info, trace, argv[1], state);
  text = json ? lc_info_to_json (&info) : lc_info_to_text (&info);
  if (json)
    fputs (text, stdout); /* UTF-8, whatever the locale */
  else
    g_print ("%s", text);
  return LC_EXIT_GOOD;
}
