/* SPDX-License-Identifier: Apache-2.0 */
/* How C's values and errors become Scheme's. */
#include <glib/gi18n.h>

#include "script-private.h"
#include "trace/quantities.h"

SCM
lc_script_from_text (const char *text)
{
  return text != NULL ? scm_from_utf8_string (text) : SCM_BOOL_F;
}

SCM
lc_script_from_id (guint32 id)
{
  return id != LC_TRACE_NONE ? scm_from_uint32 (id) : SCM_BOOL_F;
}

static SCM
values_from_field (gconstpointer data, const LcScriptField *field)
{
  const void *at = (const char *)data + field->offset;

  switch (field->kind)
    {
    case LC_FIELD_U32:
      return scm_from_uint32 (*(const guint32 *)at);
    case LC_FIELD_ID:
      return lc_script_from_id (*(const guint32 *)at);
    case LC_FIELD_CPU:
      return *(const guint32 *)at != LC_CPU_UNKNOWN ? scm_from_uint32 (*(const guint32 *)at) : SCM_BOOL_F;
    case LC_FIELD_U64:
      return scm_from_uint64 (*(const guint64 *)at);
    case LC_FIELD_KNOWN:
      return *(const guint64 *)at != G_MAXUINT64 ? scm_from_uint64 (*(const guint64 *)at) : SCM_BOOL_F;
    case LC_FIELD_I64:
      return scm_from_int64 (*(const gint64 *)at);
    case LC_FIELD_REAL:
      return scm_from_double (*(const double *)at);
    case LC_FIELD_TEXT:
      return lc_script_from_text (*(const char *const *)at);
    case LC_FIELD_BOOLEAN:
      return scm_from_bool (*(const gboolean *)at);
    default:
      return SCM_BOOL_F;
    }
}

SCM
lc_script_from_struct (gconstpointer data, const LcScriptField *fields, gsize n_fields)
{
  SCM values = SCM_EOL;

  for (gsize i = n_fields; i-- > 0;)
    values = scm_cons (values_from_field (data, &fields[i]), values);
  return values;
}

SCM
lc_script_from_named (gconstpointer data, const LcScriptField *fields, gsize n_fields)
{
  SCM values = SCM_EOL;

  for (gsize i = n_fields; i-- > 0;)
    values = scm_acons (scm_from_utf8_symbol (fields[i].name), values_from_field (data, &fields[i]), values);
  return values;
}

SCM
lc_script_from_array (const GArray *array, const LcScriptField *fields, gsize n_fields)
{
  guint size = g_array_get_element_size ((GArray *)array);
  SCM rows = SCM_EOL;

  for (guint i = array->len; i-- > 0;)
    rows = scm_cons (lc_script_from_named (array->data + (gsize)i * size, fields, n_fields), rows);
  return rows;
}

/* What was cancelled is about to be stopped by the guard, whose word comes in a moment. */
static void
values_await_stop (const GError *error)
{
  for (int i = 0; i < 1000 && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED); i++)
    {
      scm_async_tick ();
      g_usleep (1000);
    }
}

void
lc_script_throw (GError *error)
{
  SCM message = lc_script_from_text (error->message);

  values_await_stop (error);
  g_error_free (error);
  lc_script_fail ("~A", scm_list_1 (message));
}

void
lc_script_fail (const char *format, SCM arguments)
{
  scm_error (scm_from_utf8_symbol ("lightcone-error"), NULL, format, arguments, SCM_BOOL_F);
  g_assert_not_reached ();
}

guint32
lc_script_to_u32 (SCM value)
{
  if (!scm_is_unsigned_integer (value, 0, G_MAXUINT32))
    lc_script_fail (_ ("~S is no whole number from 0 to ~A"), scm_list_2 (value, scm_from_uint32 (G_MAXUINT32)));
  return scm_to_uint32 (value);
}

guint64
lc_script_to_u64 (SCM value)
{
  if (!scm_is_unsigned_integer (value, 0, G_MAXUINT64))
    lc_script_fail (_ ("~S is no whole number from 0 to ~A"), scm_list_2 (value, scm_from_uint64 (G_MAXUINT64)));
  return scm_to_uint64 (value);
}

/* A text as it may be shown on a line of a terminal, whatever is in it. */
static SCM
values_make_visible (SCM text)
{
  char *given, *shown;
  SCM visible;

  if (!scm_is_string (text))
    lc_script_fail (_ ("visible: ~S is no text"), scm_list_1 (text));
  given = scm_to_utf8_stringn (text, NULL);
  shown = lc_format_text (given);
  visible = lc_script_from_text (shown);

  free (given);
  g_free (shown);
  return visible;
}

/* The same of text of several lines. */
static SCM
values_make_lines_visible (SCM text)
{
  char *given = scm_to_utf8_stringn (text, NULL), *shown = lc_format_lines (given);
  SCM visible = lc_script_from_text (shown);

  free (given);
  g_free (shown);
  return visible;
}

void
lc_script_init_values (void)
{
  static const LcScriptProcedure procedures[] = {
      {"visible", 1, 0, (scm_t_subr)values_make_visible},
      {"%visible-lines", 1, 0, (scm_t_subr)values_make_lines_visible},
  };

  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}

void
lc_script_define (const LcScriptProcedure *procedures, gsize n_procedures)
{
  for (gsize i = 0; i < n_procedures; i++)
    {
      const LcScriptProcedure *one = &procedures[i];

      scm_c_define_gsubr (one->name, one->required, one->optional, 0, one->function);
      if (one->name[0] != '%')
        scm_c_export (one->name, NULL);
    }
}
