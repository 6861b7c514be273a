/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the classes of events to record, as the user gives them. */
#include "event-classes.h"

#include <glib/gi18n.h>
#include <string.h>

#include "lightcone/recording.h"

static const char *const names[] = {
#define X(name) name,
    LC_CLASS_NAMES (X)
#undef X
};

/* The classes that events can be recorded of: those with operations, and functions, which share the regions'
 * operations. */
#define X(identifier, number, name, class, layout) | 1u << LC_CLASS_##class
static const guint32 recorded = (1u << LC_CLASS_FUNCTION) LC_OPERATIONS (X);
#undef X

static guint
find_class (const char *name, gsize length)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if ((recorded >> i & 1) != 0 && strlen (names[i]) == length && strncmp (names[i], name, length) == 0)
      return i;
  return LC_CLASS_NONE;
}

static char *
list_classes (void)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if ((recorded >> i & 1) != 0)
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", names[i]);
  return g_string_free (list, FALSE);
}

gboolean
lc_event_classes_parse (const char *list, guint32 *classes, GError **error)
{
  g_auto (GStrv) words = g_strsplit (list != NULL ? list : "", ",", -1);

  *classes = words[0] == NULL || words[0][0] == '-' ? LC_RECORDING_ALL_CLASSES : 0;
  for (char **word = words; *word != NULL; word++)
    {
      gboolean without = **word == '-';
      const char *name = *word + without;
      guint class = find_class (name, strlen (name));

      if (class == LC_CLASS_NONE)
        {
          g_autofree char *known = list_classes ();

          g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                       _ ("no class of events is called “%s”: there are %s"), name, known);
          return FALSE;
        }
      *classes = without ? *classes & ~(1u << class) : *classes | 1u << class;
    }
  return TRUE;
}
