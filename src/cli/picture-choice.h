/* SPDX-License-Identifier: Apache-2.0 */
/* A user's choice of a picture, by the options that views have. */
#ifndef LC_CLI_PICTURE_CHOICE_H
#define LC_CLI_PICTURE_CHOICE_H

#include "command.h"
#include "draw/options/view-options.h"

enum
{
  LC_PICTURE_CHOICE_MOST = 64, /* options of views, at most */
};

/* Begins with zeros. */
typedef struct
{
  /* The options that were given, by their numbers. */
  char **words[LC_PICTURE_CHOICE_MOST];
  gboolean flags[LC_PICTURE_CHOICE_MOST];
  gint64 numbers[LC_PICTURE_CHOICE_MOST]; /* 0: none was */

  LcOptionValues values;
} LcPictureChoice;

/* Adds the options of filters to those of a command, or all others, which fill in `choice`. Numbers go before the empty
 * end of their list. */
void lc_picture_choice_add_options (LcPictureChoice *choice, gboolean filters, GArray *entries,
                                    LcCommandNumber *numbers);

/* Returns the text that was given for an option, or NULL. */
const char *lc_picture_choice_get (const LcPictureChoice *choice, const char *option);

/* Returns the first option that was given from this one on, and sets `number` to the one after it; NULL: none was. */
const char *lc_picture_choice_find_given (const LcPictureChoice *choice, gsize *number);

/* Finds the values of the options: without a history of those that need none, and with one, later, of the others. View
 * and directory are the caller's to set before. FALSE with an error that tells what is wrong, and what there is. */
gboolean lc_picture_choice_read (LcPictureChoice *choice, const char *command, LcHistory *history, GError **error);

void lc_picture_choice_clear (LcPictureChoice *choice);

#endif
