/* SPDX-License-Identifier: Apache-2.0 */
/* The session's breakpoints, the expressions that are evaluated at them, and where a program that runs again stands. */
#include "app/session/session-private.h"

/* --- Breakpoints -------------------------------------------------------------------------------------------------- */

const GArray *
lc_session_get_breakpoints (LcSession *session)
{
  return session->breakpoints;
}

/* Returns the index, or the number of breakpoints if there is none before this event. */
static guint
session_stops_find (LcSession *session, guint32 process, guint64 ordinal)
{
  guint i = 0;

  for (; i < session->breakpoints->len; i++)
    {
      const LcEventName *name = &g_array_index (session->breakpoints, LcEventName, i);

      if (name->process == process && name->ordinal == ordinal)
        break;
    }
  return i;
}

gboolean
lc_session_has_breakpoint (LcSession *session, guint32 process, guint64 ordinal)
{
  return session_stops_find (session, process, ordinal) < session->breakpoints->len;
}

void
lc_session_set_breakpoint (LcSession *session, guint32 process, guint64 ordinal, gboolean set)
{
  guint place = session_stops_find (session, process, ordinal);
  const LcEventName name = {.process = process, .ordinal = ordinal};

  if (set == (place < session->breakpoints->len))
    return;
  if (set)
    g_array_append_val (session->breakpoints, name);
  else
    g_array_remove_index (session->breakpoints, place);
  lc_session_changed (session, LC_CHANGED_BREAKPOINTS);
}

/* --- Expressions -------------------------------------------------------------------------------------------------- */

const GPtrArray *
lc_session_get_expressions (LcSession *session)
{
  return session->expressions;
}

void
lc_session_add_expression (LcSession *session, const char *expression)
{
  if (g_ptr_array_find_with_equal_func (session->expressions, expression, g_str_equal, NULL))
    return;
  g_ptr_array_add (session->expressions, g_strdup (expression));
  lc_session_changed (session, LC_CHANGED_BREAKPOINTS);
}

void
lc_session_remove_expression (LcSession *session, guint number)
{
  g_ptr_array_remove_index (session->expressions, number);
  lc_session_changed (session, LC_CHANGED_BREAKPOINTS);
}

/* --- Stops -------------------------------------------------------------------------------------------------------- */

const GArray *
lc_session_get_stops (LcSession *session, guint32 *selected)
{
  *selected = session->stopped;
  return session->stops;
}

void
lc_session_set_stops (LcSession *session, guint32 selected, const LcEventName *stops, guint n_stops)
{
  session->stopped = selected;
  g_array_set_size (session->stops, 0);
  if (n_stops > 0)
    g_array_append_vals (session->stops, stops, n_stops);
  lc_session_changed (session, LC_CHANGED_STOPS);
}

void
lc_session_clear_stops (LcSession *session)
{
  if (session->stops->len > 0)
    lc_session_set_stops (session, LC_TRACE_NONE, NULL, 0);
}

/* --- The session -------------------------------------------------------------------------------------------------- */

void
lc_session_init_stops (LcSession *session)
{
  session->breakpoints = g_array_new (FALSE, FALSE, sizeof (LcEventName));
  session->stops = g_array_new (FALSE, FALSE, sizeof (LcEventName));
  session->expressions = g_ptr_array_new_with_free_func (g_free);
  session->stopped = LC_TRACE_NONE;
}

void
lc_session_forget_stops (LcSession *session)
{
  g_array_set_size (session->breakpoints, 0);
  g_array_set_size (session->stops, 0);
  g_ptr_array_set_size (session->expressions, 0);
  session->stopped = LC_TRACE_NONE;
}

void
lc_session_finalize_stops (LcSession *session)
{
  g_array_unref (session->breakpoints);
  g_array_unref (session->stops);
  g_ptr_array_unref (session->expressions);
}
