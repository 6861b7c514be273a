/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures: a view with its options, in a frame. */
#include "lightcone/picture.h"

#include <glib/gi18n-lib.h>

#include "history/wrong-times.h"
#include "picture-private.h"
#include "trace/gaps.h"
#include "trace/loss.h"

G_DEFINE_QUARK (lc - picture - error - quark, lc_picture_error)

/* Tells what is missing, or wrong, in all that a view can show. NULL: nothing. */
static char *
dup_lost (LcHistory *history)
{
  g_autoptr (GPtrArray) sentences = g_ptr_array_new_with_free_func (g_free);
  LcTraceLost lost;

  lc_history_get_lost (history, &lost);
  g_ptr_array_add (sentences, lc_lost_describe (&lost));
  g_ptr_array_add (sentences, lc_wrong_times_describe (lc_wrong_times_count (history)));
  g_ptr_array_add (sentences, lc_gaps_describe (lc_history_get_gaps (history), ". "));
  while (g_ptr_array_remove (sentences, NULL))
    ;
  if (sentences->len == 0)
    return NULL;
  g_ptr_array_add (sentences, NULL);
  return g_strjoinv (". ", (char **)sentences->pdata);
}

LcPicture *
lc_picture_new (LcHistory *history, const LcPictureOptions *options, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcPicture) picture = g_new0 (LcPicture, 1);
  gint64 begun = g_get_monotonic_time ();

  picture->snapshot = history != NULL ? lc_history_take_snapshot (history) : NULL;
  if (!lc_picture_fill (picture, picture->snapshot, options, cancellable, error))
    return NULL;
  picture->model = picture->view->gather (&picture->context, cancellable, error);
  if (picture->model == NULL)
    return NULL;
  picture->untitled = g_strcmp0 (options->title, "") == 0;
  picture->title = lc_picture_dup_title (picture, picture->untitled ? NULL : options->title);
  picture->shown = lc_picture_dup_shown (picture);
  picture->lost = history != NULL ? dup_lost (history) : NULL;
  g_debug ("view %s gathered in %.1f ms", picture->view->info.name, (double)(g_get_monotonic_time () - begun) / 1e3);
  return g_steal_pointer (&picture);
}

gboolean
lc_picture_move (LcPicture *picture, guint64 from, guint64 to, GCancellable *cancellable, GError **error)
{
  LcPictureOptions *options = &picture->context.options;
  const guint64 from_before = options->from, to_before = options->to;

  g_return_val_if_fail (picture->view->move != NULL && from < to, FALSE);

  options->from = from;
  options->to = to;
  if (!picture->view->move (picture->model, cancellable, error))
    {
      options->from = from_before;
      options->to = to_before;
      return FALSE;
    }
  g_free (picture->shown);
  picture->shown = lc_picture_dup_shown (picture);
  return TRUE;
}

void
lc_picture_free (LcPicture *picture)
{
  if (picture == NULL)
    return;
  if (picture->model != NULL)
    picture->view->free (picture->model);
  g_clear_pointer (&picture->frame, lc_frame_free);
  g_clear_pointer (&picture->phases, lc_phases_free);
  g_clear_pointer (&picture->context.names, lc_names_free);
  g_clear_pointer (&picture->context.timelines, g_ptr_array_unref);
  g_free (picture->timelines);
  lc_selection_clear (&picture->context.options.selection);
  g_free (picture->definition);
  g_free (picture->measure);
  g_free (picture->path);
  g_free (picture->directory);
  g_free (picture->title);
  g_free (picture->shown);
  g_free (picture->lost);
  lc_history_free (picture->snapshot);
  g_free (picture);
}

void
lc_picture_paint (LcPicture *picture, LcCanvas *canvas)
{
  g_clear_pointer (&picture->frame, lc_frame_free);
  picture->frame = lc_frame_new (picture->untitled ? "" : picture->title, picture->shown);
  if ((picture->view->info.traits & LC_VIEW_OVER_TIME) != 0 &&
      picture->context.options.orientation == LC_ORIENTATION_DOWN)
    lc_frame_turn (picture->frame);
  lc_frame_place_time (picture->frame, &picture->context.options.place);
  picture->view->describe (picture->model, picture->frame, canvas);
  if (picture->lost != NULL)
    lc_frame_add_note (picture->frame, picture->lost);
  picture->area = lc_frame_paint (picture->frame, canvas, picture->context.whole);
  lc_canvas_begin (canvas, picture->view->info.name, NULL);
  picture->view->paint (picture->model, picture->frame, canvas, picture->area);
  lc_canvas_end (canvas);
}

char *
lc_picture_dup_text_at (LcPicture *picture, LcPlace place, double margin)
{
  g_return_val_if_fail (picture->frame != NULL, NULL);

  if (picture->view->text_at == NULL)
    return NULL;
  return picture->view->text_at (picture->model, picture->frame, picture->area, place, margin);
}

char *
lc_picture_dup_description (LcPicture *picture)
{
  g_autofree char *told = picture->view->tell != NULL ? picture->view->tell (picture->model) : NULL;

  g_autofree char *all = told != NULL ? g_strdup_printf (_ ("%s. %s. %s"), picture->title, picture->shown, told)
                                      : g_strdup_printf (_ ("%s. %s."), picture->title, picture->shown);

  return picture->lost != NULL ? g_strdup_printf (_ ("%s %s."), all, picture->lost) : g_steal_pointer (&all);
}
