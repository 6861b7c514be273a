/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone races`. Its keys and columns must never change. */
#ifndef LC_CLI_RACES_H
#define LC_CLI_RACES_H

#include "history/names.h"
#include "lightcone/races.h"
#include "report/rows.h"

typedef struct
{
  LcHistory *history;
  LcNames *names;
  const LcSiteGroups *groups;
  const LcRaces *races;
  const GArray *shown; /* guint: indexes of the groups that are asked for */
  LcFormat format;
  gsize limit;
} LcRacesShow;

void lc_races_show (const LcRacesShow *show);

#endif
