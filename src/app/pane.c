/* SPDX-License-Identifier: Apache-2.0 */
/* When a panel looks at what it shows: if the session has changed, and not before somebody sees it. */
#include "app/pane.h"

struct _LcPane
{
  GtkWidget *panel;
  LcSession *session;
  guint what;
  LcPaneLook look;
  guint timer;
  gboolean is_stale;
};

void
lc_pane_look (LcPane *pane)
{
  g_clear_handle_id (&pane->timer, g_source_remove);
  pane->is_stale = FALSE;
  pane->look (pane->panel);
}

gboolean
lc_pane_is_stale (const LcPane *pane)
{
  return pane->is_stale;
}

void
lc_pane_spoil (LcPane *pane)
{
  pane->is_stale = TRUE;
  if (gtk_widget_get_mapped (pane->panel))
    lc_pane_look (pane);
}

static gboolean
pane_on_timer (gpointer data)
{
  LcPane *pane = data;

  pane->timer = 0;
  lc_pane_look (pane);
  return G_SOURCE_REMOVE;
}

void
lc_pane_spoil_soon (LcPane *pane, guint delay)
{
  pane->is_stale = TRUE;
  g_clear_handle_id (&pane->timer, g_source_remove);
  if (gtk_widget_get_mapped (pane->panel))
    pane->timer = g_timeout_add (delay, pane_on_timer, pane);
}

static void
pane_on_map (LcPane *pane)
{
  if (pane->is_stale)
    lc_pane_look (pane);
}

static void
pane_on_changed (LcSession *session, guint what, LcPane *pane)
{
  if ((what & pane->what) != 0)
    lc_pane_spoil (pane);
}

LcPane *
lc_pane_new (gpointer panel, LcSession *session, guint what, LcPaneLook look)
{
  LcPane *pane = g_new0 (LcPane, 1);

  pane->panel = panel;
  pane->session = g_object_ref (session);
  pane->what = what;
  pane->look = look;
  pane->is_stale = TRUE;
  g_signal_connect_data (panel, "map", G_CALLBACK (pane_on_map), pane, NULL, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect (session, "changed", G_CALLBACK (pane_on_changed), pane);
  if (gtk_widget_get_mapped (pane->panel))
    lc_pane_look (pane);
  return pane;
}

void
lc_pane_free (LcPane *pane)
{
  g_clear_handle_id (&pane->timer, g_source_remove);
  g_signal_handlers_disconnect_by_data (pane->panel, pane);
  g_signal_handlers_disconnect_by_data (pane->session, pane);
  g_object_unref (pane->session);
  g_free (pane);
}
