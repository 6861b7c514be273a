/* SPDX-License-Identifier: Apache-2.0 */
/* The filter of how much later events could have ended without delaying the run. */
#include <glib/gi18n-lib.h>

#include "draw/filters/filter-options.h"
#include "trace/quantities.h"

#define MOST_SLACK "most-slack"

static void
slack_filter_set (LcFilters *filters, LcHistory *history, guint32 timeline, guint64 most)
{
  g_clear_pointer (&filters->slacks, lc_slacks_unref);
  filters->slacks = lc_slacks_of (history, timeline);
  filters->most_slack = most;
}

static gboolean
slack_filter_read (LcFilters *filters, LcHistory *history, guint32 timeline, const char *const *words, GError **error)
{
  guint64 most;

  if (!lc_parse_time (words[0], &most))
    return lc_option_refuse (error, _ ("--slack %s: it has to be a time, as 1ms, 20us or 0"), words[0]);
  slack_filter_set (filters, history, timeline, most);
  return TRUE;
}

static gboolean
slack_filter_say (const LcFilters *filters, LcHistory *history, LcOptionWords *words, GError **error)
{
  g_autofree char *ns = g_strdup_printf ("%" G_GUINT64_FORMAT, filters->most_slack);

  if (filters->slacks != NULL)
    lc_option_words_add (words, lc_filter_option_slack.option, ns);
  return TRUE;
}

static char *
slack_filter_dup_text (const LcFilters *filters, LcNames *names, guint most)
{
  g_autofree char *slack = lc_format_duration (filters->most_slack);

  if (filters->slacks == NULL)
    return NULL;
  return filters->most_slack == 0 ? g_strdup (_ ("only what has no slack"))
                                  : g_strdup_printf (_ ("only what has slack up to %s"), slack);
}

static void
slack_filter_save (const LcFilters *filters, LcHistory *history, GKeyFile *state, const char *group)
{
  if (filters->slacks != NULL)
    g_key_file_set_uint64 (state, group, MOST_SLACK, filters->most_slack);
}

static void
slack_filter_load (LcFilters *filters, LcHistory *history, guint32 timeline, GKeyFile *state, const char *group)
{
  if (g_key_file_has_key (state, group, MOST_SLACK, NULL))
    slack_filter_set (filters, history, timeline, g_key_file_get_uint64 (state, group, MOST_SLACK, NULL));
}

const LcFilterOption lc_filter_option_slack = {
    .option = "slack",
    .argument = N_ ("TIME"),
    .help = N_ ("Only events that could have ended at most so much later without delaying the run"),
    .read = slack_filter_read,
    .say = slack_filter_say,
    .dup_text = slack_filter_dup_text,
    .save = slack_filter_save,
    .load = slack_filter_load,
};
