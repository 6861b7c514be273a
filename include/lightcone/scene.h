/* SPDX-License-Identifier: Apache-2.0 */
/* The scene: the contents of a space-time diagram, laid out once, without any resolution. */
#ifndef LIGHTCONE_SCENE_H
#define LIGHTCONE_SCENE_H

#include "lightcone/critical-path.h"
#include "lightcone/deadlock.h"
#include "lightcone/history.h"
#include "lightcone/phases.h"
#include "lightcone/selection.h"

G_BEGIN_DECLS

/*
 * A scene is one flat array of marks, sorted, in units of time and of processes. Painting (diagram.h), the hit test and
 * the text of a tooltip read only this array. Along the axis of time a place is a position: nanoseconds, layers or
 * phase time. Across the axis it is a row: a process, in the order asked for.
 *
 * A scene is made from the part of the history that can be read in the time of a frame: every event of the span if they
 * are few, else summaries. Nothing in the span is left out: an event without its own mark is counted in a summary.
 */
typedef struct _LcScene LcScene;

/* The query for a scene. Everything that it points at must live as long as the scene. */
typedef struct
{
  guint32 timeline;
  guint32 beside;         /* physical time: a second timeline on the other half of each row, or LC_TRACE_NONE */
  const LcPhases *phases; /* of `timeline`; needed for phase time, else shown as limits if not NULL */
  guint64 from;           /* positions, up to before `to`; from == to: the whole run */
  guint64 to;             /* events that end at the run's last instant are included if `to` is that instant */
  LcSelection selection;
  const LcDeadlocks *deadlocks; /* of the history; NULL: the scene looks for them if it shows ranks that wait */
  guint length;                 /* pixels of the picture along the axis: no summary is shorter than one pixel */
  guint breadth;                /* pixels across: where rows are narrower than a pixel, a mark stands for several */
  gsize most_marks;             /* 0: the number that a frame has time for */
  gsize most_arcs;              /* 0: the number that a frame has time for */
} LcSceneQuery;

/* Sets everything to zero or none: the measured timeline, the whole run. */
void lc_scene_query_init (LcSceneQuery *query);

/*
 * NULL with LC_HISTORY_ERROR (UNKNOWN: no such timeline, process, object or event; a process asked for twice; a row
 * without a process, or a process without a row; a span that ends before it begins) or G_IO_ERROR_CANCELLED. The
 * history must outlive the scene.
 *
 * The whole run is from the first begin to the last end of the processes that are shown; where operations never ended,
 * a twentieth more. Of layers it is from 1 to after the last, of phase time from 0 to after the last position.
 *
 * With filters, and in phase time, there are no summaries in the history: they are made of all events in the span, some
 * 20 M of them in a second.
 */
LcScene *lc_scene_new (LcHistory *history, const LcSceneQuery *query, GCancellable *cancellable, GError **error);
void lc_scene_free (LcScene *scene);

/* Gives the span of the whole run, as in a scene whose query has no span, and where the run itself ends (`end`, may be
 * NULL). Takes some milliseconds for any size. Errors are as for lc_scene_new. */
gboolean lc_scene_find_whole (LcHistory *history, const LcSceneQuery *query, guint64 *from, guint64 *to, guint64 *end,
                              GCancellable *cancellable, GError **error);

/* --- Marks -------------------------------------------------------------------------------------------------------- */

/*
 * In the order in which they are painted. In discrete time (logical and phase time) an event has no length: `from` and
 * `to` are its position. A summary has what ends from `from` to before `to`; it is not cut at the edges of the span.
 *
 * Each nanosecond of a process that is shown is in one mark. Where there are summaries it is in one of them. Where
 * there are events, what is in none of them, between them, is in the process's LIFE: its `running`, within the span,
 * and all of its `holding`, which other marks of that level do not count (HOLDING has how long that object was held).
 * With filters only the time of events counts, and `holding` is 0.
 *
 * A row of several processes has summaries at any zoom, also where others have events; its LIFE is from the first of
 * their events to the last, and what never ended or is missing is one mark of each of them.
 */
typedef enum
{
  LC_MARK_LIFE,    /* a process, from its first event to its last one, as far as it is in the span */
  LC_MARK_GOING,   /* while a run is recorded: a process that has not ended, from its last event until now; in physical
                    * time. It stands for no time: what the process does is known when it comes to its next event */
  LC_MARK_HOLDING, /* it holds an object, as far as that is in the span; if there are too many, neighbours less than a
                    * pixel apart are one, perhaps of several objects (LC_TRACE_NONE) */
  LC_MARK_ABSENT,  /* it had no processor, or was blocked and nothing tells why, as far as that is in the span; what its
                    * life and its events count as well. Neighbours less than a pixel apart are one */
  LC_MARK_SUMMARY, /* stands for events that end in a part of the axis, and for all time within that part */
  LC_MARK_EVENT,   /* the whole event, even if only a part of it is in the span */
  LC_MARK_BOUNDS,  /* the range for the end of an event; only where events have their own marks */
  LC_MARK_PENDING, /* an operation that never ended: up to the end of the span */
  LC_MARK_LOST,    /* events are missing, nobody knows where; painted at the end of the process */
  LC_MARKS,
} LcMarkKind;

typedef enum
{
  LC_MARK_DIM = 1 << 0,      /* not highlighted */
  LC_MARK_CRITICAL = 1 << 1, /* on the critical path ... */
  LC_MARK_IN_PAST = 1 << 2,
  LC_MARK_IN_FUTURE = 1 << 3,
  LC_MARK_CHOSEN = 1 << 4, /* the event to which past and future belong */
  LC_MARK_MOVED = 1 << 5,  /* on another timeline: not at its measured place, relative to the event before it */
  LC_MARK_REORDERED = 1 << 6,
  LC_MARK_GAINED = 1 << 7,   /* waits longer than measured */
  LC_MARK_LESS = 1 << 8,     /* waits less than measured */
  LC_MARK_GROUP = 1 << 9,    /* a member of a barrier or of another group */
  LC_MARK_ENTERED = 1 << 10, /* ... which comes in at the end of the waiting: the rest of the event is on it */
} LcMarkFlags;

typedef struct
{
  guint64 from; /* positions; from <= to */
  guint64 to;
  guint64 released; /* event: end of its waiting, which began at `from` ... */
  guint64 went_on;  /* ... and of the time in which it was woken */
  guint64 ordinal;  /* of the event; summary: of the longest one in it */
  guint64 events;   /* events that it stands for; lost: missing events; 0: life, holding, bounds */
  guint64 running;  /* ns; event: the part that is none of the next four */
  guint64 waiting;
  guint64 woken;
  guint64 preempted;
  guint64 outside; /* with what is unseen */
  guint64 holding;
  guint64 exchange[LC_EXCHANGES]; /* of an MPI rank: within calls of each kind */
  guint32 row;
  guint32 n_rows;  /* 1; or more: the mark stands for several rows, from `row` on */
  guint32 process; /* of the row; with several processes: of the longest event, or (life, holding) the first */
  guint32 object;  /* or LC_TRACE_NONE */
  guint16 operation;
  guint16 flags;
  guint8 kind;
  guint8 track; /* 0: of `timeline`, 1: of `beside` */
  guint8 color; /* event: of the query's coloring, if it has one */
} LcMark;

/* Sorted by kind, track, row, from. They belong to the scene. */
const LcMark *lc_scene_get_marks (const LcScene *scene, gsize *n_marks);

/* The marks of one kind, track and row, or those of one kind on all tracks (row LC_TRACE_NONE). A mark of several rows
 * counts for the first of them. */
const LcMark *lc_scene_get_marks_of (const LcScene *scene, LcMarkKind kind, guint track, guint32 row, gsize *n_marks);

typedef enum
{
  LC_SCENE_ARC_DATA,
  LC_SCENE_ARC_ORDER,
  LC_SCENE_ARC_CRITICAL, /* the critical path: it stays on a process (from_row == to_row), or goes on to another; what
                          * is too short to be seen is left out */
  LC_SCENE_ARC_GROUP,    /* joins the members of a group, from the first row to the last, when all have come; members
                          * have no other arcs to each other */
  LC_SCENE_ARC_LINK,     /* the end of the same event, from track 0 to track 1; rarely to another row */
  LC_SCENE_ARC_BLOCKED,  /* from an operation that never ended to the process that still has what it waits for, at the
                          * end of the span; `from_ordinal` is no event's. All of them: in a deadlock they go round */
  LC_SCENE_ARCS,
} LcSceneArcKind;

typedef struct
{
  guint64 from; /* positions; in discrete time `to` may come before it */
  guint64 to;
  guint64 waited; /* data and order, ns: how long the event at its end waited for it, as far as that is known */
  guint64 from_ordinal;
  guint64 to_ordinal;
  guint32 from_row;
  guint32 to_row;
  guint32 from_process; /* of the events: a row may have several */
  guint32 to_process;
  guint32 object;
  guint16 rule; /* data and order: lc_history_get_rule */
  guint8 kind;
  guint8 track;  /* 0 */
  guint16 flags; /* LcMarkFlags */
} LcSceneArc;

/*
 * The arcs that are drawn, those of the longest waits first, then data before order, then the longest ones: at most
 * `most_arcs` each of data and order together, of groups, and of links, and all arcs of a chosen event. They are
 * between processes that are shown, and with filters between events that are shown. Where events have their own marks,
 * these are all arcs that end at such an event, those from it to one of the next 512 events of a process, and the 64
 * longest of the others; where there are summaries, those to the events that are the longest of their summaries and
 * waited, and the longest ones, 64 together. For rows of several processes, arcs to other rows are looked for as if the
 * events had marks, unless there are too many; arcs within such a row are not drawn.
 */
const LcSceneArc *lc_scene_get_arcs (const LcScene *scene, gsize *n_arcs);

/* Counts the arcs that are not drawn: counts[r * n_parts + k] of them cross the gap between row r and row r + 1 within
 * part k of the axis. NULL: there are none, or too many to be looked at (then `uncounted` is set). */
const guint32 *lc_scene_get_arc_density (const LcScene *scene, guint *n_parts, gboolean *uncounted);

/* The query and the history of a scene, and its size. */
const LcSceneQuery *lc_scene_get_query (const LcScene *scene); /* with the span that is shown */
LcHistory *lc_scene_get_history (const LcScene *scene);
guint32 lc_scene_get_n_rows (const LcScene *scene);
guint32 lc_scene_get_process (const LcScene *scene, guint32 row); /* the first one of the row */
gboolean lc_scene_is_summary (const LcScene *scene);              /* no event has its own mark */

/* The processes of a row. */
guint32 lc_scene_get_n_processes (const LcScene *scene, guint32 row);
guint32 lc_scene_get_process_at (const LcScene *scene, guint32 row, guint32 i);

/* The number of processes that a mark stands for. */
guint32 lc_scene_count_processes (const LcScene *scene, const LcMark *mark);

/* The name of a row: the name in the query, or the process's name, or "worker (6)" for several. Free with g_free. */
char *lc_scene_dup_row_name (const LcScene *scene, guint32 row);

/*
 * Sums over the first track. For the whole run they are exactly those of the history. For a part, events are cut at the
 * edges of the span, and counted where they end; summaries are added up as they are.
 */
typedef struct
{
  guint64 events;
  guint64 running;
  guint64 waiting;
  guint64 woken;
  guint64 preempted;
  guint64 outside;
  guint64 holding;
} LcSceneTotals;

void lc_scene_get_totals (const LcScene *scene, LcSceneTotals *totals);

/* --- Hit test ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  const LcMark *mark; /* NULL: an arc, or nothing */
  const LcSceneArc *arc;
} LcPick;

/*
 * What is at a place: `row` from 0 to the number of rows (2.5 is the middle of the third), `position` on the axis. The
 * topmost mark that contains it; else, within the margins (in rows and positions, which make an ellipse), the nearest
 * one, events before summaries, these before arcs, these before holding, this before life: what is behind all else is
 * found only where nothing else is near. With two tracks each has one half of the row. In discrete time a position is
 * the middle of what it takes up. FALSE: there is nothing.
 */
gboolean lc_scene_pick (const LcScene *scene, double row, double position, double row_margin, double position_margin,
                        LcPick *pick);

/* The text of a tooltip: some lines, the first one as a title. Free with g_free. */
char *lc_scene_dup_text (const LcScene *scene, const LcPick *pick);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcScene, lc_scene_free)

G_END_DECLS

#endif
