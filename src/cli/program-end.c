/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how a program ended, and whether it ended as it did when it was recorded. */
#include "program-end.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "command.h"

enum
{
  SIGNALS = 128, /* what shells and launchers add to the number of a signal for an exit code */
  MOST_SIGNAL = 64,
};

/* --- Ends ----------------------------------------------------------------------------------------------------------
 */

/* Whether a program brings such a signal upon itself; others come from outside, and no replay brings them again. */
static gboolean
end_is_own_signal (const LcProgramEnd *end)
{
  static const int own[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGSEGV, SIGSYS, SIGTRAP};

  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    if (end->kind == LC_END_SIGNALLED && end->number == own[i])
      return TRUE;
  return FALSE;
}

static int
end_read_number (const char *text, const char *word)
{
  return g_str_has_prefix (text, word) ? (int)g_ascii_strtoll (text + strlen (word), NULL, 10) : -1;
}

LcProgramEnd
lc_program_end_of_trace (LcTrace *trace, gboolean is_waiting)
{
  g_autofree char *status = g_key_file_get_string (lc_trace_get_settings (trace), "trace", "status", NULL);
  LcProgramEnd end = {LC_END_UNKNOWN, 0, is_waiting};
  const int code = status != NULL ? end_read_number (status, "exit ") : -1;
  const int number = status != NULL ? end_read_number (status, "signal ") : -1;

  if (code >= 0)
    end = (LcProgramEnd){LC_END_EXITED, code, FALSE};
  else if (number > 0)
    end = (LcProgramEnd){LC_END_SIGNALLED, number, is_waiting};
  end.is_waiting = end.is_waiting && !end_is_own_signal (&end);
  return end;
}

LcProgramEnd
lc_program_end_of_status (int status)
{
  if (WIFSIGNALED (status))
    return (LcProgramEnd){LC_END_SIGNALLED, WTERMSIG (status), FALSE};
  return (LcProgramEnd){LC_END_EXITED, WEXITSTATUS (status), FALSE};
}

LcProgramEnd
lc_program_end_of_launched (const LcProgramEnd *launcher)
{
  if (launcher->kind != LC_END_EXITED || launcher->number <= SIGNALS || launcher->number > SIGNALS + MOST_SIGNAL)
    return *launcher;
  return (LcProgramEnd){LC_END_SIGNALLED, launcher->number - SIGNALS, FALSE};
}

gboolean
lc_program_end_is_good (const LcProgramEnd *end)
{
  return end->kind == LC_END_EXITED && end->number == 0;
}

LcEndMatch
lc_program_end_match (const LcProgramEnd *recorded, const LcProgramEnd *again)
{
  const gboolean is_from_outside = recorded->kind == LC_END_SIGNALLED && !end_is_own_signal (recorded);

  if (again->kind == LC_END_UNKNOWN)
    return LC_END_OPEN;
  if (again->kind == LC_END_WAITING && recorded->is_waiting)
    return LC_END_SAME;
  if (recorded->kind == LC_END_UNKNOWN)
    return recorded->is_waiting && again->kind == LC_END_CUT ? LC_END_OTHER : LC_END_OPEN;
  if (again->kind == LC_END_CUT && is_from_outside && !recorded->is_waiting)
    return LC_END_OPEN;
  return recorded->kind == again->kind && recorded->number == again->number ? LC_END_SAME : LC_END_OTHER;
}

/* --- As text -------------------------------------------------------------------------------------------------------
 */

char *
lc_program_end_to_text (const LcProgramEnd *end)
{
  const char *name = end->kind == LC_END_SIGNALLED ? sigabbrev_np (end->number) : NULL;

  /* Translators: each of these completes "the program ended %s". */
  switch (end->kind)
    {
    case LC_END_EXITED:
      return g_strdup_printf (_ ("with exit status %d"), end->number);
    case LC_END_SIGNALLED:
      return name != NULL ? g_strdup_printf (_ ("by SIG%s"), name) : g_strdup_printf (_ ("by signal %d"), end->number);
    case LC_END_DEADLOCK:
      return g_strdup (_ ("in a deadlock"));
    case LC_END_HANG:
      return g_strdup (_ ("in a hang"));
    case LC_END_WAITING:
      return g_strdup (_ ("with all threads waiting"));
    case LC_END_CUT:
    case LC_END_UNKNOWN:
    default:
      return g_strdup (_ ("by the replay"));
    }
}

/* The program was ended from here, at the end of what was recorded. */
static void
end_tell_cut (const LcProgramEnd *recorded, const LcProgramEnd *again)
{
  g_autofree char *then = lc_program_end_to_text (recorded);

  if (again->kind == LC_END_WAITING && recorded->kind == LC_END_UNKNOWN)
    lc_complain (_ ("all threads wait again for what they waited for at the end of the recording"));
  else if (again->kind == LC_END_WAITING)
    lc_complain (_ ("all threads wait again for what they waited for when the recorded run was ended %s"), then);
  else if (recorded->is_waiting)
    lc_complain (_ ("not all threads wait for what they waited for at the end of the recording"));
  else if (end_is_own_signal (recorded))
    lc_complain (_ ("the recorded run ended there %s, which has not come: the threads were held before they went on"),
                 then);
  else if (recorded->kind != LC_END_UNKNOWN)
    lc_complain (_ ("the recorded run ended there %s"), then);
}

void
lc_program_end_tell (const LcProgramEnd *recorded, const LcProgramEnd *again, gboolean quiet)
{
  const LcEndMatch match = lc_program_end_match (recorded, again);
  g_autofree char *now = lc_program_end_to_text (again), *then = lc_program_end_to_text (recorded);

  if (again->kind == LC_END_UNKNOWN || (quiet && match != LC_END_OTHER))
    return;
  if (again->kind == LC_END_WAITING || again->kind == LC_END_CUT)
    end_tell_cut (recorded, again);
  else if (match == LC_END_OTHER)
    lc_complain (_ ("the recorded run ended %s, this one %s"), then, now);
  else if (!lc_program_end_is_good (again) && match == LC_END_SAME)
    lc_complain (_ ("the program ended %s again"), now);
  else if (!lc_program_end_is_good (again))
    lc_complain (_ ("the program ended %s; how the recorded run ended is not known"), now);
}

/* --- Many ----------------------------------------------------------------------------------------------------------
 */

typedef struct
{
  LcProgramEnd end;
  guint n;
  gboolean is_same;
} EndCount;

void
lc_end_tally_add (LcEndTally *tally, const LcProgramEnd *recorded, const LcProgramEnd *again)
{
  const LcEndMatch match = lc_program_end_match (recorded, again);
  const EndCount added = {*again, 1, match == LC_END_SAME};

  if (tally->ends == NULL)
    tally->ends = g_array_new (FALSE, FALSE, sizeof (EndCount));
  tally->n++;
  tally->n_same += match == LC_END_SAME;
  tally->n_other += match == LC_END_OTHER;
  for (guint i = 0; i < tally->ends->len; i++)
    {
      EndCount *count = &g_array_index (tally->ends, EndCount, i);

      if (count->end.kind == again->kind && count->end.number == again->number)
        {
          count->n++;
          return;
        }
    }
  g_array_append_val (tally->ends, added);
}

void
lc_end_tally_clear (LcEndTally *tally)
{
  g_clear_pointer (&tally->ends, g_array_unref);
}

char *
lc_end_tally_list_others (const LcEndTally *tally)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; tally->ends != NULL && i < tally->ends->len; i++)
    {
      const EndCount *count = &g_array_index (tally->ends, EndCount, i);
      g_autofree char *how = count->is_same ? NULL : lc_program_end_to_text (&count->end);

      if (how != NULL)
        {
          g_string_append (list, list->len > 0 ? ", " : "");
          g_string_append_printf (list, _ ("%u %s"), count->n, how);
        }
    }
  return g_string_free (list, FALSE);
}

/* Whether some run has ended otherwise than well. */
static gboolean
end_tally_has_bad (const LcEndTally *tally)
{
  for (guint i = 0; tally->ends != NULL && i < tally->ends->len; i++)
    {
      const LcProgramEnd *end = &g_array_index (tally->ends, EndCount, i).end;

      if (end->kind != LC_END_UNKNOWN && end->kind != LC_END_CUT && !lc_program_end_is_good (end))
        return TRUE;
    }
  return FALSE;
}

void
lc_end_tally_tell (const LcEndTally *tally, const LcProgramEnd *recorded)
{
  const LcProgramEnd waiting = {LC_END_WAITING, 0, FALSE};
  const gboolean is_known = recorded->kind != LC_END_UNKNOWN || recorded->is_waiting;
  g_autofree char *how = lc_program_end_to_text (recorded->is_waiting ? &waiting : recorded);
  g_autofree char *others = lc_end_tally_list_others (tally);

  if (tally->n_same + tally->n_other == 0 && !end_tally_has_bad (tally))
    return;
  if (is_known && lc_program_end_is_good (recorded) && tally->n_other == 0)
    return;
  if (!is_known)
    lc_complain (_ ("how the recorded run ended is not known; these ended: %s"), others);
  else if (others[0] == '\0')
    lc_complain (_ ("%u of %u runs ended %s, as the recorded run did"), tally->n_same, tally->n, how);
  else
    lc_complain (_ ("%u of %u runs ended %s, as the recorded run did; the others: %s"), tally->n_same, tally->n, how,
                 others);
}
