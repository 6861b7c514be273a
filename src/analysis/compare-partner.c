/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the same event in another history. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "lightcone/compare.h"

enum
{
  MOST_MEMBERS = 100000, /* events with one object and sequence number: the members of a barrier */
};

/* Counts the processes of the same name before this one. */
static guint
partner_count_before (const LcHistory *history, guint32 process)
{
  const char *name = lc_history_get_process (history, process)->name;
  guint n = 0;

  for (guint32 i = 0; i < process; i++)
    n += strcmp (lc_history_get_process (history, i)->name, name) == 0;
  return n;
}

static gboolean
is_same_process (const LcHistory *one, guint32 process, const LcHistory *other, guint32 its_process)
{
  return strcmp (lc_history_get_process (one, process)->name, lc_history_get_process (other, its_process)->name) == 0 &&
         partner_count_before (one, process) == partner_count_before (other, its_process);
}

static gboolean
is_same_operation (const LcHistory *one, guint16 operation, const LcHistory *other, guint16 its_operation)
{
  const LcHistoryOperation *first = lc_history_get_operation (one, operation);
  const LcHistoryOperation *second = lc_history_get_operation (other, its_operation);

  return strcmp (first->name, second->name) == 0 && strcmp (first->class_name, second->class_name) == 0;
}

/* Advances `number` to the next object like this one, up to `last`; LC_TRACE_NONE: there is none. */
static gboolean
find_like (LcHistory *history, const LcHistoryObject *like, guint32 *number, guint32 last, GError **error)
{
  for (; *number <= last; (*number)++)
    {
      LcHistoryObject object;
      gboolean found;

      if (!lc_history_get_object (history, *number, &object, error))
        return FALSE;
      found = strcmp (object.name, like->name) == 0 && strcmp (object.class_name, like->class_name) == 0;
      lc_history_object_clear (&object);
      if (found)
        return TRUE;
    }
  *number = LC_TRACE_NONE;
  return TRUE;
}

/* If several objects are alike, the one with as many before it is the same; LC_TRACE_NONE: there is none. */
static gboolean
find_nth_like (LcHistory *one, guint32 number, LcHistory *other, const LcHistoryObject *like, guint32 *its_number,
               GError **error)
{
  guint32 n_objects = lc_history_get_n_objects (other), its = 0, ours = 0;

  *its_number = LC_TRACE_NONE;
  if (n_objects == 0)
    return TRUE;
  for (;; ours++, its++)
    {
      if (!find_like (one, like, &ours, number, error) || !find_like (other, like, &its, n_objects - 1, error))
        return FALSE;
      if (its == LC_TRACE_NONE || ours == number)
        break;
    }
  *its_number = its;
  return TRUE;
}

/* Finds the same object in the other history; LC_TRACE_NONE: there is none. */
static gboolean
partner_find_object (LcHistory *history, guint32 number, LcHistory *other, guint32 *its_number, GError **error)
{
  LcHistoryObject object;
  gboolean good;

  if (!lc_history_get_object (history, number, &object, error))
    return FALSE;
  good = find_nth_like (history, number, other, &object, its_number, error);
  lc_history_object_clear (&object);
  return good;
}

/* Returns the event's place among those with the same process and operation. */
static guint
count_like (const GArray *events, const LcHistoryEvent *event)
{
  guint n = 0;

  for (guint i = 0; i < events->len; i++)
    {
      const LcHistoryEvent *other = &g_array_index (events, LcHistoryEvent, i);

      n += other->process == event->process && other->operation == event->operation && other->ordinal < event->ordinal;
    }
  return n;
}

static gboolean
partner_choose (const LcCompareSide *one, const LcHistoryEvent *event, guint place, const LcCompareSide *other,
                const GArray *events, LcHistoryEvent *partner)
{
  for (guint i = 0; i < events->len; i++)
    {
      *partner = g_array_index (events, LcHistoryEvent, i);
      if (is_same_process (one->history, event->process, other->history, partner->process) &&
          is_same_operation (one->history, event->operation, other->history, partner->operation) &&
          count_like (events, partner) == place)
        return TRUE;
    }
  return FALSE;
}

gboolean
lc_compare_find_partner (const LcCompareSide sides[2], guint from, guint32 process, guint64 ordinal,
                         LcHistoryEvent *partner, GCancellable *cancellable, GError **error)
{
  const LcCompareSide *one = &sides[from], *other = &sides[1 - from];
  g_autoptr (GArray) ours = NULL, theirs = NULL;
  LcHistoryEvent event;
  guint32 object = LC_TRACE_NONE;

  if (!lc_history_get_event (one->history, one->timeline, process, ordinal, &event, error))
    return FALSE;
  if (event.object != LC_TRACE_NONE && (event.flags & LC_TRACE_EVENT_SEQUENCE) != 0 &&
      !partner_find_object (one->history, event.object, other->history, &object, error))
    return FALSE;
  if (object != LC_TRACE_NONE && (!lc_history_find_by_key (one->history, one->timeline, event.object, event.sequence,
                                                           MOST_MEMBERS, cancellable, &ours, error) ||
                                  !lc_history_find_by_key (other->history, other->timeline, object, event.sequence,
                                                           MOST_MEMBERS, cancellable, &theirs, error)))
    return FALSE;
  if (object != LC_TRACE_NONE && partner_choose (one, &event, count_like (ours, &event), other, theirs, partner))
    return TRUE;
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, _ ("the other history has no such event"));
  return FALSE;
}
