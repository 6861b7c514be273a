/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in the lists of the panels: an event, a share, a problem, each with a place that it leads to. */
#ifndef LC_APP_LISTED_H
#define LC_APP_LISTED_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* Once it is in a list it is never changed. It can be made in any thread. */
#define LC_TYPE_LISTED (lc_listed_get_type ())
G_DECLARE_FINAL_TYPE (LcListed, lc_listed, LC, LISTED, GObject)

struct _LcListed
{
  GObject parent;

  char *title;
  char *detail;      /* or NULL */
  char *amount;      /* a number, at the end of the row; or NULL */
  char *hint;        /* a tooltip, or NULL */
  const char *icon;  /* or NULL */
  gboolean wraps;    /* all of it is to be read: the texts take several lines if need be */
  double share;      /* of a whole, as a bar behind the row; below 0: none */
  LcEventName event; /* that it leads to, or process LC_TRACE_NONE */
  guint64 number;    /* whose the list is: a stay, an object ... */
};

/* Takes the texts. */
LcListed *lc_listed_new (char *title, char *detail, char *amount);

/* All in one line, for a screen reader and to be copied. Free with g_free. */
char *lc_listed_dup_text (const LcListed *listed);

/* One row. */
GtkWidget *lc_listed_row_new (void);
void lc_listed_row_set (GtkWidget *row, const LcListed *listed);

/* A row to click that selects its event; one that leads nowhere is only a row. */
GtkWidget *lc_listed_button_new (LcSession *session, LcListed *listed);

/* Called for a row that was chosen. */
typedef void (*LcListedChosen) (gpointer owner, LcListed *listed);

/* A list of LcListed in a scrolled window. Takes the model. */
GtkWidget *lc_listed_view_new (GListModel *model, const char *name, LcListedChosen chosen, gpointer owner);

/* In place of all that is in it, as one change. */
void lc_listed_fill (GListStore *store, GPtrArray *listed);

#endif
