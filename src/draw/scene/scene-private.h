/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the parts of the scene's layout: the scene, and the state while it is laid out. */
#ifndef LC_DRAW_SCENE_PRIVATE_H
#define LC_DRAW_SCENE_PRIVATE_H

#include "history/names.h"
#include "lightcone/scene.h"

enum
{
  LC_SCENE_TRACKS = 2,
  LC_SCENE_LONGEST = 48,
};

struct _LcScene
{
  LcHistory *history;
  LcHistory *snapshot; /* of the history: all that the scene shows and tells is from one state of the file */
  LcSceneQuery query;
  guint32 n_rows;
  guint32 group; /* number of rows that one mark stands for */
  gboolean is_summary;
  gboolean projected; /* the axis is none of the history's (morph.c) */
  LcMark *marks;      /* sorted */
  gsize n_marks;
  gsize kinds[LC_MARKS + 1]; /* index of the first mark of each kind */
  GArray *arcs;              /* LcSceneArc, longest first */
  guint32 *density;          /* may be NULL */
  guint n_parts;
  gboolean uncounted;
  LcSceneTotals totals;
  LcNames *names;
};

/*
 * A member is a process that is shown, numbered in the order asked for. Most rows have one member; rows with several
 * are collapsed, and have summaries instead of events.
 */
typedef enum
{
  LC_ROWS_ALL,
  LC_ROWS_SINGLE,
  LC_ROWS_COLLAPSED,
} LcSceneRows;

/* A member on one timeline. */
typedef struct
{
  guint64 begin; /* ns */
  guint64 end;
  guint64 events;
  gsize first; /* index of its first event in the track's events */
  gsize n;     /* number of its events there */
} LcSceneMember;

typedef struct
{
  guint32 timeline;
  gboolean own; /* the timeline has an order of its own */
  LcSceneMember *members;
  GArray *events;     /* LcHistoryEvent by row and ordinal, all that touch the span; NULL: they are too many */
  guint64 *places;    /* discrete time: the place of each event; NULL: physical time */
  LcWindowPlan *plan; /* lc_scene_plan; its processes are the members */
} LcSceneTrack;

/* An event that is the longest one of its summary: a candidate for the waits whose arcs are shown. */
typedef struct
{
  guint64 length;
  guint64 ordinal;
  guint32 process;
} LcSceneLongest;

typedef struct
{
  LcScene *scene;
  LcHistory *history;        /* the scene's snapshot */
  const LcSceneQuery *query; /* the scene's own; its span is what is shown */
  GCancellable *cancellable;
  guint32 n_rows;
  guint32 n_members;
  guint32 *rows;    /* by process: row, or LC_TRACE_NONE */
  guint32 *members; /* by process: member, or LC_TRACE_NONE */
  guint32 *singles; /* members that have a row of their own; NULL: all have */
  guint32 n_singles;
  guint64 before;    /* the first position after the span */
  guint64 time_from; /* ns: about the same part of the run, used where the history is searched by time */
  guint64 time_to;
  guint64 pixel;  /* positions per pixel; at least 1 */
  guint64 run_to; /* end of the run on the axis */
  gsize most_events;
  gsize most_summaries;
  gsize most_arcs;
  LcFiltering filtering;
  guint8 *exchanges; /* by operation: its kind in an MPI rank; found when the first is asked for */
  guint n_tracks;
  LcSceneTrack tracks[LC_SCENE_TRACKS];
  GArray *marks;                            /* LcMark */
  GArray *arcs;                             /* LcSceneArc */
  LcSceneLongest longest[LC_SCENE_LONGEST]; /* on the first track, the longest one first */
  guint n_longest;
} LcSceneLayout;

static inline gboolean
lc_scene_is_physical (const LcSceneQuery *query)
{
  return query->selection.time == LC_SCENE_PHYSICAL;
}

static inline guint32
lc_scene_process_of (const LcSceneLayout *layout, guint32 member)
{
  return layout->query->selection.processes != NULL ? layout->query->selection.processes[member] : member;
}

/* The first member of a row; of the row after the last one, the number of members. */
static inline guint32
lc_scene_first_of (const LcSceneQuery *query, guint32 row)
{
  return query->selection.row_ends == NULL || row == 0 ? row : query->selection.row_ends[row - 1];
}

static inline gboolean
lc_scene_is_single (const LcSceneQuery *query, guint32 row)
{
  return lc_scene_first_of (query, row + 1) - lc_scene_first_of (query, row) == 1;
}

static inline gboolean
lc_scene_is_among (const LcSceneQuery *query, guint32 row, LcSceneRows rows)
{
  return rows == LC_ROWS_ALL || lc_scene_is_single (query, row) == (rows == LC_ROWS_SINGLE);
}

static inline guint32
lc_scene_row_of (const LcSceneLayout *layout, guint32 member)
{
  return layout->query->selection.row_ends == NULL ? member : layout->rows[lc_scene_process_of (layout, member)];
}

/* Whether the events of a row are marks of their own. */
static inline gboolean
lc_scene_has_events (const LcSceneLayout *layout, guint32 row)
{
  return layout->tracks[0].events != NULL && lc_scene_is_single (layout->query, row);
}

static inline gboolean
lc_scene_is_filtered (const LcSceneLayout *layout)
{
  return layout->filtering.n_tests > 0;
}

/* Whether the filters let an event through. */
static inline gboolean
lc_scene_wants (const LcSceneLayout *layout, const LcHistoryEvent *event)
{
  return lc_filtering_has (&layout->filtering, event);
}

static inline const LcHistoryEvent *
lc_scene_events_of (const LcSceneTrack *track, guint32 member)
{
  return &g_array_index (track->events, LcHistoryEvent, 0) + track->members[member].first;
}

/* All time of a mark. */
static inline guint64
lc_mark_get_time (const LcMark *mark)
{
  return mark->running + mark->waiting + mark->woken + mark->preempted + mark->outside;
}

/* When an event was released, when it went on, and what it did instead of running from then on. */
typedef struct
{
  guint64 released, went_on;
  guint64 preempted, outside;
} LcSceneStates;

LcSceneStates lc_scene_get_states (const LcHistoryEvent *event);

/* The kind of an event of an MPI rank, or LC_EXCHANGE_NONE. */
guint lc_scene_find_exchange (LcSceneLayout *layout, const LcHistoryEvent *event);

/* The length of the part of a span that is shown. */
static inline guint64
lc_scene_overlap (const LcSceneLayout *layout, guint64 from, guint64 to)
{
  guint64 first = MAX (from, layout->query->from), last = MIN (to, layout->query->to);

  return last > first ? last - first : 0;
}

static inline void
lc_scene_add_to_totals (LcScene *scene, const LcMark *mark)
{
  scene->totals.events += mark->events;
  scene->totals.running += mark->running;
  scene->totals.waiting += mark->waiting;
  scene->totals.woken += mark->woken;
  scene->totals.preempted += mark->preempted;
  scene->totals.outside += mark->outside;
  scene->totals.holding += mark->holding;
}

/* --- Events (scene-gather.c) --------------------------------------------------------------------------------- */

/* Sets `events` and `places` of all tracks, or of none if there are too many events. */
gboolean lc_scene_gather (LcSceneLayout *layout, GError **error);

/* Gives the window of a track on the history's axes, of which phase time is none. */
LcWindow lc_scene_get_window (const LcSceneLayout *layout, const LcSceneTrack *track);

/* Gives the plan of a track's window, which is made when it is first asked for and kept until everything is laid out.
 * NULL: an error. */
LcWindowPlan *lc_scene_plan (LcSceneLayout *layout, LcSceneTrack *track, GError **error);

/* Guesses how many events of a member touch the span, as if they were spread evenly over its time, or over the axis.
 * Enough to choose how much to read; what is shown never depends on more than that. */
double lc_scene_guess_events (const LcSceneLayout *layout, const LcSceneTrack *track, guint32 member);

/* Visits the events of some rows that can be in the span, in phase time or with filters, by process and ordinal. Some
 * events of a process before and after the span may be visited too. `member` is set for each visit. */
gboolean lc_scene_visit (LcSceneLayout *layout, const LcSceneTrack *track, LcSceneRows rows, guint32 *member,
                         LcHistoryVisit visit, gpointer data, GError **error);

/* Finds which events of a member can be in the span: from `first` to before `last`. */
gboolean lc_scene_find_range (const LcSceneLayout *layout, const LcSceneTrack *track, guint32 member, guint64 *first,
                              guint64 *last, GError **error);

/* Gives the place of an event in discrete time. `phase` is a hint, and is updated. */
guint64 lc_scene_place_of (const LcSceneLayout *layout, const LcHistoryEvent *event, guint32 *phase);

/* Whether an event is in the span. `phase` is a hint, and is updated. */
gboolean lc_scene_is_inside (const LcSceneLayout *layout, const LcHistoryEvent *event, guint32 *phase);

/* Finds an event that is shown on a track, or NULL. */
const LcHistoryEvent *lc_scene_find_event (const LcSceneLayout *layout, const LcSceneTrack *track, guint32 process,
                                           guint64 ordinal);

/* Gives the place of a point of an event on the first track; `walk` looks it up if the event is not in memory. */
gboolean lc_scene_place_point (const LcSceneLayout *layout, LcHistoryWalk *walk, guint32 process, guint64 ordinal,
                               LcPoint point, guint64 *place, GError **error);

/* --- Marks --------------------------------------------------------------------------------------------------- */

/* Events, their movements, their bounds, and links between tracks (scene-events.c, scene-beside.c). */
gboolean lc_scene_add_events (LcSceneLayout *layout, GError **error);
gboolean lc_scene_add_bounds (LcSceneLayout *layout, GError **error);
void lc_scene_add_links (LcSceneLayout *layout);
gboolean lc_scene_flag_moved (LcSceneLayout *layout, const LcSceneTrack *track, LcMark *marks, GError **error);

/* Summaries of some rows of a track, either from the history's own summaries (scene-summary.c) or event by event
 * (scene-bins.c). */
gboolean lc_scene_add_summaries (LcSceneLayout *layout, guint track, LcSceneRows rows, GError **error);
gboolean lc_scene_add_bins (LcSceneLayout *layout, guint track, LcSceneRows rows, GError **error);

/* Chooses the finest level whose buckets (1 << level) in these rows are few enough. `evenly`: all rows have the same
 * number of buckets. */
guint lc_scene_choose_level (const LcSceneLayout *layout, LcSceneRows rows, gboolean evenly);

/* Processes, what they hold, what they had not ended, and missing events (scene-lives.c). Lives must be added before
 * other marks of processes, since they take the time that no event has. */
gboolean lc_scene_add_lives (LcSceneLayout *layout, GError **error);

/* --- Arcs (scene-arcs.c, scene-groups.c, scene-density.c) ----------------------------------------------------------
 */

/* `joined` is set to a new array of LcHistoryEvent: members of groups in collapsed rows. */
gboolean lc_scene_add_arcs (LcSceneLayout *layout, GArray **joined, GError **error);
gboolean lc_scene_add_few_arcs (LcSceneLayout *layout, GError **error); /* where there are only summaries */
gboolean lc_scene_add_groups (LcSceneLayout *layout, GArray *joined, GError **error);

/* Adds arcs from pending marks to the processes that block them (scene-blocked.c). */
gboolean lc_scene_add_blocked (LcSceneLayout *layout, GError **error);

/* Keeps the arcs that there is room for, and counts the others. */
void lc_scene_choose_arcs (LcSceneLayout *layout);

/* --- Highlights (scene-highlight.c, scene-path.c) ----------------------------------------------------------------- */

/* Marks must be sorted before. */
gboolean lc_scene_highlight (LcSceneLayout *layout, GError **error);
gboolean lc_scene_highlight_path (LcSceneLayout *layout, GError **error);

/* Gives the marks of a kind and a row, to be changed. */
LcMark *lc_scene_get_row_marks (LcScene *scene, LcMarkKind kind, guint track, guint32 row, gsize *n_marks);

#endif
