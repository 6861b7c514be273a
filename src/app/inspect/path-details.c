/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the path panel: lists of shares, and the activities of the path in each part of its time. */
#include "app/inspect/path-details.h"

#include <glib/gi18n.h>

#include "app/inspect/path-places.h"
#include "app/shown-text.h"
#include "report/critical-path.h"
#include "trace/quantities.h"

enum
{
  MOST_SHARES = 1000,
};

LcPathAsked *
lc_path_asked_new (LcOpened *opened, LcKept *path, guint kind, guint32 id)
{
  LcPathAsked *asked = g_new (LcPathAsked, 1);

  *asked = (LcPathAsked){lc_opened_ref (opened), lc_kept_ref (path), kind, id};
  return asked;
}

void
lc_path_asked_free (gpointer data)
{
  LcPathAsked *asked = data;

  lc_kept_unref (asked->path);
  lc_opened_unref (asked->opened);
  g_free (asked);
}

/* Casts away const: visiting only reads the path, but its function takes it as non-const. */
static LcCriticalPath *
path_details_get_path (const LcPathAsked *asked)
{
  return (LcCriticalPath *)lc_kept_get (asked->path);
}

/* --- Bins -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcPathBin *bins;
  guint64 begin; /* begin of the first bin */
  double width;  /* ns of a bin */
} Binning;

static gboolean
path_details_add_segment (const LcCriticalSegment *segment, gpointer data)
{
  Binning *binning = data;
  guint64 at = segment->begin;
  gsize bin = MIN ((gsize)((double)(at - binning->begin) / binning->width), LC_PATH_BINS - 1);

  while (at < segment->end)
    {
      guint64 until =
          bin == LC_PATH_BINS - 1 ? segment->end : binning->begin + (guint64)((double)(bin + 1) * binning->width);

      until = CLAMP (until, at, segment->end);
      binning->bins[bin].parts[segment->part] += until - at;
      at = until;
      if (at < segment->end)
        bin++;
    }
  return TRUE;
}

/* --- Shares ------------------------------------------------------------------------------------------------------ */

static char *
dup_share_name (LcNames *names, LcSiteGroups *places, guint kind, guint32 id)
{
  if (kind == LC_PATH_PLACES && id != LC_TRACE_NONE)
    return lc_shown_dup_name (lc_site_groups_get_name (places, id));
  /* What was called nowhere lies between events. */
  return lc_format_text (
      lc_critical_share_name (names, kind == LC_PATH_PLACES ? LC_CRITICAL_OPERATIONS : kind, id, LC_FORMAT_KEPT));
}

static char *
dup_visits (guint kind, guint64 visits)
{
  g_autofree char *count = lc_format_count (visits);

  switch ((LcCriticalShareKind)kind)
    {
    case LC_CRITICAL_PROCESSES:
      return g_strdup_printf (ngettext ("%s stay", "%s stays", visits), count);
    case LC_CRITICAL_REGIONS:
      return g_strdup_printf (ngettext ("%s stretch", "%s stretches", visits), count);
    case LC_CRITICAL_OPERATIONS:
    case LC_CRITICAL_OBJECTS:
    case LC_CRITICAL_SHARES:
    default:
      return g_strdup_printf (ngettext ("%s time", "%s times", visits), count);
    }
}

static GPtrArray *
path_details_list_shares (LcCriticalPath *path, LcNames *names, LcSiteGroups *places, guint kind,
                          const LcCriticalShare *shares, gsize n_shares)
{
  const LcCriticalSummary *summary = lc_critical_path_get_summary (path);
  double length = (double)MAX (summary->end - summary->begin, 1);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  for (gsize i = 0; i < MIN (n_shares, MOST_SHARES); i++)
    {
      double share = (double)shares[i].time / length;
      g_autofree char *visits = dup_visits (kind, shares[i].visits), *time = lc_format_duration (shares[i].time);
      LcListed *listed =
          lc_listed_new (dup_share_name (names, places, kind, shares[i].id),
                         g_strdup_printf (_ ("%s, %s"), time, visits), g_strdup_printf (_ ("%.1f %%"), 100 * share));

      listed->share = share;
      listed->number = shares[i].id;
      g_ptr_array_add (list, listed);
    }
  return list;
}

static gboolean
path_details_add_places (const LcPathAsked *asked, LcNames *names, LcPathDetails *details, GCancellable *cancellable,
                         GError **error)
{
  LcCriticalPath *path = path_details_get_path (asked);
  g_autoptr (LcSiteGroups) places = NULL;
  g_autoptr (GArray) shares = NULL;

  if (lc_history_get_n_sites (asked->opened->history) == 0)
    return TRUE;
  places = lc_path_places_group (asked->opened->history);
  shares = lc_path_places_share (path, places, cancellable, error);
  if (shares != NULL)
    details->shares[LC_PATH_PLACES] =
        path_details_list_shares (path, names, places, LC_PATH_PLACES, (gconstpointer)shares->data, shares->len);
  return shares != NULL;
}

gpointer
lc_path_details_new (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  const LcPathAsked *asked = data;
  LcCriticalPath *path = path_details_get_path (asked);
  const LcCriticalSummary *summary = lc_critical_path_get_summary (path);
  g_autoptr (LcNames) names = lc_names_new (asked->opened->history);
  LcPathDetails *details = g_new0 (LcPathDetails, 1);
  Binning binning = {details->bins, summary->begin, (double)MAX (summary->end - summary->begin, 1) / LC_PATH_BINS};

  details->doubt = lc_critical_path_dup_doubt (summary, names);
  for (LcCriticalShareKind kind = 0; kind < LC_CRITICAL_SHARES; kind++)
    {
      gsize n_shares;
      const LcCriticalShare *shares = lc_critical_path_get_shares (path, kind, &n_shares);

      details->shares[kind] = path_details_list_shares (path, names, NULL, kind, shares, n_shares);
    }
  if (lc_critical_path_visit (path, path_details_add_segment, &binning, cancellable, error) &&
      path_details_add_places (asked, names, details, cancellable, error))
    return details;
  lc_path_details_free (details);
  return NULL;
}

void
lc_path_details_free (gpointer data)
{
  LcPathDetails *details = data;

  if (details == NULL)
    return;
  for (guint kind = 0; kind < LC_PATH_SHARES; kind++)
    g_clear_pointer (&details->shares[kind], g_ptr_array_unref);
  g_free (details->doubt);
  g_free (details);
}

/* --- The longest part of a share --------------------------------------------------------------------------------- */

typedef struct
{
  const LcPathAsked *asked;
  LcSiteGroups *places; /* for LC_PATH_PLACES */
  LcPathPart *longest;
} Longest;

static gboolean
path_details_is_of (const Longest *longest, const LcCriticalSegment *segment)
{
  const LcPathAsked *asked = longest->asked;
  const LcHistoryEvent *event = segment->event;

  if (asked->kind == LC_CRITICAL_PROCESSES)
    return segment->process == asked->id;
  if (asked->kind == LC_CRITICAL_OPERATIONS)
    return asked->id == LC_TRACE_NONE ? event == NULL : event != NULL && event->operation == asked->id;
  if (asked->kind == LC_PATH_PLACES)
    return asked->id == (event != NULL ? lc_site_groups_find (longest->places, event->stack) : LC_TRACE_NONE);
  return asked->id == (event != NULL ? event->object : LC_TRACE_NONE);
}

static gboolean
path_details_consider (const LcCriticalSegment *segment, gpointer data)
{
  Longest *longest = data;
  LcPathPart *part = longest->longest;

  if (!path_details_is_of (longest, segment))
    return TRUE;
  if (part->process != LC_TRACE_NONE && segment->end - segment->begin <= part->end - part->begin)
    return TRUE;
  *part = (LcPathPart){segment->process, segment->begin, segment->end, {.process = LC_TRACE_NONE}};
  if (segment->event != NULL)
    part->event = (LcEventName){.process = segment->event->process, .ordinal = segment->event->ordinal};
  return TRUE;
}

static void
find_longest_stay (LcCriticalPath *path, guint32 process, LcPathPart *part)
{
  gsize n_stays;
  const LcCriticalStay *stays = lc_critical_path_get_stays (path, &n_stays), *longest = NULL;

  for (gsize i = 0; i < n_stays; i++)
    if (stays[i].process == process &&
        (longest == NULL || stays[i].end - stays[i].begin > longest->end - longest->begin))
      longest = &stays[i];
  if (longest == NULL)
    return;
  *part = (LcPathPart){process, longest->begin, longest->end, {.process = LC_TRACE_NONE}};
  if (longest->released != LC_CRITICAL_NONE || longest->last > longest->first)
    part->event = (LcEventName){.process = process,
                                .ordinal = longest->released != LC_CRITICAL_NONE ? longest->released : longest->first};
}

gpointer
lc_path_longest_find (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  const LcPathAsked *asked = data;
  g_autofree LcPathPart *part = g_new0 (LcPathPart, 1);
  g_autoptr (LcSiteGroups) places =
      asked->kind == LC_PATH_PLACES ? lc_path_places_group (asked->opened->history) : NULL;
  Longest longest = {asked, places, part};

  part->process = LC_TRACE_NONE;
  if (asked->kind == LC_CRITICAL_PROCESSES)
    find_longest_stay (path_details_get_path (asked), asked->id, part);
  else if (!lc_critical_path_visit (path_details_get_path (asked), path_details_consider, &longest, cancellable, error))
    return NULL;
  return g_steal_pointer (&part);
}
