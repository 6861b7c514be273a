/* SPDX-License-Identifier: Apache-2.0 */
/* The legend of a diagram: what appears in the part that is shown, how it looks, and whether it is left out. */
#include "draw/diagram/diagram-legend.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "draw/diagram/diagram-private.h"
#include "trace/quantities.h"

#define NEVER_LEFT_OUT (1u << LC_DIAGRAM_FUNCTIONS | 1u << LC_DIAGRAM_CHOSEN)

/* --- Words for kinds ---------------------------------------------------------------------------------------------- */

static const struct
{
  const char *word;
  const char *text;       /* in the legend; NULL: a name of the user's */
  const char *while_runs; /* the same while the run is recorded, if it is another one */
} kinds[LC_DIAGRAM_KINDS] = {
    [LC_DIAGRAM_RUNNING] = {"running", N_ ("Running")},
    [LC_DIAGRAM_EVENTS] = {"events", N_ ("Event")},
    [LC_DIAGRAM_FUNCTIONS] = {"functions", NULL},
    [LC_DIAGRAM_WAITING] = {"waiting", N_ ("Waiting")},
    [LC_DIAGRAM_WOKEN] = {"woken", N_ ("Woken, not yet going on")},
    [LC_DIAGRAM_PREEMPTED] = {"preempted", N_ ("Without a processor")},
    [LC_DIAGRAM_OUTSIDE] = {"outside", N_ ("Outside, or blocked unseen")},
    [LC_DIAGRAM_HOLDING] = {"holding", N_ ("Holding an object")},
    [LC_DIAGRAM_MESSAGES] = {"messages", N_ ("MPI: from one to another")},
    [LC_DIAGRAM_COLLECTIVES] = {"collectives", N_ ("MPI: of all together")},
    [LC_DIAGRAM_REQUESTS] = {"requests", N_ ("MPI: waiting for a request")},
    [LC_DIAGRAM_BOUNDS] = {"bounds", N_ ("Where its end may be")},
    [LC_DIAGRAM_PENDING] = {"pending", N_ ("Never ended"), N_ ("Not ended yet")},
    [LC_DIAGRAM_GOING] = {"going-on", N_ ("Goes on since its last event")},
    [LC_DIAGRAM_LOST] = {"lost", N_ ("Events are missing")},
    [LC_DIAGRAM_CHOSEN] = {"chosen", N_ ("The event")},
    [LC_DIAGRAM_PAST] = {"past", N_ ("Its past")},
    [LC_DIAGRAM_FUTURE] = {"future", N_ ("Its future")},
    [LC_DIAGRAM_GAPS] = {"gaps", N_ ("Not recorded")},
    [LC_DIAGRAM_DATA] = {"data-arcs", N_ ("Data arc")},
    [LC_DIAGRAM_ORDER] = {"order-arcs", N_ ("Order arc")},
    [LC_DIAGRAM_CRITICAL] = {"critical-path", N_ ("Critical path")},
    [LC_DIAGRAM_GROUPS] = {"groups", N_ ("Together")},
    [LC_DIAGRAM_LINKS] = {"links", N_ ("The same event")},
    [LC_DIAGRAM_BLOCKED] = {"blocked", N_ ("Waits in vain for")},
    [LC_DIAGRAM_REORDERED] = {"reordered", N_ ("Order changed")},
    [LC_DIAGRAM_GAINED] = {"waits-longer", N_ ("Waits longer")},
    [LC_DIAGRAM_LESS] = {"waits-less", N_ ("Waits less")},
    [LC_DIAGRAM_MOVED] = {"moved", N_ ("Moved")},
};

gboolean
lc_diagram_kinds_parse (const char *list, guint32 *found, char **unknown)
{
  g_auto (GStrv) words = g_strsplit (list[0] != '\0' ? list : ",", ",", -1);

  *found = 0;
  for (guint i = 0; words[i] != NULL; i++)
    {
      guint kind = 0;

      while (kind < LC_DIAGRAM_KINDS && (strcmp (words[i], kinds[kind].word) != 0 || NEVER_LEFT_OUT & 1u << kind))
        kind++;
      if (kind == LC_DIAGRAM_KINDS)
        {
          *unknown = g_strdup (words[i]);
          return FALSE;
        }
      *found |= 1u << kind;
    }
  return TRUE;
}

/* Joins the words or the translated texts of kinds; NULL: there are none. */
static char *
diagram_legend_join (guint32 chosen, gboolean words, const char *between)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint kind = 0; kind < LC_DIAGRAM_KINDS; kind++)
    if (chosen & 1u << kind)
      g_string_append_printf (text, "%s%s", text->len > 0 ? between : "",
                              words ? kinds[kind].word : _ (kinds[kind].text));
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

char *
lc_diagram_kinds_dup (guint32 chosen)
{
  return diagram_legend_join (chosen & ~NEVER_LEFT_OUT, TRUE, ",");
}

char *
lc_diagram_dup_left_out (guint32 chosen)
{
  return diagram_legend_join (chosen & ~NEVER_LEFT_OUT, FALSE, ", ");
}

/* --- What appears ------------------------------------------------------------------------------------------------- */

typedef struct
{
  const LcScene *scene;
  const LcDiagramView *view;
  LcCanvas *canvas;
  GArray *entries;

  gboolean cells;
  gboolean bodies;
  gboolean solid;   /* states have a ground below their pattern */
  gboolean colored; /* events have the colours of functions, which summaries and cells have not */

  gsize n_marks[LC_MARKS];
  guint flags;
  guint colors; /* of events, a bit for each */
  gboolean waits, is_woken, is_preempted, is_outside;
  gboolean holds;
  gboolean exchanges[LC_EXCHANGES];
} DiagramLegend;

static gboolean
diagram_legend_is_seen (const LcDiagramView *view, const LcMark *mark)
{
  return (double)mark->to >= view->from && (double)mark->from <= view->to &&
         mark->row + mark->n_rows > view->first_row && mark->row < view->last_row;
}

static void
diagram_legend_look_through (DiagramLegend *legend)
{
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks (legend->scene, &n_marks);
  const LcSceneQuery *query = lc_scene_get_query (legend->scene);

  for (gsize i = 0; i < n_marks; i++)
    {
      if (!diagram_legend_is_seen (legend->view, &marks[i]))
        continue;
      legend->n_marks[marks[i].kind]++;
      legend->flags |= marks[i].flags;
      legend->waits |= marks[i].waiting > 0;
      legend->is_woken |= marks[i].woken > 0;
      legend->is_preempted |= marks[i].preempted > 0;
      legend->is_outside |= marks[i].outside > 0;
      for (guint k = 0; k < LC_EXCHANGES; k++)
        legend->exchanges[k] |= marks[i].exchange[k] > 0;
      legend->holds |= !query->selection.hide_holding && (marks[i].holding > 0 || marks[i].kind == LC_MARK_HOLDING);
      if (marks[i].kind == LC_MARK_EVENT)
        legend->colors |= 1u << marks[i].color;
    }
  legend->cells = lc_diagram_has_cells (legend->scene, legend->view);
  legend->bodies = lc_diagram_has_bodies (legend->view);
  legend->solid = legend->bodies || legend->n_marks[LC_MARK_SUMMARY] > 0 || legend->cells;
  legend->colored = query->selection.coloring != NULL && legend->n_marks[LC_MARK_EVENT] > 0 && !legend->cells;
}

/* --- Entries ------------------------------------------------------------------------------------------------------ */

static void
diagram_legend_clear_entry (gpointer data)
{
  g_free (((LcDiagramEntry *)data)->text);
}

/* Adds an entry if there is something of its kind, or it is left out. */
static void
diagram_legend_add (DiagramLegend *legend, gboolean exists, LcDiagramKind kind, LcLegendSample sample)
{
  gboolean runs = lc_history_get_until (lc_scene_get_history (legend->scene)) != 0;
  const char *text = runs && kinds[kind].while_runs != NULL ? kinds[kind].while_runs : kinds[kind].text;
  const LcDiagramEntry entry = {.kind = kind, .text = g_strdup (_ (text)), .sample = sample};

  if (exists || lc_diagram_hides (legend->view, kind))
    g_array_append_val (legend->entries, entry);
  else
    g_free (entry.text);
}

static LcLegendSample
diagram_legend_fill (LcFill fill)
{
  return (LcLegendSample){.kind = LC_LEGEND_FILL, .fill = fill};
}

static LcLegendSample
diagram_legend_line (LcStroke stroke)
{
  return (LcLegendSample){.kind = LC_LEGEND_LINE, .stroke = stroke};
}

static LcLegendSample
diagram_legend_ink (const DiagramLegend *legend, LcInk ink, gboolean patterned)
{
  LcColor color = lc_palette_get_color (lc_canvas_get_theme (legend->canvas), ink);

  return diagram_legend_fill (patterned ? lc_canvas_fill (legend->canvas, ink, 1) : lc_canvas_color_fill (color));
}

/* Cells mix the colours of states, and have no patterns; boxes have patterns without a ground. */
static LcLegendSample
diagram_legend_state (const DiagramLegend *legend, LcInk ink)
{
  if (legend->cells || !legend->solid)
    return diagram_legend_ink (legend, ink, !legend->cells);
  return diagram_legend_fill (lc_diagram_get_state_fill (legend->canvas, ink));
}

/* Functions that have events in this picture. */
static void
diagram_legend_add_functions (DiagramLegend *legend)
{
  const LcColoring *coloring = lc_scene_get_query (legend->scene)->selection.coloring;

  for (guint color = 0; color < LC_COLORING_COLORS; color++)
    if ((legend->colors & 1u << color) != 0)
      {
        const char *function = lc_coloring_get_function (coloring, color);
        LcDiagramEntry entry = {
            .kind = LC_DIAGRAM_FUNCTIONS,
            .text = lc_format_text (function != NULL               ? function
                                    : color == LC_COLORING_UNKNOWN ? _ ("Called in no known function")
                                                                   : _ ("Called in other functions")),
            .sample = diagram_legend_fill (lc_diagram_get_function_fill (legend->canvas, color, FALSE))};

        g_array_append_val (legend->entries, entry);
      }
}

static void
diagram_legend_add_states (DiagramLegend *legend)
{
  LcTheme theme = lc_canvas_get_theme (legend->canvas);
  gboolean has_events = legend->n_marks[LC_MARK_EVENT] > 0;

  diagram_legend_add (legend, TRUE, LC_DIAGRAM_RUNNING,
                      legend->solid ? diagram_legend_fill (lc_canvas_color_fill (lc_diagram_get_running_color (theme)))
                                    : diagram_legend_line (lc_canvas_stroke (legend->canvas, LC_INK_RUNNING, 2)));
  if (legend->colored)
    diagram_legend_add_functions (legend);
  else
    diagram_legend_add (
        legend, has_events && !(legend->bodies && legend->cells), LC_DIAGRAM_EVENTS,
        legend->bodies ? diagram_legend_line (lc_canvas_stroke (legend->canvas, lc_diagram_get_edge_ink (theme), 1))
                       : diagram_legend_ink (legend, LC_INK_EVENT, FALSE));
  diagram_legend_add (legend, legend->waits, LC_DIAGRAM_WAITING,
                      legend->colored
                          ? diagram_legend_fill (lc_diagram_get_function_fill (legend->canvas, LC_COLORING_OTHER, TRUE))
                          : diagram_legend_state (legend, LC_INK_WAITING));
  diagram_legend_add (legend, legend->is_woken, LC_DIAGRAM_WOKEN, diagram_legend_state (legend, LC_INK_WOKEN));
  diagram_legend_add (legend, legend->is_preempted, LC_DIAGRAM_PREEMPTED,
                      diagram_legend_state (legend, LC_INK_PREEMPTED));
  diagram_legend_add (legend, legend->is_outside, LC_DIAGRAM_OUTSIDE, diagram_legend_state (legend, LC_INK_OUTSIDE));
}

static void
diagram_legend_add_others (DiagramLegend *legend)
{
  g_autoptr (GArray) gaps = lc_diagram_list_gaps (legend->scene, legend->view);

  diagram_legend_add (legend, legend->holds && !legend->cells, LC_DIAGRAM_HOLDING,
                      diagram_legend_ink (legend, LC_INK_HOLDING, FALSE));
  for (guint i = 0; i < LC_EXCHANGES; i++)
    diagram_legend_add (legend, legend->exchanges[i] && legend->bodies && !legend->cells, LC_DIAGRAM_MESSAGES + i,
                        diagram_legend_fill (lc_diagram_get_exchange_fill (legend->canvas, i)));
  diagram_legend_add (legend, legend->n_marks[LC_MARK_BOUNDS] > 0, LC_DIAGRAM_BOUNDS,
                      diagram_legend_ink (legend, LC_INK_BOUNDS, TRUE));
  diagram_legend_add (legend, legend->n_marks[LC_MARK_PENDING] > 0, LC_DIAGRAM_PENDING,
                      diagram_legend_fill (lc_diagram_get_state_fill (legend->canvas, LC_INK_PENDING)));
  diagram_legend_add (legend, legend->n_marks[LC_MARK_GOING] > 0, LC_DIAGRAM_GOING,
                      diagram_legend_fill (lc_diagram_get_going_fill (legend->canvas)));
  diagram_legend_add (legend, legend->n_marks[LC_MARK_LOST] > 0, LC_DIAGRAM_LOST,
                      diagram_legend_ink (legend, LC_INK_PROBLEM, TRUE));
  diagram_legend_add (legend, (legend->flags & LC_MARK_CHOSEN) != 0, LC_DIAGRAM_CHOSEN,
                      diagram_legend_line (lc_canvas_stroke (legend->canvas, LC_INK_SELECTION, 2.5)));
  diagram_legend_add (legend, (legend->flags & LC_MARK_IN_PAST) != 0, LC_DIAGRAM_PAST,
                      diagram_legend_ink (legend, LC_INK_PAST, !legend->solid));
  diagram_legend_add (legend, (legend->flags & LC_MARK_IN_FUTURE) != 0, LC_DIAGRAM_FUTURE,
                      diagram_legend_ink (legend, LC_INK_FUTURE, !legend->solid));
  diagram_legend_add (legend, gaps->len > 0, LC_DIAGRAM_GAPS,
                      diagram_legend_fill (lc_diagram_get_gap_fill (legend->canvas)));
}

/* The critical path is a line also where it never leaves a process. */
static gboolean
diagram_legend_has_stay (const DiagramLegend *legend)
{
  gsize n_arcs;
  const LcSceneArc *arcs = lc_scene_get_arcs (legend->scene, &n_arcs);

  for (gsize i = 0; i < n_arcs; i++)
    if (arcs[i].kind == LC_SCENE_ARC_CRITICAL)
      return TRUE;
  return FALSE;
}

static void
diagram_legend_add_arcs (DiagramLegend *legend)
{
  for (LcSceneArcKind kind = 0; kind < LC_SCENE_ARCS; kind++)
    {
      gsize n_hidden;
      g_autoptr (GArray) drawn = lc_diagram_list_arcs (legend->scene, legend->view, kind, &n_hidden);
      LcStroke stroke = lc_diagram_get_arc_stroke (legend->canvas, kind, drawn->len);

      /* Arcs may have faded because there are many; their sample has not. */
      stroke.color.alpha = 1;
      diagram_legend_add (legend, drawn->len > 0 || (kind == LC_SCENE_ARC_CRITICAL && diagram_legend_has_stay (legend)),
                          LC_DIAGRAM_DATA + kind, diagram_legend_line (stroke));
    }
}

static void
diagram_legend_add_notes (DiagramLegend *legend)
{
  static const LcMarkFlags flags[] = {LC_MARK_REORDERED, LC_MARK_GAINED, LC_MARK_LESS, LC_MARK_MOVED};

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      LcLegendSample sample = {.kind = LC_LEGEND_MARKER};

      lc_diagram_get_note (legend->canvas, flags[i], &sample.marker, &sample.fill);
      diagram_legend_add (legend, (legend->flags & flags[i]) != 0, LC_DIAGRAM_REORDERED + i, sample);
    }
}

GArray *
lc_diagram_list_entries (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas)
{
  DiagramLegend legend = {.scene = scene, .view = view, .canvas = canvas};

  legend.entries = g_array_new (FALSE, FALSE, sizeof (LcDiagramEntry));
  g_array_set_clear_func (legend.entries, diagram_legend_clear_entry);
  diagram_legend_look_through (&legend);
  diagram_legend_add_states (&legend);
  diagram_legend_add_others (&legend);
  diagram_legend_add_arcs (&legend);
  diagram_legend_add_notes (&legend);
  return legend.entries;
}
