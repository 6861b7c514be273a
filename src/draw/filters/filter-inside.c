/* SPDX-License-Identifier: Apache-2.0 */
/* The filter of regions and tags. It has an option for each, and what either lets through is shown. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "draw/filters/filter-options.h"
#include "trace/quantities.h"

#define REGIONS "inside-regions"
#define TAGS "inside-tags"

enum
{
  MOST_LISTED = 20, /* names in an error message */
};

/* Sets the filter to regions and tags, either of which may be NULL: those it has. */
static void
inside_filter_set (LcFilters *filters, LcHistory *history, const GArray *regions, const GArray *tags)
{
  guint32 n_regions = 0, n_tags = 0;
  const guint32 *its_regions = filters->inside != NULL ? lc_inside_get_regions (filters->inside, &n_regions) : NULL;
  const gint64 *its_tags = filters->inside != NULL ? lc_inside_get_tags (filters->inside, &n_tags) : NULL;
  LcInside *inside = NULL;

  if (regions != NULL)
    {
      its_regions = (gconstpointer)regions->data;
      n_regions = regions->len;
    }
  if (tags != NULL)
    {
      its_tags = (gconstpointer)tags->data;
      n_tags = tags->len;
    }
  if (n_regions + n_tags > 0)
    inside = lc_inside_new (history, its_regions, n_regions, its_tags, n_tags);
  g_clear_pointer (&filters->inside, lc_inside_unref);
  filters->inside = inside;
}

/* --- Regions ----------------------------------------------------------------------------------------------------- */

static gboolean
inside_filter_fail (LcHistory *history, const char *name, const GArray *all, const char *list, GError **error)
{
  return lc_filter_fail (
      error, all->len > 0 ? _ ("%s: there is no region “%s”, only: %s%s") : _ ("%s: there is no region “%s”%s%s"),
      lc_history_get_path (history), name, list, all->len > MOST_LISTED ? " ..." : "");
}

/* A name stands for all regions that have it. */
static gboolean
inside_filter_read_regions (LcFilters *filters, LcHistory *history, guint32 timeline, const char *const *words,
                            GError **error)
{
  g_autoptr (GArray) all = lc_inside_list_regions (history, NULL, error);
  g_autoptr (GArray) regions = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GString) list = g_string_new (NULL);
  guint n_words = g_strv_length ((char **)words);
  g_autofree gboolean *found = g_new0 (gboolean, n_words + 1);

  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      gboolean asked = FALSE;
      LcHistoryObject object;

      if (!lc_history_get_object (history, g_array_index (all, guint32, i), &object, error))
        return FALSE;
      for (guint word = 0; word < n_words; word++)
        if (strcmp (words[word], object.name) == 0)
          found[word] = asked = TRUE;
      if (asked)
        g_array_append_val (regions, object.id);
      if (i < MOST_LISTED)
        g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", object.name);
      lc_history_object_clear (&object);
    }
  for (guint word = 0; all != NULL && word < n_words; word++)
    if (!found[word])
      return inside_filter_fail (history, words[word], all, list->str, error);
  if (all != NULL)
    inside_filter_set (filters, history, regions, NULL);
  return all != NULL;
}

static gboolean
inside_filter_say_regions (const LcFilters *filters, LcHistory *history, LcOptionWords *words, GError **error)
{
  guint32 n_regions = 0;
  const guint32 *regions = filters->inside != NULL ? lc_inside_get_regions (filters->inside, &n_regions) : NULL;

  words->unsaid |= n_regions > LC_FILTER_MOST_NAMES;
  for (guint32 i = 0; n_regions <= LC_FILTER_MOST_NAMES && i < n_regions; i++)
    {
      LcHistoryObject object;

      if (!lc_history_get_object (history, regions[i], &object, error))
        return FALSE;
      lc_option_words_add (words, lc_filter_option_within.option, object.name);
      lc_history_object_clear (&object);
    }
  return TRUE;
}

/* The text is of both, since they are one condition. */
static char *
inside_filter_dup_text (const LcFilters *filters, LcNames *names, guint most)
{
  g_autoptr (GPtrArray) chosen = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *joined = NULL;
  guint32 n_regions, n_tags;
  const guint32 *regions;
  const gint64 *tags;

  if (filters->inside == NULL)
    return NULL;
  regions = lc_inside_get_regions (filters->inside, &n_regions);
  tags = lc_inside_get_tags (filters->inside, &n_tags);
  for (guint32 i = 0; i < n_regions; i++)
    g_ptr_array_add (chosen, i < most ? lc_format_text (lc_names_object (names, regions[i])) : NULL);
  for (guint32 i = 0; i < n_tags; i++)
    {
      g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, tags[i]);

      g_ptr_array_add (chosen, g_strdup_printf (_ ("tag %s"), value));
    }
  joined = lc_filter_join (chosen, most);
  return g_strdup_printf (_ ("only inside %s"), joined);
}

static void
inside_filter_save_regions (const LcFilters *filters, LcHistory *history, GKeyFile *state, const char *group)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  guint32 n_regions = 0;
  const guint32 *regions = filters->inside != NULL ? lc_inside_get_regions (filters->inside, &n_regions) : NULL;

  for (guint32 i = 0; i < n_regions; i++)
    {
      char *name = lc_filter_dup_object (history, regions[i]);

      if (name != NULL)
        g_ptr_array_add (names, name);
    }
  if (filters->inside != NULL)
    g_key_file_set_string_list (state, group, REGIONS, (const char *const *)names->pdata, names->len);
}

static void
inside_filter_load_regions (LcFilters *filters, LcHistory *history, guint32 timeline, GKeyFile *state,
                            const char *group)
{
  g_auto (GStrv) names = g_key_file_get_string_list (state, group, REGIONS, NULL, NULL);
  g_autoptr (GArray) regions = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      guint32 region = lc_filter_find_object (history, names[i], 0);

      if (region != LC_TRACE_NONE)
        g_array_append_val (regions, region);
    }
  inside_filter_set (filters, history, regions, NULL);
}

const LcFilterOption lc_filter_option_within = {
    .option = "within",
    .argument = N_ ("REGION"),
    .help = N_ ("Only events inside this region; more than once"),
    .may_repeat = TRUE,
    .read = inside_filter_read_regions,
    .say = inside_filter_say_regions,
    .dup_text = inside_filter_dup_text,
    .save = inside_filter_save_regions,
    .load = inside_filter_load_regions,
};

/* --- Tags -------------------------------------------------------------------------------------------------------- */

static gboolean
inside_filter_read_tags (LcFilters *filters, LcHistory *history, guint32 timeline, const char *const *words,
                         GError **error)
{
  g_autoptr (GArray) tags = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; words[i] != NULL; i++)
    {
      gint64 value;

      if (!g_ascii_string_to_signed (words[i], 10, G_MININT64, G_MAXINT64, &value, NULL))
        return lc_option_refuse (error, _ ("--tag %s: it has to be a whole number, the value of a tag"), words[i]);
      g_array_append_val (tags, value);
    }
  inside_filter_set (filters, history, NULL, tags);
  return TRUE;
}

static gboolean
inside_filter_say_tags (const LcFilters *filters, LcHistory *history, LcOptionWords *words, GError **error)
{
  guint32 n_tags = 0;
  const gint64 *tags = filters->inside != NULL ? lc_inside_get_tags (filters->inside, &n_tags) : NULL;

  words->unsaid |= n_tags > LC_FILTER_MOST_NAMES;
  for (guint32 i = 0; n_tags <= LC_FILTER_MOST_NAMES && i < n_tags; i++)
    {
      g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, tags[i]);

      lc_option_words_add (words, lc_filter_option_tag.option, value);
    }
  return TRUE;
}

static char *
inside_filter_dup_nothing (const LcFilters *filters, LcNames *names, guint most)
{
  return NULL;
}

static void
inside_filter_save_tags (const LcFilters *filters, LcHistory *history, GKeyFile *state, const char *group)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
  guint32 n_tags = 0;
  const gint64 *tags = filters->inside != NULL ? lc_inside_get_tags (filters->inside, &n_tags) : NULL;

  for (guint32 i = 0; i < n_tags; i++)
    g_ptr_array_add (values, g_strdup_printf ("%" G_GINT64_FORMAT, tags[i]));
  if (filters->inside != NULL)
    g_key_file_set_string_list (state, group, TAGS, (const char *const *)values->pdata, values->len);
}

static void
inside_filter_load_tags (LcFilters *filters, LcHistory *history, guint32 timeline, GKeyFile *state, const char *group)
{
  g_auto (GStrv) values = g_key_file_get_string_list (state, group, TAGS, NULL, NULL);
  g_autoptr (GArray) tags = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; values != NULL && values[i] != NULL; i++)
    {
      gint64 value;

      if (g_ascii_string_to_signed (values[i], 10, G_MININT64, G_MAXINT64, &value, NULL))
        g_array_append_val (tags, value);
    }
  inside_filter_set (filters, history, NULL, tags);
}

const LcFilterOption lc_filter_option_tag = {
    .option = "tag",
    .argument = N_ ("VALUE"),
    .help = N_ ("Only events after a tag of this value, up to the next tag of the process; more than once"),
    .may_repeat = TRUE,
    .read = inside_filter_read_tags,
    .say = inside_filter_say_tags,
    .dup_text = inside_filter_dup_nothing,
    .save = inside_filter_save_tags,
    .load = inside_filter_load_tags,
};
