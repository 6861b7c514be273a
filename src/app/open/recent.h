/* SPDX-License-Identifier: Apache-2.0 */
/* The traces that were opened lately, as the desktop keeps them. */
#ifndef LC_APP_RECENT_H
#define LC_APP_RECENT_H

#include <gtk/gtk.h>

typedef struct
{
  char *path;
  char *title;
  char *parent;     /* the folder around it, to show */
  gint64 visited;   /* Unix time */
  gboolean missing; /* after lc_recent_look */
  guint64 bytes;    /* likewise */
} LcRecent;

void lc_recent_add (const char *directory);
void lc_recent_remove (const char *directory);

/* LcRecent, the last one first; a new array. */
GPtrArray *lc_recent_list (void);

/* Looks at the disk, which may take long: asks for what is on it, and how much. For any thread. */
void lc_recent_look (LcRecent *recent);

/* Of the last ones, for win.open-named; it changes with them. Belongs to this file. */
GMenuModel *lc_recent_get_menu (void);

#endif
