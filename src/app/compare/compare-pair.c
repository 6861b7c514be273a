/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the partner of a selected event in the other run, matched by object and sequence. */
#include "app/compare/compare-pair.h"

#include <glib/gi18n.h>

#include "app/inspect/event-report.h"
#include "app/job.h"
#include "lightcone/compare.h"

struct _LcComparePair
{
  LcSession *sessions[2];
  LcCompareLink *link;
  LcJob *job;
  guint from; /* the side whose partner is searched for */
  gboolean selecting;
  LcComparePairTold told;
  gpointer data;
};

/* --- In a thread -------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcOpened *opened[2];
  guint32 timelines[2];
  guint from;
  LcHistoryEvent event;
} Asked;

typedef struct
{
  LcEventName partner; /* or process LC_TRACE_NONE */
  char *text;          /* or NULL */
} Found;

static Asked *
compare_pair_ask (LcComparePair *pair, guint from)
{
  Asked *asked = g_new0 (Asked, 1);

  for (guint side = 0; side < 2; side++)
    {
      const LcShown *shown = lc_session_get_shown (pair->sessions[side]);

      asked->opened[side] = lc_opened_ref (shown->opened);
      asked->timelines[side] = shown->timeline;
    }
  asked->from = from;
  asked->event = *lc_session_get_event (pair->sessions[from]);
  return asked;
}

static void
compare_pair_free_asked (gpointer data)
{
  Asked *asked = data;

  for (guint side = 0; side < 2; side++)
    lc_opened_unref (asked->opened[side]);
  g_free (asked);
}

static void
compare_pair_free_found (gpointer data)
{
  Found *found = data;

  g_free (found->text);
  g_free (found);
}

static char *
tell_alone (const Asked *asked)
{
  g_autoptr (LcNames) names = lc_names_new (asked->opened[asked->from]->history);
  g_autofree char *event = lc_event_dup_title (names, &asked->event);

  if (asked->event.object == LC_TRACE_NONE || (asked->event.flags & LC_TRACE_EVENT_SEQUENCE) == 0)
    return g_strdup_printf (_ ("%s: only events with an object and a sequence can be found in the other run."), event);
  if (asked->from == 0)
    return g_strdup_printf (_ ("%s is in A only: in B this process does not do it."), event);
  return g_strdup_printf (_ ("%s is in B only: in A this process does not do it."), event);
}

static gpointer
compare_pair_find (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  const Asked *asked = data;
  const LcCompareSide sides[2] = {{asked->opened[0]->history, asked->timelines[0]},
                                  {asked->opened[1]->history, asked->timelines[1]}};
  g_autoptr (GError) failure = NULL;
  LcHistoryEvent partner;
  Found *found;

  if (!lc_compare_find_partner (sides, asked->from, asked->event.process, asked->event.ordinal, &partner, cancellable,
                                &failure) &&
      !g_error_matches (failure, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return NULL;
    }
  found = g_new0 (Found, 1);
  if (failure == NULL)
    found->partner = (LcEventName){.process = partner.process, .ordinal = partner.ordinal};
  else
    found->partner.process = LC_TRACE_NONE;
  found->text = failure != NULL ? tell_alone (asked) : NULL;
  return found;
}

/* --- On the main thread --------------------------------------------------------------------------------------------
 */

static void
compare_pair_on_found (gpointer owner, gpointer result, const GError *error)
{
  LcComparePair *pair = owner;
  LcSession *other = pair->sessions[1 - pair->from];
  Found *found = result;

  if (found == NULL)
    {
      pair->told (error->message, pair->data);
      return;
    }
  pair->told (found->text, pair->data);
  pair->selecting = TRUE;
  if (found->partner.process != LC_TRACE_NONE)
    {
      lc_compare_link_hold (pair->link);
      lc_session_select (other, found->partner.process, found->partner.ordinal, TRUE);
      lc_compare_link_let_go (pair->link);
      lc_compare_link_align (pair->link, pair->from);
    }
  else
    lc_session_clear_selection (other);
  pair->selecting = FALSE;
  compare_pair_free_found (found);
}

static void
compare_pair_on_changed (LcSession *session, guint what, LcComparePair *pair)
{
  guint side = session == pair->sessions[0] ? 0 : 1;

  if (pair->selecting || (what & LC_CHANGED_SELECTION) == 0)
    return;
  lc_job_stop (pair->job);
  if (lc_session_get_event (session) == NULL || lc_session_get_shown (pair->sessions[1 - side]) == NULL)
    {
      pair->told (NULL, pair->data);
      return;
    }
  pair->from = side;
  lc_job_start (pair->job, compare_pair_find, compare_pair_ask (pair, side), compare_pair_free_asked);
}

void
lc_compare_pair_select (LcComparePair *pair, const LcEventName events[2], const char *text)
{
  lc_job_stop (pair->job);
  pair->selecting = TRUE;
  lc_compare_link_hold (pair->link);
  for (guint side = 0; side < 2; side++)
    if (events[side].process != LC_TRACE_NONE)
      lc_session_select (pair->sessions[side], events[side].process, events[side].ordinal, FALSE);
    else
      lc_session_clear_selection (pair->sessions[side]);
  lc_compare_link_let_go (pair->link);
  lc_compare_link_reveal (pair->link);
  pair->selecting = FALSE;
  pair->told (events[0].process == LC_TRACE_NONE || events[1].process == LC_TRACE_NONE ? text : NULL, pair->data);
}

LcComparePair *
lc_compare_pair_new (LcSession *const sessions[2], LcCompareLink *link, LcComparePairTold told, gpointer data)
{
  LcComparePair *pair = g_new0 (LcComparePair, 1);

  pair->link = link;
  pair->told = told;
  pair->data = data;
  pair->job = lc_job_new (pair, compare_pair_on_found, NULL, compare_pair_free_found);
  for (guint side = 0; side < 2; side++)
    {
      pair->sessions[side] = g_object_ref (sessions[side]);
      g_signal_connect (sessions[side], "changed", G_CALLBACK (compare_pair_on_changed), pair);
    }
  return pair;
}

void
lc_compare_pair_free (LcComparePair *pair)
{
  lc_job_free (pair->job);
  for (guint side = 0; side < 2; side++)
    {
      g_signal_handlers_disconnect_by_data (pair->sessions[side], pair);
      g_object_unref (pair->sessions[side]);
    }
  g_free (pair);
}
