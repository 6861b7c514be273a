/* SPDX-License-Identifier: Apache-2.0 */
/* Places on the axis of a picture, as users write them: times, layers, phases, shares. */
#include "draw/options/position.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "lightcone/phases.h"
#include "trace/quantities.h"

/* The axis that places are on. */
typedef struct
{
  LcHistory *history;
  guint32 timeline;
  const char *definition; /* of phases */
  LcSceneTime time;
  guint64 from; /* the span of the whole run */
  guint64 to;
  LcPhases *phases; /* in phase time; else NULL until a place is a phase */
} Axis;

static gboolean
position_fail (const char *option, const char *text, const char *wanted, GError **error)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("%s %s: it has to be %s"), option, text, wanted);
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
position_find_phase (const Axis *axis, const char *option, const char *text, const char *name, guint32 *number,
                     GError **error)
{
  guint32 n = lc_phases_get_n (axis->phases);
  g_autofree char *wanted = NULL;

  for (guint32 i = 0; i < n; i++)
    {
      const LcPhase *phase = lc_phases_get (axis->phases, i);

      if (strcmp (phase->name, name) != 0 && strcmp (position_get_phase_number (phase), name) != 0)
        continue;
      *number = i;
      return TRUE;
    }
  wanted = g_strdup_printf (_ ("the number of a phase, from %s to %s, or a share of the run, as 10%%"),
                            position_get_phase_number (lc_phases_get (axis->phases, 0)),
                            position_get_phase_number (lc_phases_get (axis->phases, n - 1)));
  return position_fail (option, text, wanted, error);
}

static gboolean
parse_phase (const Axis *axis, const char *option, const char *text, gboolean after, guint64 *position, GError **error)
{
  guint32 number;

  if (!position_find_phase (axis, option, text, text, &number, error))
    return FALSE;
  if (after)
    number++;
  *position = number < lc_phases_get_n (axis->phases) ? lc_phases_get (axis->phases, number)->position : axis->to;
  return TRUE;
}

/* --- Layers and phases in physical time --------------------------------------------------------------------------- */

static gboolean
position_find_phases (Axis *axis, GError **error)
{
  if (axis->phases == NULL)
    axis->phases = lc_phases_find (axis->history, axis->timeline, axis->definition, NULL, error);
  return axis->phases != NULL;
}

/* Finds when the first event of a phase begins, or the last one ends: phases may overlap in time. */
static gboolean
position_parse_phase_time (Axis *axis, const char *option, const char *text, const char *name, gboolean after,
                           guint64 *position, GError **error)
{
  const LcPhase *phase;
  guint32 number;

  if (!position_find_phases (axis, error) || !position_find_phase (axis, option, text, name, &number, error))
    return FALSE;
  phase = lc_phases_get (axis->phases, number);
  if (phase->events == 0)
    return position_fail (option, text, _ ("a phase that has events"), error);
  *position = after ? phase->end : phase->begin;
  return TRUE;
}

/* Finds when the event of a process on a layer begins, or ends. FALSE without an error: it has none there. */
static gboolean
position_find_in_layer (const Axis *axis, guint32 process, guint64 layer, gboolean after, guint64 *time, GError **error)
{
  guint64 n_events;
  LcHistoryEvent event;

  if (!lc_history_count_events (axis->history, axis->timeline, process, &n_events, error) || n_events == 0 ||
      !lc_history_find_event_at_layer (axis->history, axis->timeline, process, layer, &event, error))
    return FALSE;
  *time = after ? event.end : event.begin;
  return event.layer == layer;
}

/* There is an event on each layer. */
static gboolean
position_parse_layer_time (const Axis *axis, const char *option, const char *text, const char *name, gboolean after,
                           guint64 *position, GError **error)
{
  const guint64 n_layers = lc_history_get_n_layers (axis->history);
  g_autofree char *last = g_strdup_printf ("%" G_GUINT64_FORMAT, n_layers > 0 ? n_layers - 1 : 0);
  g_autofree char *wanted = g_strdup_printf (_ ("the number of a layer, from 0 to %s"), last);
  GError *reason = NULL;
  guint64 layer, time;

  if (n_layers == 0 || !g_ascii_string_to_unsigned (name, 10, 0, n_layers - 1, &layer, NULL))
    return position_fail (option, text, wanted, error);
  *position = after ? axis->from : axis->to;
  for (guint32 process = 0; process < lc_history_get_n_processes (axis->history); process++)
    {
      if (position_find_in_layer (axis, process, layer, after, &time, &reason))
        *position = after ? MAX (*position, time) : MIN (*position, time);
      if (reason != NULL)
        {
          g_propagate_error (error, reason);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
position_parse_time (Axis *axis, const char *option, const char *text, gboolean after, guint64 *position,
                     GError **error)
{
  if (g_str_has_prefix (text, "layer "))
    return position_parse_layer_time (axis, option, text, text + strlen ("layer "), after, position, error);
  if (g_str_has_prefix (text, "phase "))
    return position_parse_phase_time (axis, option, text, text + strlen ("phase "), after, position, error);
  return lc_parse_time (text, position) ||
         position_fail (option, text,
                        _ ("a time, as 12ms, 1.5s, 300us or 42 (ns), a share of the run, as 10%, or a place in the "
                           "order, as “layer 12” or “phase 3”"),
                        error);
}

/* `after`: gives the end of a layer or phase instead of its begin. */
static gboolean
parse_position (Axis *axis, const char *option, const char *text, gboolean after, guint64 *position, GError **error)
{
  if (parse_share (axis, text, position))
    return TRUE;
  if (axis->time == LC_SCENE_PHASE)
    return parse_phase (axis, option, text, after, position, error);
  if (axis->time == LC_SCENE_PHYSICAL)
    return position_parse_time (axis, option, text, after, position, error);
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, position, NULL))
    return position_fail (option, text, _ ("the number of a layer, or a share of the run, as 10%"), error);
  *position += after;
  return TRUE;
}

static gboolean
parse_both (Axis *axis, LcPictureOptions *options, const char *from, const char *to, GError **error)
{
  options->from = axis->from;
  options->to = axis->to;
  if ((from != NULL && !parse_position (axis, "--from", from, FALSE, &options->from, error)) ||
      (to != NULL && !parse_position (axis, "--to", to, TRUE, &options->to, error)))
    return FALSE;
  if (options->from < options->to)
    return TRUE;
  if (from != NULL && to == NULL)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--from %s is not before the end of the run"),
                 from);
  else if (from == NULL && to != NULL)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--to %s is not after the begin of the run"), to);
  else
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--to %s is not after --from %s"), to, from);
  return FALSE;
}

/* Finds the span of the whole run, and in phase time its phases. */
static gboolean
find_axis (LcHistory *history, const LcPictureOptions *options, Axis *axis, GError **error)
{
  if (axis->time != LC_SCENE_PHASE)
    return lc_picture_find_span (history, options, &axis->from, &axis->to, NULL, error);
  if (!position_find_phases (axis, error))
    return FALSE;
  axis->to = lc_phases_get_n_positions (axis->phases);
  return TRUE;
}

gboolean
lc_parse_positions (LcHistory *history, LcPictureOptions *options, const char *from, const char *to, GError **error)
{
  Axis axis = {.history = history,
               .timeline = options->n_timelines > 0 ? options->timelines[0] : LC_TIMELINE_MEASURED,
               .definition = options->phases != NULL ? options->phases : "auto",
               .time = options->selection.time};
  gboolean good;

  if (from == NULL && to == NULL)
    return TRUE;
  good = find_axis (history, options, &axis, error) && parse_both (&axis, options, from, to, error);
  g_clear_pointer (&axis.phases, lc_phases_free);
  return good;
}
