/* SPDX-License-Identifier: Apache-2.0 */
/* Views that scripts define: what they show becomes the data of a sheet. */
#include "lightcone/sheet.h"
#include "script-private.h"
#include "trace/quantities.h"

static SCM
views_format_duration (SCM ns)
{
  g_autofree char *text = lc_format_duration (lc_script_to_u64 (ns));

  return lc_script_from_text (text);
}

static SCM
views_format_bytes (SCM bytes)
{
  g_autofree char *text = lc_format_bytes (lc_script_to_u64 (bytes));

  return lc_script_from_text (text);
}

void
lc_script_init_views (void)
{
  static const LcScriptProcedure procedures[] = {
      {"duration-text", 1, 0, (scm_t_subr)views_format_duration},
      {"bytes-text", 1, 0, (scm_t_subr)views_format_bytes},
  };

  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}

/* --- From Scheme, which has checked that all is what it should be ----------------------------------------------------
 */

static void
views_add_text (GVariantBuilder *builder, SCM text)
{
  size_t length;
  char *bytes = scm_to_utf8_stringn (text, &length);
  g_autofree char *copy = g_utf8_make_valid (bytes, (gssize)length); /* a character NUL is none of a sheet */

  g_variant_builder_add (builder, "s", copy);
  free (bytes);
}

static void
views_add_texts (GVariantBuilder *builder, SCM list)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE ("as"));
  for (; scm_is_pair (list); list = scm_cdr (list))
    views_add_text (builder, scm_car (list));
  g_variant_builder_close (builder);
}

static void
views_add_axis (GVariantBuilder *builder, SCM axis)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE ("(suddas)"));
  views_add_text (builder, scm_list_ref (axis, scm_from_int (0)));
  g_variant_builder_add (builder, "u", lc_script_to_u32 (scm_list_ref (axis, scm_from_int (1))));
  g_variant_builder_add (builder, "d", scm_to_double (scm_list_ref (axis, scm_from_int (2))));
  g_variant_builder_add (builder, "d", scm_to_double (scm_list_ref (axis, scm_from_int (3))));
  views_add_texts (builder, scm_list_ref (axis, scm_from_int (4)));
  g_variant_builder_close (builder);
}

static void
views_add_series (GVariantBuilder *builder, SCM list)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE ("a(su)"));
  for (; scm_is_pair (list); list = scm_cdr (list))
    {
      g_variant_builder_open (builder, G_VARIANT_TYPE ("(su)"));
      views_add_text (builder, scm_caar (list));
      g_variant_builder_add (builder, "u", lc_script_to_u32 (scm_cdar (list)));
      g_variant_builder_close (builder);
    }
  g_variant_builder_close (builder);
}

static void
views_add_mark (GVariantBuilder *builder, SCM mark)
{
  SCM series = scm_c_vector_ref (mark, 1), process = scm_c_vector_ref (mark, 4), ordinal = scm_c_vector_ref (mark, 5);
  SCM places = scm_c_vector_ref (mark, 6);

  g_variant_builder_open (builder, G_VARIANT_TYPE ("(uudsutad)"));
  g_variant_builder_add (builder, "u", lc_script_to_u32 (scm_c_vector_ref (mark, 0)));
  g_variant_builder_add (builder, "u", scm_is_true (series) ? lc_script_to_u32 (series) : LC_SHEET_NO_SERIES);
  g_variant_builder_add (builder, "d", scm_to_double (scm_c_vector_ref (mark, 2)));
  views_add_text (builder, scm_c_vector_ref (mark, 3));
  g_variant_builder_add (builder, "u", scm_is_true (process) ? lc_script_to_u32 (process) : LC_TRACE_NONE);
  g_variant_builder_add (builder, "t", scm_is_true (ordinal) ? lc_script_to_u64 (ordinal) : LC_PICTURE_NO_EVENT);
  g_variant_builder_add_value (
      builder, g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, SCM_BYTEVECTOR_CONTENTS (places),
                                          SCM_BYTEVECTOR_LENGTH (places) / sizeof (double), sizeof (double)));
  g_variant_builder_close (builder);
}

static GVariant *
views_read_sheet (SCM data)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE (LC_SHEET_TYPE));
  SCM marks;

  views_add_text (&builder, scm_from_utf8_string (""));
  views_add_text (&builder, scm_list_ref (data, scm_from_int (0)));
  views_add_axis (&builder, scm_list_ref (data, scm_from_int (1)));
  views_add_axis (&builder, scm_list_ref (data, scm_from_int (2)));
  g_variant_builder_open (&builder, G_VARIANT_TYPE ("(sss)"));
  for (SCM ramp = scm_list_ref (data, scm_from_int (3)); scm_is_pair (ramp); ramp = scm_cdr (ramp))
    views_add_text (&builder, scm_car (ramp));
  g_variant_builder_close (&builder);
  views_add_texts (&builder, scm_list_ref (data, scm_from_int (4)));
  views_add_series (&builder, scm_list_ref (data, scm_from_int (5)));
  g_variant_builder_open (&builder, G_VARIANT_TYPE ("a(uudsutad)"));
  for (marks = scm_list_ref (data, scm_from_int (6)); scm_is_pair (marks); marks = scm_cdr (marks))
    views_add_mark (&builder, scm_car (marks));
  g_variant_builder_close (&builder);
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

LcScriptResult
lc_script_make_view (const char *name, const LcScriptViewRequest *request, GVariant **sheet)
{
  SCM processes = SCM_EOL, answer;
  LcScriptResult result;

  for (guint32 i = request->n_processes; i-- > 0;)
    processes = scm_cons (scm_from_uint32 (request->processes[i]), processes);
  lc_script_guard_begin ();
  lc_script_go_on ();
  answer = scm_call_5 (lc_script_get_runner ("run-view"), scm_from_utf8_string (name),
                       scm_from_utf8_string (request->timeline), scm_from_uint64 (request->from),
                       scm_from_uint64 (request->to), processes);
  lc_script_guard_end ();
  result = lc_script_read_result (answer);
  *sheet = result.end == LC_SCRIPT_GOOD && scm_is_pair (scm_cdr (answer)) ? views_read_sheet (scm_cdr (answer)) : NULL;
  return result;
}
