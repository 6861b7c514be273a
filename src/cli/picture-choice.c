/* SPDX-License-Identifier: Apache-2.0 */
/* A user's choice of a picture, by the options that views have. */
#include "picture-choice.h"

#include <string.h>

/* Adds an option by one of its names. */
static void
picture_choice_add (LcPictureChoice *choice, gsize number, const char *name, GArray *entries, LcCommandNumber *numbers)
{
  gsize n_options;
  const LcViewOption *option = &lc_view_options_get (&n_options)[number];
  GOptionEntry entry = {.long_name = name,
                        .flags = name != option->option ? G_OPTION_FLAG_HIDDEN : 0,
                        .arg = G_OPTION_ARG_STRING_ARRAY,
                        .arg_data = &choice->words[number],
                        .description = option->help,
                        .arg_description = option->argument};

  if (option->argument == NULL)
    {
      entry.arg = G_OPTION_ARG_NONE;
      entry.arg_data = &choice->flags[number];
    }
  else if (option->least > 0)
    {
      entry.arg = G_OPTION_ARG_CALLBACK;
      entry.arg_data = lc_command_take_number;
      while (numbers->option != NULL)
        numbers++;
      *numbers = (LcCommandNumber){name, option->least, option->most, .large = &choice->numbers[number]};
    }
  g_array_append_val (entries, entry);
}

void
lc_picture_choice_add_options (LcPictureChoice *choice, gboolean filters, GArray *entries, LcCommandNumber *numbers)
{
  gsize n_options;
  const LcViewOption *options = lc_view_options_get (&n_options);

  g_assert (n_options <= LC_PICTURE_CHOICE_MOST);
  for (gsize i = 0; i < n_options; i++)
    {
      if ((options[i].filter != NULL) != filters)
        continue;
      picture_choice_add (choice, i, options[i].option, entries, numbers);
      if (options[i].synonym != NULL)
        picture_choice_add (choice, i, options[i].synonym, entries, numbers);
    }
}

const char *
lc_picture_choice_get (const LcPictureChoice *choice, const char *option)
{
  gsize n_options;
  const LcViewOption *options = lc_view_options_get (&n_options);

  for (gsize i = 0; i < n_options; i++)
    if (strcmp (options[i].option, option) == 0 && choice->words[i] != NULL)
      return choice->words[i][g_strv_length (choice->words[i]) - 1];
  return NULL;
}

const char *
lc_picture_choice_find_given (const LcPictureChoice *choice, gsize *number)
{
  gsize n_options;
  const LcViewOption *options = lc_view_options_get (&n_options);

  while (*number < n_options)
    {
      gsize i = (*number)++;

      if (choice->words[i] != NULL || choice->flags[i] || choice->numbers[i] != 0)
        return options[i].option;
    }
  return NULL;
}

/* Flags and numbers become words. */
static void
picture_choice_fill_words (LcPictureChoice *choice)
{
  for (gsize i = 0; i < LC_PICTURE_CHOICE_MOST; i++)
    if (choice->words[i] == NULL && (choice->flags[i] || choice->numbers[i] != 0))
      {
        choice->words[i] = g_new0 (char *, 2);
        choice->words[i][0] =
            choice->numbers[i] != 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, choice->numbers[i]) : NULL;
      }
}

gboolean
lc_picture_choice_read (LcPictureChoice *choice, const char *command, LcHistory *history, GError **error)
{
  GError *reason = NULL;

  picture_choice_fill_words (choice);
  choice->values.history = history;
  if (lc_view_options_read (&choice->values, (char *const *const *)choice->words, history != NULL, &reason))
    return TRUE;
  lc_command_propagate (command, reason, error);
  return FALSE;
}

void
lc_picture_choice_clear (LcPictureChoice *choice)
{
  lc_option_values_clear (&choice->values);
  for (gsize i = 0; i < LC_PICTURE_CHOICE_MOST; i++)
    g_clear_pointer (&choice->words[i], g_strfreev);
}
