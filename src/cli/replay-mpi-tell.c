/* SPDX-License-Identifier: Apache-2.0 */
/* Says what a replay of an MPI program does not keep, and how it has ended. */
#include <glib/gi18n.h>

#include "command.h"
#include "mpi-trouble.h"
#include "replay-mpi-private.h"
#include "replay-mpi-text.h"
#include "replay-text.h"
#include "report/format.h"
#include "trace/operations.h"

enum
{
  MOST_LINES = 20,
};

void
lc_mpi_replay_complain_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '\0')
      lc_complain ("%s", lines[i]);
}

void
lc_mpi_replay_warn (const LcMpiReplay *replay)
{
  const LcReplayMpiPlan *result = &replay->result;
  const gboolean has_threads = replay->threads.n > 0;
  const guint64 free = has_threads ? replay->threads.result.n_free : result->n_free;
  const guint32 free_classes = has_threads ? replay->threads.result.free_classes : result->free_classes;
  g_auto (GStrv) changed = lc_replay_text_list_changed (replay->replay->trace);
  g_autofree char *n_free = lc_format_count (free), *n_windows = lc_format_count (result->n_windows);
  g_autoptr (GString) classes = g_string_new (NULL);

  for (char **path = changed; *path != NULL; path++)
    lc_complain (_ ("%s: is not the file that was recorded: the program may do something else"), *path);
  if (replay->given.plan == NULL && lc_given_is_kept (replay->replay->trace))
    lc_complain (
        _ ("what came from outside is not given back to ranks of several worlds, whose launchers tell them the "
           "same numbers"));
  if (lc_given_is_older (replay->replay->trace))
    lc_complain (_ ("the inputs of its ranks were kept by an older version, and are not given back"));
  if (replay->replay->quiet)
    return;
  for (guint i = 0; i < LC_CLASSES; i++)
    if (free_classes >> i & 1)
      g_string_append_printf (classes, "%s%s", classes->len > 0 ? ", " : "", lc_class_names[i]);
  if (free > 0)
    lc_complain (ngettext ("%s event has no turn, for its order cannot be kept (%s)",
                           "%s events have no turns, for their order cannot be kept (%s)", (gulong)free),
                 n_free, classes->str);
  if (result->n_windows > 0)
    lc_complain (ngettext ("%s event of windows comes in any order", "%s events of windows come in any order",
                           (gulong)result->n_windows),
                 n_windows);
}

/* A rank whose threads have not had their turns may have done anything. */
void
lc_mpi_replay_tell_silent (LcMpiReplay *replay)
{
  const guint32 trouble = replay->recording != NULL ? lc_recording_get_mpi_trouble (replay->recording) : 0;
  const guint32 rank = lc_replay_mpi_threads_find_free (&replay->threads, replay->plan);

  if (rank != LC_REPLAY_NONE)
    lc_complain (_ ("the threads of rank %u were not steered: its launcher has not told its process this number"),
                 rank);
  else
    lc_complain (_ ("nothing was replayed: %s"),
                 trouble != 0 ? lc_mpi_trouble_why (trouble) : _ ("no process has called MPI_Init"));
}

void
lc_mpi_replay_tell (LcMpiReplay *replay)
{
  LcTrace *trace = replay->replay->trace;
  g_autofree char *text = NULL, *threads = NULL, *left = NULL;

  switch (replay->verdict)
    {
    case LC_REPLAY_DIFFERED:
      text = replay->differing != LC_REPLAY_NONE
                 ? lc_replay_mpi_threads_text_difference (&replay->threads, replay->differing)
                 : lc_replay_mpi_text_difference (trace, replay->plan);
      break;
    case LC_REPLAY_STUCK:
      lc_complain ("%s", lc_replay_mpi_threads_find_stuck (&replay->threads) != LC_REPLAY_NONE
                             ? _ ("the replay has no way on: all threads of a rank wait for a turn")
                         : replay->threads.n > 0
                             ? _ ("the replay has no way on: all ranks are in calls of MPI or wait for turns")
                             : _ ("the replay has no way on: all ranks are in calls of MPI, and none ends"));
      threads = lc_replay_mpi_threads_text_stuck (&replay->threads, MOST_LINES);
      text = lc_replay_mpi_text_next (trace, replay->plan, MOST_LINES);
      break;
    case LC_REPLAY_SHORT:
      lc_complain (_ ("the program ended before the end of what was recorded"));
      threads = lc_replay_mpi_threads_text_short (&replay->threads, MOST_LINES);
      text = lc_replay_mpi_text_next (trace, replay->plan, MOST_LINES);
      left = lc_replay_mpi_threads_text_left (&replay->threads);
      break;
    case LC_REPLAY_SILENT:
      lc_mpi_replay_tell_silent (replay);
      break;
    case LC_REPLAY_REACHED:
    default:
      break;
    }
  if (threads != NULL)
    lc_mpi_replay_complain_lines (threads);
  if (text != NULL)
    lc_mpi_replay_complain_lines (text);
  if (left != NULL)
    lc_mpi_replay_complain_lines (left);
}

void
lc_mpi_replay_tell_end (const LcMpiReplay *replay)
{
  const LcReplayMpiPlan *result = &replay->result;
  g_autofree char *n_events = lc_format_count (result->n_events);
  g_autofree char *n_turns = lc_format_count (replay->threads.result.n_events);

  if (replay->replay->quiet || lc_replay_debugging_is_any (replay->replay->debugging))
    return;
  if (replay->has_stopped && replay->is_ended)
    {
      lc_complain (_ ("stopped there, and the program was ended; --gdb looks into it, and --continue lets it run on"));
      return;
    }
  lc_complain (ngettext ("%u rank came to the end of its history: %s events",
                         "%u ranks came to the end of their histories: %s events", result->n_ranks),
               result->n_ranks, n_events);
  if (replay->threads.result.n_events > 0)
    lc_complain (ngettext ("%u thread of theirs had its turns: %s events",
                           "%u threads of theirs had their turns: %s events", replay->threads.result.n_threads),
                 replay->threads.result.n_threads, n_turns);
  if (result->is_cut && replay->is_ended)
    lc_complain (_ ("the recording was cut short there, and the program was ended; --continue lets it run on"));
}
