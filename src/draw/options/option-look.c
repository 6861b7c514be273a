/* SPDX-License-Identifier: Apache-2.0 */
/* The options of what is left out of a picture, where its time goes, and how large it is. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "draw/diagram/diagram-legend.h"
#include "draw/options/view-options.h"

enum
{
  LEAST_WIDTH = 300,
  LEAST_HEIGHT = 200,
  MOST_SIDE = 30000,
};

/* --- What is left out --------------------------------------------------------------------------------------------- */

static gboolean
hide_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  g_autofree char *unknown = NULL, *list = NULL;
  guint32 hidden;

  if (lc_diagram_kinds_parse (words[0], &hidden, &unknown))
    {
      values->options.selection.hidden = hidden;
      return TRUE;
    }
  list = lc_diagram_kinds_dup (G_MAXUINT32);
  return lc_option_refuse (error, _ ("--hide can be %s, not “%s”"), list, unknown);
}

static char *
hide_dup_word (const LcViewOption *option, const LcPictureOptions *options, LcOptionCommand *command)
{
  return lc_diagram_kinds_dup (options->selection.hidden);
}

char *
lc_option_dup_hidden (const LcViewOption *option, const LcPictureOptions *options, const LcOptionTelling *telling)
{
  g_autofree char *left_out = lc_diagram_dup_left_out (options->selection.hidden);

  return left_out != NULL ? g_strdup_printf (_ ("without %s"), left_out) : NULL;
}

const LcOptionKind lc_option_hide = {.read = hide_read, .dup_word = hide_dup_word};

/* --- Orientation -------------------------------------------------------------------------------------------------- */

/* The view decides which one is usual. */
static char *
orientation_dup_word (const LcViewOption *option, const LcPictureOptions *options, LcOptionCommand *command)
{
  LcOrientation orientation = options->orientation;
  guint trait = orientation == LC_ORIENTATION_RIGHT  ? LC_VIEW_ORIENTATION
                : orientation == LC_ORIENTATION_DOWN ? LC_VIEW_OVER_TIME
                                                     : 0;

  return command == NULL || (command->traits & trait) != 0 ? g_strdup (option->words[orientation]) : NULL;
}

const LcOptionKind lc_option_orientation = {.read = lc_option_word_read, .dup_word = orientation_dup_word};

/* --- Size --------------------------------------------------------------------------------------------------------- */

static gboolean
size_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  g_auto (GStrv) sides = g_strsplit (words[0], "x", 2);
  guint64 width, height;

  if (g_strv_length (sides) != 2 || !g_ascii_string_to_unsigned (sides[0], 10, LEAST_WIDTH, MOST_SIDE, &width, NULL) ||
      !g_ascii_string_to_unsigned (sides[1], 10, LEAST_HEIGHT, MOST_SIDE, &height, NULL))
    return lc_option_refuse (error, _ ("--size can be from %dx%d to %dx%d, not “%s”"), LEAST_WIDTH, LEAST_HEIGHT,
                             MOST_SIDE, MOST_SIDE, words[0]);
  values->options.width = (double)width;
  values->options.height = (double)height;
  return TRUE;
}

static char *
size_dup_word (const LcViewOption *option, const LcPictureOptions *options, LcOptionCommand *command)
{
  LcPictureOptions usual;

  lc_picture_options_init (&usual);
  command->words.unsaid |= options->width != floor (options->width) || options->height != floor (options->height);
  if (options->width == usual.width && options->height == usual.height)
    return NULL;
  return g_strdup_printf ("%.0fx%.0f", options->width, options->height);
}

const LcOptionKind lc_option_picture_size = {.read = size_read, .dup_word = size_dup_word};
