/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a history that a user wants in a picture. */
#include "picture-choice.h"

#include <glib/gi18n.h>
#include <string.h>

#include "choice.h"
#include "find-event.h"
#include "open-history.h"
#include "position.h"

enum
{
  MOST_LISTED = 20, /* names in an error message */
};

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
apply_operations (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  options->selection.filters.operations = choice->operations_chosen =
      lc_choose_operations (history, choice->operations, error);
  return choice->operations_chosen != NULL;
}

static gboolean
apply_objects (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  choice->object_numbers = lc_choose_objects (history, choice->objects, error);
  if (choice->object_numbers == NULL)
    return FALSE;
  options->selection.filters.objects = picture_choice_get_numbers (choice->object_numbers);
  options->selection.filters.n_objects = choice->object_numbers->len;
  return TRUE;
}

/* Finds regions by name. */
static GArray *
find_regions (const LcPictureChoice *choice, LcHistory *history, GError **error)
{
  g_autoptr (GArray) all = lc_inside_list_regions (history, NULL, error);
  g_autoptr (GArray) regions = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GString) list = g_string_new (NULL);
  guint n_names = choice->within != NULL ? g_strv_length (choice->within) : 0;
  g_autofree gboolean *found = g_new0 (gboolean, n_names + 1);

  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      gboolean asked = FALSE;
      LcHistoryObject object;

      if (!lc_history_get_object (history, g_array_index (all, guint32, i), &object, error))
        return NULL;
      for (guint name = 0; name < n_names; name++)
        if (strcmp (choice->within[name], object.name) == 0)
          found[name] = asked = TRUE;
      if (asked)
        g_array_append_val (regions, object.id);
      if (i < MOST_LISTED)
        g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", object.name);
      lc_history_object_clear (&object);
    }
  for (guint name = 0; all != NULL && name < n_names; name++)
    if (!found[name])
      {
        picture_choice_fail (
            error, all->len > 0 ? _ ("%s: there is no region “%s”, only: %s%s") : _ ("%s: there is no region “%s”%s%s"),
            lc_history_get_path (history), choice->within[name], list->str, all->len > MOST_LISTED ? " ..." : "");
        return NULL;
      }
  return all != NULL ? g_steal_pointer (&regions) : NULL;
}

static GArray *
read_tags (const LcPictureChoice *choice, GError **error)
{
  g_autoptr (GArray) tags = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; choice->tags != NULL && choice->tags[i] != NULL; i++)
    {
      gint64 value;

      if (!g_ascii_string_to_signed (choice->tags[i], 10, G_MININT64, G_MAXINT64, &value, NULL))
        {
          picture_choice_fail (error, _ ("export: --tag %s: it has to be a whole number, the value of a tag"),
                               choice->tags[i]);
          return NULL;
        }
      g_array_append_val (tags, value);
    }
  return g_steal_pointer (&tags);
}

static gboolean
apply_inside (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  g_autoptr (GArray) tags = read_tags (choice, error);
  g_autoptr (GArray) regions = tags != NULL ? find_regions (choice, history, error) : NULL;

  if (regions == NULL)
    return FALSE;
  choice->inside =
      lc_inside_new (history, picture_choice_get_numbers (regions), regions->len, (gconstpointer)tags->data, tags->len);
  options->selection.filters.inside = choice->inside;
  return TRUE;
}

static gboolean
apply_called (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  choice->called = lc_called_new (history, choice->called_in);
  options->selection.filters.called = choice->called;
  return !lc_called_is_empty (choice->called) ||
         picture_choice_fail (
             error,
             lc_history_get_n_sites (history) == 0
                 ? _ ("%s: this trace does not say where in the program its events are (--called-in %s)")
                 : _ ("%s: nothing is called in “%s”: it has to be a function, a file, a line of a "
                      "file, as pipe.cpp:7, or a module"),
             lc_history_get_path (history), choice->called_in);
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

static gboolean
apply_wait (const LcPictureChoice *choice, LcPictureOptions *options, GError **error)
{
  return lc_parse_time (choice->longer_than, &options->selection.filters.least_wait) ||
         picture_choice_fail (error, _ ("export: --longer-than %s: it has to be a time, as 1ms, 20us or 42 (ns)"),
                              choice->longer_than);
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

gboolean
lc_picture_choice_apply (LcPictureChoice *choice, LcHistory *history, LcPictureOptions *options, GError **error)
{
  return (choice->timelines == NULL || apply_timelines (choice, history, options, error)) &&
         (choice->bounds == NULL || apply_bounds (choice, history, options, error)) &&
         (choice->processes == NULL || apply_processes (choice, history, options, error)) &&
         (choice->operations == NULL || apply_operations (choice, history, options, error)) &&
         (choice->objects == NULL || apply_objects (choice, history, options, error)) &&
         ((choice->within == NULL && choice->tags == NULL) || apply_inside (choice, history, options, error)) &&
         (choice->called_in == NULL || apply_called (choice, history, options, error)) &&
         (choice->colour == NULL || apply_colour (choice, history, options, error)) &&
         (choice->longer_than == NULL || apply_wait (choice, options, error)) &&
         (choice->collapse == NULL || apply_collapse (choice, history, options, error)) &&
         (choice->highlight == NULL || apply_highlight (choice, history, options, error)) &&
         (choice->marks == NULL || picture_choice_apply_marks (choice, history, options, error)) &&
         lc_parse_positions (history, options, choice->from, choice->to, error);
}

void
lc_picture_choice_clear (LcPictureChoice *choice)
{
  g_clear_pointer (&choice->timeline_numbers, g_array_unref);
  g_clear_pointer (&choice->process_numbers, g_array_unref);
  g_clear_pointer (&choice->operations_chosen, g_free);
  g_clear_pointer (&choice->object_numbers, g_array_unref);
  g_clear_pointer (&choice->inside, lc_inside_unref);
  g_clear_pointer (&choice->called, lc_called_unref);
  g_clear_pointer (&choice->coloring, lc_coloring_unref);
  g_clear_pointer (&choice->groups, lc_groups_free);
  g_clear_pointer (&choice->marked, lc_marks_free);
  g_clear_pointer (&choice->hidden_marks, g_strfreev);
}
