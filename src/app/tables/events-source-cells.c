/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of the table of events, and the texts of an event in them. */
#include "app/tables/events-source-cells.h"

#include <glib/gi18n.h>

#include "app/inspect/event-place.h"
#include "trace/quantities.h"

enum
{
  APART = 1000, /* ns: neighbours may be one apart, whose times must not look alike */
};

/* By LcEventsColumn. The names are those of the columns in SQL, as far as these have the same values. */
static const struct
{
  const char *title;
  const char *name;
  int width;
  gboolean is_number;
  gboolean sorts;
  gboolean is_extra;
} columns[] = {
    {N_ ("Process"), "process_name", 120, FALSE, TRUE, FALSE},
    {N_ ("Number"), "ordinal", 90, TRUE, FALSE, FALSE},
    {N_ ("Operation"), "operation", 120, FALSE, FALSE, FALSE},
    {N_ ("Object"), "object_name", 150, FALSE, FALSE, FALSE},
    {N_ ("Sequence"), "sequence", 90, TRUE, FALSE, FALSE},
    {N_ ("Begin"), "begin", 110, TRUE, TRUE, FALSE},
    {N_ ("End"), "end", 110, TRUE, FALSE, TRUE},
    {N_ ("Duration"), "duration", 90, TRUE, TRUE, FALSE},
    {N_ ("Waited"), "waited", 90, TRUE, TRUE, FALSE},
    {N_ ("Woken"), "woken", 90, TRUE, FALSE, TRUE},
    {N_ ("Preempted"), "preempted", 90, TRUE, FALSE, TRUE},
    {N_ ("Slack"), "slack", 90, TRUE, TRUE, FALSE},
    {N_ ("Place"), "place", 240, FALSE, FALSE, FALSE},
    {N_ ("Layer"), "layer", 90, TRUE, FALSE, TRUE},
    {N_ ("Value"), "value", 90, TRUE, FALSE, TRUE},
    {N_ ("Bytes"), "bytes", 90, TRUE, FALSE, TRUE},
    {N_ ("Peer"), "peer_name", 120, FALSE, FALSE, TRUE},
    {N_ ("Processor"), "cpu", 90, TRUE, FALSE, TRUE},
};

G_STATIC_ASSERT (G_N_ELEMENTS (columns) == LC_EVENTS_COLUMNS);

void
lc_events_cells_add_columns (LcTableSource *source)
{
  for (gsize i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      LcTableColumn *column = lc_table_source_add_column (source, _ (columns[i].title), columns[i].name);

      column->width = columns[i].width;
      column->is_number = columns[i].is_number;
      column->sorts = columns[i].sorts;
      column->is_extra = columns[i].is_extra;
    }
}

/* --- Cells ------------------------------------------------------------------------------------------------------- */

static void
events_cells_set_text (LcTablePage *page, guint row, LcEventsColumn column, const char *text)
{
  LcTableCell *cell = lc_table_page_get (page, row, column);

  cell->text = lc_format_text (text);
  cell->is_null = text == NULL;
}

static void
events_cells_set_time (LcTablePage *page, guint row, LcEventsColumn column, char *text, guint64 ns)
{
  LcTableCell *cell = lc_table_page_get (page, row, column);

  cell->text = text;
  cell->raw = g_strdup_printf ("%" G_GUINT64_FORMAT, ns);
}

/* A duration of nothing is left empty: most events have not waited. */
static void
events_cells_set_duration (LcTablePage *page, guint row, LcEventsColumn column, guint64 ns)
{
  events_cells_set_time (page, row, column, ns > 0 ? lc_format_duration (ns) : g_strdup (""), ns);
}

static void
events_cells_set_number (LcTablePage *page, guint row, LcEventsColumn column, gboolean is_known, gint64 number)
{
  LcTableCell *cell = lc_table_page_get (page, row, column);

  cell->text = is_known ? g_strdup_printf ("%" G_GINT64_FORMAT, number) : g_strdup ("");
  cell->is_null = !is_known;
}

/* No slack is what one looks for, so it is said. */
static void
events_cells_set_slack (LcTablePage *page, guint row, const LcSlacks *slacks, const LcHistoryEvent *event)
{
  if (slacks == NULL)
    events_cells_set_text (page, row, LC_EVENTS_SLACK, NULL);
  else
    {
      const guint64 slack = lc_slacks_get (slacks, event);

      events_cells_set_time (page, row, LC_EVENTS_SLACK, slack > 0 ? lc_format_duration (slack) : g_strdup (_ ("none")),
                             slack);
    }
}

void
lc_events_cells_fill (LcTablePage *page, guint row, LcNames *names, const LcSlacks *slacks, const LcHistoryEvent *event)
{
  LcHistory *history = lc_names_get_history (names);
  g_autofree char *place = lc_event_place_dup_own (history, event->stack);

  events_cells_set_text (page, row, LC_EVENTS_PROCESS, lc_names_process (names, event->process));
  events_cells_set_number (page, row, LC_EVENTS_ORDINAL, TRUE, (gint64)event->ordinal);
  events_cells_set_text (page, row, LC_EVENTS_OPERATION, lc_names_operation (names, event->operation));
  events_cells_set_text (page, row, LC_EVENTS_OBJECT, lc_names_object (names, event->object));
  events_cells_set_number (page, row, LC_EVENTS_SEQUENCE, (event->flags & LC_TRACE_EVENT_SEQUENCE) != 0,
                           event->sequence);
  events_cells_set_time (page, row, LC_EVENTS_BEGIN, lc_format_moment (event->begin, APART), event->begin);
  events_cells_set_time (page, row, LC_EVENTS_END, lc_format_moment (event->end, APART), event->end);
  events_cells_set_time (page, row, LC_EVENTS_LENGTH, lc_format_duration (event->end - event->begin),
                         event->end - event->begin);
  events_cells_set_duration (page, row, LC_EVENTS_WAITED, event->waited);
  events_cells_set_duration (page, row, LC_EVENTS_WOKEN, event->woken);
  events_cells_set_duration (page, row, LC_EVENTS_PREEMPTED, event->preempted);
  events_cells_set_slack (page, row, slacks, event);
  events_cells_set_text (page, row, LC_EVENTS_PLACE, place);
  events_cells_set_number (page, row, LC_EVENTS_LAYER, TRUE, (gint64)event->layer);
  events_cells_set_number (page, row, LC_EVENTS_VALUE, (event->flags & LC_TRACE_EVENT_VALUE) != 0, event->value);
  events_cells_set_number (page, row, LC_EVENTS_BYTES, (event->flags & LC_TRACE_EVENT_BYTES) != 0,
                           (gint64)event->bytes);
  events_cells_set_text (page, row, LC_EVENTS_PEER, lc_names_process (names, event->peer));
  events_cells_set_number (page, row, LC_EVENTS_CPU, event->cpu != LC_CPU_UNKNOWN, event->cpu);
  page->links[row] = (LcTarget){LC_TARGET_EVENT, event->origin_process, event->origin_ordinal};
}
