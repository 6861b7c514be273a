/* SPDX-License-Identifier: Apache-2.0 */
/* The manual's Markdown: what becomes of each kind of block, and that any text at all is fine. */
#include "app/help/markdown.h"

#include <pango/pango.h>
#include <string.h>

static const LcBlock *
get (GPtrArray *blocks, guint i, LcBlockKind kind, guint level)
{
  const LcBlock *block;

  g_assert_cmpuint (i, <, blocks->len);
  block = g_ptr_array_index (blocks, i);
  g_assert_cmpint (block->kind, ==, kind);
  g_assert_cmpuint (block->level, ==, level);
  return block;
}

static void
test_blocks (void)
{
  g_autoptr (GPtrArray) blocks =
      lc_markdown_parse ("<!-- no text -->\n# One\n\nA line\nand another.\n## Two\n- an *item*\n"
                         "  that goes on\n  - deeper\n12. twelfth\n\n```sh\na < b\n\n# c\n```\n"
                         "![what it shows](tutorial/a.png)\n\n| a | b |\n|---|---|\n| `1` | 2 |\n");
  const LcBlock *row;

  g_assert_cmpuint (blocks->len, ==, 10);
  g_assert_cmpstr (get (blocks, 0, LC_BLOCK_HEADING, 1)->text, ==, "One");
  g_assert_cmpstr (get (blocks, 1, LC_BLOCK_PARAGRAPH, 0)->text, ==, "A line and another.");
  g_assert_cmpstr (get (blocks, 2, LC_BLOCK_HEADING, 2)->text, ==, "Two");
  g_assert_cmpstr (get (blocks, 3, LC_BLOCK_ITEM, 0)->text, ==, "an <i>item</i> that goes on");
  g_assert_cmpstr (get (blocks, 4, LC_BLOCK_ITEM, 1)->text, ==, "deeper");
  g_assert_cmpstr (get (blocks, 5, LC_BLOCK_ITEM, 0)->target, ==, "12.");
  g_assert_cmpstr (get (blocks, 6, LC_BLOCK_CODE, 0)->text, ==, "a < b\n\n# c");
  g_assert_cmpstr (get (blocks, 7, LC_BLOCK_IMAGE, 0)->text, ==, "what it shows");
  g_assert_cmpstr (get (blocks, 7, LC_BLOCK_IMAGE, 0)->target, ==, "tutorial/a.png");
  g_assert_cmpuint (get (blocks, 8, LC_BLOCK_ROW, 0)->cells->len, ==, 2);
  row = get (blocks, 9, LC_BLOCK_ROW, 1);
  g_assert_cmpstr (g_ptr_array_index (row->cells, 0), ==, "<tt>1</tt>");
}

static void
check_markup (const char *text, const char *expected)
{
  g_autofree char *markup = lc_markdown_to_markup (text, strlen (text));

  g_assert_cmpstr (markup, ==, expected);
}

static void
test_markup (void)
{
  check_markup ("a < b & c", "a &lt; b &amp; c");
  check_markup ("`a < *b*` and **b *c* d** e", "<tt>a &lt; *b*</tt> and <b>b <i>c</i> d</b> e");
  check_markup ("2 * 3 * 4", "2 * 3 * 4");
  check_markup ("[the `x`](y.md#z) [no", "<a href=\"y.md#z\">the <tt>x</tt></a> [no");
  check_markup ("`open **open [a](b", "`open **open [a](b");
}

static void
test_anchor (void)
{
  g_autofree char *anchor = lc_markdown_dup_anchor ("Find an event, “next”");

  g_assert_cmpstr (anchor, ==, "find-an-event-next");
}

/* Whatever is written, it is markup that Pango can read. */
static void
test_any_text (void)
{
  static const char letters[] = "*`[]()#|-! \n1.a<&>\"'";

  for (guint round = 0; round < 20000; round++)
    {
      char text[64];
      guint length = (guint)g_test_rand_int_range (0, sizeof text);
      g_autoptr (GPtrArray) blocks = NULL;

      for (guint i = 0; i < length; i++)
        text[i] = letters[g_test_rand_int_range (0, sizeof letters - 1)];
      text[MIN (length, sizeof text - 1)] = '\0';
      blocks = lc_markdown_parse (text);
      for (guint i = 0; i < blocks->len; i++)
        {
          const LcBlock *block = g_ptr_array_index (blocks, i);
          g_autoptr (GString) plain = NULL;
          g_autoptr (GError) error = NULL;

          if (block->text == NULL || block->kind == LC_BLOCK_CODE || block->kind == LC_BLOCK_IMAGE)
            continue;
          /* Links are the label's, not Pango's. */
          plain = g_string_new (block->text);
          g_string_replace (plain, "<a href", "<span font_family", 0);
          g_string_replace (plain, "</a>", "</span>", 0);
          g_assert_true (pango_parse_markup (plain->str, -1, 0, NULL, NULL, NULL, &error));
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/markdown/blocks", test_blocks);
  g_test_add_func ("/markdown/markup", test_markup);
  g_test_add_func ("/markdown/anchor", test_anchor);
  g_test_add_func ("/markdown/any text", test_any_text);
  return g_test_run ();
}
