/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all views. */
#include <string.h>

#include "view.h"

static const LcView *const views[] = {
    &lc_view_space_time,
    &lc_view_parallelism,
    &lc_view_parallelism_histogram,
    &lc_view_parallelism_average,
    &lc_view_waiting,
    &lc_view_waiting_history,
    &lc_view_flame,
    &lc_view_matrix,
    &lc_view_objects,
    &lc_view_processors,
    &lc_view_snapshots,
    &lc_view_communication,
    &lc_view_phases,
    &lc_view_phase_map,
    &lc_view_phase_surface,
    &lc_view_ratio,
    &lc_view_profile,
};

const LcViewInfo *
lc_views_get (gsize *n_views)
{
  static LcViewInfo infos[G_N_ELEMENTS (views)];
  static gsize once;

  if (g_once_init_enter (&once))
    {
      for (gsize i = 0; i < G_N_ELEMENTS (views); i++)
        infos[i] = views[i]->info;
      g_once_init_leave (&once, 1);
    }
  *n_views = G_N_ELEMENTS (views);
  return infos;
}

const LcView *
lc_view_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (views); i++)
    if (name == NULL || strcmp (views[i]->info.name, name) == 0)
      return views[i];
  return NULL;
}

const LcViewInfo *
lc_views_find (const char *name)
{
  const LcView *view = lc_view_find (name);

  return view != NULL ? &view->info : NULL;
}
