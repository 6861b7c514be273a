/* SPDX-License-Identifier: Apache-2.0 */
/* Where in the source an event was called: the frames of its stack, with lines of their files. Made in a thread. */
#ifndef LC_APP_EVENT_PLACE_H
#define LC_APP_EVENT_PLACE_H

#include "app/inspect/source-lines.h"
#include "history/names.h"

typedef struct
{
  char *text;            /* "put() pipe.cpp:7", to show */
  char *function;        /* to show; if not known, the same as `text` */
  char *where;           /* "pipe.cpp:7", or the module; to show; or NULL */
  char *path;            /* of the source file as the compiler wrote it, or of the module; to show; or NULL */
  char *place;           /* the function or the line, as lc_called_new takes it, UTF-8 */
  LcSourceLines *source; /* NULL: the file is not here */
  gboolean is_library;
} LcFrame;

/* Never changes once it is made. */
typedef struct
{
  GPtrArray *frames; /* LcFrame, the innermost first */
  guint own;         /* the frame to show: the innermost that is not a library's */
} LcEventPlace;

/* NULL: it is not known where. `trace_directory` NULL: without lines of files. */
LcEventPlace *lc_event_place_new (LcHistory *history, guint32 stack, const char *trace_directory);
LcEventPlace *lc_event_place_ref (LcEventPlace *place);
void lc_event_place_unref (LcEventPlace *place);

/* Adds the stack as lines of text. */
void lc_event_place_write (const LcEventPlace *place, GString *text);

/* Returns "put() pipe.cpp:7", to show, or NULL if it is not known where. Free with g_free. */
char *lc_event_place_dup_own (LcHistory *history, guint32 stack);

#endif
