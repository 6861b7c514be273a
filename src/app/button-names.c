/* SPDX-License-Identifier: Apache-2.0 */
/* Names of buttons for screen readers. */
#include "app/button-names.h"

#include "app/shown-text.h"

static void
button_names_name (GtkWidget *widget, const char *text)
{
  lc_accessible_show (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text);
}

/* Menu buttons and drop-downs contain a button, but are named themselves. */
static gboolean
needs_name (GtkWidget *widget)
{
  if (GTK_IS_MENU_BUTTON (widget))
    return gtk_menu_button_get_label (GTK_MENU_BUTTON (widget)) == NULL &&
           gtk_menu_button_get_child (GTK_MENU_BUTTON (widget)) == NULL;
  if (GTK_IS_DROP_DOWN (widget))
    return TRUE;
  return GTK_IS_BUTTON (widget) && gtk_button_get_icon_name (GTK_BUTTON (widget)) != NULL;
}

void
lc_name_buttons (GtkWidget *root)
{
  const char *tip = gtk_widget_get_tooltip_text (root);
  GtkWidget *first = gtk_widget_get_first_child (root);

  if (tip != NULL && needs_name (root))
    {
      button_names_name (root, tip);
      if (!GTK_IS_BUTTON (root) && first != NULL)
        button_names_name (first, tip);
    }
  /* GTK 4.8 reads a label with a mnemonic twice, once with its underscore. */
  if (GTK_IS_BUTTON (root) && !GTK_IS_TOGGLE_BUTTON (root) && gtk_button_get_label (GTK_BUTTON (root)) != NULL &&
      gtk_button_get_use_underline (GTK_BUTTON (root)))
    gtk_accessible_reset_property (GTK_ACCESSIBLE (root), GTK_ACCESSIBLE_PROPERTY_LABEL);
  for (GtkWidget *child = first; child != NULL; child = gtk_widget_get_next_sibling (child))
    lc_name_buttons (child);
}
