/* SPDX-License-Identifier: Apache-2.0 */
/* The places in the source that events were called in, as rows of a list. */
#ifndef LC_APP_PLACES_LIST_H
#define LC_APP_PLACES_LIST_H

#include "app/session/listed.h"
#include "lightcone/sites.h"

typedef enum
{
  LC_PLACES_WAITED,
  LC_PLACES_MADE_WAIT,
  LC_PLACES_EVENTS,
  LC_PLACES_NAME,
} LcPlacesSort;

typedef struct
{
  GPtrArray *names; /* by place: its name as lc_called_new takes it */
  GArray *sites;    /* LcSiteStatistics, whose groups are numbers of places */
} LcPlaces;

/* An LcJobWork that returns the LcPlaces of an LcShown. */
gpointer lc_places_new (gpointer shown, gint *done, GCancellable *cancellable, GError **error);
void lc_places_free (gpointer places);

/* Returns LcListed in a new array, sorted. Each has the number of its place, and leads to the longest wait there, if
 * there is one. */
GPtrArray *lc_places_list (const LcPlaces *places, LcPlacesSort sort);

#endif
