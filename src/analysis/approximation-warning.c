/* SPDX-License-Identifier: Apache-2.0 */
/* Adds warnings to an approximation, and takes them back. */
#include "approximation-warning.h"

void
lc_approximation_warn (LcApproximation *approximation, const char *kind, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (approximation->warnings, g_strdup_vprintf (format, arguments));
  g_ptr_array_add (approximation->warning_kinds, (gpointer)kind);
  va_end (arguments);
}

void
lc_approximation_forget_warnings (LcApproximation *approximation)
{
  g_ptr_array_set_size (approximation->warnings, 0);
  g_ptr_array_set_size (approximation->warning_kinds, 0);
}
