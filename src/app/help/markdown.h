/* SPDX-License-Identifier: Apache-2.0 */
/* The manual's Markdown, as far as the manual uses it: blocks, and Pango markup within them. */
#ifndef LC_APP_MARKDOWN_H
#define LC_APP_MARKDOWN_H

#include <glib.h>

typedef enum
{
  LC_BLOCK_HEADING,
  LC_BLOCK_PARAGRAPH,
  LC_BLOCK_ITEM, /* of a list */
  LC_BLOCK_CODE, /* as it is */
  LC_BLOCK_IMAGE,
  LC_BLOCK_ROW, /* of a table; its cells are in `cells` */
} LcBlockKind;

typedef struct
{
  LcBlockKind kind;
  guint level;      /* heading: 1 is the highest; item: how deep, from 0; row: 0 is the head of the table */
  char *text;       /* Pango markup; code and image: plain text (the image's alternative) */
  char *target;     /* image: its file; item: its number and a dot, or NULL; else NULL */
  GPtrArray *cells; /* char *, Pango markup; or NULL */
} LcBlock;

/* LcBlock in a new array. Any text is fine: what is not understood is a paragraph. */
GPtrArray *lc_markdown_parse (const char *text);

/* One line as Pango markup: `code`, **strong**, *emphasis*, [text](target). Free with g_free. */
char *lc_markdown_to_markup (const char *text, gsize length);

/* How headings are linked to: "Find an event" is "find-an-event". Free with g_free. */
char *lc_markdown_dup_anchor (const char *heading);

#endif
