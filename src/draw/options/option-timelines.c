/* SPDX-License-Identifier: Apache-2.0 */
/* The options of timelines: those that are shown, and those that bound events. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "draw/options/find-named.h"
#include "draw/options/view-options.h"
#include "draw/picture-private.h"

guint32
lc_options_get_timeline (const LcPictureOptions *options)
{
  return options->n_timelines > 0 ? options->timelines[0] : LC_TIMELINE_MEASURED;
}

/* --- Names -------------------------------------------------------------------------------------------------------- */

/* Finds the timelines in a list. The whole list may also be one name, since names may contain commas. */
static GArray *
option_timelines_find (const LcViewOption *option, LcHistory *history, const char *list, GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_auto (GStrv) names = g_strsplit (list, ",", -1);
  g_autofree char *dashed = g_strconcat ("--", option->option, NULL);
  guint32 number;

  if (lc_history_find_timeline (history, list, &number, NULL))
    {
      g_array_append_val (numbers, number);
      return g_steal_pointer (&numbers);
    }
  for (gsize i = 0; names[i] != NULL || i == 0; i++)
    {
      const char *name = names[i] != NULL ? names[i] : "";

      if (!lc_find_timeline (history, name, &number, error))
        return NULL;
      for (guint k = 0; k < numbers->len; k++)
        if (g_array_index (numbers, guint32, k) == number)
          {
            lc_option_refuse (error, _ ("%s %s names %s twice"), dashed, list, name);
            return NULL;
          }
      g_array_append_val (numbers, number);
    }
  return g_steal_pointer (&numbers);
}

static const char *
option_timelines_get_name (const GPtrArray *timelines, guint32 number)
{
  for (guint i = 0; timelines != NULL && i < timelines->len; i++)
    if (((const LcHistoryTimeline *)timelines->pdata[i])->id == number)
      return ((const LcHistoryTimeline *)timelines->pdata[i])->name;
  return NULL;
}

/* Says a list of timelines. FALSE with LC_HISTORY_ERROR. */
static gboolean
option_timelines_say (const LcViewOption *option, LcOptionCommand *command, const guint32 *numbers, guint n,
                      GError **error)
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (command->history, error);
  g_autoptr (GString) list = g_string_new (NULL);

  if (timelines == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const char *name = option_timelines_get_name (timelines, numbers[i]);

      command->words.unsaid |= n > 1 && (name == NULL || strchr (name, ',') != NULL);
      if (name != NULL)
        g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "", name);
    }
  lc_option_words_add (&command->words, option->option, list->str);
  return TRUE;
}

/* Keeps two timelines, each of which may be LC_TRACE_NONE. */
static void
option_timelines_save (const LcOptionState *state, const char *const keys[2], const guint32 numbers[2])
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (state->history, NULL);

  for (guint i = 0; i < 2; i++)
    {
      const char *name = option_timelines_get_name (timelines, numbers[i]);

      if (name != NULL)
        g_key_file_set_string (state->file, state->group, keys[i], name);
    }
}

/* Changes the numbers for which a timeline was kept. */
static void
option_timelines_load (const LcOptionState *state, const char *const keys[2], guint32 numbers[2])
{
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *name = g_key_file_get_string (state->file, state->group, keys[i], NULL);
      guint32 number;

      if (name != NULL && lc_history_find_timeline (state->history, name, &number, NULL))
        numbers[i] = number;
    }
}

/* --- The timelines that are shown --------------------------------------------------------------------------------- */

static gboolean
timelines_check_several (const LcPictureOptions *options, GError **error)
{
  const LcViewInfo *view = lc_views_find (options->view);
  gsize n_views;
  const LcViewInfo *views = lc_views_get (&n_views);
  g_autoptr (GString) others = g_string_new (NULL);

  if ((view->traits & LC_VIEW_TIMELINES) == 0)
    {
      for (gsize i = 0; i < n_views; i++)
        if ((views[i].traits & LC_VIEW_TIMELINES) != 0)
          g_string_append_printf (others, "%s%s", others->len > 0 ? ", " : "", views[i].name);
      return lc_option_refuse (error, _ ("the view %s is of one timeline; of several are: %s"), view->name,
                               others->str);
    }
  if ((view->traits & LC_VIEW_ALL_TIMELINES) != 0)
    return TRUE;
  if (options->n_timelines > 2)
    return lc_option_refuse (error, _ ("the view %s can show two timelines, not %u"), view->name, options->n_timelines);
  return options->selection.time == LC_SCENE_PHYSICAL ||
         lc_option_refuse (error, _ ("two timelines can be shown in physical time only"));
}

static void
timelines_set (LcOptionValues *values, const guint32 *numbers, guint n)
{
  g_free (values->timelines);
  values->options.timelines = values->timelines = g_memdup2 (numbers, n * sizeof *numbers);
  values->options.n_timelines = n;
}

static gboolean
timelines_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  g_autoptr (GArray) numbers = option_timelines_find (option, values->history, words[0], error);

  if (numbers == NULL)
    return FALSE;
  timelines_set (values, (const guint32 *)(const void *)numbers->data, numbers->len);
  return numbers->len < 2 || timelines_check_several (&values->options, error);
}

static gboolean
timelines_say (const LcViewOption *option, LcOptionCommand *command, GError **error)
{
  const LcPictureOptions *options = command->options;
  guint n = (command->traits & LC_VIEW_TIMELINES) != 0 ? options->n_timelines : MIN (options->n_timelines, 1);

  if (n == 0 ||
      (n == 1 && options->timelines[0] == LC_TIMELINE_MEASURED && (command->traits & LC_VIEW_ALL_TIMELINES) == 0))
    return TRUE;
  return option_timelines_say (option, command, options->timelines, n, error);
}

static const char *const shown_keys[] = {"timeline", "beside"};

static void
timelines_save (const LcViewOption *option, const LcPictureOptions *options, const LcOptionState *state)
{
  option_timelines_save (
      state, shown_keys,
      (guint32[]){lc_options_get_timeline (options), options->n_timelines > 1 ? options->timelines[1] : LC_TRACE_NONE});
}

static void
timelines_load (const LcViewOption *option, LcOptionValues *values, const LcOptionState *state)
{
  guint32 numbers[] = {LC_TIMELINE_MEASURED, LC_TRACE_NONE};

  option_timelines_load (state, shown_keys, numbers);
  timelines_set (values, numbers, numbers[1] != LC_TRACE_NONE ? 2 : 1);
}

static gboolean
timelines_equal (const LcViewOption *option, const LcPictureOptions *a, const LcPictureOptions *b, LcHistory *history)
{
  return a->n_timelines == b->n_timelines &&
         (a->n_timelines == 0 || memcmp (a->timelines, b->timelines, a->n_timelines * sizeof *a->timelines) == 0);
}

char *
lc_option_dup_timelines (const LcViewOption *option, const LcPictureOptions *options, const LcOptionTelling *telling)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < options->n_timelines; i++)
    {
      g_autofree char *name = lc_picture_dup_timeline (telling->picture->context.timelines, options->timelines[i]);

      g_string_append_printf (names, "%s%s", i > 0 ? "; " : "", name);
    }
  return g_strdup_printf (ngettext ("Timeline %s", "Timelines %s", options->n_timelines), names->str);
}

const LcOptionKind lc_option_timelines = {.needs_history = TRUE,
                                          .read = timelines_read,
                                          .say = timelines_say,
                                          .save = timelines_save,
                                          .load = timelines_load,
                                          .equal = timelines_equal};

/* --- Bounds ------------------------------------------------------------------------------------------------------- */

static gboolean
bounds_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  g_autoptr (GArray) both = option_timelines_find (option, values->history, words[0], error);
  LcSelection *selection = &values->options.selection;

  if (both == NULL)
    return FALSE;
  if (both->len != 2)
    return lc_option_refuse (error, _ ("--bounds %s: it has to be two timelines, as optimistic,pessimistic"), words[0]);
  if (selection->time != LC_SCENE_PHYSICAL)
    return lc_option_refuse (error, _ ("--bounds can be shown in physical time only"));
  selection->lowest = g_array_index (both, guint32, 0);
  selection->highest = g_array_index (both, guint32, 1);
  return TRUE;
}

static gboolean
bounds_are_set (const LcSelection *selection)
{
  return selection->lowest != LC_TRACE_NONE && selection->highest != LC_TRACE_NONE;
}

static gboolean
bounds_say (const LcViewOption *option, LcOptionCommand *command, GError **error)
{
  const LcSelection *selection = &command->options->selection;
  const guint32 both[] = {selection->lowest, selection->highest};

  return !bounds_are_set (selection) || option_timelines_say (option, command, both, G_N_ELEMENTS (both), error);
}

static const char *const bounds_keys[] = {"lowest", "highest"};

static void
bounds_save (const LcViewOption *option, const LcPictureOptions *options, const LcOptionState *state)
{
  option_timelines_save (state, bounds_keys, (guint32[]){options->selection.lowest, options->selection.highest});
}

static void
bounds_load (const LcViewOption *option, LcOptionValues *values, const LcOptionState *state)
{
  guint32 both[] = {LC_TRACE_NONE, LC_TRACE_NONE};

  option_timelines_load (state, bounds_keys, both);
  values->options.selection.lowest = both[0];
  values->options.selection.highest = both[1];
}

char *
lc_option_dup_bounds (const LcViewOption *option, const LcPictureOptions *options, const LcOptionTelling *telling)
{
  const GPtrArray *timelines = telling->picture->context.timelines;
  g_autofree char *lowest = NULL, *highest = NULL;

  if (!bounds_are_set (&options->selection))
    return NULL;
  lowest = lc_picture_dup_timeline (timelines, options->selection.lowest);
  highest = lc_picture_dup_timeline (timelines, options->selection.highest);
  return g_strdup_printf (_ ("bounds: %s to %s"), lowest, highest);
}

const LcOptionKind lc_option_bounds = {
    .needs_history = TRUE, .read = bounds_read, .say = bounds_say, .save = bounds_save, .load = bounds_load};
