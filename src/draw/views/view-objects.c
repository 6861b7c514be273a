/* SPDX-License-Identifier: Apache-2.0 */
/* The view `objects`: the use of objects by processes; the most used objects have rows of their own. */
#include <glib/gi18n-lib.h>

#include "grid.h"
#include "lightcone/statistics.h"
#include "trace/quantities.h"

#define MARGIN 160.0 /* pixels that axes, legend and sums take, about */
#define ROW 15.0     /* pixels that the name of a row needs */

enum
{
  EVENTS,
  WAITED,
  HELD,
  AMOUNTS,
};

static const LcAmount amounts[AMOUNTS] = {
    [EVENTS] = {"events", N_ ("Events"), LC_AMOUNT_COUNT},
    [WAITED] = {"waited", N_ ("Waited"), LC_AMOUNT_TIME},
    [HELD] = {"held", N_ ("Held"), LC_AMOUNT_TIME},
};

typedef struct
{
  guint32 object;
  double amount;
} Use;

typedef struct
{
  const LcViewContext *context;
  GArray *objects;   /* Use: objects that have any of the amount, the largest first */
  guint n_shown;     /* the first so many have a row each; all others share the last row */
  GHashTable *twice; /* char *: names that objects of several classes have */
  LcGrid *grid;
} Model;

static void
view_objects_free_model (gpointer data)
{
  Model *model = data;

  g_array_unref (model->objects);
  g_clear_pointer (&model->twice, g_hash_table_unref);
  lc_grid_free (model->grid);
  g_free (model);
}

static double
get_amount (const LcObjectUse *use, guint amount)
{
  return (double)(amount == EVENTS ? use->events : amount == WAITED ? use->waited : use->held);
}

static int
view_objects_compare_uses (gconstpointer a, gconstpointer b)
{
  const Use *one = a, *other = b;

  if (one->amount != other->amount)
    return one->amount > other->amount ? -1 : 1;
  return (one->object > other->object) - (one->object < other->object);
}

/* Uses are sorted by object, so those of one object are together. */
static GArray *
sort_objects (const GArray *uses, const guint32 *places, guint shown)
{
  GArray *objects = g_array_new (FALSE, FALSE, sizeof (Use));

  for (guint i = 0; i < uses->len; i++)
    {
      const LcObjectUse *use = &g_array_index (uses, LcObjectUse, i);
      const Use first = {use->object, 0};
      Use *last;

      if (places[use->process] == LC_TRACE_NONE || get_amount (use, shown) == 0)
        continue;
      if (objects->len == 0 || g_array_index (objects, Use, objects->len - 1).object != use->object)
        g_array_append_val (objects, first);
      last = &g_array_index (objects, Use, objects->len - 1);
      last->amount += get_amount (use, shown);
    }
  g_array_sort (objects, view_objects_compare_uses);
  return objects;
}

static guint32 *
view_objects_find_places (const guint32 *shown, guint32 n_shown, guint32 n)
{
  guint32 *places = g_new (guint32, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    places[i] = LC_TRACE_NONE;
  for (guint32 i = 0; i < n_shown; i++)
    places[shown[i]] = i;
  return places;
}

static void
fill_grid (Model *model, const GArray *uses, const guint32 *processes)
{
  guint32 n = lc_history_get_n_objects (model->context->history);
  g_autofree guint32 *rows = view_objects_find_places (NULL, 0, n);

  for (guint i = 0; i < model->objects->len; i++)
    rows[g_array_index (model->objects, Use, i).object] = MIN (i, model->n_shown);
  for (guint i = 0; i < uses->len; i++)
    {
      const LcObjectUse *use = &g_array_index (uses, LcObjectUse, i);

      if (rows[use->object] == LC_TRACE_NONE || processes[use->process] == LC_TRACE_NONE)
        continue;
      for (guint k = 0; k < AMOUNTS; k++)
        lc_grid_add (model->grid, rows[use->object], processes[use->process], k, get_amount (use, k));
    }
  lc_grid_sum (model->grid);
}

static GHashTable *
find_twice (const Model *model)
{
  g_autoptr (GHashTable) once = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTable *twice = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < model->n_shown; i++)
    {
      const char *name = lc_names_object (model->context->names, g_array_index (model->objects, Use, i).object);

      if (name != NULL && !g_hash_table_add (once, (gpointer)name))
        g_hash_table_add (twice, (gpointer)name);
    }
  return twice;
}

static gpointer
view_objects_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &context->options;
  double height = MAX (lc_grid_get_room (context->whole.height, MARGIN), ROW);
  guint most = (guint)(height / ROW), shown;
  g_autoptr (GArray) uses = NULL;
  g_autofree guint32 *processes = NULL;
  Model *model;

  if (!lc_grid_find_amount (options->measure, amounts, AMOUNTS, &shown, error))
    return NULL;
  uses = lc_statistics_object_uses (context->history, options->timelines[0], options->from, options->to + 1,
                                    cancellable, error);
  if (uses == NULL)
    return NULL;
  processes = view_objects_find_places (options->selection.processes, options->selection.n_processes,
                                        lc_history_get_n_processes (context->history));
  model = g_new0 (Model, 1);
  model->context = context;
  model->objects = sort_objects (uses, processes, shown);
  model->n_shown = model->objects->len > most ? MAX (most, 2) - 1 : model->objects->len;
  model->grid = lc_grid_new (amounts, AMOUNTS, shown, MIN (model->objects->len, model->n_shown + 1), G_MAXUINT,
                             options->selection.n_processes, context->whole.width - MARGIN);
  fill_grid (model, uses, processes);
  model->twice = find_twice (model);
  if (model->objects->len > 0)
    return model;
  view_objects_free_model (model);
  g_set_error (
      error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
      _ ("these processes have nothing of “%s” with any object here: choose others, another measure, or another "
         "part of the run"),
      amounts[shown].measure);
  return NULL;
}

static guint
count_others (const Model *model)
{
  return model->objects->len - model->n_shown;
}

static char *
dup_row_name (const Model *model, guint row)
{
  g_autofree char *name = NULL;
  const char *class_name;
  guint32 object;

  if (row >= model->n_shown)
    {
      g_autofree char *count = lc_format_count (count_others (model));

      return g_strdup_printf (ngettext ("%s other", "%s others", count_others (model)), count);
    }
  object = g_array_index (model->objects, Use, row).object;
  name = lc_format_text (lc_names_object (model->context->names, object));
  if (name[0] == '\0' || !g_hash_table_contains (model->twice, lc_names_object (model->context->names, object)))
    return g_steal_pointer (&name);
  class_name = lc_names_object_class (model->context->names, object);
  if (lc_names_skip_class (name, class_name) != name)
    return g_steal_pointer (&name);
  return g_strdup_printf (_ ("%s (%s)"), name, class_name);
}

static void
view_objects_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;

  g_ptr_array_set_size (model->grid->rows.names, 0);
  for (guint i = 0; i < model->grid->rows.n; i++)
    g_ptr_array_add (model->grid->rows.names, dup_row_name (model, i));
  lc_grid_name_processes (&model->grid->columns, model->context);
  lc_grid_describe (model->grid, _ ("Object"), _ ("Process"), frame, canvas);
  if (count_others (model) > 0)
    {
      g_autofree char *all = lc_format_count (model->objects->len), *shown = lc_format_count (model->n_shown);
      g_autofree char *note = g_strdup_printf (
          _ ("%s of %s objects have a row of their own: the most used; the last row is all others."), shown, all);

      lc_frame_add_note (frame, note);
    }
}

static void
view_objects_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  lc_grid_paint (((const Model *)data)->grid, frame, canvas, area);
}

static char *
view_objects_dup_processes (const Model *model, guint cell)
{
  const LcGridSide *side = &model->grid->columns;
  const guint32 *processes = model->context->options.selection.processes;
  guint first = cell * side->group, last = MIN (first + side->group, side->n_things) - 1;
  g_autofree char *one = lc_format_text (lc_names_process (model->context->names, processes[first]));
  g_autofree char *other = lc_format_text (lc_names_process (model->context->names, processes[last]));

  return first == last ? g_steal_pointer (&one) : g_strdup_printf (_ ("%s – %s"), one, other);
}

static char *
view_objects_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;
  g_autofree char *object = NULL, *process = NULL, *text = NULL;
  guint row, column;

  if (!lc_grid_find (model->grid, frame, place, &row, &column))
    return NULL;
  object = dup_row_name (model, row);
  process = view_objects_dup_processes (model, column);
  text = lc_grid_dup_amounts (model->grid, row, column);
  return g_strdup_printf (_ ("%s and %s\n%s"), process, object, text);
}

static char *
view_objects_tell (gpointer data)
{
  const Model *model = data;
  const LcAmount *amount = &amounts[model->grid->shown];
  g_autofree char *object = dup_row_name (model, 0);
  g_autofree char *most = lc_amount_format (amount->kind, g_array_index (model->objects, Use, 0).amount);
  g_autofree char *sum = lc_amount_format (amount->kind, model->grid->sum);
  g_autofree char *count = lc_format_count (model->objects->len);

  return g_strdup_printf (ngettext ("%s: %s in all, of %s object; most of it of %s: %s.",
                                    "%s: %s in all, of %s objects; most of it of %s: %s.", model->objects->len),
                          _ (amount->title), sum, count, object, most);
}

static gboolean
view_objects_find (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot)
{
  const Model *model = data;
  guint row, column;

  if (!lc_grid_find (model->grid, frame, place, &row, &column))
    return FALSE;
  spot->process = model->context->options.selection.processes[(gsize)column * model->grid->columns.group];
  return TRUE;
}

const LcView lc_view_objects = {
    .info = {.name = "objects",
             .title = N_ ("Processes and objects"),
             .summary = N_ ("Which process uses which object: events, waiting, or holding (--measure)."),
             .traits = LC_VIEW_SPAN | LC_VIEW_MEASURE,
             .amounts = amounts,
             .n_amounts = AMOUNTS},
    .gather = view_objects_gather,
    .describe = view_objects_describe,
    .paint = view_objects_paint,
    .text_at = view_objects_text_at,
    .find = view_objects_find,
    .tell = view_objects_tell,
    .free = view_objects_free_model,
};
