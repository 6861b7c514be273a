/* SPDX-License-Identifier: Apache-2.0 */
/* Search terms for processes with blanks in their names, and for messages from and to ranks. */
#include "app/search/search-plan-ranks.h"

#include <string.h>

#include "history/message.h"

enum
{
  MOST_WORDS = 6, /* in a name of a process */
};

static char *
search_ranks_fold (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  return g_utf8_casefold (valid, -1);
}

/* --- Names of several words -------------------------------------------------------------------------------------- */

/* Maps casefolded names to process + 1. */
static GHashTable *
search_ranks_list_processes (LcHistory *history)
{
  GHashTable *processes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = lc_history_get_n_processes (history); i > 0; i--)
    g_hash_table_insert (processes, search_ranks_fold (lc_history_get_process (history, i - 1)->name),
                         GUINT_TO_POINTER (i));
  return processes;
}

static gboolean
begins_name (const LcSearchTerm *term)
{
  return !term->number && (term->kind == LC_SEARCH_WORD || term->kind == LC_SEARCH_PROCESS ||
                           term->kind == LC_SEARCH_FROM || term->kind == LC_SEARCH_TO);
}

/* Returns how many terms from `place` on form the name of a process; 0: none. */
static guint
count_words (const GArray *terms, guint place, GHashTable *processes, char **name)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint most = MIN (terms->len - place, (guint)MOST_WORDS), found = 0;

  for (guint i = 0; i < most; i++)
    {
      const LcSearchTerm *term = &g_array_index (terms, LcSearchTerm, place + i);
      g_autofree char *folded = NULL;

      if (i == 0 ? !begins_name (term) : term->kind != LC_SEARCH_WORD)
        break;
      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", term->text);
      folded = search_ranks_fold (text->str);
      if (i == 0 || !g_hash_table_contains (processes, folded))
        continue;
      found = i + 1;
      g_free (*name);
      *name = g_strdup (text->str);
    }
  return found;
}

/* Combines "from" or "to" with the rank after it. */
static void
become_end (GArray *joined)
{
  LcSearchTerm *word = joined->len > 1 ? &g_array_index (joined, LcSearchTerm, joined->len - 2) : NULL;
  LcSearchTerm *name = &g_array_index (joined, LcSearchTerm, joined->len - 1);
  gboolean from = word != NULL && g_ascii_strcasecmp (word->text, "from") == 0;

  if (word == NULL || word->kind != LC_SEARCH_WORD || name->kind != LC_SEARCH_WORD ||
      (!from && g_ascii_strcasecmp (word->text, "to") != 0))
    return;
  name->kind = from ? LC_SEARCH_FROM : LC_SEARCH_TO;
  g_array_remove_index (joined, joined->len - 2);
}

static void
search_ranks_clear_term (gpointer term)
{
  g_free (((LcSearchTerm *)term)->text);
}

GArray *
lc_search_join_terms (LcHistory *history, const GArray *terms)
{
  g_autoptr (GHashTable) processes = search_ranks_list_processes (history);
  GArray *joined = g_array_new (FALSE, TRUE, sizeof (LcSearchTerm));
  guint n;

  g_array_set_clear_func (joined, search_ranks_clear_term);
  for (guint i = 0; i < terms->len; i += MAX (n, 1))
    {
      LcSearchTerm term = g_array_index (terms, LcSearchTerm, i);
      char *name = NULL;

      n = count_words (terms, i, processes, &name);
      term.text = n > 0 ? name : g_strdup (term.text);
      g_array_append_val (joined, term);
      if (n > 0)
        become_end (joined);
    }
  return joined;
}

/* --- Ranks ------------------------------------------------------------------------------------------------------- */

gboolean
lc_search_find_rank (LcHistory *history, const char *wanted, guint32 *rank)
{
  guint64 number;

  if (g_ascii_string_to_unsigned (wanted, 10, 0, LC_TRACE_NONE - 1, &number, NULL))
    {
      *rank = (guint32)number;
      return TRUE;
    }
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      const LcHistoryProcess *process = lc_history_get_process (history, i);
      g_autofree char *name = search_ranks_fold (process->name);

      *rank = process->rank;
      if (process->rank != LC_TRACE_NONE && strcmp (name, wanted) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_one_of (guint32 rank, const GArray *ranks)
{
  for (guint i = 0; ranks != NULL && i < ranks->len; i++)
    if (g_array_index (ranks, guint32, i) == rank)
      return TRUE;
  return ranks == NULL;
}

void
lc_search_plan_keep_channels (LcSearchPlan *plan, const LcSearchNames *names, const GArray *from, const GArray *to)
{
  g_autofree gboolean *asked = g_steal_pointer (&plan->objects);

  if (plan->object_list != NULL)
    g_array_unref (plan->object_list);
  plan->objects = g_new0 (gboolean, MAX (names->n_objects, 1));
  plan->object_list = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < names->n_objects; i++)
    {
      LcChannelName ends;

      if ((asked != NULL && !asked[i]) || g_strcmp0 (names->classes[i], "channel") != 0 ||
          !lc_channel_name_parse (names->names[i], &ends) || !is_one_of (ends.from, from) || !is_one_of (ends.to, to))
        continue;
      plan->objects[i] = TRUE;
      g_array_append_val (plan->object_list, i);
    }
}
