/* SPDX-License-Identifier: Apache-2.0 */
/* The table of events: its rows are those that fit, in the order that was asked for, wherever they are read from. */
#include "../analysis/case.h"
#include "app/tables/events-source.h"

enum
{
  PROCESSES = 5,
  EVENTS = 1500, /* of each: several blocks */
  PAGE = 100,
};

/* Tags of no or some length, several at one moment, and waits for them. */
static char *
write_process (GRand *random, guint process)
{
  GString *text = g_string_new (NULL);
  guint time = (guint)g_rand_int_range (random, 0, 50);

  for (guint i = 0; i < EVENTS; i++)
    {
      guint length = (guint)g_rand_int_range (random, 0, 4), pause = (guint)g_rand_int_range (random, 0, 3);

      if (process > 0 && i % 7 == 3)
        g_string_append_printf (text, "%u %u await A %u\n", time, time + length, i % 700);
      else if (process == 0)
        g_string_append_printf (text, "%u %u advance A %u\n", time, time + length, i);
      else
        g_string_append_printf (text, "%u %u tag value=%u\n", time, time + length, i);
      time += length + pause;
    }
  return g_string_free (text, FALSE);
}

typedef struct
{
  Case *trial;
  LcOpened *opened;
  LcShown *shown;
  GArray *events; /* LcHistoryEvent: all, by process and ordinal */
} Fixture;

static gboolean
take (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  g_array_append_vals (data, event, 1);
  return TRUE;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  const char *files[2 * PROCESSES + 1] = {NULL};
  char *texts[2 * PROCESSES];

  for (guint i = 0; i < PROCESSES; i++)
    {
      files[2 * i] = texts[2 * i] = g_strdup_printf ("%c", 'a' + (char)i);
      files[2 * i + 1] = texts[2 * i + 1] = write_process (random, i);
    }
  fixture->trial = case_new (files, NULL);
  fixture->opened = lc_opened_new (g_steal_pointer (&fixture->trial->history), fixture->trial->directory, FALSE);
  fixture->shown = lc_shown_new (fixture->opened);
  fixture->events = g_array_new (FALSE, FALSE, sizeof (LcHistoryEvent));
  for (guint i = 0; i < PROCESSES; i++)
    g_assert_true (lc_history_visit (fixture->opened->history, LC_TIMELINE_MEASURED, i, 0, G_MAXUINT64, take,
                                     fixture->events, NULL, NULL));
  g_assert_cmpuint (fixture->events->len, ==, PROCESSES * EVENTS);
  for (guint i = 0; i < 2 * PROCESSES; i++)
    g_free (texts[i]);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_array_unref (fixture->events);
  lc_shown_unref (fixture->shown);
  lc_opened_unref (fixture->opened);
  case_free (fixture->trial);
}

/* --- What is expected ----------------------------------------------------------------------------------------------
 */

typedef struct
{
  LcEventsOrder order;
  gboolean descending;
  const LcSlacks *slacks;
} Order;

static guint64
key_of (const LcHistoryEvent *event, const Order *order)
{
  switch (order->order)
    {
    case LC_EVENTS_BY_BEGIN:
      return event->begin;
    case LC_EVENTS_BY_LENGTH:
      return event->end - event->begin;
    case LC_EVENTS_BY_WAIT:
      return event->waited;
    case LC_EVENTS_BY_SLACK:
      return lc_slacks_get (order->slacks, event);
    case LC_EVENTS_BY_PROCESS:
    case LC_EVENTS_ORDERS:
    default:
      return event->process;
    }
}

/* Those that are alike stand in the order of processes and ordinals; turned round where nothing had to be sorted. */
static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const LcHistoryEvent *one = a, *other = b;
  const Order *order = data;
  guint64 key = key_of (one, order), other_key = key_of (other, order);

  if (key != other_key)
    return (key < other_key) != order->descending ? -1 : 1;
  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  return one->ordinal < other->ordinal ? -1 : 1;
}

static GArray *
list_expected (const Fixture *fixture, const LcEventsAsked *asked, const char *operation)
{
  GArray *expected = g_array_new (FALSE, FALSE, sizeof (LcHistoryEvent));
  gboolean turns = asked->descending && operation == NULL && asked->order <= LC_EVENTS_BY_BEGIN;
  g_autoptr (LcSlacks) slacks = lc_opened_find_slacks (asked->shown->opened, asked->shown->timeline, TRUE, NULL, NULL);
  Order order = {asked->order, asked->descending && !turns, slacks};

  for (guint i = 0; i < fixture->events->len; i++)
    {
      const LcHistoryEvent *event = &g_array_index (fixture->events, LcHistoryEvent, i);
      gboolean logical = asked->shown->selection.time == LC_SCENE_LOGICAL;
      double from = logical ? (double)event->layer : (double)event->begin;
      double to = logical ? (double)event->layer + 1 : (double)event->end;
      const char *its = lc_history_get_operation (fixture->opened->history, event->operation)->name;

      if (asked->in_view && (to < asked->span.from || (logical ? from >= asked->span.to : from > asked->span.to)))
        continue;
      if (operation == NULL || g_str_equal (its, operation))
        g_array_append_vals (expected, event, 1);
    }
  g_array_sort_with_data (expected, compare, &order);
  for (guint i = 0; turns && i < expected->len / 2; i++)
    {
      LcHistoryEvent *one = &g_array_index (expected, LcHistoryEvent, i), kept = *one;
      LcHistoryEvent *other = &g_array_index (expected, LcHistoryEvent, expected->len - 1 - i);

      *one = *other;
      *other = kept;
    }
  return expected;
}

/* --- What there is -------------------------------------------------------------------------------------------------
 */

static LcTableSource *
find (const LcEventsAsked *asked, guint expected)
{
  g_autoptr (GError) error = NULL;
  LcJobPermille done = 0;
  LcEventsFound *found = lc_events_source_find ((gpointer)asked, &done, NULL, &error);
  LcTableSource *source;

  g_assert_no_error (error);
  g_assert_null (found->problem);
  g_assert_cmpuint (found->n_found, ==, expected);
  g_assert_cmpuint (found->source->n_rows, ==, expected);
  source = lc_table_source_ref (found->source);
  lc_events_found_free (found);
  return source;
}

static void
check_page (LcTableSource *source, const GArray *expected, guint64 first)
{
  guint n_rows = (guint)MIN (PAGE, expected->len - first);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcTablePage) page = source->read (source, first, n_rows, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < n_rows; i++)
    {
      const LcHistoryEvent *event = &g_array_index (expected, LcHistoryEvent, first + i);
      g_autofree char *begin = g_strdup_printf ("%" G_GUINT64_FORMAT, event->begin);

      g_assert_cmpuint (page->links[i].first, ==, event->process);
      g_assert_cmpuint (page->links[i].second, ==, event->ordinal);
      g_assert_cmpstr (lc_table_page_get (page, i, LC_EVENTS_BEGIN)->raw, ==, begin);
    }
}

static void
check_place (LcTableSource *source, const GArray *expected, guint position)
{
  const LcHistoryEvent *event = &g_array_index (expected, LcHistoryEvent, position);
  LcEventsPlaceAsked asked = {.source = source, .event = {event->process, event->ordinal}};
  g_autoptr (GError) error = NULL;
  LcJobPermille done = 0;
  g_autofree guint64 *place = lc_events_source_place (&asked, &done, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (*place, ==, position);
}

/* Pages from anywhere, and where some of their events are. */
static void
check (const Fixture *fixture, LcEventsAsked *asked, const char *operation)
{
  g_autoptr (GArray) expected = list_expected (fixture, asked, operation);
  g_autoptr (LcTableSource) source = find (asked, expected->len);
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (guint64 first = 0; first < expected->len; first += PAGE)
    check_page (source, expected, first);
  for (guint i = 0; i < 20 && expected->len > 0; i++)
    {
      guint at = (guint)g_rand_int_range (random, 0, (gint32)expected->len);

      check_page (source, expected, at);
      check_place (source, expected, at);
    }
}

static const LcSpan spans[] = {
    {0, 1e9, 0, PROCESSES}, {100, 2000, 0, PROCESSES}, {777, 777.5, 0, PROCESSES}, {1e8, 2e8, 0, PROCESSES}};

static void
test_orders (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i <= G_N_ELEMENTS (spans); i++)
    for (LcEventsOrder order = 0; order < LC_EVENTS_ORDERS; order++)
      for (guint descending = 0; descending < 2; descending++)
        {
          LcEventsAsked asked = {.shown = fixture->shown, .order = order, .descending = descending == 1};

          asked.in_view = i > 0;
          asked.span = spans[i > 0 ? i - 1 : 0];
          check (fixture, &asked, NULL);
        }
}

static void
test_layers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LcShown) logical = lc_shown_copy (fixture->shown);

  logical->selection.time = LC_SCENE_LOGICAL;
  for (guint i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      LcEventsAsked asked = {
          .shown = logical, .order = i % 2 == 0 ? LC_EVENTS_BY_PROCESS : LC_EVENTS_BY_BEGIN, .in_view = TRUE};

      asked.span = spans[i];
      check (fixture, &asked, NULL);
    }
}

static void
test_filter (Fixture *fixture, gconstpointer data)
{
  g_autofree char *problem = NULL;
  g_autoptr (GArray) terms = lc_search_query_parse ("await", &problem);

  for (LcEventsOrder order = 0; order < LC_EVENTS_ORDERS; order++)
    for (guint descending = 0; descending < 2; descending++)
      {
        LcEventsAsked asked = {.shown = fixture->shown, .terms = terms, .order = order, .descending = descending == 1};

        check (fixture, &asked, "await");
      }
}

/* A time leads to the first row that begins then or later. */
static void
test_times (Fixture *fixture, gconstpointer data)
{
  LcEventsAsked by_begin = {.shown = fixture->shown, .order = LC_EVENTS_BY_BEGIN};
  g_autoptr (GArray) expected = list_expected (fixture, &by_begin, NULL);
  g_autoptr (LcTableSource) source = find (&by_begin, expected->len);

  for (guint64 time = 0; time < 4000; time += 37)
    {
      LcEventsPlaceAsked asked = {.source = source, .is_time = TRUE, .time = time, .event.process = LC_TRACE_NONE};
      LcJobPermille done = 0;
      g_autofree guint64 *place = lc_events_source_place (&asked, &done, NULL, NULL);
      guint first = 0;

      while (first + 1 < expected->len && g_array_index (expected, LcHistoryEvent, first).begin < time)
        first++;
      g_assert_cmpuint (*place, ==, first);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/events/orders", Fixture, NULL, set_up, test_orders, tear_down);
  g_test_add ("/events/layers", Fixture, NULL, set_up, test_layers, tear_down);
  g_test_add ("/events/filter", Fixture, NULL, set_up, test_filter, tear_down);
  g_test_add ("/events/times", Fixture, NULL, set_up, test_times, tear_down);
  return g_test_run ();
}
