/* SPDX-License-Identifier: Apache-2.0 */
/* Adds warnings to an approximation. */
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
