/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a history that a user wants in a picture. */
#ifndef LC_CLI_PICTURE_CHOICE_H
#define LC_CLI_PICTURE_CHOICE_H

#include "draw/filters/filter-options.h"
#include "lightcone/groups.h"
#include "lightcone/picture.h"

enum
{
  LC_PICTURE_CHOICE_FILTERS = 12, /* options of filters, at most */
};

typedef struct
{
  /* The user's words, or NULL. */
  char *timelines;
  char *bounds;
  char *from;
  char *to;
  char *processes;
  char **filters[LC_PICTURE_CHOICE_FILTERS]; /* by number of the option */
  char *collapse;
  char *highlight;
  char *marks;
  char *colour;

  /* The options point to these. */
  GArray *timeline_numbers;
  GArray *process_numbers;
  LcFilters found_filters;
  LcColoring *coloring;
  LcGroups *groups;
  LcMarks *marked;
  char **hidden_marks;
} LcPictureChoice;

/* Gives the options of filters, which fill in the words of `choice`, and an end. They must not be freed. */
const GOptionEntry *lc_picture_choice_get_filters (LcPictureChoice *choice);

/* Finds all of these in the history; view, time and phases of the options must be set. The error's message tells what
 * is missing, and what there is. The options point into `choice`. */
gboolean lc_picture_choice_apply (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options,
                                  GError **error);

/* Frees the things that the options point to. */
void lc_picture_choice_clear (LcPictureChoice *choice);

#endif
