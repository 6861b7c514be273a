/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a query: completion of names, and queries from before. */
#ifndef LC_APP_SQL_EDITOR_H
#define LC_APP_SQL_EDITOR_H

#include <gtk/gtk.h>

/* Signals of the editor: `run` (LcSqlEditor *), `stop` (LcSqlEditor *), and `words` (LcSqlEditor *, const char *text)
 * with the words that could be meant. */
#define LC_TYPE_SQL_EDITOR (lc_sql_editor_get_type ())
G_DECLARE_FINAL_TYPE (LcSqlEditor, lc_sql_editor, LC, SQL_EDITOR, GtkWidget)

char *lc_sql_editor_dup_text (LcSqlEditor *editor);
void lc_sql_editor_set_text (LcSqlEditor *editor, const char *text);

/* Moves the cursor to a place, in characters. */
void lc_sql_editor_go_to (LcSqlEditor *editor, gint place);

/* Keeps a query that is run for later. */
void lc_sql_editor_keep (LcSqlEditor *editor, const char *text);

/* Sets the words that are completed, sorted. Takes ownership. */
void lc_sql_editor_set_words (LcSqlEditor *editor, char **words);

#endif
