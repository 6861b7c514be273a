/* SPDX-License-Identifier: Apache-2.0 */
/* A box whose children stand beside each other, and go on in the next line where there is no room. */
#include "app/wrap-box.h"

struct _LcWrapBox
{
  GtkWidget parent;
};

G_DEFINE_FINAL_TYPE (LcWrapBox, lc_wrap_box, GTK_TYPE_WIDGET)

static void
wrap_box_measure_child (GtkWidget *child, int *width, int *height)
{
  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, width, NULL, NULL);
  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, *width, NULL, height, NULL, NULL);
}

static void
wrap_box_place_child (GtkWidget *child, int x, int y, int width, int height, int room)
{
  gboolean leftwards = gtk_widget_get_direction (child) == GTK_TEXT_DIR_RTL;
  int least;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  width = MAX (MIN (width, room), least);
  gtk_widget_size_allocate (child, &(GtkAllocation){leftwards ? room - x - width : x, y, width, height}, -1);
}

/* Lays the children out in lines of a width, and places them if wanted. Returns the height. */
static int
wrap_box_lay_out (GtkWidget *box, int room, gboolean place)
{
  int x = 0, y = 0, line = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (box); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      int width, height;

      if (!gtk_widget_should_layout (child))
        continue;
      wrap_box_measure_child (child, &width, &height);
      if (x > 0 && x + width > room)
        {
          x = 0;
          y += line;
          line = 0;
        }
      if (place)
        wrap_box_place_child (child, x, y, width, height, room);
      x += width;
      line = MAX (line, height);
    }
  return y + line;
}

static void
lc_wrap_box_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                     int *minimum_baseline, int *natural_baseline)
{
  int widest = 0, sum = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int least, width;

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, &width, NULL, NULL);
      widest = MAX (widest, least);
      sum += width;
    }
  *minimum = widest;
  *natural = sum;
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = wrap_box_lay_out (widget, for_size >= 0 ? for_size : sum, FALSE);
}

static void
lc_wrap_box_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  wrap_box_lay_out (widget, width, TRUE);
}

static GtkSizeRequestMode
lc_wrap_box_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
lc_wrap_box_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (lc_wrap_box_parent_class)->dispose (object);
}

static void
lc_wrap_box_class_init (LcWrapBoxClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_wrap_box_dispose;
  widget->measure = lc_wrap_box_measure;
  widget->size_allocate = lc_wrap_box_size_allocate;
  widget->get_request_mode = lc_wrap_box_get_request_mode;
}

static void
lc_wrap_box_init (LcWrapBox *box)
{
}

GtkWidget *
lc_wrap_box_new (const char *name, GtkAccessibleRole role)
{
  return g_object_new (LC_TYPE_WRAP_BOX, "css-name", name, "accessible-role", role, NULL);
}
