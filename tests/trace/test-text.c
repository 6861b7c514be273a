/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of text traces: what it reads, and what it says of each kind of mistake. */
#include <string.h>
#include <unistd.h>

#include "maker.h"

#define FIRST "%lightcone-events 1\n"

static LcTrace *
open_trace (const char *directory)
{
  g_autoptr (GError) error = NULL;
  LcTrace *trace = lc_trace_open (directory, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (lc_trace_get_format (trace), ==, "text");
  return trace;
}

static void
test_format (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) events = NULL, problems = NULL;
  const LcTraceEvent *event;
  g_autofree char *name = NULL;

  maker_write_text (directory, "1.events", FIRST);
  maker_write_text (directory, "2.events", FIRST);
  maker_write_text (directory, "3.events", FIRST "0 0 tag\n");
  maker_write_text (directory, "0.events",
                    FIRST "%process worker-3\n"
                          "# BEGIN END OPERATION [OBJECT SEQUENCE] [key=value ...]\n"
                          "0 0 tag value=16\n"
                          "1716 3030 await A 0\n"
                          "3450 3570 advance A 1\n"
                          "9000 9900 barrier end 0\n"
                          "\n"
                          "12000 12300 send 0>3:7 12 bytes=4096 to=3\n"
                          "  15000\t19000 recv 2>0:7 4 bytes=4096 from=2 blind=1  \r\n");
  trace = open_trace (directory);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 4);
  g_assert_cmpstr (lc_trace_get_process (trace, 0)->name, ==, "worker-3");
  g_assert_cmpstr (lc_trace_get_process (trace, 1)->name, ==, "1");
  g_assert_cmpuint (lc_trace_count_events (trace, 0), ==, 6);
  g_assert_cmpuint (lc_trace_get_process (trace, 0)->end, ==, 19000);
  events = maker_events (trace, 0);
  g_assert_cmpuint (events->len, ==, 6);
  event = (const LcTraceEvent *)(void *)events->data;
  g_assert_cmpuint (event[0].operation, ==, LC_TAG);
  g_assert_cmpuint (event[0].flags, ==, LC_TRACE_EVENT_VALUE);
  g_assert_cmpint (event[0].value, ==, 16);
  g_assert_cmpuint (event[0].object, ==, LC_TRACE_NONE);
  g_assert_cmpuint (event[1].begin, ==, 1716);
  g_assert_cmpuint (event[1].end, ==, 3030);
  g_assert_cmpuint (event[1].operation, ==, LC_AWAIT);
  g_assert_cmpuint (event[1].flags, ==, LC_TRACE_EVENT_SEQUENCE);
  g_assert_cmpuint (event[1].object, ==, event[2].object);
  g_assert_cmpint (event[2].sequence, ==, 1);
  g_assert_cmpuint (event[4].peer, ==, 3);
  g_assert_cmpuint (event[4].bytes, ==, 4096);
  g_assert_cmpint (event[4].sequence, ==, 12);
  g_assert_cmpuint (event[5].peer, ==, 2);
  g_assert_cmpuint (event[5].begin, ==, 15000);
  g_assert_cmpuint (event[5].cpu, ==, LC_CPU_UNKNOWN);
  g_assert_cmpuint (event[5].flags, ==, LC_TRACE_EVENT_SEQUENCE | LC_TRACE_EVENT_BYTES | LC_TRACE_EVENT_BLIND);
  name = lc_trace_dup_object_name (trace, event[5].object);
  g_assert_cmpstr (name, ==, "2>0:7");
  problems = lc_trace_list_problems (trace);
  g_assert_cmpuint (problems->len, ==, 0);
  maker_remove (directory);
}

/* Numbers in names are numbers, and the rest is text. */
static void
test_order (void)
{
  static const char *const names[] = {"2.events",    "10.events",     "010.events", "a-9.events",
                                      "a-10.events", "a-10-2.events", "b.events"};
  static const guint order[] = {3, 0, 6, 1, 5, 2, 4};
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;
  const char *first, *second;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    maker_write_text (directory, names[order[i]], FIRST);
  maker_write_text (directory, ".hidden.events", FIRST);
  trace = open_trace (directory);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, G_N_ELEMENTS (names));
  g_assert_cmpstr (lc_trace_get_process (trace, 0)->file, ==, "2.events");
  first = lc_trace_get_process (trace, 1)->file;
  second = lc_trace_get_process (trace, 2)->file;
  g_assert_true (g_str_has_suffix (first, "10.events") && g_str_has_suffix (second, "10.events"));
  g_assert_cmpstr (lc_trace_get_process (trace, 3)->file, ==, "a-9.events");
  g_assert_cmpstr (lc_trace_get_process (trace, 6)->file, ==, "b.events");
  maker_remove (directory);
}

/* Operations that no table knows are the rules' business; one name can be an object of several classes. */
/* What a process was blocked in to its end is known of it, and is an exit in its history; events that come after it are
 * told. */
static void
test_pending (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) events = NULL, problems = NULL;
  const LcTracePending *pending;
  const LcTraceProblem *problem;
  const LcTraceEvent *last;

  maker_write_text (directory, "0.events",
                    FIRST "0 10 lock queue 1\n"
                          "%pending 500 9000 lock queue 4\n"
                          "9100 9200 unlock queue 1\n"
                          "%absent 600 900 blocked\n"
                          "%pending 9300 9400 lock queue 5\n");
  maker_write_text (directory, "1.events", FIRST "0 10 lock queue 2\n%pending nothing\n11 12 unlock queue 2\n");
  trace = open_trace (directory);
  pending = &lc_trace_get_process (trace, 0)->pending;
  g_assert_cmpuint (lc_trace_get_process (trace, 0)->state, ==, LC_STATE_CUT);
  g_assert_cmpuint (lc_trace_get_process (trace, 0)->end, ==, 9000);
  g_assert_cmpuint (pending->operation, ==, LC_LOCK);
  g_assert_cmpuint (pending->begin, ==, 500);
  g_assert_true (pending->has_sequence);
  g_assert_cmpint (pending->sequence, ==, 4);
  events = maker_events (trace, 0);
  g_assert_cmpuint (events->len, ==, 2);
  last = &g_array_index (events, LcTraceEvent, 1);
  g_assert_cmpuint (last->operation, ==, LC_EXIT);
  g_assert_cmpuint (last->begin, ==, 500);
  g_assert_cmpuint (last->end, ==, 9000);
  g_assert_cmpuint (pending->object, ==, g_array_index (events, LcTraceEvent, 0).object);
  problems = lc_trace_list_problems (trace);
  problem = maker_problem (problems, "text-pending", "0.events");
  g_assert_nonnull (problem);
  g_assert_cmpuint (problem->count, ==, 2);
  g_assert_null (maker_problem (problems, "text-pending", "1.events"));
  g_clear_pointer (&events, g_array_unref);
  events = maker_events (trace, 1);
  g_assert_cmpuint (events->len, ==, 2);
  g_assert_cmpuint (lc_trace_get_process (trace, 1)->pending.operation, ==, LC_TRACE_NONE);
  maker_remove (directory);
}

static void
test_operations (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) events = NULL, problems = NULL;
  const LcTraceEvent *event;
  LcTraceObject object;

  maker_write_text (directory, "a.events",
                    FIRST
                    "1 2 lock A 1\n3 4 advance A 1\n5 6 borrow A 1\n7 8 acquire A -4\n9 9 acquire\n"
                    "10 10 enter work\n11 11 leave work\n12 12 create b\n13 14 acquire B value=-7 cpu=3 contended=1\n");
  trace = open_trace (directory);
  events = maker_events (trace, 0);
  g_assert_cmpuint (events->len, ==, 9);
  event = (const LcTraceEvent *)(void *)events->data;
  g_assert_cmpuint (event[0].object, !=, event[1].object);
  g_assert_cmpuint (event[2].object, !=, event[1].object);
  g_assert_cmpuint (event[2].object, ==, event[3].object);
  g_assert_cmpuint (event[2].operation, >=, LC_OPERATION_END);
  g_assert_cmpuint (event[3].operation, ==, event[4].operation);
  g_assert_cmpint (event[3].sequence, ==, -4);
  g_assert_cmpuint (event[5].object, ==, event[6].object);
  g_assert_cmpuint (event[5].flags, ==, 0);
  g_assert_cmpuint (event[7].object, !=, LC_TRACE_NONE);
  g_assert_cmpint (event[8].value, ==, -7);
  g_assert_cmpuint (event[8].cpu, ==, 3);
  g_assert_cmpuint (event[8].flags, ==, LC_TRACE_EVENT_VALUE | LC_EVENT_CONTENDED);
  g_assert_cmpstr (lc_trace_get_operation (trace, event[2].operation)->name, ==, "borrow");
  g_assert_null (lc_trace_get_operation (trace, event[2].operation)->class_name);
  g_assert_cmpstr (lc_trace_get_operation (trace, LC_LOCK)->class_name, ==, "mutex");
  g_assert_null (lc_trace_get_operation (trace, 4));
  lc_trace_get_object (trace, event[2].object, &object);
  g_assert_null (object.class_name);
  lc_trace_get_object (trace, event[0].object, &object);
  g_assert_cmpstr (object.class_name, ==, "mutex");
  problems = lc_trace_list_problems (trace);
  g_assert_cmpuint (problems->len, ==, 0);
  maker_remove (directory);
}

/* --- Mistakes --------------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *line; /* the third one, between two good events */
  const char *problem;
  guint n_events;
  const char *detail;
} Mistake;

static const Mistake mistakes[] = {
    {"x 5 tag", "text-time", 2, "x 5 tag"},
    {"5", "text-time", 2, "5"},
    {"5 -6 tag", "text-time", 2, "5 -6 tag"},
    {"5 99999999999999999999 tag", "text-time", 2, "5 99999999999999999999 tag"},
    {"5 5.5 tag", "text-time", 2, "5 5.5 tag"},
    {"5 6", "text-operation", 2, "5 6"},
    {"5 6 value=7", "text-operation", 2, "5 6 value=7"},
    {"5 6 lock A", "text-sequence", 2, "5 6 lock A"},
    {"5 6 lock A value=3", "text-sequence", 2, "5 6 lock A value=3"},
    {"5 6 lock A one", "text-sequence", 2, "5 6 lock A one"},
    {"5 6 mine A one", "text-sequence", 2, "5 6 mine A one"},
    {"6 5 tag", "text-backwards", 3, "6 5 after 2"},
    {"1 5 tag", "text-backwards", 3, "1 5 after 2"},
    {"5 6 tag colour=red", "text-key", 3, "colour=red"},
    {"5 6 tag value=red", "text-value", 3, "value=red"},
    {"5 6 tag value=", "text-value", 3, "value="},
    {"5 6 tag blind=2", "text-value", 3, "blind=2"},
    {"5 6 tag cpu=65536", "text-value", 3, "cpu=65536"},
    {"5 6 send A 1 bytes=-1", "text-value", 3, "bytes=-1"},
    {"5 6 send A 1 to=1", "text-peer", 3, "process 1"},
    {"5 6 lock A 1 B", "text-word", 3, "B"},
    {"%colour red", "text-directive", 2, "%colour red"},
    {"5 6 lock \xFF 1", "bad-text", 3, NULL},
    {"%absent", "text-absence", 2, "%absent"},
    {"%absent 1 2", "text-absence", 2, "%absent 1 2"},
    {"%absent 2 1 blocked", "text-absence", 2, "%absent 2 1 blocked"},
    {"%absent 1 2 asleep", "text-absence", 2, "%absent 1 2 asleep"},
    {"%absent 1 2 blocked 3", "text-absence", 2, "%absent 1 2 blocked 3"},
    {"%absent 1 2305843009213693952 blocked", "text-absence", 2, "%absent 1 2305843009213693952 blocked"},
    {"%absently 1 2 blocked", "text-directive", 2, "%absently 1 2 blocked"},
    {"%switches off", "text-directive", 2, "%switches off"},
    {"%object", "text-directive", 2, "%object"},
    {"%object m", "text-directive", 2, "%object m"},
    {"%object m value=3", "text-directive", 2, "%object m value=3"},
    {"%object m value=x the lock", "text-directive", 2, "%object m value=x the lock"},
    {"%begin 1", "text-directive", 2, "%begin 1"}, /* after an event */
    {"%begin soon", "text-directive", 2, "%begin soon"},
    {"5 6 lock m - 1", "text-word", 3, "1"},
};

static void
test_mistakes (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (mistakes); i++)
    {
      const Mistake *mistake = &mistakes[i];
      char *directory = maker_directory ();
      g_autofree char *text = g_strconcat (FIRST "1 2 tag\n", mistake->line, "\n8 9 tag\n", NULL);
      g_autoptr (LcTrace) trace = NULL;
      g_autoptr (GArray) events = NULL, problems = NULL;
      const LcTraceProblem *problem;

      maker_write_text (directory, "worker.events", text);
      trace = open_trace (directory);
      events = maker_events (trace, 0);
      g_assert_cmpuint (events->len, ==, mistake->n_events);
      g_assert_cmpuint (lc_trace_count_events (trace, 0), ==, mistake->n_events);
      problems = lc_trace_list_problems (trace);
      if (problems->len != 1)
        g_error ("%u problems with \"%s\"", problems->len, mistake->line);
      problem = &g_array_index (problems, LcTraceProblem, 0);
      g_assert_cmpstr (problem->name, ==, mistake->problem);
      g_assert_cmpstr (problem->file, ==, "worker.events");
      g_assert_true (problem->is_line);
      g_assert_cmpuint (problem->where, ==, 3);
      g_assert_cmpuint (problem->count, ==, 1);
      g_assert_cmpstr (problem->detail, ==, mistake->detail);
      maker_remove (directory);
    }
}

/* Reads them a few at a time, as text. */
static char *
list_absences (LcTrace *trace, guint32 process, gsize room)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcAbsences) absences = lc_trace_open_absences (trace, process, &error);
  GString *list = g_string_new (NULL);
  g_autofree LcAbsence *next = g_new (LcAbsence, room);
  gssize n;

  g_assert_no_error (error);
  if (absences == NULL)
    return g_string_free (g_string_assign (list, "not recorded"), FALSE);
  while ((n = lc_absences_next (absences, next, room, &error)) > 0)
    for (gssize i = 0; i < n; i++)
      g_string_append_printf (list, "%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT " %s, ", next[i].begin, next[i].end,
                              next[i].kind == LC_ABSENCE_BLOCKED ? "blocked" : "preempted");
  g_assert_no_error (error);
  g_assert_cmpint (n, ==, 0);
  return g_string_free (list, FALSE);
}

static void
check_absences (LcTrace *trace, guint32 process, const char *expected)
{
  for (gsize room = 1; room < 5; room++)
    {
      g_autofree char *list = list_absences (trace, process, room);

      g_assert_cmpstr (list, ==, expected);
    }
}

/* Absences stand among the events or apart from them, and a wrong one is told once, however often they are read. */
static void
test_absences (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) problems = NULL, events = NULL;
  const LcTraceProblem *problem;

  maker_write_text (directory, "0.events",
                    FIRST "%absent 5 20 blocked\n10 100 lock A 1\n  %absent\t20 30 preempted \n"
                          "200 210 unlock A 1\n%absent 150 160 preempted\n%absent 155 170 blocked\n"
                          "%absent 165 165 blocked\n%absent 900 950 blocked\n");
  maker_write_text (directory, "1.events", FIRST "%switches\n1 2 tag\n");
  maker_write_text (directory, "2.events", FIRST "1 2 tag\n");
  trace = open_trace (directory);
  check_absences (trace, 0, "5-20 blocked, 20-30 preempted, 150-160 preempted, 900-950 blocked, ");
  check_absences (trace, 1, "");
  check_absences (trace, 2, "not recorded");
  events = maker_events (trace, 0);
  g_assert_cmpuint (events->len, ==, 2);
  problems = lc_trace_list_problems (trace);
  g_assert_cmpuint (problems->len, ==, 1);
  problem = maker_problem (problems, "text-absence", "0.events");
  g_assert_cmpuint (problem->where, ==, 7);
  g_assert_cmpuint (problem->count, ==, 1);
  maker_remove (directory);
}

/* Nothing is told of times that were not kept. */
static void
test_absences_within (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;

  maker_write_text (directory, "trace.ini", "[gaps]\n1=0;100;ring\n2=200;;dump\n");
  maker_write_text (directory, "0.events",
                    FIRST "%absent 10 20 blocked\n%absent 30 120 blocked\n%absent 130 140 preempted\n"
                          "%absent 190 300 blocked\n%absent 310 320 blocked\n150 160 tag\n");
  trace = open_trace (directory);
  check_absences (trace, 0, "100-120 blocked, 130-140 preempted, 190-200 blocked, ");
  maker_remove (directory);
}

static void
test_first_line (void)
{
  static const char *const first[] = {"", "\n", "%lightcone-events 2\n", "%lightcone-events 10\n", "0 0 tag\n"};
  char *directory = maker_directory ();

  for (gsize i = 0; i < G_N_ELEMENTS (first); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = g_strconcat (first[i], "1 2 tag\n", NULL);

      maker_write_text (directory, "a.events", *first[i] == '\0' ? "" : text);
      g_assert_null (lc_trace_open (directory, &error));
      g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE);
      g_assert_nonnull (strstr (error->message, "/a.events: "));
      g_assert_nonnull (strstr (error->message, "(line 1)"));
    }
  maker_write_text (directory, "b.events", FIRST "1 2 tag\n");
  {
    g_autoptr (LcTrace) trace = open_trace (directory);
    g_autoptr (GArray) problems = lc_trace_list_problems (trace), events = maker_events (trace, 0);
    const LcTraceProblem *problem = maker_problem (problems, "text-version", "a.events");

    g_assert_cmpuint (events->len, ==, 0);
    g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 2);
    g_assert_nonnull (problem);
    g_assert_cmpuint (problem->where, ==, 1);
    g_assert_cmpint (problem->severity, ==, LC_TRACE_FAULT);
  }
  maker_remove (directory);
}

/* A text that was cut keeps all lines before. */
static void
test_truncation (void)
{
  const char text[] = FIRST "10 20 lock A 1\n30 30 unlock A 1\n";
  const gsize first = strlen (FIRST);

  for (gsize size = first - 1; size < strlen (text); size++)
    {
      char *directory = maker_directory ();
      g_autoptr (LcTrace) trace = NULL;
      g_autoptr (GArray) events = NULL;

      maker_write (directory, "a.events", text, size);
      trace = open_trace (directory);
      events = maker_events (trace, 0);
      if (size >= first + strlen ("10 20 lock A 1"))
        g_assert_cmpuint (events->len, >=, 1);
      maker_remove (directory);
    }
}

/* More than a batch. */
static void
test_many (void)
{
  char *directory = maker_directory ();
  g_autoptr (GString) text = g_string_new (FIRST);
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) events = NULL;

  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (text, "%u %u lock lock-%u %u\n", 10 * i, 10 * i + 5, i % 100, i / 100);
  maker_write_text (directory, "a.events", text->str);
  trace = open_trace (directory);
  events = maker_events (trace, 0);
  g_assert_cmpuint (events->len, ==, 5000);
  g_assert_cmpuint (lc_trace_get_n_objects (trace), ==, 100);
  for (guint i = 0; i < 5000; i++)
    g_assert_cmpuint (g_array_index (events, LcTraceEvent, i).object, ==, i % 100);
  maker_remove (directory);
}

/* Times that no sum with another one could hold. The event after it keeps its own. */
static void
test_large_times (void)
{
  static const char *const times[] = {"2305843009213693952", "9223372036854775807", "9223372036854775808",
                                      "18446744073709551615"};

  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    {
      char *directory = maker_directory ();
      g_autofree char *text =
          g_strconcat (FIRST "1 20 tag\n", times[i], " ", times[i], " tag\n25 2305843009213693951 tag\n", NULL);
      g_autoptr (LcTrace) trace = NULL;
      g_autoptr (GArray) events = NULL, problems = NULL;
      const LcTraceProblem *problem;

      maker_write_text (directory, "0.events", text);
      trace = open_trace (directory);
      events = maker_events (trace, 0);
      g_assert_cmpuint (events->len, ==, 3);
      g_assert_cmpuint (g_array_index (events, LcTraceEvent, 1).begin, ==, 20);
      g_assert_cmpuint (g_array_index (events, LcTraceEvent, 1).end, ==, 20);
      g_assert_cmpuint (g_array_index (events, LcTraceEvent, 2).begin, ==, 25);
      g_assert_cmpuint (lc_trace_get_process (trace, 0)->end, ==, LC_TIME_LIMIT - 1);
      problems = lc_trace_list_problems (trace);
      g_assert_cmpuint (problems->len, ==, 1);
      problem = maker_problem (problems, "text-time-large", "0.events");
      g_assert_nonnull (problem);
      g_assert_cmpuint (problem->where, ==, 3);
      g_assert_cmpuint (problem->count, ==, 1);
      maker_remove (directory);
    }
}

/* The last byte of a line is the last that may be there, and then the first that may not. */
static void
test_long_lines (void)
{
  for (guint more = 0; more < 2; more++)
    {
      char *directory = maker_directory ();
      g_autoptr (GString) text = g_string_new (FIRST "1 2 tag\n");
      g_autoptr (LcTrace) trace = NULL;
      g_autoptr (GArray) events = NULL, problems = NULL;
      gsize begin = text->len + strlen ("3 4 tag #");

      g_string_append (text, "3 4 tag #");
      while (text->len < begin + (1 << 20) - strlen ("3 4 tag #") + more)
        g_string_append_c (text, 'x');
      g_string_append (text, "\n5 6 tag\n");
      maker_write_text (directory, "0.events", text->str);
      trace = open_trace (directory);
      events = maker_events (trace, 0);
      g_assert_cmpuint (events->len, ==, more ? 1 : 3);
      problems = lc_trace_list_problems (trace);
      g_assert_cmpint (maker_problem (problems, "long-line", "0.events") != NULL, ==, more == 1);
      maker_remove (directory);
    }
}

/* More files than the system has room for mappings in one process, all of them read at once. */
static void
test_more_than_mappings (void)
{
  enum
  {
    FILES = 66000
  };
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GPtrArray) cursors = g_ptr_array_new_with_free_func ((GDestroyNotify)lc_trace_cursor_close);
  g_autoptr (GArray) problems = NULL;

  for (guint i = 0; i < FILES; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.events", i);

      maker_write_text (directory, name, FIRST "1 2 tag\n");
    }
  trace = open_trace (directory);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, FILES);
  for (guint i = 0; i < FILES; i++)
    {
      LcTraceBatch batch;

      g_ptr_array_add (cursors, lc_trace_cursor_open (trace, i));
      g_assert_true (lc_trace_cursor_next (cursors->pdata[i], &batch));
      g_assert_cmpuint (batch.n_events, ==, 1);
    }
  problems = lc_trace_list_problems (trace);
  g_assert_cmpuint (problems->len, ==, 0);
  g_ptr_array_set_size (cursors, 0);
  g_clear_pointer (&trace, lc_trace_free);
  maker_remove (directory);
}

/* Bytes that are not on the disk: the file seems to have all that there is. */
static void
test_sparse (void)
{
  char *directory = maker_directory ();
  g_autofree char *path = g_build_filename (directory, "0.events", NULL);
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) events = NULL, problems = NULL;
  const LcTraceProblem *problem;

  maker_write_text (directory, "0.events", FIRST "1 2 tag\n");
  g_assert_cmpint (truncate (path, (off_t)8 << 30), ==, 0);
  trace = open_trace (directory);
  events = maker_events (trace, 0);
  g_assert_cmpuint (events->len, ==, 1);
  problems = lc_trace_list_problems (trace);
  problem = maker_problem (problems, "long-line", "0.events");
  g_assert_nonnull (problem);
  g_assert_cmpuint (problem->where, ==, 3);
  maker_remove (directory);
}

/* The file is cut while it is being read: what has been read is given, and nothing else happens. */
static void
test_cut_meanwhile (void)
{
  char *directory = maker_directory ();
  g_autofree char *path = g_build_filename (directory, "0.events", NULL);
  g_autoptr (GString) text = g_string_new (FIRST);
  g_autoptr (LcTrace) trace = NULL;
  LcTraceCursor *cursor;
  LcTraceBatch batch;
  guint n = 0;

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "%u %u tag\n", i, i);
  maker_write_text (directory, "0.events", text->str);
  trace = open_trace (directory);
  cursor = lc_trace_cursor_open (trace, 0);
  while (lc_trace_cursor_next (cursor, &batch))
    {
      if (n == 0)
        g_assert_cmpint (truncate (path, 0), ==, 0);
      n += (guint)batch.n_events;
    }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, 100000);
  lc_trace_cursor_close (cursor);
  g_clear_pointer (&trace, lc_trace_free);
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/format", test_format);
  g_test_add_func ("/text/order", test_order);
  g_test_add_func ("/text/pending", test_pending);
  g_test_add_func ("/text/operations", test_operations);
  g_test_add_func ("/text/mistakes", test_mistakes);
  g_test_add_func ("/text/absences", test_absences);
  g_test_add_func ("/text/absences/within", test_absences_within);
  g_test_add_func ("/text/first-line", test_first_line);
  g_test_add_func ("/text/truncation", test_truncation);
  g_test_add_func ("/text/many", test_many);
  g_test_add_func ("/text/large-times", test_large_times);
  g_test_add_func ("/text/long-lines", test_long_lines);
  g_test_add_func ("/text/more-than-mappings", test_more_than_mappings);
  g_test_add_func ("/text/sparse", test_sparse);
  g_test_add_func ("/text/cut-meanwhile", test_cut_meanwhile);
  return g_test_run ();
}
