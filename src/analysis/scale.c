/* SPDX-License-Identifier: Apache-2.0 */
/* Parses what-if factors: "queue=0.5", "region:solve=0", "pipe.cpp:41=0.8". */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "scaled-place.h"

#define COMMUNICATION "communication"

/* A search for all things of this name and kind. */
typedef struct
{
  LcTrace *trace;
  const char *name;
  const char *kind; /* or a class of objects; NULL: any kind */
  LcScale *scale;
  GString *found; /* "object:NAME", separated by ", " */
  guint n;
  gboolean has_process; /* a process has the name, which was given without a kind */
} Search;

static gboolean
scale_is_asked_for (const Search *search, const char *kind, const char *class_name)
{
  return search->kind == NULL || strcmp (search->kind, kind) == 0 ||
         (class_name != NULL && strcmp (search->kind, class_name) == 0);
}

static void
scale_add (Search *search, LcScaleKind kind, guint32 id, const char *prefix)
{
  search->scale->kind = kind;
  search->scale->id = id;
  g_string_append_printf (search->found, "%s%s:%s", search->n++ > 0 ? ", " : "", prefix, search->name);
}

static void
search_operations (Search *search)
{
  for (guint32 i = 0; i < lc_trace_get_n_operations (search->trace); i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (search->trace, i);

      if (operation != NULL && strcmp (operation->name, search->name) == 0 &&
          scale_is_asked_for (search, "operation", NULL))
        scale_add (search, LC_SCALE_OPERATION, i, "operation");
    }
}

static void
search_objects (Search *search)
{
  for (guint32 i = 0; i < lc_trace_get_n_objects (search->trace); i++)
    {
      g_autofree char *name = NULL;
      gboolean is_region;
      LcTraceObject object;

      lc_trace_get_object (search->trace, i, &object);
      is_region = object.object_class == LC_CLASS_MARK || object.object_class == LC_CLASS_FUNCTION;
      if (!scale_is_asked_for (search, is_region ? "region" : "object", object.class_name) ||
          (search->has_process && object.object_class == LC_CLASS_THREAD))
        continue;
      name = lc_trace_dup_object_name (search->trace, i);
      if (strcmp (name, search->name) == 0)
        scale_add (search, is_region ? LC_SCALE_REGION : LC_SCALE_OBJECT, i,
                   object.class_name != NULL ? object.class_name
                   : is_region               ? "region"
                                             : "object");
    }
}

/* An object of class thread has the name of its process, and no time of its own that anybody asks for by that name. */
static void
search_processes (Search *search)
{
  if (!scale_is_asked_for (search, "process", NULL))
    return;
  for (guint32 i = 0; i < lc_trace_get_n_processes (search->trace); i++)
    if (strcmp (lc_trace_get_process (search->trace, i)->name, search->name) == 0)
      {
        scale_add (search, LC_SCALE_PROCESS, i, "process");
        search->has_process = search->kind == NULL;
      }
}

static void
search_all (Search *search)
{
  search_operations (search);
  search_processes (search);
  search_objects (search);
  if (search->kind == NULL && strcmp (search->name, COMMUNICATION) == 0)
    scale_add (search, LC_SCALE_COMMUNICATION, 0, COMMUNICATION);
}

/* Takes "=FACTOR" off the end of the text. */
static gboolean
take_factor (char *text, double *factor, GError **error)
{
  char *equals = strrchr (text, '='), *end;

  if (equals == NULL)
    return TRUE;
  *factor = g_ascii_strtod (equals + 1, &end);
  if (end == equals + 1 || *end != '\0' || !isfinite (*factor) || *factor < 0)
    {
      g_set_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE, _ ("%s: the factor must be a number, 0 or more"), text);
      return FALSE;
    }
  *equals = '\0';
  return TRUE;
}

/* A name may itself have a colon ("main.c:12", "0>3:7"), so the whole is tried first. */
static void
search_by_kind (Search *search, char *name)
{
  char *colon = strchr (name, ':');

  search_all (search);
  if (search->n > 0 || colon == NULL)
    return;
  *colon = '\0';
  search->kind = name;
  search->name = colon + 1;
  search_all (search);
  *colon = ':';
}

/* A thread is often named after its function, which may have the time of other threads too. */
static void
search_places (Search *search, LcHistory *history)
{
  LcScaledPlace *place = search->has_process ? lc_scaled_place_find (history, search->name, NULL) : NULL;
  g_autofree char *text = place != NULL ? lc_scaled_place_dup_text (place) : NULL;

  if (place == NULL)
    return;
  g_string_append_printf (search->found, ", %s", text);
  search->n++;
  lc_scaled_place_free (place);
}

/* A name for which nothing in the trace stands can still be that of a place. */
gboolean
lc_scale_parse (LcTrace *trace, LcHistory *history, const char *text, LcScale *scale, GError **error)
{
  g_autofree char *name = g_strdup (text);
  g_autoptr (GString) found = g_string_new (NULL);
  Search search = {.trace = trace, .name = name, .scale = scale, .found = found};

  *scale = (LcScale){.factor = 1};
  if (!take_factor (name, &scale->factor, error))
    return FALSE;
  if (!lc_scaled_place_is_meant (name))
    search_by_kind (&search, name);
  search_places (&search, history);
  if (search.n == 1)
    {
      scale->name = g_steal_pointer (&name);
      return TRUE;
    }
  if (search.n > 1)
    {
      g_set_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE, _ ("%s: this could be %s: say which"), name,
                   found->str);
      return FALSE;
    }
  scale->kind = LC_SCALE_PLACE;
  scale->place = lc_scaled_place_find (history, name, error);
  if (scale->place == NULL)
    return FALSE;
  scale->name = g_steal_pointer (&name);
  return TRUE;
}

void
lc_scale_clear (LcScale *scale)
{
  g_clear_pointer (&scale->place, lc_scaled_place_free);
  g_clear_pointer (&scale->name, g_free);
}
