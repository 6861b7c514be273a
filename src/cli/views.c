/* SPDX-License-Identifier: Apache-2.0 */
/* The views that can be drawn, and the options that go with each of them. */
#include "views.h"

#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "draw/filters/filter-options.h"
#include "report/format.h"
#include "trace/json.h"

/* An option that some views ignore. */
typedef struct
{
  const char *name;
  guint with;    /* views with one of these traits use it */
  guint without; /* or, if not 0, views with none of these traits */
} Option;

static const Option options[] = {
    {"processes", 0, LC_VIEW_ALL_PROCESSES},
    {"time", LC_VIEW_TIMES, 0},
    {"bounds", LC_VIEW_BOUNDS, 0},
    {"from", LC_VIEW_SPAN, 0},
    {"to", LC_VIEW_SPAN, 0},
    {NULL, LC_VIEW_FILTERS, 0}, /* those of all filters */
    {"collapse", LC_VIEW_ROWS, 0},
    {"no-arcs", LC_VIEW_KINDS, 0},
    {"no-holding", LC_VIEW_KINDS, 0},
    {"hide", LC_VIEW_KINDS, 0},
    {"highlight", LC_VIEW_HIGHLIGHT, 0},
    {"marks", LC_VIEW_HIGHLIGHT, 0},
    {"colour", LC_VIEW_COLORING, 0},
    {"orientation", LC_VIEW_ORIENTATION | LC_VIEW_OVER_TIME, 0},
    {"style", LC_VIEW_STYLE, 0},
    {"phases", LC_VIEW_PHASES | LC_VIEW_TIMES | LC_VIEW_SPAN, 0},
    {"intervals", LC_VIEW_INTERVALS, 0},
    {"measure", LC_VIEW_MEASURE, 0},
    {"actual", LC_VIEW_ACTUAL, 0},
    {"by", LC_VIEW_FRAME, 0},
    {"frame", LC_VIEW_FRAME, 0},
    {"layout", LC_VIEW_LAYOUT, 0},
    {"frames", LC_VIEW_FRAMES, 0},
    {"rate", LC_VIEW_FRAMES, 0},
};

static gboolean
looks_at (const LcViewInfo *view, const Option *option)
{
  return (view->traits & option->with) != 0 || (option->without != 0 && (view->traits & option->without) == 0);
}

/* Lists the views that use an option; NULL lists all views. */
static char *
views_list_names (const Option *option)
{
  gsize n_views;
  const LcViewInfo *views = lc_views_get (&n_views);
  GString *names = g_string_new (NULL);

  for (gsize i = 0; i < n_views; i++)
    if (option == NULL || looks_at (&views[i], option))
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

static gboolean
views_is_option (const Option *option, const char *name)
{
  return option->name != NULL ? strcmp (option->name, name) == 0 : lc_filter_option_find (name) != NULL;
}

static gboolean
check_option (const LcViewInfo *view, const Option *option, const char *name)
{
  g_autofree char *names = NULL;

  if (looks_at (view, option))
    return TRUE;
  names = views_list_names (option);
  if (names[0] != '\0')
    lc_complain (_ ("export: --%s does not go with the view %s, but with: %s"), name, view->name, names);
  else
    lc_complain (_ ("export: --%s does not go with any view"), name);
  return FALSE;
}

gboolean
lc_check_view (const LcViewInfo *view, const LcGivenOption *given, gsize n_given)
{
  for (gsize i = 0; i < n_given; i++)
    for (gsize k = 0; k < G_N_ELEMENTS (options); k++)
      if (given[i].is_given && views_is_option (&options[k], given[i].name) &&
          !check_option (view, &options[k], given[i].name))
        return FALSE;
  return TRUE;
}

/* --- The list ----------------------------------------------------------------------------------------------------- */

static void
add_view (LcJson *json, const LcViewInfo *view)
{
  lc_json_begin_object (json, NULL);
  lc_json_add_string (json, "name", view->name);
  lc_json_add_string (json, "title", _ (view->title));
  lc_json_add_string (json, "summary", _ (view->summary));
  lc_json_begin_array (json, "options");
  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    {
      if (!looks_at (view, &options[i]))
        continue;
      if (options[i].name != NULL)
        lc_json_add_string (json, NULL, options[i].name);
      for (gsize k = 0; options[i].name == NULL && lc_filter_options[k] != NULL; k++)
        lc_json_add_string (json, NULL, lc_filter_options[k]->option);
    }
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
