/* SPDX-License-Identifier: Apache-2.0 */
/* The scenes from which a shot is laid out. */
#include "app/diagram/shot-scene.h"

#include <math.h>

#include "lightcone/morph.h"

/* Share of all rows below which a scene of only the visible rows is worthwhile. */
#define FEW 0.5

static void
fill_query (const LcShotSubject *subject, double n_rows, LcSceneQuery *query)
{
  const LcDiagramView *view = &subject->view;
  double along = view->orientation == LC_ORIENTATION_DOWN ? view->area.height : view->area.width;

  lc_shown_fill_query (subject->shown, query);
  query->from = (guint64)MAX (floor (view->from), 0);
  query->to = MAX ((guint64)MAX (ceil (view->to), 0), query->from + 1);
  query->length = (guint)MAX (lround (along * subject->pixels), 1);
  query->breadth = (guint)MAX (lround (n_rows * lc_diagram_get_row_size (view) * subject->pixels), 1);
}

/* On the way between two timelines, both are laid out as one picture. */
static LcScene *
shot_scene_lay_out (const LcShotSubject *subject, const LcSceneQuery *query, GCancellable *cancellable, GError **error)
{
  LcHistory *history = subject->shown->opened->history;

  if (subject->share >= 0 && query->beside != LC_TRACE_NONE && query->selection.time == LC_SCENE_PHYSICAL)
    return lc_scene_new_between (history, query, subject->share, cancellable, error);
  return lc_scene_new (history, query, cancellable, error);
}

LcScene *
lc_shot_make_scene (const LcShotSubject *subject, GCancellable *cancellable, GError **error)
{
  LcSceneQuery query;

  fill_query (subject, lc_shown_get_n_rows (subject->shown), &query);
  return shot_scene_lay_out (subject, &query, cancellable, error);
}

LcScene *
lc_shot_make_detail (const LcShotSubject *subject, const LcScene *scene, guint32 *first_row, GCancellable *cancellable,
                     GError **error)
{
  guint32 n_rows = lc_scene_get_n_rows (scene), last;
  LcSceneQuery query;

  *first_row = (guint32)CLAMP (floor (subject->view.first_row), 0, n_rows - 1.0);
  last = (guint32)CLAMP (ceil (subject->view.last_row), *first_row + 1.0, n_rows);
  if (!lc_scene_is_summary (scene) || subject->shown->selection.row_ends != NULL || last - *first_row > n_rows * FEW)
    return NULL;
  fill_query (subject, last - *first_row, &query);
  query.selection.processes += *first_row;
  query.selection.n_processes = last - *first_row;
  return shot_scene_lay_out (subject, &query, cancellable, error);
}
