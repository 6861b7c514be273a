/* SPDX-License-Identifier: Apache-2.0 */
/* The options of the part of the run. It is found when all other options have been read, as it depends on the axis. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "draw/options/view-options.h"
#include "draw/picture-private.h"

static gboolean
from_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  values->from = words[0];
  return TRUE;
}

static gboolean
to_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  values->to = words[0];
  return TRUE;
}

static void
option_span_say_both (LcOptionCommand *command, const char *from, const char *to)
{
  lc_option_words_add (&command->words, "from", from);
  lc_option_words_add (&command->words, "to", to);
}

/* The text by which the command line finds a phase. NULL: an earlier phase would be found instead. */
static const char *
option_span_get_phase_number (const LcPhases *phases, guint32 phase)
{
  const char *name = lc_phases_get (phases, phase)->name, *space = strrchr (name, ' ');
  const char *number = space != NULL ? space + 1 : name;

  for (guint32 i = 0; i < phase; i++)
    {
      const char *other = lc_phases_get (phases, i)->name, *its_space = strrchr (other, ' ');

      if (strcmp (other, number) == 0 || strcmp (its_space != NULL ? its_space + 1 : other, number) == 0)
        return NULL;
    }
  return number;
}

static gboolean
option_span_say_phases (LcOptionCommand *command, GError **error)
{
  const LcPictureOptions *options = command->options;
  g_autoptr (LcPhases) phases =
      lc_phases_find (command->history, lc_options_get_timeline (options),
                      options->phases != NULL ? options->phases : "auto", command->cancellable, error);
  const char *from = NULL, *to = NULL;

  if (phases == NULL)
    return FALSE;
  for (guint32 i = 0; i < lc_phases_get_n (phases); i++)
    {
      guint64 position = lc_phases_get (phases, i)->position;
      guint64 after = i + 1 < lc_phases_get_n (phases) ? lc_phases_get (phases, i + 1)->position
                                                       : lc_phases_get_n_positions (phases);

      if (position == options->from && after > position)
        from = option_span_get_phase_number (phases, i);
      if (after == options->to && after > position)
        to = option_span_get_phase_number (phases, i);
    }
  if (from != NULL && to != NULL)
    option_span_say_both (command, from, to);
  command->words.unsaid |= from == NULL || to == NULL;
  return TRUE;
}

static gboolean
from_say (const LcViewOption *option, LcOptionCommand *command, GError **error)
{
  const LcPictureOptions *options = command->options;
  LcSceneTime time = (command->traits & LC_VIEW_TIMES) != 0 ? options->selection.time : LC_SCENE_PHYSICAL;
  g_autofree char *from = g_strdup_printf ("%" G_GUINT64_FORMAT, options->from);
  g_autofree char *to = g_strdup_printf ("%" G_GUINT64_FORMAT,
                                         time == LC_SCENE_LOGICAL ? options->to - 1 : options->to); /* the last layer */

  if (options->from >= options->to)
    return TRUE;
  if (time == LC_SCENE_PHASE)
    return option_span_say_phases (command, error);
  option_span_say_both (command, from, to);
  return TRUE;
}

char *
lc_option_dup_span (const LcViewOption *option, const LcPictureOptions *options, const LcOptionTelling *telling)
{
  const LcPicture *picture = telling->picture;
  g_autofree char *part = lc_picture_dup_span (options->selection.time, picture->phases, options->from, options->to);
  g_autofree char *whole = NULL;

  if (options->from == picture->whole_from && options->to == picture->whole_to)
    return g_strdup_printf (_ ("whole run: %s"), part);
  whole = lc_picture_dup_span (options->selection.time, picture->phases, picture->whole_from, picture->whole_to);
  return g_strdup_printf (_ ("part of the run: %s of %s"), part, whole);
}

const LcOptionKind lc_option_from = {.read = from_read, .say = from_say};

const LcOptionKind lc_option_to = {.read = to_read};
