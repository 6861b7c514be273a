/* SPDX-License-Identifier: Apache-2.0 */
/* A grid of amounts: who has how much to do with whom, each cell the darker the more, with sums of rows and columns. */
#ifndef LC_DRAW_GRID_H
#define LC_DRAW_GRID_H

#include "draw/view.h"

enum
{
  LC_GRID_MOST = 4, /* amounts of a cell */
};

/* One side of a grid: things that follow each other, some together where they are many. */
typedef struct
{
  guint n_things;
  guint group;      /* things that are one cell */
  guint n;          /* cells */
  GPtrArray *names; /* of the cells, to be shown; strings that are owned */
} LcGridSide;

typedef struct
{
  const LcAmount *amounts;
  guint n_amounts;
  guint shown; /* which amount */
  LcGridSide rows;
  LcGridSide columns;
  double *values[LC_GRID_MOST]; /* row after row */

  /* Of the amount that is shown; after lc_grid_sum. */
  double *row_sums;
  double *column_sums;
  double sum;
  double lowest; /* that is more than nothing */
  double highest;
  gboolean logarithmic;
} LcGrid;

/* So much of a picture has its plot for itself, about, if axes, legend and the like take up `margin`; of a low one
 * these leave a third. */
double lc_grid_get_room (double whole, double margin);

/* Which amount options.measure names, or the first. FALSE with LC_PICTURE_ERROR_OPTION. */
gboolean lc_grid_find_amount (const char *measure, const LcAmount *amounts, guint n_amounts, guint *amount,
                              GError **error);

/* Both sides are without names. So many things share `room` pixels. */
LcGrid *lc_grid_new (const LcAmount *amounts, guint n_amounts, guint shown, guint n_rows, double height,
                     guint n_columns, double width);
void lc_grid_free (LcGrid *grid);

/* The same with as many processes at both sides. */
LcGrid *lc_grid_new_square (const LcAmount *amounts, guint n_amounts, guint shown, guint n, double room);

/* To the cell that these things are in. */
void lc_grid_add (LcGrid *grid, guint row, guint column, guint amount, double value);

/* When all is added. */
void lc_grid_sum (LcGrid *grid);

/* Things of which a cell has no less than `least` of the room, if there is a cell for each; without names. */
void lc_grid_side_init (LcGridSide *side, guint n_things, double room, double least);

/* Names of processes, in the order of the context, in place of those it has. */
void lc_grid_name_processes (LcGridSide *side, const LcViewContext *context);

/* Axes, legend, margins and notes. */
void lc_grid_describe (LcGrid *grid, const char *row_title, const char *column_title, LcFrame *frame, LcCanvas *canvas);
void lc_grid_paint (const LcGrid *grid, LcFrame *frame, LcCanvas *canvas, LcRectangle area);

/* Lines between rows that are at least so high, and the axis again, which cells lie over. */
void lc_grid_paint_rows (const LcGridSide *rows, LcCanvas *canvas, LcRectangle area, double least);

/* FALSE: there is no cell. */
gboolean lc_grid_find (const LcGrid *grid, const LcFrame *frame, LcPlace place, guint *row, guint *column);

/* A line for each amount of a cell: "Arcs: 12" */
char *lc_grid_dup_amounts (const LcGrid *grid, guint row, guint column);

/* For lc_canvas_cells, opaque. */
guint32 lc_grid_pack (LcColor color);

/* "12", "1.50 MiB", "12.3 ms" */
char *lc_amount_format (LcAmountKind kind, double value);

#endif
