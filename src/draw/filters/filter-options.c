/* SPDX-License-Identifier: Apache-2.0 */
/* The table of what filters are called, and what is done with all of its rows. */
#include "draw/filters/filter-options.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "trace/quantities.h"

const LcFilterOption *const lc_filter_options[] = {
    &lc_filter_option_operations, &lc_filter_option_objects, &lc_filter_option_within, &lc_filter_option_tag,
    &lc_filter_option_called,     &lc_filter_option_wait,    &lc_filter_option_slack,  NULL,
};

/* --- For the filters ---------------------------------------------------------------------------------------------- */

gboolean
lc_option_refuse (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_propagate_error (error, g_error_new_valist (G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, format, arguments));
  va_end (arguments);
  return FALSE;
}

gboolean
lc_filter_fail (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_propagate_error (error, g_error_new_valist (LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, format, arguments));
  va_end (arguments);
  return FALSE;
}

void
lc_option_words_add (LcOptionWords *words, const char *option, const char *value)
{
  g_autofree char *dashed = g_strconcat ("--", option, NULL);

  g_strv_builder_add (words->words, dashed);
  g_strv_builder_add (words->words, value);
}

gboolean
lc_filter_is_plain (const char *name)
{
  return name[0] != '\0' && strpbrk (name, ",*?") == NULL && !g_ascii_isspace (name[0]) &&
         !g_ascii_isspace (name[strlen (name) - 1]);
}

char *
lc_filter_join (const GPtrArray *names, guint most)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < names->len && i < most; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (const char *)names->pdata[i]);
  if (names->len > most)
    {
      g_autofree char *count = lc_format_count (names->len - most);

      g_string_append_c (text, ' ');
      g_string_append_printf (text, ngettext ("and %s more", "and %s more", names->len - most), count);
    }
  return g_string_free (text, FALSE);
}

char *
lc_filter_dup_object (LcHistory *history, guint32 object)
{
  LcHistoryObject found;
  char *name;

  if (object >= lc_history_get_n_objects (history) || !lc_history_get_object (history, object, &found, NULL))
    return NULL;
  name = g_strdup_printf ("%s %s", found.class_name != NULL ? found.class_name : "", found.name);
  lc_history_object_clear (&found);
  return name;
}

guint32
lc_filter_find_object (LcHistory *history, const char *kept, guint32 number)
{
  for (guint32 i = 0, n = lc_history_get_n_objects (history); i <= n; i++)
    {
      guint32 id = i == 0 ? number : i - 1; /* the object has probably kept its number */
      g_autofree char *found = lc_filter_dup_object (history, id);

      if (g_strcmp0 (found, kept) == 0)
        return id;
    }
  return LC_TRACE_NONE;
}
