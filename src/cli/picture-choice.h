/* SPDX-License-Identifier: Apache-2.0 */
/* What of a history is to be in a picture, as a user has said it. */
#ifndef LC_CLI_PICTURE_CHOICE_H
#define LC_CLI_PICTURE_CHOICE_H

#include "lightcone/groups.h"
#include "lightcone/picture.h"

typedef struct
{
  /* As it was said, or NULL. */
  char *timelines;
  char *bounds;
  char *from;
  char *to;
  char *processes;
  char *operations;
  char *objects;
  char **within;
  char **tags;
  char *longer_than;
  char *collapse;
  char *highlight;

  /* What the options point at. */
  GArray *timeline_numbers;
  GArray *process_numbers;
  gboolean *operations_chosen;
  GArray *object_numbers;
  LcInside *inside;
  LcGroups *groups;
} LcPictureChoice;

/* Finds all that in the history; view, time and phases of the options are set. The message of the error says what is
 * not there, and what is. The options point into `choice`. */
gboolean lc_picture_choice_apply (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options,
                                  GError **error);

/* What they point at. */
void lc_picture_choice_clear (LcPictureChoice *choice);

#endif
