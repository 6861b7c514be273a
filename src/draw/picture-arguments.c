/* SPDX-License-Identifier: Apache-2.0 */
/* The command line that makes the same picture, made from its options. */
#include <math.h>
#include <string.h>

#include "draw/filters/filter-options.h"
#include "lightcone/groups.h"
#include "picture-private.h"

enum
{
  MOST_NAMES = 100, /* names of objects in one command */
};

/* The words so far; `unsaid` if words cannot express all of the options. */
typedef struct
{
  LcHistory *history;
  const LcPictureOptions *options;
  guint traits;
  GStrvBuilder *words;
  gboolean unsaid;
} Command;

static void
picture_arguments_say (Command *command, const char *option, const char *value)
{
  g_strv_builder_add (command->words, option);
  g_strv_builder_add (command->words, value);
}

static void
say_number (Command *command, const char *option, guint64 value)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, value);

  picture_arguments_say (command, option, text);
}

/* --- Timelines --------------------------------------------------------------------------------------------------- */

static gboolean
picture_arguments_add_timeline (GString *list, const GPtrArray *timelines, guint32 number)
{
  for (guint i = 0; i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = timelines->pdata[i];

      if (timeline->id != number)
        continue;
      g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "", timeline->name);
      return strchr (timeline->name, ',') == NULL;
    }
  return FALSE;
}

static gboolean
say_timelines (Command *command, GError **error)
{
  const LcPictureOptions *options = command->options;
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (command->history, error);
  g_autoptr (GString) list = g_string_new (NULL), bounds = g_string_new (NULL);
  guint n = (command->traits & LC_VIEW_TIMELINES) != 0 ? options->n_timelines : MIN (options->n_timelines, 1);

  if (timelines == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++)
    command->unsaid |= !picture_arguments_add_timeline (list, timelines, options->timelines[i]) && n > 1;
  if (n > 1 || (n == 1 && options->timelines[0] != LC_TIMELINE_MEASURED) ||
      (n == 1 && (command->traits & LC_VIEW_ALL_TIMELINES) != 0))
    picture_arguments_say (command, "--timeline", list->str);
  if ((command->traits & LC_VIEW_BOUNDS) == 0 || options->selection.lowest == LC_TRACE_NONE ||
      options->selection.highest == LC_TRACE_NONE)
    return TRUE;
  command->unsaid |= !picture_arguments_add_timeline (bounds, timelines, options->selection.lowest) ||
                     !picture_arguments_add_timeline (bounds, timelines, options->selection.highest);
  picture_arguments_say (command, "--bounds", bounds->str);
  return TRUE;
}

/* --- The part of the run ------------------------------------------------------------------------------------------ */

/* The text by which the command line finds a phase. NULL: an earlier phase would be found instead. */
static const char *
picture_arguments_get_phase_number (const LcPhases *phases, guint32 phase)
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
say_phases (Command *command, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = command->options;
  guint32 timeline = options->n_timelines > 0 ? options->timelines[0] : LC_TIMELINE_MEASURED;
  g_autoptr (LcPhases) phases = lc_phases_find (command->history, timeline,
                                                options->phases != NULL ? options->phases : "auto", cancellable, error);
  const char *from = NULL, *to = NULL;

  if (phases == NULL)
    return FALSE;
  for (guint32 i = 0; i < lc_phases_get_n (phases); i++)
    {
      guint64 position = lc_phases_get (phases, i)->position;
      guint64 after = i + 1 < lc_phases_get_n (phases) ? lc_phases_get (phases, i + 1)->position
                                                       : lc_phases_get_n_positions (phases);

      if (position == options->from && after > position)
        from = picture_arguments_get_phase_number (phases, i);
      if (after == options->to && after > position)
        to = picture_arguments_get_phase_number (phases, i);
    }
  if (from != NULL && to != NULL)
    {
      picture_arguments_say (command, "--from", from);
      picture_arguments_say (command, "--to", to);
    }
  command->unsaid |= from == NULL || to == NULL;
  return TRUE;
}

static gboolean
say_span (Command *command, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = command->options;
  LcSceneTime time = (command->traits & LC_VIEW_TIMES) != 0 ? options->selection.time : LC_SCENE_PHYSICAL;

  if ((command->traits & LC_VIEW_SPAN) == 0 || options->from >= options->to)
    return TRUE;
  if (time == LC_SCENE_PHASE)
    return say_phases (command, cancellable, error);
  say_number (command, "--from", options->from);
  say_number (command, "--to", time == LC_SCENE_LOGICAL ? options->to - 1 : options->to); /* the last layer */
  return TRUE;
}

/* --- Filters, rows and highlight ---------------------------------------------------------------------------------- */

static gboolean
are_all (const Command *command)
{
  const LcPictureOptions *options = command->options;
  gboolean all = options->selection.n_processes == lc_history_get_n_processes (command->history);

  for (guint32 i = 0; all && i < options->selection.n_processes; i++)
    all = options->selection.processes[i] == i;
  return all;
}

/* Consecutive processes are written as ranges: 0-3,7. */
static void
say_processes (Command *command)
{
  const LcPictureOptions *options = command->options;
  g_autoptr (GString) list = g_string_new (NULL);

  if ((command->traits & LC_VIEW_ALL_PROCESSES) != 0 || options->selection.processes == NULL || are_all (command))
    return;
  for (guint32 i = 0, last; i < options->selection.n_processes; i = last + 1)
    {
      for (last = i; last + 1 < options->selection.n_processes &&
                     options->selection.processes[last + 1] == options->selection.processes[last] + 1;)
        last++;
      g_string_append_printf (list, "%s%u", list->len > 0 ? "," : "", options->selection.processes[i]);
      if (last > i)
        g_string_append_printf (list, "-%u", options->selection.processes[last]);
    }
  picture_arguments_say (command, "--processes", list->str);
}

static gboolean
say_filters (Command *command, GError **error)
{
  LcFilterWords words = {.words = command->words};

  if ((command->traits & LC_VIEW_FILTERS) == 0)
    return TRUE;
  if (!lc_filters_say (&command->options->selection.filters, command->history, &words, error))
    return FALSE;
  command->unsaid |= words.unsaid;
  return TRUE;
}

/* Whether groups make the rows of the options. */
static gboolean
are_rows (const Command *command, const LcGroups *groups)
{
  const LcPictureOptions *options = command->options;
  gboolean same =
      groups->n_groups == options->selection.n_row_ends && groups->n_processes == options->selection.n_processes;

  for (guint32 i = 0; same && i < groups->n_processes; i++)
    same = groups->processes[i] == options->selection.processes[i];
  for (guint32 i = 0, first = 0; same && i < groups->n_groups; first = groups->row_ends[i++])
    {
      g_autofree char *name =
          lc_groups_dup_name (command->history, &groups->processes[first], groups->row_ends[i] - first);

      same =
          groups->row_ends[i] == options->selection.row_ends[i] &&
          strcmp (options->selection.row_names != NULL ? options->selection.row_names[i] : name, groups->names[i]) == 0;
    }
  return same;
}

static void
say_kinds (Command *command)
{
  const LcPictureOptions *options = command->options;
  g_autofree char *hidden = lc_diagram_kinds_dup (options->selection.hidden);

  if ((command->traits & LC_VIEW_KINDS) == 0)
    return;
  if (options->selection.hide_arcs)
    g_strv_builder_add (command->words, "--no-arcs");
  if (options->selection.hide_holding)
    g_strv_builder_add (command->words, "--no-holding");
  if (hidden != NULL)
    picture_arguments_say (command, "--hide", hidden);
}

static void
say_rows (Command *command)
{
  static const struct
  {
    const char *name;
    LcGroups *(*group) (const LcHistory *history, const guint32 *processes, guint32 n_processes);
  } ways[] = {{"host", lc_groups_by_host}, {"prefix", lc_groups_by_prefix}, {"all", lc_groups_of_all}};
  const LcPictureOptions *options = command->options;
  gboolean said = options->selection.row_ends == NULL;

  if ((command->traits & LC_VIEW_ROWS) == 0)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (ways) && !said; i++)
    {
      g_autoptr (LcGroups) groups =
          ways[i].group (command->history, options->selection.processes, options->selection.n_processes);

      said = are_rows (command, groups);
      if (said)
        picture_arguments_say (command, "--collapse", ways[i].name);
    }
  command->unsaid |= !said;
}

static void
say_highlight (Command *command)
{
  static const char *const kinds[] = {
      [LC_HIGHLIGHT_PAST] = "past", [LC_HIGHLIGHT_FUTURE] = "future", [LC_HIGHLIGHT_CONE] = "cone"};
  const LcHighlight *highlight = &command->options->selection.highlight;
  g_autofree char *text = NULL;

  if ((command->traits & LC_VIEW_HIGHLIGHT) == 0 || highlight->kind == LC_HIGHLIGHT_NONE)
    return;
  if (highlight->kind == LC_HIGHLIGHT_CRITICAL_PATH)
    text = g_strdup ("critical-path");
  else if (highlight->kind < G_N_ELEMENTS (kinds) && kinds[highlight->kind] != NULL)
    text = g_strdup_printf ("%s:%u:%" G_GUINT64_FORMAT, kinds[highlight->kind], highlight->process, highlight->ordinal);
  command->unsaid |= text == NULL;
  if (text != NULL)
    picture_arguments_say (command, "--highlight", text);
}

/* Names with a comma or a sign of patterns cannot be told apart from lists and patterns. */
static void
say_marks (Command *command)
{
  const LcPictureOptions *options = command->options;
  const GArray *marks = options->marks != NULL ? options->marks->marks : NULL;
  g_autoptr (GString) list = g_string_new (NULL);
  const char *name = NULL;
  guint n = 0;

  if ((command->traits & LC_VIEW_HIGHLIGHT) == 0)
    return;
  for (guint i = 0; marks != NULL && i < marks->len; i++)
    {
      const char *one = g_array_index (marks, LcUserMark, i).name;

      if (name != NULL && strcmp (name, one) == 0)
        continue;
      name = one;
      if (options->hidden_marks != NULL && g_strv_contains (options->hidden_marks, name))
        continue;
      if (strpbrk (name, ",*?") != NULL || g_ascii_isspace (name[0]) || ++n > MOST_NAMES)
        command->unsaid = TRUE;
      else
        g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "", name);
    }
  if (list->len > 0)
    picture_arguments_say (command, "--marks", list->str);
}

/* --- Look --------------------------------------------------------------------------------------------------------- */

static void
say_coloring (Command *command)
{
  if ((command->traits & LC_VIEW_COLORING) != 0 && command->options->selection.coloring != NULL)
    picture_arguments_say (command, "--colour", "site");
}

static void
say_axis (Command *command)
{
  static const char *const times[] = {"physical", "logical", "phase"};
  const LcPictureOptions *options = command->options;

  if (options->view != NULL)
    picture_arguments_say (command, "--view", options->view);
  if ((command->traits & LC_VIEW_TIMES) != 0 && options->selection.time != LC_SCENE_PHYSICAL)
    picture_arguments_say (command, "--time", times[options->selection.time]);
  if ((command->traits & (LC_VIEW_PHASES | LC_VIEW_TIMES)) != 0 && options->phases != NULL)
    picture_arguments_say (command, "--phases", options->phases);
  if ((command->traits & LC_VIEW_ORIENTATION) != 0 && options->orientation == LC_ORIENTATION_RIGHT)
    picture_arguments_say (command, "--orientation", "right");
  if ((command->traits & LC_VIEW_OVER_TIME) != 0 && options->orientation == LC_ORIENTATION_DOWN)
    picture_arguments_say (command, "--orientation", "down");
  if ((command->traits & LC_VIEW_STYLE) != 0 && options->style == LC_DIAGRAM_BOXES)
    picture_arguments_say (command, "--style", "moviola");
  if ((command->traits & LC_VIEW_MEASURE) != 0 && options->measure != NULL)
    picture_arguments_say (command,
                           (command->traits & LC_VIEW_FRAME) != 0    ? "--by"
                           : (command->traits & LC_VIEW_LAYOUT) != 0 ? "--layout"
                                                                     : "--measure",
                           options->measure);
  if ((command->traits & LC_VIEW_FRAME) != 0 && options->frame != NULL)
    picture_arguments_say (command, "--frame", options->frame);
  if ((command->traits & LC_VIEW_INTERVALS) != 0 && options->intervals > 0)
    say_number (command, "--intervals", options->intervals);
  if ((command->traits & LC_VIEW_ACTUAL) != 0 && options->actual > 0)
    say_number (command, "--actual", options->actual);
}

static void
say_look (Command *command)
{
  static const char *const themes[] = {"light", "dark", "print", "high-contrast", "high-contrast-dark"};
  const LcPictureOptions *options = command->options;
  LcPictureOptions usual;
  g_autofree char *size = g_strdup_printf ("%.0fx%.0f", options->width, options->height);

  lc_picture_options_init (&usual);
  if (options->width != usual.width || options->height != usual.height)
    picture_arguments_say (command, "--size", size);
  command->unsaid |= options->width != floor (options->width) || options->height != floor (options->height);
  if (options->theme != usual.theme)
    picture_arguments_say (command, "--theme", themes[options->theme]);
  if (options->title != NULL)
    picture_arguments_say (command, "--title", options->title);
}

char **
lc_picture_dup_arguments (LcHistory *history, const LcPictureOptions *options, gboolean *unsaid,
                          GCancellable *cancellable, GError **error)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  Command command = {
      .history = history, .options = options, .traits = lc_view_find (options->view)->info.traits, .words = words};

  say_axis (&command);
  if (!say_timelines (&command, error) || !say_span (&command, cancellable, error))
    return NULL;
  say_processes (&command);
  say_kinds (&command);
  say_rows (&command);
  if (!say_filters (&command, error))
    return NULL;
  say_highlight (&command);
  say_marks (&command);
  say_coloring (&command);
  say_look (&command);
  *unsaid = command.unsaid;
  return g_strv_builder_end (words);
}
