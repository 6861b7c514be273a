/* SPDX-License-Identifier: Apache-2.0 */
/* Users' choices of processes, operations, objects and marks: lists of names, numbers, ranges and patterns. */
#include "draw/filters/choice.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "lightcone/statistics.h"

enum
{
  LISTED = 12, /* names in an error message */
};

/* The parts of a list, and whether each has matched. */
typedef struct
{
  char **words;
  GPatternSpec **patterns; /* NULL: the part is a name */
  gboolean *found;
  guint n_words;
} Choice;

static gboolean
choice_init (Choice *choice, const LcHistory *history, const char *text, GError **error)
{
  choice->words = g_strsplit (text, ",", -1);
  choice->n_words = g_strv_length (choice->words);
  choice->patterns = g_new0 (GPatternSpec *, choice->n_words + 1);
  choice->found = g_new0 (gboolean, choice->n_words + 1);
  for (guint i = 0; i < choice->n_words; i++)
    {
      const char *word = g_strstrip (choice->words[i]);

      if (word[0] == '\0')
        {
          g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                       _ ("%s: nothing has no name: “%s” is to be a list, as a,b"), lc_history_get_path (history),
                       text);
          return FALSE;
        }
      if (strpbrk (word, "*?") != NULL)
        choice->patterns[i] = g_pattern_spec_new (word);
    }
  if (choice->n_words > 0)
    return TRUE;
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, _ ("%s: an empty list chooses nothing"),
               lc_history_get_path (history));
  return FALSE;
}

static void
choice_clear (Choice *choice)
{
  for (guint i = 0; i < choice->n_words; i++)
    g_clear_pointer (&choice->patterns[i], g_pattern_spec_free);
  g_free (choice->patterns);
  g_free (choice->found);
  g_strfreev (choice->words);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Choice, choice_clear)

static gboolean
choice_matches_word (Choice *choice, guint word, const char *name)
{
  gboolean matches = choice->patterns[word] != NULL ? g_pattern_spec_match_string (choice->patterns[word], name)
                                                    : strcmp (choice->words[word], name) == 0;

  choice->found[word] |= matches;
  return matches;
}

static gboolean
choice_matches (Choice *choice, const char *name)
{
  gboolean matches = FALSE;

  for (guint i = 0; i < choice->n_words; i++)
    matches |= choice_matches_word (choice, i, name);
  return matches;
}

/* Gives the first part that has matched nothing, or NULL. */
static const char *
choice_get_missing (const Choice *choice)
{
  for (guint i = 0; i < choice->n_words; i++)
    if (!choice->found[i])
      return choice->words[i];
  return NULL;
}

/* Adds a name to a list "a, b, …", up to LISTED names. */
static void
add_listed (GString *list, guint number, const char *name)
{
  if (number < LISTED)
    g_string_append_printf (list, "%s%s", number > 0 ? ", " : "", name);
  else if (number == LISTED)
    g_string_append (list, ", …");
}

/* --- Processes ---------------------------------------------------------------------------------------------------- */

gboolean
lc_find_process (const LcHistory *history, const char *text, guint32 *process)
{
  guint64 number;

  if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32 - 1, &number, NULL) &&
      number < lc_history_get_n_processes (history))
    {
      *process = (guint32)number;
      return TRUE;
    }
  for (*process = 0; *process < lc_history_get_n_processes (history); (*process)++)
    if (strcmp (lc_history_get_process (history, *process)->name, text) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
parse_range (const LcHistory *history, const char *word, guint32 *first, guint32 *last)
{
  g_auto (GStrv) ends = g_strsplit (word, "-", 2);
  guint64 from, to, most = lc_history_get_n_processes (history);

  if (g_strv_length (ends) != 2 || most == 0 ||
      !g_ascii_string_to_unsigned (g_strstrip (ends[0]), 10, 0, most - 1, &from, NULL) ||
      !g_ascii_string_to_unsigned (g_strstrip (ends[1]), 10, from, most - 1, &to, NULL))
    return FALSE;
  *first = (guint32)from;
  *last = (guint32)to;
  return TRUE;
}

static void
choice_add_process (GArray *processes, gboolean *chosen, guint32 process)
{
  if (!chosen[process])
    g_array_append_val (processes, process);
  chosen[process] = TRUE;
}

static gboolean
choice_add_processes (const LcHistory *history, Choice *choice, guint word, GArray *processes, gboolean *chosen)
{
  guint32 first, last, n = lc_history_get_n_processes (history);

  if (choice->patterns[word] != NULL)
    {
      for (guint32 i = 0; i < n; i++)
        if (choice_matches_word (choice, word, lc_history_get_process (history, i)->name))
          choice_add_process (processes, chosen, i);
      return choice->found[word];
    }
  if (lc_find_process (history, choice->words[word], &first))
    last = first;
  else if (!parse_range (history, choice->words[word], &first, &last))
    return FALSE;
  for (guint32 i = first; i <= last; i++)
    choice_add_process (processes, chosen, i);
  return TRUE;
}

GArray *
lc_choose_processes (const LcHistory *history, const char *text, GError **error)
{
  guint32 n = lc_history_get_n_processes (history);
  g_autoptr (GArray) processes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree gboolean *chosen = g_new0 (gboolean, n + 1);
  g_auto (Choice) choice = {0};

  if (!choice_init (&choice, history, text, error))
    return NULL;
  for (guint i = 0; i < choice.n_words; i++)
    {
      g_autoptr (GString) list = NULL;

      if (choice_add_processes (history, &choice, i, processes, chosen))
        continue;
      list = g_string_new (NULL);
      for (guint32 k = 0; k < n; k++)
        add_listed (list, k, lc_history_get_process (history, k)->name);
      g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                   _ ("%s: there is no process “%s”, only 0 to %u: %s"), lc_history_get_path (history), choice.words[i],
                   MAX (n, 1) - 1, list->str);
      return NULL;
    }
  return g_steal_pointer (&processes);
}

/* --- Operations --------------------------------------------------------------------------------------------------- */

static gboolean
fail_operation (LcHistory *history, const char *word, GError **error)
{
  g_autoptr (GArray) there = lc_statistics_operations (history, LC_TIMELINE_MEASURED, NULL, error);
  g_autoptr (GString) list = g_string_new (NULL);

  if (there == NULL)
    return FALSE;
  for (guint i = 0; i < there->len; i++)
    {
      guint32 number = g_array_index (there, LcOperationStatistics, i).operation;

      add_listed (list, i, lc_history_get_operation (history, number)->name);
    }
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
               _ ("%s: there is no operation, nor a class of them, “%s”, only: %s"), lc_history_get_path (history),
               word, list->str);
  return FALSE;
}

/* A word that is no operation's name may be the name of a class of operations. */
static void
choose_classes (const LcHistory *history, Choice *choice, gboolean *operations)
{
  for (guint k = 0; k < choice->n_words; k++)
    if (!choice->found[k])
      for (guint32 i = 0; i < lc_history_get_n_operations (history); i++)
        {
          const LcHistoryOperation *operation = lc_history_get_operation (history, i);

          if (operation != NULL)
            operations[i] |= choice_matches_word (choice, k, operation->class_name);
        }
}

gboolean *
lc_choose_operations (LcHistory *history, const char *text, GError **error)
{
  guint32 n = lc_history_get_n_operations (history);
  g_autofree gboolean *operations = g_new0 (gboolean, n + 1);
  g_auto (Choice) choice = {0};
  const char *missing;

  if (!choice_init (&choice, history, text, error))
    return NULL;
  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      if (operation != NULL)
        operations[i] = choice_matches (&choice, operation->name);
    }
  choose_classes (history, &choice, operations);
  missing = choice_get_missing (&choice);
  if (missing == NULL)
    return g_steal_pointer (&operations);
  fail_operation (history, missing, error);
  return NULL;
}

/* --- Objects ------------------------------------------------------------------------------------------------------ */

GArray *
lc_choose_objects (LcHistory *history, const char *text, GError **error)
{
  g_autoptr (GArray) objects = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GString) list = g_string_new (NULL);
  g_auto (Choice) choice = {0};
  guint n_listed = 0;

  if (!choice_init (&choice, history, text, error))
    return NULL;
  for (guint32 i = 0; i < lc_history_get_n_objects (history); i++)
    {
      LcHistoryObject object;

      if (!lc_history_get_object (history, i, &object, error))
        return NULL;
      if (choice_matches (&choice, object.name))
        g_array_append_val (objects, i);
      if (object.events > 0)
        add_listed (list, n_listed++, object.name);
      lc_history_object_clear (&object);
    }
  if (choice_get_missing (&choice) == NULL)
    return g_steal_pointer (&objects);
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
               n_listed > 0 ? _ ("%s: there is no object “%s”, only: %s") : _ ("%s: there is no object “%s”%s"),
               lc_history_get_path (history), choice_get_missing (&choice), list->str);
  return NULL;
}

/* --- Marks -------------------------------------------------------------------------------------------------------- */

/* Lists the names of marks that are not chosen. Marks of one name stand together, so that each name is looked at once.
 */
static guint
choice_hide_marks (Choice *choice, const GArray *marks, GString *list, GStrvBuilder *hidden)
{
  const char *name = NULL;
  guint n_names = 0;

  for (guint i = 0; i < marks->len; i++)
    {
      const LcUserMark *mark = &g_array_index (marks, LcUserMark, i);

      if (name != NULL && strcmp (name, mark->name) == 0)
        continue;
      name = mark->name;
      add_listed (list, n_names++, name);
      if (!choice_matches (choice, name))
        g_strv_builder_add (hidden, name);
    }
  return n_names;
}

LcMarks *
lc_choose_marks (LcHistory *history, const char *text, char ***hidden, GError **error)
{
  g_autoptr (LcMarks) marks = lc_marks_read (lc_history_get_path (history), error);
  g_autoptr (GString) list = g_string_new (NULL);
  g_autoptr (GStrvBuilder) others = g_strv_builder_new ();
  g_auto (Choice) choice = {0};
  guint n_names;

  if (marks == NULL || !choice_init (&choice, history, text, error))
    return NULL;
  n_names = choice_hide_marks (&choice, marks->marks, list, others);
  if (choice_get_missing (&choice) == NULL)
    {
      *hidden = g_strv_builder_end (others);
      return g_steal_pointer (&marks);
    }
  if (n_names > 0)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                 _ ("%s: nothing is marked with “%s”, only with: %s"), lc_history_get_path (history),
                 choice_get_missing (&choice), list->str);
  else
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                 _ ("%s: nothing has been marked: (mark! ...) of lightcone script does that"),
                 lc_history_get_path (history));
  return NULL;
}
