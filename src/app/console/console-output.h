/* SPDX-License-Identifier: Apache-2.0 */
/* What the console shows: text that can be selected, with links to events, objects and processes. */
#ifndef LC_APP_CONSOLE_OUTPUT_H
#define LC_APP_CONSOLE_OUTPUT_H

#include <gtk/gtk.h>

#include "app/session/session.h"

typedef enum
{
  LC_CONSOLE_TYPED,
  LC_CONSOLE_OUTPUT,
  LC_CONSOLE_ERROR,
  LC_CONSOLE_REMARK,
} LcConsoleKind;

/* Prepares a view that cannot be edited; a click, or Return at the cursor, follows a link. */
void lc_console_output_init (GtkTextView *view, LcSession *session);

void lc_console_output_add (GtkTextView *view, LcConsoleKind kind, const char *text);

/* Adds a link: `text` is the numbers of what it leads to, and on the next line what is shown. */
void lc_console_output_add_link (GtkTextView *view, const char *kind, const char *text);

/* Begins a new line unless one has just begun. */
void lc_console_output_end_line (GtkTextView *view);
void lc_console_output_clear (GtkTextView *view);

#endif
