/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone what-if`. Its keys and columns must never change. */
#include "what-if.h"

#include <glib/gi18n.h>
#include <string.h>

#include "report/approximation.h"
#include "report/critical-path.h"
#include "report/format.h"
#include "report/lost.h"
#include "report/output.h"

static guint64
get_total (const LcWhatIfShow *show)
{
  return show->before != NULL ? show->before->approximated_total : show->after->measured_total;
}

static const char *
what_if_get_name (const LcWhatIfShow *show)
{
  return show->before != NULL ? show->before->name : "measured";
}

static gint64
what_if_change (guint64 after, guint64 before)
{
  return (gint64)(after - before);
}

static LcFormat
get_format (const LcWhatIfShow *show)
{
  return show->json ? LC_FORMAT_JSON : LC_FORMAT_TEXT;
}

/* --- Processes ----------------------------------------------------------------------------------------------- */

static const LcRowsColumn process_columns[] = {
    {"process", NULL, LC_CELL_COUNT},
    {"name", N_ ("Process"), LC_CELL_TEXT},
    {"before_end", N_ ("End before"), LC_CELL_TIME},
    {"after_end", N_ ("After"), LC_CELL_TIME},
    {"end_change", N_ ("Change"), LC_CELL_CHANGE},
    {"before_waiting", N_ ("Waiting before"), LC_CELL_TIME},
    {"after_waiting", N_ ("After"), LC_CELL_TIME},
    {"waiting_change", N_ ("Change"), LC_CELL_CHANGE},
};

static void
what_if_show_processes (const LcWhatIfShow *show, LcJson *json)
{
  const GArray *processes = show->after->processes;
  guint shown = (guint)MIN (processes->len, show->limit);
  LcRows *rows = lc_rows_begin (get_format (show), process_columns, G_N_ELEMENTS (process_columns), json, "processes");

  for (guint i = 0; i < shown; i++)
    {
      const LcApproximatedProcess *after = &g_array_index (processes, LcApproximatedProcess, i);
      guint64 end = after->measured_end, waiting = after->measured_waiting;

      if (show->before != NULL)
        {
          end = g_array_index (show->before->processes, LcApproximatedProcess, i).end;
          waiting = g_array_index (show->before->processes, LcApproximatedProcess, i).waiting;
        }
      lc_rows_add_count (rows, after->process);
      lc_rows_add_text (rows, lc_names_process (show->names, after->process));
      lc_rows_add_count (rows, end);
      lc_rows_add_count (rows, after->end);
      lc_rows_add_integer (rows, what_if_change (after->end, end));
      lc_rows_add_count (rows, waiting);
      lc_rows_add_count (rows, after->waiting);
      lc_rows_add_integer (rows, what_if_change (after->waiting, waiting));
    }
  lc_rows_end (rows, processes->len - shown);
}

/* --- The critical path --------------------------------------------------------------------------------------- */

/* Times of an owner on both paths. */
typedef struct
{
  guint32 id;
  guint64 before;
  guint64 after;
} Share;

static int
what_if_compare_shares (gconstpointer a, gconstpointer b)
{
  const Share *of_a = a, *of_b = b;
  guint64 longer_a = MAX (of_a->before, of_a->after), longer_b = MAX (of_b->before, of_b->after);

  if (longer_a != longer_b)
    return longer_a > longer_b ? -1 : 1;
  return of_a->id < of_b->id ? -1 : of_a->id > of_b->id;
}

static Share *
what_if_get_share (GArray *shares, GHashTable *places, guint32 id)
{
  const Share fresh = {.id = id};
  gpointer place;

  if (!g_hash_table_lookup_extended (places, GUINT_TO_POINTER (id), NULL, &place))
    {
      place = GUINT_TO_POINTER (shares->len);
      g_array_append_val (shares, fresh);
      g_hash_table_insert (places, GUINT_TO_POINTER (id), place);
    }
  return &g_array_index (shares, Share, GPOINTER_TO_UINT (place));
}

static GArray *
what_if_list_shares (const LcWhatIfShow *show, LcCriticalShareKind kind)
{
  GArray *shares = g_array_new (FALSE, FALSE, sizeof (Share));
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  const LcCriticalShare *found;
  gsize n;

  found = lc_critical_path_get_shares (show->before_path, kind, &n);
  for (gsize i = 0; i < n; i++)
    what_if_get_share (shares, places, found[i].id)->before = found[i].time;
  found = lc_critical_path_get_shares (show->after_path, kind, &n);
  for (gsize i = 0; i < n; i++)
    what_if_get_share (shares, places, found[i].id)->after = found[i].time;
  g_array_sort (shares, what_if_compare_shares);
  return shares;
}

/* Only the title of the name's column depends on the kind. */
#define SHARE_COLUMNS(title) \
  { \
    {"id", NULL, LC_CELL_COUNT}, {"name", title, LC_CELL_TEXT}, {"class", NULL, LC_CELL_TEXT}, \
        {"before", N_ ("Before"), LC_CELL_TIME}, {"before_percent", N_ ("Share"), LC_CELL_PERCENT}, \
        {"after", N_ ("After"), LC_CELL_TIME}, {"after_percent", N_ ("Share"), LC_CELL_PERCENT}, \
        {"change", N_ ("Change"), LC_CELL_CHANGE}, \
  }

/* In the order of LcCriticalShareKind. */
static const LcRowsColumn share_columns[][8] = {
    SHARE_COLUMNS (N_ ("Critical path: process")),
    SHARE_COLUMNS (N_ ("Critical path: operation")),
    SHARE_COLUMNS (N_ ("Critical path: object")),
    SHARE_COLUMNS (N_ ("Critical path: region")),
};

static guint64
what_if_get_length (const LcCriticalPath *path)
{
  const LcCriticalSummary *summary = lc_critical_path_get_summary (path);

  return summary->end - summary->begin;
}

static void
what_if_show_shares (const LcWhatIfShow *show, LcCriticalShareKind kind, LcJson *json)
{
  g_autoptr (GArray) shares = what_if_list_shares (show, kind);
  guint shown = (guint)MIN (shares->len, show->limit);
  LcRows *rows;

  if (!show->json && (shares->len == 0 || (shares->len == 1 && g_array_index (shares, Share, 0).id == LC_TRACE_NONE)))
    return;
  rows = lc_rows_begin (get_format (show), share_columns[kind], G_N_ELEMENTS (share_columns[kind]), json,
                        lc_critical_share_key (kind));
  for (guint i = 0; i < shown; i++)
    {
      const Share *share = &g_array_index (shares, Share, i);

      if (share->id != LC_TRACE_NONE)
        lc_rows_add_count (rows, share->id);
      else
        lc_rows_add_nothing (rows);
      lc_rows_add_text (rows, lc_critical_share_name (show->names, kind, share->id, get_format (show)));
      lc_rows_add_text (rows, lc_critical_share_class (show->names, kind, share->id));
      lc_rows_add_count (rows, share->before);
      lc_rows_add_percent (rows, share->before, what_if_get_length (show->before_path));
      lc_rows_add_count (rows, share->after);
      lc_rows_add_percent (rows, share->after, what_if_get_length (show->after_path));
      lc_rows_add_integer (rows, what_if_change (share->after, share->before));
    }
  lc_rows_end (rows, shares->len - shown);
}

static void
add_path_summary (LcJson *json, const char *key, const LcCriticalPath *path)
{
  const LcCriticalSummary *summary = lc_critical_path_get_summary (path);

  lc_json_begin_object (json, key);
  lc_json_add_count (json, "length", summary->end - summary->begin);
  lc_json_add_count (json, "computing", summary->computing);
  lc_json_add_count (json, "inside", summary->inside);
  lc_json_add_count (json, "passing", summary->passing);
  lc_json_add_count (json, "events", summary->events);
  lc_json_add_count (json, "hops", summary->hops);
  lc_json_end_object (json);
}

/* --- The whole output --------------------------------------------------------------------------------------------- */

static void
what_if_show_json (const LcWhatIfShow *show)
{
  LcJson json = LC_JSON_INIT ();
  g_autofree char *text = NULL;

  lc_json_begin_object (&json, NULL);
  lc_json_add_string (&json, "timeline", show->after->name);
  lc_json_add_string (&json, "model", lc_model_get_name (show->after->model));
  lc_json_add_boolean (&json, "chosen", show->after->chosen);
  lc_lost_add_json (&json, show->history);
  lc_json_begin_array (&json, "scales");
  for (gsize i = 0; show->scales[i] != NULL; i++)
    lc_json_add_string (&json, NULL, show->scales[i]);
  lc_json_end_array (&json);
  lc_json_add_string (&json, "before", what_if_get_name (show));
  lc_json_add_count (&json, "measured_total", show->after->measured_total);
  lc_json_add_count (&json, "before_total", get_total (show));
  lc_json_add_count (&json, "approximated_total", show->after->approximated_total);
  lc_approximation_add_limits (show->after, &json);
  lc_json_add_integer (&json, "saved", what_if_change (get_total (show), show->after->approximated_total));
  what_if_show_processes (show, &json);
  lc_json_begin_object (&json, "critical_path");
  add_path_summary (&json, "before", show->before_path);
  add_path_summary (&json, "after", show->after_path);
  for (LcCriticalShareKind kind = 0; kind < LC_CRITICAL_SHARES; kind++)
    what_if_show_shares (show, kind, &json);
  lc_what_if_show_pieces (show, &json);
  lc_json_end_object (&json);
  lc_approximation_show_warnings (show->after, &json);
  lc_json_end_object (&json);
  text = lc_json_finish (&json);
  lc_output_write (text, -1);
}

static void
what_if_take_line (LcTable *table, const char *label, char *name, char *value, char *share)
{
  lc_table_take (table, g_strdup (label));
  lc_table_take (table, value);
  lc_table_take (table, share);
  lc_table_take (table, name);
}

static char *
format_share (gint64 part, guint64 whole)
{
  return whole > 0 ? g_strdup_printf ("%.1f %%", 100.0 * (double)part / (double)whole) : NULL;
}

static char *
name_timeline (const char *name)
{
  g_autofree char *printable = lc_format_text (name);

  return g_strdup_printf (_ ("timeline %s"), printable);
}

/* With what other ways to compute it have found. */
static char *
what_if_describe_after (const LcApproximation *after)
{
  g_autofree char *name = name_timeline (after->name), *low = lc_format_duration (after->low);
  g_autofree char *high = lc_format_duration (after->high);

  if (after->low == LC_TRACE_UNKNOWN || strcmp (low, high) == 0)
    return g_steal_pointer (&name);
  return g_strdup_printf (_ ("%s (%s to %s)"), name, low, high);
}

static void
what_if_print_totals (const LcWhatIfShow *show)
{
  static const LcTableColumn columns[] = {{NULL, FALSE}, {NULL, TRUE}, {NULL, TRUE}, {NULL, FALSE}};
  g_autoptr (LcTable) table = lc_table_new (columns, G_N_ELEMENTS (columns));
  g_autofree char *scales = g_strjoinv (", ", (char **)show->scales), *printable = lc_format_text (scales);
  guint64 before = get_total (show), after = show->after->approximated_total;
  gint64 saved = what_if_change (before, after);
  g_autofree char *lines = NULL;

  what_if_take_line (table, _ ("Before"), name_timeline (what_if_get_name (show)), lc_format_duration (before), NULL);
  what_if_take_line (table, _ ("After"), what_if_describe_after (show->after), lc_format_duration (after), NULL);
  what_if_take_line (table, saved >= 0 ? _ ("Saved") : _ ("Lost"), NULL, lc_format_duration ((guint64)ABS (saved)),
                     format_share (ABS (saved), before));
  lines = lc_table_render (table, 2);
  g_print (_ ("What if %s\n\n%s"), printable, lines);
}

void
lc_what_if_show (const LcWhatIfShow *show)
{
  if (show->json)
    {
      what_if_show_json (show);
      return;
    }
  what_if_print_totals (show);
  lc_lost_print (show->history);
  what_if_show_processes (show, NULL);
  for (LcCriticalShareKind kind = 0; kind < LC_CRITICAL_SHARES; kind++)
    what_if_show_shares (show, kind, NULL);
  lc_what_if_show_pieces (show, NULL);
  lc_approximation_show_warnings (show->after, NULL);
}
