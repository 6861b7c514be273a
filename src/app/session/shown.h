/* SPDX-License-Identifier: Apache-2.0 */
/* The user's choices of what a picture contains, without the part in view. */
#ifndef LC_APP_SHOWN_H
#define LC_APP_SHOWN_H

#include "app/session/kept.h"
#include "app/session/opened.h"
#include "lightcone/picture.h"

/*
 * An LcShown never changes once the session shows it: a change is a modified copy. So a painting thread holds a
 * reference and needs no lock, and a step back shows the previous LcShown.
 */
typedef struct
{
  LcOpened *opened;
  LcOrientation orientation;
  guint32 timeline;
  guint32 beside; /* or LC_TRACE_NONE */

  /* Owned. Its processes are never NULL, but may be none; its highlight has no results, which are below. */
  LcSelection selection;

  LcKept *marks;       /* LcMarks; NULL: not read yet */
  char **hidden_marks; /* names of marks that are left out; NULL: none */

  /* Results found for these choices; NULL: not found yet, or not asked for. */
  LcKept *phases; /* LcPhases, of `timeline` */
  LcKept *path;   /* LcCriticalPath, of `timeline` */
  LcKept *past;   /* guint64 for each process */
  LcKept *future;
} LcShown;

/* Shows everything, as it was measured. */
LcShown *lc_shown_new (LcOpened *opened);

/* Makes a copy that may be changed until it is shown. */
LcShown *lc_shown_copy (const LcShown *shown);
LcShown *lc_shown_ref (LcShown *shown);
void lc_shown_unref (LcShown *shown);

/* Setters for a copy that is not shown yet. They copy their arguments; NULL: all. */
void lc_shown_set_processes (LcShown *shown, const guint32 *processes, guint32 n_processes);

/* Shows the hidden ones of `n_processes` processes, each after its predecessor by number; groups are expanded. */
void lc_shown_add_processes (LcShown *shown, guint32 first, guint32 n_processes);
void lc_shown_set_row_ends (LcShown *shown, const guint32 *row_ends, guint32 n_row_ends);
void lc_shown_set_operations (LcShown *shown, const gboolean *operations);
void lc_shown_set_objects (LcShown *shown, const guint32 *objects, guint32 n_objects);

/* `regions` are numbers of objects. Without regions and tags, all events are shown. */
void lc_shown_set_inside (LcShown *shown, const guint32 *regions, guint32 n_regions, const gint64 *tags,
                          guint32 n_tags);

/* `place` is as lc_called_new takes it; NULL, or a place where nothing is called: all events are shown. */
void lc_shown_set_called (LcShown *shown, const char *place);

/* Shows only events that could have ended at most so much later; not set: whatever their slack is. */
void lc_shown_set_slack (LcShown *shown, gboolean is_set, guint64 most);

/* Colours events by the function that called them, or all alike. */
void lc_shown_set_colored (LcShown *shown, gboolean colored);

/* `names` are those of marks that are left out. */
void lc_shown_set_hidden_marks (LcShown *shown, const char *const *names);

/* Replaces a result by `kept` (or NULL) and takes ownership: lc_shown_set_kept (&shown->phases, ...). */
void lc_shown_set_kept (LcKept **place, LcKept *kept);

guint32 lc_shown_get_n_rows (const LcShown *shown);

/* Returns the row of a process, or LC_TRACE_NONE if it is hidden. */
guint32 lc_shown_find_row (const LcShown *shown, guint32 process);

/* Returns a new array with the row of each process, or LC_TRACE_NONE. */
guint32 *lc_shown_list_rows (const LcShown *shown);

/* Returns the first process of a row, and their number. */
const guint32 *lc_shown_get_row (const LcShown *shown, guint32 row, guint32 *n_processes);

/* Returns the style in which the user wants all diagrams, which is no choice of one history. For the main thread. */
LcDiagramStyle lc_shown_get_style (void);

/* Fill in a request to the scene, or the options of a picture. Span, sizes and theme keep their initial values. Both
 * point into `shown`. */
void lc_shown_fill_query (const LcShown *shown, LcSceneQuery *query);

/* Makes a copy that is not shown yet have the choices of such options; their selection, which owns, is empty then. */
void lc_shown_take_options (LcShown *shown, LcPictureOptions *options);

/* `timelines` is room for two timeline numbers, which the options point to. */
void lc_shown_fill_options (const LcShown *shown, LcPictureOptions *options, guint32 *timelines);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcShown, lc_shown_unref)

#endif
