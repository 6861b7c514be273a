/* SPDX-License-Identifier: Apache-2.0 */
/* The last choices in the export dialog of a window. */
#ifndef LC_APP_EXPORT_CHOICES_H
#define LC_APP_EXPORT_CHOICES_H

#include <gtk/gtk.h>

#include "lightcone/picture.h"

typedef struct
{
  const char *view;    /* name of the view */
  const char *measure; /* of the view's amounts; NULL: the usual one */
  gboolean whole;
  double n_frames; /* parts of a view that moves */
  LcFileKind kind;
  guint size; /* number of the preset */
  double width;
  double height;
  double scale;
  LcTheme theme;
  char *folder; /* or NULL */
} LcExportChoices;

/* Returns the choices of a window, which belong to it and may be changed. */
LcExportChoices *lc_export_choices_get (GtkWindow *window);

void lc_export_choices_set_folder (LcExportChoices *choices, const char *folder);

/* A preset size; the first one is that of the window, the last one is custom. */
typedef struct
{
  const char *title; /* to be translated */
  double width;      /* 0: not fixed */
  double height;
} LcExportSize;

const LcExportSize *lc_export_sizes_get (guint *n_sizes);

/* Limits a size to what a picture can have, in whole units. */
void lc_export_limit_size (double *width, double *height);

/* Returns the ending of a file name, like "png". */
const char *lc_export_get_ending (LcFileKind kind);

#endif
