/* SPDX-License-Identifier: Apache-2.0 */
/* The bar below a flame graph: the frame that is selected, and what can be done with it. */
#include "app/plots/flame-bar.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/shown-text.h"

#define FRAME_MARGIN 3.0 /* px around the pointer in which a narrow frame is found */

struct _LcFlameBar
{
  GtkWidget parent;

  /* Children of the template. */
  GtkWidget *contents;
  GtkLabel *selected;
  GtkWidget *only;
  GtkWidget *find;
  GtkWidget *out;

  LcPictureArea *area;
  char *path;           /* of the frame that is zoomed to; NULL: the lowest one */
  LcPictureFrame frame; /* the frame that is selected, if `has_frame` */
  gboolean has_frame;
};

G_DEFINE_FINAL_TYPE (LcFlameBar, lc_flame_bar, GTK_TYPE_WIDGET)

enum
{
  ZOOMED,
  FLAME_SIGNALS,
};

static guint flame_signals[FLAME_SIGNALS];

/* --- The selected frame ------------------------------------------------------------------------------------------- */

static void
flame_bar_show (LcFlameBar *bar)
{
  g_autofree char *text = NULL;

  if (bar->has_frame)
    text = g_strdelimit (g_strdup (bar->frame.text), "\n", ' ');
  lc_label_show (bar->selected, text != NULL ? text : _ ("Click a frame to zoom to it"));
  lc_tooltip_show (GTK_WIDGET (bar->selected), bar->has_frame ? bar->frame.text : NULL);
  gtk_widget_set_sensitive (bar->only, bar->has_frame && bar->frame.place != NULL && !bar->frame.blamed);
  gtk_widget_set_sensitive (bar->find, bar->has_frame && bar->frame.place != NULL);
  gtk_widget_set_sensitive (bar->out, bar->path != NULL);
  lc_picture_area_outline (bar->area, bar->has_frame ? &bar->frame.area : NULL);
  if (bar->has_frame)
    lc_accessible_show (GTK_ACCESSIBLE (bar->area), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
}

/* Takes the frame; NULL: none is selected. */
static void
flame_bar_select (LcFlameBar *bar, const LcPictureFrame *frame)
{
  lc_picture_frame_clear (&bar->frame);
  bar->has_frame = frame != NULL;
  if (frame != NULL)
    bar->frame = *frame;
  flame_bar_show (bar);
}

static void
flame_bar_zoom (LcFlameBar *bar, const char *path)
{
  char *copy = g_strdup (path);

  if (g_strcmp0 (path, bar->path) == 0)
    {
      g_free (copy);
      return;
    }
  g_free (bar->path);
  bar->path = copy;
  flame_bar_show (bar);
  g_signal_emit (bar, flame_signals[ZOOMED], 0);
}

const char *
lc_flame_bar_get_path (LcFlameBar *bar)
{
  return bar->path;
}

void
lc_flame_bar_click (LcFlameBar *bar, LcPlace place)
{
  LcPicture *picture = lc_picture_area_get_picture (bar->area);
  LcPictureFrame frame;

  if (picture == NULL || !lc_picture_find_frame (picture, place, FRAME_MARGIN, &frame))
    return;
  flame_bar_select (bar, &frame);
  flame_bar_zoom (bar, frame.path);
}

void
lc_flame_bar_refresh (LcFlameBar *bar)
{
  LcPicture *picture = lc_picture_area_get_picture (bar->area);
  LcPictureFrame frame;

  if (!gtk_widget_get_visible (GTK_WIDGET (bar)))
    return;
  if (picture != NULL && bar->has_frame && lc_picture_find_frame_by_path (picture, bar->frame.path, &frame))
    flame_bar_select (bar, &frame);
  else
    flame_bar_select (bar, NULL);
}

void
lc_flame_bar_forget (LcFlameBar *bar)
{
  g_clear_pointer (&bar->path, g_free);
  flame_bar_select (bar, NULL);
}

void
lc_flame_bar_set_shown (LcFlameBar *bar, gboolean shown)
{
  gtk_widget_set_visible (GTK_WIDGET (bar), shown);
  if (shown)
    flame_bar_show (bar);
  else
    lc_picture_area_outline (bar->area, NULL);
}

/* --- What the user does ------------------------------------------------------------------------------------------- */

static void
flame_bar_on_only (LcFlameBar *bar)
{
  gtk_widget_activate_action (GTK_WIDGET (bar), "win.only-called-in", "s", bar->frame.place);
}

static void
flame_bar_on_find (LcFlameBar *bar)
{
  g_autofree char *query = g_strdup_printf ("in:\"%s\"", bar->frame.place);

  gtk_widget_activate_action (GTK_WIDGET (bar), "win.search-for", "s", query);
}

static void
flame_bar_on_out (LcFlameBar *bar)
{
  flame_bar_zoom (bar, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (bar->area));
}

static gboolean
flame_bar_step (LcFlameBar *bar, LcFrameStep step)
{
  LcPicture *picture = lc_picture_area_get_picture (bar->area);
  LcPictureFrame frame;

  if (picture == NULL)
    return FALSE;
  if (bar->has_frame ? lc_picture_find_frame_beside (picture, bar->frame.box, step, &frame)
                     : lc_picture_find_frame_by_path (picture, bar->path, &frame))
    flame_bar_select (bar, &frame);
  return TRUE;
}

static gboolean
flame_bar_on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType modifiers, LcFlameBar *bar)
{
  if (!gtk_widget_get_visible (GTK_WIDGET (bar)) || (modifiers & gtk_accelerator_get_default_mod_mask ()) != 0)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      return flame_bar_step (bar, LC_FRAME_UP);
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      return flame_bar_step (bar, LC_FRAME_DOWN);
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      return flame_bar_step (bar, LC_FRAME_LEFT);
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      return flame_bar_step (bar, LC_FRAME_RIGHT);
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
      if (bar->has_frame)
        flame_bar_zoom (bar, bar->frame.path);
      return bar->has_frame;
    case GDK_KEY_Escape:
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
      if (bar->path == NULL)
        return FALSE; /* the diagram goes a step back */
      flame_bar_zoom (bar, NULL);
      return TRUE;
    default:
      return FALSE;
    }
}

void
lc_flame_bar_set_area (LcFlameBar *bar, LcPictureArea *area)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  bar->area = area;
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (flame_bar_on_key), bar, 0);
  gtk_widget_add_controller (GTK_WIDGET (area), keys);
  g_signal_connect_object (area, "settled", G_CALLBACK (lc_flame_bar_refresh), bar, G_CONNECT_SWAPPED);
}

/* --- The type ----------------------------------------------------------------------------------------------------- */

static void
lc_flame_bar_dispose (GObject *object)
{
  LcFlameBar *bar = LC_FLAME_BAR (object);

  g_clear_pointer (&bar->contents, gtk_widget_unparent);
  g_clear_pointer (&bar->path, g_free);
  lc_picture_frame_clear (&bar->frame);
  G_OBJECT_CLASS (lc_flame_bar_parent_class)->dispose (object);
}

static void
lc_flame_bar_class_init (LcFlameBarClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_flame_bar_dispose;
  flame_signals[ZOOMED] =
      g_signal_new ("zoomed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "flame-bar.ui");
  gtk_widget_class_bind_template_child (widget, LcFlameBar, contents);
  gtk_widget_class_bind_template_child (widget, LcFlameBar, selected);
  gtk_widget_class_bind_template_child (widget, LcFlameBar, only);
  gtk_widget_class_bind_template_child (widget, LcFlameBar, find);
  gtk_widget_class_bind_template_child (widget, LcFlameBar, out);
  gtk_widget_class_bind_template_callback (widget, flame_bar_on_only);
  gtk_widget_class_bind_template_callback (widget, flame_bar_on_find);
  gtk_widget_class_bind_template_callback (widget, flame_bar_on_out);
}

static void
lc_flame_bar_init (LcFlameBar *bar)
{
  gtk_widget_init_template (GTK_WIDGET (bar));
}
