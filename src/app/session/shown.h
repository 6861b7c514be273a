/* SPDX-License-Identifier: Apache-2.0 */
/* What is shown: every choice of the user that decides what a picture contains, but for the part that is in view. */
#ifndef LC_APP_SHOWN_H
#define LC_APP_SHOWN_H

#include "app/session/kept.h"
#include "app/session/opened.h"
#include "lightcone/picture.h"

/*
 * Once the session shows it, it is never changed: a change is a copy with something else in it. So a thread that paints
 * holds one and needs no lock, and a step back is the one before.
 */
typedef struct
{
  LcOpened *opened;
  LcSceneTime time;
  LcOrientation orientation;
  guint32 timeline;
  guint32 beside; /* or LC_TRACE_NONE, as the two below */
  guint32 lowest;
  guint32 highest;

  guint32 *processes; /* in the order of the rows; never NULL; perhaps none */
  guint32 n_processes;
  guint32 *row_ends; /* see LcSceneQuery; NULL: no group is collapsed */
  guint32 n_row_ends;

  gboolean *operations; /* by number; NULL: all */
  guint32 *objects;     /* NULL: all */
  guint32 n_objects;
  LcInside *inside;   /* NULL: all */
  guint64 least_wait; /* ns; 0: all */
  gboolean hide_holding;
  gboolean hide_arcs;

  LcHighlightKind highlight;
  guint32 highlight_process; /* of a past or a future; as measured */
  guint64 highlight_ordinal;

  /* What was found for these choices, or NULL. */
  LcKept *phases; /* LcPhases, of `timeline` */
  LcKept *path;   /* LcCriticalPath, of `timeline` */
  LcKept *past;   /* guint64 for each process */
  LcKept *future;
} LcShown;

/* Everything that there is, as it was measured. */
LcShown *lc_shown_new (LcOpened *opened);

/* A copy, to be changed before it is shown. */
LcShown *lc_shown_copy (const LcShown *shown);
LcShown *lc_shown_ref (LcShown *shown);
void lc_shown_unref (LcShown *shown);

/* To be used before it is shown; they copy what they are given. NULL: all. */
void lc_shown_set_processes (LcShown *shown, const guint32 *processes, guint32 n_processes);

/* Shows those that are hidden of so many processes, each behind the one before it in number; each has its own row. */
void lc_shown_add_processes (LcShown *shown, guint32 first, guint32 n_processes);
void lc_shown_set_row_ends (LcShown *shown, const guint32 *row_ends, guint32 n_row_ends);
void lc_shown_set_operations (LcShown *shown, const gboolean *operations);
void lc_shown_set_objects (LcShown *shown, const guint32 *objects, guint32 n_objects);

/* Regions are objects. None of both: all events. */
void lc_shown_set_inside (LcShown *shown, const guint32 *regions, guint32 n_regions, const gint64 *tags,
                          guint32 n_tags);

/* Takes `kept` (or NULL), in place of what is there: lc_shown_set_kept (&shown->phases, ...). */
void lc_shown_set_kept (LcKept **place, LcKept *kept);

guint32 lc_shown_get_n_rows (const LcShown *shown);

/* The row that a process is in, or LC_TRACE_NONE: it is hidden. */
guint32 lc_shown_find_row (const LcShown *shown, guint32 process);

/* The first of the processes of a row, and how many they are. */
const guint32 *lc_shown_get_row (const LcShown *shown, guint32 row, guint32 *n_processes);

/* What the scene is asked for, and what a picture is made of: span, sizes, theme are as their init functions leave
 * them. They point into `shown`. */
void lc_shown_fill_query (const LcShown *shown, LcSceneQuery *query);

/* `timelines` is where the numbers of its timelines go, 2 of them. */
void lc_shown_fill_options (const LcShown *shown, LcPictureOptions *options, guint32 *timelines);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcShown, lc_shown_unref)

#endif
