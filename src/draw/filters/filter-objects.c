/* SPDX-License-Identifier: Apache-2.0 */
/* The filter of objects. */
#include <glib/gi18n-lib.h>

#include "draw/filters/choice.h"
#include "draw/filters/filter-options.h"
#include "trace/quantities.h"

#define OBJECTS "objects"
#define NUMBERS "object-numbers"

static gboolean
objects_filter_read (LcFilters *filters, LcHistory *history, guint32 timeline, const char *const *words, GError **error)
{
  g_autoptr (GArray) objects = lc_choose_objects (history, words[0], error);

  if (objects == NULL)
    return FALSE;
  filters->n_objects = objects->len;
  filters->objects = g_array_steal (objects, NULL);
  return TRUE;
}

/* Sets `unsaid` if an object that is not chosen has the name of one that is, in another class. */
static gboolean
objects_filter_find_others (LcHistory *history, GHashTable *names, guint chosen, LcOptionWords *words, GError **error)
{
  guint found = 0;

  for (guint32 i = 0; i < lc_history_get_n_objects (history); i++)
    {
      LcHistoryObject object;

      if (!lc_history_get_object (history, i, &object, error))
        return FALSE;
      found += g_hash_table_contains (names, object.name);
      lc_history_object_clear (&object);
    }
  words->unsaid |= found != chosen;
  return TRUE;
}

static gboolean
objects_filter_say (const LcFilters *filters, LcHistory *history, LcOptionWords *words, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) list = g_string_new (NULL);

  if (filters->objects == NULL)
    return TRUE;
  words->unsaid |= filters->n_objects == 0 || filters->n_objects > LC_FILTER_MOST_NAMES;
  if (filters->n_objects == 0 || filters->n_objects > LC_FILTER_MOST_NAMES)
    return TRUE;
  for (guint32 i = 0; i < filters->n_objects; i++)
    {
      LcHistoryObject object;

      if (!lc_history_get_object (history, filters->objects[i], &object, error))
        return FALSE;
      words->unsaid |= !lc_filter_is_plain (object.name);
      if (g_hash_table_add (names, g_strdup (object.name)))
        g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "", object.name);
      lc_history_object_clear (&object);
    }
  lc_option_words_add (words, lc_filter_option_objects.option, list->str);
  return objects_filter_find_others (history, names, filters->n_objects, words, error);
}

static char *
objects_filter_dup_text (const LcFilters *filters, LcNames *names, guint most)
{
  g_autoptr (GPtrArray) chosen = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *joined = NULL;

  if (filters->objects == NULL)
    return NULL;
  if (filters->n_objects == 0)
    return g_strdup (_ ("no object"));
  for (guint32 i = 0; i < filters->n_objects; i++)
    g_ptr_array_add (chosen, i < most ? lc_format_text (lc_names_object (names, filters->objects[i])) : NULL);
  joined = lc_filter_join (chosen, most);
  return g_strdup_printf (_ ("only on %s"), joined);
}

static void
objects_filter_save (const LcFilters *filters, LcHistory *history, GKeyFile *state, const char *group)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree int *numbers = g_new (int, filters->n_objects + 1);

  if (filters->objects == NULL)
    return;
  for (guint32 i = 0; i < filters->n_objects; i++)
    {
      char *name = lc_filter_dup_object (history, filters->objects[i]);

      if (name == NULL)
        continue;
      numbers[names->len] = (int)filters->objects[i];
      g_ptr_array_add (names, name);
    }
  g_key_file_set_string_list (state, group, OBJECTS, (const char *const *)names->pdata, names->len);
  g_key_file_set_integer_list (state, group, NUMBERS, numbers, names->len);
}

static void
objects_filter_load (LcFilters *filters, LcHistory *history, guint32 timeline, GKeyFile *state, const char *group)
{
  gsize n_names = 0, n_numbers = 0;
  g_auto (GStrv) names = g_key_file_get_string_list (state, group, OBJECTS, &n_names, NULL);
  g_autofree int *numbers = g_key_file_get_integer_list (state, group, NUMBERS, &n_numbers, NULL);
  g_autofree guint32 *objects = g_new (guint32, n_names + 1);
  guint32 n = 0;

  for (gsize i = 0; names != NULL && i < n_names; i++)
    {
      guint32 number = numbers != NULL && i < n_numbers ? (guint32)numbers[i] : 0;

      objects[n] = lc_filter_find_object (history, names[i], number);
      n += objects[n] != LC_TRACE_NONE;
    }
  if (n == 0)
    return;
  filters->objects = g_steal_pointer (&objects);
  filters->n_objects = n;
}

const LcFilterOption lc_filter_option_objects = {
    .option = "objects",
    .argument = N_ ("LIST"),
    .help = N_ ("Only events on these: names, patterns"),
    .read = objects_filter_read,
    .say = objects_filter_say,
    .dup_text = objects_filter_dup_text,
    .save = objects_filter_save,
    .load = objects_filter_load,
};
