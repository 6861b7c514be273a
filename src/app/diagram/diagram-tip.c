/* SPDX-License-Identifier: Apache-2.0 */
/* Hints at the pointer: an outline at once, and a tooltip after a moment. */
#include "app/diagram/diagram-input-private.h"
#include "app/marks/mark-sets.h"
#include "app/settings.h"

#define MARGIN 4.0
#define TIP 6 /* pixels that the pointer may move before the tooltip is renewed */

/* Outlines the mark under the pointer, but not during a drag or a glide. */
static void
diagram_tip_outline (LcDiagramInput *input)
{
  LcPick pick;
  double x, y;

  if (input->area == NULL)
    return;
  if (!lc_diagram_input_get_pointer (input, &x, &y) || input->banding != NULL || input->glide != 0 ||
      !lc_diagram_area_pick (input->area, x, y, MARGIN, &pick) ||
      (pick.mark != NULL && pick.mark->kind == LC_MARK_LIFE))
    lc_diagram_area_set_hover (input->area, NULL);
  else
    lc_diagram_area_set_hover (input->area, &pick);
}

/* Adds what the user has said of the event. */
static void
diagram_tip_add_marks (LcDiagramInput *input, const LcPick *pick, char **text)
{
  const LcMarks *marks = lc_session_get_marks (input->session);
  const LcShown *shown = lc_session_get_shown (input->session);
  g_autofree char *more = NULL, *before = NULL;
  LcHistoryEvent event;

  if (marks == NULL || marks->marks->len + marks->annotations->len == 0 || pick->mark == NULL ||
      pick->mark->kind != LC_MARK_EVENT ||
      !lc_history_get_event (shown->opened->history, shown->timeline, pick->mark->process, pick->mark->ordinal, &event,
                             NULL))
    return;
  more = lc_marks_dup_text (marks, &event);
  if (more == NULL)
    return;
  before = *text;
  *text = g_strdup_printf ("%s\n%s", before, more);
}

static gboolean
diagram_tip_tell (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  LcDiagramInput *input = LC_DIAGRAM_INPUT (data);
  const LcScene *scene;
  g_autofree char *text = NULL;
  LcPick pick;

  if (keyboard || !lc_settings_get_boolean ("diagram-tips", TRUE) || input->area == NULL || input->banding != NULL ||
      !lc_diagram_area_pick (input->area, x, y, MARGIN, &pick))
    return FALSE;
  scene = lc_diagram_area_get_scene (input->area);
  text = scene != NULL ? lc_scene_dup_text (scene, &pick) : NULL;
  if (text == NULL || text[0] == '\0')
    return FALSE;
  diagram_tip_add_marks (input, &pick, &text);
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){x - TIP, y - TIP, 2 * TIP, 3 * TIP});
  return TRUE;
}

void
lc_diagram_input_add_tip (LcDiagramInput *input)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (input->area), TRUE);
  g_signal_connect_object (input->area, "query-tooltip", G_CALLBACK (diagram_tip_tell), input, 0);
  g_signal_connect (input, "pointed", G_CALLBACK (diagram_tip_outline), NULL);
  g_signal_connect_object (input->area, "moved", G_CALLBACK (diagram_tip_outline), input, G_CONNECT_SWAPPED);
}
