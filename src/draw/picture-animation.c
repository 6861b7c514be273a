/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the run that a moving picture shows, one after the other. */
#include "picture-private.h"

/* Gives where part i of n begins: parts are whole numbers, as equal as can be. */
static guint64
picture_animation_get_begin (guint64 length, guint64 i, guint64 n)
{
  return length / n * i + length % n * i / n;
}

/* Lists where phases begin within a span, each place once, and where the span ends. */
static GArray *
picture_animation_list_phases (const LcPhases *phases, guint64 from, guint64 to)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 last = from;

  g_array_append_val (places, from);
  for (guint32 i = 0; i < lc_phases_get_n (phases); i++)
    {
      const guint64 place = lc_phases_get (phases, i)->position;

      if (place <= last || place >= to)
        continue;
      g_array_append_val (places, place);
      last = place;
    }
  g_array_append_val (places, to);
  return places;
}

GArray *
lc_picture_list_parts (const LcPicture *picture, guint n_parts)
{
  const LcPictureOptions *options = &picture->context.options;
  const guint64 length = options->to - options->from;
  g_autoptr (GArray) places = options->selection.time == LC_SCENE_PHASE && length > 0
                                  ? picture_animation_list_phases (picture->phases, options->from, options->to)
                                  : NULL;
  const guint64 steps = places != NULL ? places->len - 1 : MAX (length, 1), n = MIN (n_parts, steps);
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (LcPicturePart));

  for (guint64 i = 0; i < n; i++)
    {
      const guint64 first = picture_animation_get_begin (steps, i, n),
                    next = picture_animation_get_begin (steps, i + 1, n);
      LcPicturePart part = {options->from + first, options->from + next};

      if (places != NULL)
        part = (LcPicturePart){g_array_index (places, guint64, first), g_array_index (places, guint64, next)};
      g_array_append_val (parts, part);
    }
  return parts;
}
