/* SPDX-License-Identifier: Apache-2.0 */
/* Events by the place in the source that the program called them from. */
#include "lightcone/called.h"

#include <string.h>

struct _LcCalled
{
  char *place;
  guint32 n_stacks;
  gboolean *stacks; /* by number; NULL: none */
};

static char *
called_fold (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  return g_utf8_casefold (valid, -1);
}

/* --- Sites ------------------------------------------------------------------------------------------------------- */

/* Whether `name` is a path, or the last parts of it. */
static gboolean
called_ends_path (const char *path, const char *name)
{
  gsize length = strlen (path), n = strlen (name);

  return n > 0 && n <= length && strcmp (path + length - n, name) == 0 &&
         (n == length || name[0] == '/' || path[length - n - 1] == '/');
}

/* Whether `name` is a function, with or without its scope and its arguments: put of "Queue<long>::put(long)". */
static gboolean
called_names_function (const char *function, const char *name)
{
  g_autofree char *bare = g_strndup (name, strlen (name) - (g_str_has_suffix (name, "()") ? 2 : 0));
  gsize n = strlen (bare);

  for (const char *at = function; n > 0 && (at = strstr (at, bare)) != NULL; at++)
    if ((at == function || at[-1] == ':' || at[-1] == '.') && (at[n] == '\0' || strchr ("(<[", at[n]) != NULL))
      return TRUE;
  return FALSE;
}

/* Whether `name` is "FILE:LINE" of the site. */
static gboolean
called_names_line (const LcHistorySite *site, const char *path, const char *name)
{
  const char *colon = strrchr (name, ':');
  g_autofree char *file = colon != NULL ? g_strndup (name, (gsize)(colon - name)) : NULL;
  guint64 line;

  return file != NULL && site->line > 0 && g_ascii_string_to_unsigned (colon + 1, 10, 1, G_MAXUINT32, &line, NULL) &&
         line == site->line && called_ends_path (path, file);
}

/* Whether `name` is a function and a file or line, as the text of a site has them. */
static gboolean
called_names_both (const LcHistorySite *site, const char *function, const char *path, const char *name)
{
  const char *blank = strrchr (name, ' ');
  g_autofree char *before = blank != NULL ? g_strndup (name, (gsize)(blank - name)) : NULL;

  return before != NULL && called_names_function (function, before) &&
         (called_ends_path (path, blank + 1) || called_names_line (site, path, blank + 1));
}

static gboolean
called_is_at (const LcHistorySite *site, const char *place, gboolean exactly)
{
  g_autofree char *function = called_fold (site->function), *file = called_fold (site->file);
  g_autofree char *module = called_fold (site->module), *whole = lc_history_dup_site_text (site);
  g_autofree char *text = called_fold (whole);

  if (exactly)
    return called_names_function (function, place) || called_ends_path (file, place) ||
           called_names_line (site, file, place) || called_names_both (site, function, file, place) ||
           called_ends_path (module, place) || strcmp (text, place) == 0;
  return strstr (function, place) != NULL || strstr (text, place) != NULL || strstr (file, place) != NULL ||
         strstr (module, place) != NULL;
}

/* --- Stacks ------------------------------------------------------------------------------------------------------ */

enum
{
  CALLED_UNKNOWN,
  CALLED_ELSEWHERE,
  CALLED_HERE,
};

/* Finds out about a stack, and about all that it goes through until one is known. */
static gboolean
called_ask_stack (LcHistory *history, const gboolean *sites, guint8 *known, guint32 stack)
{
  guint32 at = stack;
  guint8 found;

  while (at != LC_TRACE_NONE && known[at] == CALLED_UNKNOWN && !sites[lc_history_get_stack (history, at)->site])
    at = lc_history_get_stack (history, at)->parent;
  if (at == LC_TRACE_NONE)
    found = CALLED_ELSEWHERE;
  else
    found = known[at] != CALLED_UNKNOWN ? known[at] : CALLED_HERE;
  for (guint32 i = stack; i != LC_TRACE_NONE && known[i] == CALLED_UNKNOWN;
       i = i == at ? LC_TRACE_NONE : lc_history_get_stack (history, i)->parent)
    known[i] = found;
  return found == CALLED_HERE;
}

static gboolean
called_is_of_kind (const LcHistorySite *site, LcPlaceKind kind, const char *name)
{
  g_autofree char *folded = NULL;

  if (kind == LC_PLACE_FUNCTION)
    folded = called_fold (site->function);
  else
    folded = called_fold (kind == LC_PLACE_MODULE ? site->module : site->file);
  if (kind == LC_PLACE_FUNCTION)
    return called_names_function (folded, name);
  return kind == LC_PLACE_LINE ? called_names_line (site, folded, name) : called_ends_path (folded, name);
}

/* Finds the stacks with a frame at one of the sites: by number, or NULL. */
static gboolean *
called_find_stacks (LcHistory *history, const gboolean *sites)
{
  guint32 n = lc_history_get_n_stacks (history);
  g_autofree gboolean *stacks = g_new0 (gboolean, MAX (n, 1));
  g_autofree guint8 *known = g_new0 (guint8, MAX (n, 1));
  gboolean any = FALSE;

  for (guint32 i = 0; i < n; i++)
    any |= stacks[i] = called_ask_stack (history, sites, known, i);
  return any ? g_steal_pointer (&stacks) : NULL;
}

gboolean *
lc_called_find (LcHistory *history, const char *place, gboolean exactly)
{
  guint32 n = lc_history_get_n_sites (history);
  g_autofree gboolean *sites = g_new0 (gboolean, MAX (n, 1));
  g_autofree char *folded = called_fold (place), *wanted = g_strdup (g_strstrip (folded));
  gboolean any = FALSE;

  for (guint32 i = 0; i < n && *wanted != '\0'; i++)
    any |= sites[i] = called_is_at (lc_history_get_site (history, i), wanted, exactly);
  return any ? called_find_stacks (history, sites) : NULL;
}

gboolean *
lc_called_find_kind (LcHistory *history, LcPlaceKind kind, const char *name)
{
  guint32 n = lc_history_get_n_sites (history);
  g_autofree gboolean *sites = g_new0 (gboolean, MAX (n, 1));
  g_autofree char *folded = called_fold (name);
  gboolean any = FALSE;

  g_strstrip (folded);
  for (guint32 i = 0; i < n && *folded != '\0'; i++)
    any |= sites[i] = called_is_of_kind (lc_history_get_site (history, i), kind, folded);
  return any ? called_find_stacks (history, sites) : NULL;
}

/* --- Sets -------------------------------------------------------------------------------------------------------- */

LcCalled *
lc_called_new (LcHistory *history, const char *place)
{
  LcCalled *called = g_atomic_rc_box_new0 (LcCalled);

  called->place = g_strdup (place);
  called->n_stacks = lc_history_get_n_stacks (history);
  called->stacks = lc_called_find (history, place, TRUE);
  if (called->stacks == NULL)
    called->stacks = lc_called_find (history, place, FALSE);
  return called;
}

LcCalled *
lc_called_ref (LcCalled *called)
{
  return g_atomic_rc_box_acquire (called);
}

static void
called_clear (LcCalled *called)
{
  g_free (called->place);
  g_free (called->stacks);
}

void
lc_called_unref (LcCalled *called)
{
  g_atomic_rc_box_release_full (called, (GDestroyNotify)called_clear);
}

const char *
lc_called_get_place (const LcCalled *called)
{
  return called->place;
}

gboolean
lc_called_is_empty (const LcCalled *called)
{
  return called->stacks == NULL;
}

gboolean
lc_called_equal (const LcCalled *a, const LcCalled *b)
{
  if (a == b || a == NULL || b == NULL)
    return a == b;
  return strcmp (a->place, b->place) == 0;
}

gboolean
lc_called_has (const LcCalled *called, const LcHistoryEvent *event)
{
  return called->stacks != NULL && event->stack < called->n_stacks && called->stacks[event->stack];
}
