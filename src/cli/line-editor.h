/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that are typed at a terminal: with editing, a history and completion if libedit is available. */
#ifndef LC_CLI_LINE_EDITOR_H
#define LC_CLI_LINE_EDITOR_H

#include <glib.h>

typedef struct
{
  const char *name; /* of the file of the history, in the user's folder for states */
  const char *(*get_prompt) (gpointer data);
  void (*get_ready) (gpointer data);     /* before each line, while SIGINT is blocked; or NULL */
  void (*drop) (gpointer data);          /* Ctrl-C: what has been typed counts no more */
  char **(*complete) (const char *text); /* names that begin with the text, to be freed with g_strfreev; or NULL */
  gboolean (*is_part) (char character);  /* whether a character belongs to a name, if there is `complete` */
  gpointer data;
} LcLineEditorUse;

/* There is one at a time. `use` must outlive it. */
typedef struct _LcLineEditor LcLineEditor;

LcLineEditor *lc_line_editor_new (const LcLineEditorUse *use);
void lc_line_editor_free (LcLineEditor *editor);

/* Gives the next line with its newline, until the next call; NULL: the end of the input. */
const char *lc_line_editor_read (LcLineEditor *editor);

/* To be called by the handler of SIGINT. If a line is being typed, it begins anew, and this perhaps does not return.
 * FALSE: none is. */
gboolean lc_line_editor_interrupt (void);

#endif
