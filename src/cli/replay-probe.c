/* SPDX-License-Identifier: Apache-2.0 */
/* Probes: what the user wants to see, and the events of the plan before which it is. */
#include "replay-probe.h"

#include <glib/gi18n.h>
#include <string.h>

#include "draw/filters/choice.h"
#include "draw/options/find-named.h"
#include "open-history.h"

enum
{
  MOST_PROBES = 32, /* bits of a set; with what gdb leaves of each, they fit into LC_REPLAY_PROBE_ROOM */
};

/* --- What the user says ---------------------------------------------------------------------------------------- */

/* The last @ counts, since gdb has them in expressions. */
static gboolean
probe_parse (const char *text, LcReplayProbe *probe, GError **error)
{
  const char *at = strrchr (text, '@');

  if (at == NULL || at == text || at[1] == '\0')
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   _ ("replay: “%s” is not a probe: it has to be EXPRESSION@PLACE, as count@2:17"), text);
      return FALSE;
    }
  *probe = (LcReplayProbe){.expression = g_strndup (text, (gsize)(at - text)), .text = g_strdup (at + 1)};
  g_strstrip (probe->expression);
  g_strstrip (probe->text);
  return TRUE;
}

gboolean
lc_replay_probes_parse (LcReplayProbes *probes, char *const *texts, GError **error)
{
  LcReplayProbe probe;

  *probes = (LcReplayProbes){.folder = probes->folder,
                             .probes = g_array_new (FALSE, FALSE, sizeof (LcReplayProbe)),
                             .sets = g_array_new (FALSE, FALSE, sizeof (guint32)),
                             .received = g_string_new (NULL),
                             .failures = g_ptr_array_new_with_free_func (g_free),
                             .answers = -1};
  for (; *texts != NULL; texts++)
    {
      if (!probe_parse (*texts, &probe, error))
        return FALSE;
      g_array_append_val (probes->probes, probe);
    }
  if (probes->probes->len <= MOST_PROBES)
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("replay: %u probes are too many: %d can be"),
               probes->probes->len, MOST_PROBES);
  return FALSE;
}

/* --- Places ---------------------------------------------------------------------------------------------------- */

/* "queue.c:17" and "src/queue.c:17" are the line of .../src/queue.c. */
static gboolean
probe_is_line (const LcHistorySite *site, const char *file, guint64 line)
{
  return site->file != NULL && site->line == line && g_str_has_suffix (site->file, file) &&
         (strlen (site->file) == strlen (file) || site->file[strlen (site->file) - strlen (file) - 1] == '/');
}

/* "put" and "put()" are put(int), too. */
static gboolean
probe_is_function (const LcHistorySite *site, const char *name)
{
  const gsize length = g_str_has_suffix (name, "()") ? strlen (name) - 2 : strlen (name);

  return site->function != NULL && length > 0 && strncmp (site->function, name, length) == 0 &&
         (site->function[length] == '\0' || site->function[length] == '(');
}

static gboolean
probe_find_sites (LcReplayProbe *probe, LcHistory *history)
{
  const char *colon = strrchr (probe->text, ':');
  g_autofree char *file = colon != NULL ? g_strndup (probe->text, (gsize)(colon - probe->text)) : NULL;
  const guint32 n = lc_history_get_n_sites (history);
  gboolean found = FALSE;
  guint64 line = 0;

  if (file != NULL && (file[0] == '\0' || !g_ascii_string_to_unsigned (colon + 1, 10, 1, G_MAXUINT32, &line, NULL)))
    g_clear_pointer (&file, g_free);
  probe->are_chosen = g_new0 (gboolean, n + 1);
  probe->n_chosen = n;
  for (guint32 i = 0; i < n; i++)
    {
      const LcHistorySite *site = lc_history_get_site (history, i);

      probe->are_chosen[i] = file != NULL ? probe_is_line (site, file, line) : probe_is_function (site, probe->text);
      found |= probe->are_chosen[i];
    }
  if (!found)
    g_clear_pointer (&probe->are_chosen, g_free);
  return found;
}

static gboolean
probe_find_objects (LcReplayProbe *probe, LcHistory *history)
{
  g_autoptr (GArray) objects = lc_choose_objects (history, probe->text, NULL);

  if (objects == NULL)
    return FALSE;
  probe->n_chosen = lc_history_get_n_objects (history);
  probe->are_chosen = g_new0 (gboolean, probe->n_chosen + 1);
  for (guint i = 0; i < objects->len; i++)
    probe->are_chosen[g_array_index (objects, guint32, i)] = TRUE;
  return TRUE;
}

static gboolean
probe_find_operations (LcReplayProbe *probe, LcHistory *history)
{
  probe->are_chosen = lc_choose_operations (history, probe->text, NULL);
  probe->n_chosen = lc_history_get_n_operations (history);
  return probe->are_chosen != NULL;
}

/* Whether it is PROCESS:ORDINAL, though perhaps of no event. */
static gboolean
probe_names_event (const LcHistory *history, const char *text)
{
  const char *colon = strrchr (text, ':');
  g_autofree char *name = colon != NULL ? g_strndup (text, (gsize)(colon - text)) : NULL;
  guint32 process;
  guint64 ordinal;

  return name != NULL && g_ascii_string_to_unsigned (colon + 1, 10, 0, G_MAXINT64, &ordinal, NULL) &&
         lc_find_process (history, name, &process);
}

/* The first that there is: an event, a process, places in the source, objects, operations. */
static gboolean
probe_find_place (LcReplayProbe *probe, LcHistory *history, GError **error)
{
  if (probe_names_event (history, probe->text))
    {
      probe->place = LC_PROBE_AT_EVENT;
      return lc_find_event (history, "replay", probe->text, &probe->process, &probe->ordinal, error);
    }
  if (lc_find_process (history, probe->text, &probe->process))
    probe->place = LC_PROBE_AT_PROCESS;
  else if (probe_find_sites (probe, history))
    probe->place = LC_PROBE_AT_SITES;
  else if (probe_find_objects (probe, history))
    probe->place = LC_PROBE_AT_OBJECTS;
  else if (probe_find_operations (probe, history))
    probe->place = LC_PROBE_AT_OPERATIONS;
  else
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   _ ("replay: there is nothing “%s” to evaluate an expression at: no event PROCESS:ORDINAL, process, "
                      "line FILE:LINE, function, object or operation"),
                   probe->text);
      return FALSE;
    }
  return TRUE;
}

/* --- Events ---------------------------------------------------------------------------------------------------- */

static gboolean
probe_chooses (const LcReplayProbe *probe, guint32 number)
{
  return number < probe->n_chosen && probe->are_chosen[number];
}

/* Only places in the source and the like need the event itself. */
static gboolean
probe_is_at (const LcReplayProbe *probe, LcHistory *history, const LcHistoryEvent *event)
{
  const LcHistorySite *site;

  switch (probe->place)
    {
    case LC_PROBE_AT_EVENT:
      return event->process == probe->process && event->ordinal == probe->ordinal;
    case LC_PROBE_AT_PROCESS:
      return event->process == probe->process;
    case LC_PROBE_AT_SITES:
      site = lc_history_get_own_site (history, event->stack);
      return site != NULL && probe_chooses (probe, site->id);
    case LC_PROBE_AT_OBJECTS:
      return probe_chooses (probe, event->object);
    case LC_PROBE_AT_OPERATIONS:
    default:
      return probe_chooses (probe, event->operation);
    }
}

/* Gives the number of a set, from 1 on. There are few, for there are few combinations of places. */
static guint32
probes_number_set (LcReplayProbes *probes, guint32 set)
{
  for (guint i = 0; i < probes->sets->len; i++)
    if (g_array_index (probes->sets, guint32, i) == set)
      return i + 1;
  g_array_append_val (probes->sets, set);
  return probes->sets->len;
}

static guint32
probes_choose (LcReplayProbes *probes, LcHistory *history, const LcHistoryEvent *event, gboolean has_turn)
{
  guint32 set = 0;

  for (guint i = 0; i < probes->probes->len; i++)
    {
      LcReplayProbe *probe = &g_array_index (probes->probes, LcReplayProbe, i);

      if (!probe_is_at (probe, history, event))
        continue;
      set |= UINT32_C (1) << i;
      probe->n_events += has_turn;
    }
  return set;
}

/* At the begin and the end of a thread nothing of the program has called anything. */
static gboolean
probes_can_be_before (const struct lc_replay_event *event)
{
  return event->operation != LC_START && event->operation != LC_EXIT;
}

static gboolean
probes_mark_process (LcReplayProbes *probes, LcHistory *history, LcHistoryWalk *walk, guint32 process,
                     struct lc_replay_thread *thread, GError **error)
{
  const guint64 n = lc_history_get_process (history, process)->events;
  guint64 next = 0;

  for (guint64 ordinal = 0; ordinal < n; ordinal++)
    {
      struct lc_replay_event *planned =
          thread != NULL ? (struct lc_replay_event *)lc_replay_plan_event (probes->plan, thread, next) : NULL;
      const gboolean has_turn = planned != NULL && planned->ordinal == ordinal && probes_can_be_before (planned);
      LcHistoryEvent event;
      guint32 set;

      if (!lc_history_walk_get (walk, process, ordinal, &event, NULL, error))
        return FALSE;
      next += planned != NULL && planned->ordinal == ordinal;
      set = probes_choose (probes, history, &event, has_turn);
      if (set == 0)
        continue;
      if (has_turn)
        planned->probes = probes_number_set (probes, set);
      probes->n_events += has_turn;
      probes->n_turnless += !has_turn;
    }
  return TRUE;
}

static struct lc_replay_thread *
probes_find_thread (struct lc_replay_header *plan, guint32 process)
{
  struct lc_replay_thread *threads = lc_replay_plan_threads (plan);

  for (guint32 i = 0; i < plan->n_threads; i++)
    if (threads[i].process == process)
      return &threads[i];
  return NULL;
}

gboolean
lc_replay_probes_find (LcReplayProbes *probes, const char *directory, struct lc_replay_header *plan, GError **error)
{
  g_autoptr (LcHistory) history = lc_open_history (directory, NULL, FALSE, error);
  g_autoptr (LcHistoryWalk) walk = NULL;

  if (history == NULL || !lc_history_read_places (history, error))
    return FALSE;
  for (guint i = 0; i < probes->probes->len; i++)
    if (!probe_find_place (&g_array_index (probes->probes, LcReplayProbe, i), history, error))
      return FALSE;
  probes->plan = plan;
  walk = lc_history_walk_new (history, LC_TIMELINE_MEASURED, LC_WALK_ARCS, NULL, error);
  for (guint32 i = 0; walk != NULL && i < lc_history_get_n_processes (history); i++)
    if (!probes_mark_process (probes, history, walk, i, probes_find_thread (plan, i), error))
      return FALSE;
  for (guint i = 0; walk != NULL && i < probes->probes->len; i++)
    {
      const LcReplayProbe *probe = &g_array_index (probes->probes, LcReplayProbe, i);

      if (probe->n_events > 0)
        continue;
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   _ ("replay: “%s” is evaluated nowhere: no event at “%s” has a turn in a replay and is called by the "
                      "program"),
                   probe->expression, probe->text);
      return FALSE;
    }
  plan->prober = LC_REPLAY_PROBER_AWAITED;
  return walk != NULL;
}

void
lc_replay_probes_clear (LcReplayProbes *probes)
{
  for (guint i = 0; probes->probes != NULL && i < probes->probes->len; i++)
    {
      LcReplayProbe *probe = &g_array_index (probes->probes, LcReplayProbe, i);

      g_free (probe->expression);
      g_free (probe->text);
      g_free (probe->are_chosen);
    }
  g_clear_pointer (&probes->probes, g_array_unref);
  g_clear_pointer (&probes->sets, g_array_unref);
  g_clear_pointer (&probes->failures, g_ptr_array_unref);
  g_clear_pointer (&probes->reason, g_free);
  if (probes->received != NULL)
    g_string_free (g_steal_pointer (&probes->received), TRUE);
}
