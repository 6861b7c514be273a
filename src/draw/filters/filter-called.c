/* SPDX-License-Identifier: Apache-2.0 */
/* The filter of the place in the program that events are called in. */
#include <glib/gi18n-lib.h>

#include "draw/filters/filter-options.h"
#include "trace/quantities.h"

#define CALLED_IN "called-in"

static gboolean
called_filter_read (LcFilters *filters, LcHistory *history, guint32 timeline, const char *const *words, GError **error)
{
  filters->called = lc_called_new (history, words[0]);
  return !lc_called_is_empty (filters->called) ||
         lc_filter_fail (error,
                         lc_history_get_n_sites (history) == 0
                             ? _ ("%s: this trace does not say where in the program its events are (--called-in %s)")
                             : _ ("%s: nothing is called in “%s”: it has to be a function, a file, a line of a "
                                  "file, as pipe.cpp:7, or a module"),
                         lc_history_get_path (history), words[0]);
}

static gboolean
called_filter_say (const LcFilters *filters, LcHistory *history, LcOptionWords *words, GError **error)
{
  if (filters->called != NULL)
    lc_option_words_add (words, lc_filter_option_called.option, lc_called_get_place (filters->called));
  return TRUE;
}

static char *
called_filter_dup_text (const LcFilters *filters, LcNames *names, guint most)
{
  g_autofree char *place = filters->called != NULL ? lc_format_text (lc_called_get_place (filters->called)) : NULL;

  return place != NULL ? g_strdup_printf (_ ("only called in %s"), place) : NULL;
}

static void
called_filter_save (const LcFilters *filters, LcHistory *history, GKeyFile *state, const char *group)
{
  if (filters->called != NULL)
    g_key_file_set_string (state, group, CALLED_IN, lc_called_get_place (filters->called));
}

/* A place where nothing is called any more is forgotten, for it would hide everything. */
static void
called_filter_load (LcFilters *filters, LcHistory *history, guint32 timeline, GKeyFile *state, const char *group)
{
  g_autofree char *place = g_key_file_get_string (state, group, CALLED_IN, NULL);
  g_autoptr (LcCalled) called = place != NULL ? lc_called_new (history, place) : NULL;

  if (called != NULL && !lc_called_is_empty (called))
    filters->called = g_steal_pointer (&called);
}

const LcFilterOption lc_filter_option_called = {
    .option = "called-in",
    .argument = N_ ("PLACE"),
    .help = N_ ("Only events called in this function, file, line (pipe.cpp:7) or module"),
    .read = called_filter_read,
    .say = called_filter_say,
    .dup_text = called_filter_dup_text,
    .save = called_filter_save,
    .load = called_filter_load,
};
