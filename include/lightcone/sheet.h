/* SPDX-License-Identifier: Apache-2.0 */
/* Sheets: views that are not part of Lightcone. Whoever makes one gives marks in the coordinates of its data, axes and
 * a legend, and it becomes a picture like any other. */
#ifndef LIGHTCONE_SHEET_H
#define LIGHTCONE_SHEET_H

#include "lightcone/picture.h"

G_BEGIN_DECLS

/* A sheet as data: the title (or ""), what it shows in words (or ""), the axes x and y (title, LcSheetScale, from, to,
 * names), the ramp of amounts (title, lowest, highest; or ""), notes, series (name or "", LcSheetShape), and marks
 * (LcSheetShape, series, amount, text, process, ordinal, places as x0 y0 x1 y1 ...). */
#define LC_SHEET_TYPE "(ss(suddas)(suddas)(sss)asa(su)a(uudsutad))"

typedef enum
{
  LC_SHEET_RECTANGLE, /* two corners. Amount: the share of the ramp, if it has no series */
  LC_SHEET_LINE,      /* two places or more. Amount: its width in pixels */
  LC_SHEET_POLYGON,   /* three places or more */
  LC_SHEET_POINT,     /* one place. Amount: its size in pixels */
  LC_SHEET_TEXT,      /* one place, or the two corners of a cell. Amount: 0 aligns it to the left, 1 to the right */
  LC_SHEET_SHAPES,
} LcSheetShape;

typedef enum
{
  LC_SHEET_NUMBERS,
  LC_SHEET_TIMES, /* moments of the run, ns */
  LC_SHEET_DURATIONS,
  LC_SHEET_COUNTS,
  LC_SHEET_SHARES, /* 0 to 1 */
  LC_SHEET_BYTES,
  LC_SHEET_NAMES, /* item k lies from k to k + 1; on the axis y the first one is at the top */
  LC_SHEET_BARE,  /* without numbers */
  LC_SHEET_SCALES,
} LcSheetScale;

#define LC_SHEET_NO_SERIES G_MAXUINT32
#define LC_SHEET_NO_AMOUNT (-1.0)

/* The request for a sheet. */
typedef struct
{
  const char *name;      /* of the view */
  const char *directory; /* of the trace */
  const char *timeline;
  guint64 from; /* ns */
  guint64 to;
  const guint32 *processes;
  guint32 n_processes;
  double width; /* of the picture */
  double height;
} LcSheetRequest;

/* Makes the data of a sheet, in whatever thread wants the picture. NULL with an error. */
typedef GVariant *(*LcSheetMake) (const LcSheetRequest *request, gpointer data, GCancellable *cancellable,
                                  GError **error);

/* Sets the one that makes all sheets. Must be called before the first picture of a sheet. */
void lc_sheets_set_maker (LcSheetMake make, gpointer data);

/* Adds a view to those of lc_views_get, or gives the one of this name another title and summary; NULL or "": its name.
 * What lc_views_get has given before stays valid. FALSE: it is the name of a view that is part of Lightcone. */
gboolean lc_sheets_add_view (const char *name, const char *title, const char *summary);

/* Gives the data of the sheet that a picture shows, as it was made. NULL: it is of another view. */
GVariant *lc_picture_get_sheet (const LcPicture *picture);

/* --- Reading ------------------------------------------------------------------------------------------------------ */

typedef struct _LcSheet LcSheet;

typedef struct
{
  LcSheetShape shape;
  guint32 series; /* or LC_SHEET_NO_SERIES */
  double amount;  /* or LC_SHEET_NO_AMOUNT */
  const char *text;
  guint32 process; /* or LC_TRACE_NONE */
  guint64 ordinal; /* or LC_PICTURE_NO_EVENT */
  gsize first;     /* of its places */
  gsize n_places;
} LcSheetMark;

typedef struct
{
  const char *title;
  LcSheetScale scale;
  double from; /* at the left or the bottom; equal to `to`: as far as marks reach */
  double to;
  const char **names; /* LC_SHEET_NAMES, NULL-terminated */
  guint n_names;
} LcSheetAxis;

typedef struct
{
  const char *name;
  LcSheetShape shape;
} LcSheetSeries;

/* Reads and checks the data, which may be anything. NULL with LC_PICTURE_ERROR_OPTION: what is wrong with it. */
LcSheet *lc_sheet_new (GVariant *data, GError **error);
void lc_sheet_free (LcSheet *sheet);

const char *lc_sheet_get_description (const LcSheet *sheet);
const LcSheetAxis *lc_sheet_get_axis (const LcSheet *sheet, gboolean upright);
/* FALSE: there is no ramp. */
gboolean lc_sheet_get_ramp (const LcSheet *sheet, const char **title, const char **lowest, const char **highest);
const char *const *lc_sheet_get_notes (const LcSheet *sheet);
const LcSheetSeries *lc_sheet_get_series (const LcSheet *sheet, guint *n_series);
const LcSheetMark *lc_sheet_get_marks (const LcSheet *sheet, gsize *n_marks);
const LcPlace *lc_sheet_get_places (const LcSheet *sheet, const LcSheetMark *mark);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSheet, lc_sheet_free)

G_END_DECLS

#endif
