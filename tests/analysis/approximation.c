/* SPDX-License-Identifier: Apache-2.0 */
/* Small text traces, approximated without a history, as text to compare. */
#include "approximation.h"

#include <glib/gstdio.h>

#include "analysis/approximator.h"

static void
write_file (const TextTrace *trace, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (trace->directory, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

TextTrace *
text_trace_new (const char *const *files, const char *ini)
{
  TextTrace *trace = g_new0 (TextTrace, 1);
  g_autoptr (GError) error = NULL;

  trace->directory = g_dir_make_tmp ("lightcone-approximation-XXXXXX", NULL);
  for (gsize i = 0; files[i] != NULL; i += 2)
    {
      g_autofree char *name = g_strconcat (files[i], ".events", NULL);
      g_autofree char *text = g_strconcat ("%lightcone-events 1\n", files[i + 1], NULL);

      write_file (trace, name, text);
    }
  if (ini != NULL)
    write_file (trace, "trace.ini", ini);
  trace->trace = lc_trace_open (trace->directory, &error);
  g_assert_no_error (error);
  trace->rules = lc_rules_new ();
  return trace;
}

void
text_trace_free (TextTrace *trace)
{
  GDir *entries = g_dir_open (trace->directory, 0, NULL);
  const char *name;

  lc_trace_free (trace->trace);
  lc_rules_free (trace->rules);
  while ((name = g_dir_read_name (entries)) != NULL)
    {
      g_autofree char *path = g_build_filename (trace->directory, name, NULL);

      g_unlink (path);
    }
  g_dir_close (entries);
  g_rmdir (trace->directory);
  g_free (trace->directory);
  g_free (trace);
}

LcCosts *
text_trace_get_costs (TextTrace *trace, const char *const *settings, gboolean estimated)
{
  g_autoptr (GError) error = NULL;
  LcCosts *costs = lc_costs_new (trace->trace, trace->rules, settings, &error);

  g_assert_no_error (error);
  if (estimated)
    lc_costs_estimate (costs, trace->trace, trace->rules, NULL, &error);
  g_assert_no_error (error);
  return costs;
}

/* Sees each event after the approximator has. */
typedef struct
{
  LcSweepVisitor visitor;
  const LcApproximator *approximator;
  GString **lines; /* by process */
} Observer;

static void
observe (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  const Observer *observer = (const Observer *)visitor;
  const LcTimelineEvent *event = lc_approximator_get_event (observer->approximator);
  GString *line = observer->lines[step->process];

  g_string_append_printf (line, "%s%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, line->len > 0 ? " " : "", event->begin,
                          event->end);
  if (event->waited > 0)
    g_string_append_printf (line, "w%" G_GUINT64_FORMAT, event->waited);
  if (event->reordered)
    g_string_append_c (line, '*');
}

static void
prepare_report (LcApproximation *report)
{
  *report = (LcApproximation){.processes = g_array_new (FALSE, FALSE, sizeof (LcApproximatedProcess)),
                              .operations = g_array_new (FALSE, FALSE, sizeof (guint32)),
                              .warnings = g_ptr_array_new_with_free_func (g_free),
                              .warning_kinds = g_ptr_array_new ()};
}

char *
text_trace_approximate (TextTrace *trace, const LcCosts *costs, const LcApproximateOptions *options,
                        LcApproximation *report)
{
  g_autoptr (LcApproximator) approximator = lc_approximator_new (trace->trace, trace->rules, costs, options, NULL);
  const guint32 n = lc_trace_get_n_processes (trace->trace);
  g_autofree GString **lines = g_new0 (GString *, n);
  Observer observer = {{NULL, observe}, approximator, lines};
  LcSweepVisitor *const visitors[] = {lc_approximator_get_visitor (approximator), &observer.visitor, NULL};
  GString *all = g_string_new (NULL);
  LcSweepResult result;

  for (guint32 i = 0; i < n; i++)
    lines[i] = g_string_new (NULL);
  g_assert_true (lc_sweep_run (trace->trace, trace->rules, visitors, NULL, NULL, &result, NULL));
  lc_sweep_result_clear (&result);
  for (guint32 i = 0; i < n; i++)
    {
      g_string_append_printf (all, "%s%s", i > 0 ? "\n" : "", lines[i]->str);
      g_string_free (lines[i], TRUE);
    }
  if (report != NULL)
    {
      prepare_report (report);
      lc_approximator_report (approximator, report);
    }
  return g_string_free (all, FALSE);
}
