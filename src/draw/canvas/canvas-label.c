/* SPDX-License-Identifier: Apache-2.0 */
/* Labels: texts that are laid out, cut to their room and kept for the next time. */
#include "draw/canvas/canvas-label.h"

#include <string.h>

#include "trace/quantities.h"

/* Texts are cut at this many characters: nobody reads more, and Pango would take long. */
#define LONGEST 2000

/* When more labels than this are kept, or they have more characters than this in all, all are dropped. */
#define MOST_LABELS 16384
#define MOST_CHARACTERS (1 << 18)

typedef struct
{
  LcFont font;
  double room;
  const char *text; /* as the caller gave it */
} Key;

typedef struct
{
  LcLabel label;
  Key key;
  char *asked;
} Entry;

/* Each thread has labels of its own, since Pango's fonts belong to one thread. They outlive canvases, which come and go
 * with every frame. */
typedef struct
{
  PangoContext *context;
  PangoFontDescription *fonts[LC_FONTS];
  double scale; /* of the fonts and of all labels that are kept */
  GHashTable *entries;
  gsize characters;
} Labels;

double
lc_font_get_size (LcFont font)
{
  static const double sizes[LC_FONTS] = {[LC_FONT_NORMAL] = 11, [LC_FONT_SMALL] = 9.5, [LC_FONT_TITLE] = 15};

  return sizes[font];
}

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;

  return g_str_hash (key->text) ^ g_double_hash (&key->room) ^ (guint)key->font << 20;
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *one = a, *other = b;

  return one->font == other->font && one->room == other->room && strcmp (one->text, other->text) == 0;
}

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_object_unref (entry->label.layout);
  g_free (entry->label.text);
  g_free (entry->asked);
  g_free (entry);
}

static void
labels_free (gpointer data)
{
  Labels *labels = data;

  g_hash_table_unref (labels->entries);
  for (guint i = 0; i < LC_FONTS; i++)
    pango_font_description_free (labels->fonts[i]);
  g_object_unref (labels->context);
  g_free (labels);
}

/* Without hinted metrics a text is equally wide on every surface and at every scale. Hinted shapes would reach out of
 * the extents that Cairo computes, and so out of clips. */
static PangoContext *
new_context (void)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);
  pango_context_set_round_glyph_positions (context, FALSE);
  pango_context_set_base_dir (context, PANGO_DIRECTION_LTR);
  return context;
}

static Labels *
labels_new (void)
{
  Labels *labels = g_new0 (Labels, 1);

  labels->context = new_context ();
  labels->scale = 1;
  labels->entries = g_hash_table_new_full (key_hash, key_equal, NULL, entry_free);
  for (guint i = 0; i < LC_FONTS; i++)
    {
      labels->fonts[i] = pango_font_description_new ();
      pango_font_description_set_family_static (labels->fonts[i], LC_LABEL_FAMILY ", sans");
      pango_font_description_set_absolute_size (labels->fonts[i], lc_font_get_size (i) * PANGO_SCALE);
      if (i == LC_FONT_TITLE)
        pango_font_description_set_weight (labels->fonts[i], PANGO_WEIGHT_BOLD);
    }
  return labels;
}

static Labels *
labels_get (void)
{
  static GPrivate private = G_PRIVATE_INIT (labels_free);
  Labels *labels = g_private_get (&private);

  if (labels == NULL)
    {
      labels = labels_new ();
      g_private_set (&private, labels);
    }
  return labels;
}

static void
labels_forget (Labels *labels)
{
  g_hash_table_remove_all (labels->entries);
  labels->characters = 0;
}

/* Texts of two sizes are hardly ever painted in turns: a window has one, and a file another. */
static void
labels_set_scale (Labels *labels, double scale)
{
  if (labels->scale == scale)
    return;
  labels_forget (labels);
  labels->scale = scale;
  for (guint i = 0; i < LC_FONTS; i++)
    pango_font_description_set_absolute_size (labels->fonts[i], lc_font_get_size (i) * scale * PANGO_SCALE);
}

static char *
canvas_label_readable (const char *text)
{
  g_autofree char *valid = NULL;
  GString *result = g_string_new (NULL);
  guint n = 0;

  if (!g_utf8_validate (text, -1, NULL))
    text = valid = g_utf8_make_valid (text, -1);
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at), n++)
    {
      gunichar c = g_utf8_get_char (at);

      if (n == LONGEST)
        {
          g_string_append (result, "…");
          break;
        }
      lc_text_append_visible (result, c == '\t' || c == '\n' ? ' ' : c);
    }
  return g_string_free (result, FALSE);
}

static PangoLayout *
canvas_label_lay_out (const Labels *labels, LcFont font, const char *text)
{
  PangoLayout *layout = pango_layout_new (labels->context);

  pango_layout_set_font_description (layout, labels->fonts[font]);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, text, -1);
  return layout;
}

/* The text with the ellipsis where Pango puts it, since SVG cannot cut texts with an ellipsis itself. */
static char *
text_as_cut (const Labels *labels, LcFont font, double room, const char *text)
{
  g_autoptr (PangoLayout) layout = canvas_label_lay_out (labels, font, text);

  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (layout, (int)CLAMP (room * PANGO_SCALE, 0, G_MAXINT / 2));
  for (const GSList *run = pango_layout_get_line_readonly (layout, 0)->runs; run != NULL; run = run->next)
    {
      const PangoItem *item = ((const PangoGlyphItem *)run->data)->item;

      if ((item->analysis.flags & PANGO_ANALYSIS_FLAG_IS_ELLIPSIS) != 0)
        return g_strdup_printf ("%.*s…%s", item->offset, text, text + item->offset + item->length);
    }
  return g_strdup (text);
}

static void
canvas_label_set_text (LcLabel *label, const Labels *labels, LcFont font, char *text)
{
  PangoLayout *layout = canvas_label_lay_out (labels, font, text);
  PangoLayoutLine *line = pango_layout_get_line_readonly (layout, 0);
  PangoRectangle extents;

  pango_layout_line_get_extents (line, NULL, &extents);
  g_set_object (&label->layout, layout);
  g_object_unref (layout);
  g_free (label->text);
  label->text = text;
  label->width = (double)extents.width / PANGO_SCALE;
  label->height = (double)extents.height / PANGO_SCALE;
  label->baseline = (double)PANGO_ASCENT (extents) / PANGO_SCALE;
  label->right_to_left = line->resolved_dir == PANGO_DIRECTION_RTL;
}

/* Letters that join look different before an ellipsis, and may be wider there; so a text may have to be cut more than
 * once. */
static void
canvas_label_cut (LcLabel *label, const Labels *labels, LcFont font, double room)
{
  g_autofree char *whole = g_strdup (label->text);

  for (double less = 0; less < room && label->width > room; less += MAX (label->width - room, 1))
    canvas_label_set_text (label, labels, font, text_as_cut (labels, font, room - less, whole));
}

static Entry *
entry_new (const Labels *labels, LcFont font, double room, const char *asked)
{
  Entry *entry = g_new0 (Entry, 1);

  canvas_label_set_text (&entry->label, labels, font, canvas_label_readable (asked));
  if (room > 0)
    canvas_label_cut (&entry->label, labels, font, room);
  entry->label.fits = room == 0 || entry->label.width <= room;
  entry->asked = g_strdup (asked);
  entry->key = (Key){font, room, entry->asked};
  return entry;
}

static const LcLabel *
canvas_label_find_or_add (Labels *labels, LcFont font, double room, const char *text)
{
  Key key = {font, room, text};
  Entry *entry = g_hash_table_lookup (labels->entries, &key);

  if (entry == NULL)
    {
      if (g_hash_table_size (labels->entries) >= MOST_LABELS || labels->characters > MOST_CHARACTERS)
        labels_forget (labels);
      entry = entry_new (labels, font, room, text);
      labels->characters += strlen (text);
      g_hash_table_insert (labels->entries, &entry->key, entry);
    }
  return &entry->label;
}

const LcLabel *
lc_label_get (LcFont font, double scale, double room, const char *text)
{
  Labels *labels = labels_get ();
  const LcLabel *whole;

  labels_set_scale (labels, scale);
  whole = canvas_label_find_or_add (labels, font, 0, text);
  return room <= 0 || whole->width <= room ? whole : canvas_label_find_or_add (labels, font, room, text);
}
