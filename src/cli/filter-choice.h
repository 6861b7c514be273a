/* SPDX-License-Identifier: Apache-2.0 */
/* The filters that a user wants, by the options that commands have for them. */
#ifndef LC_CLI_FILTER_CHOICE_H
#define LC_CLI_FILTER_CHOICE_H

#include "draw/filters/filter-options.h"

enum
{
  LC_FILTER_CHOICE_MOST = 12, /* options of filters, at most */
};

/* Begins with zeros. */
typedef struct
{
  char **words[LC_FILTER_CHOICE_MOST]; /* what was given, by number of the option */
  GOptionEntry entries[LC_FILTER_CHOICE_MOST + 1];
  LcFilters filters;
} LcFilterChoice;

/* Gives the options, and an end; they belong to `choice`, and fill in its words. */
const GOptionEntry *lc_filter_choice_get_options (LcFilterChoice *choice);

/* Gives the first option that was given, without its dashes, or NULL. */
const char *lc_filter_choice_get_given (const LcFilterChoice *choice);

/* Finds the filters in a history. FALSE with an error, whose message begins with the command if an option is wrong, and
 * else tells what is missing, and what there is. */
gboolean lc_filter_choice_read (LcFilterChoice *choice, const char *command, LcHistory *history, guint32 timeline,
                                GError **error);
void lc_filter_choice_clear (LcFilterChoice *choice);

#endif
