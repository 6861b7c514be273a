/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep that is decided again by a plain approximation, and everything that it has shown. */
#include "redecide-case.h"

#include <string.h>

#include "lightcone/merge.h"

/* Where a process has come to. */
typedef struct
{
  guint64 begin, end;
  gboolean tag; /* its last event was one */
} Process;

/* Takes overheads off, keeps each operation's own cost, and lets those that wait go on after what they wait for. */
typedef struct
{
  LcSweepVisitor visitor;
  const Wish *wish;
  Process *processes;
  Redecided *result;
} Plain;

static void
begin (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Plain *plain = (Plain *)visitor;
  Process *process = &plain->processes[step->process];
  guint64 gap = step->event->begin - step->since, overhead = process->tag ? plain->wish->tag_overhead : 0;

  process->begin = process->end + (gap > overhead ? gap - overhead : 0);
  *step->carried = process->begin;
}

static guint64
find_release (const LcSweepStep *step)
{
  guint64 release = 0;

  for (gsize i = 0; i < step->n_arcs; i++)
    release = MAX (release, step->arcs[i].carried[0]);
  for (gsize i = 0; step->group != NULL && i < step->group->n_members; i++)
    release = MAX (release, step->group->members[i].carried[0]);
  return release;
}

static void
note (Plain *plain, const LcSweepStep *step)
{
  const LcTraceEvent *event = step->event;
  Process *process = &plain->processes[step->process];
  Seen *seen = g_new0 (Seen, 1);

  *seen = (Seen){step->origin_process,
                 step->origin_ordinal,
                 event->operation,
                 event->object,
                 event->peer,
                 event->sequence,
                 event->bytes,
                 process->begin,
                 process->end,
                 event->begin,
                 event->end,
                 step->decided,
                 (event->flags & LC_EVENT_UNKNOWN) != 0,
                 NULL};
  seen->arcs = g_array_new (FALSE, FALSE, sizeof (SeenArc));
  for (gsize i = 0; i < step->n_arcs; i++)
    {
      const SeenArc arc = {step->arcs[i].process, step->arcs[i].ordinal, step->arcs[i].point};

      g_array_append_val (seen->arcs, arc);
    }
  g_assert_cmpuint (step->ordinal, ==, plain->result->seen[step->process]->len);
  g_ptr_array_add (plain->result->seen[step->process], seen);
}

static void
end (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Plain *plain = (Plain *)visitor;
  Process *process = &plain->processes[step->process];
  guint64 cost = step->event->end - step->event->begin - step->waited;

  process->end = MAX (MAX (process->begin, step->granted), find_release (step)) + cost;
  process->tag = step->event->operation == LC_TAG;
  *step->carried = process->end;
  note (plain, step);
}

static guint64
get_begin (gpointer data, guint32 process)
{
  return ((Plain *)data)->processes[process].begin;
}

static guint64
get_arrival (gpointer data, guint32 from, guint32 to, guint64 bytes, guint64 sent)
{
  return sent + ((Plain *)data)->wish->transit;
}

static guint64
get_grant (gpointer data, guint32 process, const LcSweepNext *given, guint32 giver)
{
  const Plain *plain = data;

  return MAX (plain->processes[process].begin, plain->processes[giver].end) + plain->wish->wakes;
}

static gboolean
is_barged (gpointer data, guint32 operation)
{
  return ((Plain *)data)->wish->wakes > 0;
}

static void
seen_free (gpointer data)
{
  Seen *seen = data;

  g_array_unref (seen->arcs);
  g_free (seen);
}

/* TRUE: the sweep has come to the end. */
static gboolean
sweep (Redecided *result, LcTrace *trace, const LcRules *rules, LcRedecide *redecide, const Wish *wish)
{
  Plain plain = {{begin, end}, wish, NULL, result};
  const LcRedecideClock clock = {get_begin, get_arrival, get_grant, is_barged, &plain};
  LcSweepVisitor *visitors[] = {&plain.visitor, NULL};
  g_autoptr (GError) error = NULL;
  LcSweepResult swept;
  LcSweepDirector *director;
  gboolean done;

  for (guint i = 0; i < result->n_processes; i++)
    g_ptr_array_set_size (result->seen[i], 0);
  plain.processes = g_new0 (Process, result->n_processes);
  director = lc_redecide_start (redecide, &clock, &error);
  g_assert_no_error (error);
  done = lc_sweep_run_directed (trace, rules, director, visitors, NULL, NULL, &swept, &error);
  if (!done)
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
  g_clear_error (&error);
  g_assert_true (lc_redecide_finish (redecide, &error));
  lc_sweep_result_clear (&swept);
  g_free (plain.processes);
  result->n_sweeps++;
  return done;
}

Redecided *
redecided_new (const Case *trial, const char *const *files, const Wish *wish)
{
  Redecided *result = g_new0 (Redecided, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcTrace) trace = lc_trace_open (trial->directory, &error);
  g_autoptr (LcRules) rules = lc_merge_load_rules (trial->directory, files, &error);
  g_autoptr (LcRedecide) redecide =
      lc_redecide_new (trace, rules, trial->history, wish->model, wish->blind, NULL, &error);

  g_assert_no_error (error);
  result->n_processes = lc_trace_get_n_processes (trace);
  result->seen = g_new0 (GPtrArray *, result->n_processes);
  for (guint i = 0; i < result->n_processes; i++)
    result->seen[i] = g_ptr_array_new_with_free_func (seen_free);
  result->found.decided = g_array_new (FALSE, FALSE, sizeof (LcDecided));
  result->found.warnings = g_ptr_array_new_with_free_func (g_free);
  result->found.warning_kinds = g_ptr_array_new ();
  while (!sweep (result, trace, rules, redecide, wish))
    g_assert_cmpuint (result->n_sweeps, <, 10);
  lc_redecide_report (redecide, &result->found);
  return result;
}

void
redecided_free (Redecided *result)
{
  for (guint i = 0; i < result->n_processes; i++)
    g_ptr_array_unref (result->seen[i]);
  g_free (result->seen);
  g_array_unref (result->found.decided);
  g_ptr_array_unref (result->found.warnings);
  g_ptr_array_unref (result->found.warning_kinds);
  g_free (result);
}

const Seen *
redecided_get (const Redecided *result, guint process, guint ordinal)
{
  g_assert_cmpuint (ordinal, <, result->seen[process]->len);
  return result->seen[process]->pdata[ordinal];
}

static char *
dup_object (const Case *trial, guint32 object)
{
  LcHistoryObject of;
  char *name;

  if (object == LC_TRACE_NONE)
    return g_strdup ("-");
  g_assert_true (lc_history_get_object (trial->history, object, &of, NULL));
  name = g_strdup (of.name);
  lc_history_object_clear (&of);
  return name;
}

LcDecided
redecided_find (const Redecided *result, const Case *trial, const char *object, gboolean work)
{
  for (guint i = 0; i < result->found.decided->len; i++)
    {
      const LcDecided *decided = &g_array_index (result->found.decided, LcDecided, i);
      g_autofree char *name = dup_object (trial, decided->object);

      if (strcmp (name, object) == 0 && decided->work == work)
        return *decided;
    }
  g_error ("nothing of %s was decided", object);
}

char *
redecided_dup_text (const Case *trial, const Seen *seen)
{
  g_autofree char *object = dup_object (trial, seen->object);

  return g_strdup_printf ("%s %s %" G_GINT64_FORMAT, lc_history_get_operation (trial->history, seen->operation)->name,
                          object, seen->sequence);
}

void
redecided_expect (const Case *trial, const Redecided *result, guint process, guint ordinal, const char *text)
{
  const Seen *seen = redecided_get (result, process, ordinal);
  g_autofree char *what = redecided_dup_text (trial, seen);
  g_autofree char *all = g_strdup_printf ("%u:%u %s %u-%u", seen->origin_process, (guint)seen->origin_ordinal, what,
                                          (guint)seen->begin, (guint)seen->end);

  g_assert_cmpstr (all, ==, text);
}
