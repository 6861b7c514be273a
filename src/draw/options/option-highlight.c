/* SPDX-License-Identifier: Apache-2.0 */
/* The options of what is highlighted, marked and coloured. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "draw/filters/choice.h"
#include "draw/options/find-named.h"
#include "draw/options/view-options.h"
#include "trace/quantities.h"

#define HIGHLIGHT_PROCESS "highlight-process"
#define HIGHLIGHT_ORDINAL "highlight-ordinal"

enum
{
  MOST_NAMES = 100, /* names of marks in one command */
};

/* --- Events by name ----------------------------------------------------------------------------------------------- */

void
lc_option_save_event (const LcOptionState *state, const char *process_key, const char *ordinal_key, guint32 process,
                      guint64 ordinal)
{
  if (process >= lc_history_get_n_processes (state->history))
    return;
  g_key_file_set_string (state->file, state->group, process_key,
                         lc_history_get_process (state->history, process)->name);
  g_key_file_set_uint64 (state->file, state->group, ordinal_key, ordinal);
}

gboolean
lc_option_load_event (const LcOptionState *state, const char *process_key, const char *ordinal_key, guint32 *process,
                      guint64 *ordinal)
{
  g_autofree char *name = g_key_file_get_string (state->file, state->group, process_key, NULL);
  guint64 kept = g_key_file_get_uint64 (state->file, state->group, ordinal_key, NULL);

  for (guint32 i = lc_history_get_n_processes (state->history); name != NULL && i-- > 0;)
    {
      const LcHistoryProcess *found = lc_history_get_process (state->history, i);

      if (strcmp (found->name, name) != 0)
        continue;
      if (kept >= found->events)
        return FALSE;
      *process = i;
      *ordinal = kept;
      return TRUE;
    }
  return FALSE;
}

/* --- Highlight ---------------------------------------------------------------------------------------------------- */

static const char *const kinds[] = {[LC_HIGHLIGHT_NONE] = NULL,
                                    [LC_HIGHLIGHT_CRITICAL_PATH] = "critical-path",
                                    [LC_HIGHLIGHT_PAST] = "past:",
                                    [LC_HIGHLIGHT_FUTURE] = "future:",
                                    [LC_HIGHLIGHT_CONE] = "cone:"};

static gboolean
highlight_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  LcHighlight *highlight = &values->options.selection.highlight;

  if (strcmp (words[0], kinds[LC_HIGHLIGHT_CRITICAL_PATH]) == 0)
    {
      highlight->kind = LC_HIGHLIGHT_CRITICAL_PATH;
      return TRUE;
    }
  for (guint i = LC_HIGHLIGHT_PAST; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (words[0], kinds[i]))
      {
        highlight->kind = (LcHighlightKind)i;
        return lc_find_event (values->history, values->command, words[0] + strlen (kinds[i]), &highlight->process,
                              &highlight->ordinal, error);
      }
  return lc_option_refuse (
      error, _ ("--highlight %s: it has to be critical-path, or past:, future: or cone: and an event, as past:0:12"),
      words[0]);
}

static char *
highlight_dup_word (const LcViewOption *option, const LcPictureOptions *options, LcOptionCommand *command)
{
  const LcHighlight *highlight = &options->selection.highlight;

  if (highlight->kind < LC_HIGHLIGHT_PAST)
    return g_strdup (kinds[highlight->kind]);
  return g_strdup_printf ("%s%u:%" G_GUINT64_FORMAT, kinds[highlight->kind], highlight->process, highlight->ordinal);
}

static void
highlight_save (const LcViewOption *option, const LcPictureOptions *options, const LcOptionState *state)
{
  const LcHighlight *highlight = &options->selection.highlight;

  g_key_file_set_integer (state->file, state->group, option->key, (int)highlight->kind);
  if (highlight->kind >= LC_HIGHLIGHT_PAST)
    lc_option_save_event (state, HIGHLIGHT_PROCESS, HIGHLIGHT_ORDINAL, highlight->process, highlight->ordinal);
}

static void
highlight_load (const LcViewOption *option, LcOptionValues *values, const LcOptionState *state)
{
  guint kind = (guint)g_key_file_get_integer (state->file, state->group, option->key, NULL);
  LcHighlight highlight = {.kind = (LcHighlightKind)kind};

  if (kind < LC_HIGHLIGHT_PAST ||
      (kind < G_N_ELEMENTS (kinds) &&
       lc_option_load_event (state, HIGHLIGHT_PROCESS, HIGHLIGHT_ORDINAL, &highlight.process, &highlight.ordinal)))
    values->options.selection.highlight = highlight;
}

static gboolean
highlight_equal (const LcViewOption *option, const LcPictureOptions *a, const LcPictureOptions *b, LcHistory *history)
{
  const LcHighlight *one = &a->selection.highlight, *other = &b->selection.highlight;

  return one->kind == other->kind &&
         (one->kind < LC_HIGHLIGHT_PAST || (one->process == other->process && one->ordinal == other->ordinal));
}

char *
lc_option_dup_highlight (const LcViewOption *option, const LcPictureOptions *options, const LcOptionTelling *telling)
{
  const LcHighlight *highlight = &options->selection.highlight;
  g_autofree char *name = NULL, *ordinal = NULL;

  if (highlight->kind == LC_HIGHLIGHT_NONE)
    return NULL;
  if (highlight->kind == LC_HIGHLIGHT_CRITICAL_PATH)
    return g_strdup (_ ("critical path highlighted"));
  name = lc_format_text (lc_names_process (telling->names, highlight->process));
  ordinal = g_strdup_printf ("%" G_GUINT64_FORMAT, highlight->ordinal);
  if (highlight->kind == LC_HIGHLIGHT_PAST)
    return g_strdup_printf (_ ("past of %s:%s"), name, ordinal);
  if (highlight->kind == LC_HIGHLIGHT_FUTURE)
    return g_strdup_printf (_ ("future of %s:%s"), name, ordinal);
  return g_strdup_printf (_ ("past and future of %s:%s"), name, ordinal);
}

const LcOptionKind lc_option_highlight = {.needs_history = TRUE,
                                          .read = highlight_read,
                                          .dup_word = highlight_dup_word,
                                          .save = highlight_save,
                                          .load = highlight_load,
                                          .equal = highlight_equal};

/* --- Marks -------------------------------------------------------------------------------------------------------- */

static void
marked_set_hidden (LcOptionValues *values, char **hidden)
{
  g_strfreev (values->hidden_marks);
  values->hidden_marks = hidden;
  values->options.hidden_marks = (const char *const *)hidden;
}

static gboolean
marked_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  char **hidden = NULL;

  g_clear_pointer (&values->marks, lc_marks_free);
  values->options.marks = values->marks = lc_choose_marks (values->history, words[0], &hidden, error);
  marked_set_hidden (values, hidden);
  return values->marks != NULL;
}

/* Names with a comma or a sign of patterns cannot be told apart from lists and patterns. */
static char *
marked_dup_word (const LcViewOption *option, const LcPictureOptions *options, LcOptionCommand *command)
{
  const GArray *marks = options->marks != NULL ? options->marks->marks : NULL;
  g_autoptr (GString) list = g_string_new (NULL);
  const char *name = NULL;
  guint n = 0;

  for (guint i = 0; marks != NULL && i < marks->len; i++)
    {
      const char *one = g_array_index (marks, LcUserMark, i).name;

      if (name != NULL && strcmp (name, one) == 0)
        continue;
      name = one;
      if (options->hidden_marks != NULL && g_strv_contains (options->hidden_marks, name))
        continue;
      if (strpbrk (name, ",*?") != NULL || g_ascii_isspace (name[0]) || ++n > MOST_NAMES)
        command->words.unsaid = TRUE;
      else
        g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "", name);
    }
  return list->len > 0 ? g_string_free (g_steal_pointer (&list), FALSE) : NULL;
}

static void
marked_save (const LcViewOption *option, const LcPictureOptions *options, const LcOptionState *state)
{
  if (options->hidden_marks != NULL)
    g_key_file_set_string_list (state->file, state->group, option->key, options->hidden_marks,
                                g_strv_length ((char **)options->hidden_marks));
}

/* The marks themselves are read from beside the history by the caller. */
static void
marked_load (const LcViewOption *option, LcOptionValues *values, const LcOptionState *state)
{
  marked_set_hidden (values, g_key_file_get_string_list (state->file, state->group, option->key, NULL, NULL));
}

static gboolean
marked_equal (const LcViewOption *option, const LcPictureOptions *a, const LcPictureOptions *b, LcHistory *history)
{
  return (a->hidden_marks == NULL) == (b->hidden_marks == NULL) &&
         (a->hidden_marks == NULL || g_strv_equal (a->hidden_marks, b->hidden_marks));
}

const LcOptionKind lc_option_marks = {.needs_history = TRUE,
                                      .read = marked_read,
                                      .dup_word = marked_dup_word,
                                      .save = marked_save,
                                      .load = marked_load,
                                      .equal = marked_equal};

/* --- Colours ------------------------------------------------------------------------------------------------------ */

static gboolean
coloring_read (const LcViewOption *option, LcOptionValues *values, const char *const *words, GError **error)
{
  if (strcmp (words[0], option->words[0]) != 0)
    return lc_option_refuse (error, _ ("--colour %s: it has to be site"), words[0]);
  if (lc_history_get_n_sites (values->history) == 0)
    return lc_filter_fail (error, _ ("%s: this trace does not say where in the program its events are (--colour site)"),
                           lc_history_get_path (values->history));
  g_clear_pointer (&values->options.selection.coloring, lc_coloring_unref);
  values->options.selection.coloring = lc_coloring_new (values->history);
  return TRUE;
}

static char *
coloring_dup_word (const LcViewOption *option, const LcPictureOptions *options, LcOptionCommand *command)
{
  return options->selection.coloring != NULL ? g_strdup (option->words[0]) : NULL;
}

static gboolean
coloring_equal (const LcViewOption *option, const LcPictureOptions *a, const LcPictureOptions *b, LcHistory *history)
{
  return (a->selection.coloring != NULL) == (b->selection.coloring != NULL);
}

char *
lc_option_dup_coloring (const LcViewOption *option, const LcPictureOptions *options, const LcOptionTelling *telling)
{
  return options->selection.coloring != NULL ? g_strdup (_ ("coloured by function")) : NULL;
}

const LcOptionKind lc_option_coloring = {.needs_history = TRUE,
                                         .is_flag = TRUE,
                                         .read = coloring_read,
                                         .dup_word = coloring_dup_word,
                                         .equal = coloring_equal};
