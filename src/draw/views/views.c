/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all views. */
#include <string.h>

#include "view-sheet.h"

static const LcView *const views[] = {
    &lc_view_space_time,
    &lc_view_parallelism,
    &lc_view_parallelism_histogram,
    &lc_view_parallelism_average,
    &lc_view_states,
    &lc_view_messages,
    &lc_view_waiting,
    &lc_view_waiting_history,
    &lc_view_flame,
    &lc_view_matrix,
    &lc_view_graph,
    &lc_view_objects,
    &lc_view_processors,
    &lc_view_slack,
    &lc_view_snapshots,
    &lc_view_communication,
    &lc_view_phases,
    &lc_view_phase_map,
    &lc_view_phase_surface,
    &lc_view_ratio,
    &lc_view_profile,
};

/* The views as they are listed. A list is never changed: a longer one takes its place, and the old one stays for who
 * has it. What is left behind is as much as the scripts of a user define. */
typedef struct
{
  gsize n_views;
  const LcView **views;
  LcViewInfo *infos;
} ViewsList;

static GMutex views_lock;
static ViewsList *views_list;

static ViewsList *
views_make_list (const LcView *const *all, gsize n_views)
{
  ViewsList *list = g_new0 (ViewsList, 1);

  list->n_views = n_views;
  list->views = g_memdup2 (all, n_views * sizeof *all);
  list->infos = g_new0 (LcViewInfo, n_views);
  for (gsize i = 0; i < n_views; i++)
    list->infos[i] = all[i]->info;
  return list;
}

/* The lock must be held. */
static const ViewsList *
views_get_locked (void)
{
  if (views_list == NULL)
    views_list = views_make_list (views, G_N_ELEMENTS (views));
  return views_list;
}

static const ViewsList *
views_get (void)
{
  const ViewsList *list;

  g_mutex_lock (&views_lock);
  list = views_get_locked ();
  g_mutex_unlock (&views_lock);
  return list;
}

const LcViewInfo *
lc_views_get (gsize *n_views)
{
  const ViewsList *list = views_get ();

  *n_views = list->n_views;
  return list->infos;
}

/* Gives the number of the view of this name, or that of all views. */
static gsize
views_find_number (const ViewsList *list, const char *name)
{
  gsize i = 0;

  while (i < list->n_views && strcmp (list->infos[i].name, name) != 0)
    i++;
  return i;
}

const LcView *
lc_view_find (const char *name)
{
  const ViewsList *list = views_get ();
  gsize number = name != NULL ? views_find_number (list, name) : 0;

  return number < list->n_views ? list->views[number] : NULL;
}

const LcViewInfo *
lc_views_find (const char *name)
{
  const ViewsList *list = views_get ();
  gsize number = name != NULL ? views_find_number (list, name) : 0;

  return number < list->n_views ? &list->infos[number] : NULL;
}

static gboolean
views_is_same (const LcViewInfo *info, const char *title, const char *summary)
{
  return strcmp (info->title, title) == 0 && strcmp (info->summary, summary) == 0;
}

static void
views_put_locked (const ViewsList *list, gsize number, const LcView *view)
{
  gsize n_views = MAX (list->n_views, number + 1);
  g_autofree const LcView **all = g_new (const LcView *, n_views);

  memcpy (all, list->views, list->n_views * sizeof *all);
  all[number] = view;
  views_list = views_make_list (all, n_views);
}

gboolean
lc_sheets_add_view (const char *name, const char *title, const char *summary)
{
  const ViewsList *list;
  gsize number;

  g_return_val_if_fail (name[0] != '\0', FALSE);
  title = title != NULL && title[0] != '\0' ? title : name;
  summary = summary != NULL && summary[0] != '\0' ? summary : title;
  g_mutex_lock (&views_lock);
  list = views_get_locked ();
  number = views_find_number (list, name);
  if (number >= G_N_ELEMENTS (views) &&
      (number == list->n_views || !views_is_same (&list->infos[number], title, summary)))
    views_put_locked (list, number, lc_view_sheet_new (name, title, summary));
  g_mutex_unlock (&views_lock);
  return number >= G_N_ELEMENTS (views);
}
