/* SPDX-License-Identifier: Apache-2.0 */
/* Filters: a row for each kind in one table, which says all that can be asked of it. */
#include "lightcone/filters.h"

#include <string.h>

/* An array of nothing is still an array: it lets nothing through, and NULL lets all through. */
static gpointer
filters_copy_array (gconstpointer array, gsize size, gsize n)
{
  gpointer copy = array != NULL ? g_malloc (size * MAX (n, 1)) : NULL;

  if (array != NULL && n > 0)
    memcpy (copy, array, size * n);
  return copy;
}

static gboolean
filters_equal_arrays (gconstpointer a, gconstpointer b, gsize size)
{
  return (a == NULL) == (b == NULL) && (a == NULL || size == 0 || memcmp (a, b, size) == 0);
}

/* --- Operations -------------------------------------------------------------------------------------------------- */

static gboolean
filter_operations_is_set (const LcFilters *filters)
{
  return filters->operations != NULL;
}

static void
filter_operations_copy (LcFilters *copy, guint32 n_operations)
{
  copy->operations = filters_copy_array (copy->operations, sizeof *copy->operations, n_operations);
}

static void
filter_operations_clear (LcFilters *filters)
{
  g_free ((gpointer)filters->operations);
}

static gboolean
filter_operations_equal (const LcFilters *a, const LcFilters *b, guint32 n_operations)
{
  return filters_equal_arrays (a->operations, b->operations, sizeof *a->operations * n_operations);
}

static gboolean
filter_operations_has (const LcFiltering *filtering, const LcHistoryEvent *event)
{
  return filtering->filters->operations[event->operation];
}

/* --- Objects ----------------------------------------------------------------------------------------------------- */

static gboolean
filter_objects_is_set (const LcFilters *filters)
{
  return filters->objects != NULL;
}

static void
filter_objects_copy (LcFilters *copy, guint32 n_operations)
{
  copy->objects = filters_copy_array (copy->objects, sizeof *copy->objects, copy->n_objects);
}

static void
filter_objects_clear (LcFilters *filters)
{
  g_free ((gpointer)filters->objects);
}

static gboolean
filter_objects_equal (const LcFilters *a, const LcFilters *b, guint32 n_operations)
{
  return (a->objects == NULL && b->objects == NULL) ||
         (a->n_objects == b->n_objects &&
          filters_equal_arrays (a->objects, b->objects, sizeof *a->objects * a->n_objects));
}

/* There may be many objects in the filter, and more events: each is looked up by its number. */
static gboolean
filter_objects_find (LcFiltering *filtering, LcHistory *history, GCancellable *cancellable, GError **error)
{
  const LcFilters *filters = filtering->filters;

  filtering->n_objects = lc_history_get_n_objects (history);
  filtering->objects = g_new0 (gboolean, MAX (filtering->n_objects, 1));
  for (guint32 i = 0; i < filters->n_objects; i++)
    if (filters->objects[i] < filtering->n_objects)
      filtering->objects[filters->objects[i]] = TRUE;
  return TRUE;
}

static gboolean
filter_objects_has (const LcFiltering *filtering, const LcHistoryEvent *event)
{
  return event->object < filtering->n_objects && filtering->objects[event->object];
}

/* --- Regions and tags -------------------------------------------------------------------------------------------- */

static gboolean
filter_inside_is_set (const LcFilters *filters)
{
  return filters->inside != NULL;
}

static void
filter_inside_copy (LcFilters *copy, guint32 n_operations)
{
  if (copy->inside != NULL)
    lc_inside_ref (copy->inside);
}

static void
filter_inside_clear (LcFilters *filters)
{
  g_clear_pointer (&filters->inside, lc_inside_unref);
}

static gboolean
filter_inside_equal (const LcFilters *a, const LcFilters *b, guint32 n_operations)
{
  return lc_inside_equal (a->inside, b->inside);
}

static gboolean
filter_inside_find (LcFiltering *filtering, LcHistory *history, GCancellable *cancellable, GError **error)
{
  return lc_inside_find (filtering->filters->inside, cancellable, error);
}

static gboolean
filter_inside_has (const LcFiltering *filtering, const LcHistoryEvent *event)
{
  return lc_inside_has (filtering->filters->inside, event);
}

/* --- The place in the program ------------------------------------------------------------------------------------ */

static gboolean
filter_called_is_set (const LcFilters *filters)
{
  return filters->called != NULL;
}

static void
filter_called_copy (LcFilters *copy, guint32 n_operations)
{
  if (copy->called != NULL)
    lc_called_ref (copy->called);
}

static void
filter_called_clear (LcFilters *filters)
{
  g_clear_pointer (&filters->called, lc_called_unref);
}

static gboolean
filter_called_equal (const LcFilters *a, const LcFilters *b, guint32 n_operations)
{
  return lc_called_equal (a->called, b->called);
}

static gboolean
filter_called_has (const LcFiltering *filtering, const LcHistoryEvent *event)
{
  return lc_called_has (filtering->filters->called, event);
}

/* --- The length of waits ----------------------------------------------------------------------------------------- */

static gboolean
filter_wait_is_set (const LcFilters *filters)
{
  return filters->least_wait > 0;
}

static gboolean
filter_wait_equal (const LcFilters *a, const LcFilters *b, guint32 n_operations)
{
  return a->least_wait == b->least_wait;
}

static gboolean
filter_wait_has (const LcFiltering *filtering, const LcHistoryEvent *event)
{
  return event->waited >= filtering->filters->least_wait;
}

/* --- Slack ------------------------------------------------------------------------------------------------------- */

static gboolean
filter_slack_is_set (const LcFilters *filters)
{
  return filters->slacks != NULL;
}

static void
filter_slack_copy (LcFilters *copy, guint32 n_operations)
{
  if (copy->slacks != NULL)
    lc_slacks_ref (copy->slacks);
}

static void
filter_slack_clear (LcFilters *filters)
{
  g_clear_pointer (&filters->slacks, lc_slacks_unref);
}

static gboolean
filter_slack_equal (const LcFilters *a, const LcFilters *b, guint32 n_operations)
{
  return a->slacks == b->slacks && (a->slacks == NULL || a->most_slack == b->most_slack);
}

static gboolean
filter_slack_find (LcFiltering *filtering, LcHistory *history, GCancellable *cancellable, GError **error)
{
  return lc_slacks_find (filtering->filters->slacks, cancellable, error);
}

static gboolean
filter_slack_has (const LcFiltering *filtering, const LcHistoryEvent *event)
{
  return lc_slacks_get (filtering->filters->slacks, event) <= filtering->filters->most_slack;
}

/* --- All kinds ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  gboolean (*is_set) (const LcFilters *filters);
  void (*copy) (LcFilters *copy, guint32 n_operations); /* makes it own what it was assigned; NULL: it owns nothing */
  void (*clear) (LcFilters *filters);                   /* frees what it owns; NULL: it owns nothing */
  gboolean (*equal) (const LcFilters *a, const LcFilters *b, guint32 n_operations);
  gboolean (*find) (LcFiltering *filtering, LcHistory *history, GCancellable *cancellable,
                    GError **error); /* NULL: it is ready */
  LcFilterTest has;
} FilterKind;

/* What is quick to test comes first. */
static const FilterKind filter_kinds[] = {
    {filter_wait_is_set, NULL, NULL, filter_wait_equal, NULL, filter_wait_has},
    {filter_operations_is_set, filter_operations_copy, filter_operations_clear, filter_operations_equal, NULL,
     filter_operations_has},
    {filter_objects_is_set, filter_objects_copy, filter_objects_clear, filter_objects_equal, filter_objects_find,
     filter_objects_has},
    {filter_inside_is_set, filter_inside_copy, filter_inside_clear, filter_inside_equal, filter_inside_find,
     filter_inside_has},
    {filter_slack_is_set, filter_slack_copy, filter_slack_clear, filter_slack_equal, filter_slack_find,
     filter_slack_has},
    {filter_called_is_set, filter_called_copy, filter_called_clear, filter_called_equal, NULL, filter_called_has},
};

G_STATIC_ASSERT (G_N_ELEMENTS (filter_kinds) <= LC_FILTERS_MOST);

void
lc_filters_copy (LcFilters *copy, const LcFilters *filters, guint32 n_operations)
{
  *copy = *filters;
  for (gsize i = 0; i < G_N_ELEMENTS (filter_kinds); i++)
    if (filter_kinds[i].copy != NULL)
      filter_kinds[i].copy (copy, n_operations);
}

void
lc_filters_clear (LcFilters *filters)
{
  for (gsize i = 0; i < G_N_ELEMENTS (filter_kinds); i++)
    if (filter_kinds[i].clear != NULL)
      filter_kinds[i].clear (filters);
  *filters = (LcFilters){0};
}

gboolean
lc_filters_are_set (const LcFilters *filters)
{
  for (gsize i = 0; i < G_N_ELEMENTS (filter_kinds); i++)
    if (filter_kinds[i].is_set (filters))
      return TRUE;
  return FALSE;
}

gboolean
lc_filters_equal (const LcFilters *a, const LcFilters *b, guint32 n_operations)
{
  for (gsize i = 0; i < G_N_ELEMENTS (filter_kinds); i++)
    if (!filter_kinds[i].equal (a, b, n_operations))
      return FALSE;
  return TRUE;
}

gboolean
lc_filtering_begin (LcFiltering *filtering, const LcFilters *filters, LcHistory *history, GCancellable *cancellable,
                    GError **error)
{
  *filtering = (LcFiltering){.filters = filters};
  for (gsize i = 0; i < G_N_ELEMENTS (filter_kinds); i++)
    {
      const FilterKind *kind = &filter_kinds[i];

      if (!kind->is_set (filters))
        continue;
      if (kind->find != NULL && !kind->find (filtering, history, cancellable, error))
        return FALSE;
      filtering->tests[filtering->n_tests++] = kind->has;
    }
  return TRUE;
}

void
lc_filtering_end (LcFiltering *filtering)
{
  g_clear_pointer (&filtering->objects, g_free);
  filtering->n_tests = 0;
}
