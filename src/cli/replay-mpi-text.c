/* SPDX-License-Identifier: Apache-2.0 */
/* Says how a replay of an MPI program ended: where a rank differs from what was recorded, or what it waits for. */
#include "replay-mpi-text.h"

#include <glib/gi18n.h>

#include "report/format.h"
#include "replay-text.h"

/* Sites are no part of a plan: the event is looked up in the trace. */
static guint32
mpi_text_find_site (LcTrace *trace, guint32 process, guint64 ordinal)
{
  g_autoptr (LcTraceCursor) cursor = lc_trace_cursor_open (trace, process);
  LcTraceBatch batch;

  while (lc_trace_cursor_next (cursor, &batch))
    if (ordinal < batch.first_ordinal + batch.n_events)
      {
        const guint32 stack = batch.events[ordinal - batch.first_ordinal].stack;

        return stack != LC_TRACE_NONE ? lc_trace_get_stack (trace, stack)->site : LC_TRACE_NONE;
      }
  return LC_TRACE_NONE;
}

/* What ranks share may be damaged, so numbers in it are looked at before they are used. */
static char *
mpi_text_describe (LcTrace *trace, struct lc_replay_mpi_header *plan, const struct lc_replay_mpi_rank *rank,
                   const struct lc_replay_mpi_event *event)
{
  const struct lc_replay_mpi_object *object =
      event->object < plan->n_objects ? lc_replay_mpi_objects (plan) + event->object : NULL;
  g_autofree char *given = object != NULL && object->object < lc_trace_get_n_objects (trace)
                               ? lc_trace_dup_object_name (trace, object->object)
                               : g_strdup (_ ("a message that is not known"));
  g_autofree char *name = lc_format_text (given);
  g_autofree char *site = rank->process < lc_trace_get_n_processes (trace)
                              ? lc_replay_text_site (trace, mpi_text_find_site (trace, rank->process, event->ordinal))
                              : g_strdup ("");

  return g_strdup_printf ("%s %s #%" G_GUINT64_FORMAT "%s", lc_replay_text_operation (event->operation), name,
                          event->sequence, site);
}

static char *
mpi_text_name_of (LcTrace *trace, const struct lc_replay_mpi_rank *rank)
{
  return lc_format_text (
      rank->process < lc_trace_get_n_processes (trace) ? lc_trace_get_process (trace, rank->process)->name : "");
}

char *
lc_replay_mpi_text_difference (LcTrace *trace, struct lc_replay_mpi_header *plan)
{
  const guint32 number = MIN (plan->differs, plan->n_ranks) - 1;
  struct lc_replay_mpi_rank *rank = &lc_replay_mpi_ranks (plan)[number];
  const guint64 next = rank->next;
  const struct lc_replay_mpi_event *event = lc_replay_mpi_event (plan, rank, next);
  const struct lc_replay_mpi_event *before = next > 0 ? lc_replay_mpi_event (plan, rank, next - 1) : NULL;
  g_autofree char *expected = NULL, *came = NULL, *last = NULL, *process = NULL, *place = NULL;
  guint64 ordinal;

  lc_replay_text_name (trace);
  rank->came_object[sizeof rank->came_object - 1] = '\0';
  came = lc_format_text (rank->came_object);
  expected = event != NULL ? mpi_text_describe (trace, plan, rank, event) : g_strdup (_ ("nothing"));
  last = before != NULL ? mpi_text_describe (trace, plan, rank, before) : g_strdup (_ ("its begin"));
  ordinal = event != NULL ? event->ordinal : before != NULL ? before->ordinal + 1 : 0;
  process = mpi_text_name_of (trace, rank);
  place = g_strdup_printf ("%s #%" G_GUINT64_FORMAT, process, ordinal);
  return g_strdup_printf (_ ("%s: %s\n"
                             "  recorded: %s\n"
                             "  came:     %s %s\n"
                             "  before:   %s"),
                          place, lc_replay_text_why (rank->difference), expected,
                          lc_replay_text_operation (rank->came_operation), came, last);
}

char *
lc_replay_mpi_text_next (LcTrace *trace, struct lc_replay_mpi_header *plan, guint most)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint told = 0;

  lc_replay_text_name (trace);
  for (guint32 i = 0; i < plan->n_ranks && told < most; i++)
    {
      const struct lc_replay_mpi_rank *rank = &lc_replay_mpi_ranks (plan)[i];
      const struct lc_replay_mpi_event *event = lc_replay_mpi_event (plan, rank, rank->next);
      g_autofree char *process = mpi_text_name_of (trace, rank), *next = NULL;
      gboolean has_begun;

      if (rank->process == LC_REPLAY_NONE || event == NULL)
        continue;
      has_begun = lc_replay_mpi_ranks (plan)[MIN (rank->number, plan->n_ranks - 1)].pid != 0;
      next = mpi_text_describe (trace, plan, rank, event);
      g_string_append_printf (text, "%s #%" G_GUINT64_FORMAT ": ", process, event->ordinal);
      g_string_append_printf (
          text, has_begun ? _ ("next would be %s\n") : _ ("never came to MPI_Init; first would be %s\n"), next);
      told++;
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- Stops ---------------------------------------------------------------------------------------------------- */

/* Gives the name of a rank, and an event of it. */
static char *
mpi_text_place (LcTrace *trace, const struct lc_replay_mpi_rank *rank, const struct lc_replay_mpi_event *event)
{
  g_autofree char *process = mpi_text_name_of (trace, rank);

  return g_strdup_printf ("%s #%" G_GUINT64_FORMAT, process, event->ordinal);
}

static gboolean
mpi_text_is_alive (const struct lc_replay_mpi_rank *rank)
{
  return rank->process != LC_REPLAY_NONE && rank->state != LC_REPLAY_MPI_UNBORN && rank->state != LC_REPLAY_MPI_ENDED;
}

/* A rank may stay in a call that needs others. */
static void
mpi_text_append_call (GString *text, LcTrace *trace, struct lc_replay_mpi_header *plan,
                      const struct lc_replay_mpi_rank *rank)
{
  const struct lc_replay_mpi_event *event = lc_replay_mpi_event (plan, rank, rank->next);
  g_autofree char *place = NULL, *what = NULL;

  if (event == NULL || rank->state != LC_REPLAY_MPI_INSIDE)
    return;
  place = mpi_text_place (trace, rank, event);
  what = mpi_text_describe (trace, plan, rank, event);
  g_string_append_printf (text, _ ("  %s is not over yet: %s\n"), place, what);
}

char *
lc_replay_mpi_text_stops (LcTrace *trace, struct lc_replay_mpi_header *plan)
{
  GString *text = g_string_new (NULL);

  lc_replay_text_name (trace);
  for (guint32 i = 0; i < plan->n_ranks; i++)
    {
      const struct lc_replay_mpi_rank *rank = &lc_replay_mpi_ranks (plan)[i];
      const struct lc_replay_mpi_event *event =
          rank->next > 0 ? lc_replay_mpi_event (plan, rank, rank->next - 1) : NULL;
      g_autofree char *what = NULL, *place = NULL;

      if (!mpi_text_is_alive (rank))
        continue;
      place = event != NULL ? mpi_text_place (trace, rank, event) : mpi_text_name_of (trace, rank);
      what = event != NULL ? mpi_text_describe (trace, plan, rank, event) : NULL;
      if (event != NULL)
        g_string_append_printf (text, _ ("  %s was the last: %s\n"), place, what);
      else
        g_string_append_printf (text, _ ("  %s stops at its begin\n"), place);
      mpi_text_append_call (text, trace, plan, rank);
    }
  return g_string_free (text, FALSE);
}

char *
lc_replay_mpi_text_nexts (LcTrace *trace, struct lc_replay_mpi_header *plan)
{
  GString *text = g_string_new (NULL);

  lc_replay_text_name (trace);
  for (guint32 i = 0; i < plan->n_ranks; i++)
    {
      const struct lc_replay_mpi_rank *rank = &lc_replay_mpi_ranks (plan)[i];
      const struct lc_replay_mpi_event *event = lc_replay_mpi_event (plan, rank, rank->next);
      g_autofree char *what = NULL, *place = NULL;

      if (!mpi_text_is_alive (rank))
        continue;
      place = event != NULL ? mpi_text_place (trace, rank, event) : mpi_text_name_of (trace, rank);
      what = event != NULL ? mpi_text_describe (trace, plan, rank, event) : NULL;
      if (event == NULL)
        g_string_append_printf (text, _ ("  %s has done all that was recorded\n"), place);
      else if (rank->state == LC_REPLAY_MPI_INSIDE)
        g_string_append_printf (text, _ ("  %s is not over yet: %s\n"), place, what);
      else
        g_string_append_printf (text, _ ("  %s is next: %s\n"), place, what);
    }
  return g_string_free (text, FALSE);
}

char *
lc_replay_mpi_text_inside (LcTrace *trace, struct lc_replay_mpi_header *plan, guint32 number)
{
  const struct lc_replay_mpi_rank *rank = &lc_replay_mpi_ranks (plan)[number];
  const struct lc_replay_mpi_event *event = lc_replay_mpi_event (plan, rank, rank->next);
  g_autofree char *place = NULL, *what = NULL;

  lc_replay_text_name (trace);
  place = event != NULL ? mpi_text_place (trace, rank, event) : mpi_text_name_of (trace, rank);
  what = event != NULL ? mpi_text_describe (trace, plan, rank, event) : g_strdup (_ ("nothing"));
  return g_strdup_printf (_ ("%s is not there, but in a call that does not end: %s"), place, what);
}

char *
lc_replay_mpi_text_needed (LcTrace *trace, struct lc_replay_mpi_header *plan, const struct lc_replay_mpi_rank *rank,
                           guint64 number)
{
  const struct lc_replay_mpi_event *event = lc_replay_mpi_event (plan, rank, number);
  g_autofree char *place = NULL, *what = NULL;

  if (event == NULL)
    return NULL;
  lc_replay_text_name (trace);
  place = mpi_text_place (trace, rank, event);
  what = mpi_text_describe (trace, plan, rank, event);
  return g_strdup_printf (_ ("%s is done, too, for MPI needs it: %s"), place, what);
}

char *
lc_replay_mpi_text_others (LcTrace *trace, struct lc_replay_mpi_header *plan, guint32 number)
{
  GString *text = g_string_new (NULL);

  for (guint32 i = 0; i < plan->n_numbers; i++)
    {
      const struct lc_replay_mpi_rank *rank = &lc_replay_mpi_ranks (plan)[i];
      g_autofree char *process = NULL;

      if (i == lc_replay_mpi_ranks (plan)[number].number || !mpi_text_is_alive (rank))
        continue;
      process = mpi_text_name_of (trace, rank);
      g_string_append_printf (text, _ ("%s%s is process %u"), text->len > 0 ? ", " : "", process, rank->pid);
    }
  return g_string_free (text, FALSE);
}
