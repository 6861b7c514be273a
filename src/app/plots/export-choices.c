/* SPDX-License-Identifier: Apache-2.0 */
/* The last choices in the export dialog of a window. */
#include "app/plots/export-choices.h"

#include <glib/gi18n.h>
#include <math.h>

/* The limits of `lightcone export`. */
#define LEAST_WIDTH 300.0
#define LEAST_HEIGHT 200.0
#define MOST_SIDE 30000.0

/* At 96 dots per inch. */
static const LcExportSize sizes[] = {
    {N_ ("As the window"), 0, 0},   {N_ ("1200 × 800"), 1200, 800},  {N_ ("A4, upright"), 794, 1123},
    {N_ ("A4, across"), 1123, 794}, {N_ ("Slide, 16:9"), 1280, 720}, {N_ ("Custom"), 0, 0},
};

static const char *const endings[] = {[LC_FILE_PNG] = "png", [LC_FILE_SVG] = "svg", [LC_FILE_PDF] = "pdf"};

static void
free_choices (gpointer data)
{
  LcExportChoices *choices = data;

  g_free (choices->folder);
  g_free (choices);
}

LcExportChoices *
lc_export_choices_get (GtkWindow *window)
{
  static const char key[] = "lc-export-choices";
  LcExportChoices *choices = g_object_get_data (G_OBJECT (window), key);
  gsize n_views;

  if (choices != NULL)
    return choices;
  choices = g_new0 (LcExportChoices, 1);
  *choices =
      (LcExportChoices){.view = lc_views_get (&n_views)->name, .width = 1200, .height = 800, .scale = 1, .n_frames = 1};
  g_object_set_data_full (G_OBJECT (window), key, choices, free_choices);
  return choices;
}

void
lc_export_choices_set_folder (LcExportChoices *choices, const char *folder)
{
  char *copy = g_strdup (folder);

  g_free (choices->folder);
  choices->folder = copy;
}

const LcExportSize *
lc_export_sizes_get (guint *n_sizes)
{
  *n_sizes = G_N_ELEMENTS (sizes);
  return sizes;
}

void
lc_export_limit_size (double *width, double *height)
{
  *width = CLAMP (round (*width), LEAST_WIDTH, MOST_SIDE);
  *height = CLAMP (round (*height), LEAST_HEIGHT, MOST_SIDE);
}

const char *
lc_export_get_ending (LcFileKind kind)
{
  return endings[kind];
}
