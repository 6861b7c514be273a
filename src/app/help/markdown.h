/* SPDX-License-Identifier: Apache-2.0 */
/* A parser for the Markdown of the manual: blocks, with Pango markup for the text within them. */
#ifndef LC_APP_MARKDOWN_H
#define LC_APP_MARKDOWN_H

#include <glib.h>

typedef enum
{
  LC_BLOCK_HEADING,
  LC_BLOCK_PARAGRAPH,
  LC_BLOCK_ITEM, /* of a list */
  LC_BLOCK_CODE, /* verbatim */
  LC_BLOCK_IMAGE,
  LC_BLOCK_ROW, /* of a table, with its cells in `cells` */
} LcBlockKind;

typedef struct
{
  LcBlockKind kind;
  guint level;      /* heading: 1 is the highest; item: its depth from 0; row: 0 is the head of the table */
  char *text;       /* Pango markup; code and image: plain text (the image's alternative) */
  char *target;     /* image: its file; item: its number and a dot, or NULL; else NULL */
  GPtrArray *cells; /* char *, Pango markup; or NULL */
} LcBlock;

/* Returns LcBlock in a new array. Every text is accepted: unknown syntax becomes paragraphs. */
GPtrArray *lc_markdown_parse (const char *text);

/* Converts a line with `code`, **strong**, *emphasis* and [text](target) to Pango markup. Free with g_free. */
char *lc_markdown_to_markup (const char *text, gsize length);

/* Returns the anchor of a heading: "find-an-event" for "Find an event". Free with g_free. */
char *lc_markdown_dup_anchor (const char *heading);

#endif
