/* SPDX-License-Identifier: Apache-2.0 */
/* The view `snapshots`: matrices that the program has kept, as contour plots side by side. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "contours.h"
#include "grid.h"
#include "trace/quantities.h"

#define GAP 22.0   /* between two plots */
#define HEAD 34.0  /* for the texts above a plot */
#define TICKS 26.0 /* for the numbers at the left of a plot */
#define FOOT 56.0  /* for the numbers and the strip of shades below a plot */
#define STRIP 10.0 /* height of the strip of shades */
#define NEXT 6.0   /* between two numbers below it */
#define FINER 3.0  /* points of a contour per pixel, in each direction */

enum
{
  BANDS = 8,
  SHOWN = 3,        /* the first, the middle and the last snapshot */
  MOST_SHOWN = 6,   /* if they are asked for */
  MOST_SIDE = 2400, /* points along a side */
};

/* A snapshot, with what is known about it. */
typedef struct
{
  guint64 number;
  LcSnapshot *matrix;
  LcBands own; /* the range of its values */
  guint64 time;
  guint32 process; /* the process that kept it; LC_TRACE_NONE: no event tells */
} Panel;

typedef struct
{
  const LcViewContext *context;
  GArray *panels; /* Panel */
  LcBands bands;  /* the same for all, so that a shade is one value */
  guint n_in_all; /* number of snapshots in the trace */
} Model;

static void
clear_panel (gpointer data)
{
  lc_snapshot_free (((Panel *)data)->matrix);
}

static void
view_snapshots_free_model (gpointer data)
{
  Model *model = data;

  g_array_unref (model->panels);
  g_free (model);
}

/* --- Query -------------------------------------------------------------------------------------------------------- */

static gboolean
note_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  GArray *panels = data;

  for (guint i = 0; i < panels->len; i++)
    {
      Panel *panel = &g_array_index (panels, Panel, i);

      if (event->flags & LC_TRACE_EVENT_SEQUENCE && (guint64)event->sequence == panel->number)
        {
          panel->time = event->end;
          panel->process = event->process;
        }
    }
  return TRUE;
}

/* Finds when each snapshot was kept, and by which process. */
static gboolean
find_events (const Model *model, GCancellable *cancellable, GError **error)
{
  LcHistory *history = model->context->history;
  guint32 n = lc_history_get_n_operations (history);
  g_autofree gboolean *operations = g_new0 (gboolean, MAX (n, 1));
  gboolean any = FALSE;

  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      operations[i] = operation != NULL && g_strcmp0 (operation->name, "snapshot") == 0;
      any |= operations[i];
    }
  for (guint32 i = 0; any && i < lc_history_get_n_processes (history); i++)
    if (!lc_history_visit_operations (history, model->context->options.timelines[0], i, operations, note_event,
                                      model->panels, cancellable, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_panel (Model *model, const char *directory, guint64 number, const char *wanted, GError **error)
{
  Panel panel = {.number = number, .process = LC_TRACE_NONE};
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, number);

  panel.matrix = lc_snapshot_read (directory, number, error);
  if (panel.matrix == NULL)
    return FALSE;
  if (panel.matrix->rows == 0 || panel.matrix->columns == 0 ||
      (wanted != NULL && strcmp (wanted, text) != 0 && strcmp (wanted, panel.matrix->name) != 0))
    {
      lc_snapshot_free (panel.matrix);
      return TRUE;
    }
  lc_bands_init (&panel.own);
  lc_bands_add (&panel.own, panel.matrix);
  lc_bands_divide (&panel.own, BANDS);
  g_array_append_val (model->panels, panel);
  return TRUE;
}

/* Adds the snapshots that `measure` names: names or numbers, separated by commas. */
static gboolean
add_wanted (Model *model, const char *directory, const GArray *numbers, const char *measure, GError **error)
{
  g_auto (GStrv) names = g_strsplit (measure, ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      guint before = model->panels->len;

      for (guint k = 0; k < numbers->len && model->panels->len < MOST_SHOWN; k++)
        if (!add_panel (model, directory, g_array_index (numbers, guint64, k), names[i], error))
          return FALSE;
      if (model->panels->len > before || before == MOST_SHOWN)
        continue;
      g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_OPTION,
                   _ ("no snapshot has the name or number “%s”: there are %u, from 0 on"), names[i], numbers->len);
      return FALSE;
    }
  return TRUE;
}

/* Adds the first and the last snapshot, and some in equal steps between them. */
static gboolean
add_some (Model *model, const char *directory, const GArray *numbers, GError **error)
{
  guint n = MIN (numbers->len, SHOWN);

  for (guint i = 0; i < n; i++)
    {
      guint at = n > 1 ? (guint)((guint64)i * (numbers->len - 1) / (n - 1)) : 0;

      if (!add_panel (model, directory, g_array_index (numbers, guint64, at), NULL, error))
        return FALSE;
    }
  return TRUE;
}

static void
view_snapshots_find_bands (Model *model)
{
  g_autofree const LcSnapshot **matrices = g_new (const LcSnapshot *, MAX (model->panels->len, 1));

  lc_bands_init (&model->bands);
  for (guint i = 0; i < model->panels->len; i++)
    {
      matrices[i] = g_array_index (model->panels, Panel, i).matrix;
      lc_bands_add (&model->bands, matrices[i]);
    }
  if (model->panels->len > 1)
    lc_bands_share_out (&model->bands, matrices, model->panels->len, BANDS);
  else
    lc_bands_divide (&model->bands, BANDS);
}

static gboolean
view_snapshots_fill (Model *model, GCancellable *cancellable, GError **error)
{
  const LcPictureOptions *options = &model->context->options;
  g_autofree char *directory = options->directory != NULL
                                   ? g_strdup (options->directory)
                                   : g_path_get_dirname (lc_history_get_path (model->context->history));
  g_autoptr (GArray) numbers = lc_snapshot_list (directory, error);

  if (numbers == NULL)
    return FALSE;
  model->n_in_all = numbers->len;
  if (!(options->measure != NULL && numbers->len > 0 ? add_wanted (model, directory, numbers, options->measure, error)
                                                     : add_some (model, directory, numbers, error)))
    return FALSE;
  view_snapshots_find_bands (model);
  if (model->panels->len > 0)
    return find_events (model, cancellable, error);
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
               _ ("the program kept no snapshots of matrices in %s: call lc_snapshot where it has something to show"),
               directory);
  return FALSE;
}

static gpointer
view_snapshots_gather (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  Model *model = g_new0 (Model, 1);

  model->context = context;
  model->panels = g_array_new (FALSE, FALSE, sizeof (Panel));
  g_array_set_clear_func (model->panels, clear_panel);
  if (view_snapshots_fill (model, cancellable, error))
    return model;
  view_snapshots_free_model (model);
  return NULL;
}

/* --- Texts -------------------------------------------------------------------------------------------------------- */

static const Panel *
view_snapshots_get_panel (const Model *model, guint i)
{
  return &g_array_index (model->panels, Panel, i);
}

/* Lower bands have stronger colours. */
static LcColor
view_snapshots_get_color (const LcBands *bands, LcCanvas *canvas, guint8 band)
{
  LcTheme theme = lc_canvas_get_theme (canvas);

  if (band == LC_BAND_NONE)
    return lc_palette_get_color (theme, LC_INK_PROBLEM);
  return lc_palette_get_amount (theme, bands->n_bands > 1 ? 1 - (double)band / (bands->n_bands - 1) : 0.5);
}

static char *
view_snapshots_tell (gpointer data)
{
  const Model *model = data;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < model->panels->len; i++)
    {
      const Panel *panel = view_snapshots_get_panel (model, i);
      g_autofree char *name = lc_format_text (panel->matrix->name);
      g_autofree char *rows = lc_format_count (panel->matrix->rows);
      g_autofree char *columns = lc_format_count (panel->matrix->columns);

      if (panel->own.n_bands > 0)
        g_string_append_printf (text, _ ("%s%s: %s × %s values from %.4g to %.4g"), i > 0 ? "; " : "", name, rows,
                                columns, panel->own.lowest, panel->own.highest);
      else
        g_string_append_printf (text, _ ("%s%s: %s × %s values that are no numbers"), i > 0 ? "; " : "", name, rows,
                                columns);
    }
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

static void
view_snapshots_describe (gpointer data, LcFrame *frame, LcCanvas *canvas)
{
  const Model *model = data;
  const LcAxisScale none = {.kind = LC_SCALE_NONE, .to = 1};
  g_autofree char *shown = lc_format_count (model->panels->len), *all = lc_format_count (model->n_in_all);
  g_autofree char *some = g_strdup_printf (_ ("%s of %s snapshots are drawn; --measure names others."), shown, all);
  guint64 n_strange = 0;

  lc_frame_set_x (frame, &none);
  lc_frame_set_y (frame, &none);
  lc_frame_add_note (
      frame, model->bands.is_even
                 ? _ ("The contours are at even intervals of the values. The first row is at the top.")
                 : _ ("A shade is the same value in all of them: contours divide all values into parts of about "
                      "equally many. The first row is at the top."));
  if (model->panels->len < model->n_in_all)
    lc_frame_add_note (frame, some);
  for (guint i = 0; i < model->panels->len; i++)
    n_strange += view_snapshots_get_panel (model, i)->own.n_strange;
  if (n_strange > 0)
    {
      LcColor color = lc_palette_get_color (lc_canvas_get_theme (canvas), LC_INK_PROBLEM);
      g_autofree char *count = lc_format_count (n_strange);
      g_autofree char *note = g_strdup_printf (
          ngettext ("%s value is no number, or infinite.", "%s values are no numbers, or infinite.", n_strange), count);

      lc_frame_add_fill (frame, _ ("no number, or infinite"), lc_canvas_color_fill (color));
      lc_frame_add_note (frame, note);
    }
}

/* --- Places ------------------------------------------------------------------------------------------------------- */

/* All matrices have the same scale, and each is in the middle of its part of the area. */
static LcRectangle
view_snapshots_get_place (const Model *model, LcRectangle area, guint number)
{
  guint n = model->panels->len;
  double room = (area.width - GAP * (n - 1)) / n, scale = INFINITY;
  double left = area.x + number * (room + GAP), width, height;

  for (guint i = 0; i < n; i++)
    {
      const LcSnapshot *matrix = view_snapshots_get_panel (model, i)->matrix;

      scale = MIN (scale, MAX (room - TICKS, 1) / (double)matrix->columns);
      scale = MIN (scale, MAX (area.height - HEAD - FOOT, 1) / (double)matrix->rows);
    }
  width = MAX (round (scale * (double)view_snapshots_get_panel (model, number)->matrix->columns), 1);
  height = MAX (round (scale * (double)view_snapshots_get_panel (model, number)->matrix->rows), 1);
  return (LcRectangle){round (left + TICKS + (room - TICKS - width) / 2),
                       round (area.y + HEAD + (area.height - HEAD - FOOT - height) / 2), width, height};
}

/* --- Painting -------------------------------------------------------------------------------------------------------
 */

static void
paint_bands (const Model *model, const Panel *panel, LcCanvas *canvas, LcRectangle place)
{
  guint columns = (guint)CLAMP (place.width * FINER, 1, MOST_SIDE),
        rows = (guint)CLAMP (place.height * FINER, 1, MOST_SIDE);
  g_autofree guint8 *bands = lc_bands_sample (&model->bands, panel->matrix, columns, rows);
  g_autofree guint32 *colors = g_new (guint32, (gsize)columns * rows);
  guint32 of_bands[G_MAXUINT8 + 1];

  for (guint i = 0; i < model->bands.n_bands; i++)
    of_bands[i] = lc_grid_pack (view_snapshots_get_color (&model->bands, canvas, (guint8)i));
  of_bands[LC_BAND_NONE] = lc_grid_pack (view_snapshots_get_color (&model->bands, canvas, LC_BAND_NONE));
  for (gsize i = 0; i < (gsize)columns * rows; i++)
    colors[i] = of_bands[bands[i]];
  lc_canvas_cells (canvas, place, colors, columns, rows);
  lc_canvas_frame (canvas, lc_canvas_stroke (canvas, LC_INK_AXIS, 1),
                   (LcRectangle){place.x - 0.5, place.y - 0.5, place.width + 1, place.height + 1});
}

static char *
dup_when (const Model *model, const Panel *panel)
{
  g_autofree char *time = lc_history_dup_moment (model->context->history, panel->time),
                  *number = lc_format_count (panel->number);
  g_autofree char *process = panel->process != LC_TRACE_NONE
                                 ? lc_format_text (lc_names_process (model->context->names, panel->process))
                                 : NULL;

  if (process == NULL)
    return g_strdup_printf (_ ("number %s"), number);
  return g_strdup_printf (_ ("at %s, by %s"), time, process);
}

static void
view_snapshots_paint_head (const Model *model, const Panel *panel, LcCanvas *canvas, LcRectangle place)
{
  LcTextStyle style = {.ink = LC_INK_TEXT, .align_x = 0.5, .align_y = 1, .room = place.width + TICKS};
  g_autofree char *name = lc_format_text (panel->matrix->name), *when = dup_when (model, panel);
  double middle = place.x + place.width / 2;

  lc_canvas_text (canvas, &style, (LcPlace){middle, place.y - 18}, name);
  style.font = LC_FONT_SMALL;
  style.ink = LC_INK_FAINT_TEXT;
  lc_canvas_text (canvas, &style, (LcPlace){middle, place.y - 4}, when);
}

/* Paints the numbers of the first and the last row and column. */
static void
paint_ticks (const Panel *panel, LcCanvas *canvas, LcRectangle place)
{
  LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_FAINT_TEXT};
  g_autofree char *rows = g_strdup_printf ("%" G_GUINT64_FORMAT, panel->matrix->rows - 1);
  g_autofree char *columns = g_strdup_printf ("%" G_GUINT64_FORMAT, panel->matrix->columns - 1);
  double bottom = place.y + place.height;

  lc_canvas_text (canvas, &style, (LcPlace){place.x, bottom + 4}, "0");
  style.align_x = 1;
  if (panel->matrix->columns > 1)
    lc_canvas_text (canvas, &style, (LcPlace){place.x + place.width, bottom + 4}, columns);
  lc_canvas_text (canvas, &style, (LcPlace){place.x - 4, place.y}, "0");
  style.align_y = 1;
  if (panel->matrix->rows > 1)
    lc_canvas_text (canvas, &style, (LcPlace){place.x - 4, bottom}, rows);
}

static double
view_snapshots_paint_value (LcCanvas *canvas, LcPlace place, double align, double value, double from, double to)
{
  const LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_TEXT, .align_x = align};
  g_autofree char *text = g_strdup_printf ("%.4g", value);
  double width, height;

  lc_canvas_measure (canvas, &style, text, &width, &height);
  if (place.x - align * width < from || place.x + (1 - align) * width > to)
    return from;
  lc_canvas_text (canvas, &style, place, text);
  return place.x + (1 - align) * width + NEXT;
}

/* Paints the values at the ends of the strip, and where bands begin those for which there is room. */
static void
paint_values (const LcBands *bands, LcCanvas *canvas, LcRectangle strip)
{
  const double y = strip.y + strip.height + 3, end = strip.x + strip.width, step = strip.width / bands->n_bands;
  double from = view_snapshots_paint_value (canvas, (LcPlace){strip.x, y}, 0, bands->lowest, strip.x, INFINITY);
  LcTextStyle style = {.font = LC_FONT_SMALL};
  g_autofree char *highest = g_strdup_printf ("%.4g", bands->highest);
  double width, height;

  if (bands->n_bands < 2)
    return;
  lc_canvas_measure (canvas, &style, highest, &width, &height);
  view_snapshots_paint_value (canvas, (LcPlace){end, y}, 1, bands->highest, MIN (from, end - width), end + 1);
  for (guint i = 0; !bands->is_even && i + 1 < bands->n_bands; i++)
    from = view_snapshots_paint_value (canvas, (LcPlace){strip.x + (i + 1) * step, y}, 0.5, bands->begins[i], from,
                                       end - width - NEXT);
}

/* Paints the strip that tells the meaning of the shades. */
static void
paint_strip (const LcBands *bands, LcCanvas *canvas, LcRectangle place)
{
  double top = place.y + place.height + FOOT - STRIP - 18, step = place.width / MAX (bands->n_bands, 1);
  const LcRectangle strip = {place.x, top, place.width, STRIP};

  for (guint i = 0; i < bands->n_bands; i++)
    {
      const LcRectangle band = {place.x + i * step, top, step, STRIP};

      lc_canvas_rectangles (canvas, lc_canvas_color_fill (view_snapshots_get_color (bands, canvas, (guint8)i)), &band,
                            1);
    }
  if (bands->n_bands == 0)
    return;
  lc_canvas_frame (canvas, lc_canvas_stroke (canvas, LC_INK_AXIS, 1), strip);
  paint_values (bands, canvas, strip);
}

static void
view_snapshots_paint (gpointer data, LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const Model *model = data;
  LcColor background = lc_palette_get_color (lc_canvas_get_theme (canvas), LC_INK_BACKGROUND);

  lc_canvas_rectangles (canvas, lc_canvas_color_fill (background), &area, 1);
  for (guint i = 0; i < model->panels->len; i++)
    {
      const Panel *panel = view_snapshots_get_panel (model, i);
      LcRectangle place = view_snapshots_get_place (model, area, i);

      lc_canvas_begin (canvas, "snapshot", panel->matrix->name);
      paint_bands (model, panel, canvas, place);
      view_snapshots_paint_head (model, panel, canvas, place);
      paint_ticks (panel, canvas, place);
      paint_strip (&model->bands, canvas, place);
      lc_canvas_end (canvas);
    }
}

static char *
view_snapshots_text_at (gpointer data, const LcFrame *frame, LcRectangle area, LcPlace place, double margin)
{
  const Model *model = data;

  for (guint i = 0; i < model->panels->len; i++)
    {
      const LcSnapshot *matrix = view_snapshots_get_panel (model, i)->matrix;
      LcRectangle own = view_snapshots_get_place (model, area, i);
      double across = (place.x - own.x) / own.width, down = (place.y - own.y) / own.height;
      guint64 row, column;

      if (!(across >= 0 && across < 1 && down >= 0 && down < 1))
        continue;

      g_autofree char *name = lc_format_text (matrix->name), *rows = NULL, *columns = NULL;
      double value;

      row = (guint64)(down * (double)matrix->rows);
      column = (guint64)(across * (double)matrix->columns);
      value = matrix->values[row * matrix->columns + column];
      rows = lc_format_count (row);
      columns = lc_format_count (column);
      return g_strdup_printf (_ ("%s\nRow %s, column %s\n%.6g"), name, rows, columns, value);
    }
  return NULL;
}

const LcView lc_view_snapshots = {
    .info = {.name = "snapshots",
             .title = N_ ("Snapshots"),
             .summary = N_ ("Matrices that the program has kept with lc_snapshot, as contours (--measure names some)."),
             .traits = LC_VIEW_MEASURE | LC_VIEW_ALL_PROCESSES},
    .gather = view_snapshots_gather,
    .describe = view_snapshots_describe,
    .paint = view_snapshots_paint,
    .text_at = view_snapshots_text_at,
    .tell = view_snapshots_tell,
    .free = view_snapshots_free_model,
};
