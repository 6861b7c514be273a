/* SPDX-License-Identifier: Apache-2.0 */
/* Applies a definition of phases to a history: finds the events that begin a phase. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "history/kept-phases.h"
#include "phases-private.h"

/* Whether an object's name fits. */
enum
{
  NOT_ASKED,
  OTHER,
  CHOSEN,
};

/* --- Definitions ----------------------------------------------------------------------------------------------- */

static gboolean
set_none (const LcPhaseStart *start, GError **error)
{
  g_set_error (error, LC_PHASES_ERROR, LC_PHASES_ERROR_NONE, _ ("%s: no event begins a phase of “%s”"),
               lc_history_get_path (start->history), start->definition);
  return FALSE;
}

static void
choose_class (LcPhaseStart *start, const char *class_name)
{
  for (guint32 i = 0; i < lc_history_get_n_operations (start->history); i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (start->history, i);

      if (operation != NULL && (class_name == NULL || g_strcmp0 (operation->class_name, class_name) == 0))
        start->operations[i] = TRUE;
    }
}

static void
choose_operation (LcPhaseStart *start, const char *name)
{
  for (guint32 i = 0; i < lc_history_get_n_operations (start->history); i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (start->history, i);

      if (operation != NULL && strcmp (operation->name, name) == 0)
        start->operations[i] = TRUE;
    }
}

static void
choose_pattern (LcPhaseStart *start, const char *pattern)
{
  start->object = g_strdup (pattern);
  if (strpbrk (pattern, "*?") != NULL)
    start->pattern = g_pattern_spec_new (pattern);
}

/* --- Objects --------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 *events; /* by object */
  guint32 n;
} Usage;

static gboolean
phases_start_count (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  const Usage *usage = data;

  if (event->object < usage->n)
    usage->events[event->object]++;
  return TRUE;
}

/* Finds the object of a class that most events are of, and how many objects of it have events. */
static gboolean
phases_start_find_object (LcHistory *history, guint32 timeline, const char *class_name, char **name, guint *n_objects,
                          GCancellable *cancellable, GError **error)
{
  g_autofree gboolean *operations = g_new0 (gboolean, lc_history_get_n_operations (history) + 1);
  guint32 n = lc_history_get_n_objects (history), most = LC_TRACE_NONE;
  g_autofree guint64 *events = g_new0 (guint64, MAX (n, 1));
  Usage usage = {events, n};
  LcPhaseStart start = {.history = history, .operations = operations};
  LcHistoryObject object;

  *name = NULL;
  *n_objects = 0;
  choose_class (&start, class_name);
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (!lc_history_visit_operations (history, timeline, i, operations, phases_start_count, &usage, cancellable, error))
      return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      *n_objects += events[i] > 0;
      if (events[i] > 0 && (most == LC_TRACE_NONE || events[i] > events[most]))
        most = i;
    }
  if (most == LC_TRACE_NONE)
    return TRUE;
  if (!lc_history_get_object (history, most, &object, error))
    return FALSE;
  *name = g_strdup (object.name);
  lc_history_object_clear (&object);
  return TRUE;
}

/* --- What all do together -------------------------------------------------------------------------------------- */

static gboolean
choose_only_barrier (LcPhaseStart *start, guint32 timeline, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = NULL;
  guint n;

  if (!phases_start_find_object (start->history, timeline, "barrier", &name, &n, cancellable, error))
    return FALSE;
  if (n == 0)
    return set_none (start, error);
  if (n > 1)
    {
      g_set_error (error, LC_PHASES_ERROR, LC_PHASES_ERROR_DEFINITION,
                   _ ("%s: there are %u barriers: say which, for example “barrier:%s”"),
                   lc_history_get_path (start->history), n, name);
      return FALSE;
    }
  g_free (start->definition);
  start->definition = g_strconcat ("barrier:", name, NULL);
  start->object = g_steal_pointer (&name);
  return TRUE;
}

/* Who comes waits for the others: the wait belongs to the phase that ends. */
static void
be_barrier (LcPhaseStart *start)
{
  choose_class (start, "barrier");
  start->point = LC_POINT_END;
  start->generations = TRUE;
  start->word = g_strdup ("generation ");
}

static void
be_communicator (LcPhaseStart *start, const char *name)
{
  choose_class (start, "collective");
  start->object = g_strdup (name);
  start->point = LC_POINT_END;
  start->generations = TRUE;
  start->word = g_strconcat (name, " #", NULL);
  start->ends = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

/* Members of one operation may call it by different names, as a root does: the first of them in the rules is taken. */
static void
phases_start_keep_end (LcPhaseStart *start, gint64 number, guint16 operation)
{
  gpointer known;

  if (g_hash_table_lookup_extended (start->ends, &number, NULL, &known) && GPOINTER_TO_UINT (known) <= operation)
    return;
  g_hash_table_insert (start->ends, g_memdup2 (&number, sizeof number), GUINT_TO_POINTER ((guint)operation));
}

char *
lc_phase_start_dup_word (const LcPhaseStart *start, gint64 number)
{
  gpointer operation;

  if (start->ends == NULL || !g_hash_table_lookup_extended (start->ends, &number, NULL, &operation))
    return g_strdup (start->word != NULL ? start->word : "");
  return g_strconcat (lc_history_get_operation (start->history, GPOINTER_TO_UINT (operation))->name, " ", start->word,
                      NULL);
}

/* --- Rules ----------------------------------------------------------------------------------------------------- */

static gboolean
choose_rule (LcPhaseStart *start, const char *name, GError **error)
{
  g_autoptr (GPtrArray) rules = lc_kept_phases_list_rules (start->history, error);
  g_autoptr (GString) names = g_string_new (NULL);

  if (rules == NULL)
    return FALSE;
  for (guint i = 0; i < rules->len; i++)
    {
      const LcPhaseRule *rule = rules->pdata[i];

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", rule->name);
      if (strcmp (rule->name, name) != 0)
        continue;
      if (rule->operation != NULL)
        choose_operation (start, rule->operation);
      else
        choose_class (start, rule->class_name);
      if (rule->object != NULL)
        choose_pattern (start, rule->object);
      start->number = rule->number;
      start->point = rule->point;
      return TRUE;
    }
  if (rules->len == 0)
    g_set_error (error, LC_PHASES_ERROR, LC_PHASES_ERROR_DEFINITION,
                 _ ("%s: “%s”: the rules that this history was made with define no phases (a group [phase %s] does)"),
                 lc_history_get_path (start->history), start->definition, name);
  else
    g_set_error (error, LC_PHASES_ERROR, LC_PHASES_ERROR_DEFINITION,
                 _ ("%s: “%s”: the rules that this history was made with define only the phases: %s"),
                 lc_history_get_path (start->history), start->definition, names->str);
  return FALSE;
}

/* --- All definitions ------------------------------------------------------------------------------------------- */

static gboolean
phases_start_understand (LcPhaseStart *start, guint32 timeline, GCancellable *cancellable, GError **error)
{
  const char *definition = start->definition, *colon = strchr (definition, ':');
  const char *name = colon != NULL && colon[1] != '\0' ? colon + 1 : NULL;

  if (strcmp (definition, "tag") == 0)
    {
      choose_operation (start, "tag");
      start->number = LC_PHASE_VALUE;
    }
  else if (g_str_has_prefix (definition, "region:") && name != NULL)
    {
      choose_operation (start, "enter");
      start->object = g_strdup (name);
      start->number = LC_PHASE_COUNT;
    }
  else if (strcmp (definition, "barrier") == 0 || (g_str_has_prefix (definition, "barrier:") && name != NULL))
    {
      be_barrier (start);
      start->object = g_strdup (name);
      return name != NULL || choose_only_barrier (start, timeline, cancellable, error);
    }
  else if (g_str_has_prefix (definition, "collective:") && name != NULL)
    be_communicator (start, name);
  else if (g_str_has_prefix (definition, "object:") && name != NULL)
    {
      choose_class (start, NULL);
      choose_pattern (start, name);
      start->word = start->pattern != NULL ? g_strdup ("version ") : g_strconcat (name, " #", NULL);
    }
  else if (g_str_has_prefix (definition, "rule:") && name != NULL)
    return choose_rule (start, name, error);
  else
    {
      g_set_error (error, LC_PHASES_ERROR, LC_PHASES_ERROR_DEFINITION,
                   _ ("“%s” does not define phases; this does: tag, region:NAME, barrier, barrier:NAME, "
                      "collective:NAME, object:NAME (with * and ?), rule:NAME, auto"),
                   definition);
      return FALSE;
    }
  return TRUE;
}

LcPhaseStart *
lc_phase_start_new (LcHistory *history, guint32 timeline, const char *definition, GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (LcPhaseStart) start = g_new0 (LcPhaseStart, 1);

  start->definition = g_strdup (definition);
  start->history = history;
  start->operations = g_new0 (gboolean, lc_history_get_n_operations (history) + 1);
  start->objects = g_new0 (guint8, MAX (lc_history_get_n_objects (history), 1));
  return phases_start_understand (start, timeline, cancellable, error) ? g_steal_pointer (&start) : NULL;
}

void
lc_phase_start_free (LcPhaseStart *start)
{
  if (start == NULL)
    return;
  g_clear_pointer (&start->pattern, g_pattern_spec_free);
  g_free (start->definition);
  g_free (start->operations);
  g_free (start->object);
  g_free (start->objects);
  g_free (start->word);
  g_clear_pointer (&start->ends, g_hash_table_unref);
  g_free (start);
}

/* --- Events ---------------------------------------------------------------------------------------------------- */

static gboolean
phases_start_is_chosen (LcPhaseStart *start, guint32 number)
{
  guint8 *known;

  if (start->object == NULL)
    return TRUE;
  if (number >= lc_history_get_n_objects (start->history))
    return FALSE;
  known = &start->objects[number];
  if (*known == NOT_ASKED)
    {
      LcHistoryObject object;
      gboolean chosen = FALSE;

      if (lc_history_get_object (start->history, number, &object, NULL))
        {
          chosen = start->pattern != NULL ? g_pattern_spec_match_string (start->pattern, object.name)
                                          : strcmp (start->object, object.name) == 0;
          lc_history_object_clear (&object);
        }
      *known = chosen ? CHOSEN : OTHER;
    }
  return *known == CHOSEN;
}

LcPhaseRank
lc_phase_start_get (LcPhaseStart *start, const LcHistoryEvent *event, guint64 *count)
{
  if (!start->operations[event->operation] || !phases_start_is_chosen (start, event->object))
    return 0;
  if (start->number == LC_PHASE_COUNT)
    return lc_phase_rank ((gint64)++ * count);
  if (start->number == LC_PHASE_VALUE)
    return event->flags & LC_TRACE_EVENT_VALUE ? lc_phase_rank (event->value) : 0;
  if (!(event->flags & LC_TRACE_EVENT_SEQUENCE))
    return 0;
  if (start->ends != NULL)
    phases_start_keep_end (start, event->sequence, event->operation);
  return lc_phase_rank (event->sequence) + start->generations;
}

typedef struct
{
  LcPhaseStart *start;
  gboolean found;
} Search;

/* Values are not known here, but where a definition asks for them, events without a value are rare. */
static gboolean
phases_start_look (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Search *search = data;

  search->found = phases_start_is_chosen (search->start, event->object) &&
                  (search->start->number != LC_PHASE_SEQUENCE || (event->flags & LC_TRACE_EVENT_SEQUENCE));
  return !search->found;
}

static gboolean
phases_start_is_there (LcPhaseStart *start, guint32 timeline, GCancellable *cancellable, gboolean *found,
                       GError **error)
{
  Search search = {start, FALSE};

  for (guint32 i = 0; i < lc_history_get_n_processes (start->history) && !search.found; i++)
    if (!lc_history_visit_operations (start->history, timeline, i, start->operations, phases_start_look, &search,
                                      cancellable, error))
      return FALSE;
  *found = search.found;
  return TRUE;
}

/* NULL without an error if no event begins such a phase. */
static LcPhaseStart *
phases_start_try (LcHistory *history, guint32 timeline, const char *definition, GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (LcPhaseStart) start = lc_phase_start_new (history, timeline, definition, cancellable, error);
  gboolean found = FALSE;

  return start != NULL && phases_start_is_there (start, timeline, cancellable, &found, error) && found
             ? g_steal_pointer (&start)
             : NULL;
}

/* Tries what the rules define, then tags. NULL without an error if no event begins such a phase. */
static LcPhaseStart *
phases_start_try_all (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) rules = lc_kept_phases_list_rules (history, error);
  GError *own = NULL;

  if (rules == NULL)
    return NULL;
  for (guint i = 0; i < rules->len; i++)
    {
      g_autofree char *of_rule = g_strconcat ("rule:", ((const LcPhaseRule *)rules->pdata[i])->name, NULL);
      LcPhaseStart *start = phases_start_try (history, timeline, of_rule, cancellable, &own);

      if (start == NULL && own == NULL)
        continue;
      if (own != NULL)
        g_propagate_error (error, own);
      return start;
    }
  return phases_start_try (history, timeline, "tag", cancellable, error);
}

/* All of a program do these together, again and again. */
static const struct
{
  const char *class_name;
  const char *definition; /* what comes before the object's name */
} phases_start_together[] = {
    {"barrier", "barrier:"},
    {"collective", "collective:"}, /* what a communicator's members do together */
    {"team", "object:"},           /* parallel regions that carry out a routine */
};

LcPhaseStart *
lc_phase_start_choose (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error)
{
  GError *own = NULL;
  LcPhaseStart *start = phases_start_try_all (history, timeline, cancellable, &own);

  for (guint i = 0; start == NULL && own == NULL && i < G_N_ELEMENTS (phases_start_together); i++)
    {
      g_autofree char *name = NULL, *definition = NULL;
      guint n;

      if (!phases_start_find_object (history, timeline, phases_start_together[i].class_name, &name, &n, cancellable,
                                     &own) ||
          name == NULL)
        continue;
      definition = g_strconcat (phases_start_together[i].definition, name, NULL);
      start = lc_phase_start_new (history, timeline, definition, cancellable, &own);
    }
  if (own != NULL)
    g_propagate_error (error, own);
  else if (start == NULL)
    g_set_error (error, LC_PHASES_ERROR, LC_PHASES_ERROR_NONE,
                 _ ("%s: nothing tells its phases: its rules define none, and it has no tags, barriers, collective "
                    "operations or parallel regions; say what begins a phase: region:NAME or object:NAME"),
                 lc_history_get_path (history));
  return start;
}
