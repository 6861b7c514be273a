/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a place in the source of which what-if asks, and which events are called there. */
#include "scaled-place.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "similar-places.h"

static const char *const kind_names[] = {"function", "file", "line", "module"};

const char *
lc_place_kind_get_name (LcPlaceKind kind)
{
  return kind_names[kind];
}

char *
lc_scaled_place_dup_text (const LcScaledPlace *place)
{
  return g_strdup_printf ("%s %s", kind_names[place->kind], place->name);
}

void
lc_scaled_place_free (LcScaledPlace *place)
{
  if (place == NULL)
    return;
  g_free (place->name);
  g_free (place->stacks);
  g_free (place->began);
  g_free (place);
}

/* --- Stacks ------------------------------------------------------------------------------------------------------ */

/* The kind of the outermost frame: LC_SITE_ROOT if all is known that calls this one. */
static enum lc_site_kind
scaled_place_get_end (LcHistory *history, guint32 stack)
{
  const LcHistoryStack *found = lc_history_get_stack (history, stack);

  while (found->parent != LC_TRACE_NONE)
    found = lc_history_get_stack (history, found->parent);
  return found->kind;
}

enum
{
  SEEN_THERE = 1,
  SEEN_ELSEWHERE = 2,
};

/* Whole stacks say of a call whether it is made there, if they agree. */
static guint8 *
scaled_place_see_sites (LcScaledPlace *place, LcHistory *history, const gboolean *there)
{
  guint8 *seen = g_new0 (guint8, MAX (lc_history_get_n_sites (history), 1));

  for (guint32 i = 0; i < place->n_stacks; i++)
    {
      const LcHistoryStack *stack = lc_history_get_stack (history, i);
      enum lc_site_kind end = scaled_place_get_end (history, i);

      if (there[i] && end != LC_SITE_CALL)
        place->calls |= stack->parent != LC_TRACE_NONE && there[stack->parent];
      if (end == LC_SITE_ROOT)
        seen[stack->site] |= there[i] ? SEEN_THERE : SEEN_ELSEWHERE;
    }
  return seen;
}

static void
scaled_place_set_stacks (LcScaledPlace *place, LcHistory *history, const gboolean *there)
{
  g_autofree guint8 *seen = NULL;

  place->n_stacks = lc_history_get_n_stacks (history);
  place->stacks = g_new0 (guint8, MAX (place->n_stacks, 1));
  seen = scaled_place_see_sites (place, history, there);
  for (guint32 i = 0; i < place->n_stacks; i++)
    {
      const guint8 here = seen[lc_history_get_stack (history, i)->site];
      const enum lc_site_kind end = scaled_place_get_end (history, i);

      if (there[i])
        place->stacks[i] = LC_THERE_YES;
      else if (end == LC_SITE_ROOT || end == LC_SITE_ENTRY)
        place->stacks[i] = LC_THERE_NO;
      else if (end == LC_SITE_CALL && (here == SEEN_THERE || here == SEEN_ELSEWHERE))
        place->stacks[i] = here == SEEN_THERE ? LC_THERE_YES : LC_THERE_ELSEWHERE;
      else
        place->stacks[i] = LC_THERE_UNKNOWN;
    }
}

/* What a process began with is outside of a line, as no call of that line has brought it there. */
static void
scaled_place_set_began (LcScaledPlace *place, LcHistory *history, const gboolean *there)
{
  place->n_processes = lc_history_get_n_processes (history);
  place->began = g_new0 (gboolean, MAX (place->n_processes, 1));
  for (guint32 i = 0; i < place->n_processes && place->kind != LC_PLACE_LINE; i++)
    {
      guint32 start = lc_history_get_process (history, i)->start;

      place->began[i] = start < place->n_stacks && there[start];
    }
}

static LcScaledPlace *
scaled_place_new (LcHistory *history, LcPlaceKind kind, const char *name, const gboolean *there)
{
  LcScaledPlace *place = g_new0 (LcScaledPlace, 1);

  place->kind = kind;
  place->name = g_strdup (name);
  scaled_place_set_stacks (place, history, there);
  scaled_place_set_began (place, history, there);
  return place;
}

/* --- Names ------------------------------------------------------------------------------------------------------- */

/* Takes "function " off a name. FALSE: the name says no kind. */
static gboolean
scaled_place_split (const char *name, LcPlaceKind *kind, const char **rest)
{
  const char *blank = strchr (name, ' ');

  for (gsize i = 0; blank != NULL && i < G_N_ELEMENTS (kind_names); i++)
    if (strlen (kind_names[i]) == (gsize)(blank - name) && g_str_has_prefix (name, kind_names[i]))
      {
        *kind = (LcPlaceKind)i;
        *rest = blank + 1;
        return TRUE;
      }
  return FALSE;
}

gboolean
lc_scaled_place_is_meant (const char *name)
{
  LcPlaceKind kind;
  const char *rest;

  return scaled_place_split (name, &kind, &rest);
}

/* Whether the name is "FILE:NUMBER". */
static gboolean
scaled_place_is_line (const char *name)
{
  const char *colon = strrchr (name, ':');

  return colon != NULL && colon > name && colon[-1] != ':' &&
         g_ascii_string_to_unsigned (colon + 1, 10, 1, G_MAXUINT32, NULL, NULL);
}

static void
scaled_place_refuse_line (LcHistory *history, const char *name, GError **error)
{
  g_autofree char *file = g_strndup (name, (gsize)(strrchr (name, ':') - name));
  g_autofree char *lines = lc_similar_places_list (history, LC_PLACE_LINE, name);
  g_autofree char *files = lc_similar_places_list (history, LC_PLACE_FILE, file);

  if (lines != NULL)
    g_set_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE,
                 _ ("%s: no event is called in this line; the nearest in which one is: %s"), name, lines);
  else if (files != NULL)
    g_set_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE,
                 _ ("%s: no event is called in a file of this name; the most similar in which one is: %s"), name,
                 files);
  else
    g_set_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE, _ ("%s: no file is known in which events are called"),
                 name);
}

static void
scaled_place_refuse (LcHistory *history, LcPlaceKind kind, const char *name, const char *asked, GError **error)
{
  g_autofree char *similar = lc_similar_places_list (history, kind, name);

  if (kind == LC_PLACE_LINE)
    g_set_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE, _ ("%s: a line has to be FILE:LINE, as pipe.cpp:7"),
                 asked);
  else if (similar == NULL)
    g_set_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE, _ ("%s: no event is called there"), asked);
  else
    g_set_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE,
                 _ ("%s: no event is called there; the most similar names of places in which one is: %s"), asked,
                 similar);
}

static void
scaled_place_refuse_any (LcHistory *history, const char *name, GError **error)
{
  g_autofree char *similar = lc_similar_places_list (history, LC_PLACE_FUNCTION, name);

  g_set_error (
      error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE,
      _ ("%s: the trace has no operation, object or region of this name, and no function, file or module of it "
         "in which an event is called; the most similar functions: %s"),
      name, similar != NULL ? similar : "-");
}

/* --- All --------------------------------------------------------------------------------------------------------- */

static LcScaledPlace *
scaled_place_find_kind (LcHistory *history, LcPlaceKind kind, const char *name, const char *asked, GError **error)
{
  g_autofree gboolean *there = lc_called_find_kind (history, kind, name);

  if (there != NULL)
    return scaled_place_new (history, kind, name, there);
  if (kind == LC_PLACE_LINE && scaled_place_is_line (name))
    scaled_place_refuse_line (history, name, error);
  else
    scaled_place_refuse (history, kind, name, asked, error);
  return NULL;
}

/* Tries all kinds but lines, which are told by their form. */
static LcScaledPlace *
scaled_place_find_any (LcHistory *history, const char *name, GError **error)
{
  static const LcPlaceKind tried[] = {LC_PLACE_FUNCTION, LC_PLACE_FILE, LC_PLACE_MODULE};
  g_autoptr (LcScaledPlace) place = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (tried); i++)
    {
      g_autofree gboolean *there = lc_called_find_kind (history, tried[i], name);
      g_autofree char *first = NULL;

      if (there == NULL)
        continue;
      if (place == NULL)
        {
          place = scaled_place_new (history, tried[i], name, there);
          continue;
        }
      first = lc_scaled_place_dup_text (place);
      g_set_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE, _ ("%s: this could be %s or %s %s: say which"), name,
                   first, kind_names[tried[i]], name);
      return NULL;
    }
  if (place == NULL)
    scaled_place_refuse_any (history, name, error);
  return g_steal_pointer (&place);
}

LcScaledPlace *
lc_scaled_place_find (LcHistory *history, const char *name, GError **error)
{
  LcPlaceKind kind = LC_PLACE_LINE;
  const char *rest = name;
  const gboolean is_said = scaled_place_split (name, &kind, &rest) || scaled_place_is_line (name);

  if (history != NULL && !lc_history_read_places (history, error))
    return NULL;
  if (history != NULL && lc_history_get_n_sites (history) > 0)
    return is_said ? scaled_place_find_kind (history, kind, rest, name, error)
                   : scaled_place_find_any (history, name, error);
  g_set_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE,
               is_said ? _ ("%s: the trace has no operation, object or region of this name, and does not say where in "
                            "the source its events are")
                       : _ ("%s: the trace has no operation, object or region of this name"),
               name);
  return NULL;
}
