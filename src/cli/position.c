/* SPDX-License-Identifier: Apache-2.0 */
/* Places on the axis of a picture, as users write them: times, layers, phases, shares. */
#include "position.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "lightcone/phases.h"
#include "trace/quantities.h"

/* The axis that places are on. */
typedef struct
{
  LcSceneTime time;
  guint64 from; /* the span of the whole run */
  guint64 to;
  LcPhases *phases; /* in phase time only */
} Axis;

static gboolean
position_fail (const char *option, const char *text, const char *wanted, GError **error)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("export: %s %s: it has to be %s"), option, text,
               wanted);
  return FALSE;
}

/* Splits a text into a number and the rest. */
static gboolean
split_number (const char *text, double *number, const char **rest)
{
  char *end;

  if (!g_ascii_isdigit (text[0]) && text[0] != '.')
    return FALSE;
  *number = g_ascii_strtod (text, &end);
  while (*end == ' ')
    end++;
  *rest = end;
  return end != text && isfinite (*number);
}

static gboolean
parse_share (const Axis *axis, const char *text, guint64 *position)
{
  const char *rest;
  double number;

  if (!split_number (text, &number, &rest) || strcmp (rest, "%") != 0 || number > 100)
    return FALSE;
  *position = axis->from + (guint64)((double)(axis->to - axis->from) * number / 100);
  return TRUE;
}

/* Gives the number of a phase: the last word of its name. */
static const char *
position_get_phase_number (const LcPhase *phase)
{
  const char *space = strrchr (phase->name, ' ');

  return space != NULL ? space + 1 : phase->name;
}

static gboolean
parse_phase (const Axis *axis, const char *option, const char *text, gboolean after, guint64 *position, GError **error)
{
  guint32 n = lc_phases_get_n (axis->phases);
  g_autofree char *wanted = NULL;

  for (guint32 i = 0; i < n; i++)
    {
      const LcPhase *phase = lc_phases_get (axis->phases, i);

      if (strcmp (phase->name, text) != 0 && strcmp (position_get_phase_number (phase), text) != 0)
        continue;
      *position = !after ? phase->position : i + 1 < n ? lc_phases_get (axis->phases, i + 1)->position : axis->to;
      return TRUE;
    }
  wanted = g_strdup_printf (_ ("the number of a phase, from %s to %s, or a share of the run, as 10%%"),
                            position_get_phase_number (lc_phases_get (axis->phases, 0)),
                            position_get_phase_number (lc_phases_get (axis->phases, n - 1)));
  return position_fail (option, text, wanted, error);
}

/* `after`: gives the end of a layer or phase instead of its begin. */
static gboolean
parse_position (const Axis *axis, const char *option, const char *text, gboolean after, guint64 *position,
                GError **error)
{
  if (parse_share (axis, text, position))
    return TRUE;
  if (axis->time == LC_SCENE_PHASE)
    return parse_phase (axis, option, text, after, position, error);
  if (axis->time == LC_SCENE_PHYSICAL)
    return lc_parse_time (text, position) ||
           position_fail (option, text, _ ("a time, as 12ms, 1.5s, 300us or 42 (ns), or a share of the run, as 10%"),
                          error);
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, position, NULL))
    return position_fail (option, text, _ ("the number of a layer, or a share of the run, as 10%"), error);
  *position += after;
  return TRUE;
}

static gboolean
parse_both (const Axis *axis, LcPictureOptions *options, const char *from, const char *to, GError **error)
{
  options->from = axis->from;
  options->to = axis->to;
  if ((from != NULL && !parse_position (axis, "--from", from, FALSE, &options->from, error)) ||
      (to != NULL && !parse_position (axis, "--to", to, TRUE, &options->to, error)))
    return FALSE;
  if (options->from < options->to)
    return TRUE;
  if (from != NULL && to == NULL)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("export: --from %s is not before the end of the run"), from);
  else if (from == NULL && to != NULL)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("export: --to %s is not after the begin of the run"), to);
  else
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("export: --to %s is not after --from %s"), to,
                 from);
  return FALSE;
}

/* Finds the span of the whole run, and in phase time its phases. */
static gboolean
find_axis (LcHistory *history, const LcPictureOptions *options, Axis *axis, GError **error)
{
  if (axis->time != LC_SCENE_PHASE)
    return lc_picture_find_span (history, options, &axis->from, &axis->to, NULL, error);
  axis->phases = lc_phases_find (history, options->n_timelines > 0 ? options->timelines[0] : LC_TIMELINE_MEASURED,
                                 options->phases != NULL ? options->phases : "auto", NULL, error);
  if (axis->phases == NULL)
    return FALSE;
  axis->to = lc_phases_get_n_positions (axis->phases);
  return TRUE;
}

gboolean
lc_parse_positions (LcHistory *history, LcPictureOptions *options, const char *from, const char *to, GError **error)
{
  Axis axis = {.time = options->selection.time};
  gboolean good;

  if (from == NULL && to == NULL)
    return TRUE;
  good = find_axis (history, options, &axis, error) && parse_both (&axis, options, from, to, error);
  g_clear_pointer (&axis.phases, lc_phases_free);
  return good;
}
