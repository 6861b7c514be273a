/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of a picture about itself: its title, and the line below it. */
#include <glib/gi18n-lib.h>
#include "lightcone/what-if.h"
#include "picture-private.h"
#include "draw/canvas/ticks.h"
#include "draw/filters/filter-options.h"
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

static char *
dup_timelines (const LcPicture *picture)
{
  const LcPictureOptions *options = &picture->context.options;
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < options->n_timelines; i++)
    {
      g_autofree char *name = lc_picture_dup_timeline (picture->context.timelines, options->timelines[i]);

      g_string_append_printf (names, "%s%s", i > 0 ? "; " : "", name);
    }
  return g_strdup_printf (ngettext ("Timeline %s", "Timelines %s", options->n_timelines), names->str);
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

static char *
picture_texts_dup_part (const LcPicture *picture)
{
  const LcPictureOptions *options = &picture->context.options;
  g_autofree char *part = lc_picture_dup_span (options->selection.time, picture->phases, options->from, options->to);
  g_autofree char *whole = NULL;

  if (options->from == picture->whole_from && options->to == picture->whole_to)
    return g_strdup_printf (_ ("whole run: %s"), part);
  whole = lc_picture_dup_span (options->selection.time, picture->phases, picture->whole_from, picture->whole_to);
  return g_strdup_printf (_ ("part of the run: %s of %s"), part, whole);
}

static char *
picture_texts_dup_processes (const LcPicture *picture)
{
  const LcPictureOptions *options = &picture->context.options;
  guint32 n = lc_history_get_n_processes (picture->context.history);
  g_autofree char *all = lc_format_count (n), *some = lc_format_count (options->selection.n_processes), *name = NULL;

  if ((picture->view->info.traits & LC_VIEW_PROCESS) != 0 && options->selection.n_processes > 0)
    {
      guint32 process = picture->view->get_process != NULL ? picture->view->get_process (picture->model)
                                                           : options->selection.processes[0];

      name = lc_format_text (lc_names_process (picture->context.names, process));
      return g_strdup_printf (_ ("process %s of %s"), name, all);
    }
  if (n == 1)
    return g_strdup_printf (ngettext ("%s process", "%s processes", n), all);
  if (options->selection.n_processes == n)
    return g_strdup_printf (ngettext ("all %s process", "all %s processes", n), all);
  return g_strdup_printf (ngettext ("%s of %s process", "%s of %s processes", n), some, all);
}

/* Gives "all 12 processes in 3 rows". */
static char *
dup_rows (const LcPicture *picture)
{
  const LcPictureOptions *options = &picture->context.options;
  g_autofree char *processes = picture_texts_dup_processes (picture),
                  *rows = lc_format_count (options->selection.n_row_ends);

  if (options->selection.row_ends == NULL || options->selection.n_row_ends == options->selection.n_processes)
    return g_steal_pointer (&processes);
  return g_strdup_printf (ngettext ("%s in %s row", "%s in %s rows", options->selection.n_row_ends), processes, rows);
}

static char *
picture_texts_dup_highlight (const LcPicture *picture)
{
  const LcHighlight *highlight = &picture->context.options.selection.highlight;
  g_autofree char *name = NULL, *ordinal = NULL;

  if (highlight->kind == LC_HIGHLIGHT_CRITICAL_PATH)
    return g_strdup (_ ("critical path highlighted"));
  name = lc_format_text (lc_names_process (picture->context.names, highlight->process));
  ordinal = g_strdup_printf ("%" G_GUINT64_FORMAT, highlight->ordinal);
  if (highlight->kind == LC_HIGHLIGHT_PAST)
    return g_strdup_printf (_ ("past of %s:%s"), name, ordinal);
  if (highlight->kind == LC_HIGHLIGHT_FUTURE)
    return g_strdup_printf (_ ("future of %s:%s"), name, ordinal);
  return g_strdup_printf (_ ("past and future of %s:%s"), name, ordinal);
}

static char *
dup_bounds (const LcPicture *picture)
{
  const LcPictureOptions *options = &picture->context.options;
  g_autofree char *lowest = NULL, *highest = NULL;

  if (options->selection.lowest == LC_TRACE_NONE || options->selection.highest == LC_TRACE_NONE)
    return NULL;
  lowest = lc_picture_dup_timeline (picture->context.timelines, options->selection.lowest);
  highest = lc_picture_dup_timeline (picture->context.timelines, options->selection.highest);
  return g_strdup_printf (_ ("bounds: %s to %s"), lowest, highest);
}

static void
picture_texts_add_part (GString *line, char *part)
{
  if (part == NULL)
    return;
  g_string_append_printf (line, "%s%s", line->len > 0 ? " · " : "", part);
  g_free (part);
}

char *
lc_picture_dup_shown (const LcPicture *picture)
{
  const LcPictureOptions *options = &picture->context.options;
  g_autoptr (GPtrArray) texts = NULL;
  GString *line;

  if (picture->context.history == NULL)
    return picture->view->dup_shown (picture->model);
  line = g_string_new (NULL);
  picture_texts_add_part (line, dup_timelines (picture));
  if (options->selection.time == LC_SCENE_LOGICAL)
    picture_texts_add_part (line, g_strdup (_ ("logical time")));
  else if (options->selection.time == LC_SCENE_PHASE)
    picture_texts_add_part (line, g_strdup (_ ("phase time")));
  picture_texts_add_part (line, picture_texts_dup_part (picture));
  picture_texts_add_part (line, dup_rows (picture));
  if (picture->phases != NULL)
    picture_texts_add_part (line, g_strdup_printf (_ ("phases by %s"), lc_phases_get_definition (picture->phases)));
  texts = lc_filters_list_texts (&options->selection.filters, picture->context.names, MOST_NAMES);
  for (guint i = 0; i < texts->len; i++)
    picture_texts_add_part (line, g_strdup (texts->pdata[i]));
  if (options->selection.highlight.kind != LC_HIGHLIGHT_NONE)
    picture_texts_add_part (line, picture_texts_dup_highlight (picture));
  if (options->selection.coloring != NULL)
    picture_texts_add_part (line, g_strdup (_ ("coloured by function")));
  picture_texts_add_part (line, dup_bounds (picture));
  if (options->actual > 0)
    {
      g_autofree char *actual = lc_format_duration (options->actual);

      picture_texts_add_part (line, g_strdup_printf (_ ("actually: %s"), actual));
    }
  return g_string_free (line, FALSE);
}
