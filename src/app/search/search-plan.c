/* SPDX-License-Identifier: Apache-2.0 */
/* A query applied to a history: the operations, objects and processes that its names mean. */
#include "app/search/search-plan.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/marks/mark-sets.h"
#include "app/search/search-plan-ranks.h"
#include "lightcone/statistics.h"
#include "trace/quantities.h"

/* --- Names of objects -------------------------------------------------------------------------------------------- */

/* Finds the operations that occur; histories know many that do not. */
static gboolean *
search_plan_find_operations (LcHistory *history, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) found = lc_statistics_operations (history, LC_TIMELINE_MEASURED, cancellable, error);
  gboolean *occurs = found != NULL ? g_new0 (gboolean, lc_history_get_n_operations (history) + 1) : NULL;

  for (guint i = 0; found != NULL && i < found->len; i++)
    occurs[g_array_index (found, LcOperationStatistics, i).operation] = TRUE;
  return occurs;
}

LcSearchNames *
lc_search_names_new (LcHistory *history, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcSearchNames) names = g_atomic_rc_box_new0 (LcSearchNames);
  guint32 n = lc_history_get_n_objects (history);

  names->names = g_new0 (char *, n + 1);
  names->classes = g_new0 (const char *, n + 1);
  names->events = g_new0 (guint64, n + 1);
  names->occurs = search_plan_find_operations (history, cancellable, error);
  if (names->occurs == NULL)
    return NULL;
  for (; names->n_objects < n; names->n_objects++)
    {
      guint32 i = names->n_objects;
      LcHistoryObject object;
      g_autofree char *name = NULL;

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !lc_history_get_object (history, i, &object, error))
        return NULL;
      name = g_utf8_make_valid (object.name != NULL ? object.name : "", -1);
      names->names[i] = g_utf8_casefold (name, -1);
      names->classes[i] = g_intern_string (object.class_name);
      names->events[i] = object.events;
      lc_history_object_clear (&object);
    }
  return g_steal_pointer (&names);
}

LcSearchNames *
lc_search_names_ref (LcSearchNames *names)
{
  return g_atomic_rc_box_acquire (names);
}

static void
clear_names (LcSearchNames *names)
{
  for (guint32 i = 0; i < names->n_objects; i++)
    g_free (names->names[i]);
  g_free (names->names);
  g_free (names->classes);
  g_free (names->events);
  g_free (names->occurs);
}

void
lc_search_names_unref (LcSearchNames *names)
{
  g_atomic_rc_box_release_full (names, (GDestroyNotify)clear_names);
}

/* --- Meaning of names -------------------------------------------------------------------------------------------- */

typedef enum
{
  EXACTLY,
  PARTLY,
  CLOSENESSES,
} Closeness;

typedef struct
{
  LcSearchPlan *plan;
  const LcSearchNames *names;
  LcHistory *history;
  GString *explanation;
  gboolean *asked_processes; /* NULL: all */
  GArray *from;              /* ranks, guint32; NULL: all */
  GArray *to;
} Making;

static gboolean
is_close (const char *name, const char *wanted, Closeness closeness)
{
  return closeness == EXACTLY ? strcmp (name, wanted) == 0 : strstr (name, wanted) != NULL;
}

static gboolean
is_close_folded (const char *name, const char *wanted, Closeness closeness)
{
  g_autofree char *valid = g_utf8_make_valid (name != NULL ? name : "", -1);
  g_autofree char *folded = g_utf8_casefold (valid, -1);

  return is_close (folded, wanted, closeness);
}

static void
search_plan_explain (Making *making, const char *format, const char *what)
{
  if (making->explanation->len > 0)
    g_string_append (making->explanation, " · ");
  g_string_append_printf (making->explanation, "%s %s", format, what);
}

/* Adds the operations with this name to the plan; FALSE: there are none. Without `all`, only those that occur. */
static gboolean
search_plan_add_operations (Making *making, const char *wanted, Closeness closeness, gboolean of_class, gboolean all)
{
  guint32 n = lc_history_get_n_operations (making->history);
  gboolean any = FALSE;

  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (making->history, i);

      if (operation == NULL || (!all && !making->names->occurs[i]) ||
          !is_close_folded (of_class ? operation->class_name : operation->name, wanted, closeness))
        continue;
      if (making->plan->operations == NULL)
        making->plan->operations = g_new0 (gboolean, n);
      making->plan->operations[i] = any = TRUE;
    }
  if (any)
    search_plan_explain (making, of_class ? _ ("class") : _ ("operation"), wanted);
  return any;
}

static gboolean
search_plan_add_objects (Making *making, const char *wanted, Closeness closeness, const char *class_name)
{
  LcSearchPlan *plan = making->plan;
  guint n_found = 0;

  for (guint32 i = 0; i < making->names->n_objects; i++)
    {
      if (!is_close (making->names->names[i], wanted, closeness) ||
          (class_name != NULL && g_strcmp0 (making->names->classes[i], class_name) != 0))
        continue;
      if (plan->objects == NULL)
        {
          plan->objects = g_new0 (gboolean, making->names->n_objects);
          plan->object_list = g_array_new (FALSE, FALSE, sizeof (guint32));
        }
      if (!plan->objects[i])
        g_array_append_val (plan->object_list, i);
      plan->objects[i] = TRUE;
      n_found++;
    }
  if (n_found == 1)
    search_plan_explain (making, class_name != NULL ? _ ("region") : _ ("object"), wanted);
  else if (n_found > 1)
    {
      g_autofree char *text = g_strdup_printf ("%s (%u)", wanted, n_found);

      search_plan_explain (making, class_name != NULL ? _ ("regions") : _ ("objects"), text);
    }
  return n_found > 0;
}

static gboolean
search_plan_add_processes (Making *making, const char *wanted, Closeness closeness)
{
  guint32 n = lc_history_get_n_processes (making->history);
  gboolean any = FALSE;

  for (guint32 i = 0; i < n; i++)
    {
      if (!is_close_folded (lc_history_get_process (making->history, i)->name, wanted, closeness))
        continue;
      if (making->asked_processes == NULL)
        making->asked_processes = g_new0 (gboolean, n);
      making->asked_processes[i] = any = TRUE;
    }
  if (any)
    search_plan_explain (making, _ ("process"), wanted);
  return any;
}

/* Adds the events that are called in a place. */
static gboolean
search_plan_add_places (Making *making, const char *wanted, Closeness closeness)
{
  LcSearchPlan *plan = making->plan;
  g_autofree gboolean *stacks = lc_called_find (making->history, wanted, closeness == EXACTLY);

  if (stacks == NULL)
    return FALSE;
  plan->n_stacks = lc_history_get_n_stacks (making->history);
  for (guint32 i = 0; plan->stacks != NULL && i < plan->n_stacks; i++)
    stacks[i] |= plan->stacks[i];
  g_free (plan->stacks);
  plan->stacks = g_steal_pointer (&stacks);
  search_plan_explain (making, _ ("called in"), wanted);
  return TRUE;
}

static int
search_plan_compare_marks (gconstpointer a, gconstpointer b)
{
  const LcUserMark *one = a, *other = b;

  if (one->is_span != other->is_span)
    return one->is_span ? 1 : -1;
  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  return one->begin < other->begin ? -1 : one->begin > other->begin;
}

/* Adds what the user has marked with this name, which the plan's marks keep alive. */
static gboolean
search_plan_add_marked (Making *making, const char *wanted, Closeness closeness)
{
  LcSearchPlan *plan = making->plan;
  const LcMarks *marks = lc_kept_get (plan->shown->marks);
  const char *name = NULL;
  gboolean matches = FALSE, any = FALSE;

  for (guint i = 0; marks != NULL && i < marks->marks->len; i++)
    {
      const LcUserMark *mark = &g_array_index (marks->marks, LcUserMark, i);

      if (name == NULL || strcmp (name, mark->name) != 0)
        {
          name = mark->name;
          matches = is_close_folded (name, wanted, closeness);
        }
      if (!matches)
        continue;
      if (plan->marked == NULL)
        plan->marked = g_array_new (FALSE, FALSE, sizeof (LcUserMark));
      g_array_append_val (plan->marked, *mark);
      any = TRUE;
    }
  if (!any)
    return FALSE;
  g_array_sort (plan->marked, search_plan_compare_marks);
  search_plan_explain (making, _ ("marked"), wanted);
  return TRUE;
}

/* Interprets a bare word: exact names before names that contain it, and operations before objects, processes and
 * places. Operations that do not occur come last: they are called as functions of programs are, such as put. */
static gboolean
search_plan_add_word (Making *making, const char *wanted)
{
  for (Closeness closeness = EXACTLY; closeness < CLOSENESSES; closeness++)
    if (search_plan_add_operations (making, wanted, closeness, FALSE, FALSE) ||
        search_plan_add_operations (making, wanted, closeness, TRUE, FALSE) ||
        search_plan_add_objects (making, wanted, closeness, NULL) ||
        search_plan_add_processes (making, wanted, closeness) || search_plan_add_places (making, wanted, closeness))
      return TRUE;
  for (Closeness closeness = EXACTLY; closeness < CLOSENESSES; closeness++)
    if (search_plan_add_operations (making, wanted, closeness, FALSE, TRUE) ||
        search_plan_add_operations (making, wanted, closeness, TRUE, TRUE))
      return TRUE;
  return FALSE;
}

static gboolean
search_plan_add_end (Making *making, GArray **ranks, const char *what, const char *wanted)
{
  guint32 rank;

  if (!lc_search_find_rank (making->history, wanted, &rank))
    return FALSE;
  if (*ranks == NULL)
    *ranks = g_array_new (FALSE, FALSE, sizeof rank);
  g_array_append_val (*ranks, rank);
  search_plan_explain (making, what, wanted);
  return TRUE;
}

static gboolean
add_name (Making *making, const LcSearchTerm *term, const char *wanted, Closeness closeness)
{
  switch (term->kind)
    {
    case LC_SEARCH_OPERATION:
      return search_plan_add_operations (making, wanted, closeness, FALSE, TRUE);
    case LC_SEARCH_CLASS:
      return search_plan_add_operations (making, wanted, closeness, TRUE, TRUE);
    case LC_SEARCH_OBJECT:
      return search_plan_add_objects (making, wanted, closeness, NULL);
    case LC_SEARCH_REGION:
    case LC_SEARCH_TAG:
      return search_plan_add_objects (making, wanted, closeness, "mark");
    case LC_SEARCH_PROCESS:
      return search_plan_add_processes (making, wanted, closeness);
    case LC_SEARCH_CALLED:
      return search_plan_add_places (making, wanted, closeness);
    case LC_SEARCH_MARKED:
      return search_plan_add_marked (making, wanted, closeness);
    case LC_SEARCH_FROM:
      return search_plan_add_end (making, &making->from, _ ("from"), wanted);
    case LC_SEARCH_TO:
      return search_plan_add_end (making, &making->to, _ ("to"), wanted);
    case LC_SEARCH_WORD:
    case LC_SEARCH_SEQUENCE:
    case LC_SEARCH_BYTES:
    case LC_SEARCH_WAIT:
    case LC_SEARCH_LENGTH:
      break;
    }
  return FALSE;
}

/* --- Numbers ----------------------------------------------------------------------------------------------------- */

/* Tells whether the plan is for tags only. Tags have values but no sequences, so a bare number then means a value. */
static gboolean
only_tags (const Making *making)
{
  guint32 n = lc_history_get_n_operations (making->history);
  gboolean any = FALSE;

  for (guint32 i = 0; making->plan->operations != NULL && i < n; i++)
    {
      if (!making->plan->operations[i])
        continue;
      if (strcmp (lc_history_get_operation (making->history, i)->name, "tag") != 0)
        return FALSE;
      any = TRUE;
    }
  return any;
}

typedef enum
{
  NUMBER,
  DURATION,
  SIZE,
} Quantity;

static char *
dup_quantity (Quantity quantity, gint64 number)
{
  guint64 positive = (guint64)MAX (number, 0);

  return quantity == DURATION ? lc_format_duration (positive)
         : quantity == SIZE   ? lc_format_bytes (positive)
                              : g_strdup_printf ("%" G_GINT64_FORMAT, number);
}

/* Explains a range as "from 10 to 20", or as the single number. */
static void
explain_range (Making *making, const char *name, const LcSearchRange *range, Quantity quantity)
{
  g_autofree char *lowest = dup_quantity (quantity, range->lowest), *highest = dup_quantity (quantity, range->highest);
  g_autofree char *text = NULL;

  if (range->lowest == range->highest)
    text = g_strdup (lowest);
  else if (range->highest == G_MAXINT64)
    text = g_strdup_printf (_ ("from %s on"), lowest);
  else if (range->lowest == G_MININT64 || (quantity == DURATION && range->lowest == 0))
    text = g_strdup_printf (_ ("up to %s"), highest);
  else
    text = g_strdup_printf (_ ("from %s to %s"), lowest, highest);
  search_plan_explain (making, name, text);
}

static void
search_plan_add_number (Making *making, const LcSearchTerm *term)
{
  LcSearchPlan *plan = making->plan;
  LcSearchRange *range = &plan->sequence;
  const char *name = _ ("sequence");
  Quantity quantity = NUMBER;

  if (term->kind == LC_SEARCH_TAG || (term->kind == LC_SEARCH_WORD && only_tags (making)))
    {
      range = &plan->value;
      name = _ ("value");
      if (term->kind == LC_SEARCH_TAG && plan->operations == NULL)
        search_plan_add_operations (making, "tag", EXACTLY, FALSE, TRUE);
    }
  else if (term->kind == LC_SEARCH_WAIT)
    {
      range = &plan->wait;
      name = _ ("waiting");
      quantity = DURATION;
    }
  else if (term->kind == LC_SEARCH_LENGTH)
    {
      range = &plan->length;
      name = _ ("length");
      quantity = DURATION;
    }
  else if (term->kind == LC_SEARCH_BYTES)
    {
      range = &plan->bytes;
      name = _ ("size");
      quantity = SIZE;
    }
  range->lowest = range->asked ? MAX (range->lowest, term->lowest) : term->lowest;
  range->highest = range->asked ? MIN (range->highest, term->highest) : term->highest;
  range->asked = TRUE;
  explain_range (making, name, range, quantity);
}

static gboolean
add_term (Making *making, const LcSearchTerm *term, gboolean numbers)
{
  g_autofree char *valid = g_utf8_make_valid (term->text, -1);
  g_autofree char *wanted = g_utf8_casefold (valid, -1);

  if (term->number != numbers)
    return TRUE;
  if (term->number)
    {
      search_plan_add_number (making, term);
      return TRUE;
    }
  if (term->kind == LC_SEARCH_WORD)
    return search_plan_add_word (making, wanted);
  return add_name (making, term, wanted, EXACTLY) || add_name (making, term, wanted, PARTLY);
}

/* --- The plan ---------------------------------------------------------------------------------------------------- */

static void
search_plan_fill_processes (Making *making)
{
  LcSearchPlan *plan = making->plan;

  plan->processes = g_new0 (gboolean, MAX (lc_history_get_n_processes (making->history), 1));
  for (guint32 i = 0; i < plan->shown->selection.n_processes; i++)
    plan->processes[plan->shown->selection.processes[i]] =
        making->asked_processes == NULL || making->asked_processes[plan->shown->selection.processes[i]];
}

/* Removes from the plan those names that the filters hide: it is found sooner then that few events are left. */
static void
respect_filters (LcSearchPlan *plan)
{
  const LcShown *shown = plan->shown;
  guint32 n_operations = lc_history_get_n_operations (shown->opened->history);
  guint32 n_objects = lc_history_get_n_objects (shown->opened->history);

  if (shown->selection.filters.operations != NULL && plan->operations == NULL)
    plan->operations =
        g_memdup2 (shown->selection.filters.operations, sizeof *shown->selection.filters.operations * n_operations);
  for (guint32 i = 0; shown->selection.filters.operations != NULL && i < n_operations; i++)
    plan->operations[i] &= shown->selection.filters.operations[i];
  if (shown->selection.filters.objects != NULL)
    {
      g_autofree gboolean *asked = g_steal_pointer (&plan->objects);

      g_clear_pointer (&plan->object_list, g_array_unref);
      plan->objects = g_new0 (gboolean, MAX (n_objects, 1));
      plan->object_list = g_array_new (FALSE, FALSE, sizeof (guint32));
      for (guint32 i = 0; i < shown->selection.filters.n_objects; i++)
        if (asked == NULL || asked[shown->selection.filters.objects[i]])
          {
            plan->objects[shown->selection.filters.objects[i]] = TRUE;
            g_array_append_val (plan->object_list, shown->selection.filters.objects[i]);
          }
    }
}

static void
clear_making (Making *making)
{
  g_free (making->asked_processes);
  g_clear_pointer (&making->from, g_array_unref);
  g_clear_pointer (&making->to, g_array_unref);
}

LcSearchPlan *
lc_search_plan_new (LcShown *shown, LcSearchNames *names, const GArray *terms, char **problem)
{
  g_autoptr (LcSearchPlan) plan = g_new0 (LcSearchPlan, 1);
  g_autoptr (GString) explanation = g_string_new (NULL);
  LcHistory *history = shown->opened->history;
  g_autoptr (GArray) joined = lc_search_join_terms (history, terms);
  Making making = {.plan = plan, .names = names, .history = history, .explanation = explanation};
  gboolean good = TRUE;

  plan->shown = lc_shown_ref (shown);
  /* Names come first, because the meaning of numbers depends on them. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < joined->len && good; i++)
      {
        const LcSearchTerm *term = &g_array_index (joined, LcSearchTerm, i);

        good = add_term (&making, term, pass == 1);
        if (!good)
          *problem = g_strdup_printf (_ ("Nothing here is called “%s”."), term->text);
      }
  if (good)
    {
      search_plan_fill_processes (&making);
      if (making.from != NULL || making.to != NULL)
        lc_search_plan_keep_channels (plan, names, making.from, making.to);
      respect_filters (plan);
      plan->explanation = g_strdup (explanation->str);
    }
  clear_making (&making);
  return good ? g_steal_pointer (&plan) : NULL;
}

void
lc_search_plan_free (LcSearchPlan *plan)
{
  lc_shown_unref (plan->shown);
  g_free (plan->operations);
  g_free (plan->objects);
  g_clear_pointer (&plan->object_list, g_array_unref);
  g_free (plan->processes);
  g_free (plan->stacks);
  g_clear_pointer (&plan->marked, g_array_unref);
  g_free (plan->explanation);
  g_free (plan);
}

static gboolean
is_in (const LcSearchRange *range, gint64 number)
{
  return !range->asked || (number >= range->lowest && number <= range->highest);
}

/* Events are found by bisection; spans, of which there are few, one by one. Spans are of measured time. */
static gboolean
search_plan_is_marked (const LcSearchPlan *plan, const LcHistoryEvent *event)
{
  const LcUserMark wanted = {.process = event->origin_process, .begin = event->origin_ordinal};
  const GArray *marked = plan->marked;
  guint at;

  if (g_array_binary_search ((GArray *)marked, &wanted, search_plan_compare_marks, &at))
    return TRUE;
  for (guint i = marked->len; i > 0 && g_array_index (marked, LcUserMark, i - 1).is_span; i--)
    if (plan->shown->timeline == LC_TIMELINE_MEASURED &&
        lc_mark_covers (&g_array_index (marked, LcUserMark, i - 1), event))
      return TRUE;
  return FALSE;
}

gboolean
lc_search_plan_fits (const LcSearchPlan *plan, const LcFiltering *filtering, const LcHistoryEvent *event)
{
  if (plan->operations != NULL && !plan->operations[event->operation])
    return FALSE;
  if (plan->objects != NULL && (event->object == LC_TRACE_NONE || !plan->objects[event->object]))
    return FALSE;
  if (plan->sequence.asked &&
      ((event->flags & LC_TRACE_EVENT_SEQUENCE) == 0 || !is_in (&plan->sequence, event->sequence)))
    return FALSE;
  if (plan->value.asked && ((event->flags & LC_TRACE_EVENT_VALUE) == 0 || !is_in (&plan->value, event->value)))
    return FALSE;
  if (plan->bytes.asked && ((event->flags & LC_TRACE_EVENT_BYTES) == 0 || !is_in (&plan->bytes, (gint64)event->bytes)))
    return FALSE;
  if (plan->stacks != NULL && (event->stack >= plan->n_stacks || !plan->stacks[event->stack]))
    return FALSE;
  if (plan->marked != NULL && !search_plan_is_marked (plan, event))
    return FALSE;
  return plan->processes[event->process] && is_in (&plan->wait, (gint64)event->waited) &&
         is_in (&plan->length, (gint64)(event->end - event->begin)) && lc_filtering_has (filtering, event);
}
