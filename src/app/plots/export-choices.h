/* SPDX-License-Identifier: Apache-2.0 */
/* What was chosen in the export dialog of a window the last time. */
#ifndef LC_APP_EXPORT_CHOICES_H
#define LC_APP_EXPORT_CHOICES_H

#include <gtk/gtk.h>

#include "lightcone/picture.h"

typedef struct
{
  const char *view;    /* its name */
  const char *measure; /* of its amounts; NULL: the usual one */
  gboolean whole;
  LcFileKind kind;
  guint size; /* which preset */
  double width;
  double height;
  double scale;
  LcTheme theme;
  char *folder; /* or NULL */
} LcExportChoices;

/* Belong to the window, to be changed. */
LcExportChoices *lc_export_choices_get (GtkWindow *window);

void lc_export_choices_set_folder (LcExportChoices *choices, const char *folder);

/* Sizes to choose from; the first is that of the window, the last any other. */
typedef struct
{
  const char *title; /* to be translated */
  double width;      /* 0: it is not fixed */
  double height;
} LcExportSize;

const LcExportSize *lc_export_sizes_get (guint *n_sizes);

/* Within what a picture can have, in whole units. */
void lc_export_limit_size (double *width, double *height);

/* "png" */
const char *lc_export_get_ending (LcFileKind kind);

#endif
