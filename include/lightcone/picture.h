/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures: every view of a history, with its title, axes and legend, as a file or on a canvas. */
#ifndef LIGHTCONE_PICTURE_H
#define LIGHTCONE_PICTURE_H

#include "lightcone/canvas.h"
#include "lightcone/diagram.h"
#include "lightcone/marks.h"
#include "lightcone/sites.h"

G_BEGIN_DECLS

#define LC_PICTURE_ERROR (lc_picture_error_quark ())
GQuark lc_picture_error_quark (void);

typedef enum
{
  LC_PICTURE_ERROR_OPTION, /* an unknown view, or something that the view cannot do; the message names alternatives */
  LC_PICTURE_ERROR_EMPTY,  /* nothing that this view could show: no snapshots, no phases ... */
  LC_PICTURE_ERROR_FILE,   /* a kind of file that cannot be written, a size that is too large */
  LC_PICTURE_ERROR_SHEET,  /* who makes the sheet of a view has failed; the message tells where */
} LcPictureError;

/* --- Views -------------------------------------------------------------------------------------------------------- */

/* The options that a view uses, besides timelines, span, processes, theme and size. */
typedef enum
{
  LC_VIEW_TIMES = 1 << 0,          /* time: logical and phase time too */
  LC_VIEW_ORIENTATION = 1 << 1,    /* orientation */
  LC_VIEW_FILTERS = 1 << 2,        /* operations, objects, inside, called, least_wait */
  LC_VIEW_HIGHLIGHT = 1 << 3,      /* highlight */
  LC_VIEW_PHASES = 1 << 4,         /* phases: it needs them */
  LC_VIEW_INTERVALS = 1 << 5,      /* intervals */
  LC_VIEW_PROCESS = 1 << 6,        /* uses one process: the first of `processes` */
  LC_VIEW_TIMELINES = 1 << 7,      /* it can show several timelines */
  LC_VIEW_SPAN = 1 << 8,           /* from and to */
  LC_VIEW_MEASURE = 1 << 9,        /* measure */
  LC_VIEW_BOUNDS = 1 << 10,        /* lowest, highest */
  LC_VIEW_ACTUAL = 1 << 11,        /* actual */
  LC_VIEW_ALL_TIMELINES = 1 << 12, /* shows all timelines unless some are asked for */
  LC_VIEW_ALL_PROCESSES = 1 << 13, /* shows all processes, even if only some are asked for */
  LC_VIEW_ROWS = 1 << 14,          /* row_ends, row_names */
  LC_VIEW_PROFILE = 1 << 15,       /* shows the profile in `directory`, a file or of a trace, and needs no history */
  LC_VIEW_FRAME = 1 << 16,         /* frame */
  LC_VIEW_COLORING = 1 << 17,      /* coloring */
  LC_VIEW_STYLE = 1 << 18,         /* style */
  LC_VIEW_SHEET = 1 << 19,         /* it was added by lc_sheets_add_view */
  LC_VIEW_OVER_TIME = 1 << 20,     /* orientation; time goes to the right where nobody chooses */
  LC_VIEW_KINDS = 1 << 21,         /* hide_holding, hide_arcs, hidden */
  LC_VIEW_LAYOUT = 1 << 22,        /* measure: its amounts are layouts */
  LC_VIEW_FRAMES = 1 << 23,        /* it can be an animation: lc_picture_encode_frames */
} LcViewTraits;

typedef enum
{
  LC_AMOUNT_COUNT,
  LC_AMOUNT_BYTES,
  LC_AMOUNT_TIME,
} LcAmountKind;

/* An amount that a view can show. */
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
  const char *summary; /* to be translated: one sentence */
  guint traits;
  const LcAmount *amounts; /* LC_VIEW_MEASURE: the choice, the usual one first; NULL: names from the program */
  guint n_amounts;
} LcViewInfo;

/* All views, `space-time` first. */
const LcViewInfo *lc_views_get (gsize *n_views);
const LcViewInfo *lc_views_find (const char *name);

/* --- Options ------------------------------------------------------------------------------------------------------ */

/* Options that the view does not use (by its traits) are ignored. Pointers are borrowed, and need to be valid only
 * until lc_picture_new returns. */
typedef struct
{
  const char *view;         /* NULL: space-time */
  const char *directory;    /* of the trace; NULL: the history's directory; LC_VIEW_PROFILE: the profile */
  const guint32 *timelines; /* NULL: measured */
  guint n_timelines;
  guint64 from; /* positions; from == to: the whole run */
  guint64 to;
  LcSelection selection;
  const LcMarks *marks;            /* shown around events and over times; NULL: none */
  const char *const *hidden_marks; /* names of marks that are left out; NULL: none */
  const char *phases;              /* their definition (phases.h); NULL: auto */
  guint32 intervals;               /* 0: chosen by the view */
  const char *measure;             /* the amount shown: "waiting", "transfer", "bytes" ...; NULL: the view's first */
  LcKeptBlame *blame; /* view flame: of this history, to make the next picture without reading it; or NULL */
  const char *frame;  /* the path of the frame that is as wide as the picture (LcPictureFrame); NULL: the lowest one */
  guint64 actual;     /* duration without the measurement, ns; 0: not known */
  LcOrientation orientation;
  LcDiagramStyle style;
  LcTheme theme;
  const char *title; /* NULL: title of the view, and name of the program; "": no title */
  double width;      /* of the whole picture */
  double height;
  LcTimePlace place; /* for a plot over physical time, where its axis has room there; no file names it */
} LcPictureOptions;

/* Sets the defaults: measured timeline, light theme, 1200 x 800, the view's usual orientation. */
void lc_picture_options_init (LcPictureOptions *options);

/* --- Pictures ----------------------------------------------------------------------------------------------------- */

typedef struct _LcPicture LcPicture;

/* Makes a picture, and takes everything it shows from the history. NULL with LC_PICTURE_ERROR, LC_PHASES_ERROR,
 * LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED, and for a profile with the errors of lc_profile_open. The history must
 * outlive the picture; with LC_VIEW_PROFILE it may be NULL. */
LcPicture *lc_picture_new (LcHistory *history, const LcPictureOptions *options, GCancellable *cancellable,
                           GError **error);
void lc_picture_free (LcPicture *picture);

/* Gives the whole run on the axis of these options: the range for `from` and `to`. Errors are as for lc_picture_new. */
gboolean lc_picture_find_span (LcHistory *history, const LcPictureOptions *options, guint64 *from, guint64 *to,
                               GCancellable *cancellable, GError **error);

/* Gives the arguments with which lightcone export makes the same picture, byte for byte, apart from the trace, the file
 * and the scale: "--view", "waiting", ... Free with g_strfreev. `*unsaid` is set if an option cannot be expressed by
 * arguments. NULL with LC_HISTORY_ERROR, LC_PHASES_ERROR or G_IO_ERROR_CANCELLED. The view must exist. */
char **lc_picture_dup_arguments (LcHistory *history, const LcPictureOptions *options, gboolean *unsaid,
                                 GCancellable *cancellable, GError **error);

/* Paints the whole picture: title, a line on what is shown (view, timeline, part of the run), axes, legend, and notes
 * on sums and omissions. */
void lc_picture_paint (LcPicture *picture, LcCanvas *canvas);

/* The text of a tooltip, or NULL if there is nothing at this place. The picture must have been painted. Free with
 * g_free. */
char *lc_picture_dup_text_at (LcPicture *picture, LcPlace place, double margin);

/* The process, event and time that a place of a plot shows, as far as each is a single one. */
#define LC_PICTURE_NO_EVENT G_MAXUINT64
typedef struct
{
  guint32 process;   /* or LC_TRACE_NONE */
  guint64 ordinal;   /* an event of it, on the picture's timeline, that shows best what is there: its longest wait, say;
                        or LC_PICTURE_NO_EVENT */
  gboolean has_time; /* whether `time` is set */
  guint64 time;      /* ns */
} LcPictureSpot;

/* FALSE: the place shows none of these. The picture must have been painted, also for the two functions below. For a
 * space-time diagram, use lc_diagram_pick. */
gboolean lc_picture_find_at (const LcPicture *picture, LcPlace place, LcPictureSpot *spot);

/* The area of the plot, within its axes. */
void lc_picture_get_area (const LcPicture *picture, LcRectangle *area);

/* The part of the picture that moves when another time is shown: the area, and the numbers of the axis of time. */
void lc_picture_get_moving (const LcPicture *picture, LcRectangle *moving);

/* The physical time from the left to the right of the area, or from its top to its bottom. FALSE: no axis shows
 * physical time. */
gboolean lc_picture_get_time (const LcPicture *picture, guint64 *from, guint64 *to);

/* Whether that time goes down. */
gboolean lc_picture_is_turned (const LcPicture *picture);

/* --- Frames of a flame graph -------------------------------------------------------------------------------------- */

/* A box of a picture with LC_VIEW_FRAME. */
typedef struct
{
  guint box;       /* its number in this picture */
  char *path;      /* the names of the frames from the lowest but one to this, with semicolons; NULL: the lowest one */
  char *place;     /* where it is in the source, as lc_called_new takes it; NULL: it is no place */
  char *text;      /* what the tooltip says */
  gboolean merged; /* it stands for several narrow frames; path and place are those of the frame below them */
  gboolean blamed; /* it is of a stack that made others wait */
  LcRectangle area;
} LcPictureFrame;

typedef enum
{
  LC_FRAME_UP, /* to the longest frame that stands on it */
  LC_FRAME_DOWN,
  LC_FRAME_LEFT,
  LC_FRAME_RIGHT,
} LcFrameStep;

/* Find a box by place, by path, or beside another one. FALSE: there is none, and nothing is set. The picture must have
 * been painted; other views have no boxes. Clear with lc_picture_frame_clear. */
gboolean lc_picture_find_frame (LcPicture *picture, LcPlace place, double margin, LcPictureFrame *frame);
gboolean lc_picture_find_frame_by_path (LcPicture *picture, const char *path, LcPictureFrame *frame);
gboolean lc_picture_find_frame_beside (LcPicture *picture, guint box, LcFrameStep step, LcPictureFrame *frame);
void lc_picture_frame_clear (LcPictureFrame *frame);

/* The picture in words, for a screen reader and for SVG. Free with g_free. */
char *lc_picture_dup_description (LcPicture *picture);

typedef enum
{
  LC_FILE_PNG,
  LC_FILE_SVG,
  LC_FILE_PDF,
} LcFileKind;

/* Finds the kind of file by the end of its name. FALSE with LC_PICTURE_ERROR_FILE: the message lists the kinds. */
gboolean lc_file_kind_parse (const char *path, LcFileKind *kind, GError **error);

/* Gives all endings that have a kind, ".png, .svg". Free with g_free. */
char *lc_file_kind_dup_endings (void);

/* Encodes the file in memory. `scale`: pixels of a PNG for one unit, 1 or more. NULL with LC_PICTURE_ERROR_FILE. */
GBytes *lc_picture_encode (LcPicture *picture, LcFileKind kind, double scale, GError **error);

/* A picture that moves: pictures of one part of its run after the other. */
#define LC_MOST_FRAMES 10000
#define LC_LEAST_RATE 0.1
#define LC_MOST_RATE 60.0
#define LC_USUAL_RATE 10.0
typedef struct
{
  guint n_frames; /* 1 to LC_MOST_FRAMES: how many parts. Layers and phases are whole ones: no more than there are */
  double rate;    /* pictures a second, LC_LEAST_RATE to LC_MOST_RATE */
} LcPictureFrames;

/* Encodes a picture of a view with LC_VIEW_FRAMES as an animation, which is repeated: a PNG that moves (APNG), an SVG
 * that moves, or a PDF with a page for each part; of one part, it is the picture. The picture shows its last part then;
 * if it fails, perhaps another one. NULL with LC_PICTURE_ERROR, LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. */
GBytes *lc_picture_encode_frames (LcPicture *picture, const LcPictureFrames *frames, LcFileKind kind, double scale,
                                  GCancellable *cancellable, GError **error);

/* Writes the file under another name and renames it, so that there is the whole file or none. A path that is no regular
 * file (/dev/null, a pipe) is written to directly. */
gboolean lc_picture_write (LcPicture *picture, const char *path, LcFileKind kind, double scale, GError **error);

/* Writes what is encoded already in the same way. */
gboolean lc_picture_write_bytes (GBytes *bytes, const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPicture, lc_picture_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcPictureFrame, lc_picture_frame_clear)

G_END_DECLS

#endif
