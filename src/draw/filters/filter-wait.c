/* SPDX-License-Identifier: Apache-2.0 */
/* The filter of how long events waited. */
#include <glib/gi18n-lib.h>

#include "draw/filters/filter-options.h"
#include "trace/quantities.h"

#define LEAST_WAIT "least-wait"

static gboolean
wait_filter_read (LcFilters *filters, LcHistory *history, guint32 timeline, const char *const *words, GError **error)
{
  return lc_parse_time (words[0], &filters->least_wait) ||
         lc_option_refuse (error, _ ("--longer-than %s: it has to be a time, as 1ms, 20us or 42 (ns)"), words[0]);
}

static gboolean
wait_filter_say (const LcFilters *filters, LcHistory *history, LcOptionWords *words, GError **error)
{
  g_autofree char *ns = g_strdup_printf ("%" G_GUINT64_FORMAT, filters->least_wait);

  if (filters->least_wait > 0)
    lc_option_words_add (words, lc_filter_option_wait.option, ns);
  return TRUE;
}

static char *
wait_filter_dup_text (const LcFilters *filters, LcNames *names, guint most)
{
  g_autofree char *wait = lc_format_duration (filters->least_wait);

  return filters->least_wait > 0 ? g_strdup_printf (_ ("only what waited %s or longer"), wait) : NULL;
}

static void
wait_filter_save (const LcFilters *filters, LcHistory *history, GKeyFile *state, const char *group)
{
  g_key_file_set_uint64 (state, group, LEAST_WAIT, filters->least_wait);
}

static void
wait_filter_load (LcFilters *filters, LcHistory *history, guint32 timeline, GKeyFile *state, const char *group)
{
  filters->least_wait = g_key_file_get_uint64 (state, group, LEAST_WAIT, NULL);
}

const LcFilterOption lc_filter_option_wait = {
    .option = "longer-than",
    .argument = N_ ("TIME"),
    .help = N_ ("Only events that waited at least so long"),
    .read = wait_filter_read,
    .say = wait_filter_say,
    .dup_text = wait_filter_dup_text,
    .save = wait_filter_save,
    .load = wait_filter_load,
};
