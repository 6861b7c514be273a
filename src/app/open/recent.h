/* SPDX-License-Identifier: Apache-2.0 */
/* Recently opened traces, kept in the desktop's list of recent files. */
#ifndef LC_APP_RECENT_H
#define LC_APP_RECENT_H

#include <gtk/gtk.h>

typedef struct
{
  char *path;
  char *title;
  char *parent;     /* the folder around it, for the user */
  gint64 visited;   /* Unix time */
  gboolean missing; /* set by lc_recent_look */
  guint64 bytes;    /* set by lc_recent_look */
} LcRecent;

void lc_recent_add (const char *directory);
void lc_recent_remove (const char *directory);

/* Returns LcRecent in a new array, the latest first. */
GPtrArray *lc_recent_list (void);

/* Looks whether the trace exists and how large it is. May take long; any thread may call it. */
void lc_recent_look (LcRecent *recent);

/* Returns the menu of recent traces for win.open-named, which is kept up to date. Belongs to this file. */
GMenuModel *lc_recent_get_menu (void);

#endif
