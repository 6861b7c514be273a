/* SPDX-License-Identifier: Apache-2.0 */
/* Where in the source an event was called: the frames of its stack, with lines of their files. */
#include "app/inspect/event-place.h"

#include <glib/gi18n.h>

#include "trace/quantities.h"

enum
{
  MOST_FRAMES = 256, /* of one stack */
  MOST_FILES = 32,   /* frames whose files are read */
};

static void
event_place_free_frame (gpointer data)
{
  LcFrame *frame = data;

  g_free (frame->text);
  g_free (frame->function);
  g_free (frame->where);
  g_free (frame->path);
  g_free (frame->place);
  g_clear_pointer (&frame->source, lc_source_lines_free);
  g_free (frame);
}

/* Gives "pipe.cpp:7", or the name of the module. */
static char *
event_place_dup_where (const LcHistorySite *site)
{
  const char *path = site->file != NULL ? site->file : site->module;
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : NULL;
  g_autofree char *shown = name != NULL ? lc_format_text (name) : NULL;

  if (shown == NULL || site->file == NULL || site->line == 0)
    return g_steal_pointer (&shown);
  return g_strdup_printf ("%s:%u", shown, site->line);
}

static LcFrame *
event_place_make_frame (const LcHistorySite *site, const char *trace_directory)
{
  LcFrame *frame = g_new0 (LcFrame, 1);
  g_autofree char *text = lc_history_dup_site_text (site);
  const char *path = site->file != NULL ? site->file : site->module;

  frame->text = lc_format_text (text);
  frame->function = lc_format_text (site->function != NULL ? site->function : text);
  frame->where = site->function != NULL ? event_place_dup_where (site) : NULL;
  frame->path = path != NULL ? lc_format_text (path) : NULL;
  frame->place = g_utf8_make_valid (site->function != NULL ? site->function : text, -1);
  frame->is_library = site->is_library;
  if (trace_directory != NULL)
    frame->source = lc_source_lines_read (site, trace_directory);
  return frame;
}

LcEventPlace *
lc_event_place_new (LcHistory *history, guint32 stack, const char *trace_directory)
{
  const LcHistoryStack *at = stack != LC_TRACE_NONE ? lc_history_get_stack (history, stack) : NULL;
  LcEventPlace *place;
  guint32 own;

  if (at == NULL)
    return NULL;
  own = at->own;
  place = g_atomic_rc_box_new0 (LcEventPlace);
  place->frames = g_ptr_array_new_with_free_func (event_place_free_frame);
  place->own = G_MAXUINT;
  while (at != NULL && place->frames->len < MOST_FRAMES)
    {
      const LcHistorySite *site = lc_history_get_site (history, at->site);

      if (at->site == own && place->own == G_MAXUINT)
        place->own = place->frames->len;
      g_ptr_array_add (place->frames,
                       event_place_make_frame (site, place->frames->len < MOST_FILES ? trace_directory : NULL));
      at = at->parent != LC_TRACE_NONE ? lc_history_get_stack (history, at->parent) : NULL;
    }
  if (place->own == G_MAXUINT)
    place->own = 0;
  return place;
}

LcEventPlace *
lc_event_place_ref (LcEventPlace *place)
{
  return g_atomic_rc_box_acquire (place);
}

static void
event_place_clear (LcEventPlace *place)
{
  g_ptr_array_unref (place->frames);
}

void
lc_event_place_unref (LcEventPlace *place)
{
  g_atomic_rc_box_release_full (place, (GDestroyNotify)event_place_clear);
}

void
lc_event_place_write (const LcEventPlace *place, GString *text)
{
  for (guint i = place->own; i < place->frames->len; i++)
    {
      const LcFrame *frame = place->frames->pdata[i];

      if (i == place->own)
        g_string_append_printf (text, "%s\t%s\n", _ ("Called in"), frame->text);
      else
        g_string_append_printf (text, "\t%s\n", frame->text);
    }
}

char *
lc_event_place_dup_own (LcHistory *history, guint32 stack)
{
  const LcHistorySite *site = lc_history_get_own_site (history, stack);
  g_autofree char *text = site != NULL ? lc_history_dup_site_text (site) : NULL;

  return text != NULL ? lc_format_text (text) : NULL;
}
