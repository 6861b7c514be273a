/* SPDX-License-Identifier: Apache-2.0 */
/* The longest waits among the shown events, as rows of a list. */
#ifndef LC_APP_LONGEST_WAITS_H
#define LC_APP_LONGEST_WAITS_H

#include "app/session/listed.h"

enum
{
  LC_LONGEST_WAITS = 1000,
};

/* A row for each wait, or for each group of waits. */
typedef enum
{
  LC_LONGEST_WAITS_EACH,
  LC_LONGEST_WAITS_BY_OBJECT,
  LC_LONGEST_WAITS_BY_SITE,
  LC_LONGEST_WAITS_BY_STACK,
  LC_LONGEST_WAITS_BY_PROCESS,
  LC_LONGEST_WAITS_BY_HOLDER,
  LC_LONGEST_WAITS_BY_FOR,
  LC_LONGEST_WAITS_BY_PAIR,
} LcLongestWaitsBy;

/* Makes the input of lc_longest_waits_list. `in_view`: only waits that touch the view. */
gpointer lc_longest_waits_ask (LcSession *session, LcLongestWaitsBy by, gboolean in_view);
void lc_longest_waits_asked_free (gpointer asked);

typedef struct
{
  GPtrArray *rows;       /* LcListed */
  gboolean has_no_joins; /* threads that waited for others to end are left out: that is how the program is made */
} LcLongestWaits;

void lc_longest_waits_free (LcLongestWaits *waits);

/* Lists the longest waits of a group (LcListed), quickly. NULL: error. */
GPtrArray *lc_longest_waits_open (LcSession *session, const LcListed *group, GError **error);

/* An LcJobWork that returns LcLongestWaits. Joins of threads are listed if the filter names operations, or nothing else
 * has waited. */
gpointer lc_longest_waits_list (gpointer asked, gint *done, GCancellable *cancellable, GError **error);

#endif
