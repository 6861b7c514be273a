/* SPDX-License-Identifier: Apache-2.0 */
/* A grid of amounts: how much two things have to do with each other, darker for more, with sums of rows and columns. */
#ifndef LC_DRAW_GRID_H
#define LC_DRAW_GRID_H

#include "draw/views/view.h"

enum
{
  LC_GRID_MOST = 4, /* amounts for each cell */
};

/* One side of a grid: a row of things; where there are many, a cell stands for several. */
typedef struct
{
  guint n_things;
  guint group;      /* number of things per cell */
  guint n;          /* number of cells */
  GPtrArray *names; /* char *, owned: the name of each cell */
} LcGridSide;

typedef struct
{
  const LcAmount *amounts;
  guint n_amounts;
  guint shown; /* index of the amount that is shown */
  LcGridSide rows;
  LcGridSide columns;
  double *values[LC_GRID_MOST]; /* row after row */

  /* lc_grid_sum sets the rest, for the amount that is shown. */
  double *row_sums;
  double *column_sums;
  double sum;
  double lowest; /* of the amounts above 0 */
  double highest;
  gboolean logarithmic;
} LcGrid;

/* Gives about how many pixels of `whole` the plot has, if axes, legend and the like take `margin`: at least a third. */
double lc_grid_get_room (double whole, double margin);

/* Finds the amount that options.measure names; NULL names the first. FALSE with LC_PICTURE_ERROR_OPTION. */
gboolean lc_grid_find_amount (const char *measure, const LcAmount *amounts, guint n_amounts, guint *amount,
                              GError **error);

/* Makes a grid without names, whose rows share `height` pixels and whose columns share `width`. */
LcGrid *lc_grid_new (const LcAmount *amounts, guint n_amounts, guint shown, guint n_rows, double height,
                     guint n_columns, double width);
void lc_grid_free (LcGrid *grid);

/* Makes a grid with the same number of things on both sides. */
LcGrid *lc_grid_new_square (const LcAmount *amounts, guint n_amounts, guint shown, guint n, double room);

/* Adds a value to the cell that the things `row` and `column` are in. */
void lc_grid_add (LcGrid *grid, guint row, guint column, guint amount, double value);

/* Computes the sums, after all values were added. */
void lc_grid_sum (LcGrid *grid);

/* Groups things into cells of at least `least` pixels in a room of this many pixels. The cells have no names yet. */
void lc_grid_side_init (LcGridSide *side, guint n_things, double room, double least);

/* Gives the place of each process of the history among those shown; LC_TRACE_NONE: not shown. Free with g_free. */
guint32 *lc_grid_list_places (const LcViewContext *context);

/* Names the cells after the first process in each, in the order of the context. */
void lc_grid_name_processes (LcGridSide *side, const LcViewContext *context);

/* Sets axes, legend, margins and notes. */
void lc_grid_describe (LcGrid *grid, const char *row_title, const char *column_title, LcFrame *frame, LcCanvas *canvas);
void lc_grid_paint (const LcGrid *grid, LcFrame *frame, LcCanvas *canvas, LcRectangle area);

/* Paints lines between rows, if rows are at least `least` high, and the axis again, since cells lie over it. */
void lc_grid_paint_rows (const LcGridSide *rows, LcCanvas *canvas, LcRectangle area, double least);

/* Finds the cell at a place. FALSE: there is none. */
gboolean lc_grid_find (const LcGrid *grid, const LcFrame *frame, LcPlace place, guint *row, guint *column);

/* Gives a line for each amount of a cell, such as "Arcs: 12". */
char *lc_grid_dup_amounts (const LcGrid *grid, guint row, guint column);

/* Gives an opaque pixel for lc_canvas_cells. */
guint32 lc_grid_pack (LcColor color);

/* Gives "12", "1.50 MiB", "12.3 ms". */
char *lc_amount_format (LcAmountKind kind, double value);

#endif
