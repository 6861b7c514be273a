/* SPDX-License-Identifier: Apache-2.0 */
/* Places in the source of which what-if asks: which events are called there. */
#ifndef LC_ANALYSIS_SCALED_PLACE_H
#define LC_ANALYSIS_SCALED_PLACE_H

#include "lightcone/approximate.h"
#include "lightcone/called.h"

/* Whether an event with some stack is called in the place. Of the last two only the call was recorded, or some calls.
 */
typedef enum
{
  LC_THERE_NO,
  LC_THERE_YES,
  LC_THERE_ELSEWHERE, /* no, as far as whole stacks with this call say */
  LC_THERE_UNKNOWN,
} LcThere;

struct _LcScaledPlace
{
  LcPlaceKind kind;
  char *name;
  guint8 *stacks; /* LcThere, by number */
  guint32 n_stacks;
  gboolean calls;  /* functions are called there that have events: without a whole stack it is not known from where */
  gboolean *began; /* by process: whether it began with a function that is the place, or in it */
  guint32 n_processes;
};

/* Whether the name says itself that it is a place's: "function worker". */
gboolean lc_scaled_place_is_meant (const char *name);

/* NULL with LC_COSTS_ERROR_VALUE, which says what there is of a similar name. `history` NULL: there are no places. */
LcScaledPlace *lc_scaled_place_find (LcHistory *history, const char *name, GError **error);
void lc_scaled_place_free (LcScaledPlace *place);

/* "function worker". Free with g_free. */
char *lc_scaled_place_dup_text (const LcScaledPlace *place);
const char *lc_place_kind_get_name (LcPlaceKind kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcScaledPlace, lc_scaled_place_free)

#endif
