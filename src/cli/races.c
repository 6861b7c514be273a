/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone races`. Its keys and columns must never change. */
#include "races.h"

#include <glib/gi18n.h>

#include "report/format.h"
#include "report/lost.h"
#include "report/output.h"
#include "report/sites.h"

static const LcRowsColumn race_columns[] = {
    {"race", N_ ("#"), LC_CELL_COUNT},
    {"kind", N_ ("Of"), LC_CELL_TEXT},
    {"object", NULL, LC_CELL_COUNT},
    {"object_name", N_ ("Object"), LC_CELL_TEXT},
    {"pairs", N_ ("Pairs"), LC_CELL_COUNT},
    {"met", N_ ("Met"), LC_CELL_COUNT},
    {"ordered", N_ ("Ordered"), LC_CELL_COUNT},
    {"slack", N_ ("Slack"), LC_CELL_TIME},
    {"apart", N_ ("Apart"), LC_CELL_TIME},
    {"first_process", NULL, LC_CELL_COUNT},
    {"first_process_name", N_ ("First"), LC_CELL_TEXT},
    {"first_ordinal", N_ ("event"), LC_CELL_COUNT},
    {"first_operation", NULL, LC_CELL_TEXT},
    {"first_site", N_ ("called in"), LC_CELL_TEXT},
    {"first_function", NULL, LC_CELL_TEXT},
    {"first_file", NULL, LC_CELL_TEXT},
    {"first_line", NULL, LC_CELL_COUNT},
    {"first_module", NULL, LC_CELL_TEXT},
    {"first_from_process", NULL, LC_CELL_COUNT},
    {"first_from_ordinal", NULL, LC_CELL_COUNT},
    {"second_process", NULL, LC_CELL_COUNT},
    {"second_process_name", N_ ("Then"), LC_CELL_TEXT},
    {"second_ordinal", N_ ("event"), LC_CELL_COUNT},
    {"second_operation", NULL, LC_CELL_TEXT},
    {"second_site", N_ ("called in"), LC_CELL_TEXT},
    {"second_function", NULL, LC_CELL_TEXT},
    {"second_file", NULL, LC_CELL_TEXT},
    {"second_line", NULL, LC_CELL_COUNT},
    {"second_module", NULL, LC_CELL_TEXT},
    {"second_from_process", NULL, LC_CELL_COUNT},
    {"second_from_ordinal", NULL, LC_CELL_COUNT},
};

static const char *
race_kind_for_people (LcRaceKind kind)
{
  switch (kind)
    {
    case LC_RACE_LOCK:
      return _ ("lock");
    case LC_RACE_CREW:
      return _ ("crew");
    case LC_RACE_TOKEN:
      return _ ("token");
    case LC_RACE_WAKE_UP:
      return _ ("wake-up");
    case LC_RACE_WORK:
      return _ ("work");
    case LC_RACE_MESSAGE:
    default:
      return _ ("message");
    }
}

static void
races_add_event (const LcRacesShow *show, LcRows *rows, const LcRaceEvent *event, guint32 group)
{
  lc_rows_add_count (rows, event->process);
  lc_rows_add_text (rows, lc_names_process (show->names, event->process));
  lc_rows_add_count (rows, event->ordinal);
  lc_rows_add_text (rows, lc_names_operation (show->names, event->operation));
  lc_sites_add_group (rows, show->groups, group);
  if (event->from_process != LC_TRACE_NONE)
    {
      lc_rows_add_count (rows, event->from_process);
      lc_rows_add_count (rows, event->from_ordinal);
      return;
    }
  lc_rows_add_nothing (rows);
  lc_rows_add_nothing (rows);
}

static void
races_add_group (const LcRacesShow *show, LcRows *rows, guint number)
{
  const LcRaceGroup *group = &g_array_index (show->races->groups, LcRaceGroup, number);
  const LcRacePair *nearest = &group->nearest;

  lc_rows_add_count (rows, number + 1);
  lc_rows_add_name (rows, lc_race_kind_name (group->kind), race_kind_for_people (group->kind));
  lc_rows_add_count (rows, group->object);
  lc_rows_add_text (rows, lc_names_object (show->names, group->object));
  lc_rows_add_count (rows, group->pairs);
  lc_rows_add_count (rows, group->waits);
  lc_rows_add_count (rows, group->ordered);
  lc_rows_add_count (rows, MIN (nearest->first.slack, nearest->second.slack));
  lc_rows_add_count (rows, lc_race_pair_get_apart (nearest));
  races_add_event (show, rows, &nearest->first, group->first);
  races_add_event (show, rows, &nearest->second, group->second);
}

static void
races_show_head (const LcRacesShow *show)
{
  g_autofree char *pairs = lc_format_count (show->races->pairs), *ordered = lc_format_count (show->races->ordered);

  g_print (_ ("Orders that came by chance, and could have been the other way\n"));
  g_print (ngettext ("  %s pair of neighbours is free", "  %s pairs of neighbours are free", show->races->pairs),
           pairs);
  g_print (_ ("; of %s, something else keeps the order\n"), ordered);
}

void
lc_races_show (const LcRacesShow *show)
{
  const guint shown = (guint)MIN (show->shown->len, show->limit);
  LcJson json = LC_JSON_INIT ();
  g_autofree char *text = NULL;
  LcRows *rows;

  if (show->format == LC_FORMAT_TEXT)
    {
      races_show_head (show);
      lc_lost_print (show->history);
    }
  if (show->format == LC_FORMAT_TEXT && lc_history_get_n_stacks (show->history) == 0)
    lc_sites_tell_none (show->history, show->format);
  if (show->format == LC_FORMAT_JSON)
    {
      lc_json_begin_object (&json, NULL);
      lc_json_add_count (&json, "pairs", show->races->pairs);
      lc_json_add_count (&json, "ordered", show->races->ordered);
      lc_lost_add_json (&json, show->history);
    }
  if (show->shown->len > 0 || show->format != LC_FORMAT_TEXT)
    {
      rows = lc_rows_begin (show->format, race_columns, G_N_ELEMENTS (race_columns), &json, "race");
      for (guint i = 0; i < shown; i++)
        races_add_group (show, rows, g_array_index (show->shown, guint, i));
      lc_rows_end (rows, show->shown->len - shown);
    }
  if (show->format != LC_FORMAT_JSON)
    return;
  lc_json_end_object (&json);
  text = lc_json_finish (&json);
  lc_output_write (text, -1);
}
