/* SPDX-License-Identifier: Apache-2.0 */
/* A parser for the Markdown of the manual: blocks, with Pango markup for the text within them. */
#include "app/help/markdown.h"

#include <string.h>

static void
free_block (gpointer data)
{
  LcBlock *block = data;

  g_free (block->text);
  g_free (block->target);
  g_clear_pointer (&block->cells, g_ptr_array_unref);
  g_free (block);
}

/* --- Within a line -------------------------------------------------------------------------------------------------
 */

static void
append_escaped (GString *markup, const char *text, gsize length)
{
  g_autofree char *escaped = g_markup_escape_text (text, (gssize)length);

  g_string_append (markup, escaped);
}

/* Returns the length of the text between two equal marks; 0: `text` does not begin with such a pair. */
static gsize
find_closing (const char *text, gsize length, const char *mark)
{
  gsize width = strlen (mark);

  if (length < 2 * width + 1 || strncmp (text, mark, width) != 0 || g_ascii_isspace (text[width]))
    return 0;
  for (gsize i = width + 1; i + width <= length; i++)
    if (strncmp (text + i, mark, width) == 0 && (width > 1 || i + 1 == length || text[i + 1] != *mark))
      return i - width;
  return 0;
}

static gsize
append_marked (GString *markup, const char *text, gsize length, const char *mark, const char *element)
{
  gsize inside = find_closing (text, length, mark), width = strlen (mark);
  g_autofree char *content = NULL;

  if (inside == 0)
    return 0;
  g_string_append_printf (markup, "<%s>", element);
  if (*mark == '`')
    append_escaped (markup, text + width, inside);
  else
    {
      content = lc_markdown_to_markup (text + width, inside);
      g_string_append (markup, content);
    }
  g_string_append_printf (markup, "</%s>", element);
  return inside + 2 * width;
}

/* Appends a link [text](target). */
static gsize
append_link (GString *markup, const char *text, gsize length)
{
  const char *middle = g_strstr_len (text, (gssize)length, "](");
  const char *end = middle != NULL ? memchr (middle, ')', length - (gsize)(middle - text)) : NULL;
  g_autofree char *content = NULL, *target = NULL;

  if (*text != '[' || end == NULL || memchr (text, '\n', (gsize)(end - text)) != NULL)
    return 0;
  content = lc_markdown_to_markup (text + 1, (gsize)(middle - text) - 1);
  target = g_markup_escape_text (middle + 2, end - middle - 2);
  g_string_append_printf (markup, "<a href=\"%s\">%s</a>", target, content);
  return (gsize)(end - text) + 1;
}

char *
lc_markdown_to_markup (const char *text, gsize length)
{
  GString *markup = g_string_new (NULL);

  for (gsize i = 0; i < length;)
    {
      gsize taken = append_marked (markup, text + i, length - i, "`", "tt");

      if (taken == 0)
        taken = append_marked (markup, text + i, length - i, "**", "b");
      if (taken == 0)
        taken = append_marked (markup, text + i, length - i, "*", "i");
      if (taken == 0)
        taken = append_link (markup, text + i, length - i);
      if (taken == 0)
        {
          taken = (gsize)(g_utf8_next_char (text + i) - (text + i));
          taken = MIN (taken, length - i);
          append_escaped (markup, text + i, taken);
        }
      i += taken;
    }
  return g_string_free (markup, FALSE);
}

char *
lc_markdown_dup_anchor (const char *heading)
{
  GString *anchor = g_string_new (NULL);

  for (const char *at = heading; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar letter = g_unichar_tolower (g_utf8_get_char (at));

      if (g_unichar_isalnum (letter) || letter == '-' || letter == '_')
        g_string_append_unichar (anchor, letter);
      else if (letter == ' ')
        g_string_append_c (anchor, '-');
    }
  return g_string_free (anchor, FALSE);
}

/* --- Blocks --------------------------------------------------------------------------------------------------------
 */

typedef struct
{
  GPtrArray *blocks;
  GString *pending; /* text of a paragraph or item that may continue in the next line */
  LcBlock *open;    /* block of the pending text; NULL: none */
} Parser;

static LcBlock *
markdown_add_block (Parser *parser, LcBlockKind kind, guint level)
{
  LcBlock *block = g_new0 (LcBlock, 1);

  block->kind = kind;
  block->level = level;
  g_ptr_array_add (parser->blocks, block);
  return block;
}

static void
close_block (Parser *parser)
{
  if (parser->open != NULL)
    parser->open->text = lc_markdown_to_markup (parser->pending->str, parser->pending->len);
  parser->open = NULL;
  g_string_truncate (parser->pending, 0);
}

static void
open_block (Parser *parser, LcBlockKind kind, guint level, const char *text)
{
  close_block (parser);
  parser->open = markdown_add_block (parser, kind, level);
  g_string_append (parser->pending, text);
}

static gboolean
parse_heading (Parser *parser, const char *line)
{
  guint level = (guint)strspn (line, "#");

  if (level == 0 || line[level] != ' ')
    return FALSE;
  open_block (parser, LC_BLOCK_HEADING, level, line + level + 1);
  close_block (parser);
  return TRUE;
}

static gboolean
parse_image (Parser *parser, const char *line)
{
  const char *middle = g_str_has_prefix (line, "![") ? strstr (line, "](") : NULL;
  const char *end = middle != NULL ? strchr (middle, ')') : NULL;
  LcBlock *block;

  if (end == NULL)
    return FALSE;
  close_block (parser);
  block = markdown_add_block (parser, LC_BLOCK_IMAGE, 0);
  block->text = g_strndup (line + 2, (gsize)(middle - line) - 2);
  block->target = g_strndup (middle + 2, (gsize)(end - middle) - 2);
  return TRUE;
}

static gboolean
parse_item (Parser *parser, const char *line)
{
  guint indent = (guint)strspn (line, " ");
  const char *text = line + indent;
  gsize digits = strspn (text, "0123456789");

  if (g_str_has_prefix (text, "- "))
    {
      open_block (parser, LC_BLOCK_ITEM, indent / 2, text + 2);
      return TRUE;
    }
  if (digits == 0 || !g_str_has_prefix (text + digits, ". "))
    return FALSE;
  open_block (parser, LC_BLOCK_ITEM, indent / 2, text + digits + 2);
  parser->open->target = g_strndup (text, digits + 1);
  return TRUE;
}

static gboolean
parse_row (Parser *parser, const char *line)
{
  g_auto (GStrv) cells = NULL;
  gboolean is_rule = strspn (line, "|-: ") == strlen (line), is_first;
  LcBlock *block;
  guint n;

  if (*line != '|')
    return FALSE;
  close_block (parser);
  if (is_rule)
    return TRUE;
  is_first = parser->blocks->len == 0 ||
             ((LcBlock *)g_ptr_array_index (parser->blocks, parser->blocks->len - 1))->kind != LC_BLOCK_ROW;
  block = markdown_add_block (parser, LC_BLOCK_ROW, is_first ? 0 : 1);
  block->cells = g_ptr_array_new_with_free_func (g_free);
  cells = g_strsplit (line + 1, "|", -1);
  n = g_strv_length (cells);
  for (guint i = 0; i + 1 < n; i++)
    g_ptr_array_add (block->cells, lc_markdown_to_markup (g_strstrip (cells[i]), strlen (cells[i])));
  return TRUE;
}

static void
parse_text (Parser *parser, const char *line)
{
  if (*line == '\0')
    {
      close_block (parser);
      return;
    }
  if (parser->open == NULL)
    open_block (parser, LC_BLOCK_PARAGRAPH, 0, "");
  if (parser->pending->len > 0)
    g_string_append_c (parser->pending, ' ');
  g_string_append (parser->pending, line + strspn (line, " "));
}

/* Reads the lines up to the closing fence, or to the end. */
static guint
parse_code (Parser *parser, char **lines, guint first)
{
  g_autoptr (GPtrArray) code = g_ptr_array_new ();
  guint i = first;

  close_block (parser);
  for (; lines[i] != NULL && !g_str_has_prefix (lines[i], "```"); i++)
    g_ptr_array_add (code, lines[i]);
  g_ptr_array_add (code, NULL);
  markdown_add_block (parser, LC_BLOCK_CODE, 0)->text = g_strjoinv ("\n", (char **)code->pdata);
  return lines[i] != NULL ? i + 1 : i;
}

GPtrArray *
lc_markdown_parse (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  Parser parser = {.blocks = g_ptr_array_new_with_free_func (free_block), .pending = g_string_new (NULL)};

  for (guint i = 0; lines[i] != NULL;)
    {
      const char *line = g_strchomp (lines[i++]);

      if (g_str_has_prefix (line, "```"))
        i = parse_code (&parser, lines, i);
      else if (!g_str_has_prefix (line, "<!--") && !parse_heading (&parser, line) && !parse_image (&parser, line) &&
               !parse_item (&parser, line) && !parse_row (&parser, line))
        parse_text (&parser, line);
    }
  close_block (&parser);
  g_string_free (parser.pending, TRUE);
  return parser.blocks;
}
