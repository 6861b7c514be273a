/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the functions, files and lines of a trace's sites, and names for its objects and processes. */
#ifndef LIGHTCONE_WHERE_H
#define LIGHTCONE_WHERE_H

#include <gio/gio.h>

#include "lightcone/trace.h"

G_BEGIN_DECLS

/*
 * Debugging information is read from the modules' own files, and from separate files of it that a build-id or a link
 * names. A file that has another build-id than the trace says is another version, and is not read. Whatever the files
 * hold, the result is as good as they are: a site without debugging information has the symbol before it, or
 * only module and offset.
 */

/* A place in the source: one frame of a stack. */
typedef struct
{
  const char *function; /* demangled; NULL: not known */
  const char *file;     /* as the compiler wrote it, from its directory on; NULL: not known */
  guint32 line;         /* 0: not known */
  guint32 module;       /* of the trace, or LC_TRACE_NONE */
  guint64 offset;
  gboolean is_library; /* of a language's or the system's library: not what the program's author wrote */
} LcWhereSite;

/*
 * A frame and the one that called it. The first lc_trace_get_n_stacks of them are the stacks of the trace, with the
 * same numbers; each is the innermost of the functions that the compiler had put into one another at its site. Those
 * around it follow with higher numbers.
 */
typedef struct
{
  guint32 site;
  guint32 parent; /* or LC_TRACE_NONE */
  guint32 own;    /* the site to show: of the innermost frame, from here outwards, that is not a library's */
  enum lc_site_kind kind;
} LcWhereStack;

/* A module of which something is not known. */
typedef struct
{
  guint32 module;
  const char *problem; /* a sentence: what is missing, and what would mend it */
} LcWhereProblem;

typedef struct
{
  GArray *sites;          /* LcWhereSite */
  GArray *stacks;         /* LcWhereStack */
  GArray *problems;       /* LcWhereProblem, at most one for each module that sites are in */
  const char **objects;   /* for each object of the trace: a name made of where it is, or NULL */
  guint32 *places;        /* for each object: the site that its name is made of; LC_TRACE_NONE: of none */
  guint32 *order;         /* all objects, as those of one name are numbered; NULL: as in the trace */
  gboolean is_unread;     /* a file could not be read this time: another time more may be known */
  const char **processes; /* for each process of the trace: the function that it runs, or NULL */
  const char **given;     /* for each process of the trace: a name that comes before all others, or NULL */
  GStringChunk *strings;
} LcWhere;

/* NULL with G_IO_ERROR_CANCELLED only. `debug_directory` NULL: the system's. The trace is only read. */
LcWhere *lc_where_new (LcTrace *trace, const char *debug_directory, GCancellable *cancellable, GError **error);
/* What was found before in files that are not what they were. The texts must outlive the call. */
typedef struct
{
  gpointer data;
  gboolean (*has_module) (gpointer data, const char *path, const char *build_id);
  /* Sets functions, files and lines at a site of the trace, the innermost first, and returns their number. */
  guint (*get_frames) (gpointer data, guint32 site, LcWhereSite *frames, guint most);
  const char *(*get_object) (gpointer data, guint32 object); /* the name of a variable, or NULL */
} LcWhereBefore;

/* The same, but of files that are gone or of another version, what `before` (or NULL) knows. */
LcWhere *lc_where_new_after (LcTrace *trace, const char *debug_directory, const LcWhereBefore *before,
                             GCancellable *cancellable, GError **error);

void lc_where_free (LcWhere *where);

/* The function that a stack (or LC_TRACE_NONE) began in, without those of libraries; or NULL. */
const char *lc_where_get_outermost_function (const LcWhere *where, guint32 stack);

/* Names the trace's processes and objects as a history does. Nobody else may use the trace meanwhile. */
void lc_where_name_trace (const LcWhere *where, LcTrace *trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcWhere, lc_where_free)

G_END_DECLS

#endif
