/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a history that a user wants in a picture. */
#ifndef LC_CLI_PICTURE_CHOICE_H
#define LC_CLI_PICTURE_CHOICE_H

#include "filter-choice.h"
#include "lightcone/groups.h"
#include "lightcone/picture.h"

typedef struct
{
  /* The user's words, or NULL. */
  char *timelines;
  char *bounds;
  char *from;
  char *to;
  char *processes;
  LcFilterChoice filters;
  char *collapse;
  char *highlight;
  char *marks;
  char *colour;

  /* The options point to these. */
  GArray *timeline_numbers;
  GArray *process_numbers;
  LcColoring *coloring;
  LcGroups *groups;
  LcMarks *marked;
  char **hidden_marks;
} LcPictureChoice;

/* Finds all of these in the history; view, time and phases of the options must be set. The error's message tells what
 * is missing, and what there is. The options point into `choice`. */
gboolean lc_picture_choice_apply (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options,
                                  GError **error);

/* Frees the things that the options point to. */
void lc_picture_choice_clear (LcPictureChoice *choice);

#endif
