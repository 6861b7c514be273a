/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a history that a user wants in a picture. */
#include "picture-choice.h"

#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "draw/filters/choice.h"
#include "draw/options/find-named.h"
#include "open-history.h"
#include "draw/options/position.h"

G_GNUC_PRINTF (2, 3)
static gboolean
picture_choice_fail (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_propagate_error (error, g_error_new_valist (G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, format, arguments));
  va_end (arguments);
  return FALSE;
}

static const guint32 *
picture_choice_get_numbers (const GArray *numbers)
{
  return (const guint32 *)(void *)numbers->data;
}

/* Finds the timelines in a list. The whole list may also be one name, since names may contain commas. */
static GArray *
find_timelines (LcHistory *history, const char *option, const char *list, GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_auto (GStrv) names = g_strsplit (list, ",", -1);
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
            picture_choice_fail (error, _ ("export: %s %s names %s twice"), option, list, name);
            return NULL;
          }
      g_array_append_val (numbers, number);
    }
  return g_steal_pointer (&numbers);
}

static gboolean
check_several (const LcPictureOptions *options, GError **error)
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
      return picture_choice_fail (error, _ ("export: the view %s is of one timeline; of several are: %s"), view->name,
                                  others->str);
    }
  if ((view->traits & LC_VIEW_ALL_TIMELINES) != 0)
    return TRUE;
  if (options->n_timelines > 2)
    return picture_choice_fail (error, _ ("export: the view %s can show two timelines, not %u"), view->name,
                                options->n_timelines);
  return options->selection.time == LC_SCENE_PHYSICAL ||
         picture_choice_fail (error, _ ("export: two timelines can be shown in physical time only"));
}

static gboolean
apply_timelines (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  choice->timeline_numbers = find_timelines (history, "--timeline", choice->timelines, error);
  if (choice->timeline_numbers == NULL)
    return FALSE;
  options->timelines = picture_choice_get_numbers (choice->timeline_numbers);
  options->n_timelines = choice->timeline_numbers->len;
  return options->n_timelines < 2 || check_several (options, error);
}

static gboolean
apply_bounds (const LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  g_autoptr (GArray) both = find_timelines (history, "--bounds", choice->bounds, error);

  if (both == NULL)
    return FALSE;
  if (both->len != 2)
    return picture_choice_fail (error, _ ("export: --bounds %s: it has to be two timelines, as optimistic,pessimistic"),
                                choice->bounds);
  if (options->selection.time != LC_SCENE_PHYSICAL)
    return picture_choice_fail (error, _ ("export: --bounds can be shown in physical time only"));
  options->selection.lowest = g_array_index (both, guint32, 0);
  options->selection.highest = g_array_index (both, guint32, 1);
  return TRUE;
}

static gboolean
apply_processes (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  choice->process_numbers = lc_choose_processes (history, choice->processes, error);
  if (choice->process_numbers == NULL)
    return FALSE;
  options->selection.processes = picture_choice_get_numbers (choice->process_numbers);
  options->selection.n_processes = choice->process_numbers->len;
  return TRUE;
}

static gboolean
picture_choice_apply_filters (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  const guint32 timeline = options->n_timelines > 0 ? options->timelines[0] : LC_TIMELINE_MEASURED;

  if (!lc_filter_choice_read (&choice->filters, "export", history, timeline, error))
    return FALSE;
  options->selection.filters = choice->filters.filters;
  return TRUE;
}

static gboolean
apply_colour (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  if (strcmp (choice->colour, "site") != 0)
    return picture_choice_fail (error, _ ("export: --colour %s: it has to be site"), choice->colour);
  if (lc_history_get_n_sites (history) == 0)
    return picture_choice_fail (error,
                                _ ("%s: this trace does not say where in the program its events are (--colour site)"),
                                lc_history_get_path (history));
  options->selection.coloring = choice->coloring = lc_coloring_new (history);
  return TRUE;
}

/* Collapses the processes that are chosen. */
static gboolean
apply_collapse (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  static const struct
  {
    const char *name;
    LcGroups *(*group) (const LcHistory *history, const guint32 *processes, guint32 n_processes);
  } ways[] = {{"host", lc_groups_by_host}, {"prefix", lc_groups_by_prefix}, {"all", lc_groups_of_all}};

  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    if (strcmp (choice->collapse, ways[i].name) == 0)
      {
        choice->groups = ways[i].group (history, options->selection.processes, options->selection.n_processes);
        options->selection.processes = choice->groups->processes;
        options->selection.n_processes = choice->groups->n_processes;
        options->selection.row_ends = choice->groups->row_ends;
        options->selection.n_row_ends = choice->groups->n_groups;
        options->selection.row_names = (const char *const *)choice->groups->names;
        return TRUE;
      }
  return picture_choice_fail (error, _ ("export: --collapse %s: it has to be host, prefix or all"), choice->collapse);
}

static gboolean
apply_highlight (const LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  static const struct
  {
    const char *start;
    LcHighlightKind kind;
  } kinds[] = {{"past:", LC_HIGHLIGHT_PAST}, {"future:", LC_HIGHLIGHT_FUTURE}, {"cone:", LC_HIGHLIGHT_CONE}};
  LcHighlight *highlight = &options->selection.highlight;

  if (strcmp (choice->highlight, "critical-path") == 0)
    {
      highlight->kind = LC_HIGHLIGHT_CRITICAL_PATH;
      return TRUE;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (choice->highlight, kinds[i].start))
      {
        highlight->kind = kinds[i].kind;
        return lc_find_event (history, "export", choice->highlight + strlen (kinds[i].start), &highlight->process,
                              &highlight->ordinal, error);
      }
  return picture_choice_fail (
      error,
      _ ("export: --highlight %s: it has to be critical-path, or past:, future: or cone: and an event, as "
         "past:0:12"),
      choice->highlight);
}

static gboolean
picture_choice_apply_marks (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  options->marks = choice->marked = lc_choose_marks (history, choice->marks, &choice->hidden_marks, error);
  options->hidden_marks = (const char *const *)choice->hidden_marks;
  return choice->marked != NULL;
}

static gboolean
picture_choice_apply_span (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  GError *reason = NULL;

  if (lc_parse_positions (history, options, choice->from, choice->to, &reason))
    return TRUE;
  lc_command_propagate ("export", reason, error);
  return FALSE;
}

gboolean
lc_picture_choice_apply (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  return (choice->timelines == NULL || apply_timelines (choice, history, options, error)) &&
         (choice->bounds == NULL || apply_bounds (choice, history, options, error)) &&
         (choice->processes == NULL || apply_processes (choice, history, options, error)) &&
         picture_choice_apply_filters (choice, history, options, error) &&
         (choice->colour == NULL || apply_colour (choice, history, options, error)) &&
         (choice->collapse == NULL || apply_collapse (choice, history, options, error)) &&
         (choice->highlight == NULL || apply_highlight (choice, history, options, error)) &&
         (choice->marks == NULL || picture_choice_apply_marks (choice, history, options, error)) &&
         picture_choice_apply_span (choice, history, options, error);
}

void
lc_picture_choice_clear (LcPictureChoice *choice)
{
  g_clear_pointer (&choice->timeline_numbers, g_array_unref);
  g_clear_pointer (&choice->process_numbers, g_array_unref);
  lc_filter_choice_clear (&choice->filters);
  g_clear_pointer (&choice->coloring, lc_coloring_unref);
  g_clear_pointer (&choice->groups, lc_groups_free);
  g_clear_pointer (&choice->marked, lc_marks_free);
  g_clear_pointer (&choice->hidden_marks, g_strfreev);
}
