/* SPDX-License-Identifier: Apache-2.0 */
/* The places in the source that events were called in, as rows of a list. */
#include "app/inspect/places-list.h"

#include <glib/gi18n.h>

#include "app/shown-text.h"
#include "trace/quantities.h"

/* --- Statistics -------------------------------------------------------------------------------------------------- */

gpointer
lc_places_new (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  const LcShown *shown = data;
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (shown->opened->history, LC_SITES_BY_SITE);
  GArray *sites = lc_statistics_sites (shown->opened->history, shown->timeline, groups, cancellable, error);
  LcPlaces *places;

  if (sites == NULL)
    return NULL;
  places = g_new0 (LcPlaces, 1);
  places->sites = sites;
  places->names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < sites->len; i++)
    {
      guint32 group = g_array_index (sites, LcSiteStatistics, i).group;

      if (group >= places->names->len)
        g_ptr_array_set_size (places->names, (int)group + 1);
      places->names->pdata[group] = g_utf8_make_valid (lc_site_groups_get_name (groups, group), -1);
    }
  return places;
}

void
lc_places_free (gpointer data)
{
  LcPlaces *places = data;

  if (places == NULL)
    return;
  g_ptr_array_unref (places->names);
  g_array_unref (places->sites);
  g_free (places);
}

/* --- Rows -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const LcPlaces *places;
  LcPlacesSort sort;
} Sorting;

static guint64
places_list_measure (const LcSiteStatistics *site, LcPlacesSort sort)
{
  switch (sort)
    {
    case LC_PLACES_MADE_WAIT:
      return site->made_wait;
    case LC_PLACES_EVENTS:
      return site->events;
    case LC_PLACES_WAITED:
    case LC_PLACES_NAME:
    default:
      return site->waited;
    }
}

static int
places_list_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const Sorting *sorting = data;
  const LcSiteStatistics *one = *(const LcSiteStatistics *const *)a, *other = *(const LcSiteStatistics *const *)b;
  guint64 of_one = places_list_measure (one, sorting->sort), of_other = places_list_measure (other, sorting->sort);

  if (sorting->sort != LC_PLACES_NAME && of_one != of_other)
    return of_one > of_other ? -1 : 1;
  return g_strcmp0 (sorting->places->names->pdata[one->group], sorting->places->names->pdata[other->group]);
}

/* Tells what the amount does not, unless it is nothing. */
static char *
places_list_tell (const LcSiteStatistics *site, LcPlacesSort sort)
{
  g_autofree char *events = lc_format_count (site->events), *waited = lc_format_duration (site->waited),
                  *made_wait = lc_format_duration (site->made_wait);
  GString *text = g_string_new (NULL);

  if (sort != LC_PLACES_EVENTS)
    g_string_append_printf (text, ngettext ("%s event", "%s events", site->events), events);
  if ((sort == LC_PLACES_EVENTS || sort == LC_PLACES_MADE_WAIT) && site->waited > 0)
    {
      g_string_append (text, text->len > 0 ? ", " : "");
      g_string_append_printf (text, _ ("waited %s"), waited);
    }
  if (sort != LC_PLACES_MADE_WAIT && site->made_wait > 0)
    {
      g_string_append (text, text->len > 0 ? ", " : "");
      g_string_append_printf (text, _ ("made others wait %s"), made_wait);
    }
  return g_string_free (text, text->len == 0);
}

static LcListed *
places_list_make (const LcPlaces *places, const LcSiteStatistics *site, LcPlacesSort sort, guint64 most)
{
  guint64 measure = places_list_measure (site, sort);
  char *amount = sort == LC_PLACES_EVENTS ? lc_format_count (measure) : lc_format_duration (measure);
  LcListed *listed =
      lc_listed_new (lc_shown_dup_name (places->names->pdata[site->group]), places_list_tell (site, sort), amount);

  listed->wraps = TRUE;
  listed->number = site->group;
  if (most > 0)
    listed->share = (double)measure / (double)most;
  if (site->waits > 0)
    listed->event = (LcEventName){.process = site->longest_process, .ordinal = site->longest_ordinal};
  return listed;
}

GPtrArray *
lc_places_list (const LcPlaces *places, LcPlacesSort sort)
{
  const Sorting sorting = {places, sort};
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) sites = g_ptr_array_new ();
  guint64 most = 0;

  for (guint i = 0; i < places->sites->len; i++)
    {
      LcSiteStatistics *site = &g_array_index (places->sites, LcSiteStatistics, i);

      most = MAX (most, places_list_measure (site, sort));
      g_ptr_array_add (sites, site);
    }
  g_ptr_array_sort_with_data (sites, places_list_compare, (gpointer)&sorting);
  for (guint i = 0; i < sites->len; i++)
    g_ptr_array_add (rows, places_list_make (places, sites->pdata[i], sort, most));
  return rows;
}
