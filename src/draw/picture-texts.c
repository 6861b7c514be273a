/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of a picture about itself: its title, and the line below it. */
#include <glib/gi18n-lib.h>
#include "lightcone/what-if.h"
#include "draw/canvas/ticks.h"
#include "draw/options/view-options.h"
#include "draw/picture-private.h"
#include "trace/quantities.h"

enum
{
  MOST_NAMES = 4, /* of a filter */
};

/* Gives the first that is known of: the trace's title, the program, the folder. */
static char *
dup_traced (LcHistory *history)
{
  g_autofree char *title = lc_history_dup_meta (history, "title"), *program = NULL, *folder = NULL;

  if (title != NULL && title[0] != '\0')
    return g_steal_pointer (&title);
  program = lc_history_dup_meta (history, "program");
  if (program != NULL && program[0] != '\0')
    return g_path_get_basename (program);
  folder = g_path_get_dirname (lc_history_get_path (history));
  return g_path_get_basename (folder);
}

/* Gives the name of what was traced; without a history, the file's name. */
static char *
dup_program (const LcPicture *picture)
{
  LcHistory *history = picture->context.history;

  return history != NULL ? dup_traced (history) : g_path_get_basename (picture->context.options.directory);
}

char *
lc_picture_dup_title (const LcPicture *picture, const char *asked)
{
  g_autofree char *program = NULL, *told = NULL;

  if (asked != NULL)
    return lc_format_text (asked);
  program = dup_program (picture);
  told = lc_format_text (program);
  return g_strdup_printf (_ ("%s: %s"), _ (picture->view->info.title), told);
}

/* --- Parts of the line ---------------------------------------------------------------------------------------------
 */

char *
lc_picture_dup_timeline (const GPtrArray *timelines, guint32 number)
{
  for (guint i = 0; i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = timelines->pdata[i];

      if (timeline->id == number)
        return lc_timeline_dup_label (timeline);
    }
  return g_strdup (_ ("measured"));
}

static guint32
picture_texts_find_phase (const LcPhases *phases, guint64 position)
{
  guint32 below = 0, above = lc_phases_get_n (phases);

  while (below + 1 < above)
    {
      guint32 middle = below + (above - below) / 2;

      if (lc_phases_get (phases, middle)->position <= position)
        below = middle;
      else
        above = middle;
    }
  return below;
}

char *
lc_picture_dup_span (LcSceneTime time, const LcPhases *phases, guint64 from, guint64 to)
{
  LcAxisScaleKind kind = time == LC_SCENE_PHYSICAL ? LC_SCALE_TIME : LC_SCALE_COUNT;
  g_autofree char *first = NULL, *last = NULL, *unit = NULL;

  if (time == LC_SCENE_PHASE && lc_phases_get_n (phases) > 0)
    return g_strdup_printf (
        _ ("phases %s–%s"), lc_phase_get_title (lc_phases_get (phases, picture_texts_find_phase (phases, from))),
        lc_phase_get_title (lc_phases_get (phases, picture_texts_find_phase (phases, to > from ? to - 1 : from))));
  if (time != LC_SCENE_PHYSICAL && to > from)
    to--;
  lc_ticks_dup_limits (kind, (double)from, (double)to, &first, &last, &unit);
  if (time == LC_SCENE_PHYSICAL)
    return g_strdup_printf (_ ("%s–%s %s"), first, last, unit);
  return g_strdup_printf (_ ("layers %s–%s"), first, last);
}

char *
lc_picture_dup_shown (const LcPicture *picture)
{
  const LcOptionTelling telling = {.names = picture->context.names, .most = MOST_NAMES, .picture = picture};
  g_autoptr (GPtrArray) texts = NULL;

  if (picture->context.history == NULL)
    return picture->view->dup_shown (picture->model);
  texts = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  for (LcOptionPart part = 0; part < LC_OPTION_HIDDEN; part++)
    lc_view_options_list_texts (&picture->context.options, part, &telling, texts);
  return g_strjoinv (" · ", (char **)texts->pdata);
}
