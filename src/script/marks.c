/* SPDX-License-Identifier: Apache-2.0 */
/* Marks and annotations in Scheme. Places are lists: process, whether it is a span, begin and end (or ordinal, twice).
 */
#include "lightcone/marks.h"

#include "script-private.h"

typedef struct
{
  LcUserMark *places;
  gsize n_places;
  guint n_removed;
} MarksRequest;

/* What Scheme throws must not leave memory behind, so the collector has all of it. */
static const char *
marks_get_text (SCM text)
{
  char *copy = scm_to_utf8_string (text), *kept;
  gsize size = strlen (copy) + 1;

  kept = scm_gc_malloc_pointerless (size, "text");
  memcpy (kept, copy, size);
  free (copy);
  return kept;
}

static LcUserMark
marks_get_place (SCM place, const char *name)
{
  return (LcUserMark){.name = name,
                      .process = lc_script_to_u32 (scm_car (place)),
                      .is_span = scm_is_true (scm_cadr (place)),
                      .begin = lc_script_to_u64 (scm_caddr (place)),
                      .end = lc_script_to_u64 (scm_cadddr (place))};
}

/* The history may have fewer events than a script believes, and nothing may be marked that is not there. */
static void
marks_require_place (const LcHistory *history, const LcUserMark *place)
{
  GError *error = NULL;

  if (!lc_marks_check_place (history, place, &error))
    lc_script_throw (error);
}

static void
marks_change (LcMarksChange change, MarksRequest *request)
{
  GError *error = NULL;

  if (!lc_marks_change (lc_history_get_path (lc_script_get ()->history), change, request, &error))
    lc_script_throw (error);
}

static gboolean
marks_add_places (LcMarks *marks, gpointer data, GError **error)
{
  const MarksRequest *request = data;

  for (gsize i = 0; i < request->n_places; i++)
    if (!lc_marks_add (marks, &request->places[i], error))
      return FALSE;
  return TRUE;
}

/* Names the places of a list. */
static SCM
marks_add (SCM name, SCM list)
{
  const LcHistory *history = lc_script_get ()->history;
  const char *text = marks_get_text (name);
  gsize n = scm_to_size_t (scm_length (list));
  LcUserMark *places = scm_gc_malloc (MAX (n, 1) * sizeof (LcUserMark), "marks");
  MarksRequest request = {.places = places, .n_places = n};

  for (gsize i = 0; i < n; i++, list = scm_cdr (list))
    {
      places[i] = marks_get_place (scm_car (list), text);
      marks_require_place (history, &places[i]);
    }
  marks_change (marks_add_places, &request);
  scm_remember_upto_here_1 (list);
  return SCM_UNSPECIFIED;
}

static gboolean
marks_remove_place (LcMarks *marks, gpointer data, GError **error G_GNUC_UNUSED)
{
  MarksRequest *request = data;

  request->n_removed = lc_marks_remove (marks, request->places, request->n_places);
  return TRUE;
}

/* Removes marks of a name (#f: of any) at the places of a list (#f: everywhere), and tells their number. */
static SCM
marks_remove (SCM name, SCM list)
{
  const char *text = scm_is_true (name) ? marks_get_text (name) : NULL;
  gboolean anywhere = scm_is_false (list);
  gsize n = anywhere ? 1 : scm_to_size_t (scm_length (list));
  LcUserMark *places = scm_gc_malloc (MAX (n, 1) * sizeof (LcUserMark), "marks");
  MarksRequest request = {.places = places, .n_places = n};

  if (anywhere)
    places[0] = (LcUserMark){.name = text, .process = LC_TRACE_NONE};
  for (gsize i = 0; i < n && !anywhere; i++, list = scm_cdr (list))
    places[i] = marks_get_place (scm_car (list), text);
  marks_change (marks_remove_place, &request);
  return scm_from_uint (request.n_removed);
}

static gboolean
marks_set_annotation (LcMarks *marks, gpointer data, GError **error)
{
  return lc_marks_annotate (marks, data, error);
}

static SCM
marks_annotate (SCM event, SCM text)
{
  LcHistory *history = lc_script_get ()->history;
  LcAnnotation annotation = {.text = scm_is_true (text) ? marks_get_text (text) : NULL};
  LcUserMark place = {0};
  GError *error = NULL;

  lc_script_to_event ("annotate!", event, &annotation.process, &annotation.ordinal);
  place.process = annotation.process;
  place.begin = annotation.ordinal;
  if (annotation.text != NULL)
    marks_require_place (history, &place);
  if (!lc_marks_change (lc_history_get_path (history), marks_set_annotation, &annotation, &error))
    lc_script_throw (error);
  return SCM_UNSPECIFIED;
}

static LcMarks *
marks_read (void)
{
  GError *error = NULL;
  LcMarks *marks = lc_marks_read (lc_history_get_path (lc_script_get ()->history), &error);

  if (marks == NULL)
    lc_script_throw (error);
  return marks;
}

/* Lists of name, process, whether it is a span, begin and end. */
static SCM
marks_list (void)
{
  LcMarks *marks = marks_read ();
  SCM list = SCM_EOL;

  for (guint i = marks->marks->len; i-- > 0;)
    {
      const LcUserMark *mark = &g_array_index (marks->marks, LcUserMark, i);

      list = scm_cons (scm_list_5 (scm_from_utf8_symbol (mark->name), scm_from_uint32 (mark->process),
                                   scm_from_bool (mark->is_span), scm_from_uint64 (mark->begin),
                                   scm_from_uint64 (mark->end)),
                       list);
    }
  lc_marks_free (marks);
  return list;
}

/* Pairs of an event and its text. */
static SCM
marks_list_annotations (void)
{
  LcMarks *marks = marks_read ();
  SCM list = SCM_EOL;

  for (guint i = marks->annotations->len; i-- > 0;)
    {
      const LcAnnotation *annotation = &g_array_index (marks->annotations, LcAnnotation, i);

      list = scm_cons (scm_cons (lc_script_from_event (annotation->process, annotation->ordinal),
                                 lc_script_from_text (annotation->text)),
                       list);
    }
  lc_marks_free (marks);
  return list;
}

void
lc_script_init_marks (void)
{
  static const LcScriptProcedure procedures[] = {
      {"%mark-add!", 2, 0, (scm_t_subr)marks_add},
      {"%mark-remove!", 2, 0, (scm_t_subr)marks_remove},
      {"%annotate!", 2, 0, (scm_t_subr)marks_annotate},
      {"%marks", 0, 0, (scm_t_subr)marks_list},
      {"%annotations", 0, 0, (scm_t_subr)marks_list_annotations},
  };

  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}
