/* SPDX-License-Identifier: Apache-2.0 */
/* The filters that a user wants, by the options that commands have for them. */
#include "filter-choice.h"

#include "command.h"

const GOptionEntry *
lc_filter_choice_get_options (LcFilterChoice *choice)
{
  for (gsize i = 0; lc_filter_options[i] != NULL; i++)
    {
      g_assert (i < LC_FILTER_CHOICE_MOST);
      choice->entries[i] = (GOptionEntry){.long_name = lc_filter_options[i]->option,
                                          .arg = G_OPTION_ARG_STRING_ARRAY,
                                          .arg_data = &choice->words[i],
                                          .description = lc_filter_options[i]->help,
                                          .arg_description = lc_filter_options[i]->argument};
    }
  return choice->entries;
}

const char *
lc_filter_choice_get_given (const LcFilterChoice *choice)
{
  for (gsize i = 0; lc_filter_options[i] != NULL; i++)
    if (choice->words[i] != NULL)
      return lc_filter_options[i]->option;
  return NULL;
}

gboolean
lc_filter_choice_read (LcFilterChoice *choice, const char *command, LcHistory *history, guint32 timeline,
                       GError **error)
{
  for (gsize i = 0; lc_filter_options[i] != NULL; i++)
    {
      const LcFilterOption *option = lc_filter_options[i];
      const char *const *words = (const char *const *)choice->words[i];
      GError *reason = NULL;

      if (words == NULL)
        continue;
      if (!option->may_repeat)
        words += g_strv_length (choice->words[i]) - 1;
      if (option->read (&choice->filters, history, timeline, words, &reason))
        continue;
      lc_command_propagate (command, reason, error);
      return FALSE;
    }
  return TRUE;
}

void
lc_filter_choice_clear (LcFilterChoice *choice)
{
  lc_filters_clear (&choice->filters);
}
