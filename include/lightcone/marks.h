/* SPDX-License-Identifier: Apache-2.0 */
/* Marks and annotations: what users have named in a history. docs/scripting.md explains them. */
#ifndef LIGHTCONE_MARKS_H
#define LIGHTCONE_MARKS_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/*
 * Marks lie in a file beside the history, because a history can be made again from its trace at any time. Events keep
 * their process and ordinal then, so the marks stay good. Times are those of the measured timeline.
 */

typedef struct
{
  const char *name; /* lives as long as the marks */
  guint32 process;
  gboolean is_span;
  guint64 begin; /* of a span, ns; of an event its ordinal */
  guint64 end;   /* of a span, ns; of an event its ordinal */
} LcUserMark;

typedef struct
{
  guint32 process;
  guint64 ordinal;
  const char *text; /* lives as long as the marks */
} LcAnnotation;

typedef struct
{
  GArray *marks;       /* LcUserMark, by name, process, event before span, begin and end; each once */
  GArray *annotations; /* LcAnnotation, by process and ordinal; one for each event */
  GStringChunk *texts;
} LcMarks;

/* Bytes of a name and of a text, and the number of marks and of annotations, at most. */
#define LC_MARKS_LONGEST_NAME 200
#define LC_MARKS_LONGEST_TEXT 65536
#define LC_MARKS_MOST 1000000

/* Reads the marks beside the history file at this path; without a file there are none. Errors are LC_HISTORY_ERROR
 * (damaged; version) or G_IO_ERROR, and their messages begin with the file's path. */
LcMarks *lc_marks_read (const char *history_path, GError **error);
void lc_marks_free (LcMarks *marks);

/* FALSE with LC_HISTORY_ERROR_UNKNOWN if the history has no such process, or no such event. */
gboolean lc_marks_check_place (const LcHistory *history, const LcUserMark *mark, GError **error);

/* Changes the marks in memory. FALSE (G_IO_ERROR_INVALID_ARGUMENT) if the name or text is empty, too long or not in
 * UTF-8, or the span is not one. The strings are copied. What was added is in its place after lc_marks_settle, which
 * lc_marks_change calls. */
gboolean lc_marks_add (LcMarks *marks, const LcUserMark *mark, GError **error);
gboolean lc_marks_annotate (LcMarks *marks, const LcAnnotation *annotation, GError **error); /* text NULL: removes it */

/* Puts marks that were added into their order, and each is there once. FALSE: there are too many. */
gboolean lc_marks_settle (LcMarks *marks, GError **error);

/* Removes the marks that are equal to one of the patterns, which are put into order, and returns their number. A NULL
 * name stands for any name, and the process LC_TRACE_NONE for any event or span. All patterns have the same name. */
guint lc_marks_remove (LcMarks *marks, LcUserMark *patterns, gsize n_patterns);

typedef gboolean (*LcMarksChange) (LcMarks *marks, gpointer data, GError **error);

/* Reads the marks, has them changed, and puts the new file into the place of the old one. Other programs that change
 * the marks, or the history, are waited for: some seconds, then G_IO_ERROR_BUSY. */
gboolean lc_marks_change (const char *history_path, LcMarksChange change, gpointer data, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcMarks, lc_marks_free)

G_END_DECLS

#endif
