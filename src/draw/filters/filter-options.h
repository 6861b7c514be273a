/* SPDX-License-Identifier: Apache-2.0 */
/* What filters are called: on a command line, on a picture, in a state that is kept. */
#ifndef LC_DRAW_FILTER_OPTIONS_H
#define LC_DRAW_FILTER_OPTIONS_H

#include "history/names.h"
#include "lightcone/filters.h"

enum
{
  LC_FILTER_MOST_NAMES = 100, /* names of objects in one command */
};

/* The words of a command line so far. */
typedef struct
{
  GStrvBuilder *words;
  gboolean unsaid; /* words cannot express all of it */
} LcOptionWords;

/* An option of lightcone export, and all else that is said of the same filter. */
typedef struct
{
  const char *option; /* without the dashes */
  const char *argument;
  const char *help;
  gboolean may_repeat; /* else the last one counts */

  /* Sets the filter as the words after the options tell, of which there is at least one. `filters` own what they point
   * at. FALSE with an error that tells what is wrong, and what there is. */
  gboolean (*read) (LcFilters *filters, LcHistory *history, guint32 timeline, const char *const *words, GError **error);

  /* Says a filter that is set in such words. FALSE with LC_HISTORY_ERROR. */
  gboolean (*say) (const LcFilters *filters, LcHistory *history, LcOptionWords *words, GError **error);

  /* Gives "only on queue", in the user's language, with at most so many names; NULL: there is nothing to say. */
  char *(*dup_text) (const LcFilters *filters, LcNames *names, guint most);

  /* Keep a filter by names, so that it fits a history that was merged again, and set it from what was kept. */
  void (*save) (const LcFilters *filters, LcHistory *history, GKeyFile *state, const char *group);
  void (*load) (LcFilters *filters, LcHistory *history, guint32 timeline, GKeyFile *state, const char *group);
} LcFilterOption;

extern const LcFilterOption lc_filter_option_operations, lc_filter_option_objects, lc_filter_option_within,
    lc_filter_option_tag, lc_filter_option_called, lc_filter_option_wait, lc_filter_option_slack;

/* All of them, in the order in which they are shown; NULL after the last one. */
extern const LcFilterOption *const lc_filter_options[];

/* --- For the filters ---------------------------------------------------------------------------------------------- */

/* Sets an error, and returns FALSE: that an option is wrong, which becomes a sentence of the command, or that a history
 * does not have something. */
gboolean lc_option_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean lc_filter_fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Adds an option and its value. */
void lc_option_words_add (LcOptionWords *words, const char *option, const char *value);

/* Whether a name stands for itself in a list with commas and patterns. */
gboolean lc_filter_is_plain (const char *name);

/* Joins names, and counts those after the first `most`, which may be NULL: "lock, unlock and 3 more". */
char *lc_filter_join (const GPtrArray *names, guint most);

/* Objects are kept as "class name", since names of objects are unique only within a class. NULL: there is no such
 * object, or LC_TRACE_NONE. `number` is where to look first. */
char *lc_filter_dup_object (LcHistory *history, guint32 object);
guint32 lc_filter_find_object (LcHistory *history, const char *kept, guint32 number);

#endif
