/* SPDX-License-Identifier: Apache-2.0 */
/* A container that its child may not fit into, so that the owner can hide parts of the child. */
#include "app/room.h"

struct _LcRoom
{
  GtkWidget parent;

  GtkWidget *child;
  int width;
  int height;
  int least_width; /* that the child needs */
  guint telling;
};

enum
{
  PROP_CHILD = 1,
};

static guint resized;

G_DEFINE_FINAL_TYPE (LcRoom, lc_room, GTK_TYPE_WIDGET)

static gboolean
tell (gpointer data)
{
  LcRoom *room = data;

  room->telling = 0;
  g_signal_emit (room, resized, 0);
  return G_SOURCE_REMOVE;
}

static void
lc_room_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                 int *minimum_baseline, int *natural_baseline)
{
  LcRoom *room = LC_ROOM (widget);

  *minimum = *natural = 0;
  if (room->child != NULL)
    gtk_widget_measure (room->child, orientation, -1, NULL, natural, NULL, NULL);
}

/* The child gets the size that it needs, even if part of it is clipped until the owner reacts to the signal. */
static void
lc_room_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  LcRoom *room = LC_ROOM (widget);
  int least_width = 0, least_height;

  if (room->child != NULL)
    {
      gtk_widget_measure (room->child, GTK_ORIENTATION_HORIZONTAL, -1, &least_width, NULL, NULL, NULL);
      gtk_widget_measure (room->child, GTK_ORIENTATION_VERTICAL, MAX (width, least_width), &least_height, NULL, NULL,
                          NULL);
      gtk_widget_allocate (room->child, MAX (width, least_width), MAX (height, least_height), -1, NULL);
    }
  if (room->width == width && room->height == height && room->least_width == least_width)
    return;
  room->least_width = least_width;
  room->width = width;
  room->height = height;
  if (room->telling == 0)
    room->telling = g_idle_add_full (G_PRIORITY_HIGH, tell, room, NULL);
}

static void
lc_room_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  LcRoom *room = LC_ROOM (object);

  g_clear_pointer (&room->child, gtk_widget_unparent);
  room->child = g_value_get_object (value);
  if (room->child != NULL)
    gtk_widget_set_parent (room->child, GTK_WIDGET (room));
}

static void
lc_room_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_object (value, LC_ROOM (object)->child);
}

static void
lc_room_dispose (GObject *object)
{
  LcRoom *room = LC_ROOM (object);

  if (room->telling != 0)
    g_source_remove (room->telling);
  room->telling = 0;
  g_clear_pointer (&room->child, gtk_widget_unparent);
  G_OBJECT_CLASS (lc_room_parent_class)->dispose (object);
}

static void
lc_room_class_init (LcRoomClass *class)
{
  GObjectClass *object = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  object->dispose = lc_room_dispose;
  object->set_property = lc_room_set_property;
  object->get_property = lc_room_get_property;
  widget->measure = lc_room_measure;
  widget->size_allocate = lc_room_size_allocate;
  g_object_class_install_property (
      object, PROP_CHILD,
      g_param_spec_object ("child", NULL, NULL, GTK_TYPE_WIDGET, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  resized = g_signal_new ("resized", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lc_room_init (LcRoom *room)
{
  gtk_widget_set_overflow (GTK_WIDGET (room), GTK_OVERFLOW_HIDDEN);
}

void
lc_room_get_size (LcRoom *room, int *width, int *height)
{
  *width = room->width;
  *height = room->height;
}
