/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone check --predict`. Its keys must never change. */
#include "lock-cycles.h"

#include <glib/gi18n.h>

#include "report/format.h"
#include "trace/json.h"
#include "report/lost.h"
#include "report/output.h"
#include "report/sites.h"

/* --- For people --------------------------------------------------------------------------------------------------- */

/* Gives "event 12 in put() pipe.cpp:7". */
static char *
lock_cycles_describe_event (LcHistory *history, guint64 ordinal, guint32 stack)
{
  g_autofree char *number = lc_format_count (ordinal), *where = lc_sites_describe (history, stack);

  return g_strdup_printf (_ ("event %s%s"), number, where);
}

static void
lock_cycles_print_waiter (LcNames *names, const LcLockWaiter *waiter)
{
  LcHistory *history = lc_names_get_history (names);
  g_autofree char *process = lc_format_text (lc_names_process (names, waiter->process));
  g_autofree char *object = lc_format_text (lc_names_object (names, waiter->object));
  g_autofree char *held = lc_format_text (lc_names_object (names, waiter->held));
  g_autofree char *event = lock_cycles_describe_event (history, waiter->ordinal, waiter->stack);
  g_autofree char *holding = lock_cycles_describe_event (history, waiter->held_ordinal, waiter->held_stack);

  g_print (_ ("  %s asks for %s (%s), and holds %s (%s)\n"), process, object, event, held, holding);
}

static void
lock_cycles_print (const LcLockCycles *cycles, const LcConfirmation *confirmations, LcNames *names)
{
  g_autofree char *gated = lc_format_count (cycles->gated), *ordered = lc_format_count (cycles->ordered);

  for (guint i = 0; i < cycles->cycles->len; i++)
    {
      const LcLockCycle *cycle = &g_array_index (cycles->cycles, LcLockCycle, i);
      const LcConfirmation confirmation = confirmations != NULL ? confirmations[i] : LC_CONFIRM_UNTRIED;
      g_autofree char *more = lc_format_count (cycle->count - MIN (cycle->count, 1));

      g_print (
          ngettext ("possible deadlock %u, of %u lock (%s):\n", "possible deadlock %u, of %u locks (%s):\n", cycle->n),
          i + 1, cycle->n, lc_confirmation_describe (confirmation));
      for (guint k = 0; k < cycle->n; k++)
        lock_cycles_print_waiter (names, &cycle->waiters[k]);
      if (cycle->count > 1)
        g_print (ngettext ("  and %s more way by other processes, or holding other locks\n",
                           "  and %s more ways by other processes, or holding other locks\n", cycle->count - 1),
                 more);
    }
  if (cycles->cycles->len == 0)
    g_print (_ ("no deadlock of locks is possible in the order of this run's other events\n"));
  if (cycles->gated > 0)
    g_print (ngettext ("note: %s circle is ruled out by another lock that all hold\n",
                       "note: %s circles are ruled out by another lock that all hold\n", cycles->gated),
             gated);
  if (cycles->ordered > 0)
    g_print (ngettext ("note: %s circle is ruled out: its locks are never asked for at one time\n",
                       "note: %s circles are ruled out: their locks are never asked for at one time\n",
                       cycles->ordered),
             ordered);
  if (cycles->is_cut)
    g_print (_ ("note: there are more circles than were looked at\n"));
  lc_lost_print (lc_names_get_history (names));
}

/* --- For programs --------------------------------------------------------------------------------------------------
 */

static void
lock_cycles_add_waiter (LcJson *json, LcNames *names, const LcLockWaiter *waiter)
{
  LcHistory *history = lc_names_get_history (names);

  lc_json_begin_object (json, NULL);
  lc_json_add_count (json, "process", waiter->process);
  lc_json_add_string (json, "process_name", lc_names_process (names, waiter->process));
  lc_json_add_count (json, "ordinal", waiter->ordinal);
  lc_json_add_count (json, "object", waiter->object);
  lc_json_add_string (json, "object_name", lc_names_object (names, waiter->object));
  lc_json_add_boolean (json, "reads", waiter->shared);
  lc_sites_add_stack_json (json, history, waiter->stack);
  lc_json_add_count (json, "holds", waiter->held);
  lc_json_add_string (json, "holds_name", lc_names_object (names, waiter->held));
  lc_json_add_count (json, "holds_ordinal", waiter->held_ordinal);
  lc_sites_add_json (json, "holds_site", lc_history_get_own_site (history, waiter->held_stack));
  lc_json_end_object (json);
}

static void
lock_cycles_write_json (const LcLockCycles *cycles, const LcConfirmation *confirmations, LcNames *names)
{
  LcJson json = LC_JSON_INIT ();
  g_autofree char *text = NULL;

  lc_json_begin_object (&json, NULL);
  lc_json_begin_array (&json, "possible");
  for (guint i = 0; i < cycles->cycles->len; i++)
    {
      const LcLockCycle *cycle = &g_array_index (cycles->cycles, LcLockCycle, i);
      const LcConfirmation confirmation = confirmations != NULL ? confirmations[i] : LC_CONFIRM_UNTRIED;

      lc_json_begin_object (&json, NULL);
      lc_json_add_boolean (&json, "confirmed", confirmation == LC_CONFIRM_DEADLOCK);
      lc_json_add_string (&json, "trial", lc_confirmation_name (confirmation));
      lc_json_add_count (&json, "ways", cycle->count);
      lc_json_begin_array (&json, "waiter");
      for (guint k = 0; k < cycle->n; k++)
        lock_cycles_add_waiter (&json, names, &cycle->waiters[k]);
      lc_json_end_array (&json);
      lc_json_end_object (&json);
    }
  lc_json_end_array (&json);
  lc_json_add_count (&json, "gated", cycles->gated);
  lc_json_add_count (&json, "ordered", cycles->ordered);
  lc_json_add_boolean (&json, "cut", cycles->is_cut);
  lc_lost_add_json (&json, lc_names_get_history (names));
  lc_json_end_object (&json);
  text = lc_json_finish (&json);
  lc_output_write (text, -1);
}

void
lc_lock_cycles_show (const LcLockCycles *cycles, const LcConfirmation *confirmations, LcNames *names, gboolean json)
{
  if (json)
    lock_cycles_write_json (cycles, confirmations, names);
  else
    lock_cycles_print (cycles, confirmations, names);
}
