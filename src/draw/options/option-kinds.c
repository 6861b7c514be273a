/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of options that have one field and nothing special: flags, words, numbers, texts; and filters. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "draw/options/view-options.h"

/* --- Flags -------------------------------------------------------------------------------------------------------- */

static gboolean
flag_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  lc_option_set (option, &values->options, gboolean, TRUE);
  return TRUE;
}

static char *
flag_dup_word (const LcViewOption *option, const LcPictureOptions *options, LcOptionCommand *command)
{
  return lc_option_get (option, options, gboolean) ? g_strdup ("") : NULL;
}

const LcOptionKind lc_option_flag = {.is_flag = TRUE, .read = flag_read, .dup_word = flag_dup_word};

/* --- Words -------------------------------------------------------------------------------------------------------- */

gboolean
lc_option_word_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  g_autofree char *list = NULL, *dashed = NULL;

  for (guint i = 0; option->words[i] != NULL; i++)
    if (strcmp (option->words[i], words[0]) == 0)
      {
        lc_option_set (option, &values->options, guint, i);
        return TRUE;
      }
  list = g_strjoinv (", ", (char **)option->words);
  dashed = g_strconcat ("--", option->option, NULL);
  return lc_option_refuse (error, _ ("%s can be %s, not “%s”"), dashed, list, words[0]);
}

static char *
word_dup_word (const LcViewOption *option, const LcPictureOptions *options, LcOptionCommand *command)
{
  guint value = lc_option_get (option, options, guint);
  LcPictureOptions usual;

  lc_picture_options_init (&usual);
  return command == NULL || value != lc_option_get (option, &usual, guint) ? g_strdup (option->words[value]) : NULL;
}

const LcOptionKind lc_option_word = {.read = lc_option_word_read, .dup_word = word_dup_word};

/* --- Numbers ------------------------------------------------------------------------------------------------------ */

static gboolean
number_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  const guint64 most = option->most < (double)G_MAXINT64 ? (guint64)option->most : G_MAXINT64;
  guint64 number;

  if (!g_ascii_string_to_unsigned (words[0], 10, (guint64)option->least, most, &number, error))
    return FALSE;
  if (option->size == sizeof (guint32))
    lc_option_set (option, &values->options, guint32, (guint32)number);
  else
    lc_option_set (option, &values->options, guint64, number);
  return TRUE;
}

static char *
number_dup_word (const LcViewOption *option, const LcPictureOptions *options, LcOptionCommand *command)
{
  guint64 number = option->size == sizeof (guint32) ? lc_option_get (option, options, guint32)
                                                    : lc_option_get (option, options, guint64);

  return number > 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT, number) : NULL;
}

const LcOptionKind lc_option_number = {.read = number_read, .dup_word = number_dup_word};

/* --- Texts -------------------------------------------------------------------------------------------------------- */

static gboolean
text_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  lc_option_set (option, &values->options, const char *, g_string_chunk_insert (values->texts, words[0]));
  return TRUE;
}

static char *
text_dup_word (const LcViewOption *option, const LcPictureOptions *options, LcOptionCommand *command)
{
  return g_strdup (lc_option_get (option, options, char *));
}

static gboolean
text_equal (const LcViewOption *option, const LcPictureOptions *a, const LcPictureOptions *b, LcHistory *history)
{
  return g_strcmp0 (lc_option_get (option, a, char *), lc_option_get (option, b, char *)) == 0;
}

const LcOptionKind lc_option_text = {.read = text_read, .dup_word = text_dup_word, .equal = text_equal};

/* --- Filters ------------------------------------------------------------------------------------------------------ */

static gboolean
filter_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  return option->filter->read (&values->options.selection.filters, values->history,
                               lc_options_get_timeline (&values->options), words, error);
}

static gboolean
filter_say (const LcViewOption *option, LcOptionCommand *command, GError **error)
{
  return option->filter->say (&command->options->selection.filters, command->history, &command->words, error);
}

static void
filter_save (const LcViewOption *option, const LcPictureOptions *options, const LcOptionState *state)
{
  option->filter->save (&options->selection.filters, state->history, state->file, state->group);
}

static void
filter_load (const LcViewOption *option, LcOptionValues *values, const LcOptionState *state)
{
  option->filter->load (&values->options.selection.filters, state->history, lc_options_get_timeline (&values->options),
                        state->file, state->group);
}

static gboolean
filter_equal (const LcViewOption *option, const LcPictureOptions *a, const LcPictureOptions *b, LcHistory *history)
{
  return lc_filters_equal (&a->selection.filters, &b->selection.filters, lc_history_get_n_operations (history));
}

char *
lc_option_dup_filter (const LcViewOption *option, const LcPictureOptions *options, const LcOptionTelling *telling)
{
  return option->filter->dup_text (&options->selection.filters, telling->names, telling->most);
}

const LcOptionKind lc_option_filter = {.needs_history = TRUE,
                                       .read = filter_read,
                                       .say = filter_say,
                                       .save = filter_save,
                                       .load = filter_load,
                                       .equal = filter_equal};
