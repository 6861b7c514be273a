/* SPDX-License-Identifier: Apache-2.0 */
/* The state line describes the shown choices in words, so that approximated or filtered events are not taken for all
 * that was measured. */
#include "app/diagram/state-line.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/shown-text.h"
#include "app/theme.h"
#include "app/time/timeline-actions.h"
#include "app/wrap-box.h"
#include "draw/picture-private.h"

#define SPACE 12 /* pixels between two texts */

/* A text with a button that takes back what the text says. */
typedef struct
{
  GtkWidget *box;
  GtkWidget *label;
  GtkWidget *button;
} Part;

struct _LcStateLine
{
  GtkWidget parent;

  LcSession *session;
  GtkWidget *texts;     /* a box that goes on in a second line, so that no text is cut while another has room */
  GtkWidget *badges[2]; /* one for each shown timeline */
  GtkWidget *between;   /* the position between the timelines, or their bounds */
  GtkWidget *time;
  GtkWidget *span;
  Part processes;
  Part filter;
  Part highlight;
};

G_DEFINE_FINAL_TYPE (LcStateLine, lc_state_line, GTK_TYPE_WIDGET)

/* --- Timelines ------------------------------------------------------------------------------------------------------
 */

static char *
dup_hex (LcColor color)
{
  return g_strdup_printf ("#%02x%02x%02x", (guint)(color.red * 255 + 0.5), (guint)(color.green * 255 + 0.5),
                          (guint)(color.blue * 255 + 0.5));
}

/* Colours a badge with the timeline's colour, and its text with whichever of two colours is readable on it. */
static void
set_badge (LcStateLine *line, GtkWidget *badge, guint32 timeline)
{
  LcTheme theme = lc_theme_of (GTK_WIDGET (line));
  LcColor ground =
      lc_palette_get_color (theme, timeline == LC_TIMELINE_MEASURED ? LC_INK_MEASURED : LC_INK_APPROXIMATED);
  LcColor text = lc_palette_get_color (theme, LC_INK_TEXT), other = lc_palette_get_color (theme, LC_INK_BACKGROUND);
  const GPtrArray *timelines = lc_session_get_timelines (line->session);
  g_autofree char *name = NULL, *color = dup_hex (ground), *ink = NULL, *markup = NULL;

  gtk_widget_set_visible (badge, timeline != LC_TRACE_NONE && timelines != NULL);
  if (timeline == LC_TRACE_NONE || timelines == NULL)
    return;
  name = lc_picture_dup_timeline (timelines, timeline);
  ink = dup_hex (lc_color_contrast (text, ground) >= lc_color_contrast (other, ground) ? text : other);
  markup = g_markup_printf_escaped ("<span bgcolor=\"%s\" fgcolor=\"%s\" weight=\"bold\">\302\240%s\302\240</span>",
                                    color, ink, name);
  gtk_label_set_markup (GTK_LABEL (badge), markup);
  lc_tooltip_show (badge, timeline == LC_TIMELINE_MEASURED
                              ? _ ("As it was measured, with what the measurement itself took")
                              : _ ("Approximated: not as it was measured"));
}

/* The badges already show the two timelines, so this text has only the position between them. */
static char *
state_line_dup_way (LcSession *session)
{
  guint32 from, to;
  double way;

  if (!lc_timeline_get_way (session, &from, &to, &way) || way < 0)
    return NULL;
  /* TRANSLATORS: how far the picture is on the way to a timeline. */
  return g_strdup_printf (_ ("%.0f %% towards %s"), round (way * 100), lc_session_get_timeline_title (session, to));
}

static void
set_between (LcStateLine *line, const LcShown *shown)
{
  g_autofree char *text = state_line_dup_way (line->session), *whole = lc_timeline_dup_way (line->session);

  if (text == NULL && shown->selection.lowest != LC_TRACE_NONE && shown->selection.highest != LC_TRACE_NONE)
    text =
        g_strdup_printf (_ ("bounds: %s to %s"), lc_session_get_timeline_title (line->session, shown->selection.lowest),
                         lc_session_get_timeline_title (line->session, shown->selection.highest));
  lc_label_show (GTK_LABEL (line->between), text != NULL ? text : "");
  lc_tooltip_show (line->between, whole != NULL ? whole : text);
  gtk_widget_set_visible (line->between, text != NULL);
}

/* --- The whole line ---------------------------------------------------------------------------------------------- */

/* Shows a text, and takes ownership of it; NULL: none. */
static void
set_part (Part *part, char *text, gboolean can_clear)
{
  gtk_widget_set_visible (part->box, text != NULL);
  gtk_widget_set_visible (part->button, can_clear);
  lc_label_show (GTK_LABEL (part->label), text != NULL ? text : "");
  lc_tooltip_show (part->label, text);
  g_free (text);
}

static void
update_span (LcStateLine *line)
{
  g_autofree char *text = lc_state_dup_span (line->session);

  gtk_inscription_set_text (GTK_INSCRIPTION (line->span), text);
}

static char *
state_line_dup_highlight (const LcShown *shown)
{
  g_autofree char *highlight = lc_state_dup_highlight (shown);

  return highlight != NULL ? g_strdup_printf (_ ("highlighted: %s"), highlight) : NULL;
}

static void
state_line_update (LcStateLine *line)
{
  static const char *const times[] = {
      [LC_SCENE_PHYSICAL] = N_ ("physical time"),
      [LC_SCENE_LOGICAL] = N_ ("logical time"),
      [LC_SCENE_PHASE] = N_ ("phase time"),
  };
  const LcShown *shown = lc_session_get_shown (line->session);
  g_autofree char *filter = NULL;

  gtk_widget_set_visible (GTK_WIDGET (line), shown != NULL);
  if (shown == NULL)
    return;
  set_badge (line, line->badges[0], shown->timeline);
  set_badge (line, line->badges[1], shown->beside);
  set_between (line, shown);
  lc_label_show (GTK_LABEL (line->time), _ (times[shown->selection.time]));
  update_span (line);
  set_part (&line->processes, lc_state_dup_processes (shown),
            shown->selection.n_processes < lc_history_get_n_processes (shown->opened->history));
  filter = lc_state_dup_filter (shown);
  set_part (&line->filter, filter != NULL ? g_strdup_printf (_ ("filtered: %s"), filter) : NULL, TRUE);
  set_part (&line->highlight, state_line_dup_highlight (shown), TRUE);
}

static void
state_line_on_changed (LcStateLine *line, guint what)
{
  if ((what & ~(LC_CHANGED_SPAN | LC_CHANGED_SELECTION | LC_CHANGED_TRAIL | LC_CHANGED_BOOKMARKS | LC_CHANGED_HEAD)) !=
      0)
    state_line_update (line);
  else if ((what & LC_CHANGED_SPAN) != 0 && lc_session_get_shown (line->session) != NULL)
    update_span (line);
}

/* --- The widget
 * ------------------------------------------------------------------------------------------------------------ */

static void
state_line_add (LcStateLine *line, GtkWidget *text)
{
  gtk_widget_set_margin_end (text, SPACE);
  gtk_widget_set_parent (text, line->texts);
}

static GtkWidget *
state_line_add_label (LcStateLine *line, GtkWidget *parent)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (parent != NULL)
    gtk_box_append (GTK_BOX (parent), label);
  else
    state_line_add (line, label);
  return label;
}

static void
state_line_add_part (LcStateLine *line, Part *part, const char *what, const char *action)
{
  part->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  state_line_add (line, part->box);
  part->label = state_line_add_label (line, part->box);
  part->button = gtk_button_new_from_icon_name ("edit-clear-symbolic");
  gtk_button_set_has_frame (GTK_BUTTON (part->button), FALSE);
  lc_tooltip_show (part->button, what);
  lc_accessible_show (GTK_ACCESSIBLE (part->button), GTK_ACCESSIBLE_PROPERTY_LABEL, what);
  gtk_widget_set_valign (part->button, GTK_ALIGN_CENTER);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (part->button), action);
  gtk_box_append (GTK_BOX (part->box), part->button);
}

/* The legend's button stays where it is while the legend is not shown. */
static void
state_line_add_legend (LcStateLine *line)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (_ ("Legend"));

  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "legend-button");
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  lc_tooltip_show (button, _ ("What the colours and lines of the diagram mean"));
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), "win.legend");
  gtk_widget_set_parent (button, GTK_WIDGET (line));
}

static void
lc_state_line_dispose (GObject *object)
{
  LcStateLine *line = LC_STATE_LINE (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (line))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&line->session);
  G_OBJECT_CLASS (lc_state_line_parent_class)->dispose (object);
}

static void
lc_state_line_class_init (LcStateLineClass *class)
{
  G_OBJECT_CLASS (class)->dispose = lc_state_line_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "stateline");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_STATUS);
}

static void
lc_state_line_init (LcStateLine *line)
{
  gtk_widget_add_css_class (GTK_WIDGET (line), "caption");
  line->texts = lc_wrap_box_new ("statetexts", GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_set_hexpand (line->texts, TRUE);
  gtk_widget_set_valign (line->texts, GTK_ALIGN_CENTER);
  gtk_widget_set_parent (line->texts, GTK_WIDGET (line));
  line->badges[0] = state_line_add_label (line, NULL);
  line->badges[1] = state_line_add_label (line, NULL);
  line->between = state_line_add_label (line, NULL);
  line->time = state_line_add_label (line, NULL);
  state_line_add_part (line, &line->processes, _ ("Show all processes"), "win.show-all-processes");
  /* The text of the span changes in every frame; an inscription need not be measured again. */
  line->span = gtk_inscription_new (NULL);
  gtk_inscription_set_nat_chars (GTK_INSCRIPTION (line->span), 40);
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (line->span), GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  state_line_add (line, line->span);
  state_line_add_part (line, &line->filter, _ ("Clear all filters"), "win.clear-filters");
  state_line_add_part (line, &line->highlight, _ ("Clear the highlight"), "win.highlight::none");
  state_line_add_legend (line);
}

GtkWidget *
lc_state_line_new (LcSession *session)
{
  LcStateLine *line = g_object_new (LC_TYPE_STATE_LINE, NULL);

  line->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (state_line_on_changed), line, G_CONNECT_SWAPPED);
  lc_theme_watch (line, G_CALLBACK (state_line_update));
  state_line_update (line);
  return GTK_WIDGET (line);
}
