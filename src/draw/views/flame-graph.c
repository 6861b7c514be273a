/* SPDX-License-Identifier: Apache-2.0 */
/* Flame graphs of waiting: a tree of frames, and the boxes of those that are wide enough to be seen. */
#include "flame-graph.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "trace/quantities.h"

enum
{
  MOST_FRAMES = 1000, /* of one stack */
};

/* What it takes to add frames. */
typedef struct
{
  LcFlameGraph *graph;
  LcNames *names;
  LcSkippedSites *skipped; /* nothing is skipped; it lists the frames of a stack */
  GHashTable *by_key;      /* Key to number of the frame */
  GHashTable *site_names;  /* LcHistorySite to name */
} Building;

typedef struct
{
  const char *name;
  guint32 parent;
  gboolean is_blamed;
} Key;

const LcFlameFrame *
lc_flame_graph_get (const LcFlameGraph *graph, guint32 frame)
{
  return &g_array_index (graph->frames, LcFlameFrame, frame);
}

static LcFlameFrame *
flame_graph_edit (const LcFlameGraph *graph, guint32 frame)
{
  return &g_array_index (graph->frames, LcFlameFrame, frame);
}

/* --- Adding frames ------------------------------------------------------------------------------------------------ */

/* Names are the same text only if they are the same string. */
static guint
flame_graph_hash_key (gconstpointer data)
{
  const Key *key = data;

  return (g_direct_hash (key->name) * 31 + key->parent) * 2 + (key->is_blamed != FALSE);
}

static gboolean
flame_graph_equal_keys (gconstpointer a, gconstpointer b)
{
  const Key *one = a, *other = b;

  return one->name == other->name && one->parent == other->parent && one->is_blamed == other->is_blamed;
}

static const char *
flame_graph_name_site (const Building *building, const LcHistorySite *site)
{
  const char *name = g_hash_table_lookup (building->site_names, site);
  g_autofree char *text = NULL, *told = NULL;

  if (name != NULL)
    return name;
  text = lc_history_dup_site_text (site);
  told = lc_format_text (site != NULL ? text : _ ("(stack not recorded)"));
  name = g_string_chunk_insert_const (building->graph->names, told);
  g_hash_table_insert (building->site_names, (gpointer)site, (gpointer)name);
  return name;
}

static const char *
flame_graph_name_object (const Building *building, guint32 object)
{
  const char *name = lc_names_object (building->names, object);
  g_autofree char *told = name != NULL ? lc_format_text (name) : NULL;
  g_autofree char *text = told != NULL ? g_strdup_printf (_ ("waits for %s"), told) : g_strdup (_ ("waits"));

  return g_string_chunk_insert_const (building->graph->names, text);
}

/* Finds or adds a frame on another one, and adds the time to it. */
static guint32
flame_graph_add (const Building *building, guint32 parent, const LcFlameFrame *like, guint64 time)
{
  const Key key = {like->name, parent, like->is_blamed};
  gpointer number;
  LcFlameFrame frame = *like;

  if (!g_hash_table_lookup_extended (building->by_key, &key, NULL, &number))
    {
      number = GUINT_TO_POINTER (building->graph->frames->len);
      frame.parent = parent;
      frame.level = lc_flame_graph_get (building->graph, parent)->level + 1;
      g_array_append_val (building->graph->frames, frame);
      flame_graph_edit (building->graph, parent)->n_children++;
      g_hash_table_insert (building->by_key, g_memdup2 (&key, sizeof key), number);
    }
  flame_graph_edit (building->graph, GPOINTER_TO_UINT (number))->time += time;
  return GPOINTER_TO_UINT (number);
}

/* Adds the frames of a stack, the innermost first if `outwards`. Returns the last one. */
static guint32
flame_graph_add_stack (const Building *building, guint32 parent, guint32 stack, gboolean is_blamed, gboolean outwards,
                       guint64 time)
{
  const LcHistorySite *sites[MOST_FRAMES];
  guint n = lc_skipped_sites_list (building->skipped, stack, sites, MOST_FRAMES);

  for (guint i = 0; i < n; i++)
    {
      const LcHistorySite *site = sites[outwards ? i : n - 1 - i];
      const LcFlameFrame frame = {.name = flame_graph_name_site (building, site),
                                  .site = site,
                                  .kind = site == NULL       ? LC_FLAME_UNKNOWN
                                          : site->is_library ? LC_FLAME_LIBRARY
                                                             : LC_FLAME_PROGRAM,
                                  .is_blamed = is_blamed};

      parent = flame_graph_add (building, parent, &frame, time);
      if (site == NULL && is_blamed)
        building->graph->unknown_blamed += time;
      else if (site == NULL)
        building->graph->unknown_waiter += time;
    }
  return parent;
}

static void
flame_graph_add_blame (const Building *building, const LcBlame *blame, LcFlameEnds ends)
{
  const LcFlameFrame object = {.name = flame_graph_name_object (building, blame->object), .kind = LC_FLAME_OBJECT};
  guint32 at;

  flame_graph_edit (building->graph, 0)->time += blame->time;
  if (ends == LC_FLAME_ENDS_BLAMED)
    at = flame_graph_add_stack (building, 0, blame->blamed, TRUE, FALSE, blame->time);
  else
    at = flame_graph_add_stack (building, 0, blame->waiter, FALSE, FALSE, blame->time);
  at = flame_graph_add (building, at, &object, blame->time);
  if (ends == LC_FLAME_ENDS_BOTH)
    flame_graph_add_stack (building, at, blame->blamed, TRUE, TRUE, blame->time);
}

/* --- The order of frames ------------------------------------------------------------------------------------------ */

static int
flame_graph_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const LcFlameGraph *graph = data;
  guint32 one_number = *(const guint32 *)a, other_number = *(const guint32 *)b;
  const LcFlameFrame *one = lc_flame_graph_get (graph, one_number), *other = lc_flame_graph_get (graph, other_number);
  int names;

  if (one->parent != other->parent)
    return one->parent < other->parent ? -1 : 1;
  if (one->time != other->time)
    return one->time > other->time ? -1 : 1;
  names = strcmp (one->name, other->name);
  return names != 0 ? names : (one_number > other_number) - (one_number < other_number);
}

static void
flame_graph_sort (LcFlameGraph *graph)
{
  guint32 n = graph->frames->len - 1, children = 0;

  graph->order = g_new (guint32, n + 1);
  for (guint32 i = 0; i < n; i++)
    graph->order[i] = i + 1;
  g_qsort_with_data (graph->order, (gint)n, sizeof (guint32), flame_graph_compare, graph);
  /* Children stand in the order of their parents' numbers. */
  for (guint32 i = 0; i <= n; i++)
    {
      LcFlameFrame *frame = flame_graph_edit (graph, i);

      frame->children = children;
      children += frame->n_children;
    }
}

LcFlameGraph *
lc_flame_graph_new (LcHistory *history, LcNames *names, const GArray *blame, LcFlameEnds ends)
{
  LcFlameGraph *graph = g_new0 (LcFlameGraph, 1);
  g_autoptr (LcSkippedSites) skipped = lc_skipped_sites_new (history, NULL);
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (flame_graph_hash_key, flame_graph_equal_keys, g_free, NULL);
  g_autoptr (GHashTable) site_names = g_hash_table_new (NULL, NULL);
  const Building building = {graph, names, skipped, by_key, site_names};
  const LcFlameFrame all = {.name = _ ("All waiting"), .kind = LC_FLAME_ALL};

  graph->frames = g_array_new (FALSE, FALSE, sizeof (LcFlameFrame));
  graph->names = g_string_chunk_new (4096);
  graph->boxes = g_array_new (FALSE, FALSE, sizeof (LcFlameBox));
  g_array_append_val (graph->frames, all);
  for (guint i = 0; i < blame->len; i++)
    flame_graph_add_blame (&building, &g_array_index (blame, LcBlame, i), ends);
  flame_graph_sort (graph);
  return graph;
}

void
lc_flame_graph_free (LcFlameGraph *graph)
{
  g_array_unref (graph->frames);
  g_array_unref (graph->boxes);
  g_string_chunk_free (graph->names);
  g_free (graph->order);
  g_free (graph);
}

/* --- Paths -------------------------------------------------------------------------------------------------------- */

/* Gives a frame's name as a part of a path. */
static char *
flame_graph_dup_part (const LcFlameFrame *frame)
{
  return g_strdelimit (g_strdup (frame->name), ";", ':');
}

static guint32
flame_graph_find_child (const LcFlameGraph *graph, guint32 parent, const char *part)
{
  const LcFlameFrame *below = lc_flame_graph_get (graph, parent);

  for (guint32 i = 0; i < below->n_children; i++)
    {
      guint32 child = graph->order[below->children + i];
      g_autofree char *name = flame_graph_dup_part (lc_flame_graph_get (graph, child));

      if (strcmp (name, part) == 0)
        return child;
    }
  return parent;
}

guint32
lc_flame_graph_find (const LcFlameGraph *graph, const char *path, gboolean *found)
{
  g_auto (GStrv) parts = g_strsplit (path != NULL ? path : "", ";", -1);
  guint32 frame = 0;

  *found = TRUE;
  for (gsize i = 0; parts[i] != NULL && *found; i++)
    {
      guint32 child = flame_graph_find_child (graph, frame, parts[i]);

      *found = child != frame;
      frame = child;
    }
  return frame;
}

char *
lc_flame_graph_dup_path (const LcFlameGraph *graph, guint32 frame)
{
  GString *path;

  if (frame == 0)
    return NULL;
  path = g_string_new (NULL);
  for (; frame != 0; frame = lc_flame_graph_get (graph, frame)->parent)
    {
      g_autofree char *part = flame_graph_dup_part (lc_flame_graph_get (graph, frame));

      if (path->len > 0)
        g_string_prepend_c (path, ';');
      g_string_prepend (path, part);
    }
  return g_string_free (path, FALSE);
}

/* --- Boxes -------------------------------------------------------------------------------------------------------- */

static void
flame_graph_add_box (LcFlameGraph *graph, const LcFlameBox *box)
{
  g_array_append_vals (graph->boxes, box, 1);
  graph->n_levels = MAX (graph->n_levels, box->level + 1);
}

/* Adds the boxes on a box that is in the array. Boxes of a level are added from left to right, level by level. */
static void
flame_graph_lay_out_children (LcFlameGraph *graph, guint number, double least)
{
  const LcFlameBox below = g_array_index (graph->boxes, LcFlameBox, number);
  const LcFlameFrame *frame = lc_flame_graph_get (graph, below.frame);
  LcFlameBox single, rest = {.frame = below.frame, .level = frame->level + 1, .from = below.from, .to = below.from};

  for (guint32 i = 0; i < frame->n_children; i++)
    {
      guint32 child = graph->order[frame->children + i];
      guint64 time = lc_flame_graph_get (graph, child)->time;
      const LcFlameBox box = {child, 0, rest.level, rest.to, rest.to + time, time};

      rest.to += time;
      if ((double)time < least)
        {
          rest.n_merged++;
          single = box;
          continue;
        }
      flame_graph_add_box (graph, &box);
      rest.from = rest.to;
    }
  rest.time = rest.to - rest.from;
  if (rest.n_merged > 0)
    flame_graph_add_box (graph, rest.n_merged == 1 ? &single : &rest);
}

void
lc_flame_graph_lay_out (LcFlameGraph *graph, guint32 zoomed, double least)
{
  const LcFlameFrame *top = lc_flame_graph_get (graph, zoomed);

  graph->zoomed = zoomed;
  graph->n_levels = 0;
  g_array_set_size (graph->boxes, top->level + 1);
  for (guint32 frame = zoomed, level = top->level + 1; level-- > 0; frame = lc_flame_graph_get (graph, frame)->parent)
    {
      const LcFlameBox box = {frame, 0, level, 0, top->time, lc_flame_graph_get (graph, frame)->time};

      g_array_index (graph->boxes, LcFlameBox, level) = box;
    }
  graph->n_levels = top->level + 1;
  for (guint i = top->level; i < graph->boxes->len; i++)
    if (g_array_index (graph->boxes, LcFlameBox, i).n_merged == 0)
      flame_graph_lay_out_children (graph, i, least);
}
