/* SPDX-License-Identifier: Apache-2.0 */
/* query-history FILE first | fold | windows N SEED | points N SEED: asks a history, and prints each answer's kind and
 * ns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lightcone/history.h"

enum
{
  LIMIT = 30000,  /* marks in a frame */
  PROCESSES = 64, /* in a window, at most */
  LEAST = 1000,   /* ns of a window */
};

static guint64
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (guint64)time.tv_sec * 1000000000 + (guint64)time.tv_nsec;
}

static void
fail (const GError *error)
{
  g_printerr ("query-history: %s\n", error->message);
  exit (2);
}

static LcHistory *
open_history (const char *path)
{
  g_autoptr (GError) error = NULL;
  LcHistory *history = lc_history_open (path, &error);

  if (history == NULL)
    fail (error);
  return history;
}

static void
tell (const char *kind, guint64 begin)
{
  printf ("%s %" G_GUINT64_FORMAT "\n", kind, now () - begin);
}

/* Whether it was events that came, or a summary. */
static gboolean
ask_window (LcHistory *history, const LcWindow *window)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcWindowResult) result = lc_history_query_window (history, window, LIMIT, 0, NULL, &error);
  gsize n_events;

  if (result == NULL)
    fail (error);
  if (lc_window_result_get_events (result, &n_events) == NULL)
    return FALSE;
  g_assert_cmpuint (n_events, <=, LIMIT);
  return TRUE;
}

/* --- The first picture -------------------------------------------------------------------------------------- */

static void
ask_first (const char *path)
{
  guint64 begin = now ();
  g_autoptr (LcHistory) history = open_history (path);
  LcWindow window = {.timeline = LC_TIMELINE_MEASURED, .axis = LC_AXIS_TIME};

  tell ("open", begin);
  lc_history_get_span (history, &window.from, &window.to);
  window.to++;
  ask_window (history, &window);
  tell ("first", begin);
  printf ("events %" G_GUINT64_FORMAT "\n", lc_history_get_n_events (history));
}

/* --- Windows ------------------------------------------------------------------------------------------------ */

/* Its logarithm is uniform. */
static guint64
draw_length (GRand *chance, guint64 least, guint64 most)
{
  if (most <= least)
    return MAX (most, 1);
  return (guint64)exp (g_rand_double_range (chance, log ((double)least), log ((double)most)));
}

static LcWindow
draw_window (GRand *chance, LcHistory *history, LcAxis axis, guint32 *processes)
{
  guint32 n = lc_history_get_n_processes (history),
          count = (guint32)g_rand_int_range (chance, 1, MIN (n, PROCESSES) + 1);
  guint32 first = (guint32)g_rand_int_range (chance, 0, (gint32)(n - count + 1));
  LcWindow window = {LC_TIMELINE_MEASURED, axis, 0, 0, processes, count};
  guint64 begin, end, length;

  lc_history_get_span (history, &begin, &end);
  if (axis == LC_AXIS_LAYER)
    {
      begin = 0;
      end = lc_history_get_n_layers (history);
    }
  length = draw_length (chance, axis == LC_AXIS_LAYER ? 1 : LEAST, end - begin);
  window.from = begin + (guint64)(g_rand_double (chance) * (double)(end - begin - length));
  window.to = window.from + length;
  for (guint32 i = 0; i < count; i++)
    processes[i] = first + i;
  return window;
}

static void
ask_windows (const char *path, guint n, guint32 seed)
{
  static const char *const kinds[] = {"time-summary", "time-events", "layer-summary", "layer-events"};
  g_autoptr (LcHistory) history = open_history (path);
  g_autoptr (GRand) chance = g_rand_new_with_seed (seed);
  guint32 processes[PROCESSES];

  for (guint i = 0; i < n; i++)
    {
      LcAxis axis = i % 2 == 0 ? LC_AXIS_TIME : LC_AXIS_LAYER;
      LcWindow window = draw_window (chance, history, axis, processes);
      guint64 begin = now ();
      gboolean is_events = ask_window (history, &window);

      tell (kinds[(i % 2) * 2 + (guint)is_events], begin);
    }
}

/* --- Points ------------------------------------------------------------------------------------------------- */

/* Any events that have an object and a sequence. */
static LcHistoryEvent *
draw_events (const char *path, guint n, guint32 seed)
{
  g_autoptr (LcHistory) history = open_history (path);
  g_autoptr (GRand) chance = g_rand_new_with_seed (seed);
  g_autoptr (GError) error = NULL;
  LcHistoryEvent *events = g_new (LcHistoryEvent, n);

  for (guint i = 0; i < n;)
    {
      guint32 number = (guint32)g_rand_int_range (chance, 0, (gint32)lc_history_get_n_processes (history));
      const LcHistoryProcess *process = lc_history_get_process (history, number);
      guint64 ordinal = (guint64)(g_rand_double (chance) * (double)process->events);

      if (!lc_history_get_event (history, LC_TIMELINE_MEASURED, number, ordinal, &events[i], &error))
        fail (error);
      i += events[i].object != LC_TRACE_NONE && events[i].flags & LC_TRACE_EVENT_SEQUENCE;
    }
  return events;
}

static gboolean
is_among (const LcHistoryEvent *event, const GArray *found)
{
  for (guint i = 0; i < found->len; i++)
    {
      const LcHistoryEvent *other = &g_array_index (found, LcHistoryEvent, i);

      if (other->process == event->process && other->ordinal == event->ordinal)
        return TRUE;
    }
  return FALSE;
}

/* Asks a history that has nothing in its caches from the drawing. */
static void
ask_points (const char *path, guint n, guint32 seed)
{
  g_autofree LcHistoryEvent *events = draw_events (path, n, seed);
  g_autoptr (LcHistory) history = open_history (path);
  const gsize most = lc_history_get_n_processes (history) + 64;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GArray) found = NULL;
      g_autoptr (GError) error = NULL;
      guint64 begin = now ();

      if (!lc_history_find_by_key (history, LC_TIMELINE_MEASURED, events[i].object, events[i].sequence, most, NULL,
                                   &found, &error))
        fail (error);
      tell ("point", begin);
      g_assert_true (is_among (&events[i], found));
    }
}

/* --- All events --------------------------------------------------------------------------------------------- */

static gboolean
add_waited (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs G_GNUC_UNUSED, gpointer sum)
{
  *(guint64 *)sum += event->waited;
  return TRUE;
}

/* Adds up how long all events have waited. */
static void
ask_fold (const char *path)
{
  g_autoptr (LcHistory) history = open_history (path);
  g_autoptr (GError) error = NULL;
  guint64 sum = 0, begin = now ();

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (!lc_history_visit (history, LC_TIMELINE_MEASURED, i, 0, G_MAXUINT64, add_waited, &sum, NULL, &error))
      fail (error);
  tell ("fold", begin);
  printf ("sum %" G_GUINT64_FORMAT "\n", sum);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 2 ? argv[2] : "";
  guint n = argc == 5 ? (guint)strtoul (argv[3], NULL, 10) : 0;
  guint32 seed = argc == 5 ? (guint32)strtoul (argv[4], NULL, 10) : 0;

  if (g_str_equal (what, "first") && argc == 3)
    ask_first (argv[1]);
  else if (g_str_equal (what, "fold") && argc == 3)
    ask_fold (argv[1]);
  else if (g_str_equal (what, "windows") && n > 0)
    ask_windows (argv[1], n, seed);
  else if (g_str_equal (what, "points") && n > 0)
    ask_points (argv[1], n, seed);
  else
    {
      g_printerr ("query-history FILE first | fold | windows N SEED | points N SEED\n");
      return 2;
    }
  return 0;
}
