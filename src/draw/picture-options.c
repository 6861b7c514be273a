/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a picture, with everything that was left open filled in. */
#include <glib/gi18n-lib.h>

#include "draw/options/view-options.h"
#include "draw/picture-private.h"
#include "lightcone/statistics.h"

void
lc_picture_options_init (LcPictureOptions *options)
{
  *options =
      (LcPictureOptions){.orientation = LC_ORIENTATION_USUAL, .theme = LC_THEME_LIGHT, .width = 1200, .height = 800};
  lc_selection_init (&options->selection);
}

static const LcView *
find_view (const char *name, GError **error)
{
  const LcView *view = lc_view_find (name);
  const LcViewInfo *infos;
  g_autoptr (GString) names = NULL;
  gsize n_views;

  if (view != NULL)
    return view;
  names = g_string_new (NULL);
  infos = lc_views_get (&n_views);
  for (gsize i = 0; i < n_views; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", infos[i].name);
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_OPTION, _ ("there is no view “%s”, only: %s"), name,
               names->str);
  return NULL;
}

/* Resets the options that the view ignores, as if nobody had set them, and chooses what is usual of the view. */
static void
picture_options_leave_out (LcPictureOptions *options, guint traits)
{
  lc_view_options_leave_out (options, traits);
  if (options->orientation == LC_ORIENTATION_USUAL)
    options->orientation = (traits & LC_VIEW_ORIENTATION) != 0 ? LC_ORIENTATION_DOWN : LC_ORIENTATION_RIGHT;
  if ((traits & LC_VIEW_TIMELINES) == 0)
    options->n_timelines = MIN (options->n_timelines, 1);
}

/* --- The axis ------------------------------------------------------------------------------------------------------
 */

/* Finds the layer of the last event. Layers are counted from 1. */
static gboolean
find_last_layer (LcHistory *history, guint32 timeline, guint64 *last, GError **error)
{
  g_autoptr (LcHistoryWalk) walk = lc_history_walk_new (history, timeline, LC_WALK_ARCS, NULL, error);

  if (walk == NULL)
    return FALSE;
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      LcHistoryEvent event;
      guint64 events;

      if (!lc_history_count_events (history, timeline, i, &events, error))
        return FALSE;
      if (events == 0)
        continue;
      if (!lc_history_walk_get (walk, i, events - 1, &event, NULL, error))
        return FALSE;
      *last = MAX (*last, event.layer);
    }
  return TRUE;
}

/* Finds the span of the whole run on the axis: from the first begin to the last end on any of the timelines, or from
 * layer 1 to after the last one. */
static gboolean
picture_options_find_span (LcHistory *history, const LcPictureOptions *options, const LcPhases *phases, guint64 *from,
                           guint64 *to, GError **error)
{
  *from = options->selection.time == LC_SCENE_PHYSICAL  ? G_MAXUINT64
          : options->selection.time == LC_SCENE_LOGICAL ? 1
                                                        : 0;
  *to = 0;
  if (options->selection.time == LC_SCENE_PHASE)
    *to = lc_phases_get_n_positions (phases);
  else
    for (guint i = 0; i < options->n_timelines; i++)
      {
        guint64 begin, end;

        if (options->selection.time == LC_SCENE_LOGICAL && !find_last_layer (history, options->timelines[i], to, error))
          return FALSE;
        if (options->selection.time == LC_SCENE_LOGICAL)
          continue;
        if (!lc_statistics_span (history, options->timelines[i], &begin, &end, error))
          return FALSE;
        *from = MIN (*from, begin);
        *to = MAX (*to, end);
      }
  if (options->selection.time == LC_SCENE_LOGICAL)
    (*to)++;
  return TRUE;
}

static LcPhases *
find_phases (LcHistory *history, const LcPictureOptions *options, GCancellable *cancellable, GError **error)
{
  return lc_phases_find (history, options->timelines[0], options->phases != NULL ? options->phases : "auto",
                         cancellable, error);
}

gboolean
lc_picture_find_span (LcHistory *history, const LcPictureOptions *options, guint64 *from, guint64 *to,
                      GCancellable *cancellable, GError **error)
{
  const guint32 measured = LC_TIMELINE_MEASURED;
  LcPictureOptions filled = *options;
  g_autoptr (LcPhases) phases = NULL;

  if (filled.n_timelines == 0)
    {
      filled.timelines = &measured;
      filled.n_timelines = 1;
    }
  if (filled.selection.time == LC_SCENE_PHASE && (phases = find_phases (history, &filled, cancellable, error)) == NULL)
    return FALSE;
  return picture_options_find_span (history, &filled, phases, from, to, error);
}

/* Sets the span that was asked for, cut to the run. FALSE with an error if none of it is in the run. */
static gboolean
picture_options_fill_span (LcPicture *picture, GError **error)
{
  LcPictureOptions *options = &picture->context.options;
  guint64 from = options->from, to = options->to, begin, end;

  if (!picture_options_find_span (picture->context.history, options, picture->phases, &begin, &end, error))
    return FALSE;
  picture->whole_from = options->from = begin;
  picture->whole_to = options->to = end;
  if (from >= to)
    return TRUE;
  if (from < MAX (end, begin + 1) && to > begin)
    {
      options->from = MAX (from, begin);
      options->to = MIN (to, end);
    }
  else
    {
      g_autofree char *asked = lc_picture_dup_span (options->selection.time, picture->phases, from, to);
      g_autofree char *whole = lc_picture_dup_span (options->selection.time, picture->phases, begin, end);

      g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY, _ ("there is nothing at %s: the run is at %s"),
                   asked, whole);
      return FALSE;
    }
  return TRUE;
}

/* --- Other options ------------------------------------------------------------------------------------------------ */

static gboolean
check_timeline (const GPtrArray *timelines, guint32 number, GError **error)
{
  for (guint i = 0; i < timelines->len; i++)
    if (((const LcHistoryTimeline *)timelines->pdata[i])->id == number)
      return TRUE;
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_OPTION,
               _ ("there is no timeline number %u (any more): choose another one"), number);
  return FALSE;
}

static gboolean
fill_timelines (LcPicture *picture, GError **error)
{
  LcPictureOptions *options = &picture->context.options;
  const GPtrArray *timelines = picture->context.timelines;

  if (options->n_timelines == 0)
    {
      options->n_timelines = (picture->view->info.traits & LC_VIEW_ALL_TIMELINES) != 0 ? timelines->len : 1;
      picture->timelines = g_new0 (guint32, options->n_timelines);
      for (guint i = 1; i < options->n_timelines; i++)
        picture->timelines[i] = ((const LcHistoryTimeline *)timelines->pdata[i])->id;
    }
  else
    picture->timelines = g_memdup2 (options->timelines, options->n_timelines * sizeof (guint32));
  options->timelines = picture->timelines;
  for (guint i = 0; i < options->n_timelines; i++)
    if (!check_timeline (timelines, options->timelines[i], error))
      return FALSE;
  return (options->selection.lowest == LC_TRACE_NONE || check_timeline (timelines, options->selection.lowest, error)) &&
         (options->selection.highest == LC_TRACE_NONE || check_timeline (timelines, options->selection.highest, error));
}

/* Copies the selection, with a list of the processes if all of them are selected. */
static void
picture_options_copy_selection (LcPictureOptions *options, LcHistory *history)
{
  LcSelection selection = options->selection;
  g_autofree guint32 *all = NULL;

  if (history != NULL && selection.processes == NULL)
    {
      selection.n_processes = lc_history_get_n_processes (history);
      selection.processes = all = g_new (guint32, selection.n_processes);
      for (guint32 i = 0; i < selection.n_processes; i++)
        all[i] = i;
    }
  lc_selection_copy (&options->selection, &selection, history);
}

/* Copies everything that the options point to, so that the picture does not depend on the caller's memory. */
static void
copy_others (LcPicture *picture)
{
  LcPictureOptions *options = &picture->context.options;

  options->phases = picture->definition = g_strdup (options->phases);
  options->measure = picture->measure = g_strdup (options->measure);
  options->frame = picture->path = g_strdup (options->frame);
  options->directory = picture->directory = g_strdup (options->directory);
  options->title = NULL;
  options->view = picture->view->info.name;
}

gboolean
lc_picture_fill (LcPicture *picture, LcHistory *history, const LcPictureOptions *options, GCancellable *cancellable,
                 GError **error)
{
  LcViewContext *context = &picture->context;

  picture->view = find_view (options->view, error);
  if (picture->view == NULL)
    return FALSE;
  g_return_val_if_fail (history != NULL || (picture->view->info.traits & LC_VIEW_PROFILE) != 0, FALSE);
  context->history = history;
  context->options = *options;
  context->whole = (LcRectangle){0, 0, options->width, options->height};
  picture_options_leave_out (&context->options, picture->view->info.traits);
  picture_options_copy_selection (&context->options, history);
  if (history == NULL)
    {
      copy_others (picture);
      return TRUE;
    }
  context->names = lc_names_new (history);
  context->timelines = lc_history_list_timelines (history, error);
  if (context->timelines == NULL || !fill_timelines (picture, error))
    return FALSE;
  copy_others (picture);
  if ((picture->view->info.traits & LC_VIEW_PHASES) != 0 || context->options.phases != NULL ||
      context->options.selection.time == LC_SCENE_PHASE)
    {
      context->phases = picture->phases = find_phases (history, &context->options, cancellable, error);
      if (picture->phases == NULL)
        return FALSE;
    }
  return picture_options_fill_span (picture, error);
}
