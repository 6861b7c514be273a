/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the lists in panels: an event, a share or a problem, each with the place that it leads to. */
#ifndef LC_APP_LISTED_H
#define LC_APP_LISTED_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* An event that a row sums up, with a number for the owner of the list. */
typedef struct
{
  LcEventName event;
  guint64 amount;
} LcListedInner;

/* An LcListed may be made in any thread, and never changes once it is in a list. */
#define LC_TYPE_LISTED (lc_listed_get_type ())
G_DECLARE_FINAL_TYPE (LcListed, lc_listed, LC, LISTED, GObject)

struct _LcListed
{
  GObject parent;

  char *title;
  char *detail;      /* or NULL */
  char *amount;      /* a number, at the end of the row; or NULL */
  char *place;       /* where in the source the event was called; or NULL */
  char *exact;       /* the time of its event to the nanosecond, for the tooltip and the clipboard; or NULL */
  char *hint;        /* another tooltip than its texts, or NULL */
  const char *icon;  /* or NULL */
  gboolean wraps;    /* the texts may take several lines so that all of each can be read */
  double share;      /* share of a whole, drawn as a bar behind the row; negative: no bar */
  LcEventName event; /* the event that the row leads to; process LC_TRACE_NONE: none */
  GArray *inner;     /* LcListedInner: what the row sums up, to be shown below it; or NULL */
  guint64 number;    /* for the owner of the list: the number of a stay, an object ... */
};

/* Takes ownership of the texts. */
LcListed *lc_listed_new (char *title, char *detail, char *amount);

/* Puts all texts of the row into one line, for a screen reader or the clipboard. Free with g_free. */
char *lc_listed_dup_text (const LcListed *listed);

/* The widget that shows one LcListed. */
GtkWidget *lc_listed_row_new (void);
void lc_listed_row_set (GtkWidget *row, const LcListed *listed);

/* Makes a row that selects its event when clicked; a row without an event is not clickable. */
GtkWidget *lc_listed_button_new (LcSession *session, LcListed *listed);

/* Called when the user activates a row. */
typedef void (*LcListedChosen) (gpointer owner, LcListed *listed);

/* Makes a list of LcListed in a scrolled window. Takes ownership of the model. */
GtkWidget *lc_listed_view_new (GListModel *model, const char *name, LcListedChosen chosen, gpointer owner);

/* Makes the rows below one that has something inner (LcListed, owned); NULL: there are none. */
typedef GPtrArray *(*LcListedOpen) (gpointer owner, LcListed *listed);

/* Makes such a list, in which rows that have something inner can be opened. Takes ownership of the model. */
GtkWidget *lc_listed_tree_new (GListModel *model, const char *name, LcListedOpen open, LcListedChosen chosen,
                               gpointer owner);

/* Called when the user asks for the menu of a row, which the menu is to open at. */
typedef void (*LcListedMenu) (gpointer owner, LcListed *listed, GtkWidget *row, double x, double y);

/* Gives the rows of a list made by lc_listed_view_new a menu. */
void lc_listed_view_set_menu (GtkWidget *view, LcListedMenu menu, gpointer owner);

/* Replaces the whole content of the store in one change. */
void lc_listed_fill (GListStore *store, GPtrArray *listed);

#endif
