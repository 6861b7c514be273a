/* SPDX-License-Identifier: Apache-2.0 */
/* The link between two diagrams: moving or zooming one of them moves the other. */
#include "app/compare/compare-link.h"

#define SURROUNDINGS 3.0 /* length in view around a pair, as a multiple of the pair's length */
#define LEAST_SHARE 0.02 /* least length in view around a short pair, as a share of the shorter run */
#define BEFORE 0.35      /* share of the view before the pair */

struct _LcCompareLink
{
  LcSession *sessions[2];
  LcLinkWay way;
  double offset; /* from a position of the first session to that of the second */
  guint held;
};

void
lc_compare_link_hold (LcCompareLink *link)
{
  link->held++;
}

void
lc_compare_link_let_go (LcCompareLink *link)
{
  link->held--;
}

/* --- Following -------------------------------------------------------------------------------------------------- */

static void
compare_link_find_span (LcCompareLink *link, guint leading, const LcSpan *whole, const LcSpan *of_other, LcSpan *span)
{
  double sign = leading == 0 ? 1 : -1, shift = of_other->from - whole->from, factor = 1;
  double length = whole->to - whole->from;

  if (link->way == LC_LINK_PAIR)
    shift = sign * link->offset;
  if (link->way == LC_LINK_SHARE && length > 0)
    factor = (of_other->to - of_other->from) / length;
  span->from = whole->from + (span->from - whole->from) * factor + shift;
  span->to = whole->from + (span->to - whole->from) * factor + shift;
}

static void
compare_link_follow (LcCompareLink *link, guint leading)
{
  LcSession *one = link->sessions[leading], *other = link->sessions[1 - leading];
  LcSpan whole, of_other, span, before;

  if (link->way == LC_LINK_NONE || lc_session_get_shown (one) == NULL || lc_session_get_shown (other) == NULL)
    return;
  lc_session_get_whole (one, &whole);
  lc_session_get_whole (other, &of_other);
  lc_session_get_span (one, &span);
  lc_session_get_span (other, &before);
  compare_link_find_span (link, leading, &whole, &of_other, &span);
  /* Rows correspond only if both runs have equally many. */
  if (whole.last_row != of_other.last_row)
    {
      span.first_row = before.first_row;
      span.last_row = before.last_row;
    }
  lc_compare_link_hold (link);
  lc_session_set_span (other, &span, FALSE);
  lc_compare_link_let_go (link);
}

/* --- The pair ----------------------------------------------------------------------------------------------------- */

static gboolean
compare_link_find_places (LcCompareLink *link, double from[2], double to[2])
{
  for (guint side = 0; side < 2; side++)
    {
      const LcHistoryEvent *event = lc_session_get_event (link->sessions[side]);

      if (event == NULL || !lc_session_get_place (link->sessions[side], event, &from[side], &to[side]))
        return FALSE;
    }
  return TRUE;
}

/* Without a selected pair, the starts of both runs are aligned. */
static void
find_offset (LcCompareLink *link)
{
  double from[2], to[2];
  LcSpan wholes[2];

  if (compare_link_find_places (link, from, to))
    {
      link->offset = from[1] - from[0];
      return;
    }
  for (guint side = 0; side < 2; side++)
    lc_session_get_whole (link->sessions[side], &wholes[side]);
  link->offset = wholes[1].from - wholes[0].from;
}

void
lc_compare_link_align (LcCompareLink *link, guint leading)
{
  double from[2], to[2];

  if (compare_link_find_places (link, from, to))
    link->offset = from[1] - from[0];
  if (link->way == LC_LINK_PAIR)
    compare_link_follow (link, leading);
}

/* The session itself reveals its selection, because it knows how to show a hidden process. */
static void
reveal_each (LcCompareLink *link)
{
  for (guint side = 0; side < 2; side++)
    {
      LcEventName event;

      lc_session_get_selection (link->sessions[side], &event);
      if (event.process != LC_TRACE_NONE)
        lc_session_select (link->sessions[side], event.process, event.ordinal, TRUE);
    }
}

/* Returns the length to show of both runs: some surroundings of the longer event of the pair. */
static double
find_length (LcCompareLink *link, const double from[2], const double to[2])
{
  double longest = MAX (to[0] - from[0], to[1] - from[1]), least = G_MAXDOUBLE;

  for (guint side = 0; side < 2; side++)
    {
      LcSpan whole;

      lc_session_get_whole (link->sessions[side], &whole);
      least = MIN (least, (whole.to - whole.from) * LEAST_SHARE);
    }
  return MAX (longest * SURROUNDINGS, least);
}

void
lc_compare_link_reveal (LcCompareLink *link)
{
  double from[2], to[2], length;

  lc_compare_link_hold (link);
  reveal_each (link);
  if (link->way == LC_LINK_PAIR && compare_link_find_places (link, from, to))
    {
      link->offset = from[1] - from[0];
      length = find_length (link, from, to);
      for (guint side = 0; side < 2; side++)
        {
          LcSpan span;

          lc_session_get_span (link->sessions[side], &span);
          span.from = from[side] - length * BEFORE;
          span.to = span.from + length;
          lc_session_set_span (link->sessions[side], &span, FALSE);
        }
    }
  lc_compare_link_let_go (link);
}

/* --- The link ------------------------------------------------------------------------------------------------------
 */

static void
compare_link_on_changed (LcSession *session, guint what, LcCompareLink *link)
{
  if ((what & (LC_CHANGED_TIME | LC_CHANGED_HISTORY | LC_CHANGED_FOUND)) != 0)
    find_offset (link);
  if (link->held == 0 && (what & LC_CHANGED_SPAN) != 0)
    compare_link_follow (link, session == link->sessions[0] ? 0 : 1);
}

void
lc_compare_link_set_way (LcCompareLink *link, LcLinkWay way)
{
  link->way = way;
  if (way == LC_LINK_PAIR)
    lc_compare_link_align (link, 0);
  else
    compare_link_follow (link, 0);
}

LcCompareLink *
lc_compare_link_new (LcSession *const sessions[2])
{
  LcCompareLink *link = g_new0 (LcCompareLink, 1);

  for (guint side = 0; side < 2; side++)
    {
      link->sessions[side] = g_object_ref (sessions[side]);
      g_signal_connect (sessions[side], "changed", G_CALLBACK (compare_link_on_changed), link);
    }
  find_offset (link);
  return link;
}

void
lc_compare_link_free (LcCompareLink *link)
{
  for (guint side = 0; side < 2; side++)
    {
      g_signal_handlers_disconnect_by_data (link->sessions[side], link);
      g_object_unref (link->sessions[side]);
    }
  g_free (link);
}
