/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines in memory, and traces to approximate: at random, or what an approximation has come to. */
#include "approximated.h"

#include <string.h>

/* --- A timeline ----------------------------------------------------------------------------------------------- */

static gboolean
collect (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Timeline *timeline = data;
  const TimelineEvent found = {*event, timeline->arcs->len};

  g_assert_cmpuint (event->ordinal, ==, timeline->events[event->process]->len);
  g_array_append_vals (timeline->arcs, arcs, event->n_arcs);
  g_array_append_val (timeline->events[event->process], found);
  return TRUE;
}

Timeline *
timeline_new (LcHistory *history, guint32 number)
{
  Timeline *timeline = g_new0 (Timeline, 1);

  timeline->n_processes = lc_history_get_n_processes (history);
  timeline->events = g_new0 (GArray *, timeline->n_processes);
  timeline->arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArcEnd));
  for (guint32 i = 0; i < timeline->n_processes; i++)
    {
      g_autoptr (GError) error = NULL;

      timeline->events[i] = g_array_new (FALSE, FALSE, sizeof (TimelineEvent));
      lc_history_visit (history, number, i, 0, G_MAXUINT64, collect, timeline, NULL, &error);
      g_assert_no_error (error);
    }
  return timeline;
}

void
timeline_free (Timeline *timeline)
{
  for (guint32 i = 0; i < timeline->n_processes; i++)
    g_array_unref (timeline->events[i]);
  g_free (timeline->events);
  g_array_unref (timeline->arcs);
  g_free (timeline);
}

const TimelineEvent *
timeline_event (const Timeline *timeline, guint32 process, guint64 ordinal)
{
  g_assert_cmpuint (process, <, timeline->n_processes);
  g_assert_cmpuint (ordinal, <, timeline->events[process]->len);
  return &g_array_index (timeline->events[process], TimelineEvent, ordinal);
}

guint64
timeline_point (const Timeline *timeline, const LcHistoryArcEnd *point)
{
  const LcHistoryEvent *event = &timeline_event (timeline, point->process, point->ordinal)->event;

  return point->point == LC_POINT_BEGIN ? event->begin : event->end;
}

static guint
hash_group (gconstpointer key)
{
  const TimelineGroup *group = key;

  return group->object * 31 + (guint)group->sequence;
}

static gboolean
equal_groups (gconstpointer first, gconstpointer second)
{
  const TimelineGroup *one = first, *other = second;

  return one->object == other->object && one->sequence == other->sequence;
}

static void
join_group (GHashTable *groups, const LcHistoryEvent *event)
{
  TimelineGroup key = {.object = event->object, .sequence = event->sequence};
  TimelineGroup *group = g_hash_table_lookup (groups, &key);

  if (group == NULL)
    {
      key.last = event->begin;
      key.process = event->process;
      g_hash_table_add (groups, g_memdup2 (&key, sizeof key));
    }
  else if (event->begin > group->last)
    {
      group->others = group->last;
      group->last = event->begin;
      group->process = event->process;
    }
  else
    group->others = MAX (group->others, event->begin);
}

GHashTable *
timeline_list_groups (const Timeline *timeline)
{
  GHashTable *groups = g_hash_table_new_full (hash_group, equal_groups, g_free, NULL);

  for (guint32 i = 0; i < timeline->n_processes; i++)
    for (guint j = 0; j < timeline->events[i]->len; j++)
      {
        const LcHistoryEvent *event = &timeline_event (timeline, i, j)->event;

        if (event->flags & LC_HISTORY_EVENT_GROUP)
          join_group (groups, event);
      }
  return groups;
}

/* --- Traces --------------------------------------------------------------------------------------------------- */

static void
write_file (const char *directory, const char *name, const GString *text)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text->str, (gssize)text->len, &error);
  g_assert_no_error (error);
}

static void
write_process (const char *directory, guint32 process, const GString *lines)
{
  g_autofree char *name = g_strdup_printf ("%u.events", process);
  g_autoptr (GString) text = g_string_new ("%lightcone-events 1\n");

  g_string_append_len (text, lines->str, (gssize)lines->len);
  write_file (directory, name, text);
}

static void
write_settings (const char *directory, const char *settings)
{
  g_autoptr (GString) text = g_string_new (settings);

  if (text->len > 0)
    write_file (directory, "trace.ini", text);
}

static void
add_line (GString *text, guint64 begin, guint64 end, const char *rest)
{
  g_string_append_printf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s\n", begin, end, rest);
}

/* How many processes have such an event together, as the event itself has to say. */
static void
add_number (GString *text, const char *operation, guint n_processes)
{
  static const char *const alone[] = {"broadcast-root", "broadcast-recv", "scatter-root", "scatter",    "reduce",
                                      "reduce-root",    "gather",         "gather-root",  "all-reduce", "all-gather",
                                      "all-to-all",     "reduce-scatter", "scan",         "barrier",    NULL};

  if (g_strv_contains (alone, operation))
    g_string_append_printf (text, " value=%u", n_processes);
}

static void
add_random_event (GString *text, const RandomHistory *history, const RandomEvent *event, guint64 shift)
{
  g_autoptr (GString) rest = g_string_new (event->operation);

  g_string_append_printf (rest, " %s %" G_GINT64_FORMAT, event->object, event->sequence);
  add_number (rest, event->operation, history->n_processes);
  if (event->object[0] == 'h')
    g_string_append_printf (rest, " bytes=%u", (guint)(event->sequence * 97 + event->object[1] * 13) % 300);
  add_line (text, event->begin + shift, event->end + shift, rest->str);
}

/* Somebody who was there before makes it, or nobody: it was there from the start. */
static gint
make_parent (GRand *random, guint process)
{
  return process > 0 && g_rand_boolean (random) ? g_rand_int_range (random, 0, (gint32)process) : -1;
}

void
random_trace_write (const RandomHistory *history, const char *directory, guint32 seed, const char *settings)
{
  guint n = history->n_processes;
  g_autofree guint64 *now = g_new0 (guint64, n);
  g_autofree gint *parents = g_new (gint, n);
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  GRand *random = g_rand_new_with_seed (seed);
  guint64 shift = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *create = g_strdup_printf ("create p%u", i), *start = g_strdup_printf ("start p%u", i);
      guint64 begin;

      g_ptr_array_add (texts, g_string_new (NULL));
      parents[i] = make_parent (random, i);
      if (parents[i] < 0)
        continue;
      begin = now[parents[i]] + (guint64)g_rand_int_range (random, 0, 40);
      now[parents[i]] = begin + (guint64)g_rand_int_range (random, 0, 20);
      add_line (texts->pdata[parents[i]], begin, now[parents[i]], create);
      begin += (guint64)g_rand_int_range (random, 0, 40);
      now[i] = begin + (guint64)g_rand_int_range (random, 0, 20);
      add_line (texts->pdata[i], begin, now[i], start);
    }
  for (guint i = 0; i < n; i++)
    shift = MAX (shift, now[i]);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < history->events[i]->len; j++)
      {
        const RandomEvent *event = random_history_event (history, i, j);

        add_random_event (texts->pdata[i], history, event, shift);
        now[i] = event->end + shift;
      }
  for (guint i = n; i-- > 0;)
    {
      g_autofree char *join = g_strdup_printf ("join p%u", i), *leave = g_strdup_printf ("exit p%u", i);
      guint64 begin;

      if (parents[i] < 0)
        continue;
      now[i] += (guint64)g_rand_int_range (random, 0, 40);
      add_line (texts->pdata[i], now[i], now[i], leave);
      begin = now[parents[i]] + (guint64)g_rand_int_range (random, 0, 40);
      now[parents[i]] = MAX (begin, now[i]) + (guint64)g_rand_int_range (random, 0, 20);
      add_line (texts->pdata[parents[i]], begin, now[parents[i]], join);
    }
  for (guint i = 0; i < n; i++)
    {
      write_process (directory, i, texts->pdata[i]);
      g_string_free (texts->pdata[i], TRUE);
    }
  write_settings (directory, settings);
  g_rand_free (random);
}

typedef struct
{
  const char *name;
  guint flag;
} Flag;

static void
add_event (GString *text, LcHistory *history, const LcHistoryEvent *event)
{
  static const Flag flags[] = {{"blind", LC_TRACE_EVENT_BLIND},
                               {"unknown", LC_EVENT_UNKNOWN},
                               {"again", LC_EVENT_AGAIN},
                               {"fork", LC_EVENT_FORK},
                               {"timed-out", LC_EVENT_TIMED_OUT}};
  g_autoptr (GString) rest = g_string_new (lc_history_get_operation (history, event->operation)->name);

  if (event->object != LC_TRACE_NONE)
    g_string_append_printf (rest, " o%u", event->object);
  if (event->object != LC_TRACE_NONE && event->flags & LC_TRACE_EVENT_SEQUENCE)
    g_string_append_printf (rest, " %" G_GINT64_FORMAT, event->sequence);
  if (event->flags & LC_TRACE_EVENT_VALUE)
    g_string_append_printf (rest, " value=%" G_GINT64_FORMAT, event->value);
  if (event->flags & LC_TRACE_EVENT_BYTES)
    g_string_append_printf (rest, " bytes=%" G_GUINT64_FORMAT, event->bytes);
  if (event->peer != LC_TRACE_NONE)
    g_string_append_printf (rest, " to=%u", event->peer);
  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++)
    if (event->flags & flags[i].flag)
      g_string_append_printf (rest, " %s=1", flags[i].name);
  add_line (text, event->begin, event->end, rest->str);
}

void
timeline_write (const Timeline *timeline, LcHistory *history, const char *directory, const char *settings)
{
  for (guint32 i = 0; i < timeline->n_processes; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint j = 0; j < timeline->events[i]->len; j++)
        add_event (text, history, &timeline_event (timeline, i, j)->event);
      write_process (directory, i, text);
    }
  write_settings (directory, settings);
}
