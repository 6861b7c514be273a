/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the options of views, and what is done with all of its rows. */
#include "draw/options/view-options.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "draw/options/position.h"
#include "draw/picture-private.h"
#include "trace/quantities.h"

const char *const lc_option_times[] = {
    [LC_SCENE_PHYSICAL] = "physical", [LC_SCENE_LOGICAL] = "logical", [LC_SCENE_PHASE] = "phase", NULL};
static const char *const time_texts[] = {
    [LC_SCENE_PHYSICAL] = NULL, [LC_SCENE_LOGICAL] = N_ ("logical time"), [LC_SCENE_PHASE] = N_ ("phase time")};
static const char *const directions[] = {[LC_ORIENTATION_DOWN] = "down", [LC_ORIENTATION_RIGHT] = "right", NULL};
static const char *const styles[] = {[LC_DIAGRAM_BODIES] = "states", [LC_DIAGRAM_BOXES] = "moviola", NULL};
static const char *const themes[] = {[LC_THEME_LIGHT] = "light",
                                     [LC_THEME_DARK] = "dark",
                                     [LC_THEME_PRINT] = "print",
                                     [LC_THEME_CONTRAST] = "high-contrast",
                                     [LC_THEME_CONTRAST_DARK] = "high-contrast-dark",
                                     NULL};
static const char *const colorings[] = {"site", NULL};
static const char *const no_arcs[] = {[FALSE] = NULL, [TRUE] = N_ ("no arcs")};
static const char *const no_holding[] = {[FALSE] = NULL, [TRUE] = N_ ("no holding")};

static char *
view_options_dup_phases (const LcViewOption *option, const LcPictureOptions *options, const LcOptionTelling *telling)
{
  const LcPhases *phases = telling->picture->phases;

  return phases != NULL ? g_strdup_printf (_ ("phases by %s"), lc_phases_get_definition (phases)) : NULL;
}

static char *
view_options_dup_actual (const LcViewOption *option, const LcPictureOptions *options, const LcOptionTelling *telling)
{
  g_autofree char *actual = lc_format_duration (options->actual);

  return options->actual > 0 ? g_strdup_printf (_ ("actually: %s"), actual) : NULL;
}

/* In the order in which they are read and listed. */
static const LcViewOption rows[] = {
    {"processes", N_ ("LIST"), N_ ("Only these: names, numbers, ranges, patterns"), &lc_option_processes,
     LC_OPTION_ROWS, 0, "processes", LC_OPTION_PLACE (selection.processes, selection.n_processes),
     .dup_text = lc_option_dup_rows, .without = LC_VIEW_ALL_PROCESSES},
    {"time", N_ ("TIME"), N_ ("physical, logical or phase"), &lc_option_word, LC_OPTION_TIME, LC_VIEW_TIMES, "time",
     LC_OPTION_PLACE (selection.time, selection.time), .texts = time_texts, .words = lc_option_times},
    {"timeline", N_ ("NAME[,NAME]"), N_ ("This timeline, instead of the measured one; or two"), &lc_option_timelines,
     LC_OPTION_TIMELINES, 0, "timeline", LC_OPTION_PLACE (timelines, n_timelines), .dup_text = lc_option_dup_timelines},
    {"bounds", N_ ("LOWER,UPPER"), N_ ("Two timelines: a band between the ends of each event"), &lc_option_bounds,
     LC_OPTION_BOUNDS, LC_VIEW_BOUNDS, "lowest", LC_OPTION_PLACE (selection.lowest, selection.highest),
     .dup_text = lc_option_dup_bounds},
    {"from", N_ ("PLACE"), N_ ("Only what is after this time, layer, phase or share"), &lc_option_from, LC_OPTION_SPAN,
     LC_VIEW_SPAN, NULL, LC_OPTION_PLACE (from, to), .dup_text = lc_option_dup_span},
    {"to", N_ ("PLACE"), N_ ("Only what is before this time, or up to this layer or phase"), &lc_option_to,
     LC_OPTION_SPAN, LC_VIEW_SPAN, NULL, LC_OPTION_PLACE (from, to), .is_shared = TRUE},
    {.kind = &lc_option_filter}, /* stands for a row for each filter */
    {"collapse", N_ ("WHICH"), N_ ("One row for all processes of a host, or prefix of names, or all"),
     &lc_option_collapse, LC_OPTION_ROWS, LC_VIEW_ROWS, "row-ends",
     LC_OPTION_PLACE (selection.row_ends, selection.row_names)},
    {"no-arcs", NULL, N_ ("Without arcs"), &lc_option_flag, LC_OPTION_HIDDEN, LC_VIEW_KINDS, "hide-arcs",
     LC_OPTION_PLACE (selection.hide_arcs, selection.hide_arcs), .texts = no_arcs},
    {"no-holding", NULL, N_ ("Without what processes hold"), &lc_option_flag, LC_OPTION_HIDDEN, LC_VIEW_KINDS,
     "hide-holding", LC_OPTION_PLACE (selection.hide_holding, selection.hide_holding), .texts = no_holding},
    {"hide", N_ ("LIST"), N_ ("Leave out what the legend has: waiting, data-arcs, ..."), &lc_option_hide,
     LC_OPTION_HIDDEN, LC_VIEW_KINDS, "hidden", LC_OPTION_PLACE (selection.hidden, selection.hidden),
     .dup_text = lc_option_dup_hidden},
    {"highlight", N_ ("WHAT"), N_ ("critical-path, or past:, future: or cone: and an event, PROCESS:ORDINAL"),
     &lc_option_highlight, LC_OPTION_HIGHLIGHT, LC_VIEW_HIGHLIGHT, "highlight",
     LC_OPTION_PLACE (selection.highlight, selection.highlight), .dup_text = lc_option_dup_highlight},
    {"marks", N_ ("LIST"), N_ ("What has been marked: names, patterns (* for all)"), &lc_option_marks, LC_OPTION_MARKS,
     LC_VIEW_HIGHLIGHT, "hidden-marks", LC_OPTION_PLACE (marks, hidden_marks)},
    {"colour", N_ ("BY"), N_ ("site: events by the function that called them"), &lc_option_coloring, LC_OPTION_COLORING,
     LC_VIEW_COLORING, "colored", LC_OPTION_PLACE (selection.coloring, selection.coloring),
     .dup_text = lc_option_dup_coloring, .synonym = "color", .words = colorings},
    {"orientation", N_ ("DIRECTION"), N_ ("Where time goes: down or right"), &lc_option_orientation,
     LC_OPTION_ORIENTATION, LC_VIEW_ORIENTATION | LC_VIEW_OVER_TIME, "orientation",
     LC_OPTION_PLACE (orientation, orientation), .words = directions},
    {"style", N_ ("STYLE"), N_ ("How processes are drawn: states or moviola"), &lc_option_word, LC_OPTION_LOOK,
     LC_VIEW_STYLE, NULL, LC_OPTION_PLACE (style, style), .words = styles},
    {"phases", N_ ("DEFINITION"), N_ ("What begins a phase: tag, barrier:NAME, ..."), &lc_option_text, LC_OPTION_PHASES,
     LC_VIEW_PHASES | LC_VIEW_TIMES, "phases", LC_OPTION_PLACE (phases, phases), .dup_text = view_options_dup_phases,
     .also_with = LC_VIEW_SPAN},
    {"intervals", N_ ("NUMBER"), N_ ("So many parts of the time"), &lc_option_number, LC_OPTION_AMOUNTS,
     LC_VIEW_INTERVALS, NULL, LC_OPTION_PLACE (intervals, intervals), .least = 1, .most = 1000000},
    {"measure", N_ ("NAME"), N_ ("Which amount, where a view has several"), &lc_option_text, LC_OPTION_AMOUNTS,
     LC_VIEW_MEASURE, NULL, LC_OPTION_PLACE (measure, measure)},
    {"actual", N_ ("NS"), N_ ("How long the run took without the measurement, ns"), &lc_option_number,
     LC_OPTION_AMOUNTS, LC_VIEW_ACTUAL, NULL, LC_OPTION_PLACE (actual, actual), .dup_text = view_options_dup_actual,
     .least = 1, .most = G_MAXDOUBLE},
    {"by", N_ ("WHICH"), N_ ("Of the view flame, folded and speedscope: the stacks of waiter, of blamed, or both"),
     &lc_option_text, LC_OPTION_AMOUNTS, LC_VIEW_FRAME, NULL, LC_OPTION_PLACE (measure, measure), .synonym = "flame",
     .is_shared = TRUE},
    {"frame", N_ ("PATH"), N_ ("Of the view flame: zoom to this frame, the last of a path with semicolons"),
     &lc_option_text, LC_OPTION_AMOUNTS, LC_VIEW_FRAME, NULL, LC_OPTION_PLACE (frame, frame)},
    {"layout", N_ ("NAME"), N_ ("Of the view graph: places in a ring, grid or hypercube, or by force"), &lc_option_text,
     LC_OPTION_AMOUNTS, LC_VIEW_LAYOUT, NULL, LC_OPTION_PLACE (measure, measure), .is_shared = TRUE},
    {"size", N_ ("WIDTHxHEIGHT"), N_ ("Of the picture (1200x800)"), &lc_option_picture_size, LC_OPTION_LOOK, 0, NULL,
     LC_OPTION_PLACE (width, height)},
    {"theme", N_ ("THEME"), N_ ("light, dark, print, high-contrast or high-contrast-dark"), &lc_option_word,
     LC_OPTION_LOOK, 0, NULL, LC_OPTION_PLACE (theme, theme), .words = themes},
    {"title", N_ ("TEXT"), N_ ("Instead of the view's, and the program's name"), &lc_option_text, LC_OPTION_LOOK, 0,
     NULL, LC_OPTION_PLACE (title, title)},
};

static void
view_options_add_filters (GArray *options)
{
  for (gsize i = 0; lc_filter_options[i] != NULL; i++)
    {
      const LcFilterOption *filter = lc_filter_options[i];
      const LcViewOption option = {filter->option,
                                   filter->argument,
                                   filter->help,
                                   &lc_option_filter,
                                   LC_OPTION_FILTERS,
                                   LC_VIEW_FILTERS,
                                   filter->option /* each knows what else it is kept as */,
                                   LC_OPTION_PLACE (selection.filters, selection.filters),
                                   .dup_text = lc_option_dup_filter,
                                   .filter = filter};

      g_array_append_val (options, option);
    }
}

static gpointer
view_options_list (gpointer unused)
{
  GArray *options = g_array_new (FALSE, FALSE, sizeof (LcViewOption));

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].kind == &lc_option_filter)
      view_options_add_filters (options);
    else
      g_array_append_val (options, rows[i]);
  return options;
}

const LcViewOption *
lc_view_options_get (gsize *n_options)
{
  static GOnce once = G_ONCE_INIT;
  const GArray *options = g_once (&once, view_options_list, NULL);

  *n_options = options->len;
  return (const LcViewOption *)(const void *)options->data;
}

gboolean
lc_view_option_is_used (const LcViewOption *option, guint traits)
{
  return (option->with == 0 && option->without == 0) || (traits & option->with) != 0 ||
         (option->without != 0 && (traits & option->without) == 0);
}

gboolean
lc_view_option_is_taken (const LcViewOption *option, guint traits)
{
  return lc_view_option_is_used (option, traits) || (traits & option->also_with) != 0;
}

/* Goes on to the next option that has a field of its own. */
static gboolean
view_options_get_next (gsize *number, const LcViewOption **option)
{
  gsize n_options;
  const LcViewOption *options = lc_view_options_get (&n_options);

  while (*number < n_options && options[*number].is_shared)
    (*number)++;
  *option = &options[MIN (*number, n_options - 1)];
  return (*number)++ < n_options;
}

/* --- Words -------------------------------------------------------------------------------------------------------- */

void
lc_option_values_init (LcOptionValues *values, const char *command)
{
  *values = (LcOptionValues){.command = command, .texts = g_string_chunk_new (64)};
  lc_picture_options_init (&values->options);
}

void
lc_option_values_clear (LcOptionValues *values)
{
  lc_selection_clear (&values->options.selection);
  g_free (values->timelines);
  g_clear_pointer (&values->marks, lc_marks_free);
  g_strfreev (values->hidden_marks);
  g_string_chunk_free (values->texts);
}

gboolean
lc_view_options_read (LcOptionValues *values, char *const *const *words, gboolean with_history, GError **error)
{
  gsize n_options;
  const LcViewOption *options = lc_view_options_get (&n_options);

  for (gsize i = 0; i < n_options; i++)
    {
      const char *const *given = (const char *const *)words[i];

      if (given == NULL || options[i].kind->needs_history != with_history)
        continue;
      if (given[0] != NULL && (options[i].filter == NULL || !options[i].filter->may_repeat))
        given += g_strv_length ((char **)given) - 1; /* the last one counts */
      if (!options[i].kind->read (&options[i], values, given, error))
        return FALSE;
    }
  return !with_history || lc_parse_positions (values->history, &values->options, values->from, values->to, error);
}

/* The name that an option has for a view. */
static const char *
view_options_get_name (const LcViewOption *option, guint traits)
{
  gsize n_options;
  const LcViewOption *options = lc_view_options_get (&n_options);

  for (gsize i = 0; i < n_options; i++)
    if (options[i].is_shared && options[i].place == option->place && lc_view_option_is_used (&options[i], traits))
      return options[i].option;
  return option->option;
}

static gboolean
view_options_say (const LcViewOption *option, LcOptionCommand *command, GError **error)
{
  g_autofree char *word = NULL, *dashed = g_strconcat ("--", option->option, NULL);

  if (option->kind->say != NULL)
    return option->kind->say (option, command, error);
  word = option->kind->dup_word (option, command->options, command);
  if (word != NULL && option->argument == NULL)
    g_strv_builder_add (command->words.words, dashed);
  else if (word != NULL)
    lc_option_words_add (&command->words, view_options_get_name (option, command->traits), word);
  return TRUE;
}

char **
lc_picture_dup_arguments (LcHistory *history, const LcPictureOptions *options, gboolean *unsaid,
                          GCancellable *cancellable, GError **error)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  LcOptionCommand command = {.history = history,
                             .options = options,
                             .traits = lc_view_find (options->view)->info.traits,
                             .words = {.words = words},
                             .cancellable = cancellable};
  const LcViewOption *option;

  if (options->view != NULL)
    lc_option_words_add (&command.words, "view", options->view);
  for (gsize i = 0; view_options_get_next (&i, &option);)
    if (lc_view_option_is_used (option, command.traits) && !view_options_say (option, &command, error))
      return NULL;
  *unsaid = command.words.unsaid;
  return g_strv_builder_end (words);
}

void
lc_view_options_list_texts (const LcPictureOptions *options, LcOptionPart part, const LcOptionTelling *telling,
                            GPtrArray *texts)
{
  const LcViewOption *option;

  for (gsize i = 0; view_options_get_next (&i, &option);)
    {
      char *text = NULL;

      if (option->part != part)
        continue;
      if (option->dup_text != NULL)
        text = option->dup_text (option, options, telling);
      else if (option->texts != NULL && option->texts[lc_option_get (option, options, guint)] != NULL)
        text = g_strdup (_ (option->texts[lc_option_get (option, options, guint)]));
      if (text != NULL)
        g_ptr_array_add (texts, text);
    }
}

/* --- Values ------------------------------------------------------------------------------------------------------- */

static void
view_options_save (const LcViewOption *option, const LcPictureOptions *options, const LcOptionState *state)
{
  g_autofree char *word = option->kind->dup_word (option, options, NULL);

  if (option->kind->is_flag)
    g_key_file_set_boolean (state->file, state->group, option->key, word != NULL);
  else if (word != NULL)
    g_key_file_set_string (state->file, state->group, option->key, word);
}

static void
view_options_load (const LcViewOption *option, LcOptionValues *values, const LcOptionState *state)
{
  g_autofree char *word = g_key_file_get_string (state->file, state->group, option->key, NULL);

  if (!option->kind->is_flag && word != NULL)
    option->kind->read (option, values, (const char *const[]){word, NULL}, NULL);
  else if (g_key_file_get_boolean (state->file, state->group, option->key, NULL))
    option->kind->read (option, values, option->words, NULL);
}

void
lc_view_options_save (const LcPictureOptions *options, const LcOptionState *state)
{
  const LcViewOption *option;

  for (gsize i = 0; view_options_get_next (&i, &option);)
    if (option->key != NULL)
      (option->kind->save != NULL ? option->kind->save : view_options_save) (option, options, state);
}

void
lc_view_options_load (LcOptionValues *values, const LcOptionState *state)
{
  const LcViewOption *option;

  lc_filters_clear (&values->options.selection.filters);
  for (gsize i = 0; view_options_get_next (&i, &option);)
    if (option->key != NULL)
      (option->kind->load != NULL ? option->kind->load : view_options_load) (option, values, state);
}

guint
lc_view_options_compare (const LcPictureOptions *a, const LcPictureOptions *b, LcHistory *history)
{
  const LcViewOption *option;
  guint parts = 0;

  for (gsize i = 0; view_options_get_next (&i, &option);)
    {
      gboolean equal = option->kind->equal != NULL ? option->kind->equal (option, a, b, history)
                                                   : memcmp ((const char *)a + option->place,
                                                             (const char *)b + option->place, option->size) == 0;

      parts |= equal ? 0 : 1u << option->part;
    }
  return parts;
}

static void
view_options_reset (const LcViewOption *option, LcPictureOptions *options)
{
  LcPictureOptions usual;

  lc_picture_options_init (&usual);
  memcpy ((char *)options + option->place, (const char *)&usual + option->place, option->size);
}

void
lc_view_options_leave_out (LcPictureOptions *options, guint traits)
{
  const LcViewOption *option;

  for (gsize i = 0; view_options_get_next (&i, &option);)
    if (!lc_view_option_is_used (option, traits))
      view_options_reset (option, options);
}

void
lc_view_options_reset (LcPictureOptions *options, guint parts)
{
  const LcViewOption *option;

  for (gsize i = 0; view_options_get_next (&i, &option);)
    if ((parts & 1u << option->part) != 0)
      view_options_reset (option, options);
}
