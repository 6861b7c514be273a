/* SPDX-License-Identifier: Apache-2.0 */
/* The shown choices in words. */
#include <glib/gi18n.h>

#include "app/diagram/state-line.h"
#include "draw/options/view-options.h"
#include "draw/picture-private.h"
#include "trace/quantities.h"

enum
{
  MOST_NAMES = 2, /* of a filter: the line is short */
};

static char *
state_texts_dup_part (const LcShown *shown, const LcPhases *phases, double from, double to)
{
  LcSceneTime time =
      shown->selection.time == LC_SCENE_PHASE && phases == NULL ? LC_SCENE_LOGICAL : shown->selection.time;

  return lc_picture_dup_span (time, phases, (guint64)MAX (from, 0), (guint64)MAX (to, 0));
}

char *
lc_state_dup_span (LcSession *session)
{
  const LcShown *shown = lc_session_get_shown (session);
  const LcPhases *phases = lc_kept_get (shown->phases);
  g_autofree char *part = NULL, *all = NULL;
  const double end = lc_session_get_run_end (session);
  LcSpan span, whole;

  lc_session_get_span (session, &span);
  lc_session_get_whole (session, &whole);
  all = state_texts_dup_part (shown, phases, whole.from, end);
  if (span.from <= whole.from && span.to >= whole.to)
    return g_strdup_printf (_ ("whole run: %s"), all);
  part = state_texts_dup_part (shown, phases, MIN (span.from, end), MIN (span.to, end));
  return g_strdup_printf (_ ("%s of %s"), part, all);
}

char *
lc_state_dup_processes (const LcShown *shown)
{
  guint32 n = lc_history_get_n_processes (shown->opened->history);
  g_autofree char *all = lc_format_count (n), *some = lc_format_count (shown->selection.n_processes);

  if (shown->selection.n_processes == n)
    return g_strdup_printf (ngettext ("%s process", "%s processes", n), all);
  return g_strdup_printf (ngettext ("%s of %s process", "%s of %s processes", n), some, all);
}

char *
lc_state_dup_filter (const LcShown *shown)
{
  g_autoptr (LcNames) names = lc_names_new (shown->opened->history);
  const LcOptionTelling telling = {.names = names, .most = MOST_NAMES};
  g_autoptr (GPtrArray) texts = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  LcPictureOptions options;
  guint32 timelines[2];

  lc_shown_fill_options (shown, &options, timelines);
  lc_view_options_list_texts (&options, LC_OPTION_FILTERS, &telling, texts);
  lc_view_options_list_texts (&options, LC_OPTION_HIDDEN, &telling, texts);
  return texts->len > 0 ? g_strjoinv (" · ", (char **)texts->pdata) : NULL;
}

char *
lc_state_dup_highlight (const LcShown *shown)
{
  g_autofree char *name = NULL, *ordinal = NULL, *event = NULL;

  if (shown->selection.highlight.kind == LC_HIGHLIGHT_NONE)
    return NULL;
  if (shown->selection.highlight.kind == LC_HIGHLIGHT_CRITICAL_PATH)
    return g_strdup (_ ("critical path"));
  name = lc_format_text (lc_history_get_process (shown->opened->history, shown->selection.highlight.process)->name);
  ordinal = lc_format_count (shown->selection.highlight.ordinal);
  event = g_strdup_printf (_ ("%s, event %s"), name, ordinal);
  if (shown->selection.highlight.kind == LC_HIGHLIGHT_PAST)
    return g_strdup_printf (_ ("past of %s"), event);
  if (shown->selection.highlight.kind == LC_HIGHLIGHT_FUTURE)
    return g_strdup_printf (_ ("future of %s"), event);
  return g_strdup_printf (_ ("past and future of %s"), event);
}

char *
lc_state_dup_timelines (LcSession *session)
{
  const LcShown *shown = lc_session_get_shown (session);
  const GPtrArray *timelines = lc_session_get_timelines (session);
  g_autofree char *first = NULL, *second = NULL;

  if (timelines == NULL)
    return g_strdup ("");
  first = lc_picture_dup_timeline (timelines, shown->timeline);
  if (shown->beside == LC_TRACE_NONE)
    return g_steal_pointer (&first);
  second = lc_picture_dup_timeline (timelines, shown->beside);
  return g_strdup_printf (_ ("%s and %s"), first, second);
}
