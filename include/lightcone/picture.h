/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures: every view of a history, with its title, axes and legend, as a file or on a canvas. */
#ifndef LIGHTCONE_PICTURE_H
#define LIGHTCONE_PICTURE_H

#include "lightcone/canvas.h"
#include "lightcone/diagram.h"

G_BEGIN_DECLS

#define LC_PICTURE_ERROR (lc_picture_error_quark ())
GQuark lc_picture_error_quark (void);

typedef enum
{
  LC_PICTURE_ERROR_OPTION, /* a view that does not exist, or something that this view cannot do; what and instead what
                            */
  LC_PICTURE_ERROR_EMPTY,  /* there is nothing that this view could show: no snapshots, no phases ... */
  LC_PICTURE_ERROR_FILE,   /* a kind of file that cannot be written, a size that is too large */
} LcPictureError;

/* --- Views
 * ------------------------------------------------------------------------------------------------------------ */

/* What of the options a view looks at, besides timelines, span, processes, theme and size. */
typedef enum
{
  LC_VIEW_TIMES = 1 << 0,          /* time: logical and phase time too */
  LC_VIEW_ORIENTATION = 1 << 1,    /* orientation */
  LC_VIEW_FILTERS = 1 << 2,        /* operations, objects, inside, least_wait */
  LC_VIEW_HIGHLIGHT = 1 << 3,      /* highlight */
  LC_VIEW_PHASES = 1 << 4,         /* phases: it needs them */
  LC_VIEW_INTERVALS = 1 << 5,      /* intervals */
  LC_VIEW_PROCESS = 1 << 6,        /* it is of one process: the first one of `processes` */
  LC_VIEW_TIMELINES = 1 << 7,      /* it can show several timelines */
  LC_VIEW_SPAN = 1 << 8,           /* from and to */
  LC_VIEW_MEASURE = 1 << 9,        /* measure */
  LC_VIEW_BOUNDS = 1 << 10,        /* lowest, highest */
  LC_VIEW_ACTUAL = 1 << 11,        /* actual */
  LC_VIEW_ALL_TIMELINES = 1 << 12, /* without any asked for, it shows all timelines */
  LC_VIEW_ALL_PROCESSES = 1 << 13, /* it is of all processes, whatever is asked for */
  LC_VIEW_ROWS = 1 << 14,          /* row_ends, row_names, hide_holding, hide_arcs */
  LC_VIEW_PROFILE = 1 << 15,       /* it is of the profile in `directory`, a file or of a trace, and needs no history */
} LcViewTraits;

typedef enum
{
  LC_AMOUNT_COUNT,
  LC_AMOUNT_BYTES,
  LC_AMOUNT_TIME,
} LcAmountKind;

/* What a view can show an amount of. */
typedef struct
{
  const char *measure; /* as options name it */
  const char *title;   /* to be translated */
  LcAmountKind kind;
} LcAmount;

typedef struct
{
  const char *name;    /* as the command line knows it */
  const char *title;   /* to be translated */
  const char *summary; /* likewise: one sentence */
  guint traits;
  const LcAmount *amounts; /* LC_VIEW_MEASURE: what can be chosen, the usual one first; NULL: what the program named */
  guint n_amounts;
} LcViewInfo;

/* All views, `space-time` first. */
const LcViewInfo *lc_views_get (gsize *n_views);
const LcViewInfo *lc_views_find (const char *name);

/* --- Options
 * ------------------------------------------------------------------------------------------------------------ */

/* What a view does not look at (its traits) does not matter. All that it points at is borrowed and need only live until
 * lc_picture_new returns. */
typedef struct
{
  const char *view;      /* NULL: space-time */
  const char *directory; /* the trace's, for what is not in the history; NULL: where the history lies; or a profile */
  LcSceneTime time;
  const guint32 *timelines; /* NULL: measured */
  guint n_timelines;
  guint32 lowest; /* timelines that bound it, or LC_TRACE_NONE */
  guint32 highest;
  guint64 from; /* positions; from == to: the whole run */
  guint64 to;
  const guint32 *processes; /* NULL: all */
  guint32 n_processes;
  const guint32 *row_ends; /* rows of several processes, see LcSceneQuery; or NULL */
  guint32 n_row_ends;
  const char *const *row_names; /* likewise; or NULL */
  const gboolean *operations;
  const guint32 *objects;
  guint32 n_objects;
  LcInside *inside;   /* only events inside these regions and after these tags; NULL: all */
  guint64 least_wait; /* ns: only events that waited so long */
  gboolean hide_holding;
  gboolean hide_arcs;
  LcHighlight highlight;
  const char *phases;  /* their definition (phases.h); NULL: auto */
  guint32 intervals;   /* 0: as the view likes */
  const char *measure; /* what of several amounts a view shows: "waiting", "transfer", "bytes" ... NULL: its first */
  guint64 actual;      /* how long it took without the measurement, ns; 0: not known */
  LcOrientation orientation;
  LcTheme theme;
  const char *title; /* NULL: the view's, and the program's name; "": none is written */
  double width;      /* of the whole picture */
  double height;
} LcPictureOptions;

/* Measured, light, 1200 x 800, time down. */
void lc_picture_options_init (LcPictureOptions *options);

/* --- Pictures
 * ----------------------------------------------------------------------------------------------------------- */

typedef struct _LcPicture LcPicture;

/* Asks the history for all that it shows. NULL with LC_PICTURE_ERROR, LC_PHASES_ERROR, LC_HISTORY_ERROR or
 * G_IO_ERROR_CANCELLED, of a profile also what lc_profile_open says. The history must outlive it; of LC_VIEW_PROFILE it
 * may be NULL. */
LcPicture *lc_picture_new (LcHistory *history, const LcPictureOptions *options, GCancellable *cancellable,
                           GError **error);
void lc_picture_free (LcPicture *picture);

/* The whole run on the axis that these options have: where `from` and `to` can be. Errors as above. */
gboolean lc_picture_find_span (LcHistory *history, const LcPictureOptions *options, guint64 *from, guint64 *to,
                               GCancellable *cancellable, GError **error);

/* What lightcone export is to be told for the same picture, byte for byte, besides the trace, the file and its scale:
 * "--view", "waiting", ... Free with g_strfreev. `*unsaid`: something of the options has no words there. NULL with
 * LC_HISTORY_ERROR, LC_PHASES_ERROR or G_IO_ERROR_CANCELLED. The view must exist. */
char **lc_picture_dup_arguments (LcHistory *history, const LcPictureOptions *options, gboolean *unsaid,
                                 GCancellable *cancellable, GError **error);

/* All of it: title, what is shown (view, timeline, part of the run), axes, legend, and what is summed up or left out.
 */
void lc_picture_paint (LcPicture *picture, LcCanvas *canvas);

/* The text of a tooltip, or NULL: there is nothing. After it was painted once. Free with g_free. */
char *lc_picture_dup_text_at (LcPicture *picture, LcPlace place, double margin);

/* What a place of a plot is about, as far as that is one thing. */
#define LC_PICTURE_NO_EVENT G_MAXUINT64
typedef struct
{
  guint32 process;   /* or LC_TRACE_NONE */
  guint64 ordinal;   /* an event of it, on the picture's timeline, that shows best what is there: its longest wait, say;
                        or LC_PICTURE_NO_EVENT */
  gboolean has_time; /* `time` */
  guint64 time;      /* ns */
} LcPictureSpot;

/* FALSE: it is about none. After it was painted once, as below. A space-time diagram has lc_diagram_pick. */
gboolean lc_picture_find_at (const LcPicture *picture, LcPlace place, LcPictureSpot *spot);

/* Where the plot lies, within its axes. */
void lc_picture_get_area (const LcPicture *picture, LcRectangle *area);

/* Which physical time it goes over from its area's left to its right. FALSE: that is not what its axis tells. */
gboolean lc_picture_get_time (const LcPicture *picture, guint64 *from, guint64 *to);

/* The same as words: what a screen reader is told, and SVG's description. Free with g_free. */
char *lc_picture_dup_description (LcPicture *picture);

/* The scene of a space-time diagram, and where it was painted; NULL: it is another view. */
const LcScene *lc_picture_get_scene (const LcPicture *picture);
gboolean lc_picture_get_view (const LcPicture *picture, LcDiagramView *view);

typedef enum
{
  LC_FILE_PNG,
  LC_FILE_SVG,
  LC_FILE_PDF,
} LcFileKind;

/* By the end of its name. FALSE with LC_PICTURE_ERROR_FILE: which there are. */
gboolean lc_file_kind_parse (const char *path, LcFileKind *kind, GError **error);

/* The file, in memory. `scale`: pixels of a PNG for one unit, 1 or more. NULL with LC_PICTURE_ERROR_FILE. */
GBytes *lc_picture_encode (LcPicture *picture, LcFileKind kind, double scale, GError **error);

/* Made aside and renamed into place: there is the whole file or none. What is no plain file (/dev/null, a pipe) is
 * written to. */
gboolean lc_picture_write (LcPicture *picture, const char *path, LcFileKind kind, double scale, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPicture, lc_picture_free)

G_END_DECLS

#endif
