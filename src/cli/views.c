/* SPDX-License-Identifier: Apache-2.0 */
/* The views that can be drawn, and the options that go with each of them. */
#include "views.h"

#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "draw/options/view-options.h"
#include "report/format.h"
#include "trace/json.h"

/* The options of what is written of a picture, after those of pictures. */
static const LcViewOption file_options[] = {{.option = "frames", .with = LC_VIEW_FRAMES},
                                            {.option = "rate", .with = LC_VIEW_FRAMES}};

/* Returns NULL after the last option. */
static const LcViewOption *
views_get_option (gsize number)
{
  gsize n_options;
  const LcViewOption *options = lc_view_options_get (&n_options);

  if (number < n_options)
    return &options[number];
  return number - n_options < G_N_ELEMENTS (file_options) ? &file_options[number - n_options] : NULL;
}

/* Lists the views that use an option; NULL lists all views. */
static char *
views_list_names (const LcViewOption *option)
{
  gsize n_views;
  const LcViewInfo *views = lc_views_get (&n_views);
  GString *names = g_string_new (NULL);

  for (gsize i = 0; i < n_views; i++)
    if (option == NULL || lc_view_option_is_taken (option, views[i].traits))
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", views[i].name);
  return g_string_free (names, FALSE);
}

const LcViewInfo *
lc_choose_view (const char *name)
{
  const LcViewInfo *view = lc_views_find (name);
  g_autofree char *names = view == NULL ? views_list_names (NULL) : NULL;

  if (view == NULL)
    lc_complain (_ ("export: there is no view “%s”, only: %s (see lightcone export --list-views)"), name, names);
  return view;
}

gboolean
lc_check_view (const LcViewInfo *view, const char *name)
{
  const LcViewOption *option = NULL;
  g_autofree char *names = NULL;

  for (gsize i = 0; option == NULL || strcmp (option->option, name) != 0; i++)
    {
      option = views_get_option (i);
      g_return_val_if_fail (option != NULL, FALSE);
    }
  if (lc_view_option_is_taken (option, view->traits))
    return TRUE;
  names = views_list_names (option);
  if (names[0] != '\0')
    lc_complain (_ ("export: --%s does not go with the view %s, but with: %s"), name, view->name, names);
  else
    lc_complain (_ ("export: --%s does not go with any view"), name);
  return FALSE;
}

/* --- The list ----------------------------------------------------------------------------------------------------- */

static void
add_view (LcJson *json, const LcViewInfo *view)
{
  const LcViewOption *option;

  lc_json_begin_object (json, NULL);
  lc_json_add_string (json, "name", view->name);
  lc_json_add_string (json, "title", _ (view->title));
  lc_json_add_string (json, "summary", _ (view->summary));
  lc_json_begin_array (json, "options");
  for (gsize i = 0; (option = views_get_option (i)) != NULL; i++)
    if ((option->with | option->without) != 0 && lc_view_option_is_taken (option, view->traits))
      lc_json_add_string (json, NULL, option->option);
  lc_json_end_array (json);
  lc_json_end_object (json);
}

static void
list_as_json (const LcViewInfo *views, gsize n_views)
{
  LcJson json = LC_JSON_INIT ();
  g_autofree char *text = NULL;

  lc_json_begin_object (&json, NULL);
  lc_json_begin_array (&json, "view");
  for (gsize i = 0; i < n_views; i++)
    add_view (&json, &views[i]);
  lc_json_end_array (&json);
  lc_json_end_object (&json);
  text = lc_json_finish (&json);
  g_print ("%s", text);
}

void
lc_list_views (gboolean json)
{
  static const LcTableColumn columns[] = {{NULL, FALSE}, {NULL, FALSE}};
  g_autoptr (LcTable) table = NULL;
  g_autofree char *text = NULL;
  gsize n_views;
  const LcViewInfo *views = lc_views_get (&n_views);

  if (json)
    {
      list_as_json (views, n_views);
      return;
    }
  table = lc_table_new (columns, G_N_ELEMENTS (columns));
  for (gsize i = 0; i < n_views; i++)
    {
      lc_table_take (table, g_strdup (views[i].name));
      lc_table_take (table, g_strdup (_ (views[i].summary)));
    }
  text = lc_table_render (table, 0);
  g_print ("%s", text);
}
